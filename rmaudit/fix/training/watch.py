"""When training must stop, and why: pure rules over what TRL logs and over the dev audits.

Each rule looks at a few last values, says what is wrong in a sentence, and leaves the checkpoints
as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean

DEAD_GROUPS, DEAD_ROLLOUTS = 0.9, 5
ENTROPY_SHARE = 0.05
LENGTH_SHARE = 0.2
TRUNCATED = 0.5
JUDGE_FAILED = 0.2
PATIENCE = 3
ROLLOUT = "completions/mean_length"
"""What every log of a rollout holds; one whose judge failed altogether has no reward."""
APART = 0.1
"""The judges part where RC rises by so much more for the training judge than for the other."""


@dataclass(frozen=True, slots=True)
class DevAudit:
    """A look at the development items during training; shares and scores in [0, 1].

    rc_train, rc_eval: rationale consistency by the training judge and by the evaluation judge;
    None where there is no such judge or all of its answers failed.
    """

    step: int
    accuracy: float | None
    rc_train: float | None
    rc_eval: float | None
    grounded: float | None
    praise: float | None


@dataclass(slots=True)
class Watch:
    """Collects the logs of a training run and says why it must stop, if it must."""

    logs: list[dict[str, float]] = field(default_factory=list)
    audits: list[DevAudit] = field(default_factory=list)

    def look(self, log: Mapping[str, float]) -> str | None:
        """Takes one log line; the reason to stop, or None."""
        if ROLLOUT not in log:
            return None
        self.logs.append(dict(log))
        return next(filter(None, (rule(self.logs) for rule in RULES)), None)

    def audited(self, audit: DevAudit) -> str | None:
        """Takes a dev audit; the reason to stop, or None."""
        self.audits.append(audit)
        first = self.audits[0]
        trained = _rise(first.rc_train, audit.rc_train)
        seen = _rise(first.rc_eval, audit.rc_eval)
        if trained is None or seen is None or trained - seen <= max(APART, trained / 2):
            return None
        return (
            f"the two judges part: rationale consistency rose by {trained:.2f} for the training "
            f"judge and by {seen:.2f} for the evaluation judge, so the policy learns the judge"
        )

    @property
    def best(self) -> DevAudit | None:
        """The audit whose checkpoint is kept, the first of equals; not the one at the start."""
        return max((one for one in self.audits if one.step), key=worth, default=None)


def worth(audit: DevAudit) -> float:
    """What a checkpoint is chosen by: accuracy times RC, by the evaluation judge where it can."""
    rc = audit.rc_eval if audit.rc_eval is not None else audit.rc_train
    return (audit.accuracy or 0.0) * (rc or 0.0)


def _rise(before: float | None, now: float | None) -> float | None:
    return None if before is None or now is None else now - before


def _last(logs: list[dict[str, float]], name: str, n: int) -> list[float]:
    """The last n values, empty where there are fewer."""
    values = [log[name] for log in logs if name in log]
    return values[-n:] if len(values) >= n else []


def _dead(logs: list[dict[str, float]]) -> str | None:
    values = _last(logs, "frac_reward_zero_std", DEAD_ROLLOUTS)
    if values and min(values) > DEAD_GROUPS:
        return (
            f"over {DEAD_ROLLOUTS} rollouts all samples of {min(values):.0%} of the groups earn "
            "the same: there is nothing to learn from; the verdicts are all wrong, or no reason "
            "ever matches"
        )
    return None


def _fell(logs: list[dict[str, float]], name: str, share: float, what: str) -> str | None:
    values = [log[name] for log in logs if name in log]
    last = _last(logs, name, PATIENCE)
    if len(values) > PATIENCE and last and values[0] > 0 and max(last) < share * values[0]:
        return f"{what} fell from {values[0]:.3g} to {last[-1]:.3g}"
    return None


def _entropy(logs: list[dict[str, float]]) -> str | None:
    told = _fell(logs, "entropy", ENTROPY_SHARE, "the entropy of the policy")
    return told and f"{told}: it has stopped exploring"


def _length(logs: list[dict[str, float]]) -> str | None:
    told = _fell(logs, "completions/mean_length", LENGTH_SHARE, "the length of the answers")
    return told and f"{told} tokens: the answers collapse"


def _truncated(logs: list[dict[str, float]]) -> str | None:
    values = _last(logs, "completions/clipped_ratio", PATIENCE)
    if values and min(values) > TRUNCATED:
        return (
            f"{values[-1]:.0%} of the answers are cut at the token limit: raise --max-new-tokens, "
            "or the policy runs on"
        )
    return None


def _judge(logs: list[dict[str, float]]) -> str | None:
    values = _last(logs, "fix/judge_failed", PATIENCE)
    if values and fmean(values) > JUDGE_FAILED:
        return f"the judge failed on {fmean(values):.0%} of the answers"
    return None


RULES = (_dead, _entropy, _length, _truncated, _judge)
