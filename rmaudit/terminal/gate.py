"""The verdict of a gate on a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rmaudit.escaping import one_line
from rmaudit.gate.decision import Decision, RuleResult, Status, Step
from rmaudit.gate.policy import Policy
from rmaudit.gate.wording import measured, required, span
from rmaudit.selftest.gate_selftest import PolicyOutcome

STYLES: dict[Status, str] = {
    "PASS": "green",
    "FAIL": "bold red",
    "INCONCLUSIVE": "yellow",
    "INVALID": "bold magenta",
}
_WIDE = 160
_ORDER: tuple[Status, ...] = ("INVALID", "FAIL", "INCONCLUSIVE", "PASS")


def show_decision(decision: Decision, *, as_json: bool = False, quiet: bool = False) -> None:
    """The verdict first, then every rule, worst first, then what the reader should know."""
    if as_json:
        print(json.dumps(decision.as_dict(), ensure_ascii=True, allow_nan=False))
        return
    page = results_page()
    head = Text(f"gate {one_line(decision.policy['name'])}: ")
    head.append(one_line(decision.sentence), style=STYLES[decision.verdict])
    if quiet:
        page.print(head)
        return
    page.print()
    _say(page, Text("  ").append_text(head), 4)
    _say(page, Text(f"  {one_line(_of_what(decision))}", style="dim"), 4)
    page.print()
    ranked = sorted(decision.rules, key=lambda rule: (rule.level == "warn", _rank(rule)))
    page.print(_fitting(page, ranked), crop=False)
    told: dict[str, list[RuleResult]] = {}
    for rule in ranked:
        if rule.status != "PASS" or rule.waiver is not None:
            told.setdefault(rule.sentence, []).append(rule)
    for sentence, rules in told.items():
        names = ", ".join(rule.id for rule in rules)
        _say(
            page,
            Text(f"  {one_line(names)}: ", style="bold").append(one_line(sentence), "default"),
            4,
        )
        for rule in rules:
            if rule.why and rule.status == "FAIL":
                _say(page, Text(f"    why this rule: {one_line(rule.why)}", style="dim"), 6)
            if rule.waiver is not None:
                _say(page, Text(f"    {one_line(_waiver(rule))}", style="yellow"), 6)
    for problem in decision.problems:
        _say(page, _told("  evidence ", STYLES["INVALID"], problem), 4)
    for note in decision.notes:
        _say(page, _told("  note  ", "dim", note), 8)
    _show_next(page, decision.next)


def _of_what(decision: Decision) -> str:
    """Which run was decided on, against which baseline, and when."""
    told = f"{decision.run['target']['name']} · decided {decision.decided} · "
    if decision.baseline is None:
        return f"{told}no baseline"
    made = decision.baseline["finished"] or decision.baseline["started"]
    return f"{told}baseline {decision.baseline['target']['name']}, scanned {made[:10]}"


def _show_next(page: Console, steps: Sequence[Step]) -> None:
    """What to do next; a command is one line, whatever the width, so that it can be copied."""
    if steps:
        page.print()
    for step in steps:
        if step.why:
            _say(page, _told("  next  ", "bold", step.why), 8)
        if step.command:
            page.print(Text(f"        {one_line(step.command)}", style="cyan"))


def _told(word: str, style: str, text: str) -> Text:
    return Text(word, style=style).append(one_line(text), "default")


def _say(page: Console, text: Text, indent: int) -> None:
    """A sentence; on a terminal its further lines are indented, elsewhere it is one line."""
    if not page.is_terminal or text.cell_len <= page.width:
        page.print(text)
        return
    first, *rest = text.wrap(page, page.width)
    left = Text(" ".join(line.plain.strip() for line in rest), style=text.style)
    page.print(first)
    page.print(Padding(left, (0, 0, 0, indent)), soft_wrap=False)


def show_self_test(
    policy: Policy, shown: Sequence[PolicyOutcome], *, as_json: bool = False
) -> None:
    """What each rule blocks and lets pass; a rule that does not do both stands out."""
    if as_json:
        rules = [asdict(one) | {"ok": one.ok} for one in shown]
        print(json.dumps({"policy": policy.name, "rules": rules}, ensure_ascii=True))
        return
    page = results_page()
    table = _columns("", "rule", "blocks", "lets pass")
    for one in shown:
        table.add_row(
            Text("  ok" if one.ok else "  NOT SHOWN", style="green" if one.ok else "bold red"),
            Text(one_line(one.rule)),
            Text(one.blocked or "nothing"),
            Text(one.passed or "nothing"),
        )
    page.print(table, crop=False)
    count = sum(one.ok for one in shown)
    page.print(Text(f"\n  {count} of {len(shown)} rules block a bad run and pass a good one"))


def results_page() -> Console:
    """A console that cuts nothing where no terminal sets the width."""
    page = Console(highlight=False, soft_wrap=True)
    if not page.is_terminal:
        page.width = _WIDE
    return page


def _columns(*names: str, right: Sequence[str] = ()) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in (*names, *right):
        table.add_column(name, no_wrap=True, justify="right" if name in right else "left")
    return table


def _rank(rule: RuleResult) -> int:
    return _ORDER.index(rule.status)


def _fitting(page: Console, rules: list[RuleResult]) -> Table:
    """One line a rule; two where the terminal is too narrow for that: nothing is cut off."""
    table = _table(rules)
    if Measurement.get(page, page.options.update(max_width=_WIDE), table).maximum > page.width:
        return _cards(rules)
    return table


def _table(rules: list[RuleResult]) -> Table:
    table = _columns("", "rule", "metric", right=("value", "bounds", "needs", "n"))
    for rule in rules:
        table.add_row(
            _status(rule),
            Text(one_line(rule.id)),
            Text(one_line(_where(rule))),
            Text(measured(rule)),
            Text(span(rule)),
            Text(required(rule)),
            Text(f"{rule.n:,}"),
        )
    return table


def _cards(rules: list[RuleResult]) -> Table:
    """The same in two columns."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for rule in rules:
        told = Text(one_line(rule.id), style="bold")
        told.append(f"  {one_line(_where(rule))} · n {rule.n:,}\n", "default")
        bounds = f" ({span(rule)})" if span(rule) else ""
        told.append(f"{measured(rule)}{bounds}; {required(rule)}", "default")
        table.add_row(_status(rule), told)
    return table


def _status(rule: RuleResult) -> Text:
    status = rule.status + (" (waived)" if rule.waived else "")
    status += " (warn)" if rule.level == "warn" else ""
    return Text(f"  {status}", style="yellow" if rule.waived else STYLES[rule.status])


def _where(rule: RuleResult) -> str:
    where = f"{rule.metric} · {rule.slice}" if rule.slice else rule.metric
    return where + (" vs baseline" if rule.kind == "relative" else "")


def _waiver(rule: RuleResult) -> str:
    waiver = rule.waiver
    assert waiver is not None
    what = f"waiver of {waiver.owner} until {waiver.expires}, up to {waiver.bound:g}"
    return f"{what}: {waiver.reason}" if waiver.applies else f"{what}, does not count: {waiver.why}"
