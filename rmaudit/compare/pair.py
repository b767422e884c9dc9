"""Two runs: which items they share, and what changed on them, with corrected p-values and words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from rmaudit.compare.comparable import Comparable, comparable
from rmaudit.compare.read import CompareRun
from rmaudit.errors import InputError
from rmaudit.metrics.correction import benjamini_hochberg, holm
from rmaudit.metrics.paired import Change, align, compare_tables
from rmaudit.metrics.registry import REGISTRY, shown_in
from rmaudit.metrics.table import ORDERS, Table
from rmaudit.run.ordinary import reads_ordinary

ALPHA = 0.05

Word = Literal["better", "worse", "changed", "no difference shown", "not compared"]


class Judged(NamedTuple):
    """A change with its corrected p-value and what is said of it.

    `adjusted` is Holm's p-value of a claim, or the q-value of an exploratory metric.
    """

    change: Change
    adjusted: float | None
    claim: bool
    word: Word


@dataclass(frozen=True, slots=True)
class SharedItems:
    """Which items two runs have in common.

    Attributes:
        ids: items with the same content in both.
        only_first: items of the first run alone.
        only_second: items of the second run alone.
        differing: items of the same id but other content, left out.
        orders: orders that are compared, where one run has more than the other; else empty.
    """

    ids: tuple[str, ...]
    only_first: int
    only_second: int
    differing: int
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PairComparison:
    """The second run against the first."""

    first: CompareRun
    second: CompareRun
    shared: SharedItems
    scope: Comparable
    overall: dict[str, Judged]
    slices: dict[str, dict[str, Judged]]

    @property
    def misses(self) -> bool:
        """Whether the judge of a run is known to miss many right reasons."""
        return any(reads_ordinary(run.manifest) for run in (self.first, self.second))

    @property
    def claims(self) -> int:
        """How many p-values Holm's correction is over."""
        every = [self.overall, *self.slices.values()]
        return sum(j.claim and j.change.p is not None for found in every for j in found.values())


def compare_pair(
    first: CompareRun, second: CompareRun, *, seed: int = 0, resamples: int = 2000
) -> PairComparison:
    """Compares two runs on the items that both have.

    Raises:
        InputError: they share no item, or the second repeats the first.
    """
    if second.repeats(first):
        raise InputError(
            f"{second.path} repeats {first.path}: the same answers of the same model",
            "give runs of two models; judges are compared by: rmaudit judge check",
        )
    shared, one, two = shared_tables(first, second)
    if not shared.ids:
        raise InputError(
            f"no item is the same in {first.path} and {second.path}",
            "compare runs of one checklist set",
        )
    scope = comparable(first.manifest, second.manifest, REGISTRY)
    if second.same_answers(first):
        same = "both runs give the same answers, word for word"
        scope = scope._replace(notes=(*scope.notes, same))
    changes = compare_tables(one, two, names=scope.names, seed=seed, resamples=resamples)
    domains = sorted({one.domains[code] for code in np.unique(one.rows.domain)})
    sliced = headline(scope.names)
    slices = {
        domain: compare_tables(
            one.slice(domain), two.slice(domain), names=sliced, seed=seed, resamples=resamples
        )
        for domain in domains
        if len(domains) > 1
    }
    overall, by_domain = judge_changes(changes, slices)
    return PairComparison(first, second, shared, scope, overall, by_domain)


def shared_tables(first: CompareRun, second: CompareRun) -> tuple[SharedItems, Table, Table]:
    """The items that both runs have, and both tables on them."""
    ids, (one, two) = tables_on_shared([first, second])
    one, two, orders = _same_orders(one, two)
    both = len(set(first.order) & set(second.order))
    shared = SharedItems(
        ids=ids,
        only_first=len(first.order) - both,
        only_second=len(second.order) - both,
        differing=both - len(ids),
        orders=orders,
    )
    return shared, one, two


def tables_on_shared(runs: Sequence[CompareRun]) -> tuple[tuple[str, ...], list[Table]]:
    """Items with the same content in all runs, and the runs' tables on them."""
    codes = [{name: code for code, name in enumerate(run.order)} for run in runs]
    ids = tuple(
        name
        for name in runs[0].order
        if all(
            name in own and run.content[name] == runs[0].content[name]
            for run, own in zip(runs, codes, strict=True)
        )
    )
    clusters = runs[0].clusters
    number = {cluster: code for code, cluster in enumerate(dict.fromkeys(clusters[i] for i in ids))}
    tables = align(
        [run.table for run in runs],
        [[own[name] for own in codes] for name in ids],
        [number[clusters[name]] for name in ids],
    )
    return ids, tables


def _same_orders(one: Table, two: Table) -> tuple[Table, Table, tuple[str, ...]]:
    """Both tables in the orders that both have; a run in one order is not held against two."""
    kept = np.intersect1d(one.rows.order, two.rows.order)
    if not len(kept) or all(np.isin(t.rows.order, kept).all() for t in (one, two)):
        return one, two, ()
    names = tuple(name for name, code in ORDERS.items() if name and code in kept)
    return one.only(np.isin(one.rows.order, kept)), two.only(np.isin(two.rows.order, kept)), names


def judge_changes(
    overall: Mapping[str, Change], slices: Mapping[str, Mapping[str, Change]]
) -> tuple[dict[str, Judged], dict[str, dict[str, Judged]]]:
    """Corrects the p-values and says better, worse or neither.

    Holm over the claims, overall and by domain together; Benjamini and Hochberg over the rest.
    """
    every = {("", name): change for name, change in overall.items()} | {
        (domain, name): change for domain, found in slices.items() for name, change in found.items()
    }
    tested = {key: change.p for key, change in every.items() if change.p is not None}
    of_run, of_domain = set(shown_in("claims")), set(shown_in("core"))
    claims = [key for key in tested if key[1] in (of_domain if key[0] else of_run)]
    rest = [key for key in tested if key not in set(claims)]
    adjusted = dict(zip(claims, holm([tested[key] for key in claims]), strict=True)) | dict(
        zip(rest, benjamini_hochberg([tested[key] for key in rest]), strict=True)
    )
    own = set(claims)
    judged = {
        key: Judged(change, adjusted.get(key), key in own, word_of(change, adjusted.get(key)))
        for key, change in every.items()
    }
    by_domain = {
        domain: {name: judged[domain, name] for name in found} for domain, found in slices.items()
    }
    return {name: judged["", name] for name in overall}, by_domain


def word_of(change: Change, adjusted: float | None, *, alpha: float = ALPHA) -> Word:
    """What is said of a change: only a corrected p-value below `alpha` gives it a direction."""
    difference = change.difference
    if difference is None or adjusted is None:
        return "not compared"
    if adjusted >= alpha or difference == 0:
        return "no difference shown"
    better = REGISTRY[change.key].better
    if better == "none":
        return "changed"
    falls = better == "lower" or change.size
    return "better" if (difference < 0) == falls else "worse"


def headline(found: Iterable[str]) -> list[str]:
    """The claims among some metrics, in their order.

    A claim is a metric in which a release can do harm: its change is corrected after Holm.
    """
    known = set(found)
    return [name for name in shown_in("claims") if name in known]
