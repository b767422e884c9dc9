"""Shows that every rule of a policy can block, and can be passed, on synthetic runs.

A rule that no bad run breaks is decoration; one that no good run passes is a wall. Each rule is
put to the worst and the best of some runs that are good or bad in one way each, through the same
code as a real run. Where no such run reaches what a rule asks for, its bounds are put to made-up
values, which is said.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rmaudit import __version__
from rmaudit.gate.decide import decide, decide_on_bounds
from rmaudit.gate.decision import RuleResult
from rmaudit.gate.evidence import RunEvidence
from rmaudit.gate.measured import bounds_of, values
from rmaudit.gate.policy import Policy, Rule
from rmaudit.metrics.evidence import Unanimous
from rmaudit.metrics.stopping import GroupLimits
from rmaudit.run.graders import JudgeFacts
from rmaudit.run.manifest import (
    EngineFacts,
    Identity,
    NullFacts,
    RunManifest,
    SamplingFacts,
    Seeds,
    TargetFacts,
)
from rmaudit.run.results import chance_partners
from rmaudit.run.schema import SCHEMA_VERSION
from rmaudit.run.table import TableSettings, table_of_rows
from rmaudit.selftest.gate_personas import PERSONAS, make, null_rows, rows

LEAST_ITEMS = 600
MOST_ITEMS = 4000
_SETTINGS = TableSettings(
    seed=0,
    max_reasons=5,
    gives_reasons=True,
    chance_items=None,
    labeler="synthetic",
    nulls=NullFacts(items=400),
)
_DAY = datetime.date(2000, 1, 1)


@dataclass(frozen=True, slots=True)
class PolicyOutcome:
    """One rule, and the runs that it blocks and lets pass; '' where it does not.

    For a relative rule a name is `run, against baseline`.
    """

    rule: str
    metric: str
    blocked: str
    passed: str

    @property
    def ok(self) -> bool:
        """Whether the rule does both."""
        return bool(self.blocked and self.passed)


def self_test(policy: Policy) -> list[PolicyOutcome]:
    """Puts every rule to the synthetic runs."""
    slices = [rule.slice for rule in policy.rules if rule.slice]
    domains = list(dict.fromkeys([*slices, "general"]))
    wanted = [max(2 * rule.min_n, rule.min_reasons) for rule in policy.rules]
    n = min(MOST_ITEMS, max([LEAST_ITEMS, *wanted])) * len(domains)
    runs = dict(_runs(n, domains))
    return [_shown(replace_rule(policy, rule), rule, runs) for rule in policy.rules]


def replace_rule(policy: Policy, rule: Rule) -> Policy:
    """The policy with this rule alone, which decides, whatever judge there is."""
    alone = rule.model_copy(update={"level": "error"})
    return replace(policy, rules=(alone,), lines=(1,), allow_builtin_judge=True)


def _runs(n: int, domains: list[str]) -> Iterator[tuple[str, RunEvidence]]:
    """A run of each persona on the same items."""
    items = make(n, domains)
    partners = chance_partners(items, seed=_SETTINGS.seed)
    lists = null_rows(items)
    manifest = _manifest(n)
    for name, persona in PERSONAS.items():
        made = rows(persona, items, partners)
        results, table = table_of_rows(
            items, made.verdicts, made.matches, (), _SETTINGS, labels=made.labels, nulls=lists
        )
        limits = GroupLimits(1, 2, 1, 10)
        yield name, RunEvidence(name, manifest, table, tuple(results), {}, (), limits, seed=0)


def _manifest(n: int) -> RunManifest:
    """The manifest of a run of a persona: made up, as its rows are."""
    made = "made up"
    return RunManifest(
        schema_version=SCHEMA_VERSION,
        tool_version=__version__,
        target=TargetFacts(spec=made, name=made, digest=""),
        rm_type="gen-pairwise",
        rm_type_why=made,
        sets=[],
        n_items=n,
        reference_origins=[],
        judge=JudgeFacts(spec=made),
        judge_view="full",
        max_reasons=_SETTINGS.max_reasons,
        verdicts="parsed",
        orders=["ab", "ba"],
        samples=1,
        seeds=Seeds(run=0, bootstrap=0, chance=0),
        profile=made,
        sampling=SamplingFacts(),
        prompts={},
        neutralised_delimiters=0,
        engine=EngineFacts(name=made, why=made),
        reference_visible="no",
        identity=Identity(),
        started="",
        finished="",
        status="finished",
    )


def _shown(policy: Policy, rule: Rule, runs: dict[str, RunEvidence]) -> PolicyOutcome:
    known: dict[str, float] = {}
    for name, run in runs.items():
        table = run.part(rule.slice)
        value = None if table is None else values(table, rule.metric).value
        if value is not None:
            known[name] = value
    pairs = [(name, name) for name in known]
    if rule.kind == "relative" and known:
        low, high = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
        pairs = [(low, high), (high, low), (low, low)]
    blocked = passed = ""
    for name, other in _extremes_first(pairs, known, rule):
        label = f"{name}, against {other}" if rule.kind == "relative" else name
        told = _decided(policy, rule, runs[name], runs[other], known)
        if told.status == "PASS":
            passed = passed or label
        elif told.status == "FAIL" or (rule.kind == "integrity" and told.value is not None):
            blocked = blocked or label
        if blocked and passed:
            break
    if not (blocked and passed):
        made_up = _on_made_up_values(rule)
        blocked, passed = blocked or made_up.blocked, passed or made_up.passed
    return PolicyOutcome(rule.id, rule.metric, blocked, passed)


def _extremes_first(
    pairs: list[tuple[str, str]], known: dict[str, float], rule: Rule
) -> list[tuple[str, str]]:
    """The ideal run, then the most telling ones: from both ends of the measure, inwards."""

    def number(pair: tuple[str, str]) -> float:
        found = known[pair[0]] - (known[pair[1]] if rule.kind == "relative" else 0.0)
        return abs(found) if rule.direction == "abs" else found

    ranked = sorted(pairs, key=number)
    ends = [ranked[-(k // 2) - 1] if k % 2 else ranked[k // 2] for k in range(len(ranked))]
    return sorted(ends, key=lambda pair: pair != ("ideal", "ideal"))


def _decided(
    policy: Policy, rule: Rule, run: RunEvidence, other: RunEvidence, known: dict[str, float]
) -> RuleResult:
    recorded = {
        one.name: {rule.slice or "": {rule.metric: known[one.name]}} for one in (run, other)
    }
    run, other = (replace(one, recorded=recorded[one.name]) for one in (run, other))
    baseline = other if rule.kind == "relative" else None
    return decide(policy, run, baseline, today=_DAY).rules[0]


def _on_made_up_values(rule: Rule) -> PolicyOutcome:
    """The rule's bounds on values at both ends of its range, and at its middle."""
    far = 10 * (1 + abs(rule.limit))  # for metrics without an end
    low, high = max(rule.range[0], -far), min(rule.range[1], far)
    blocked = passed = ""
    for value in (low, high, (low + high) / 2):
        found = Unanimous(value, max(LEAST_ITEMS, rule.min_n), (low, high))
        status = decide_on_bounds(rule, bounds_of(found, rule))
        label = f"a made-up value of {value:g}"
        if status == "FAIL":
            blocked = blocked or label
        elif status == "PASS":
            passed = passed or label
    return PolicyOutcome(rule.id, rule.metric, blocked, passed)
