"""Executes the checks of a set: every reason proved on the faulty and on the mended response."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rmaudit.checklists.checks import run_check
from rmaudit.checklists.schema import Item, Reason, Repair


@dataclass(frozen=True, slots=True)
class Proof:
    """How many reasons are proved, how many carry no check, and which checks do not hold."""

    proved: int
    without_check: int
    failures: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """The counts in words."""
        text = f"{self.proved} reasons proved: the faulty response fails, the mended one passes"
        if self.without_check:
            text += f"; {self.without_check} without a check"
        return text if not self.failures else f"{text}; {len(self.failures)} do not hold"


def prove(items: Iterable[Item]) -> Proof:
    """Runs every check, on the response named by `about` and on each repair of the reason.

    A repair must pass what it fixes and still fail the other faults of its response; a control
    must fail the same checks as the response that it edits.
    """
    proved, without, failures = 0, 0, []
    for item in items:
        for reason in item.reasons:
            if reason.check is None or reason.about not in ("a", "b"):
                without += 1
                continue
            wrong = _problems(item, reason)
            failures += [f"{item.id}/{reason.id}: {problem}" for problem in wrong]
            proved += not wrong
    return Proof(proved, without, tuple(failures))


def _problems(item: Item, reason: Reason) -> list[str]:
    check, side = reason.check, reason.about
    if check is None or (side != "a" and side != "b"):
        return []
    problems = []
    if run_check(check, item.response(side)):
        problems.append("the response meets the requirement that it should break")
    repairs = [repair for repair in item.repairs or () if repair.response == side]
    if not any(reason.id in repair.fixes for repair in repairs):
        problems.append("no repair fixes it")
    problems += [
        f"repair of {', '.join(repair.fixes)} {'still fails' if wanted else 'also mends'} it"
        for repair, wanted in ((repair, _fixes(repair, reason)) for repair in repairs)
        if run_check(check, repair.text) is not wanted
    ]
    problems += [
        f"the control '{control.kind}' mends it"
        for control in item.controls or ()
        if control.response == side and run_check(check, control.text)
    ]
    return problems


def _fixes(repair: Repair, reason: Reason) -> bool:
    return reason.id in repair.fixes
