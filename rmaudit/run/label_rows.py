"""Labels of reasons to and from flaws.jsonl, one line an answer. `AGENTS.md` documents the file."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from rmaudit.records import Key, LabelSet, ReasonLabel
from rmaudit.run.rows import NO_USE, JudgeUse, Row, key_of
from rmaudit.taxonomy import CATEGORY_NAMES, FLAW_NAMES, GOLD, TESTED

T = TypeVar("T")


class LabelRow(NamedTuple):
    """flaws.jsonl: the labels of one answer's reasons, and what they cost."""

    key: Key
    labels: LabelSet
    use: JudgeUse = NO_USE


def label_row(row: LabelRow) -> Row:
    """One line of flaws.jsonl; what only a model has stands there where there is something."""
    labels = row.labels
    return {
        **row.key._asdict(),
        "labels": [{"category": one.category, "flaws": list(one.flaws)} for one in labels.labels],
        "tested": list(labels.tested),
        "gold": labels.gold,
        "raw": labels.raw,
        "failure": labels.failure,
        **{name: value for name, value in row.use._asdict().items() if value},
    }


def label_of(row: Row) -> LabelRow:
    """The labels of a line.

    Raises:
        KeyError: `item` or `labels` is missing.
        ValueError: a field has a value that it cannot have.
    """
    labels = tuple(
        ReasonLabel(
            _one_of(one["category"], (*CATEGORY_NAMES, None)), _some_of(one["flaws"], FLAW_NAMES)
        )
        for one in row["labels"]
    )
    found = LabelSet(
        labels,
        _some_of(row["tested"], TESTED),
        _one_of(row.get("gold"), (*GOLD, None)),
        row.get("raw"),
        row.get("failure"),
    )
    use = JudgeUse(**{name: row[name] for name in JudgeUse._fields if name in row})
    return LabelRow(key_of(row), found, use)


def _one_of(value: object, allowed: tuple[T, ...]) -> T:
    for one in allowed:
        if value == one and type(value) is type(one):
            return one
    raise ValueError(f"{value!r} is none of {', '.join(map(str, allowed))}")


def _some_of(values: list[object], allowed: tuple[T, ...]) -> tuple[T, ...]:
    """Each once, in the order of `allowed`."""
    if not values:
        return ()
    found = {_one_of(value, allowed) for value in values}
    return tuple(one for one in allowed if one in found)
