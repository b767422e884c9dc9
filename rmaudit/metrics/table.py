"""The rows of a run as columns, built once; every metric is a few numpy lines on them.

A row is one (item, order, sample). Three things are kept apart in every column: a value, a value
that does not apply (NaN, and no failure), and a value that is missing because the target did not
answer or the judge failed (NaN, and `lost` says so). Missing is not zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rmaudit.checklists.schema import Item
from rmaudit.metrics.arrays import BoolArray, FloatArray, IntArray
from rmaudit.metrics.facts import Facts, RowFacts, fact_columns, fault_kinds
from rmaudit.metrics.features import Features, families, feature_columns
from rmaudit.metrics.labels import Labels, RowLabels, label_columns
from rmaudit.metrics.null_scores import NO_NULLS, Nulls, NullsMeasured, null_columns
from rmaudit.metrics.probes import ProbeFacts, Probes, not_asked, probe_columns
from rmaudit.metrics.scores import RowKey, RowScores
from rmaudit.records import ANSWERED, ItemResult, Outcome, RowResult, Verdict

A, B, TIE, NONE = 0, 1, 2, -1
"""Codes of labels and verdicts; NONE is also the code of an order that does not apply."""

VERDICTS: dict[Verdict, int] = {"a": A, "b": B, "tie": TIE, None: NONE}
AB, BA = 0, 1
ORDERS: dict[str | None, int] = {"ab": AB, "ba": BA, None: NONE}
OUTCOMES: tuple[Outcome, ...] = (
    "ok",
    "tie",
    "unparsed",
    "truncated",
    "refused",
    "too_long",
    "filtered",
    "error",
)
FLAGS = ("conflict", "ran_on", "no_reasons", "over_max_reasons", "ambiguous_side", "copied")


class Units(NamedTuple):
    """The item and the group of each unit of observation (a row, or a pair of orders)."""

    item: IntArray
    group: IntArray


class Pairs(NamedTuple):
    """Rows of one item and sample in both orders: indices into the rows."""

    ab: IntArray
    ba: IntArray


class Rows(NamedTuple):
    """One array a column, one entry a row; `flags` is [rows, len(FLAGS)]."""

    item: IntArray
    group: IntArray
    domain: IntArray
    label: IntArray
    order: IntArray
    sample: IntArray
    outcome: IntArray
    verdict: IntArray
    answered: BoolArray
    lost: BoolArray  # the target did not answer or the judge failed: no rationale number
    n_reasons: IntArray
    n_refs: IntArray
    rc: FloatArray
    ap: FloatArray
    ap_50: FloatArray
    ap_75: FloatArray
    reuse: FloatArray
    chance: FloatArray
    chance_failed: BoolArray
    human: FloatArray  # rc by a person's scores, where a spot check covers the row
    claims_false: FloatArray
    claims_decided: FloatArray
    flags: BoolArray


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a run, or of one domain of it.

    Attributes:
        rows: the columns; `item` and `group` are numbered from 0 without gaps.
        pairs: rows that show one item and sample in both orders.
        domains: names behind the codes of `rows.domain`.
        n_groups: number of clusters, the units of resampling.
        max_reasons: length at which a list of reasons is cut.
        gives_reasons: False for a model that cannot give reasons (scores, bare verdicts):
            rationale metrics do not apply to it, rather than being 0.
        features: what the items say, beside the rows.
        facts: what the rows say beside verdict and matching.
        labels: what kinds of reasons the rows have.
        labeler: who labelled them, in a word.
        probes: what further calls said of the rows.
        nulls: what lists that judge nothing earn on the items of the rows.
        alone: each response was judged alone: there is no order in which they are shown.
        fault_kinds: names behind the columns of `facts.by_kind`.
        families: names behind the codes of `features.family`.
        not_measured: why a measure of `metrics.probes.MEASURES` has no probes, '' where it has.
    """

    rows: Rows
    pairs: Pairs
    domains: tuple[str, ...]
    n_groups: int
    max_reasons: int
    gives_reasons: bool
    features: Features
    facts: Facts
    labels: Labels
    labeler: str
    probes: Probes
    nulls: Nulls
    not_measured: Mapping[str, str]
    alone: bool = False
    fault_kinds: tuple[str, ...] = ()
    families: tuple[str, ...] = ()

    @property
    def row_units(self) -> Units:
        """Item and group of each row."""
        return Units(self.rows.item, self.rows.group)

    @property
    def pair_units(self) -> Units:
        """Item and group of each pair of orders."""
        return Units(self.rows.item[self.pairs.ab], self.rows.group[self.pairs.ab])

    def flag(self, name: str) -> BoolArray:
        """Return which rows carry the flag `name`, one of FLAGS."""
        return self.rows.flags[:, FLAGS.index(name)]

    def slice(self, domain: str) -> Table:
        """Return the table of one domain, equal to the table of a run on that domain alone."""
        return self.only(self.rows.domain == self.domains.index(domain))

    def only(self, keep: BoolArray) -> Table:
        """Return the table of some rows, equal to that of a run with them alone."""
        return _numbered(
            replace(
                self,
                rows=Rows._make(column[keep] for column in self.rows),
                features=Features._make(column[keep] for column in self.features),
                facts=Facts._make(column[keep] for column in self.facts),
                labels=Labels._make(column[keep] for column in self.labels),
                probes=Probes._make(column[keep] for column in self.probes),
                nulls=self.nulls.only(keep),
            )
        )

    def renumbered(self, item: IntArray, group: IntArray) -> Table:
        """Return the same rows with other codes of items and groups, one a row, in their order."""
        return _numbered(replace(self, rows=self.rows._replace(item=item, group=group)))


