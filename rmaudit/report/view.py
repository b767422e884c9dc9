"""What a report shows, as plain records: the templates only place it.

Everything comes from the run directories. One run or several, each metric has a line a run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rmaudit.compare.pair import compare_pair
from rmaudit.compare.read import read_for_comparison
from rmaudit.errors import InputError
from rmaudit.metrics.findings import Findings, Untested, find
from rmaudit.metrics.harms import SPURIOUS
from rmaudit.metrics.headlines import sentence
from rmaudit.metrics.paired import Change
from rmaudit.records import Metric
from rmaudit.report.causes import CauseView, causes, items_of_causes
from rmaudit.report.data import Metrics, RunData, read_run
from rmaudit.report.evidence import EvidenceView, evidence, origin_words
from rmaudit.report.facets import CELLS
from rmaudit.report.lines import Head, LineSource, MeasureView, MetricLine, deciding, line
from rmaudit.report.links import ItemsLink
from rmaudit.report.method import Method, method, warnings
from rmaudit.report.parts import PartView, part_views
from rmaudit.report.quadrants import Quadrants, quadrants
from rmaudit.report.quality import CertificateView, JudgeQuality, certificate, quality
from rmaudit.report.repair import NAMES, RepairView
from rmaudit.report.sections import (
    Bars,
    CurveView,
    FindingView,
    Group,
    Plane,
    curves,
    everything,
    flaw_bars,
    named,
    plane,
)
from rmaudit.report.shown import BUDGET
from rmaudit.report.shows import MeasuredRun, items_of_finding
from rmaudit.report.steps import next_command
from rmaudit.report.verdict import Banner, banner, read_decision
from rmaudit.run.directory import RunDir
from rmaudit.run.manifest import RunManifest
from rmaudit.run.ordinary import ACCUSED, fair_words, reads_ordinary

DIGEST_SHOWN = 12
TIES_TOLD = 0.1
"""A share of ties above this explains an accuracy that would else look like guessing or worse."""


class FactView(NamedTuple):
    """One fact of a run for the header; `code` is a hash."""

    name: str
    text: str
    code: str = ""
    badges: tuple[str, ...] = ()


class Opening(NamedTuple):
    """How a run is introduced: its own facts, its verdict, items right for the wrong reasons."""

    head: Head
    facts: tuple[FactView, ...]
    banner: Banner
    spurious: ItemsLink


class Domain(NamedTuple):
    """One domain: (accuracy, rationale consistency) of each run that has it."""

    name: str
    lines: tuple[tuple[MetricLine, MetricLine], ...]


@dataclass(frozen=True, slots=True)
class ReportView:
    """The whole report, top to bottom.

    baseline: the name of the run that the deltas are against, '' without. gated: some run was.
    misses: the judge of some run is known to miss many right reasons.
    left_out: some row of `measures` has answers left out.
    misses: the judge of some run is known to miss many right reasons.
    """

    title: str
    facts: tuple[FactView, ...]
    runs: tuple[Opening, ...]
    warnings: tuple[str, ...]
    baseline: str
    gated: bool
    left_out: bool
    measures: tuple[MeasureView, ...]
    quadrants: tuple[Quadrants, ...]
    causes: tuple[CauseView, ...]
    findings: tuple[FindingView, ...]
    plane: Plane | None
    curves: tuple[CurveView, ...]
    flaws: tuple[Bars, ...]
    domains: tuple[Domain, ...]
    parts: tuple[PartView, ...]
    groups: tuple[Group, ...]
    evidence: EvidenceView
    with_text: bool
    misses: bool
    quality: tuple[JudgeQuality, ...]
    certificate: CertificateView
    method: Method
    repair: RepairView | None = None

    @property
    def spurious_words(self) -> str:
        """What a right verdict without a matched reason is called."""
        return fair_words(ACCUSED, misses=self.misses)


def report_view(
    runs: Sequence[RunDir],
    *,
    baseline: RunDir | None = None,
    with_text: bool = True,
    budget: int = BUDGET,
    repair: RepairView | None = None,
) -> ReportView:
    """Reads the runs and says what their report shows.

    Args:
        runs: finished runs, the one that matters first.
        baseline: what the deltas are against, on the items of both.
        with_text: False leaves out prompts, responses and answers.
        budget: bytes that the items may take.
        repair: that the two runs are before and after of.

    Raises:
        InputError: a run is unfinished or damaged.
    """
    data = [read_run(run, number=number) for number, run in enumerate(runs, start=1)]
    if repair is not None:
        data = [_named(one, name) for one, name in zip(data, NAMES, strict=True)]
    before = None if baseline is None else read_run(baseline, number=0)
    facts = [_facts(one.manifest) for one in data]
    common = tuple(fact for fact in facts[0] if all(fact in others for others in facts))
    changes, remarks = _changes(before, data)
    sources = [_source(one, before, changes[one.number]) for one in data]
    measured = {one.number: one.measured() for one in data}
    found = {
        one.number: _fair(find(known.table), one.manifest)
        for one in data
        if (known := measured[one.number]) is not None
    }
    shows = {one.head.number: _shows(one, found, measured[one.head.number]) for one in sources}
    items = evidence(data, shows=shows, with_text=with_text, budget=budget)
    openings = tuple(
        Opening(
            one.head,
            tuple(fact for fact in own if fact not in common and fact.name != "model"),
            banner(
                one.data,
                one.decision,
                says=says(one.data.metrics, misses=reads_ordinary(one.data.manifest)),
                next_=next_command(
                    one.data,
                    one.decision,
                    baseline=None if baseline is None else baseline.path,
                    worst=items.worst.get(one.head.number, ""),
                ),
            ),
            items.link(one.head.number, "cell", CELLS[True, False]),
        )
        for one, own in zip(sources, facts, strict=True)
    )
    measures = deciding(sources)
    return ReportView(
        title=f"Repair of {repair.name}"
        if repair is not None
        else " vs ".join(dict.fromkeys(one.name for one in data)),
        facts=common,
        runs=openings,
        warnings=(*warnings(data), *remarks),
        baseline="" if before is None else before.name,
        gated=any(one.decision is not None for one in sources),
        left_out=any(line.left_out for one in measures for line in one.lines),
        measures=measures,
        quadrants=tuple(quadrants(one.head, one.data) for one in sources),
        causes=tuple(
            cause._replace(link=items.link(cause.number, "shows", cause.shows))
            for cause in causes(sources)
        ),
        findings=tuple(
            one._replace(link=items.link(one.number, "shows", one.name))
            for one in named(found, sources)
        ),
        plane=plane(sources),
        curves=curves(sources),
        flaws=flaw_bars(sources),
        domains=_domains(sources),
        parts=part_views(sources),
        groups=everything(sources),
        evidence=items,
        with_text=with_text,
        misses=any(reads_ordinary(one.manifest) for one in data),
        quality=tuple(quality(one) for one in data),
        certificate=certificate(),
        method=method(data),
        repair=repair,
    )


def _shows(
    one: LineSource, found: Mapping[int, Findings], measured: MeasuredRun | None
) -> dict[str, frozenset[str]]:
    """The items that show what is said of a run, by what is said."""
    if measured is None:
        return {}
    shown = {
        finding.name: frozenset(items_of_finding(measured, finding))
        for finding in found[one.head.number].named
    }
    rules = items_of_causes(one, measured)
    return shown | {name: frozenset(ids) for name, ids in rules.items()}


def _fair(found: Findings, manifest: RunManifest) -> Findings:
    """Without the claims that judge or labeller cannot carry.

    That of wrong reasons, where the judge is known to miss many right ones; those of a flaw that
    the labeller knows too badly.
    """
    unfit = {one.key: manifest.unfit(one.metric) for one in found.tested}
    if reads_ordinary(manifest):
        unfit[SPURIOUS] = "the judge misses many right reasons on such references"
    kept = [one for one in found.tested if not unfit.get(one.key)]
    gone = [Untested(one.key, unfit[one.key]) for one in found.tested if unfit.get(one.key)]
    return Findings(kept, [*found.untested, *gone])


def _named(one: RunData, name: str) -> RunData:
    target = one.manifest.target.model_copy(update={"name": name})
    return replace(one, manifest=one.manifest.model_copy(update={"target": target}))


def _source(one: RunData, before: RunData | None, changes: Mapping[str, Change]) -> LineSource:
    head = Head(one.number, one.style, one.name, one.manifest.target.digest[:DIGEST_SHOWN])
    was: dict[str, Metric] = {} if before is None else before.metrics
    return LineSource(head, one, read_decision(one), changes, was)


def _changes(
    before: RunData | None, runs: Sequence[RunData]
) -> tuple[dict[int, dict[str, Change]], list[str]]:
    """What changed from the baseline, by run, and why nothing is said of some."""
    found: dict[int, dict[str, Change]] = {one.number: {} for one in runs}
    remarks = []
    for one in runs:
        if before is None or before.run.path == one.run.path:
            continue
        try:
            compared = compare_pair(
                read_for_comparison(before.run.path, number=1),
                read_for_comparison(one.run.path, number=2),
            )
        except InputError as error:
            remarks.append(f"No change from the baseline is shown: {error.message}.")
            continue
        found[one.number] = {key: judged.change for key, judged in compared.overall.items()}
    return found, remarks


def _judge(manifest: RunManifest) -> FactView:
    judge = manifest.judge
    if not manifest.gives_reasons:
        return FactView("judge", "none: the model gives no reasons")
    told = judge.standing.partition(" (")[0]
    badges = ["approximate"] * judge.approximate + [told] * bool(told)
    return FactView("judge", judge.spec, badges=tuple(badges))


def _facts(manifest: RunManifest) -> tuple[FactView, ...]:
    target = manifest.target
    sets = ", ".join(f"{one.name} {one.version}" for one in manifest.sets)
    day = (manifest.finished or manifest.started)[:10]
    origins = tuple(origin_words(origin) for origin in manifest.reference_origins)
    planted = ("planted model",) if target.planted else ()
    return (
        FactView("model", target.name, target.digest[:DIGEST_SHOWN], badges=planted),
        FactView("set", sets, badges=origins),
        FactView("items", f"{manifest.n_items:,}"),
        _judge(manifest),
        FactView("run", day),
    )


def says(metrics: Metrics, *, misses: bool = False) -> str:
    """What the numbers say in one sentence, also where one of them is missing.

    `misses`: the judge is known to miss many right reasons.
    """
    told = sentence(metrics, misses=misses)
    if told:
        return told
    accuracy, spurious = metrics["accuracy"], metrics["s_rc@0+"]
    if accuracy.value is None:
        return f"Whether it picks the right response cannot be said: {accuracy.why}."
    parsed = metrics["coverage.parsed"]
    if parsed.value == 0:
        return f"None of its {parsed.n:,} answers could be read, so each counts as wrong."
    half = metrics.get("accuracy.half")
    ties = 0.0 if half is None or half.value is None else 2 * (half.value - accuracy.value)
    also = f" and calls {100 * ties:.0f} % a tie" if ties > TIES_TOLD else ""
    return (
        f"It picks the right response {100 * accuracy.value:.0f} % of the time{also}; whether for "
        f"the right reasons cannot be said: {spurious.why}."
    )


def _domains(sources: Sequence[LineSource]) -> tuple[Domain, ...]:
    names = sorted({domain for one in sources for domain in one.data.slices})
    return tuple(
        Domain(
            name,
            tuple(
                (
                    line("accuracy", one.head, slice_, brief=True),
                    line("rc", one.head, slice_, brief=True),
                )
                for one in sources
                if (slice_ := one.data.slices.get(name)) is not None
            ),
        )
        for name in names
    )
