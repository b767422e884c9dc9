"""The texts of a run: how long they are at once, the words only of the items that are shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from rmaudit.errors import InputError
from rmaudit.records import Generation, Judgment, Key, LabelSet, MatchSet
from rmaudit.report.data import RunData
from rmaudit.run.files import FLAWS, GENERATIONS, MATCHES, SCORES, VERDICTS, RowFile
from rmaudit.run.halves import pair_of
from rmaudit.run.rows import LabelRow, MatchRow, ScoreRow, VerdictRow

_JUDGMENT, _REASON = 700, 80
"""Markup of a judgment and of each of its reasons, beside their texts."""
_Record = TypeVar("_Record")
_Keyed = TypeVar("_Keyed", Generation, ScoreRow, VerdictRow, MatchRow, LabelRow)


@dataclass(frozen=True, slots=True)
class Texts:
    """The rows of some items of one run, by key, in item coordinates but for the raw answers.

    A score-only model has scores, by response, and no generations.
    """

    generations: dict[Key, Generation]
    scores: dict[Key, ScoreRow]
    judgments: dict[Key, Judgment]
    matches: dict[Key, MatchSet]
    labels: dict[Key, LabelSet]


@dataclass(frozen=True, slots=True)
class Sizes:
    """About how many bytes the judgments and the raw answers of base rows take on a page."""

    judgments: dict[Key, int]
    answers: dict[Key, int]


def read_sizes(data: RunData) -> Sizes:
    """Those of all rows.

    Raises:
        InputError: a row file is damaged.
    """
    judgments = {
        row.key: sum(len(one.text) + _REASON for one in row.judgment.reasons) + _JUDGMENT
        for row in data.run.rows(VERDICTS)
        if row.key.variant == "base"
    }
    texts: dict[Key, int] = {}
    thoughts: dict[Key, int] = {}
    for row in data.run.rows(GENERATIONS):
        if row.key.variant == "base":
            pair = pair_of(row.key)
            before = texts[pair] + len(_BETWEEN) if pair in texts and pair != row.key else 0
            texts[pair] = before + len(_as_shown(row))
            thoughts[pair] = len(row.thinking or "")
    return Sizes(judgments, {key: size + thoughts[key] for key, size in texts.items()})


def read_texts(data: RunData, items: Collection[str]) -> Texts:
    """Reads answers, judgments, matchings and labels of the base rows of these items.

    Raises:
        InputError: a row file is damaged.
    """

    def base(file: RowFile[_Keyed]) -> dict[Key, _Keyed]:
        found: Iterable[_Keyed] = data.run.rows(file, of=items)
        return {
            row.key: row for row in found if row.key.variant == "base" and row.key.item in items
        }

    return Texts(
        generations=_as_pairs(base(GENERATIONS)),
        scores=base(SCORES),
        judgments={key: row.judgment for key, row in base(VERDICTS).items()},
        matches={key: row.matches for key, row in base(MATCHES).items()},
        labels={key: row.labels for key, row in base(FLAWS).items()},
    )


_BETWEEN = "\n\n"


def _as_shown(answer: Generation) -> str:
    """The text of an answer; one about a single response says so."""
    if pair_of(answer.key) == answer.key:
        return answer.text
    text = answer.error or answer.text
    return f"Response {answer.key.slot.upper()}, judged alone:\n{text}"


def _as_pairs(found: Mapping[Key, Generation]) -> dict[Key, Generation]:
    """Answers by the key of their verdict; two about single responses stand below each other."""
    shown: dict[Key, Generation] = {}
    for key, answer in found.items():
        pair = pair_of(key)
        if pair != key:
            text, before = _as_shown(answer), shown.get(pair)
            if before is not None:
                text = _BETWEEN.join(sorted((before.text, text)))
            answer = replace(answer, key=pair, text=text)
        shown[pair] = answer
    return shown


def row_at(rows: Mapping[Key, _Record], key: Key, *, data: RunData, file: RowFile[Any]) -> _Record:
    """The row of a key.

    Raises:
        InputError: the file lacks it, though the results speak of it.
    """
    if key not in rows:
        raise InputError(
            f"{data.run.path / file.name} lacks the row {'/'.join(map(str, key))}",
            "go on with the run: rmaudit scan ... --resume",
        )
    return rows[key]