def build_table(
    results: Sequence[ItemResult],
    scores: Mapping[RowKey, RowScores] | None = None,
    *,
    max_reasons: int = 5,
    items: Iterable[Item] = (),
    row_facts: Mapping[RowKey, RowFacts] | None = None,
    row_labels: Mapping[RowKey, RowLabels] | None = None,
    labeler: str = "",
    probes: Mapping[RowKey, ProbeFacts] | None = None,
    not_measured: Mapping[str, str] | None = None,
    nulls: NullsMeasured = NO_NULLS,
    alone: bool = False,
) -> Table:
    """Turn the results of a run into columns.

    Args:
        results: the items, each with its rows. `rc` and `ap` are read here; an answer without
            readable reasons has rc 0. `n_reasons` counts the reasons after the cut.
        scores: numbers that only the matrices hold (ap at other thresholds, reuse, chance).
        max_reasons: length at which lists of reasons were cut, for `rc.length_ceiling`.
        items: the items themselves; metrics of their looks do not apply without.
        row_facts: what rows say beside verdict and matching; what it lacks does not apply.
        row_labels: the labels of each row; what it lacks was not labelled.
        labeler: who labelled them, in a word.
        probes: what further calls said of rows; what it lacks was not asked.
        not_measured: why a measure has no probes, '' where it has; default: it was not asked for.
        nulls: what lists that judge nothing earn, by item.
        alone: each response was judged alone.

    Raises:
        ValueError: an item, or an order and sample of an item, occurs twice.
    """
    pairs = [(result, row) for result in results for row in result.rows]
    keys = [(result.item, row.order, row.sample) for result, row in pairs]
    if len(set(keys)) < len(keys) or len({result.item for result in results}) < len(results):
        raise ValueError("an item, or one of its (order, sample) rows, occurs twice")
    extras = [
        _extra_scores(row, (scores or {}).get(k)) for k, (_, row) in zip(keys, pairs, strict=True)
    ]
    domains = tuple(dict.fromkeys(result.domain for result in results))
    answered = np.array([row.outcome in ANSWERED for _, row in pairs], dtype=np.bool_)
    judge_failed = np.array([_judge_failed(row) for _, row in pairs], dtype=np.bool_)
    rows = Rows(
        item=_codes(result.item for result, _ in pairs),
        group=_codes(result.group for result, _ in pairs),
        domain=_ints(domains.index(result.domain) for result, _ in pairs),
        label=_ints(VERDICTS[result.label] for result, _ in pairs),
        order=_ints(ORDERS[row.order] for _, row in pairs),
        sample=_ints(row.sample for _, row in pairs),
        outcome=_ints(OUTCOMES.index(row.outcome) for _, row in pairs),
        verdict=_ints(VERDICTS[row.verdict] for _, row in pairs),
        answered=answered,
        lost=~answered | judge_failed,
        n_reasons=_ints(row.n_reasons for _, row in pairs),
        n_refs=_ints(row.n_refs for _, row in pairs),
        rc=_floats(row.rc for _, row in pairs),
        ap=_floats(row.ap for _, row in pairs),
        ap_50=_floats(extra.ap_50 for extra in extras),
        ap_75=_floats(extra.ap_75 for extra in extras),
        reuse=_floats(extra.reuse for extra in extras),
        chance=_floats(extra.chance for extra in extras),
        chance_failed=np.array([extra.chance_failed for extra in extras], dtype=np.bool_),
        human=_floats(extra.human for extra in extras),
        claims_false=_floats(extra.claims_false for extra in extras),
        claims_decided=_floats(extra.claims_decided for extra in extras),
        flags=np.array(
            [[flag in row.flags for flag in FLAGS] for _, row in pairs], dtype=np.bool_
        ).reshape(-1, len(FLAGS)),
    )
    gives_reasons = not answered.any() or any(
        row.n_reasons > 0 or row.rc is not None or "no_reasons" in row.flags or _judge_failed(row)
        for _, row in pairs
    )
    by_id, ids = {item.id: item for item in items}, [result.item for result, _ in pairs]
    facts = [(row_facts or {}).get(k, RowFacts()) for k in keys]
    labelled, probed = row_labels or {}, probes or {}
    return _numbered(
        Table(
            rows=rows,
            pairs=Pairs(*np.zeros((2, 0), dtype=np.int64)),
            domains=domains,
            n_groups=0,
            max_reasons=max_reasons,
            gives_reasons=gives_reasons,
            features=feature_columns(by_id, ids, [result.group for result, _ in pairs]),
            facts=fact_columns(facts, codes=VERDICTS),
            labels=label_columns([labelled.get(k, RowLabels()) for k in keys]),
            labeler=labeler,
            probes=probe_columns([probed.get(k, ProbeFacts()) for k in keys], codes=VERDICTS),
            nulls=null_columns(nulls, [result.item for result, _ in pairs]),
            not_measured=not_asked({}) if not_measured is None else not_measured,
            alone=alone,
            fault_kinds=fault_kinds(facts),
            families=families(by_id[name] for name in dict.fromkeys(ids) if name in by_id),
        )
    )


