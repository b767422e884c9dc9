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
_GENERATION = tuple(field.name for field in dataclasses.fields(Generation) if field.name != "key")


class VerdictRow(NamedTuple):
    """verdicts.jsonl: a judgment in item coordinates."""

    key: Key
    judgment: Judgment


class JudgeUse(NamedTuple):
    """What a judge's answers cost and how they came.

    calls: model calls, repeated ones included. retries: calls repeated since the first answer was
    cut or malformed. snapped: scores moved onto the grid. cached: taken from an earlier run, so no
    independent evidence.
    """

    calls: int = 0
    retries: int = 0
    snapped: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached: bool = False

    def plus(self, other: JudgeUse) -> JudgeUse:
        """Both together."""
        return JudgeUse(
            self.calls + other.calls,
            self.retries + other.retries,
            self.snapped + other.snapped,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.cached or other.cached,
        )


NO_USE = JudgeUse()


class MatchRow(NamedTuple):
    """matches.jsonl: a row's matching, and its chance matrix against another item's references.

    `chance_item` is the item whose references were used, None where there was none to use;
    `chance_failure` is why there is no chance matrix then. `human` is a person's matrix of the
    row, from a spot check of the judge; None where nobody looked.
    """

    key: Key
    matches: MatchSet
    chance_item: str | None = None
    chance: tuple[tuple[float, ...], ...] | None = None
    chance_raw: str | None = None
    chance_failure: str | None = None
    use: JudgeUse = NO_USE
    human: tuple[tuple[float, ...], ...] | None = None


class ScoreRow(NamedTuple):
    """scores.jsonl: what a score-only model gave one response, raw; the key has its slot.

    `by_order` holds the score from each order that the pair was scored in, where that is known.
    """

    key: Key
    score: float
    by_order: dict[str, float]


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
    return {
        **generation.key._asdict(),
        **{name: getattr(generation, name) for name in _GENERATION},
    }


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


def score_row(row: ScoreRow) -> Row:
    """One line of scores.jsonl."""
    return {**row.key._asdict(), "score": row.score, "by_order": row.by_order}


def score_of(row: Row) -> ScoreRow:
    """The score of a line."""
    return ScoreRow(key_of(row), row["score"], row["by_order"])


def match_row(row: MatchRow) -> Row:
    """One line of matches.jsonl; `assignment` lists [reference, reason, score].

    What only a model as judge or a spot check has stands there where there is something to say.
    """
    of_some = {
        "chance_raw": row.chance_raw,
        "chance_failure": row.chance_failure,
        **row.use._asdict(),
        "human_matrix": row.human,
    }
    return {
        **row.key._asdict(),
        "matrix": row.matches.matrix,
        "assignment": [list(edge) for edge in row.matches.edges],
        "raw": row.matches.raw,
        "failure": row.matches.failure,
        "chance_item": row.chance_item,
        "chance_matrix": row.chance,
        **{name: value for name, value in of_some.items() if value},
    }


def match_of(row: Row) -> MatchRow:
    """The matching of a line."""
    edges = tuple(Edge(int(ref), int(reason), score) for ref, reason, score in row["assignment"])
    matches = MatchSet(_grid(row["matrix"]), edges, row["raw"], row["failure"])
    chance = row["chance_matrix"]
    return MatchRow(
        key_of(row),
        matches,
        row["chance_item"],
        None if chance is None else _grid(chance),
        row.get("chance_raw"),
        row.get("chance_failure"),
        JudgeUse(**{name: row[name] for name in JudgeUse._fields if name in row}),
        _grid(row["human_matrix"]) if row.get("human_matrix") else None,
    )


def result_row(result: ItemResult) -> Row:
    """One line of results.jsonl."""
    return dataclasses.asdict(result)


def _grid(matrix: list[list[float]]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(line) for line in matrix)
