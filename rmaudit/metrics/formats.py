"""Values of metrics as text: percent, points, plain scores, log odds, counts, seconds."""

from __future__ import annotations

from typing import NamedTuple

from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.spec import Format


class _Written(NamedTuple):
    """How numbers of one format are written; a share is multiplied by 100 first.

    value, end, change: format specifications of a value, of an end of its interval, and of a
    difference. unit, change_unit: what follows a value, and a difference; an interval has none.
    """

    value: str
    end: str
    change: str
    unit: str = ""
    change_unit: str = ""
    scale: float = 1.0


_WRITTEN: dict[Format, _Written] = {
    "percent": _Written(".1f", ".1f", "+.1f", " %", " pt", 100.0),
    "points": _Written("+.1f", "+.1f", "+.1f", " pt", " pt", 100.0),
    "plain": _Written(".3f", ".3f", "+.3f"),
    "log_odds": _Written("+.2f", "+.2f", "+.2f"),
    "count": _Written(",.0f", ",.0f", "+,.0f"),
    "seconds": _Written(".1f", ".1f", "+.1f", " s", " s"),
}


def format_of(key: str) -> Format:
    """The format of a metric; one that is not known is taken for a share."""
    return REGISTRY[key].format if key in REGISTRY else "percent"


def show(key: str, value: float | None) -> str:
    """A value in the unit that a reader expects; `n/a` for none."""
    if value is None:
        return "n/a"
    written = _WRITTEN[format_of(key)]
    return f"{written.scale * value:{written.value}}{written.unit}"


def show_interval(key: str, low: float, high: float) -> str:
    """An interval without its unit: `12.0 – 20.5`."""
    written = _WRITTEN[format_of(key)]
    return " – ".join(f"{written.scale * end:{written.end}}" for end in (low, high))


def show_change(key: str, difference: float) -> str:
    """A difference with its sign, in percentage points or the metric's own unit."""
    written = _WRITTEN[format_of(key)]
    return f"{written.scale * difference:{written.change}}{written.change_unit}"


def show_change_interval(key: str, low: float, high: float) -> str:
    """The interval of a difference, without its unit: `-1.0 to +2.5`."""
    written = _WRITTEN[format_of(key)]
    return " to ".join(f"{written.scale * end:{written.change}}" for end in (low, high))


def is_share(key: str) -> bool:
    """Whether values lie on a scale from 0 to 1, or -1 to 1, so that they can be drawn on it."""
    return format_of(key) in ("percent", "points", "plain")
