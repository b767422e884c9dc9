"""Which items show what is said of a run: for each named finding and each rule that does not hold.

A metric that is a ratio of sums over items is a weighted mean of the items' own values. So where it
lies beyond a bar, some item does: those are the items that show it. A coefficient of a regression
is no such mean; there the items show it on which the model is misled by the look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from rmaudit.gate.decision import RuleResult
from rmaudit.metrics.arrays import BoolArray
from rmaudit.metrics.estimand import Smooth
from rmaudit.metrics.findings import Finding
from rmaudit.metrics.harms import CLAIMS, Beyond
from rmaudit.metrics.outcome import right
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.style import LOOKS
from rmaudit.metrics.table import A, B, Table

Harmful = Literal["above", "below"]
ROUNDING = 1e-12


class MeasuredRun(NamedTuple):
    """The table of a run, and the items behind its codes."""

    ids: tuple[str, ...]
    table: Table


def items_of_finding(measured: MeasuredRun, finding: Finding) -> tuple[str, ...]:
    """The items beyond the bar of a finding, in the order of the run."""
    harms: Mapping[str, Beyond] = {claim.key: claim.tests[0].harm for claim in CLAIMS}
    harm = harms[finding.key]
    bar = finding.bar
    if harm == "outside":
        harm, bar = ("above", bar) if finding.value > 0 else ("below", -bar)
    return items_beyond(measured, finding.metric, harm, bar)


def items_of_rule(measured: MeasuredRun, rule: RuleResult) -> tuple[str, ...]:
    """The items on which a rule that does not hold is missed, in the order of the run.

    Those of a relative rule lie beyond what the baseline's value allows.
    """
    if rule.metric not in REGISTRY or rule.value is None:
        return ()
    limit = rule.limit
    if rule.kind == "relative":
        if rule.baseline is None:
            return ()
        limit = rule.baseline + rule.limit
        if rule.direction == "abs":
            limit = rule.baseline
    harm: Harmful = "below" if rule.direction == "min" else "above"
    if rule.direction == "abs":
        harm = "above" if rule.value > 0 else "below"
        limit = limit if rule.kind == "relative" or harm == "above" else -limit
    table = measured.table
    if rule.slice is not None:
        if rule.slice not in table.domains:
            return ()
        keep = table.rows.domain == table.domains.index(rule.slice)
        measured = MeasuredRun(_of_rows(measured.ids, table, keep), table.only(keep))
    return items_beyond(measured, rule.metric, harm, limit)


def items_beyond(measured: MeasuredRun, metric: str, harm: Harmful, bar: float) -> tuple[str, ...]:
    """The items whose own value of a metric is above or below a bar."""
    table = measured.table
    if not len(table.rows.item):
        return ()
    look = metric.removeprefix("style.")
    if look in LOOKS and look != metric:
        shown = _misled(table, look, harm)
        return tuple(name for name, shows in zip(measured.ids, shown, strict=True) if shows)
    # Every item its own cluster: the sums of a cluster are then those of an item.
    found = REGISTRY[metric].estimand(table.renumbered(table.rows.item, table.rows.item))
    if isinstance(found, Smooth):
        return ()
    num, den = found.group_sums(len(measured.ids)).T
    beyond = num - (bar - found.shift) * den
    shown = beyond > ROUNDING if harm == "above" else beyond < -ROUNDING
    return tuple(name for name, shows in zip(measured.ids, shown, strict=True) if shows)


def _misled(table: Table, look: str, harm: Harmful) -> BoolArray:
    """Items with a wrong verdict for the response that has more (or less) of a look."""
    columns = getattr(table.features, look)
    more = columns[:, 0] - columns[:, 1]
    if harm == "below":
        more = -more
    verdict = table.rows.verdict
    picks = ((verdict == A) & (more > 0)) | ((verdict == B) & (more < 0))
    wrong = picks & ~right(table)
    shown = np.zeros(table.rows.item.max(initial=-1) + 1, dtype=np.bool_)
    shown[table.rows.item[wrong if wrong.any() else picks]] = True
    return shown


def _of_rows(ids: Sequence[str], table: Table, keep: BoolArray) -> tuple[str, ...]:
    return tuple(ids[code] for code in np.unique(table.rows.item[keep]))
