"""Why a run does not pass: the rules that do not hold, one entry an idea, worst first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rmaudit.gate.decision import Decision, RuleResult, Status
from rmaudit.report.asks import WORST_FIRST, AskedRule, asked
from rmaudit.report.lines import LineSource, idea_of
from rmaudit.report.links import NO_ITEMS, ItemsLink
from rmaudit.report.shows import MeasuredRun, items_of_rule
from rmaudit.run.ordinary import reads_ordinary

NAMED = 4
"""So many rules that share a cause are named."""


class CauseView(NamedTuple):
    """The missed rules of one idea in one run; `link` leads to items on which they are missed.

    Of rules without valid evidence `asked` has the first, which says why.
    """

    number: int
    style: int
    status: Status
    title: str
    asked: tuple[AskedRule, ...]
    shows: str
    link: ItemsLink = NO_ITEMS


def missed(decision: Decision | None) -> list[tuple[RuleResult, ...]]:
    """The rules that do not hold, by idea and domain; what blocks comes first.

    Rules without valid evidence go by the cause that they share.
    """
    if decision is None:
        return []
    rules = [rule for rule in decision.rules if rule.status != "PASS"]
    rules.sort(key=lambda rule: (rule.effect == "PASS", WORST_FIRST.index(rule.status)))
    groups: dict[tuple[str, ...], list[RuleResult]] = {}
    for rule in rules:
        cause = (
            ("without evidence", rule.sentence)
            if rule.status == "INVALID"
            else ("missed", idea_of(rule.metric), rule.slice or "")
        )
        groups.setdefault(cause, []).append(rule)
    return [tuple(group) for group in groups.values()]


def what_shows(rule: RuleResult, *, misses: bool) -> str:
    """How the items on which a rule is missed are named in the list of items."""
    told = asked(rule, misses=misses)
    return f"{told.title}: {told.asks}"


def items_of_causes(one: LineSource, measured: MeasuredRun | None) -> dict[str, list[str]]:
    """The items that show each missed idea, by the name of its first rule."""
    if measured is None:
        return {}
    misses = reads_ordinary(one.data.manifest)
    found: dict[str, list[str]] = {}
    for group in missed(one.decision):
        ids = [name for rule in group for name in items_of_rule(measured, rule)]
        if ids:
            found[what_shows(group[0], misses=misses)] = list(dict.fromkeys(ids))
    return found


def causes(sources: Sequence[LineSource]) -> tuple[CauseView, ...]:
    """All missed rules, run by run; their links are not known yet."""
    return tuple(
        CauseView(
            one.head.number,
            one.head.style,
            group[0].status,
            _title(group, misses=misses),
            tuple(
                asked(rule, misses=misses)
                for rule in (group if group[0].status != "INVALID" else group[:1])
            ),
            what_shows(group[0], misses=misses),
        )
        for one in sources
        for misses in (reads_ordinary(one.data.manifest),)
        for group in missed(one.decision)
    )


def _title(group: Sequence[RuleResult], *, misses: bool) -> str:
    if group[0].status != "INVALID":
        return asked(group[0], misses=misses).title
    titles = list(dict.fromkeys(asked(rule, misses=misses).title for rule in group))
    first, rest = titles[:NAMED], len(titles) - NAMED
    return ", ".join(first) + (f" and {rest} more" if rest > 0 else "")
