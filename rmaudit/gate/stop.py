"""When a run may stop: once every rule of level error is decided, at bounds that allow looking.

    chunk of groups -> answers -> matchings -> decision on the complete prefix -> stop or go on

Looks cost nothing, since the bounds hold at every time; they come at the ends of chunks only so
that engines are kept busy.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.gate.decide import decide
from rmaudit.gate.decision import Decision
from rmaudit.gate.evidence import (
    RunEvidence,
    approximate_reader,
    differing,
    group_limits,
    named_reader,
    read_evidence,
    unqualified_judge,
)
from rmaudit.gate.lint import load_applicable
from rmaudit.gate.policy import Policy, Rule
from rmaudit.metrics.stopping import why_not
from rmaudit.run.answers import answer_hashes
from rmaudit.run.directory import RunDir
from rmaudit.run.manifest import LookFacts, PolicyFacts, RunManifest, Sequential
from rmaudit.run.table import run_table, settings_of

FIRST_GROUPS = 32
LEAST_STEP = 8


class Look(NamedTuple):
    """What was decided after a chunk.

    items: of the prefix. groups: the same in groups. open: ids of the rules that are undecided.
    decision: of all rules.
    """

    items: int
    groups: int
    open: tuple[str, ...]
    decision: Decision

    def sentence(self, items: Sequence[Item]) -> str:
        """The look in words; `items` are all that were planned."""
        planned = len({item.cluster for item in items})
        decided = sum(rule.level == "error" for rule in self.decision.rules) - len(self.open)
        where = f"look after {self.groups:,} of {planned:,} groups: {decided} rules decided"
        return f"{where}, open: {', '.join(self.open)}" if self.open else where


@dataclass(frozen=True, slots=True)
class Stopping:
    """The rules that a run stops on, and what relative ones compare with."""

    policy: Policy
    baseline: RunEvidence | None

    @property
    def digest(self) -> str:
        """What decides when the run stops: the policy, and the rows of the baseline."""
        rows = {} if self.baseline is None else self.baseline.manifest.row_hashes or {}
        return hashlib.sha256(f"{self.policy.sha256}{sorted(rows.items())}".encode()).hexdigest()

    def record(self, looks: Sequence[Look], items: Sequence[Item]) -> Sequential:
        """What the manifest says of a run that stopped by its results, or might have."""
        last = looks[-1]
        return Sequential(
            policy=PolicyFacts(name=self.policy.name, sha256=self.policy.sha256),
            decided=not last.open,
            items_used=last.items,
            items_planned=len(items),
            groups_used=last.groups,
            groups_planned=len({item.cluster for item in items}),
            looks=[LookFacts(items=look.items, open=list(look.open)) for look in looks],
            rules={rule.id: rule.status for rule in last.decision.rules},
        )

    def look(self, run: RunDir, items: Sequence[Item], *, used: int) -> Look:
        """Decides on the first `used` items, all of whose rows are there."""
        manifest = run.manifest()
        settings = settings_of(manifest)._replace(used=used)
        results, table = run_table(run, items, settings)
        evidence = RunEvidence(
            name=manifest.target.name,
            manifest=manifest,
            table=table,
            results=tuple(results),
            recorded=None,
            problems=(),
            limits=group_limits(manifest, items),
            seed=settings.seed,
            answers={} if self.baseline is None else answer_hashes(run),
        )
        today = datetime.datetime.now(datetime.UTC).date()
        decision = decide(self.policy, evidence, self.baseline, today=today)
        open_ = tuple(
            rule.id
            for rule in decision.rules
            if rule.level == "error"
            and rule.status not in (("PASS",) if rule.kind == "integrity" else ("PASS", "FAIL"))
        )
        return Look(used, len({item.cluster for item in items[:used]}), open_, decision)


def load_stopping(
    policy: str,
    baseline: Path | None,
    *,
    items: Sequence[Item],
    manifest: RunManifest,
) -> Stopping:
    """The rules to stop on, all of which can be decided so.

    Args:
        policy: name or file.
        baseline: what relative rules compare with.
        items: that are planned.
        manifest: of the planned run.

    Raises:
        InputError: one of them cannot, and is named.
    """
    rules = load_applicable(policy)
    other = None if baseline is None else read_evidence(RunDir.open(baseline))
    domains = {item.domain for item in items}
    for rule in rules.rules:
        if rule.level == "error":
            what = _never_decided(rule, rules, other, domains, manifest)
            if what:
                raise InputError(
                    f"--until-decided cannot decide the rule '{rule.id}': {what}",
                    'leave --until-decided out, or give the rule level = "warn"',
                )
    if other is not None and other.problems:
        raise InputError(f"the baseline is no evidence: {other.problems[0]}", "scan it again")
    return Stopping(rules, other)


def chunks(items: Sequence[Item], *, doubling: bool) -> Iterator[int]:
    """Numbers of items after which to look, at ends of groups, up to all.

    Args:
        items: in the seeded order, the items of a group together.
        doubling: few and large chunks, where each one loads models anew.
    """
    ends = [
        number
        for number, item in enumerate(items, start=1)
        if number == len(items) or items[number].cluster != item.cluster
    ]
    for groups in look_points(len(ends), doubling=doubling):
        yield ends[groups - 1]


def look_points(groups: int, *, doubling: bool = False) -> Iterator[int]:
    """Numbers of groups after which to look, of so many in all; arguments as in `chunks`."""
    wanted = FIRST_GROUPS
    while wanted < groups:
        yield wanted
        wanted += wanted if doubling else max(LEAST_STEP, wanted // 8)
    yield groups


def _never_decided(
    rule: Rule,
    policy: Policy,
    baseline: RunEvidence | None,
    domains: set[str],
    manifest: RunManifest,
) -> str:
    """Why a rule would never be decided, '' where it can be."""
    reader = approximate_reader(rule.metric, manifest)
    if reader is not None and not policy.allow_builtin_judge:
        return f"the policy does not allow the {named_reader(reader, manifest)}"
    if told := manifest.unfit(rule.metric):
        return told
    told = unqualified_judge(rule.metric, manifest)
    if told and not policy.allow_builtin_judge:
        return f"the policy does not allow a judge that is {told}"
    if rule.slice is not None and rule.slice not in domains:
        return f"no item is of the domain '{rule.slice}'"
    if rule.kind == "integrity":
        return ""
    if rule.kind == "relative":
        if baseline is None:
            return "it needs a --baseline"
        differ = differing(manifest, baseline.manifest, rule.metric)
        if differ:
            return f"scan and baseline differ in more than the model: {', '.join(differ)}"
    return why_not(rule.metric, relative=rule.kind == "relative")
