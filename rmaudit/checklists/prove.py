"""Executes the checks of a set: every reason proved on the faulty and on the mended response."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rmaudit.checklists.checks import Check, run_checks
from rmaudit.checklists.schema import Item, Reason


class Expectation(NamedTuple):
    """Whether a text should meet a check, and what is wrong where it does not hold."""

    reason: str
    check: Check
    text: str
    wanted: bool
    problem: str


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
    """Runs every check, on the response named by `about` and on each edit of it.

    A repair must pass what it fixes and still fail the other faults of its response; a control
    must fail the same checks as the response that it edits.
    """
    without = 0
    unrepaired: list[str] = []
    expectations: list[Expectation] = []
    checked: set[str] = set()
    for item in items:
        for reason in item.reasons:
            name = f"{item.id}/{reason.id}"
            if reason.check is None:
                without += 1
                continue
            checked.add(name)
            expectations += _expectations(item, reason, name)
            if not any(reason.id in repair.fixes for repair in item.repairs or ()):
                unrepaired.append(f"{name}: no repair fixes it")
    met = run_checks([(one.check, one.text) for one in expectations])
    wrong: defaultdict[str, list[str]] = defaultdict(list)
    for one, holds in zip(expectations, met, strict=True):
        if holds is not one.wanted:
            wrong[one.reason].append(f"{one.reason}: {one.problem}")
    failures = [*unrepaired, *(problem for problems in wrong.values() for problem in problems)]
    failed = {failure.split(":")[0] for failure in failures}
    return Proof(len(checked - failed), without, tuple(failures))


def _expectations(item: Item, reason: Reason, name: str) -> Iterator[Expectation]:
    check, side = reason.check, reason.about
    if check is None or (side != "a" and side != "b"):  # the schema allows no other check
        return
    problem = "the response meets the requirement that it should break"
    yield Expectation(name, check, item.response(side), False, problem)
    for repair in item.repairs or ():
        if repair.response == side:
            fixes = reason.id in repair.fixes
            problem = f"the repair of {', '.join(repair.fixes)} {'fails' if fixes else 'mends'} it"
            yield Expectation(name, check, repair.text, fixes, problem)
    for control in item.controls or ():
        if control.response == side:
            problem = f"the control '{control.kind}' mends it"
            yield Expectation(name, check, control.text, False, problem)
