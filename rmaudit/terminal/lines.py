"""Plain lines on stdout: a text that is put into one stays on it."""

from __future__ import annotations

from collections.abc import Iterable

from rmaudit.escaping import one_line

WIDTH = 9


def show_line(text: str) -> None:
    """One line, whatever the text holds."""
    print(one_line(text))


def show_lines(lines: Iterable[str]) -> None:
    """Lines under each other, as many as are given."""
    for line in lines:
        show_line(line)


def show_facts(facts: Iterable[tuple[str, str]]) -> None:
    """Named lines, the names in a column."""
    for name, text in facts:
        print(f"{name:<{WIDTH}}{one_line(text)}")
