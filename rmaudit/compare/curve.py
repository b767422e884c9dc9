"""Checkpoints of one training run: accuracy and reasons over steps, and whether reasons decay.

Training on outcomes alone can keep the verdicts right while the reasons behind them get worse
(arXiv 2602.04649 saw rationale consistency fall under a reward of outcomes only).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rmaudit.compare.comparable import Barred, comparable
from rmaudit.compare.pair import ALPHA, tables_on_shared
from rmaudit.compare.read import CompareRun
from rmaudit.errors import InputError
from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.correction import holm
from rmaudit.metrics.paired import Change, compare_tables
from rmaudit.metrics.registry import shown_in
from rmaudit.metrics.table import Table
from rmaudit.records import Metric
from rmaudit.run.ordinary import reads_ordinary

MARGIN = 0.02
"""Accuracy has held where it fell by less than this, at 95% confidence."""

_STEP = re.compile(r"(?:checkpoint|ckpt|global_step|step|iter(?:ation)?)[-_ ]?(\d+)", re.IGNORECASE)

Verdict = Literal[
    "degeneration", "likely degeneration", "both fell", "no fall shown", "not measured"
]


class CurveStep(NamedTuple):
    """One checkpoint, its metrics on the items that all checkpoints have."""

    step: int
    run: CompareRun
    metrics: dict[str, Metric]


@dataclass(frozen=True, slots=True)
class CurveFinding:
    """What the curve shows of the reasons.

    Attributes:
        verdict: see `degeneration`.
        sentence: in plain words.
        since: the step that the last one is held against, None where there is none.
        rc: change of rationale consistency from there to the last step.
        p: its two-sided p-value after Holm's correction over all earlier steps.
        accuracy: change of accuracy from there to the last step.
    """

    verdict: Verdict
    sentence: str
    since: int | None = None
    rc: Change | None = None
    p: float | None = None
    accuracy: Change | None = None


@dataclass(frozen=True, slots=True)
class Curve:
    """The checkpoints in order of steps, on `items` shared items.

    left_out: of each step that has others, how many.
    """

    steps: tuple[CurveStep, ...]
    items: int
    left_out: dict[int, int]
    barred: tuple[Barred, ...]
    finding: CurveFinding

    @property
    def misses(self) -> bool:
        """Whether the judge of a checkpoint is known to miss many right reasons."""
        return any(reads_ordinary(one.run.manifest) for one in self.steps)


def step_of(run: CompareRun) -> tuple[str, int] | None:
    """The training run and the step that a target's name states (checkpoint-200), else None."""
    spec = run.manifest.target.spec
    found = list(_STEP.finditer(spec))
    if not found:
        return None
    last = found[-1]
    return spec[: last.start()] + spec[last.end() :], int(last.group(1))


def is_curve(runs: Sequence[CompareRun]) -> bool:
    """Whether the runs are three or more checkpoints of one training run, with items in common."""
    steps = [step_of(run) for run in runs]
    known = [step for step in steps if step is not None]
    return (
        len(runs) >= 3
        and len(set(known)) == len(runs)
        and len({family for family, _ in known}) == 1
        and bool(frozenset.intersection(*(run.items for run in runs)))
    )


def curve(
    runs: Sequence[CompareRun], *, seed: int = 0, resamples: int = 2000, margin: float = MARGIN
) -> Curve:
    """The curve over checkpoints, on the items that all of them have.

    Raises:
        InputError: a target's name states no step, two state the same, or no item is shared.
    """
    numbered = sorted(((_step(run), run) for run in runs), key=lambda pair: pair[0])
    steps = [step for step, _ in numbered]
    if len(set(steps)) < len(steps):
        raise InputError(
            f"two runs are of one step ({', '.join(map(str, steps))})", "give one run a checkpoint"
        )
    ordered = [run for _, run in numbered]
    ids, tables = tables_on_shared(ordered)
    if not ids:
        raise InputError("no item is the same in all runs", "scan the checkpoints on one set")
    names = shown_in("training_curve")
    barred: list[Barred] = []
    for run in ordered[1:]:
        scope = comparable(ordered[0].manifest, run.manifest, names)
        names = list(scope.names)
        barred += [one._replace(why=f"step {_step(run)}: {one.why}") for one in scope.barred]
    found = [compute_metrics(t, names=names, seed=seed, resamples=resamples) for t in tables]
    return Curve(
        steps=tuple(map(CurveStep, steps, ordered, found)),
        items=len(ids),
        left_out={
            step: more
            for step, run in zip(steps, ordered, strict=True)
            if (more := len(run.order) - len(ids))
        },
        barred=tuple(barred),
        finding=degeneration(
            dict(zip(steps, tables, strict=True)),
            names,
            seed=seed,
            resamples=resamples,
            margin=margin,
        ),
    )


