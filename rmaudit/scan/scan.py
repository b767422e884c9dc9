"""The scan: the only place that knows the order of steps.

    requests -> generations.jsonl -> verdicts.jsonl -> matches.jsonl, flaws.jsonl -> metrics
    requests -> scores.jsonl -> verdicts.jsonl -> metrics, of a model that gives scores

Each step reads what the step before wrote and does what is still missing, so a resumed run takes
the same way as a new one.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rmaudit.checklists.load import CARD_FILE, ITEMS_FILE, dump_item
from rmaudit.engines.completions import REASONING_ONLY
from rmaudit.errors import InputError, Interrupted, RmauditError
from rmaudit.gate.evidence import group_limits
from rmaudit.gate.stop import Look, chunks
from rmaudit.metrics.audit import compute_metrics, compute_slices
from rmaudit.metrics.parts import compute_parts
from rmaudit.metrics.stopping import with_sequences
from rmaudit.progress import Progress
from rmaudit.records import FILTERED, TOO_LONG, Generation, ItemResult, Key, Metric
from rmaudit.run.directory import FOLDERS, METRICS, RunDir, utc_now
from rmaudit.run.disk import disk_errors
from rmaudit.run.files import GENERATIONS, RESULTS, VERDICTS
from rmaudit.run.graders import LabelerFacts
from rmaudit.run.halves import pair_of
from rmaudit.run.integrity import check_before_seal
from rmaudit.run.lock import sole_writer
from rmaudit.run.manifest import EngineFacts, RunManifest, Sequential
from rmaudit.run.numbers import metrics_json
from rmaudit.run.rows import VerdictRow
from rmaudit.run.table import run_table, settings_of
from rmaudit.scan.atomise_stage import atomise
from rmaudit.scan.ceiling_stage import ceiling_rows
from rmaudit.scan.graders import Grader, graders
from rmaudit.scan.handover import Consumer, Handover, run_together
from rmaudit.scan.label_stage import label_counts
from rmaudit.scan.match_stage import judge_counts
from rmaudit.scan.null_stage import null_rows
from rmaudit.scan.out import link_latest
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.probe_stage import probe_judge, probe_target
from rmaudit.scan.recorded_decisions import Compared, compare_decisions, own_numbers
from rmaudit.scan.resume import take_up
from rmaudit.scan.score_stage import score_all
from rmaudit.scan.smoke_probe import smoke_probe
from rmaudit.scan.verdict_stage import VerdictReader

_REMEDIES = {
    FILTERED: "the provider keeps these answers back: ask another one, or another set",
    REASONING_ONLY: "the server hands everything over as reasoning: start it without a reasoning "
    "parser, or with the one of this model; --resume asks again",
}
"""What to do where no request was answered for this reason."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """A finished scan."""

    run: RunDir
    results: list[ItemResult]
    metrics: dict[str, Metric]
    slices: dict[str, dict[str, Metric]]
    parts: dict[str, dict[str, Metric]]
    compared: Compared | None = None
    sequential: Sequential | None = None


def scan(plan: ScanPlan, progress: Progress) -> Scanned:
    """Runs the plan to its end, from wherever an earlier start of it stopped.

    Raises:
        InputError: the run directory is there already, was made with another configuration, or
            another process writes into it.
        RmauditError: the engine or the disk failed; finished rows are kept.
        Interrupted: a signal; finished rows are kept.
    """
    if not plan.config.resume:
        RunDir.check_free(plan.out)
    elif not RunDir.only_begun(plan.out):
        RunDir.open(plan.out)
    with sole_writer(plan.out):
        begun = plan.config.resume and not RunDir.only_begun(plan.out)
        run = take_up(plan) if begun else create_run(plan)
        if begun:
            link_latest(run.path)
        return _to_its_end(plan, run, progress)


def _to_its_end(plan: ScanPlan, run: RunDir, progress: Progress) -> Scanned:
    """All steps that are still to be done, then the seal."""
    manifest = run.manifest()
    used = None
    try:
        if plan.target.gives_reasons:
            smoke_probe(plan, run, progress, manifest)
            used = _answer_and_judge_all(plan, run, progress, manifest)
            counted = dataclasses.replace(plan, items=plan.items[:used])
            ceiling_rows(counted, run, progress)
            null_rows(counted, run, progress)
            manifest.judge = manifest.judge.adding(plan.judge.describe())
            manifest.judge.counts = judge_counts(run)
            known = LabelerFacts(spec="") if manifest.labeler is None else manifest.labeler
            manifest.labeler = known.adding(plan.labeler.describe())
            manifest.labeler.counts = label_counts(run)
        else:
            score_all(plan, run, progress, manifest)
        manifest.engine = _engine_facts(plan, manifest)
        compared = compare_decisions(plan, run)
        if compared is not None:
            manifest.recorded_compared = compared.compared
            manifest.recorded_differences = compared.differ
        scanned = _measure(plan, run, compared, manifest, used=used)
        check_before_seal(run, manifest)
    except BaseException as error:
        stopped = isinstance(error, (Interrupted, KeyboardInterrupt))
        manifest.status = "interrupted" if stopped else "failed"
        with contextlib.suppress(Exception):  # the first error is the one to tell
            run.write_manifest(manifest)
        raise
    finally:
        plan.target.engine.close()
        plan.judge.close()
        plan.labeler.close()
    manifest.finished = utc_now()
    run.seal(manifest)
    return scanned


def _engine_facts(plan: ScanPlan, manifest: RunManifest) -> EngineFacts:
    """What the engine says of itself; its budget is of answers, not of a measure after them."""
    facts = dict(plan.target.engine.describe())
    budgets = (facts, manifest.engine.as_dict())
    known = [one["max_tokens"] for one in budgets if isinstance(one.get("max_tokens"), int)]
    if known:
        facts["max_tokens"] = max(known)
    return manifest.engine.adding(facts)


def create_run(plan: ScanPlan) -> RunDir:
    """The run directory of a plan, with its items and prompts, before any row.

    Raises:
        InputError: it is there already, or another process writes into it.
    """
    RunDir.check_free(plan.out)
    with sole_writer(plan.out):
        return _created(plan)


def _created(plan: ScanPlan) -> RunDir:
    run = RunDir.create(plan.out)
    for folder in FOLDERS:
        _make_folder(run.path / folder)
    run.write_text(f"checklist/{ITEMS_FILE}", "".join(dump_item(i) + "\n" for i in plan.items))
    manifest = plan.manifest()
    run.write_text(f"checklist/{CARD_FILE}", _card_toml(plan, manifest.items_sha256))
    for template in plan.templates:
        run.write_text(f"prompts/{template.sha256[:12]}.j2", template.source)
    manifest.started = utc_now()
    manifest.status = "running"
    run.write_manifest(manifest)
    link_latest(run.path)
    return run


def _make_folder(path: Path) -> None:
    with disk_errors(path):
        path.mkdir(exist_ok=True)


def _card_toml(plan: ScanPlan, sha256: str) -> str:
    """The card of the set; `sha256` is that of the items as used, which stand beside it."""
    import tomli_w

    card = plan.checklist.card.model_copy(update={"sha256": sha256})
    return tomli_w.dumps(card.model_dump(mode="json", exclude_none=True))


def _answer_and_judge_all(
    plan: ScanPlan, run: RunDir, progress: Progress, manifest: RunManifest
) -> int | None:
    """Both model stages for all items, or for so many as decide the rules that the scan stops on.

    Returns:
        The number of items that count; None for all.
    """
    if plan.stopping is None:
        _answer_and_judge(plan, run, progress, resting=True)
        return None
    # A model that grades here takes the place of the target's: each look then costs two loads.
    takes_turns = any(
        one.traits.calls and not one.traits.at_endpoint for one in (plan.judge, plan.labeler)
    )
    looks: list[Look] = []
    for used in chunks(plan.items, doubling=takes_turns):
        known = {item.id for item in plan.items[:used]}
        asked = tuple(request for request in plan.requests if request.key.item in known)
        part = dataclasses.replace(plan, requests=asked)
        _answer_and_judge(part, run, progress, resting=takes_turns)
        if takes_turns:
            plan.judge.close()
            plan.labeler.close()
        looks.append(plan.stopping.look(run, plan.items, used=used))
        progress.note(looks[-1].sentence(plan.items))
        if not looks[-1].open:
            break
    manifest.sequential = plan.stopping.record(looks, plan.items)
    manifest.n_items = looks[-1].items
    return looks[-1].items


def _answer_and_judge(plan: ScanPlan, run: RunDir, progress: Progress, *, resting: bool) -> None:
    """All model stages: at once what waits at an endpoint, the rest in turn.

    In turn, since a judge that runs here needs the processor, or the device that the target holds;
    `resting`: the target's model leaves it before.
    """
    if plan.atomiser is not None:
        _atomise_and_grade(plan, run, progress, resting=resting)
        return
    workers = graders(plan, progress)
    beside: list[tuple[Grader, Handover[VerdictRow]]] = [
        (worker, Handover()) for worker in workers if worker.at_endpoint
    ]

    def give(row: VerdictRow) -> None:
        for _, handover in beside:
            handover.give(row)

    run_together(
        lambda: _ask_target(plan, run, progress, give),
        *(
            Consumer(partial(worker.work, run, progress, handover), handover)
            for worker, handover in beside
        ),
    )
    if resting:
        plan.target.engine.close()
    _grade([worker for worker in workers if not worker.at_endpoint], run, progress)
    probe_judge(plan, run, progress)


def _atomise_and_grade(plan: ScanPlan, run: RunDir, progress: Progress, *, resting: bool) -> None:
    """All model stages in turn: what is graded are the reasons that the judge's model split."""
    _ask_target(plan, run, progress, lambda row: None)
    if resting:
        plan.target.engine.close()
    atomise(plan, run, progress)
    _grade(graders(plan, progress), run, progress)
    probe_judge(plan, run, progress)


