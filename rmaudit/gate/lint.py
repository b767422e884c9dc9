"""Policies that can be read and still are not what was meant; some of them are not applied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rmaudit.errors import InputError
from rmaudit.gate.policy import Policy, Rule, load_policy


def load_applicable(spec: str) -> Policy:
    """A policy by its name or file that a run may be held against.

    Raises:
        InputError: there is none, it cannot be applied, or it cannot refuse.
    """
    policy = load_policy(spec)
    check_applicable(policy)
    return policy


def check_applicable(policy: Policy) -> None:
    """Refuses a policy whose pass would say nothing.

    Raises:
        InputError: a rule of level error can never block, or no rule is about the model's reasons
            or its verdicts.
    """
    faults = [*_cannot_refuse(policy)]
    if faults:
        place, what = faults[0]
        more = f" ({len(faults) - 1} more: rmaudit policy lint)" if len(faults) > 1 else ""
        raise InputError(
            f"{place}: {what}; a policy that cannot refuse is not applied{more}",
            f"see: rmaudit policy lint {policy.file}",
        )


def summary(policy: Policy) -> str:
    """The policy in one line."""
    errors = sum(rule.level == "error" for rule in policy.rules)
    open_ = sum(not rule.validated for rule in policy.rules)
    relative = sum(rule.kind == "relative" for rule in policy.rules)
    return (
        f"{policy.file}: {policy.name}, {len(policy.rules)} rules ({errors} can refuse, {relative} "
        f"against a baseline, {open_} not validated)"
    )


def findings(policy: Policy) -> Iterator[str]:
    """What is wrong with a policy that can be read; one line each."""
    seen: dict[tuple[object, ...], str] = {}
    for place, what in _cannot_refuse(policy, levels=("error", "warn")):
        yield f"{place}: {what}"
    for rule, line in zip(policy.rules, policy.lines, strict=True):
        place = _place(policy, rule, line)
        if rule.direction == {"higher": "max", "lower": "min"}.get(rule.spec.better):
            what = f"direction {rule.direction}, but {rule.metric} is better when"
            yield f"{place}: {what} {rule.spec.better}"
        about = rule.metric, rule.slice, rule.kind, rule.direction, rule.level
        if about in seen:
            yield f"{place}: asks for the same thing as '{seen[about]}'"
        seen[about] = rule.id


def _cannot_refuse(policy: Policy, levels: Sequence[str] = ("error",)) -> Iterator[tuple[str, str]]:
    """Place and words of each reason why a pass of the policy would say nothing."""
    for rule, line in zip(policy.rules, policy.lines, strict=True):
        if rule.never_refuses and rule.level in levels:
            about = f"a change of {rule.metric}" if rule.kind == "relative" else rule.metric
            what = f"it can never block: {about} is never beyond {rule.limit:g}"
            yield _place(policy, rule, line), what
    if not policy.subject:
        yield (
            policy.file,
            "no rule of level error bounds the model's reasons, or its verdicts, on their better "
            "side",
        )


def _place(policy: Policy, rule: Rule, line: int) -> str:
    return f"{policy.file}, line {line}, rule '{rule.id}'"


def remarks(policy: Policy) -> Iterator[str]:
    """What could be better, though nothing is wrong."""
    silent = [rule.id for rule in policy.rules if not rule.why]
    if silent:
        yield f"no 'why', one sentence on where the threshold comes from: {', '.join(silent)}"
    lax = [rule.id for rule in policy.rules if rule.kind == "integrity" and rule.level == "warn"]
    if lax:
        yield f"integrity rules of level warn let broken evidence through: {', '.join(lax)}"
    if not any(rule.kind == "integrity" for rule in policy.rules):
        yield "no integrity rule: a run that mostly failed can pass on what is left of it"
    about = {rule.subject for rule in policy.rules if rule.level == "warn"}
    if policy.subject == "outcome" and "reasons" in about:
        yield "rules about reasons are of level warn: a pass rests on verdicts alone"
