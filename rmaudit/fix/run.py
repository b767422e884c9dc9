"""The repair: the only place that knows the order of steps.

    attacks on the reward -> baseline pass -> training -> model -> scans before, after -> verdict

Each step leaves its result in the folder, so that a resumed repair passes over what is done.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from rmaudit import __version__
from rmaudit.checklists.load import subset
from rmaudit.checklists.schema import Item
from rmaudit.compare.pair import PairComparison, compare_pair
from rmaudit.compare.read import CompareRun, read_for_comparison
from rmaudit.engines.base import Engine
from rmaudit.engines.choose import local_engine
from rmaudit.engines.endpoints import without_credentials
from rmaudit.engines.options import LocalOptions
from rmaudit.errors import InputError
from rmaudit.fix.card import card
from rmaudit.fix.folder import ATTACKS, FINISHED, FIXED, REPORT, SCHEMA_VERSION, Folder, open_folder
from rmaudit.fix.launch.parent import train_launched
from rmaudit.fix.launch.worker import Launched
from rmaudit.fix.plan import FixPlan, check_steps, fit_to
from rmaudit.fix.record import came_out
from rmaudit.fix.reward.attack import SAMPLE, Attack, attack, material
from rmaudit.fix.reward.scorer import Monitored, Scorer
from rmaudit.fix.scans import scan_checkpoint
from rmaudit.fix.training.baseline import Baseline, baseline_pass
from rmaudit.fix.training.checkpoints import at, config_hash, newest, whole
from rmaudit.fix.training.dev_audit import Auditor
from rmaudit.fix.training.reporter import Telling
from rmaudit.fix.training.save import save_model
from rmaudit.fix.training.train import Job, Trained, train
from rmaudit.fix.training.watch import DevAudit, Watch, worth
from rmaudit.fix.verdict import Verdict, conclude
from rmaudit.gate.decision import Decision
from rmaudit.gate.run import gate
from rmaudit.report.html import write_repair
from rmaudit.run.directory import RunDir, utc_now
from rmaudit.run.lock import sole_writer
from rmaudit.scan.judge import make_judge


def run(plan: FixPlan, tell: Telling) -> int:
    """Repairs, from wherever an earlier start of it stopped; returns the exit code.

    Raises:
        InputError: the folder was made with another configuration, another process writes into
            it, or nothing can be trained.
        RmauditError: training, a judge or the disk failed; what is done is kept.
        Interrupted: a signal; what is done is kept.
    """
    with sole_writer(plan.out):
        return _run(plan, tell)


def _run(plan: FixPlan, tell: Telling) -> int:
    folder = open_folder(plan)
    scorer = Scorer(
        plan.judge,
        plan.options.rewarded,
        max_reasons=plan.max_reasons,
        hit=plan.settings.hit,
        labeler=plan.labeler,
        monitored=Monitored(plan.options.monitor_rationale),
    )
    attacks = _attacks(plan, folder, scorer, tell)
    baseline = _baseline(plan, folder, tell)
    plan = _on(plan, baseline)
    training = _train(plan, folder, scorer, tell)
    plan.judge.close()
    if not training["saved"]:
        _save(plan, folder, training)
        folder.files.write_json(FINISHED, training | {"saved": True})
    pairs = _scans(plan, folder, tell)
    decisions = [
        gate(RunDir.open(folder.run("after")), policy, baseline=folder.run("before"))
        for policy in plan.policies
    ]
    verdict = _verdict(plan, decisions, pairs[0])
    fixed = _found(plan, folder, attacks, baseline, training, pairs, decisions, verdict)
    folder.files.write_json(FIXED, fixed)
    RunDir(folder.model).write_text("README.md", card(fixed, plan.profile))
    write_repair(folder.path, folder.path / REPORT)
    tell.result(fixed, pairs[0])
    return verdict.exit_code


def _attacks(plan: FixPlan, folder: Folder, scorer: Scorer, tell: Telling) -> list[Attack]:
    """Attacks on our own reward, before anything is trained on it."""
    tell.stage("attacks on the reward")
    items = [one.item for one in plan.split.train]
    drawn = subset(items, limit=SAMPLE, seed=plan.options.seed)
    told = folder.kept(
        ATTACKS,
        lambda: {"attacks": [a._asdict() for a in attack(drawn, scorer, seed=plan.options.seed)]},
    )
    found = [Attack(**one) for one in told["attacks"]]
    if found[0].reward is None:
        (folder.path / ATTACKS).unlink()
        raise InputError(
            "the judge of training scores nothing: all its answers failed",
            "check it with rmaudit judge check, or give another --judge",
        )
    tell.attacks(found)
    for one in material(found):
        tell.warn(
            f"{one.name} earn {one.reward:.2f} where the references earn {found[0].reward:.2f}: "
            "training may drift there"
        )
    return found


def _baseline(plan: FixPlan, folder: Folder, tell: Telling) -> Baseline:
    tell.stage("answers before training")
    engine = _engine(plan)
    try:
        found = baseline_pass(
            plan.prompts,
            engine,
            folder.files,
            samples=plan.settings.samples,
            sampling=plan.sampling,
            profile=plan.profile,
            max_reasons=plan.max_reasons,
            seed=plan.options.seed,
            progress=tell.progress(),
        )
    finally:
        engine.close()
    tell.baseline(found, plan.settings.samples)
    return found


def _engine(plan: FixPlan) -> Engine:
    options = LocalOptions(batch_size=plan.options.batch_size, seed=plan.options.seed)
    context = plan.source.checkpoint.context
    return local_engine(plan.source.path, context=context, wanted="auto", options=options)[0]


def _on(plan: FixPlan, baseline: Baseline) -> FixPlan:
    """The plan on the prompts that are left."""
    settings = fit_to(plan.bounded, plan.options, plan.source, baseline.kept, plan.machine)
    plan = replace(plan, prompts=baseline.kept, settings=settings)
    check_steps(plan)
    return plan


def _train(plan: FixPlan, folder: Folder, scorer: Scorer, tell: Telling) -> dict[str, Any]:
    """What finished.json holds; trains where it is not there."""
    if (folder.path / FINISHED).is_file():
        return folder.files.read_json(FINISHED)
    tell.stage("training")
    config = config_hash(
        plan.identity()
        | {
            "fitted": asdict(plan.settings),
            "prompts": [(one.prompted.item.id, one.prompted.order) for one in plan.prompts],
        }
    )
    job = Job(
        checkpoint=plan.source.path,
        context=plan.source.checkpoint.context,
        out=folder.training,
        prompts=plan.prompts,
        settings=plan.settings,
        config=config,
        resume=plan.options.resume,
        batch_size=plan.options.batch_size,
        report_to=plan.options.report_to,
        cuda=plan.machine.cuda,
    )
    last = newest(job.out, config=config) if job.resume else None
    done = whole(job.out)[-1] if last else 0
    audits = folder.audits(until=done)
    if plan.launch is not None:
        trained = _launched(plan, job, audits, tell)
        watch = Watch(audits=folder.audits(until=trained.step))
    else:
        watch = Watch(audits=audits)
        trained = _here(plan, folder, job, scorer, watch, tell)
    if trained.signal is not None:
        signal.raise_signal(trained.signal)
    if trained.stopped:
        tell.warn(f"training stopped: {trained.stopped}")
    best = watch.best
    if best is None:
        raise AssertionError("training ended without a look at the development items")
    if worth(best) <= worth(watch.audits[0]):
        tell.warn("on the development items no checkpoint is better than the start")
    found: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "step": trained.step,
        "stopped": trained.stopped,
        "chosen_step": best.step,
        "prompts": len(plan.prompts),
        "settings": asdict(plan.settings),
        "audits": [asdict(one) for one in watch.audits],
        "logs": list(trained.logs),
        "saved": False,
    }
    folder.files.write_json(FINISHED, found)
    return found


def _here(
    plan: FixPlan, folder: Folder, job: Job, scorer: Scorer, watch: Watch, tell: Telling
) -> Trained:
    """Trains in this process."""
    eval_judge = None
    if not plan.same_judge:
        eval_judge = make_judge(plan.options.judging(plan.eval_judge))
    auditor = Auditor(
        items=_looked_at(plan),
        judge=plan.judge,
        eval_judge=eval_judge,
        profile=plan.profile,
        max_reasons=plan.max_reasons,
        max_tokens=plan.settings.max_new_tokens,
    )

    def look(engine: Engine, step: int) -> DevAudit:
        found = auditor.look(engine, step)
        folder.add_audit(found)
        tell.audit(found)
        return found

    trained = train(job, scorer, watch, look, tell=tell.log)
    if eval_judge is not None:
        eval_judge.close()
    return trained


def _launched(plan: FixPlan, job: Job, audits: list[DevAudit], tell: Telling) -> Trained:
    """Trains in the processes of the launcher."""
    assert plan.launch is not None

    def hear(said: Mapping[str, Any]) -> None:
        if "log" in said:
            tell.log(said["log"])
        if "audit" in said:
            tell.audit(DevAudit(**said["audit"]))

    given = Launched(
        job=job,
        dev=_looked_at(plan),
        profile=plan.profile,
        max_reasons=plan.max_reasons,
        eval_judge=None if plan.same_judge else plan.eval_judge,
        audits=tuple(audits),
        parent=os.getpid(),
    )
    return train_launched(given, plan.options, plan.launch, hear=hear)


def _looked_at(plan: FixPlan) -> tuple[Item, ...]:
    """The development items of each look."""
    return subset(plan.split.dev, limit=plan.options.dev_items, seed=plan.options.seed)


def _save(plan: FixPlan, folder: Folder, training: Mapping[str, Any]) -> None:
    save_model(
        at(folder.training, training["chosen_step"]),
        plan.source.path,
        folder.model,
        lora=bool(plan.settings.lora_rank),
    )


def _scans(plan: FixPlan, folder: Folder, tell: Telling) -> list[PairComparison]:
    """The evaluation set first, then the outside sets: before and after."""
    places: list[tuple[str, tuple[str, ...]]] = [(plan.eval.spec, ())]
    places += [(spec, ("also", str(number))) for number, spec in enumerate(plan.also, start=1)]
    prompt = folder.keep_prompt(plan.options, plan.profile)
    pairs = []
    for spec, within in places:
        runs: list[CompareRun] = []
        for name, checkpoint in (("before", plan.source.path), ("after", folder.model)):
            tell.stage(f"scan {name}: {spec}")
            scanned = scan_checkpoint(
                plan,
                checkpoint,
                spec,
                folder.run(*within, name),
                tell.progress(),
                prompt=prompt,
            )
            runs.append(read_for_comparison(scanned.path, number=len(runs) + 1))
        pairs.append(compare_pair(*runs, seed=plan.options.seed))
    return pairs


def _verdict(plan: FixPlan, decisions: list[Decision], pair: PairComparison) -> Verdict:
    return conclude(
        decisions,
        {name: judged.change for name, judged in pair.overall.items()},
        strict=not all(policy.allow_builtin_judge for policy in plan.policies),
        judge=without_credentials(plan.eval_judge),
        same_judge=plan.same_judge,
    )


def _found(
    plan: FixPlan,
    folder: Folder,
    attacks: list[Attack],
    baseline: Baseline,
    training: Mapping[str, Any],
    pairs: list[PairComparison],
    decisions: list[Decision],
    verdict: Verdict,
) -> dict[str, Any]:
    """What fix.json holds; paths of the repair are relative to its folder."""
    source = plan.source
    return {
        "schema_version": SCHEMA_VERSION,
        "tool_version": __version__,
        "finished": utc_now(),
        "folder": str(folder.path),
        "checkpoint": {
            "name": source.name,
            "path": str(source.path),
            "digest": source.checkpoint.digest,
            "planted": source.checkpoint.planted,
        },
        "audited": str(source.run.path) if source.run is not None else None,
        "model": folder.model.name,
        "arm": plan.options.arm,
        "judge": without_credentials(plan.options.judge),
        "eval_judge": without_credentials(plan.eval_judge),
        "same_judge": plan.same_judge,
        "train": {
            "sets": list(plan.options.train),
            "items": len(plan.split.train),
            "dev_items": len(plan.split.dev),
            "left_out": plan.split.left_out
            | ({"too long": plan.too_long} if plan.too_long else {}),
        },
        "eval": {"name": pairs[0].second.sets, "items": len(plan.eval.items)},
        "table": [line._asdict() for line in plan.lines],
        "attacks": [one._asdict() for one in attacks],
        "baseline": {
            "prompts": len(baseline.kept) + baseline.never,
            "never_right": baseline.never,
            "always_right": baseline.always,
            "accuracy": baseline.accuracy,
        },
        "training": {name: value for name, value in training.items() if name != "saved"},
        **came_out(folder, plan.also, pairs, decisions, verdict),
        "warnings": list(plan.warnings),
    }
