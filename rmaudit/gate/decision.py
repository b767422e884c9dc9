"""The decision record: what gate.json holds, and what every rendering of it needs."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from rmaudit.errors import EXIT_FAILED, EXIT_INCONCLUSIVE, EXIT_INVALID, EXIT_OK
from rmaudit.run.seal import sealed

SCHEMA_VERSION = 2
"""2: `read`, `decided_at` and `seal`."""

Status = Literal["PASS", "FAIL", "INCONCLUSIVE", "INVALID"]

EXIT_CODES: dict[Status, int] = {
    "PASS": EXIT_OK,
    "FAIL": EXIT_FAILED,
    "INCONCLUSIVE": EXIT_INCONCLUSIVE,
    "INVALID": EXIT_INVALID,
}


@dataclass(frozen=True, slots=True)
class Waived:
    """The waiver of a rule: who answers for it, why, until when and up to which value.

    `applies` is False where it came to nothing; `why` then says for what cause.
    """

    owner: str
    reason: str
    expires: str
    bound: float
    applies: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One rule, decided.

    Attributes:
        id: of the rule, as the fields down to `validated`.
        line: of the rule in the policy's file.
        limit: the threshold; of a relative rule the least or greatest difference allowed.
        value: of the metric in this run.
        baseline: of the metric in the baseline; relative rules only.
        difference: what a relative rule measures, over the items that both runs have.
        low: one-sided lower bound of value or difference, at the rule's confidence.
        high: one-sided upper bound.
        n: observations behind it (items; rows, pairs or verdicts for some metrics).
        n_excluded: observations that were lost.
        n_reasons: the model's reasons in the slice.
        worst: value if all that was lost had gone the worst way.
        best: value if it had gone the best way.
        p_fail: p-value against the hypothesis that the rule holds.
        p_holm: the same, adjusted for the number of rules.
        further: about how many more observations would decide the rule.
        unmeasured: why nothing was measured of an undecided rule (no baseline, a baseline that
            repeats the run, too few observations, no bound), '' where bounds were found.
        subject: what a pass of the rule speaks for: `reasons`, `outcome`, or '' for neither.
        status: of the rule; a waiver does not change it.
        sentence: what was found, in words.
        waiver: of the rule, None without.
    """

    id: str
    metric: str
    slice: str | None
    kind: str
    direction: str
    level: str
    confidence: float
    on_inconclusive: str
    why: str
    validated: bool
    line: int
    limit: float
    status: Status
    sentence: str
    value: float | None = None
    baseline: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    n_excluded: int = 0
    n_reasons: int = 0
    worst: float | None = None
    best: float | None = None
    p_fail: float | None = None
    p_holm: float | None = None
    further: int | None = None
    unmeasured: str = ""
    subject: str = ""
    waiver: Waived | None = None

    @property
    def waived(self) -> bool:
        """Whether a waiver lets it pass."""
        return self.waiver is not None and self.waiver.applies

    @property
    def effect(self) -> Status:
        """What the rule makes of the whole gate."""
        if self.level != "error" or self.waived:
            return "PASS"
        if self.status == "INCONCLUSIVE":
            if self.on_inconclusive == "fail":
                return "FAIL"
            open_ = self.unmeasured or self.on_inconclusive == "inconclusive"
            return "INCONCLUSIVE" if open_ else "PASS"
        return self.status

    @property
    def held(self) -> bool:
        """Whether a pass can rest on it: bounds show that it holds, or a person took it on."""
        bounded = self.level == "error" and self.low is not None
        return bounded and (self.status == "PASS" or self.waived)


@dataclass(frozen=True, slots=True)
class Step:
    """What to do next: why, and the command ('' where no single command does it)."""

    why: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """Something that a decision was made from.

    what: run, baseline, policy or waivers. path: from the folder of the run. sha256: of its state.
    """

    what: str
    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A policy applied to a run.

    Attributes:
        verdict: of all rules together.
        sentence: the verdict, its cause, and what was waived or left undecided.
        rules: in the order of the policy.
        problems: why the run is no valid evidence; none where it is.
        notes: what a reader should know beside: unvalidated thresholds, early stopping.
        policy: name, file and sha256 of the policy.
        waivers: file and sha256 of the waivers, None without.
        run: what was audited and how: target, digest, sets, judge, items, stopping.
        baseline: the same of the baseline, None without.
        tool_version: of rmaudit.
        decided: the day.
        next: what to do next, the first step first.
        decided_at: the second, in UTC, as it stands in names of files.
        read: all that it was made from, with hashes: where one of them changes, it is void.
    """

    verdict: Status
    sentence: str
    rules: tuple[RuleResult, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    policy: dict[str, str]
    waivers: dict[str, str] | None
    run: dict[str, Any]
    baseline: dict[str, Any] | None
    tool_version: str
    decided: str
    next: tuple[Step, ...] = ()
    decided_at: str = ""
    read: tuple[ReadFile, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 pass, 3 failed, 4 inconclusive, 5 invalid evidence."""
        return EXIT_CODES[self.verdict]

    def as_dict(self) -> dict[str, Any]:
        """What gate.json holds."""
        found = dataclasses.asdict(self)
        for told, rule in zip(found["rules"], self.rules, strict=True):
            told["waived"] = rule.waived
        return sealed({"schema_version": SCHEMA_VERSION, **found, "exit_code": self.exit_code})
