"""Rules that can be applied and still are not what was meant."""

from __future__ import annotations

from collections.abc import Iterator

from rmaudit.gate.policy import Policy, Rule


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
    """What is wrong with a policy that can be applied; one line each."""
    seen: dict[tuple[object, ...], str] = {}
    for rule, line in zip(policy.rules, policy.lines, strict=True):
        place = f"{policy.file}, line {line}, rule '{rule.id}': "
        for what in _findings(rule):
            yield place + what
        about = rule.metric, rule.slice, rule.kind, rule.direction, rule.level
        if about in seen:
            yield f"{place}asks for the same thing as '{seen[about]}'"
        seen[about] = rule.id


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


def _findings(rule: Rule) -> Iterator[str]:
    low, high = rule.range
    at_end = {
        "min": rule.limit <= low,
        "max": rule.limit >= high,
        "abs": rule.limit >= max(abs(low), abs(high)),
    }
    if at_end[rule.direction]:
        yield f"it can never block: {rule.metric} is never beyond {rule.limit:g}"
    wrong = {"higher": "max", "lower": "min"}.get(rule.spec.better)
    if rule.direction == wrong:
        yield (f"direction {rule.direction}, but {rule.metric} is better when {rule.spec.better}")
