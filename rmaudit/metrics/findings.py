"""What a run shows, by name: claims of harm that hold after correction for testing many.

A claim says that a metric lies beyond its material bar. It is named a finding where the data
refute "not beyond the bar" after Holm's correction over all claims that the run can test. So a
named finding is both significant and large enough to matter; what is not named is not thereby
shown to be harmless. Nothing here renders.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rmaudit.metrics.bounds import evidence
from rmaudit.metrics.correction import holm
from rmaudit.metrics.evidence import Evidence, p_value_outside
from rmaudit.metrics.formats import format_of
from rmaudit.metrics.harms import CLAIMS, Harm, Test
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.table import Table

ALPHA = 0.05
CONFIDENCE = 0.95
RESAMPLES = 4000
"""So many that the smallest p-value of a bootstrap passes Holm's correction over all claims."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A tested claim of harm.

    Attributes:
        key: of the claim.
        name: the defect in plain words.
        metric: the metric that it is read from, with its `value`.
        bound: the one-sided 95% bound on the harmless side: the value is at least (or at most) so.
        bar: the material bar of the metric.
        p: one-sided, against "not beyond the bar"; the largest of the claim's conditions.
        p_holm: after Holm's correction over all claims tested.
        named: whether it is claimed.
        sentence: what a reader is told.
        bar_from: where the bar comes from.
        validated: whether the bar was held against what a model does downstream.
    """

    key: str
    name: str
    metric: str
    value: float
    bound: float
    bar: float
    p: float
    p_holm: float
    named: bool
    sentence: str
    bar_from: str
    validated: bool


class Untested(NamedTuple):
    """A claim that the run says nothing about."""

    key: str
    why: str


class Findings(NamedTuple):
    """All claims: tested, named ones first and then by p; and those that could not be tested."""

    tested: list[Finding]
    untested: list[Untested]

    @property
    def named(self) -> list[Finding]:
        """The findings of the run."""
        return [finding for finding in self.tested if finding.named]


def find(table: Table, *, seed: int = 0) -> Findings:
    """Tests every claim on the rows of a run.

    Args:
        table: the run, or one domain of it.
        seed: of the bootstrap.
    """
    metrics = [test.metric for claim in CLAIMS for test in claim.tests]
    known = [name for name in dict.fromkeys(metrics) if name in REGISTRY]
    found = evidence(table, known, seed=seed, resamples=RESAMPLES)
    testable: list[Harm] = []
    untested = []
    for claim in CLAIMS:
        missing = [test.metric for test in claim.tests if found.get(test.metric) is None]
        if missing:
            untested.append(Untested(claim.key, f"{missing[0]} has no value"))
        else:
            testable.append(claim)
    p_values = [max(_p(test, found) for test in claim.tests) for claim in testable]
    tested = [
        _finding(claim, found, p, p_holm)
        for claim, p, p_holm in zip(testable, p_values, holm(p_values), strict=True)
    ]
    tested.sort(key=lambda finding: (not finding.named, finding.p_holm, finding.p))
    return Findings(tested, untested)


def _known(test: Test, found: dict[str, Evidence | None]) -> Evidence:
    known = found[test.metric]
    assert known is not None
    return known


def _p(test: Test, found: dict[str, Evidence | None]) -> float:
    known = _known(test, found)
    if test.harm == "outside":
        return p_value_outside(known, test.bar)
    return known.p_value(test.bar, "greater" if test.harm == "above" else "less")


def _finding(claim: Harm, found: dict[str, Evidence | None], p: float, p_holm: float) -> Finding:
    first = claim.tests[0]
    known = _known(first, found)
    high = first.harm == "above" or (first.harm == "outside" and known.value > 0)
    bound = known.bound("lower" if high else "upper", CONFIDENCE)
    show = _percent if format_of(first.metric) in ("percent", "points") else _number
    signed = first.harm == "outside"
    sentence = claim.sentence.format(
        value=show(known.value, signed=signed),
        bound=f"at {'least' if high else 'most'} {show(bound, signed=signed)}",
        bar=show(first.bar),
        **{f"value{n}": _percent(_known(t, found).value) for n, t in enumerate(claim.tests)},
    )
    return Finding(
        key=claim.key,
        name=claim.name,
        metric=first.metric,
        value=known.value,
        bound=bound,
        bar=first.bar,
        p=p,
        p_holm=p_holm,
        named=p_holm <= ALPHA,
        sentence=sentence,
        bar_from=claim.bar_from,
        validated=claim.validated,
    )


def _percent(value: float, *, signed: bool = False) -> str:
    return f"{100 * value:+.0f}%" if signed else f"{100 * value:.0f}%"


def _number(value: float, *, signed: bool = False) -> str:
    return f"{value:+.2f}" if signed else f"{value:.2f}"
