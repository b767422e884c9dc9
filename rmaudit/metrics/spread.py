"""Reward spread: do the answers of one policy to one prompt get different rewards at all.

Training on rewards learns from their differences within a prompt. A model that is right about every
pair and says so in equal numbers leaves nothing to learn from (arXiv 2503.15477): there the spread
predicts what a policy gains better than accuracy does, and their product best.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from rmaudit.metrics.arrays import BoolArray, FloatArray
from rmaudit.metrics.candidates import Pool, candidates
from rmaudit.metrics.confidence import item_weights
from rmaudit.metrics.estimand import Estimand, Fill, Smooth, not_applicable, per_item, pooled
from rmaudit.metrics.features import NONE as NO_CODE
from rmaudit.metrics.outcome import has_preference, right
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.stability import preferences
from rmaudit.metrics.stats import ratio
from rmaudit.metrics.table import Table, Units
from rmaudit.taxonomy import NOT_ASKED

NO_ROLLOUTS = f"{NOT_ASKED}no prompt has several candidates"
ALL_EQUAL = "all rewards are equal, over all prompts"
NO_LABELS = "no pair of candidates is labelled a or b"
NOT_ALL_PAIRS = "in no prompt was each candidate compared with each"
ONE_TEXT = "no prompt has two different candidates"
FLAT = "in no prompt do both reward and this differ"

Sums = FloatArray


def _units(found: Pool) -> Units:
    return Units(np.arange(len(found.group)), found.group)


def _sums(found: Pool) -> FloatArray:
    """[tuples, 4]: answers, their rewards less the mean of all, squares, squares within."""
    ok = ~np.isnan(found.reward)
    copies = np.where(ok, found.copies, 0.0)
    reward = np.where(ok, found.reward, 0.0)
    middle = np.average(reward, weights=copies) if copies.any() else 0.0
    reward = np.where(ok, reward - middle, 0.0)
    n, first, second = (found.per_tuple(copies * reward**power) for power in (0, 1, 2))
    mean = first / np.maximum(n, 1)
    apart = found.per_tuple(copies * np.where(ok, reward - mean[found.tuple_], 0.0) ** 2)
    return np.column_stack([n, first, second, apart])


def _won(found: Pool) -> FloatArray:
    """The same of a model that compares pairs, whose rewards have no level of a prompt.

    Within prompts they vary most where the model ranks k candidates strictly: then the sum of
    squares is k (k + 1) / (3 (k - 1)). That stands in the place of the total.
    """
    k = found.size
    strict = np.where(k > 1, k * (k + 1) / (3 * np.maximum(k - 1, 1)), 0.0)
    within = found.per_tuple(np.nan_to_num(found.reward) ** 2)
    return np.column_stack([k, np.zeros_like(k), strict, within])


def _apart(found: Pool) -> tuple[FloatArray, BoolArray, BoolArray]:
    """Sums by tuple, which of them count, and which should and do not."""
    if found.scored:
        return _sums(found), found.known, ~found.known
    k = found.size
    every = found.compared == k * (k - 1) / 2
    return _won(found), every & found.known, ~found.known


def _share_within(sums: FloatArray) -> FloatArray:
    n, first, second, within = np.moveaxis(sums[..., :4], -1, 0)
    total = second - first**2 / np.maximum(n, 1)
    # What is left of a total of nothing is rounding: squares of numbers less their mean.
    some = total > 1e-12 * np.maximum(second, 1e-300)
    share: FloatArray = np.divide(within, total, out=np.full(n.shape, np.nan), where=some)
    return np.minimum(share, 1.0)


def _spread(table: Table) -> Estimand | Smooth:
    found = candidates(table)
    if found is None:
        return not_applicable(NO_ROLLOUTS)
    sums, known, missing = _apart(found)
    columns, lost = sums[known], int(missing.sum())
    value = float(_share_within(columns.sum(axis=0)))
    return Smooth(
        group=found.group[known],
        columns=columns,
        statistic=_share_within,
        n=int(known.sum()),
        n_excluded=lost,
        low=0.0 if lost else value,
        high=1.0 if lost else value,
        why=ALL_EQUAL if known.any() else NOT_ALL_PAIRS,
    )


def _spread_and_accuracy(table: Table) -> Estimand | Smooth:
    """Both of the same tuples: the rows of the pairs stand below the sums of the tuples."""
    found = candidates(table)
    if found is None:
        return not_applicable(NO_ROLLOUTS)
    among = has_preference(table) & (table.features.tuple_ != NO_CODE)
    if not among.any():
        return not_applicable(NO_LABELS)
    sums, known, missing = _apart(found)
    used = among & table.rows.answered
    weight = item_weights(table.rows.item, used)[used]
    pairs = np.column_stack([weight * right(table)[used], weight])
    spread = sums[known]
    columns = np.zeros((len(spread) + len(pairs), 6))
    columns[: len(spread), :4] = spread
    columns[len(spread) :, 4:] = pairs
    lost = int(missing.sum()) + int((among & ~table.rows.answered).sum())
    value = float(_times_accuracy(columns.sum(axis=0)))
    return Smooth(
        group=np.concatenate([found.group[known], table.rows.group[used]]),
        columns=columns,
        statistic=_times_accuracy,
        n=int(known.sum()),
        n_excluded=lost,
        low=0.0 if lost else value,
        high=1.0 if lost else value,
        why=ALL_EQUAL if known.any() else NOT_ALL_PAIRS,
    )


def _times_accuracy(sums: FloatArray) -> FloatArray:
    weight = sums[..., 5]
    accuracy = np.divide(sums[..., 4], weight, out=np.full(weight.shape, np.nan), where=weight > 0)
    product: FloatArray = _share_within(sums) * accuracy
    return product


def _dead(table: Table) -> Estimand:
    found = candidates(table)
    if found is None:
        return not_applicable(NO_ROLLOUTS)
    known = found.known
    return pooled(_units(found), _range(found) == 0, used=known, lost=~known, why=NO_ROLLOUTS)


def _range(found: Pool) -> FloatArray:
    """Greatest less least reward of each tuple, 0 where one is not known."""
    high = np.full(len(found.group), -np.inf)
    low = np.full(len(found.group), np.inf)
    np.maximum.at(high, found.tuple_, np.nan_to_num(found.reward))
    np.minimum.at(low, found.tuple_, np.nan_to_num(found.reward))
    spread: FloatArray = high - low
    return spread


def _deviation(table: Table) -> Estimand | Smooth:
    found = candidates(table)
    if found is None:
        return not_applicable(NO_ROLLOUTS)
    sums, known = _sums(found)[found.known], found.known
    deviation = np.sqrt(sums[:, 3] / np.maximum(sums[:, 0], 1))
    value = float(deviation.mean()) if known.any() else float("nan")
    some_lost = not known.all()
    return Smooth(
        group=found.group[known],
        columns=np.column_stack([deviation, np.ones(len(deviation))]),
        statistic=ratio,
        n=int(known.sum()),
        n_excluded=int((~known).sum()),
        low=0.0 if some_lost else value,
        high=float("nan") if some_lost else value,  # a score can lie anywhere
        why=NO_ROLLOUTS,
    )


def _ties(table: Table) -> Estimand:
    """Pairs of different candidates that the model does not tell apart, a mean over prompts."""
    found = candidates(table)
    if found is None:
        return not_applicable(NO_ROLLOUTS)
    tied, pairs, known = _equal_scores(found) if found.scored else _undecided(table, found)
    return per_item(
        _units(found),
        tied / np.maximum(pairs, 1),
        used=known & (pairs > 0),
        lost=~known,
        why=ONE_TEXT,
    )


def _equal_scores(found: Pool) -> tuple[FloatArray, FloatArray, BoolArray]:
    """By tuple: pairs with equal scores, all pairs, and whether all scores are known."""
    n = found.size
    _, level, count = np.unique(
        np.column_stack([found.tuple_, np.nan_to_num(found.reward)]),
        axis=0,
        return_inverse=True,
        return_counts=True,
    )
    # Each candidate counts the others of its level; a pair is counted from both of its ends.
    tied = found.per_tuple((count[level.ravel()] - 1) / 2)
    return tied, n * (n - 1) / 2, found.known


def _undecided(table: Table, found: Pool) -> tuple[FloatArray, FloatArray, BoolArray]:
    """By tuple: compared pairs without a winner, all compared pairs, and whether all are known."""
    codes = np.unique(table.features.candidate[table.features.tuple_ != NO_CODE])
    tied, pairs = np.zeros((2, len(found.group)))
    known = found.known
    for (first, _), one in preferences(table).items():
        place = found.tuple_[np.searchsorted(codes, first)]
        pairs[place] += 1
        tied[place] += one.votes == 0
        known[place] &= one.answered
    return tied, pairs, known


def _correlation(table: Table, *, look: str) -> Estimand:
    """Pearson's, of reward and look within each prompt; a mean over prompts where both differ."""
    found = candidates(table)
    if found is None:
        return not_applicable(NO_ROLLOUTS)
    known = found.known
    x, y = (_centred(found, column) for column in (getattr(found, look), found.reward))
    xx, yy, xy = (found.per_tuple(found.copies * product) for product in (x * x, y * y, x * y))
    used = known & (xx > 0) & (_range(found) > 0) & ~np.isnan(xx)
    return per_item(
        _units(found),
        np.divide(xy, np.sqrt(xx * yy), out=np.zeros_like(xy), where=used),
        used=used,
        lost=~known,
        why=FLAT,
        low=Fill(-1.0),
    )


