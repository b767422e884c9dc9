"""Is the model repaired: the policies' decisions, the change itself, and who judged; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rmaudit.gate.decision import EXIT_CODES, Decision, Status
from rmaudit.metrics.paired import Change
from rmaudit.metrics.registry import label_of

_WORST_FIRST: tuple[Status, ...] = ("INVALID", "FAIL", "INCONCLUSIVE", "PASS")
_WORDS: dict[Status, str] = {
    "PASS": "repaired",
    "FAIL": "not repaired",
    "INCONCLUSIVE": "not decided",
    "INVALID": "no valid evidence",
}


class Verdict(NamedTuple):
    """What became of the repair."""

    status: Status
    sentence: str

    @property
    def exit_code(self) -> int:
        """0 repaired, 3 not, 4 undecided, 5 no valid evidence."""
        return EXIT_CODES[self.status]


def conclude(
    decisions: Sequence[Decision],
    changes: Mapping[str, Change],
    *,
    strict: bool,
    judge: str,
    same_judge: bool,
) -> Verdict:
    """The verdict.

    Args:
        decisions: of the policies, on the run after with the run before as baseline.
        changes: of the metrics.
        strict: a policy wants more than the builtin judge. With the judge of training as the
            judge of the result, it is then not met beyond doubt.
        judge: of the result.
        same_judge: it also judged training.
    """
    status = next(
        status for status in _WORST_FIRST if any(one.verdict == status for one in decisions)
    )
    because = [
        f"policy {one.policy['name']}: {one.sentence.partition(': ')[2]}"
        for one in decisions
        if one.verdict == status != "PASS"
    ]
    rc = changes.get("rc")
    if status == "PASS" and (rc is None or not (rc.difference or 0.0) > 0.0):
        status, because = "FAIL", ["the reasons are no better than before"]
    if status == "PASS" and same_judge and strict:
        status, because = "INCONCLUSIVE", ["only the judge of training has seen the result"]
    told = [_WORDS[status], *because]
    numbers = [_change(label_of(key), changes[key]) for key in ("rc", "accuracy") if key in changes]
    by = f"judged by {judge}" + (", which also judged training" if same_judge else "")
    return Verdict(status, "; ".join([": ".join(told), *numbers, by]))


def _change(name: str, change: Change) -> str:
    if change.first is None or change.second is None:
        return f"{name} not measured"
    low, high = change.interval() or (float("nan"), float("nan"))
    return (
        f"{name} {100 * change.first:.1f}% to {100 * change.second:.1f}% "
        f"({100 * low:+.1f} to {100 * high:+.1f} points)"
    )
