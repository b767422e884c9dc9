"""Tables and sentences that fit: words wrap, numbers are never cut, whatever the width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rmaudit.escaping import one_line

NARROW = 80
"""Columns below which the gaps between columns shrink."""


def number_table(width: int, columns: Sequence[tuple[str, bool]]) -> Table:
    """A table without lines; columns of numbers are whole and right-aligned, words wrap.

    columns: the head of each, and whether it holds numbers.
    """
    gap = 3 if width >= NARROW else 2
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="dim")
    for name, numbers in columns:
        if numbers:
            table.add_column(name, justify="right", no_wrap=True)
        else:
            table.add_column(name, overflow="fold")
    return table


def label(text: str, *, indent: int = 0) -> Padding:
    """A label whose wrapped lines stay as far in as its first."""
    inside = len(text) - len(text.lstrip())
    return Padding(Text(one_line(text.strip())), (0, 0, 0, indent + inside))


def say(console: Console, head: Text, text: str) -> None:
    """A named sentence: on a terminal its further lines stand under the first, else one line."""
    body = one_line(text)
    whole = head.copy().append(body, style="default")
    if not console.is_terminal or whole.cell_len <= console.width:
        console.print(whole)
        return
    grid = Table.grid()
    grid.add_column(width=head.cell_len, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(head, Text(body))
    console.print(grid, soft_wrap=False)


def say_all(console: Console, lines: Iterable[str], *, indent: int = 2) -> None:
    """Sentences under each other, all as far in."""
    for line in lines:
        say(console, Text(" " * indent), line)