def _grade(workers: Sequence[Grader], run: RunDir, progress: Progress) -> None:
    for worker in workers:
        worker.work(run, progress, Handover(ended=True))
        if worker is not workers[-1]:
            worker.close()  # the next one may need its device


def _ask_target(
    plan: ScanPlan, run: RunDir, progress: Progress, give: Callable[[VerdictRow], None]
) -> None:
    """All that the target is asked, while it is loaded."""
    _generate(plan, run, progress, give)
    probe_target(plan, run, progress)


def _generate(
    plan: ScanPlan, run: RunDir, progress: Progress, give: Callable[[VerdictRow], None]
) -> None:
    """Answers that are missing, each written, parsed and handed over as it comes."""
    reader = VerdictReader(plan, {item.id: item for item in plan.items})
    parsed = {row.key for row in run.rows(VERDICTS)}
    # Cut torn lines off before the files are read: what is torn is not there.
    with run.append(GENERATIONS) as generations, run.append(VERDICTS) as verdicts:
        done: set[Key] = set()
        for generation in run.rows(GENERATIONS):
            done.add(generation.key)
            if pair_of(generation.key) not in parsed:
                _read(reader, generation, verdicts.write, give)
        missing = [request for request in plan.requests if request.key not in done]
        progress.begin("generate", total=len(plan.requests), done=len(done))
        for generation in plan.target.engine.complete(missing, plan.sampling):
            generations.write(generation)
            readable = _read(reader, generation, verdicts.write, give)
            progress.step("generate", unreadable=not readable)
    progress.end("generate")
    plan.target.tell_forms(progress.note)
    _refuse_if_nothing_is_answered(plan, run)


