"""The further questions of a scan: what a measure asks of the target or the judge, row by row.

Rows of controls go where all rows go, so that they are read and kept like any other; other probes
have probes.jsonl, one row a question. What is on disk is not asked again.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from typing import NamedTuple

from rmaudit.checklists.controls import traps
from rmaudit.checklists.schema import Item
from rmaudit.engines.base import Request, Sampling, request_seed
from rmaudit.judging.asker import answered
from rmaudit.judging.llm import LlmJudge
from rmaudit.metrics.probes import BLIND, GIVEN
from rmaudit.parsing.generations import judge_generation
from rmaudit.parsing.sides import to_item
from rmaudit.probing.blind import winner
from rmaudit.probing.blind_model import question
from rmaudit.probing.continuation import added_verdict, layout, prefill
from rmaudit.probing.specification import specified
from rmaudit.progress import Progress
from rmaudit.records import ANSWERED, SETTLED, Generation, Judgment, Key, Verdict
from rmaudit.run.directory import RunDir
from rmaudit.run.files import GENERATIONS, PROBES, VERDICTS
from rmaudit.run.probe_facts import CONSISTENCY, control_key
from rmaudit.run.rows import ProbeOutcome, ProbeRow, VerdictRow
from rmaudit.scan.measures import CONTINUED
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.reword_stage import NO_WORDS, reword_all, to_reword
from rmaudit.scan.sensitivity_stage import ask_about_edits, sensitivity_keys
from rmaudit.scan.verdict_stage import item_shown, read_verdict, responses_shown
from rmaudit.taxonomy import CONDITIONS


def probe_target(plan: ScanPlan, run: RunDir, progress: Progress) -> None:
    """All that the measures of the plan ask of the target.

    Raises:
        RmauditError: the engine or the disk failed; finished rows are kept.
    """
    wanted = {measure.name for measure in plan.measures if not measure.why}
    ask_about_edits(plan, run, progress)
    if not wanted & {"traps", "specification", "causality"}:
        return
    base = _base_rows(run)
    if "traps" in wanted:
        _traps(plan, run, base, progress)
    if "specification" in wanted:
        _ask(plan, run, "specification", _specified(plan, base), plan.sampling, progress)
    if "causality" in wanted:
        texts = {
            generation.key: generation.text
            for generation in run.rows(GENERATIONS)
            if generation.key.variant == "base"
        }
        reworded = reword_all(plan, run, base, texts, progress)
        asked = _continued(plan, base, texts, reworded)
        _ask(plan, run, "causality", asked, CONTINUED, progress)


def _base_rows(run: RunDir) -> list[VerdictRow]:
    """The answered rows of items as they are, one an order: only sample 0 is probed."""
    return [
        row
        for row in run.rows(VERDICTS)
        if row.key.variant == "base"
        and row.key.slot == "pair"
        and not row.key.sample
        and row.judgment.outcome in ANSWERED
    ]


def _traps(plan: ScanPlan, run: RunDir, base: Iterable[VerdictRow], progress: Progress) -> None:
    """Rows of cues and their neutral edits, for items whose verdict was right without them."""
    items = {item.id: item for item in plan.items}
    keys = _trap_keys(items, base)
    with run.append(GENERATIONS) as generations, run.append(VERDICTS) as verdicts:
        done = {row.key for row in run.rows(GENERATIONS)}
        missing = [key for key in keys if key not in done]
        progress.begin("traps", total=len(keys), done=len(keys) - len(missing))
        requests = [
            Request(
                key,
                plan.messages(item_shown(items, key), key.order),
                request_seed(plan.config.seed, key),
            )
            for key in missing
        ]
        for generation in plan.target.engine.complete(requests, plan.sampling):
            generations.write(generation)
            verdicts.write(read_verdict(plan, items, generation))
            progress.step("traps")
    progress.end("traps")


def _trap_keys(items: Mapping[str, Item], base: Iterable[VerdictRow]) -> list[Key]:
    return [
        control_key(row.key, control)
        for row in base
        if row.judgment.verdict == items[row.key.item].label
        for control in sorted(
            {n for trap in traps(items[row.key.item]) for n in (trap.cue, trap.neutral)}
        )
    ]


def probes_left(plan: ScanPlan, run: RunDir, made: set[Key]) -> int:
    """Calls that the measures still make for the answers that are there.

    Args:
        plan: of the scan.
        run: its directory.
        made: keys of the answers that stay.
    """
    wanted = {measure.name for measure in plan.measures if not measure.why}
    base = [row for row in _base_rows(run) if row.key in made]
    done = {row.asked for row in run.rows(PROBES) if probe_stays(row)}
    questions: list[_Question] = []
    left = sum(key not in made for key in sensitivity_keys(plan))
    if "traps" in wanted:
        items = {item.id: item for item in plan.items}
        left += sum(key not in made for key in _trap_keys(items, base))
    if "specification" in wanted:
        questions += _specified(plan, base)
    if "causality" in wanted:
        texts = {row.key: row.text for row in run.rows(GENERATIONS) if row.key in made}
        questions += _continued(plan, base, texts)
        left += len(to_reword(plan, run, base, texts))
    left += sum(one.request is not None and one.row.asked not in done for one in questions)
    if CONSISTENCY in wanted and plan.judge.traits.calls:
        left += sum((row.key, CONSISTENCY, BLIND) not in done for row in _inferable(base))
    return left


def _inferable(base: Iterable[VerdictRow]) -> list[VerdictRow]:
    """Answers whose winner a judge can look for in their reasons."""
    return [row for row in base if row.judgment.verdict in ("a", "b") and row.judgment.reasons]


class _Question(NamedTuple):
    """A probe to ask, as its row without an answer; `request` is None where it is skipped."""

    row: ProbeRow
    item: Item
    request: Request | None = None


def _specified(plan: ScanPlan, base: Iterable[VerdictRow]) -> Iterator[_Question]:
    """The prompt of each row once more, with the references."""
    items = {item.id: item for item in plan.items}
    for verdict in base:
        key, item = verdict.key, items[verdict.key.item]
        if not item.reasons or item.label == "tie":
            continue
        messages = plan.messages(item, key.order)
        prompt = specified(messages, item, order=key.order, names=plan.target.names)
        row = ProbeRow(key, "specification", GIVEN, "error")
        yield _Question(row, item, _request(plan, row, prompt.messages))


def _continued(
    plan: ScanPlan,
    base: Iterable[VerdictRow],
    texts: Mapping[Key, str],
    reworded: Mapping[Key, str] = NO_WORDS,
) -> Iterator[_Question]:
    """Each answer up to its verdict, under all conditions; or why it cannot be asked.

    reworded: reasons in a model's words, by key; the others are reworded by rule.
    """
    items, names = {item.id: item for item in plan.items}, plan.target.names
    for verdict in base:
        key, item = verdict.key, items[verdict.key.item]
        if verdict.judgment.verdict not in ("a", "b"):
            continue
        shown = responses_shown(item, key)
        parts = layout(texts[key], responses=shown, names=names, grammar=plan.target.reads)
        if isinstance(parts, str):
            yield _Question(ProbeRow(key, "causality", "", "skipped", failure=parts), item)
            continue
        messages = plan.messages(item, key.order)
        for condition in CONDITIONS:
            begun = prefill(parts, condition, names=names, reworded=reworded.get(key, ""))
            row = ProbeRow(key, "causality", condition, "error", prefill=begun)
            yield _Question(row, item, _request(plan, row, messages))


def _request(plan: ScanPlan, row: ProbeRow, messages: tuple[dict[str, str], ...]) -> Request:
    key = row.key._replace(variant=f"{row.probe}:{row.condition}")
    return Request(key, messages, request_seed(plan.config.seed, key), prefill=row.prefill)


def _ask(
    plan: ScanPlan,
    run: RunDir,
    probe: str,
    questions: Iterator[_Question],
    sampling: Sampling,
    progress: Progress,
) -> None:
    with run.append(PROBES) as probes:
        done = {row.asked for row in run.rows(PROBES)}
        asked = [one for one in questions if one.row.asked not in done]
        for one in asked:
            if one.request is None:
                probes.write(one.row)
        open_ = {one.request.key: one for one in asked if one.request is not None}
        before = sum(asked_probe == probe and condition != "" for _, asked_probe, condition in done)
        progress.begin(probe, total=len(open_) + before, done=before)
        requests = [one.request for one in open_.values() if one.request is not None]
        for generation in plan.target.engine.complete(requests, sampling):
            probes.write(_answered(plan, open_[generation.key], generation))
            progress.step(probe)
    progress.end(probe)


def _answered(plan: ScanPlan, question: _Question, generation: Generation) -> ProbeRow:
    """The row of a question with what the target said."""
    row, shown = question.row, responses_shown(question.item, question.row.key)
    if generation.finish_reason == "error":
        return row._replace(failure=generation.error or "no answer")
    names, grammar = plan.target.names, plan.target.reads
    if row.prefill:
        verdict = added_verdict(
            row.prefill, generation.text, responses=shown, names=names, grammar=grammar
        )
    else:
        verdict = judge_generation(
            generation,
            max_reasons=plan.config.max_reasons,
            responses=shown,
            names=names,
            grammar=grammar,
        ).verdict
    return row._replace(
        outcome="unreadable" if verdict is None else "read",
        verdict=to_item(Judgment(verdict, "ok"), order=row.key.order).verdict,
        text=generation.text,
        finish_reason=generation.finish_reason,
        tokens_in=generation.tokens_in,
        tokens_out=generation.tokens_out,
    )


def probe_judge(plan: ScanPlan, run: RunDir, progress: Progress) -> None:
    """Whom the judge takes for the winner from the reasons of each answer alone.

    Raises:
        RmauditError: the judge or the disk failed; finished rows are kept.
    """
    if not any(measure.name == CONSISTENCY and not measure.why for measure in plan.measures):
        return
    base = _inferable(_base_rows(run))
    with run.append(PROBES) as probes:
        done = {row.asked for row in run.rows(PROBES)}
        missing = [row for row in base if (row.key, CONSISTENCY, BLIND) not in done]
        progress.begin(CONSISTENCY, total=len(base), done=len(base) - len(missing))
        with closing(_inferred(plan, missing)) as rows:
            for row in rows:
                probes.write(row)
                progress.step(CONSISTENCY)
    progress.end(CONSISTENCY)


def _inferred(plan: ScanPlan, rows: Iterable[VerdictRow]) -> Generator[ProbeRow, None, None]:
    """By the judge's model, or by the embedded reading."""
    if not isinstance(plan.judge, LlmJudge):
        for row in rows:
            yield _inferred_row(row.key, winner(row.judgment.reasons))
        return
    questions = (question(row.key, row.judgment.reasons) for row in rows)
    with closing(plan.judge.asker.ask(questions)) as replies:
        for reply in replies:
            told = _inferred_row(reply.request, reply.value)._replace(
                text=reply.raw or "",
                tokens_in=reply.use.tokens_in,
                tokens_out=reply.use.tokens_out,
            )
            if reply.failure is not None:
                told = told._replace(outcome="error", failure=reply.failure)
            yield told


def _inferred_row(key: Key, side: Verdict) -> ProbeRow:
    outcome: ProbeOutcome = "unreadable" if side is None else "read"
    return ProbeRow(key, CONSISTENCY, BLIND, outcome, side)


def drop_failed(run: RunDir) -> None:
    """Takes out probes that were not answered, so that they are asked again.

    What would come again stays: a prompt that is too long or that a provider kept back, and what a
    judge answered in another form.
    """
    run.keep_rows(PROBES, probe_stays)


def probe_stays(row: ProbeRow) -> bool:
    """Whether a resume keeps a probe: it was answered, or its failure would come again."""
    if row.outcome != "error":
        return True
    if row.probe == CONSISTENCY:
        return answered(row.failure)
    return row.failure in SETTLED
