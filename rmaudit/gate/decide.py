"""From a policy and the evidence to a verdict; pure.

    INVALID        the evidence cannot carry the rule: changed files, a metric without a value,
                   a baseline that is not comparable, a judge that the policy does not allow
    FAIL           the bound shows that the rule is broken, under Holm as well
    INCONCLUSIVE   neither is shown, or nothing was measured: no baseline, one that repeats the run,
                   too few observations, no bound
    PASS           the bound shows that the rule holds

A policy may let a rule that its bounds leave open pass (`on_inconclusive`), never one of which
nothing was measured; and a pass rests on at least one rule about reasons whose bound holds (about
outcome, where the policy has none about reasons).

A run passes only if every rule of level error does. Each is tested at its own level, with no
correction: a run that breaks any of them passes that one, and so all, with probability
1 - confidence at most (intersection-union test; Berger 1982). To say that a run fails is to say
that at least one rule is broken, so there the p-values are adjusted (Holm 1979).
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rmaudit import __version__
from rmaudit.gate.decision import Decision, RuleResult, Status, Waived
from rmaudit.gate.evidence import (
    RunEvidence,
    named_reader,
    not_comparable,
    other_prompt,
    repeats,
    unqualified_judge,
    unseen_weights,
)
from rmaudit.gate.measured import Bounds, absolute, further, relative, values
from rmaudit.gate.policy import Policy, Rule
from rmaudit.gate.waivers import NO_WAIVERS, Waivers
from rmaudit.gate.wording import rule_sentence, verdict_sentence
from rmaudit.metrics.correction import holm
from rmaudit.metrics.registry import reader_of
from rmaudit.metrics.stopping import why_not
from rmaudit.run.ordinary import recall_sentence

NO_BASELINE = "no baseline"
REPEATED = "the baseline repeats the run"
TOO_FEW = "too few observations"
NO_BOUND = "no bound"

_ROUNDING = 1e-12
_WORST_FIRST: tuple[Status, ...] = ("INVALID", "FAIL", "INCONCLUSIVE")


def decide(
    policy: Policy,
    run: RunEvidence,
    baseline: RunEvidence | None = None,
    waivers: Waivers = NO_WAIVERS,
    *,
    today: datetime.date,
) -> Decision:
    """Apply a policy.

    Args:
        policy: the rules.
        run: the run to decide on.
        baseline: what relative rules compare with.
        waivers: of rules of this policy.
        today: decides which waivers are still good.
    """
    found = [
        _Rule(rule, policy, run, baseline).decided(line)
        for rule, line in zip(policy.rules, policy.lines, strict=True)
    ]
    rules = [
        replace(told, waiver=_waiver(told, rule, waivers, today))
        for told, rule in zip(under_holm(found), policy.rules, strict=True)
    ]
    effects = {rule.effect for rule in rules} | ({"INVALID"} if run.problems else set())
    verdict: Status = next((status for status in _WORST_FIRST if status in effects), "PASS")
    rests_on = policy.subject
    shown = any(rule.held and rule.subject == rests_on for rule in rules)
    if verdict == "PASS" and not shown:
        verdict = "INCONCLUSIVE"
    against = (unqualified_judge(rule.metric, run.manifest) for rule in policy.rules)
    return Decision(
        verdict=verdict,
        sentence=verdict_sentence(
            verdict, rules, run.problems, lacking="" if shown else rests_on or "outcome"
        )
        + next((f"; the judge is {told}" for told in against if told), ""),
        rules=tuple(rules),
        problems=run.problems,
        notes=tuple(_notes(policy, run, baseline)),
        policy={"name": policy.name, "file": policy.file, "sha256": policy.sha256},
        waivers={"file": waivers.file, "sha256": waivers.sha256} if waivers.file else None,
        run=run.described(),
        baseline=None if baseline is None else baseline.described(),
        tool_version=__version__,
        decided=today.isoformat(),
    )


class _Rule:
    """One rule against the evidence, before Holm and waivers."""

    def __init__(
        self, rule: Rule, policy: Policy, run: RunEvidence, baseline: RunEvidence | None
    ) -> None:
        self.rule, self.policy, self.run, self.baseline = rule, policy, run, baseline

    def decided(self, line: int) -> RuleResult:
        """The rule with everything that is known of it."""
        rule = self.rule
        blank = RuleResult(
            id=rule.id,
            metric=rule.metric,
            slice=rule.slice,
            kind=rule.kind,
            direction=rule.direction,
            level=rule.level,
            confidence=rule.confidence,
            on_inconclusive=rule.on_inconclusive,
            why=rule.why,
            validated=rule.validated,
            line=line,
            limit=rule.limit,
            subject=rule.subject,
            status="INVALID",
            sentence="",
        )
        table = self.run.part(rule.slice)
        what = self._barred()
        if what or table is None:
            return replace(blank, sentence=what or f"the run has no domain or part '{rule.slice}'")
        known = values(table, rule.metric)
        blank = replace(
            blank,
            value=known.value,
            n=known.n,
            n_excluded=known.n_excluded,
            n_reasons=known.n_reasons,
            worst=known.worst,
            best=known.best,
        )
        what = self.run.stale(rule.metric, rule.slice, known.value)
        if what or known.value is None:
            return replace(blank, sentence=what or f"{rule.metric} has no value: {known.why}")
        if rule.kind == "integrity":
            told = replace(blank, status="PASS" if _holds(rule, known.value) else "INVALID")
            return replace(told, sentence=rule_sentence(told))
        if rule.kind == "relative":
            return self._relative(blank)
        return self._bounded(blank, absolute(self.run, table, rule))

    def _barred(self) -> str:
        """Why the rule cannot be put to this run at all, '' where it can."""
        if self.run.problems:
            return "the run is no valid evidence"
        if self.policy.require_complete_weights and (told := unseen_weights(self.run.manifest)):
            return f"{told}, and the policy requires complete weights"
        if self.policy.require_trained_prompt and (told := other_prompt(self.run.manifest)):
            return f"{told}, and the policy requires the one that it was trained on"
        if told := self.run.manifest.unfit(self.rule.metric):
            return f"{told}: nothing is decided by it"
        if not self.policy.allow_builtin_judge:
            baseline = self.baseline if self.rule.kind == "relative" else None
            for run, name in ((self.run, "run"), (baseline, "baseline")):
                reader = None if run is None else run.approximate(self.rule.metric)
                if run is not None and reader is not None:
                    return (
                        f"the {named_reader(reader, run.manifest)}, which is approximate, read the "
                        f"{name}, and the "
                        "policy does not allow it"
                    )
                told = "" if run is None else unqualified_judge(self.rule.metric, run.manifest)
                if told:
                    return f"the judge that read the {name} is {told}: the policy does not allow it"
        return ""

    def _relative(self, blank: RuleResult) -> RuleResult:
        rule, run, baseline = self.rule, self.run, self.baseline
        if baseline is None:
            what = "no baseline is given to compare with: --baseline RUN"
            return _unmeasured(blank, NO_BASELINE, what)
        if baseline.problems:
            return replace(blank, sentence=f"baseline: {baseline.problems[0]}")
        differ = not_comparable(run, baseline, rule.metric)
        if differ:
            what = f"run and baseline differ in more than the model: {', '.join(differ)}"
            return replace(blank, sentence=what)
        table = baseline.part(rule.slice)
        known = None if table is None else values(table, rule.metric)
        if known is None or known.value is None:
            return replace(blank, sentence=f"the baseline has no value of {rule.metric}")
        what = baseline.stale(rule.metric, rule.slice, known.value)
        if what:
            return replace(blank, sentence=f"baseline: {what}")
        if repeats(run, baseline):
            what = (
                "the baseline holds the same answers of the same model: nothing is compared; name "
                "a run of another model with --baseline"
            )
            return _unmeasured(replace(blank, baseline=known.value), REPEATED, what)
        bounds, n = (None, blank.n) if self._barred_by_stopping() else relative(run, baseline, rule)
        blank = replace(blank, baseline=known.value, n=n)
        if not n:
            return replace(blank, sentence="run and baseline have no item in common")
        blank = replace(blank, difference=bounds.value if bounds else None)
        return self._bounded(blank, bounds)

    def _barred_by_stopping(self) -> str:
        """Why a run that stopped by its results says nothing about the rule, '' where it does."""
        relative = self.rule.kind == "relative"
        other = relative and self.baseline is not None and self.baseline.sequential
        if not (self.run.sequential or other):
            return ""
        return why_not(self.rule.metric, relative=relative)

    def _bounded(self, blank: RuleResult, bounds: Bounds | None) -> RuleResult:
        """The rule by its bounds; undecided where there is too little, or no bound."""
        rule = self.rule
        if bounds is not None:
            blank = replace(blank, low=bounds.low, high=bounds.high, p_fail=bounds.p_fail)
        barred = self._barred_by_stopping()
        if barred:
            what = f"the run stopped by its results, and {barred}; scan the whole set"
            return _unmeasured(replace(blank, low=None, high=None), NO_BOUND, what)
        if blank.n < rule.min_n:
            more = rule.min_n - blank.n
            what = f"{blank.n:,} observations; the rule asks for {rule.min_n:,}: {more:,} more"
            return _unmeasured(replace(blank, further=more), TOO_FEW, what)
        if blank.n_reasons < rule.min_reasons:
            more = rule.min_reasons - blank.n_reasons
            what = f"{blank.n_reasons:,} reasons; the rule asks for {rule.min_reasons:,}"
            further_ = math.ceil(blank.n * more / blank.n_reasons) if blank.n_reasons else None
            return _unmeasured(replace(blank, further=further_), TOO_FEW, what)
        if bounds is None:
            what = f"{blank.n:,} observations in too few groups for a bound"
            return _unmeasured(blank, NO_BOUND, what)
        status = decide_on_bounds(rule, bounds)
        told = replace(blank, status=status)
        if status == "INCONCLUSIVE":
            told = replace(told, further=further(bounds, rule, blank.n))
        what = rule_sentence(told)
        lost = told.n_excluded and told.worst is not None and rule.kind == "absolute"
        if status == "PASS" and lost and not _holds(rule, told.worst or 0.0):
            what += f"; {told.n_excluded:,} were lost, and at worst it is {told.worst:.3f}"
        return replace(told, sentence=what)


def _unmeasured(blank: RuleResult, cause: str, sentence: str) -> RuleResult:
    """A rule of which nothing was measured."""
    return replace(blank, status="INCONCLUSIVE", unmeasured=cause, sentence=sentence, p_fail=None)


def _holds(rule: Rule, value: float) -> bool:
    if rule.direction == "min":
        return value >= rule.limit
    return abs(value) <= rule.limit if rule.direction == "abs" else value <= rule.limit


def decide_on_bounds(rule: Rule, bounds: Bounds) -> Status:
    """What the bounds show about a rule, at its own level."""
    if rule.kind == "integrity":
        return "PASS" if _holds(rule, bounds.value) else "FAIL"
    limit, low, high = rule.limit, bounds.low, bounds.high
    if rule.direction == "min":
        passes, fails = low >= limit, high < limit
    elif rule.direction == "max":
        passes, fails = high <= limit, low > limit
    else:
        passes = low >= -limit and high <= limit
        fails = low > limit or high < -limit
    if passes == fails:  # both only where bounds at every time have crossed
        return "INCONCLUSIVE"
    return "PASS" if passes else "FAIL"


def under_holm(rules: Sequence[RuleResult]) -> list[RuleResult]:
    """The rules with adjusted p-values; a failure that does not stand under Holm is undecided.

    Rules of level warn are a family of their own: they decide nothing.
    """
    found = list(rules)
    for level in ("error", "warn"):
        tested = [(rule.p_fail, k) for k, rule in enumerate(rules) if rule.level == level]
        family = [(p, k) for p, k in tested if p is not None]
        for adjusted, (_, k) in zip(holm([p for p, _ in family]), family, strict=True):
            rule = found[k] = replace(rules[k], p_holm=adjusted)
            if rule.status == "FAIL" and adjusted > 1 - rule.confidence + _ROUNDING:
                what = (
                    f"{rule.sentence}; broken at its own level, but with {len(family)} rules "
                    "tested that is no proof (Holm)"
                )
                found[k] = replace(rule, status="INCONCLUSIVE", sentence=what)
    return found


def _waiver(told: RuleResult, rule: Rule, waivers: Waivers, today: datetime.date) -> Waived | None:
    """The waiver of a rule, and whether it counts."""
    waiver = waivers.by_rule.get(rule.id)
    if waiver is None:
        return None
    number = told.difference if rule.kind == "relative" else told.value
    why = ""
    if told.status == "PASS":
        why = "not needed"
    elif told.unmeasured:
        why = f"nothing was measured ({told.unmeasured}), and that cannot be waived"
    elif told.status == "INVALID" or number is None:
        why = "invalid evidence cannot be waived"
    elif waiver.expired(today):
        why = f"expired on {waiver.expires.isoformat()}"
    elif not waiver.covers(rule, number):
        why = f"{number:.4g} is beyond its bound of {waiver.bound:g}"
    return Waived(
        waiver.owner, waiver.reason, waiver.expires.isoformat(), waiver.bound, not why, why
    )


def _notes(policy: Policy, run: RunEvidence, baseline: RunEvidence | None) -> Iterator[str]:
    """What a reader should know beside the rules."""
    yield from run.notes
    if baseline is not None:
        yield from (f"baseline: {note}" for note in baseline.notes if note not in run.notes)
    open_ = sum(not rule.validated for rule in policy.rules)
    if open_:
        yield (
            f"{open_} of {len(policy.rules)} thresholds are not validated: they are starting "
            "points, not proven limits"
        )
    if run.manifest.references and run.manifest.references.sentence:
        yield run.manifest.references.sentence
    if run.sequential:
        yield (
            "the run stopped by its results: bounds hold at every time, and values are a little "
            "more extreme than they would be on the whole set"
        )
    for reader in ("judge", "labeler"):
        if any(run.approximate(rule.metric) == reader for rule in policy.rules):
            yield f"the {named_reader(reader, run.manifest)} read the reasons: approximate"
    judged = any(reader_of(rule.metric) == "judge" for rule in policy.rules)
    if judged and (told := recall_sentence(run.manifest)):
        yield told
    if judged and (standing := run.manifest.judge_standing):
        yield f"the judge is {standing}"
    if baseline is None and policy.relative:
        yield "relative rules had no baseline"
