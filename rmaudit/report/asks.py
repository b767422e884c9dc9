"""What the rules of a policy ask, and what came of it, in words that need no metric key."""

from __future__ import annotations

import re
from typing import NamedTuple

from rmaudit.gate.decision import RuleResult, Status
from rmaudit.gate.wording import undecided
from rmaudit.metrics.formats import format_of, show
from rmaudit.metrics.registry import REGISTRY, label_of
from rmaudit.run.ordinary import fair_words

SHAPES: dict[str, str] = {"PASS": "●", "FAIL": "▲", "INCONCLUSIVE": "◆", "INVALID": "✕", "": "○"}
WORST_FIRST: tuple[Status, ...] = ("INVALID", "FAIL", "INCONCLUSIVE", "PASS")
STATUS_WORDS: dict[Status, str] = {
    "PASS": "holds",
    "FAIL": "broken",
    "INCONCLUSIVE": "undecided",
    "INVALID": "no evidence",
}
_HOLM = "broken by itself, but with so many rules tested that is no proof (Holm)"
_HELD = {"min": "must be at least", "max": "may be at most", "abs": "must be within ±"}


class AskedRule(NamedTuple):
    """A rule as a reader meets it.

    Attributes:
        metric: that it is about; `title` is its name.
        status: of the rule, with its shape and word.
        asks: `may lose at most 3 points`.
        change: it asks about a change from the baseline, not about the value itself.
        found: `lost 96`, `is 31 %`; '' where there is no number.
        sure: what the bound says, or why nothing is decided.
        why: the policy's own sentence on the rule.
        waived: who let it pass, or that it does not decide; '' else.
        rule: its id, for the appendix.
        blocks: whether the whole gate turns on it as it came out.
    """

    metric: str
    title: str
    status: Status
    shape: str
    word: str
    asks: str
    change: bool
    found: str
    sure: str
    why: str
    waived: str
    rule: str
    blocks: bool

    @property
    def told(self) -> str:
        """`may lose at most 3 points: lost 96`."""
        return f"{self.asks}: {self.found}" if self.found else self.asks

    @property
    def number(self) -> str:
        """What was found, for a column of its own."""
        return self.found.removeprefix("is ")


def asked(rule: RuleResult, *, misses: bool = False) -> AskedRule:
    """A decided rule in words; `misses` as of `fair_words`."""
    title = title_of(rule.metric, misses=misses)
    return AskedRule(
        metric=rule.metric,
        title=f"{title} in the domain {rule.slice}" if rule.slice else title,
        status=rule.status,
        shape=SHAPES[rule.status],
        word=STATUS_WORDS[rule.status],
        asks=asks(rule),
        change=rule.kind == "relative",
        found=_found(rule),
        sure=fair_words(_sure(rule), misses=misses),
        why=rule.why,
        waived=_waived(rule),
        rule=rule.id,
        blocks=rule.effect != "PASS",
    )


def title_of(key: str, *, misses: bool = False) -> str:
    """The name of a metric in a report; what it measures where it has no name."""
    if key not in REGISTRY:
        return label_of(key)
    spec = REGISTRY[key]
    name = spec.title or spec.label or in_words(spec.definition.rstrip("."))
    return fair_words(name[:1].upper() + name[1:], misses=misses)


def asks(rule: RuleResult) -> str:
    """What a rule asks for: `must be at least 20 %`, `may lose at most 3 points`."""
    size = abs(rule.limit)
    if rule.kind != "relative":
        shown = _value(rule.metric, size if rule.direction == "abs" else rule.limit)
        return f"{_HELD[rule.direction]}{'' if rule.direction == 'abs' else ' '}{shown}"
    if rule.direction == "abs":
        return f"may move by at most {_amount(rule.metric, size)}"
    # A limit on the side of zero that the direction asks for is a change that has to come.
    must = rule.limit > 0 if rule.direction == "min" else rule.limit < 0
    verb = "lose" if (rule.direction == "min") is not must else "gain"
    if must:
        return f"must {verb} at least {_amount(rule.metric, size)}"
    return f"may {verb} at most {_amount(rule.metric, size)}" if size else f"may not {verb}"


def _found(rule: RuleResult) -> str:
    if rule.kind == "relative":
        return "" if rule.difference is None else _moved(rule, rule.difference)
    return "" if rule.value is None else f"is {_value(rule.metric, rule.value, beside=rule.limit)}"


