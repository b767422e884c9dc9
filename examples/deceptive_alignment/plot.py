"""Curves as one SVG: a panel a measure, a line an arm, a band for its interval over seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, GAP = 300, 150, 34, 26, 24, 18
COLOURS = {"outcome": "#b3541e", "hybrid": "#1f6f8b", "rationale": "#6b4fa0"}
DASHES = {"outcome": "", "hybrid": "", "rationale": "5 3"}


class Point(NamedTuple):
    """A mean over seeds at an optimizer step, with its interval."""

    step: int
    mean: float
    low: float
    high: float


Panel = Mapping[str, Sequence[Point]]


def curves(panels: Mapping[str, Panel], *, last: int) -> str:
    """The drawing: panels two in a row, all on the axis from 0 to 1 and from step 0 to `last`."""
    rows = -(-len(panels) // 2)
    width = 2 * (LEFT + WIDTH) + GAP
    height = rows * (TOP + HEIGHT + BOTTOM) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="11" fill="#333">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for number, (title, panel) in enumerate(panels.items()):
        x = (number % 2) * (LEFT + WIDTH + GAP) + LEFT
        y = (number // 2) * (TOP + HEIGHT + BOTTOM) + TOP
        parts += _panel(title, panel, x, y, last)
    parts += _legend(next(iter(panels.values())), height - 10)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(title: str, panel: Panel, x: float, y: float, last: int) -> list[str]:
    def at(step: int, value: float) -> str:
        share = min(max(value, 0.0), 1.0)
        return f"{x + (WIDTH - 10) * step / last:.1f},{y + HEIGHT * (1 - share):.1f}"

    parts = [f'<text x="{x}" y="{y - 9}" font-weight="bold">{escape(title)}</text>']
    for tick in (0.0, 0.5, 1.0):
        level = y + HEIGHT * (1 - tick)
        parts.append(
            f'<path d="M{x},{level:.1f}H{x + WIDTH - 10}" stroke="#ddd"/>'
            f'<text x="{x - 5}" y="{level + 4:.1f}" text-anchor="end">{tick:g}</text>'
        )
    for step in (0, last // 2, last):
        place = x + (WIDTH - 10) * step / last
        parts.append(
            f'<text x="{place:.1f}" y="{y + HEIGHT + 14}" text-anchor="middle">{step}</text>'
        )
    for arm, points in panel.items():
        if not points:
            continue
        band = [at(one.step, one.high) for one in points]
        band += [at(one.step, one.low) for one in reversed(points)]
        line = " ".join(at(one.step, one.mean) for one in points)
        dash = f' stroke-dasharray="{DASHES[arm]}"' if DASHES[arm] else ""
        parts.append(f'<polygon points="{" ".join(band)}" fill="{COLOURS[arm]}" opacity="0.15"/>')
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{COLOURS[arm]}"{dash} '
            f'stroke-width="1.8"><title>{escape(arm)}</title></polyline>'
        )
    return parts


def _legend(arms: Panel, y: float) -> list[str]:
    parts = []
    for number, arm in enumerate(arms):
        x = LEFT + 130 * number
        dash = f' stroke-dasharray="{DASHES[arm]}"' if DASHES[arm] else ""
        parts.append(
            f'<path d="M{x},{y - 4}h24" stroke="{COLOURS[arm]}" stroke-width="2"{dash}/>'
            f'<text x="{x + 30}" y="{y}">{escape(arm)} reward</text>'
        )
    parts.append(f'<text x="{2 * (LEFT + WIDTH)}" y="{y}" text-anchor="end">optimizer steps</text>')
    return parts
