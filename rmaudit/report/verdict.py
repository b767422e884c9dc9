"""The verdict of a run as the page opens with it: the gate's decision, read from gate.json."""

from __future__ import annotations

from typing import NamedTuple

from rmaudit.gate.decision import Decision, RuleResult, Status
from rmaudit.gate.wording import required
from rmaudit.report.data import RunData

SHAPES: dict[str, str] = {"PASS": "●", "FAIL": "▲", "INCONCLUSIVE": "◆", "INVALID": "✕", "": "○"}
WORDS: dict[str, str] = {
    "PASS": "Pass",
    "FAIL": "Fail",
    "INCONCLUSIVE": "Inconclusive",
    "INVALID": "Invalid evidence",
    "": "Not gated",
}
NEXT: dict[str, str] = {
    "FAIL": "rmaudit fix RUN --train SET",
    "INCONCLUSIVE": "rmaudit scan with more items",
    "INVALID": "rmaudit scan again",
    "": "rmaudit gate RUN --policy release",
}


class Cause(NamedTuple):
    """A rule that does not hold, as a sentence; `waived` says who let it pass."""

    rule: str
    status: Status
    text: str
    why: str
    waived: str


class Banner(NamedTuple):
    """The verdict: shape and word, its sentence, what it rests on, and what to do next."""

    status: str
    shape: str
    word: str
    sentence: str
    policy: str
    next: str
    causes: tuple[Cause, ...]
    notes: tuple[str, ...]


def banner(one: RunData, decision: Decision | None, *, says: str) -> Banner:
    """The verdict of one run.

    Args:
        one: the run.
        decision: of its gate, None where it was not gated.
        says: what the numbers say, in one sentence.
    """
    if not one.integrity.sound:
        return _of_unsound(one)
    if one.recorded.void:
        return _of_void(one, says)
    status = "" if decision is None else decision.verdict
    told = says
    if decision is not None and decision.problems:
        told = decision.sentence
    return Banner(
        status=status,
        shape=SHAPES[status],
        word=WORDS[status],
        sentence=told,
        policy="" if decision is None else f"{decision.policy['name']}: {decision.sentence}",
        next=NEXT.get(status, ""),
        causes=() if decision is None else tuple(map(_cause, _not_holding(decision))),
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
        policy="",
        next=NEXT["INVALID"],
        causes=(),
        notes=found.problems,
    )


def _of_void(one: RunData, says: str) -> Banner:
    """A decision that no longer holds is no verdict."""
    return Banner(
        status="",
        shape=SHAPES[""],
        word="Decision void",
        sentence=says,
        policy=f"no decision holds: {one.recorded.void}",
        next=NEXT[""],
        causes=(),
        notes=(),
    )


def _not_holding(decision: Decision) -> list[RuleResult]:
    worst = {"INVALID": 0, "FAIL": 1, "INCONCLUSIVE": 2, "PASS": 3}
    rules = [rule for rule in decision.rules if rule.status != "PASS"]
    return sorted(rules, key=lambda rule: (rule.effect == "PASS", worst[rule.status]))


def _cause(rule: RuleResult) -> Cause:
    waived = ""
    if rule.waived and rule.waiver is not None:
        waived = f"waived by {rule.waiver.owner} until {rule.waiver.expires}: {rule.waiver.reason}"
    elif rule.effect == "PASS":
        waived = "does not block"
    return Cause(rule.id, rule.status, rule.sentence, rule.why, waived)


def rule_for(decision: Decision | None, metric: str) -> RuleResult | None:
    """The rule that speaks of a metric as a whole; an absolute one if there is one."""
    if decision is None:
        return None
    rules = [rule for rule in decision.rules if rule.metric == metric and rule.slice is None]
    rules.sort(key=lambda rule: (rule.kind != "absolute", rule.level != "error"))
    return rules[0] if rules else None


def limit_words(rule: RuleResult) -> str:
    """What a rule asks for, short: `≥ 20.0 %`."""
    signs = {
        "at least ": "≥ ",
        "at most ": "≤ ",
        "within ±": "± ",
        "loses at most ": "≥ −",
        "gains at most ": "≤ +",
        "moves by at most ": "± ",
    }
    text = required(rule)
    return next(
        (sign + text.removeprefix(word) for word, sign in signs.items() if text.startswith(word)),
        text,
    )


def read_decision(one: RunData) -> Decision | None:
    """The decision in the run directory; None where there is none, or it is void."""
    return one.recorded.decision
