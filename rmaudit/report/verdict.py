"""The verdict of a run as the page opens with it: the gate's decision, read from gate.json."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from rmaudit.gate.decision import Decision, RuleResult, Status
from rmaudit.report.asks import SHAPES, STATUS_WORDS, AskedRule, asked, in_words
from rmaudit.report.data import RunData
from rmaudit.report.steps import scan_again
from rmaudit.run.ordinary import reads_ordinary

WORDS: dict[str, str] = {
    "PASS": "Pass",
    "FAIL": "Fail",
    "INCONCLUSIVE": "Inconclusive",
    "INVALID": "Invalid evidence",
    "": "Not gated",
}
CONSEQUENCES: dict[str, str] = {
    "PASS": "It meets this policy; that says nothing of what the policy does not ask.",
    "FAIL": "Do not use it as an RLHF reward.",
    "INCONCLUSIVE": "Do not use it as an RLHF reward until this is decided.",
    "INVALID": "This run is no evidence for using it as an RLHF reward.",
    "": "No policy was applied, so nothing here clears it as an RLHF reward.",
}


class Banner(NamedTuple):
    """The verdict: shape and word, what the numbers say, what follows, and what to do next.

    policy: which, when and against what. tally: how many of its rules hold. rules: in the order of
    the policy. notes: what the decision says beside.
    """

    status: str
    shape: str
    word: str
    sentence: str
    consequence: str
    policy: str
    tally: str
    next: str
    rules: tuple[AskedRule, ...]
    notes: tuple[str, ...]


def banner(one: RunData, decision: Decision | None, *, says: str, next_: str) -> Banner:
    """The verdict of one run.

    Args:
        one: the run.
        decision: of its gate, None where it was not gated.
        says: what the numbers say, in one sentence.
        next_: the command that comes next.
    """
    if not one.integrity.sound:
        return _of_unsound(one)
    if one.recorded.void:
        return _of_void(one, says=says, next_=next_)
    status = "" if decision is None else decision.verdict
    invalid = "" if decision is None else _no_evidence(decision)
    told = f"{invalid[0].upper()}{invalid[1:]}." if invalid else says
    return Banner(
        status=status,
        shape=SHAPES[status],
        word=WORDS[status],
        sentence=told,
        consequence=CONSEQUENCES[status],
        policy="" if decision is None else _policy(decision),
        tally="" if decision is None else _tally(decision),
        next=next_,
        rules=()
        if decision is None
        else tuple(asked(rule, misses=reads_ordinary(one.manifest)) for rule in decision.rules),
        notes=()
        if decision is None
        else (*decision.problems, *decision.notes, *one.recorded.notes),
    )


def _of_unsound(one: RunData) -> Banner:
    """Of a run that is no evidence, no number and no decision opens the page."""
    found = one.integrity
    return Banner(
        status="INVALID",
        shape=SHAPES["INVALID"],
        word=f"{found.word.capitalize()} run",
        sentence=f"{found.line(one.run)}. No number below is evidence, and no decision holds.",
        consequence=CONSEQUENCES["INVALID"],
        policy="",
        tally="",
        next=scan_again(one.manifest),
        rules=(),
        notes=found.problems,
    )


def _of_void(one: RunData, *, says: str, next_: str) -> Banner:
    """A decision that no longer holds is no verdict."""
    return Banner(
        status="",
        shape=SHAPES[""],
        word="Decision void",
        sentence=says,
        consequence="The decision is void, so nothing here clears it as an RLHF reward.",
        policy="No decision holds",
        tally=one.recorded.void,
        next=next_,
        rules=(),
        notes=(),
    )


def _no_evidence(decision: Decision) -> str:
    """Why a run is no valid evidence, '' where it is."""
    if decision.verdict != "INVALID":
        return ""
    causes = [*decision.problems, *(r.sentence for r in decision.rules if r.effect == "INVALID")]
    return in_words(causes[0]) if causes else ""


def _policy(decision: Decision) -> str:
    """Which policy, when it was applied, and against which baseline."""
    told = f"Policy {decision.policy['name']}, decided {decision.decided}"
    if decision.baseline is not None:
        name = decision.baseline.get("target", {}).get("name", "")
        told += f" against the baseline {name}" if name else " against a baseline"
    return told


def _tally(decision: Decision) -> str:
    """`2 of 9 rules are broken, 1 is undecided`."""
    rules = decision.rules
    counts = {status: sum(rule.status == status for rule in rules) for status in STATUS_WORDS}
    if counts["PASS"] == len(rules):
        return "its one rule holds" if len(rules) == 1 else f"all {len(rules)} rules hold"
    words: dict[Status, str] = {
        "INVALID": "without valid evidence",
        "FAIL": "broken",
        "INCONCLUSIVE": "undecided",
    }
    parts = [f"{counts[status]} {word}" for status, word in words.items() if counts[status]]
    return f"of {len(rules)} rules {', '.join(parts)}, {counts['PASS']} held"


def rules_for(decision: Decision | None, metrics: Container[str]) -> list[RuleResult]:
    """The rules that speak of these metrics over the whole run, in the order of the policy."""
    rules = () if decision is None else decision.rules
    return [rule for rule in rules if rule.slice is None and rule.metric in metrics]


def read_decision(one: RunData) -> Decision | None:
    """The decision in the run directory; None where there is none, or it is void."""
    return one.recorded.decision
