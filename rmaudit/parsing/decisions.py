"""Verdicts that do not come from our reading of an answer: recorded decisions, and scores.

Recorded decisions can replace our reading (`with_decision`) or be held against it (`difference`).
The scores of a score-only model decide by size (`by_score`). All in item coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from rmaudit.records import ANSWERED, Judgment, Key, Outcome, Verdict


def with_decision(judgment: Judgment, decision: Verdict) -> Judgment:
    """The judgment with its verdict as recorded; its reasons stay those that we read.

    A null decision on an answer is `unparsed`: who recorded it could not read the answer.
    """
    if decision is None and judgment.outcome not in ANSWERED:
        return judgment
    if decision == judgment.verdict and decision is not None:
        return judgment
    return replace(judgment, verdict=decision, outcome=_OUTCOMES[decision], strength=None)


_OUTCOMES: dict[Verdict, Outcome] = {"a": "ok", "b": "ok", "tie": "tie", None: "unparsed"}


def by_score(a: float, b: float, *, lower_is_better: bool = False) -> Judgment:
    """The verdict of two scores: the larger one wins, or the lower; equal scores are a tie.

    JudgeBench counts equal scores as `B>A`, so that the response shown second wins; that is no
    preference of the model, and is not followed.
    """
    if a == b:
        return Judgment("tie", "tie")
    return Judgment("a" if (a > b) != lower_is_better else "b", "ok")


class Difference(NamedTuple):
    """A recorded decision that differs from our verdict.

    `stated` are the verdicts as they stand in the answer, in the coordinates shown; `why` says how
    the two readings come apart.
    """

    key: Key
    judgment: Judgment
    recorded: Verdict
    stated: tuple[str, ...]
    why: str


def difference(
    key: Key, judgment: Judgment, recorded: Verdict, *, stated: Sequence[str] | None
) -> Difference | None:
    """What differs between our verdict and the recorded one, None where they agree.

    `stated` are the verdicts that stand in the answer, None where it is a pair of scores.
    """
    if judgment.verdict == recorded:
        return None
    forms = tuple(dict.fromkeys(stated or ()))
    why = _why_scores(judgment) if stated is None else _why(judgment, recorded, forms)
    return Difference(key, judgment, recorded, forms, why)


def _why_scores(judgment: Judgment) -> str:
    if judgment.verdict == "tie":
        return "equal scores are a tie; the file counts them for one side"
    return "the file decides against its own scores"


def _why(judgment: Judgment, recorded: Verdict, forms: Sequence[str]) -> str:
    if recorded is None and len(forms) > 1:
        which = "the first complete one" if "ran_on" in judgment.flags else "the one that counts"
        return f"the answer states several verdicts; recorded as none, read as {which}"
    if recorded is None:
        return "recorded as none, though the answer states a verdict"
    if judgment.verdict is None and "conflict" in judgment.flags:
        return "recorded, but the answer states verdicts that differ"
    if judgment.verdict is None:
        return f"recorded, but the answer is {judgment.outcome} here"
    return "the two readings pick different verdicts"