def _centred(found: Pool, values: FloatArray) -> FloatArray:
    """Less the mean of the tuple."""
    values = np.nan_to_num(values)
    mean = found.per_tuple(found.copies * values) / np.maximum(found.per_tuple(found.copies), 1)
    centred: FloatArray = values - mean[found.tuple_]
    return centred


_spec = partial(
    MetricSpec,
    reader=None,
    alike=("verdicts", "items"),
    topic="Reward spread (over answers of one policy)",
    counted="prompts",
    needs="--rollouts FILE, or a set with tuples of candidates",
    since=8,
)

METRICS = (
    _spec(
        "reward_spread",
        "share",
        "higher",
        "Variance of rewards within prompts over their total variance, each answer counted once: "
        "0 where all answers to a prompt get the same, near 1 where prompts do not differ. Of a "
        "model that compares pairs: variance of wins less losses over that of a strict ranking.",
        _spread,
        label="reward spread within prompts",
        title="Reward spread",
        gloss="variance of rewards within prompts over all variance",
        phrase="reward spread",
        format="plain",
        shown={"terminal": 26, "report": 26},
        limits=(
            "A wide spread says that a policy can learn from the rewards, not that what it learns "
            "is wanted: see accuracy beside it.",
        ),
    ),
    _spec(
        "reward_spread.dead",
        "share",
        "lower",
        "Share of prompts all of whose answers get the same reward: no gradient comes of them in "
        "training that compares the answers of a prompt.",
        _dead,
        label="prompts without any spread",
        inset=True,
        shown={"terminal": 27},
    ),
    _spec(
        "reward_spread.ties",
        "share",
        "lower",
        "Share of pairs of different answers to a prompt that the model does not tell apart (equal "
        "scores, or as many verdicts for one as for the other), a mean over prompts.",
        _ties,
    ),
    _spec(
        "reward_spread.sd",
        "score",
        "none",
        "Standard deviation of the rewards of a prompt's answers, a mean over prompts, on the "
        "model's own scale.",
        _deviation,
        (0.0, float("inf")),
        format="plain",
    ),
    _spec(
        "reward_spread.accuracy",
        "score",
        "higher",
        "reward_spread times accuracy on the labelled pairs of the same prompts.",
        _spread_and_accuracy,
        format="plain",
        needs="--rollouts FILE with labels, or a set with tuples of candidates",
    ),
    *(
        _spec(
            f"reward_spread.{look}",
            "score",
            "zero",
            f"Correlation of reward and {words} among the answers to a prompt, a mean over the "
            "prompts where both differ.",
            partial(_correlation, look=look),
            (-1.0, 1.0),
            format="plain",
        )
        for look, words in (
            ("length", "length in characters"),
            ("markup", "markup (headers, bold spans, list items)"),
        )
    ),
)
