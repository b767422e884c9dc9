"""What a scan could measure here, before it is started: machine, versions, metrics, cost.

The metrics are found by computing them on imagined answers to the plan: all readable, right and
wrong in turn, sure and less sure in turn. What even then has no value does not apply to this
target, set and judge. A scan measures what is listed as possible, unless its answers turn out too
much alike: a model that is never wrong has no `rc.wrong`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rmaudit.checklists.controls import traps
from rmaudit.config import ScanConfig
from rmaudit.engines.endpoints import PREFIX
from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.facts import RowFacts
from rmaudit.metrics.null_scores import ItemNulls, NullScore, NullsMeasured
from rmaudit.metrics.outcome import JUDGED_ALONE
from rmaudit.metrics.probes import BLIND, GIVEN, ProbeFacts, Said, not_asked
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.scores import RowKey, RowScores
from rmaudit.metrics.table import build_table
from rmaudit.models.checkpoint import read_checkpoint
from rmaudit.models.profiles import asked_by
from rmaudit.nulls.lists import NULLS
from rmaudit.prompts import NOT_TRAINED_ON
from rmaudit.records import Gold, ItemResult, LabelSet, ReasonLabel, RowResult, Verdict
from rmaudit.run.null_rows import halves, null_items
from rmaudit.run.results import chance_partners
from rmaudit.run.rows import LabelRow
from rmaudit.run.table import row_labels, settings_of
from rmaudit.scan.cost import estimate
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.target import REPLAY, Target
from rmaudit.taxonomy import CONDITIONS, TESTED
from rmaudit.versions import installed

SHOWN_BOTH = "a target that is shown both responses at once"
RESAMPLES = 2
PROBED = 8


class Missing(NamedTuple):
    """A metric that this plan cannot have, why, and what would give it."""

    name: str
    why: str
    remedy: str


def machine_lines() -> Iterator[str]:
    """Cores, memory, devices and package versions of this machine."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    yield f"{os.cpu_count()} cores, {pages / 2**30:.0f} GiB memory, {_devices()}"
    for package in installed():
        yield f"{package.name:<13} {package.says}"


def _devices() -> str:
    """What the driver says; asking torch would load it."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return "no NVIDIA GPU"
    query = [program, "--query-gpu=name,memory.total", "--format=csv,noheader"]
    try:
        done = subprocess.run(query, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return "no NVIDIA GPU that answers"
    return ", ".join(line.strip() for line in done.stdout.splitlines()) or "no NVIDIA GPU"


def target_facts(target: Target) -> Iterator[tuple[str, str]]:
    """What is audited and how, as named lines."""
    yield "target", f"{target.spec}: {target.rm_type}, {target.why}"
    if weights := target.facts.get("weights"):
        yield "weights", f"{target.facts['parameters']:,} numbers, {weights}"
    if target.prompted:
        yield "profile", f"{target.profile.name}; its prompt is {target.profile.whose}"
    yield "engine", f"{target.engine.name} ({target.engine_why})"
    for remark in (*target.remarks, *target.cautions):
        yield "warning", remark


def checkpoint_facts(config: ScanConfig) -> Iterator[tuple[str, str]]:
    """What the files of a checkpoint say where nothing that could run it is installed.

    Raises:
        InputError: they are not those of a model that could be audited.
    """
    if config.target.startswith((REPLAY, PREFIX)):
        return
    found = read_checkpoint(Path(config.target), rm_type=config.rm_type)
    yield "target", f"{config.target}: {found.rm_type}, {found.why}"
    yield "weights", f"{found.parameters:,} numbers, {found.completeness.sentence}"
    if not found.scores:
        asked = asked_by(config.profile or found.profile, config.prompt)
        yield "profile", f"{asked.name}; its prompt is {asked.whose}"
        if asked.caution or found.asked_otherwise(asked):
            yield "warning", f"the prompt of profile {asked.name} is {NOT_TRAINED_ON}"
    for remark in found.remarks:
        yield "warning", remark


def capabilities(plan: ScanPlan) -> tuple[list[str], list[Missing]]:
    """Metrics that the plan can measure, and those that it cannot."""
    results, settings = _answered(plan), settings_of(plan.manifest())
    table = build_table(
        results,
        _scored(plan),
        max_reasons=plan.config.max_reasons,
        items=plan.items,
        row_facts=_facts(plan),
        row_labels=row_labels(
            plan.items, results, _labelled(plan), asked=plan.target.gives_reasons
        ),
        labeler=settings.labeler or "",
        probes=_probed(plan),
        nulls=_lists(plan),
        not_measured=not_asked(settings.measures),
        alone=settings.alone,
    )
    metrics = compute_metrics(table, resamples=RESAMPLES)
    possible = [name for name, metric in metrics.items() if metric.value is not None]
    missing = [
        Missing(
            name, metric.why, SHOWN_BOTH if metric.why == JUDGED_ALONE else REGISTRY[name].needs
        )
        for name, metric in metrics.items()
        if metric.value is None
    ]
    return possible, missing


def _answered(plan: ScanPlan) -> list[ItemResult]:
    """The plan's rows as if every second item had been answered rightly, with one reason."""
    rows: dict[str, list[RowResult]] = {item.id: [] for item in plan.items}
    refs = {item.id: (len(item.reasons), item.label) for item in plan.items}
    wrong = {item.id for item in plan.items[1::2] if item.label != "tie"}
    reasons = int(plan.target.gives_reasons)
    for key in plan.keys:
        n_refs, label = refs[key.item]
        scored = reasons and n_refs
        verdict: Verdict = label
        if key.item in wrong:
            verdict = "b" if label == "a" else "a"
        row = RowResult(
            order=key.order,
            sample=key.sample,
            outcome="tie" if label == "tie" else "ok",
            verdict=verdict,
            correct=verdict == label,
            rc=1.0 if scored else None,
            ap=1.0 if scored else None,
            n_reasons=reasons,
            n_refs=n_refs,
            flags=(),
            failure=None,
        )
        rows[key.item].append(row)
    return [
        ItemResult(item.id, item.cluster, item.domain, item.label, tuple(rows[item.id]))
        for item in plan.items
    ]