def degeneration(
    tables: Mapping[int, Table],
    names: Sequence[str],
    *,
    seed: int = 0,
    resamples: int = 2000,
    margin: float = MARGIN,
) -> CurveFinding:
    """Whether the last step's reasons are worse than an earlier step's, and its verdicts are not.

    The last step is held against every earlier one, corrected after Holm, so that picking the
    best earlier step costs what it should. Of those with a fall of rationale consistency that
    holds, the one with the largest fall is told. There accuracy

        held        its lower bound (one-sided, 95%) lies above -margin       degeneration
        fell        its own two-sided p-value is below .05 and it fell        both fell
        otherwise   no fall is shown, and one beyond -margin not excluded     likely degeneration
    """
    if len(tables) < 2 or not {"accuracy", "rc"} <= set(names):
        return CurveFinding("not measured", "Rationale consistency is not compared over the steps.")
    *earlier, last = tables
    changes = {
        step: compare_tables(
            tables[step],
            tables[last],
            names=("accuracy", "rc"),
            seed=seed,
            resamples=resamples,
        )
        for step in earlier
    }
    tested = {step: found["rc"].p for step, found in changes.items()}
    known = {step: p for step, p in tested.items() if p is not None}
    if not known:
        why = changes[earlier[0]]["rc"].why
        return CurveFinding("not measured", f"Rationale consistency is not compared: {why}.")
    adjusted = dict(zip(known, holm(list(known.values())), strict=True))
    fall = {step: changes[step]["rc"].difference or 0.0 for step in known}
    fallen = [step for step in known if fall[step] < 0 and adjusted[step] < ALPHA]
    since = min(fallen or known, key=lambda step: fall[step])
    rc, accuracy = changes[since]["rc"], changes[since]["accuracy"]
    verdict: Verdict = "no fall shown"
    if fallen:
        verdict = _of_accuracy(accuracy, margin=margin)
    sentence = _sentence(verdict, since, last, rc, accuracy)
    return CurveFinding(verdict, sentence, since, rc, adjusted[since], accuracy)


def _of_accuracy(change: Change, *, margin: float) -> Verdict:
    if change.evidence is None or change.p is None:
        return "likely degeneration"
    if change.evidence.bound("lower", 0.95) > -margin:
        return "degeneration"
    fell = change.p < ALPHA and change.evidence.value < 0
    return "both fell" if fell else "likely degeneration"


def _sentence(verdict: Verdict, since: int, last: int, rc: Change, accuracy: Change) -> str:
    place = f"from step {since} to step {last}"
    fell = f"rationale consistency fell, {_points(rc)}"
    if verdict == "no fall shown":
        return f"No fall of rationale consistency is shown; {place} it changed by {_points(rc)}."
    if verdict == "both fell":
        return (
            f"Verdicts and reasons got worse: {place} {fell}, and so did accuracy, "
            f"{_points(accuracy)}."
        )
    if verdict == "degeneration":
        return (
            f"The reasons decay while the verdicts hold: {place} {fell}, while accuracy changed by "
            f"{_points(accuracy)}. Accuracy alone would not show it."
        )
    interval = accuracy.interval()
    open_ = "" if interval is None else f"a fall of up to {-100 * interval[0]:.1f} is not excluded"
    return (
        f"The reasons decay, and accuracy shows no fall: {place} {fell}, while accuracy changed by "
        f"{_points(accuracy)}; {open_ or 'it was not compared'}."
    )


def _points(change: Change) -> str:
    interval = change.interval()
    if change.difference is None or interval is None:
        return f"an unknown amount ({change.why})"
    low, high = interval
    return f"{100 * change.difference:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f})"


def _step(run: CompareRun) -> int:
    found = step_of(run)
    if found is None:
        raise InputError(
            f"the target of {run.path} states no step: {run.manifest.target.spec}",
            "a curve needs targets like .../checkpoint-200; without --curve runs are compared in "
            "pairs",
        )
    return found[1]