def _numbered(table: Table) -> Table:
    """The table with items and groups numbered without gaps, and its pairs of orders."""
    groups, group = np.unique(table.rows.group, return_inverse=True)
    item = np.unique(table.rows.item, return_inverse=True)[1]
    rows = table.rows._replace(item=item, group=group)
    key = item * (rows.sample.max(initial=0) + 1) + rows.sample
    ab, ba = np.flatnonzero(rows.order == AB), np.flatnonzero(rows.order == BA)
    _, first, second = np.intersect1d(key[ab], key[ba], assume_unique=True, return_indices=True)
    return replace(table, rows=rows, pairs=Pairs(ab[first], ba[second]), n_groups=len(groups))


def _extra_scores(row: RowResult, scores: RowScores | None) -> RowScores:
    scores = scores or RowScores()
    if row.rc is not None and row.n_reasons == 0:  # no reason can match, whether judged or not
        return replace(scores, ap_50=0.0, ap_75=0.0, reuse=0.0, claims_false=0, claims_decided=0)
    return scores


def _judge_failed(row: RowResult) -> bool:
    return row.failure is not None and row.failure.startswith("judge:")


def _codes(names: Iterable[str]) -> IntArray:
    code: dict[str, int] = {}
    return _ints(code.setdefault(name, len(code)) for name in names)


def _ints(values: Iterable[int]) -> IntArray:
    return np.fromiter(values, dtype=np.int64)


def _floats(values: Iterable[float | None]) -> FloatArray:
    return np.fromiter((np.nan if v is None else v for v in values), dtype=np.float64)