def _scored(plan: ScanPlan) -> dict[RowKey, RowScores]:
    if not plan.target.gives_reasons:
        return {}
    judged = {item.id for item in plan.items if item.reasons}
    drawn = chance_partners(plan.items, seed=plan.config.seed)
    full = RowScores(rc=1.0, ap=1.0, ap_50=1.0, ap_75=1.0, reuse=1.0)
    if plan.judge.traits.claims:
        full = replace(full, claims_false=0, claims_decided=1)
    return {
        (key.item, key.order, key.sample): replace(full, chance=0.0 if key.item in drawn else None)
        for key in plan.keys
        if key.item in judged
    }


def _lists(plan: ScanPlan) -> NullsMeasured:
    """The lists that read nothing, as if they earned nothing."""
    items = null_items(plan.items, most=plan.nulls.items)
    half_of = halves(items, seed=plan.config.seed)
    scores = dict.fromkeys(NULLS, NullScore(0.0, 0.0))
    found = {item.id: ItemNulls(half_of[item.cluster], scores) for item in items}
    return NullsMeasured(tuple(NULLS), found, plan.nulls.why)


def _facts(plan: ScanPlan) -> dict[RowKey, RowFacts]:
    """Verdicts that are sure and less sure, in words or in scores."""
    gives_reasons, panel_of = plan.target.gives_reasons, plan.panels
    sure = {item.id: 1 + place // 2 % 2 for place, item in enumerate(plan.items)}
    return {
        (key.item, key.order, key.sample): RowFacts(
            strength=sure[key.item] if gives_reasons else None,
            margin=None if gives_reasons else float(sure[key.item]),
            grounded=int(gives_reasons),
            ungrounded=0,
            unchecked=0,
            panel=key.item in panel_of,
            ceiling=1.0,
            human=1.0,
        )
        for key in plan.keys
    }


def _labelled(plan: ScanPlan) -> Iterator[LabelRow]:
    """Labels of each row, of what the labeller tests."""
    gold = {item.id for item in plan.items if item.gold_judgment is not None}
    tests = plan.labeler.traits.tests
    for key in plan.keys:
        verdict: Gold | None = "correct" if "gold" in tests and key.item in gold else None
        tested = tuple(name for name in TESTED if name in tests)
        yield LabelRow(key, LabelSet((ReasonLabel("EG"),), tested, verdict))


def _probed(plan: ScanPlan) -> dict[RowKey, ProbeFacts]:
    """The measures that apply, as if each probe of each row had come back as wished."""
    applies = {measure.name for measure in plan.measures if not measure.why}
    items = {item.id: item for item in plan.items}
    found = {}
    for key in (key for key in plan.keys if not key.sample):
        item = items[key.item]
        decided, cues = item.label != "tie", [trap.kind for trap in traps(item)]

        def said(
            measure: str, names: Iterable[str], *, label: Said = item.label
        ) -> Mapping[str, Said]:
            return dict.fromkeys(names if measure in applies else (), label)

        found[key.item, key.order, key.sample] = ProbeFacts(
            continued=said("causality", CONDITIONS if decided else ()),
            inferred=said("verdict-consistency", (BLIND,) if decided else ()),
            specified=said("specification", (GIVEN,) if decided and item.reasons else ()),
            cue=said("traps", cues),
            neutral=said("traps", cues),
        )
    return found


def cost_line(plan: ScanPlan) -> str:
    """Calls and tokens; what they take in time is measured by `probe`, never guessed."""
    return estimate(plan)


def probe(plan: ScanPlan) -> str:
    """Completes a few prompts of the plan and says what the whole would take at that speed."""
    import time

    sample = plan.requests[:PROBED]
    first = time.perf_counter()
    list(plan.target.engine.complete(sample[:1], plan.sampling))
    begun = time.perf_counter()
    done = list(plan.target.engine.complete(sample, plan.sampling))
    seconds = time.perf_counter() - begun
    plan.target.engine.close()
    failed = [generation.error for generation in done if generation.error]
    if failed:
        return f"{len(failed)} of {len(done)} probes failed: {failed[0]}"
    whole = seconds / len(sample) * len(plan.requests)
    return (
        f"{len(sample)} prompts took {seconds:.1f} s after {begun - first:.1f} s to start; "
        f"{len(plan.requests):,} take about {_duration(whole)} at that speed, less in large batches"
    )


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
