"""Records to and from the JSON lines of a run directory. `AGENTS.md` documents the files.

A row that lacks a field takes the record's default, so that a hand-made replay line needs only
`item`, `order` and `text`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple

from rmaudit.records import Edge, Generation, ItemResult, Judgment, Key, MatchSet, ModelReason

Row = dict[str, Any]


class VerdictRow(NamedTuple):
    """verdicts.jsonl: a judgment in item coordinates."""

    key: Key
    judgment: Judgment


class MatchRow(NamedTuple):
    """matches.jsonl: a row's matching, and its chance matrix against another item's references.

    `chance_item` is the item whose references were used, None where there was none to use.
    """

    key: Key
    matches: MatchSet
    chance_item: str | None = None
    chance: tuple[tuple[float, ...], ...] | None = None


def key_of(row: Mapping[str, Any]) -> Key:
    """The key of any row; absent parts take their defaults.

    Raises:
        KeyError: the row names no item.
        ValueError: a part has a value that no row can have.
    """
    key = Key(
        item=row["item"],
        variant=row.get("variant", "base"),
        slot=row.get("slot", "pair"),
        order=row.get("order", "ab" if row.get("slot", "pair") == "pair" else None),
        sample=row.get("sample", 0),
    )
    if not isinstance(key.item, str):
        raise ValueError("item must be text")
    if key.slot not in ("pair", "a", "b"):
        raise ValueError("slot must be pair, a or b")
    if key.order not in ("ab", "ba", None):
        raise ValueError("order must be ab, ba or null")
    if not isinstance(key.sample, int) or isinstance(key.sample, bool) or key.sample < 0:
        raise ValueError("sample must be a whole number from 0")
    if not isinstance(key.variant, str):
        raise ValueError("variant must be text")
    return key


def generation_row(generation: Generation) -> Row:
    """One line of generations.jsonl."""
    row = dataclasses.asdict(generation)
    return {**row.pop("key")._asdict(), **row}


def generation_of(row: Row) -> Generation:
    """The generation of a line.

    Raises:
        KeyError: `item` or `text` is missing.
        ValueError: a field has a value that it cannot have.
    """
    text, finish = row["text"], row.get("finish_reason", "stop")
    if not isinstance(text, str):
        raise ValueError("text must be text")
    if finish not in ("stop", "length", "error"):
        raise ValueError("finish_reason must be stop, length or error")
    return Generation(
        key=key_of(row),
        text=text,
        finish_reason=finish,
        thinking=row.get("thinking"),
        tokens_in=row.get("tokens_in"),
        tokens_out=row.get("tokens_out"),
        seconds=row.get("seconds"),
        error=row.get("error"),
    )


def verdict_row(row: VerdictRow) -> Row:
    """One line of verdicts.jsonl."""
    judgment = row.judgment
    reasons = [
        {"text": reason.text, "about": reason.about}
        | ({"ambiguous": True} if reason.ambiguous else {})
        for reason in judgment.reasons
    ]
    return {
        **row.key._asdict(),
        "verdict": judgment.verdict,
        "strength": judgment.strength,
        "outcome": judgment.outcome,
        "flags": list(judgment.flags),
        "reasons": reasons,
    }


def verdict_of(row: Row) -> VerdictRow:
    """The judgment of a line."""
    reasons = tuple(
        ModelReason(reason["text"], reason["about"], reason.get("ambiguous", False))
        for reason in row["reasons"]
    )
    judgment = Judgment(
        row["verdict"], row["outcome"], reasons, row["strength"], tuple(row["flags"])
    )
    return VerdictRow(key_of(row), judgment)


def match_row(row: MatchRow) -> Row:
    """One line of matches.jsonl; `assignment` lists [reference, reason, score]."""
    return {
        **row.key._asdict(),
        "matrix": row.matches.matrix,
        "assignment": [list(edge) for edge in row.matches.edges],
        "raw": row.matches.raw,
        "failure": row.matches.failure,
        "chance_item": row.chance_item,
        "chance_matrix": row.chance,
    }


def match_of(row: Row) -> MatchRow:
    """The matching of a line."""
    edges = tuple(Edge(int(ref), int(reason), score) for ref, reason, score in row["assignment"])
    matches = MatchSet(_grid(row["matrix"]), edges, row["raw"], row["failure"])
    chance = row["chance_matrix"]
    return MatchRow(
        key_of(row), matches, row["chance_item"], None if chance is None else _grid(chance)
    )


def result_row(result: ItemResult) -> Row:
    """One line of results.jsonl."""
    return dataclasses.asdict(result)


def _grid(matrix: list[list[float]]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(line) for line in matrix)
