"""A decision for GitHub Actions: workflow commands that annotate, and a summary in Markdown.

Commands are read line by line from the log, so every value is escaped: no text of a model or a set
can end one command or begin another.
"""

from __future__ import annotations

from collections.abc import Iterator

from rmaudit.escaping import cell, inline, plain
from rmaudit.gate.decision import Decision, RuleResult
from rmaudit.gate.wording import measured, required, span

_SHAPES = {"PASS": "●", "FAIL": "▲", "INCONCLUSIVE": "◆", "INVALID": "✕"}


def commands(decision: Decision) -> Iterator[str]:
    """One annotation for each rule that does not plainly hold, in the policy's file if it is one.

    Blocking rules are errors, what does not block a warning, or a notice where it was waived.
    """
    for rule in decision.rules:
        if rule.status == "PASS":
            continue
        level = "error" if rule.effect != "PASS" else "notice" if rule.waived else "warning"
        yield _command(level, rule, decision.policy["file"])
    for problem in decision.problems:
        yield f"::error title={_value('rmaudit: invalid evidence')}::{_data(problem)}"
    level = "notice" if decision.verdict == "PASS" else "error"
    yield f"::{level} title={_value('rmaudit gate')}::{_data(decision.sentence)}"


def _command(level: str, rule: RuleResult, file: str) -> str:
    where = [f"file={_value(file)}", f"line={rule.line}"] if file else []
    title = f"title={_value(f'rmaudit {rule.status}: {rule.id}')}"
    return f"::{level} {','.join([*where, title])}::{_data(rule.sentence)}"


def _data(text: str) -> str:
    return plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(decision: Decision) -> str:
    """The verdict and all rules as Markdown, for a job summary or a pull request."""
    lines = [
        f"### {_SHAPES[decision.verdict]} rmaudit gate `{decision.policy['name']}`: "
        f"{decision.verdict}",
        "",
        inline(decision.sentence),
        "",
        "| rule | metric | measured | required | status |",
        "|---|---|---|---|---|",
        *map(_row, decision.rules),
    ]
    told = [*decision.problems, *decision.notes]
    if told:
        lines += ["", *(f"* {inline(text)}" for text in told)]
    for step in decision.next:
        lines += ["", f"**Next**: {inline(step.why)}"] if step.why else []
        lines += [f"* {inline(step.command)}"] if step.command else []
    return "\n".join(lines) + "\n"


def _row(rule: RuleResult) -> str:
    bounds = span(rule)
    status = f"{_SHAPES[rule.status]} {rule.status.lower()}"
    if rule.waived and rule.waiver is not None:
        status += f" (waived by {rule.waiver.owner} until {rule.waiver.expires})"
    elif rule.status != "PASS" and rule.effect == "PASS":
        status += " (does not block)"
    where = f"{rule.metric} of {rule.slice}" if rule.slice else rule.metric
    cells = (rule.id, where, f"{measured(rule)}{f' ({bounds})' if bounds else ''}", required(rule))
    return f"| {' | '.join(map(cell, (*cells, status)))} |"