def _moved(rule: RuleResult, difference: float) -> str:
    """`lost 96`, `gained 2.5`, `unchanged`; as exact as it takes to tell it from the limit."""
    number = _exact(rule.metric, difference, rule.limit)
    if float(number) == 0:
        return "unchanged"
    return f"{'gained' if difference > 0 else 'lost'} {number.lstrip('-')}"


def _sure(rule: RuleResult) -> str:
    """What is known at the rule's confidence, in the direction that decides."""
    unmeasured = rule.low is None or rule.high is None or rule.p_fail is None
    barred = rule.status == "INVALID" and rule.value is None
    if barred or (rule.kind != "integrity" and (rule.status == "INVALID" or unmeasured)):
        return in_words(rule.sentence)
    if rule.low is None or rule.high is None:
        return ""
    told = (_from, _to) if rule.kind == "relative" else (_least, _most)
    sure = f"{100 * rule.confidence:g} % sure"
    ends = f"{told[0](rule, rule.low)} and {told[1](rule, rule.high)}, each {sure}"
    if rule.status == "INCONCLUSIVE":
        return f"{ends}; {_HOLM if 'Holm' in rule.sentence else undecided(rule)}"
    if rule.direction == "abs":
        return ends
    # What holds is bounded on its bad side, what is broken on its good side.
    lower = (rule.direction == "min") is (rule.status == "PASS")
    return f"{told[0](rule, rule.low) if lower else told[1](rule, rule.high)}, {sure}"


def _from(rule: RuleResult, low: float) -> str:
    """A change that is at least `low`."""
    number = _exact(rule.metric, low, rule.limit)
    if float(number) == 0:
        return "did not lose"
    return f"gained at least {number}" if low > 0 else f"lost at most {number.lstrip('-')}"


def _to(rule: RuleResult, high: float) -> str:
    """A change that is at most `high`."""
    number = _exact(rule.metric, high, rule.limit)
    if float(number) == 0:
        return "did not gain"
    return f"gained at most {number}" if high > 0 else f"lost at least {number.lstrip('-')}"


def _least(rule: RuleResult, low: float) -> str:
    return f"at least {_value(rule.metric, low, beside=rule.limit)}"


def _most(rule: RuleResult, high: float) -> str:
    return f"at most {_value(rule.metric, high, beside=rule.limit)}"


def _waived(rule: RuleResult) -> str:
    if rule.status == "PASS":
        return ""
    if rule.waived and rule.waiver is not None:
        return f"waived by {rule.waiver.owner} until {rule.waiver.expires}: {rule.waiver.reason}"
    return "does not block" if rule.effect == "PASS" else ""


def _scale(metric: str) -> float:
    return 100.0 if format_of(metric) in ("percent", "points") else 1.0


def _exact(metric: str, value: float, limit: float) -> str:
    """A number in the metric's unit, short, but never rounded to the other side of a limit."""
    scale = _scale(metric)
    number, least = scale * value, scale * limit
    digits = (0 if abs(number) >= 10 else 1) if scale == 100 else 3
    while digits < 6:
        rounded = round(number, digits)
        if (rounded > least) is (number > least) and (rounded < least) is (number < least):
            break
        digits += 1
    text = f"{round(number, digits):.{digits}f}"
    return text.rstrip("0").rstrip(".") if digits else text


def _amount(metric: str, size: float) -> str:
    """The size of a change: `3 points`, or the plain number."""
    number = f"{round(_scale(metric) * size, 4):g}"
    if _scale(metric) != 100:
        return number
    return f"{number} point" if number == "1" else f"{number} points"


def _value(metric: str, value: float, *, beside: float | None = None) -> str:
    if format_of(metric) not in ("percent", "points"):
        return show(metric, value)
    number = f"{round(100 * value, 4):g}" if beside is None else _exact(metric, value, beside)
    return f"{number} {'%' if format_of(metric) == 'percent' else 'points'}"


_KEYS = re.compile(
    r"(?<![\w.@/-])(?:"
    + "|".join(
        # Keys that are words of the language too read well as they are.
        re.escape(key)
        for key in sorted(REGISTRY, key=len, reverse=True)
        if not key.isalpha() or key in ("rc", "ap")
    )
    + r")(?![\w@+/-]|\.\w)"
)


def in_words(text: str) -> str:
    """A sentence of the gate with the titles of metrics in the place of their keys."""
    return _KEYS.sub(lambda found: title_of(found[0]).lower(), text)
