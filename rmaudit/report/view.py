"""What a report shows, as plain records: the templates only place it.

Everything comes from the run directories. One run or several, each metric has a line a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rmaudit.records import Metric
from rmaudit.report.data import Metrics, RunData, read_run
from rmaudit.report.evidence import MAX_ITEMS, Evidence, evidence, origin_words
from rmaudit.report.method import Method, method, warnings
from rmaudit.report.plot import Plot, plot
from rmaudit.rundir import RunDir
from rmaudit.summary import headline, label, sentence, show, summary_line

GLOSSES = {
    "accuracy": "verdicts equal to the reference label",
    "accuracy_both_orders": "whichever response is shown first",
    "rc": "reference reasons that it gives, one to one",
    "rc.above_chance": "beyond what reasons for any item would earn",
    "s_rc@0+": "right verdicts without one matched reason",
    "ap": "0 to 1: whether matched reasons come first",
    "order_consistency": "pairs of answers with one verdict in both orders",
    "first_position_bias": "share for the one shown first, minus 50 %",
    "category.EG": "they quote, count, name or place what can be looked up",
    "coverage.parsed": "answers that state one clear verdict",
}
COUNTED = {
    "order_consistency": "pairs",
    "first_position_bias": "verdicts",
    "coverage.parsed": "answers",
}
DIGEST_SHOWN = 12


class Fact(NamedTuple):
    """One fact of a run for the header; `code` is a hash."""

    name: str
    text: str
    code: str = ""
    badges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """A run as it is named all over the report; `style` is its shape and colour, from 1."""

    number: int
    style: int
    name: str
    digest: str
    facts: tuple[Fact, ...]
    says: str


class Line(NamedTuple):
    """One metric of one run.

    `left_out` counts what failed; `notes` say what the number alone would hide.
    """

    run: Head
    value: str
    interval: str
    n: str
    left_out: str
    notes: tuple[str, ...]
    plot: Plot | None


class Measure(NamedTuple):
    """One metric over the runs; `nested` marks one that refines the metric before it."""

    key: str
    label: str
    gloss: str
    nested: bool
    lines: tuple[Line, ...]


class Cell(NamedTuple):
    """Rows in one corner of the 2x2, and their share of all four."""

    rows: str
    share: str


class Quadrants(NamedTuple):
    """Answers by verdict and reasons, over (item, order, sample) rows.

    `why` says why there are none. `note` counts the rows that are in no cell.
    """

    run: Head
    right_matched: Cell
    right_unmatched: Cell
    wrong_matched: Cell
    wrong_unmatched: Cell
    note: str
    why: str


class Domain(NamedTuple):
    """One domain: (accuracy, rationale consistency) of each run that has it."""

    name: str
    lines: tuple[tuple[Line, Line], ...]


@dataclass(frozen=True, slots=True)
class ReportView:
    """The whole report, top to bottom."""

    title: str
    facts: tuple[Fact, ...]
    runs: tuple[Head, ...]
    warnings: tuple[str, ...]
    measures: tuple[Measure, ...]
    quadrants: tuple[Quadrants, ...]
    domains: tuple[Domain, ...]
    evidence: Evidence
    method: Method


def report_view(runs: Sequence[RunDir], *, max_items: int = MAX_ITEMS) -> ReportView:
    """Reads the runs and says what their report shows.

    Raises:
        InputError: a run is unfinished or damaged.
    """
    data = [read_run(run, number=number) for number, run in enumerate(runs, start=1)]
    facts = [_facts(one.manifest) for one in data]
    common = tuple(fact for fact in facts[0] if all(fact in others for others in facts))
    heads = [
        Head(
            number=one.number,
            style=one.style,
            name=one.name,
            digest=one.manifest["target"]["digest"][:DIGEST_SHOWN],
            facts=tuple(fact for fact in own if fact not in common and fact.name != "model"),
            says=sentence(one.metrics) or _silence(one.metrics),
        )
        for one, own in zip(data, facts, strict=True)
    ]
    named = list(zip(heads, data, strict=True))
    return ReportView(
        title=" vs ".join(dict.fromkeys(one.name for one in data)),
        facts=common,
        runs=tuple(heads),
        warnings=warnings(data),
        measures=tuple(_measure(key, named) for key in headline(*(one.metrics for one in data))),
        quadrants=tuple(_quadrants(head, one) for head, one in named),
        domains=_domains(named),
        evidence=evidence(data, max_items=max_items),
        method=method(data),
    )


def _facts(manifest: dict[str, Any]) -> tuple[Fact, ...]:
    target, judge = manifest["target"], manifest["judge"]
    sets = ", ".join(f"{one['name']} {one['version']}" for one in manifest["sets"])
    day = (manifest["finished"] or manifest["started"])[:10]
    origins = tuple(origin_words(origin) for origin in manifest["reference_origins"])
    return (
        Fact("model", target["name"], target["digest"][:DIGEST_SHOWN]),
        Fact("set", sets, badges=origins),
        Fact("items", f"{manifest['n_items']:,}"),
        Fact("judge", judge["spec"], badges=("approximate",) if judge.get("approximate") else ()),
        Fact("run", day),
    )


def _silence(metrics: Metrics) -> str:
    """What can be said where the sentence of both numbers cannot."""
    accuracy, spurious = metrics["accuracy"], metrics["s_rc@0+"]
    if accuracy.value is None:
        return f"Whether it picks the right response cannot be said: {accuracy.why}."
    return (
        f"It picks the right response {100 * accuracy.value:.0f} % of the time; whether for the "
        f"right reasons cannot be said: {spurious.why}."
    )


def _why(metric: Metric) -> str:
    return f"{'not measured' if metric.n_excluded else 'not applicable'}: {metric.why}"


def _measure(key: str, named: Sequence[tuple[Head, RunData]]) -> Measure:
    name = label(key)
    return Measure(
        key=key,
        label=name.strip().capitalize(),
        gloss=GLOSSES.get(key, "the most frequent flaw, share of all reasons"),
        nested=name.startswith(" "),
        lines=tuple(_line(key, head, one.metrics) for head, one in named),
    )


def _line(key: str, head: Head, metrics: Metrics, *, brief: bool = False) -> Line:
    metric = metrics[key]
    shown = summary_line(key, metrics)
    counted = COUNTED.get(key, "items")
    chance = metrics["rc.chance"].value if key == "rc" else None
    notes = []
    if metric.value is None:
        notes.append(_why(metric))
    if chance is not None and not brief:
        notes.append(_together(f"chance {show('rc', chance)}"))
    if metric.n_excluded and metric.value is not None:
        notes.append(_together(f"worst {show(key, metric.worst)}"))
        notes.append(_together(f"best {show(key, metric.best)}"))
    return Line(
        run=head,
        value=shown.value,
        interval=shown.interval,
        n=f"{shown.n} {counted.removesuffix('s') if metric.n == 1 else counted}",
        left_out=f"{metric.n_excluded:,} left out" if metric.n_excluded else "",
        notes=tuple(notes),
        plot=plot(key, metric, chance=chance),
    )


def _together(text: str) -> str:
    """Text that no line break parts."""
    return text.replace(" ", "\u00a0")


def _quadrants(head: Head, one: RunData) -> Quadrants:
    rows = [(result.label, row) for result in one.results.values() for row in result.rows]
    among = [row for label, row in rows if label != "tie" and row.n_refs]
    counted = [(row.correct, row.rc > 0) for row in among if row.rc is not None]
    why = _why(one.metrics["f_rc@0+"]) if one.metrics["f_rc@0+"].value is None else ""

    def cell(*kind: bool) -> Cell:
        count = counted.count((kind[0], kind[1]))
        return Cell(f"{count:,}", show("rc", count / len(counted)) if counted else "")

    answers = "answer" if len(counted) == 1 else "answers"
    notes = [f"{len(counted):,} {answers}, one for each item, order and sample"]
    if len(among) > len(counted):
        lost = len(among) - len(counted)
        notes.append(f"{lost:,} left out, since the model did not answer or the judge failed")
    if len(rows) > len(among):
        rest = len(rows) - len(among)
        notes.append(f"{rest:,} on items that are labelled a tie or have no reference reasons")
    return Quadrants(
        head,
        right_matched=cell(True, True),
        right_unmatched=cell(True, False),
        wrong_matched=cell(False, True),
        wrong_unmatched=cell(False, False),
        note="; ".join(notes),
        why=why,
    )


def _domains(named: Sequence[tuple[Head, RunData]]) -> tuple[Domain, ...]:
    names = sorted({domain for _, one in named for domain in one.slices})
    return tuple(
        Domain(
            name,
            tuple(
                (
                    _line("accuracy", head, slice_, brief=True),
                    _line("rc", head, slice_, brief=True),
                )
                for head, one in named
                if (slice_ := one.slices.get(name)) is not None
            ),
        )
        for name in names
    )
