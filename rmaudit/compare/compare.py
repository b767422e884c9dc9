"""The whole of `rmaudit compare`: runs in, pairs, curve and rank agreement out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rmaudit.compare.curve import MARGIN, Curve, curve, is_curve
from rmaudit.compare.pair import PairComparison, compare_pair
from rmaudit.compare.ranks import Agreement, rank_agreement
from rmaudit.compare.read import CompareRun, read_for_comparison
from rmaudit.errors import InputError


@dataclass(frozen=True, slots=True)
class Comparison:
    """What several runs say together.

    Attributes:
        runs: those compared, in the order given.
        repeats: (left out, of which run it repeats the answers).
        pairs: of each set, every later run against the first; empty where there is a curve.
        curve: the checkpoints of one training run, else None.
        ranks: agreement of sets over models; empty below three models or two sets.
    """

    runs: tuple[CompareRun, ...]
    repeats: tuple[tuple[CompareRun, CompareRun], ...]
    pairs: tuple[PairComparison, ...]
    curve: Curve | None
    ranks: tuple[Agreement, ...]


def compare(
    paths: Sequence[Path],
    *,
    as_curve: bool = False,
    margin: float = MARGIN,
    seed: int = 0,
    resamples: int = 2000,
) -> Comparison:
    """Compares finished runs.

    Two runs of one set are a pair. Checkpoints of one training run, found by the steps in their
    targets' names or asked for, are a curve. Any others are pairs against the first run of their
    set, with the rank agreement of the sets.

    Raises:
        InputError: fewer than two runs, or nothing in them can be compared.
    """
    if len(paths) < 2:
        raise InputError("one run has nothing to be compared with", "rmaudit compare RUN RUN ...")
    read = [read_for_comparison(path, number=n) for n, path in enumerate(paths, start=1)]
    if len(read) == 2 and not as_curve:
        pair = compare_pair(*read, seed=seed, resamples=resamples)
        return Comparison(tuple(read), (), (pair,), None, ())
    runs, repeats = _without_repeats(read)
    if len(runs) < 2:
        raise InputError(
            f"all runs repeat {runs[0].path}: the same answers of the same model",
            "give runs of several models",
        )
    if as_curve or is_curve(runs):
        found = curve(runs, seed=seed, resamples=resamples, margin=margin)
        return Comparison(tuple(runs), tuple(repeats), (), found, ())
    pairs = []
    for first, others in _by_set(runs):
        pairs += [compare_pair(first, one, seed=seed, resamples=resamples) for one in others]
    ranks = rank_agreement(runs)
    if not pairs and not ranks:
        raise InputError("no two of the runs are of one set", "scan the models on the same set")
    return Comparison(tuple(runs), tuple(repeats), tuple(pairs), None, tuple(ranks))


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


def _by_set(runs: Sequence[CompareRun]) -> list[tuple[CompareRun, list[CompareRun]]]:
    """Each set's first run, and the later ones of the set."""
    sets: dict[str, list[CompareRun]] = {}
    for run in runs:
        sets.setdefault(run.sets, []).append(run)
    return [(own[0], own[1:]) for own in sets.values()]
