"""By which faults a score moves: reason sensitivity by kind of fault and by family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rmaudit.escaping import cell
from rmaudit.metrics.parts import OF_FAULTS, PartLine, by_family, by_fault
from rmaudit.report.lines import LineSource, MetricLine, line


class PartView(NamedTuple):
    """One kind of fault, or one family: reason sensitivity in each run that measured it."""

    what: str
    name: str
    lines: tuple[MetricLine, ...]


def part_views(sources: Sequence[LineSource]) -> tuple[PartView, ...]:
    """Kinds of faults, from the one that the first run follows best, then families."""
    found: dict[str, PartView] = {}
    for what, of in (("fault", by_fault), ("family", by_family)):
        for source in sources:
            for part in of(source.data.parts):
                before = found.get(part.name, PartView(what, part.words, ()))
                lines = (*before.lines, _line(source, part))
                found[part.name] = before._replace(lines=lines)
    return tuple(sorted(found.values(), key=lambda one: one.what == "family"))


def _line(source: LineSource, part: PartLine) -> MetricLine:
    return line(OF_FAULTS[0], source.head, {OF_FAULTS[0]: part.metric}, brief=True)


def markdown_parts(views: Sequence[PartView], *, several: bool) -> Iterator[str]:
    """The same as a table; nothing where nothing was measured."""
    if not views:
        return
    heads = ["reason sensitivity of", *(["run"] if several else []), "value", "95 % interval", "n"]
    yield from ("", f"| {' | '.join(heads)} |", "|" + "---|" * len(heads))
    for one in views:
        for shown in one.lines:
            run = [shown.run.name] if several else []
            cells = [f"{one.what} {one.name}", *run, shown.value, shown.interval, shown.n]
            yield f"| {' | '.join(map(cell, cells))} |"
