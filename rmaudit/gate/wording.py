"""The sentences of a decision."""

from __future__ import annotations

from collections.abc import Sequence

from rmaudit.gate.decision import RuleResult, Status
from rmaudit.gate.policy import Rule
from rmaudit.metrics.formats import format_of, show, show_change

_HELD = {"min": "at least", "max": "at most", "abs": "within ±"}


def required(rule: Rule | RuleResult) -> str:
    """What a rule asks for, in words: `at least 20.0 %`, `loses at most 3.0 pt`."""
    if rule.kind != "relative":
        held = _HELD[rule.direction] + ("" if rule.direction == "abs" else " ")
        return held + show(rule.metric, rule.limit).lstrip("+")
    # A bound on the side of zero that the direction asks for is a change that has to come.
    must = rule.limit > 0 if rule.direction == "min" else rule.limit < 0
    verb = "loses" if (rule.direction == "min") is not must else "gains"
    text = points(rule.metric, abs(rule.limit)).lstrip("+")
    return f"{verb} at {'least' if must else 'most'} {text}"


def points(metric: str, difference: float) -> str:
    """A difference: in points, or plain; of log odds to the three places that margins have."""
    if format_of(metric) == "log_odds":
        return f"{difference:+.3f}"
    return show_change(metric, difference)


def measured(rule: RuleResult) -> str:
    """The number that a rule is about."""
    if rule.kind != "relative":
        return show(rule.metric, rule.value)
    return "n/a" if rule.difference is None else points(rule.metric, rule.difference)


def span(rule: RuleResult) -> str:
    """Both one-sided bounds, '' where there are none."""
    if rule.low is None or rule.high is None:
        return ""
    told = (points if rule.kind == "relative" else show)(rule.metric, rule.low)
    other = (points if rule.kind == "relative" else show)(rule.metric, rule.high)
    unit = told.rpartition(" ")[2] if " " in told else ""
    return f"{told.removesuffix(' ' + unit) if unit else told} to {other}"


def rule_sentence(rule: RuleResult) -> str:
    """What the bounds say about a rule."""
    where = f"{rule.metric} of {rule.slice}" if rule.slice else rule.metric
    number = measured(rule)
    if rule.kind == "relative":
        where += f" against the baseline ({show(rule.metric, rule.baseline)})"
    if rule.kind == "integrity":
        return f"{where} is {number}; {required(rule)} is required"
    sure = f"each bound {100 * rule.confidence:g} % sure"
    said = f"{where} is {number} ({span(rule)}, {sure}); required: {required(rule)}"
    return said if rule.status != "INCONCLUSIVE" else f"{said}; {undecided(rule)}"


def undecided(rule: RuleResult) -> str:
    """What would decide a rule."""
    if rule.further is None:
        return "undecided, and no number of further items is likely to decide it at this value"
    return f"undecided: about {rule.further:,} more would decide it, if the value stays"


def verdict_sentence(
    verdict: Status, rules: Sequence[RuleResult], problems: Sequence[str], *, lacking: str = ""
) -> str:
    """The verdict and its cause.

    Args:
        verdict: of all rules together.
        rules: decided.
        problems: why the run is no valid evidence.
        lacking: what no rule was shown to hold about, though a pass must rest on it.
    """
    waived = sum(rule.waived for rule in rules)
    ignored = sum(
        rule.level == "error" and rule.status == "INCONCLUSIVE" and rule.effect == "PASS"
        for rule in rules
        if not rule.waived
    )
    beside = [f"{waived} waived"] * bool(waived) + [f"{ignored} undecided"] * bool(ignored)
    head = f"{verdict} ({', '.join(beside)})" if beside else verdict
    if problems:
        return f"{head}: {problems[0]}"
    errors = [rule for rule in rules if rule.level == "error"]
    cause = [rule for rule in errors if rule.effect == verdict]
    one = len(cause) == 1
    if verdict == "PASS":
        held = sum(rule.status == "PASS" for rule in errors)
        return f"{head}: {held} of {len(errors)} rules hold"
    if not cause:
        return f"{head}: no rule about {lacking} is shown to hold, and a pass must rest on one"
    causes = dict.fromkeys(rule.unmeasured for rule in cause)
    if verdict == "INCONCLUSIVE" and any(causes):
        told = [
            (f"{cause_}: " if cause_ else "undecided: ")
            + _names([rule.id for rule in cause if rule.unmeasured == cause_])
            for cause_ in causes
        ]
        what = "is not shown" if one else "are not shown"
        return f"{head}: {len(cause)} of {len(errors)} rules {what} ({'; '.join(told)})"
    names = _names([rule.id for rule in cause])
    what = {
        "FAIL": "is broken" if one else "are broken",
        "INCONCLUSIVE": "is undecided" if one else "are undecided",
        "INVALID": "has no valid evidence" if one else "have no valid evidence",
    }[verdict]
    return f"{head}: {len(cause)} of {len(errors)} rules {what} ({names})"


def _names(ids: Sequence[str]) -> str:
    return ", ".join(ids[:5]) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")
