"""The whole of `rmaudit compare`: runs in, pairs, curve and rank agreement out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rmaudit.compare.curve import MARGIN, Curve, curve, is_curve
from rmaudit.compare.pair import PairComparison, compare_pair
from rmaudit.compare.ranks import Agreement, rank_agreement
from rmaudit.compare.read import CompareRun, read_for_comparison
from rmaudit.errors import InputError


class LeftOut(NamedTuple):
    """A run that does not count, and why."""

    run: CompareRun
    why: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What several runs say together.

    Attributes:
        runs: those compared, in the order given.
        repeats: (left out, of which run it repeats the answers).
        pairs: of each set, every later run against the first; empty where there is a curve.
        left_out: runs that are compared with no other, each with why.
        curve: the checkpoints of one training run, else None.
        ranks: agreement of sets over models; empty below three models or two sets.
        unranked: runs that do not count there, each with why.
    """

    runs: tuple[CompareRun, ...]
    repeats: tuple[tuple[CompareRun, CompareRun], ...]
    pairs: tuple[PairComparison, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    curve: Curve | None = None
    ranks: tuple[Agreement, ...] = ()
    unranked: tuple[LeftOut, ...] = ()


def compare(
    paths: Sequence[Path],
    *,
    as_curve: bool = False,
    margin: float = MARGIN,
    seed: int = 0,
    resamples: int = 2000,
) -> Comparison:
    """Compares finished runs, matched by their items, whatever their sets are called.

    Two runs are a pair. Checkpoints of one training run, found by the steps in their targets' names
    or asked for, are a curve. Any others are pairs, each against the first run that has items of
    theirs, with the rank agreement of the sets. What is left out of any of it is named.

    Raises:
        InputError: fewer than two runs, or nothing in them can be compared.
    """
    if len(paths) < 2:
        raise InputError("one run has nothing to be compared with", "rmaudit compare RUN RUN ...")
    read = [read_for_comparison(path, number=n) for n, path in enumerate(paths, start=1)]
    if len(read) == 2 and not as_curve:
        pair = compare_pair(*read, seed=seed, resamples=resamples)
        return Comparison(tuple(read), (), (pair,))
    runs, repeats = _without_repeats(read)
    if len(runs) < 2:
        raise InputError(
            f"all runs repeat {runs[0].path}: the same answers of the same model",
            "give runs of several models",
        )
    if as_curve or is_curve(runs):
        found = curve(runs, seed=seed, resamples=resamples, margin=margin)
        return Comparison(tuple(runs), tuple(repeats), curve=found)
    pairs, alone = [], []
    for first, others in _by_items(runs):
        pairs += [compare_pair(first, one, seed=seed, resamples=resamples) for one in others]
        alone += [] if others else [first]
    ranks, unranked = rank_agreement(runs)
    if not pairs:
        raise InputError(
            "no two of the runs are of one set: no item is the same in any two of them",
            "scan the models on the same set",
        )
    return Comparison(
        runs=tuple(runs),
        repeats=tuple(repeats),
        pairs=tuple(pairs),
        left_out=tuple(LeftOut(run, _why_alone(run, runs)) for run in alone),
        ranks=tuple(ranks),
        unranked=tuple(LeftOut(run, why) for run, why in unranked) if ranks else (),
    )


def _without_repeats(
    runs: Sequence[CompareRun],
) -> tuple[list[CompareRun], list[tuple[CompareRun, CompareRun]]]:
    kept: list[CompareRun] = []
    repeats = []
    for run in runs:
        before = next((one for one in kept if run.repeats(one)), None)
        if before is None:
            kept.append(run)
        else:
            repeats.append((run, before))
    return kept, repeats


def _by_items(runs: Sequence[CompareRun]) -> list[tuple[CompareRun, list[CompareRun]]]:
    """Runs that lead, each with the later ones that have items of its own; a run stands once."""
    groups: list[tuple[CompareRun, list[CompareRun]]] = []
    for run in runs:
        items = run.items
        others = next(
            (others for first, others in groups if not items.isdisjoint(first.items)), None
        )
        if others is None:
            groups.append((run, []))
        else:
            others.append(run)
    return groups


def _why_alone(run: CompareRun, runs: Sequence[CompareRun]) -> str:
    near = [one for one in runs if one is not run and not run.items.isdisjoint(one.items)]
    if near:
        return (
            f"it has no item of the runs that lead here, but some of {near[0].path}: compare the "
            "two by themselves"
        )
    return f"none of its {len(run.order):,} items is in another run"
