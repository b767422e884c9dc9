"""Do looks decide a verdict: length and markup.

Longer and showier responses are often better, so a model that prefers them need not be biased.
Both numbers ask what looks do beyond what the label says: `length_bias` compares the model's
preference with the labels', and the regression holds the label fixed (the style control of Chatbot
Arena, applied to a model instead of a crowd).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from rmaudit.metrics.arrays import BoolArray, FloatArray, IntArray
from rmaudit.metrics.estimand import Estimand, Fill, Smooth, not_applicable, per_item
from rmaudit.metrics.features import NO_ITEMS
from rmaudit.metrics.logistic import Fit, firth
from rmaudit.metrics.outcome import has_preference
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import A, B, Table

LOOKS = ("length", "headers", "bold", "lists")
MIN_ITEMS = 50
MIN_EACH_WAY = 20
"""Items with a verdict against the label, and with one for it: with fewer, intervals of the
regression hold their level no more (85 to 90 % instead of 95 %, in simulation)."""
MIN_DIFFERENT = 10
"""Fewer pairs that differ in a look say nothing of it."""

LEAN = 0.05
"""With a smaller share of pairs whose label leans the other way, a few of them decide the value."""

ENTANGLED = "labels and looks go together too closely to tell their effects apart"


def _decisive(table: Table) -> BoolArray:
    decisive: BoolArray = np.isin(table.rows.verdict, (A, B))
    return decisive


def _length_bias(table: Table) -> Estimand:
    longer = np.sign(table.features.length[:, 0] - table.features.length[:, 1])
    if np.isnan(longer).all() and len(longer):
        return not_applicable(NO_ITEMS)
    side = np.where(longer > 0, A, B)
    among = has_preference(table) & (np.abs(longer) > 0)
    one_way = _one_way(table, table.rows.label == side, among)
    if one_way:
        return not_applicable(one_way)
    return per_item(
        table.row_units,
        1.0 * (table.rows.verdict == side) - (table.rows.label == side),
        used=among & _decisive(table),
        lost=among & ~table.rows.answered,
        why="no decisive verdict on a pair of different lengths",
        low=Fill(-1.0),
        high=Fill(1.0),
    )


def _one_way(table: Table, longer_preferred: BoolArray, among: BoolArray) -> str:
    """Why length and being right cannot be told apart on these pairs; '' where they can.

    Where the label always prefers the shorter response, picking the longer and being wrong are one
    and the same, so a difference would measure errors and an accurate model would look unbiased.
    """
    _, first = np.unique(table.rows.item[among], return_index=True)
    n, longer = len(first), int(longer_preferred[among][first].sum())
    if min(longer, n - longer) >= LEAN * n:
        return ""
    which, count = ("longer", longer) if 2 * longer > n else ("shorter", n - longer)
    return f"not identifiable: the label prefers the {which} response in {count} of {n} pairs"


class _Design(NamedTuple):
    """One line an item: x is a constant, the label (1 a, -1 b, 0 tie) and the active looks.

    picks, decisive, lost: rows that pick a, that pick at all, that were not answered.
    active: places in LOOKS of the columns of x after the second.
    """

    group: IntArray
    x: FloatArray
    picks: FloatArray
    decisive: FloatArray
    lost: FloatArray
    active: tuple[int, ...]

    @property
    def share(self) -> FloatArray:
        """Share of picks of a among decisive rows; only where there are any."""
        return self.picks / np.maximum(self.decisive, 1)

    @property
    def each_way(self) -> tuple[int, int]:
        """Items with a verdict for the label, and with one against it."""
        label, picks, others = self.x[:, 1], self.picks > 0, self.picks < self.decisive
        agrees = ((label > 0) & picks) | ((label < 0) & others)
        differs = ((label > 0) & others) | ((label < 0) & picks)
        return int(agrees.sum()), int(differs.sum())


def _design(table: Table) -> _Design:
    rows = table.rows
    _, first = np.unique(rows.item, return_index=True)
    known = ~np.isnan(table.features.length[first, 0])
    gold = (rows.label[first] == A) * 1.0 - (rows.label[first] == B)
    counts = [
        np.bincount(rows.item, weights=mask, minlength=len(first))
        for mask in (rows.verdict == A, _decisive(table), ~rows.answered)
    ]
    keep = known & (counts[1] + counts[2] > 0)
    looks = np.column_stack([_difference(getattr(table.features, name)[first]) for name in LOOKS])
    picks, decisive, lost = (count[keep] for count in counts)
    looks, used = looks[keep], decisive > 0
    active = tuple(np.flatnonzero((looks[used] != 0).sum(axis=0) >= MIN_DIFFERENT).tolist())
    spread = looks[used][:, active].std(axis=0) if used.any() else np.ones(len(active))
    x = np.column_stack(
        [np.ones(keep.sum()), gold[keep], looks[:, active] / np.where(spread > 0, spread, 1.0)]
    )
    return _Design(rows.group[first][keep], x, picks, decisive, lost, active)


def _difference(counts: FloatArray) -> FloatArray:
    """(a - b) / (a + b), 0 where both are 0."""
    total = counts.sum(axis=1)
    difference: FloatArray = (counts[:, 0] - counts[:, 1]) / np.where(total > 0, total, 1.0)
    return difference


def _regression(table: Table, *, look: str | None) -> Estimand | Smooth:
    """The coefficient of a look; without one, accuracy at equal looks."""
    if len(table.rows.item) and np.isnan(table.features.length).all():
        return not_applicable(NO_ITEMS)
    design = _design(table)
    used = design.decisive > 0
    if used.sum() < MIN_ITEMS:
        return not_applicable(
            f"needs decisive verdicts on {MIN_ITEMS} items; there are {used.sum()}"
        )
    short = min(design.each_way)
    if short < MIN_EACH_WAY:
        which = "against" if short == design.each_way[1] else "for"
        return not_applicable(
            f"needs {MIN_EACH_WAY} items with a verdict {which} the label; there are {short}"
        )
    if look is None:
        value = _accuracy_at_equal_looks
    elif LOOKS.index(look) in design.active:
        value = partial(_entry, place=2 + design.active.index(LOOKS.index(look)))
    else:
        return not_applicable(f"fewer than {MIN_DIFFERENT} pairs differ in {look}")
    fit = firth(design.x[used], design.share[used])
    if fit is None:
        return not_applicable(ENTANGLED)
    low, high = (_extreme(design, fit, value, way) for way in (-1, 1))
    return Smooth(
        group=design.group[used],
        columns=fit.columns,
        statistic=lambda sums: value(fit.refitted(sums)),
        n=int(used.sum()),
        n_excluded=int(design.lost.sum()),
        low=low,
        high=high,
        why="",
    )


def _entry(beta: FloatArray, *, place: int) -> FloatArray:
    entry: FloatArray = beta[..., place]
    return entry


def _accuracy_at_equal_looks(beta: FloatArray) -> FloatArray:
    """P(pick a | label a) and P(pick b | label b), averaged, at no difference of looks.

    `beta` [..., k]: of the constant, the label and the active looks.
    """
    accuracy: FloatArray = (
        expit(beta[..., 1] + beta[..., 0]) + expit(beta[..., 1] - beta[..., 0])
    ) / 2
    return accuracy


def _extreme(
    design: _Design, fit: Fit, value: Callable[[FloatArray], FloatArray], way: int
) -> float:
    """The value had every lost row picked the side that moves it most, to first order."""
    if not design.lost.any():
        return float(value(fit.beta))
    nudges = fit.beta + 1e-6 * np.eye(len(fit.beta))
    gradient = value(nudges) - value(fit.beta)
    chance = expit(design.x @ fit.beta)
    information = design.x.T @ ((chance * (1 - chance))[:, np.newaxis] * design.x)
    pull = way * (design.x @ np.linalg.solve(information, gradient))
    picks = design.picks + design.lost * (pull > 0)
    filled = firth(design.x, picks / (design.decisive + design.lost))
    return float("nan") if filled is None else float(value(filled.beta))


_UNBOUNDED = (-np.inf, np.inf)

_spec = partial(MetricSpec, reader=None, alike=("verdicts",), topic="Order, length and style")
_NEEDS = f"{MIN_ITEMS} items, with responses that differ in this"

METRICS = (
    _spec(
        "length_bias",
        "share",
        "zero",
        "How much more often the model picks the longer response than the label does, over "
        "decisive verdicts on pairs of different length (in characters).",
        _length_bias,
        (-1.0, 1.0),
        label="length bias",
        title="Length bias",
        format="points",
        shown={"terminal": 100},
        needs="items labelled a or b, the longer response preferred in 5 to 95 % of them",
    ),
    *(
        _spec(
            f"style.{look}",
            "score",
            "zero",
            f"What more {name} in a response add to the log odds of its being picked, label and "
            f"other looks held fixed, per standard deviation of (a - b) / (a + b); Firth's "
            "logistic regression, as in the style control of Chatbot Arena.",
            partial(_regression, look=look),
            _UNBOUNDED,
            format="log_odds",
            needs=_NEEDS,
        )
        for look, name in zip(
            LOOKS, ("characters", "headers", "bold spans", "list items"), strict=True
        )
    ),
    _spec(
        "style.accuracy_controlled",
        "share",
        "higher",
        "Accuracy of decisive verdicts between responses of equal length and markup, by the same "
        "regression: what is left where looks give nothing away.",
        partial(_regression, look=None),
        needs=_NEEDS,
    ),
)
