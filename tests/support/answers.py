"""Answers in the format that the prompt asks for, and files of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from rmaudit.checklists.schema import Item


def answer(reasons: Iterable[str], verdict: str) -> str:
    """An answer in the format that the prompt asks for."""
    lines = [f"{number}. {reason}" for number, reason in enumerate(reasons, start=1)]
    return "\n".join([*lines, rf"\boxed{{{verdict}}}"])


def swap_names(text: str) -> str:
    """Response A and Response B exchanged, as in the order ba."""
    return (
        text.replace("Response A", "Response ?")
        .replace("Response B", "Response A")
        .replace("Response ?", "Response B")
    )


def ideal_answer(item: Item, order: str) -> str:
    """The references as reasons and the right verdict, in the coordinates of the order."""
    reasons = [reason.text for reason in item.reasons]
    better = {"a": "A>B", "b": "B>A", "tie": "A=B"}[item.label]
    if order == "ba":
        reasons = [swap_names(reason) for reason in reasons]
        better = {"A>B": "B>A", "B>A": "A>B"}.get(better, better)
    return answer(reasons, better)


def write_replay(path: Path, rows: Iterable[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def ideal_replay(path: Path, items: Iterable[Item]) -> Path:
    """A file of perfect answers in both orders."""
    return write_replay(
        path,
        (
            {"item": item.id, "order": order, "text": ideal_answer(item, order)}
            for item in items
            for order in ("ab", "ba")
        ),
    )