def _read(
    reader: VerdictReader, generation: Generation, *takers: Callable[[VerdictRow], None]
) -> bool:
    """Hands on the verdict that a completion makes whole, if it does; whether it could be read."""
    found = reader.take(generation)
    if found.verdict is not None:
        for take in takers:
            take(found.verdict)
    return found.readable


def _refuse_if_nothing_is_answered(plan: ScanPlan, run: RunDir) -> None:
    """A model that answers nothing is no audit; of recorded answers, what is missing is counted."""
    if plan.target.engine.name == "replay":
        return
    generations = list(run.rows(GENERATIONS))
    if any(generation.finish_reason != "error" for generation in generations):
        return
    reasons = Counter(generation.error for generation in generations)
    if reasons.keys() != {TOO_LONG}:
        cause, _ = reasons.most_common(1)[0]
        raise RmauditError(
            f"none of {len(generations)} requests was answered: {cause}",
            _REMEDIES.get(cause or "", "mend the cause; --resume asks again"),
        )
    longest = max(generation.tokens_in or 0 for generation in generations)
    facts = plan.target.engine.describe()
    raise InputError(
        f"no prompt fits: up to {longest} tokens of prompt and "
        f"{facts.get('max_tokens', plan.sampling.max_tokens)} for the answer, "
        f"but the model's context is {facts['context']}",
        "lower --max-tokens, or choose a set with shorter responses",
    )


def _measure(
    plan: ScanPlan,
    run: RunDir,
    compared: Compared | None,
    manifest: RunManifest,
    *,
    used: int | None,
) -> Scanned:
    """Writes results and metrics of the first `used` items, with intervals that suit the run."""
    results, table = run_table(run, plan.items, settings_of(run.manifest())._replace(used=used))
    metrics = own_numbers(plan, used) | compute_metrics(table, seed=plan.config.seed)
    slices = compute_slices(table, seed=plan.config.seed)
    if plan.stopping is not None:
        limits = group_limits(manifest, plan.items)
        metrics = with_sequences(metrics, table, limits)
        slices = {
            domain: with_sequences(slice_, table.slice(domain), limits)
            for domain, slice_ in slices.items()
        }
    run.write_rows(RESULTS, results)
    parts = compute_parts(table, seed=plan.config.seed)
    run.write_json(METRICS, metrics_json(metrics, slices | parts))
    return Scanned(run, results, metrics, slices, parts, compared, manifest.sequential)
