"""Reads an LLM judge's answer into the n x m matrix of scores; what is not readable is malformed.

The answer is the text after the thinking: JSON, anywhere in it and once, since of two lists that
differ one may be quoted; else lines such as `R1 S2 0.75` or `none` on the last line. A readable
answer lists pairs; a pair that it leaves out scores 0. Nothing else makes a 0: an answer that is
not understood in full is malformed, a failure of the judge. A pair listed twice counts with its
lower score, so that repetition never pays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rmaudit.judging.answers import Malformed, after_thinking, numbered, only_value
from rmaudit.metrics.matching import snap_to_grid
from rmaudit.taxonomy import CLAIMS

Matrix = tuple[tuple[float, ...], ...]
Claims = tuple[bool | None, ...] | None
Pair = tuple[int, int, float]
"""Reference and reason, counted from 1, and the score."""


class JudgedMatrix(NamedTuple):
    """The matrix on the grid, and how many scores had to be moved onto it.

    claims: of each reason, whether it is true of the responses, None where that is undecidable;
    None where the answer does not say it of every reason once.
    """

    matrix: Matrix
    snapped: int
    claims: Claims = None


def read_matrix(text: str, *, n_refs: int, n_reasons: int) -> JudgedMatrix:
    """The [n_refs, n_reasons] matrix that the answer `text` gives.

    Raises:
        Malformed: nothing readable, a reference or reason that is not there, or a score that is
            no number from 0 to 1.
    """
    answer = after_thinking(text)
    listed = only_value(answer, _list_of_pairs, key="pairs")
    pairs = _line_pairs(answer) if listed is None else [_pair(entry) for entry in listed]
    scores: dict[tuple[int, int], float] = {}
    for ref, reason, score in pairs:
        if not (1 <= ref <= n_refs and 1 <= reason <= n_reasons):
            raise Malformed("it names a reference or reason that is not there")
        if not 0 <= score <= 1:
            raise Malformed("a score is not from 0 to 1")
        place = ref - 1, reason - 1
        scores[place] = min(score, scores.get(place, score))
    (on_grid,), snapped = snap_to_grid([tuple(scores.values())])
    levels = dict(zip(scores, on_grid, strict=True))
    matrix = tuple(
        tuple(levels.get((ref, reason), 0.0) for reason in range(n_reasons))
        for ref in range(n_refs)
    )
    return JudgedMatrix(matrix, snapped, _claims(answer, n_reasons))


def _claims(answer: str, n_reasons: int) -> Claims:
    """What the answer says of each reason; the matrix stands where that cannot be read."""
    try:
        listed = only_value(answer, _list_of_claims, key="claims")
        said = _line_claims(answer) if listed is None else [_claim(entry) for entry in listed]
    except Malformed:
        return None
    by_number = dict(said)
    if len(said) != n_reasons or sorted(by_number) != list(range(1, n_reasons + 1)):
        return None
    return tuple(by_number[number] for number in range(1, n_reasons + 1))


def _list_of_claims(value: object) -> list[object] | None:
    if isinstance(value, dict) and isinstance(value.get("claims"), list):
        return list(value["claims"])
    return None


def _claim(entry: object) -> tuple[int, bool | None]:
    if not isinstance(entry, dict) or not entry.keys() >= {"s", "claim"}:
        raise Malformed("a claim lacks s or claim")
    told = entry["claim"]
    word = str(told).strip().lower() if isinstance(told, bool | str) else ""
    if word not in CLAIMS:
        raise Malformed("a claim is neither true nor false nor undecidable")
    return numbered(entry["s"], "S"), CLAIMS[word]


_CLAIM_LINE = re.compile(r"[\W_]*S([0-9]{1,4})[\W_]+(true|false|undecidable)[\W_]*", re.IGNORECASE)


def _line_claims(answer: str) -> list[tuple[int, bool | None]]:
    found = (_CLAIM_LINE.fullmatch(line) for line in answer.splitlines())
    return [(int(one[1]), CLAIMS[one[2].lower()]) for one in found if one]


def _list_of_pairs(value: object) -> list[object] | None:
    if isinstance(value, dict) and isinstance(value.get("pairs"), list):
        return list(value["pairs"])
    if isinstance(value, list) and value and all(_looks_like_pair(entry) for entry in value):
        return value
    return None


def _looks_like_pair(entry: object) -> bool:
    return isinstance(entry, dict) and entry.keys() >= {"r", "s", "score"}


def _pair(entry: object) -> Pair:
    if not isinstance(entry, dict) or not entry.keys() >= {"r", "s", "score"}:
        raise Malformed("a pair lacks r, s or score")
    score = entry["score"]
    if not isinstance(score, int | float) or isinstance(score, bool):
        raise Malformed("a score is not a number")
    return numbered(entry["r"], "R"), numbered(entry["s"], "S"), score


_LINE = re.compile(r"[\W_]*R([0-9]{1,4})[\W_]*S([0-9]{1,4})\b(.*)")
_SCORE = re.compile(r"[\s:=,|>→–—@*-]*?(-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))[\s.,;)|*]*")
_NONE = re.compile(r"[\W_]*none[\W_]*", re.IGNORECASE)


def _line_pairs(answer: str) -> list[Pair]:
    """Pairs of the lines that begin with a reference and a reason."""
    lines = [
        line
        for line in answer.splitlines()
        if line.strip().strip("`~").strip() and not _CLAIM_LINE.fullmatch(line)
    ]
    pairs = list(_read_lines(lines))
    if not pairs and not (lines and _NONE.fullmatch(lines[-1])):
        raise Malformed("it holds no list of pairs")
    return pairs


def _read_lines(lines: Iterable[str]) -> Iterator[Pair]:
    for line in lines:
        if start := _LINE.match(line):
            score = _SCORE.fullmatch(start[3])
            if score is None:
                raise Malformed("a line names a pair and gives no readable score")
            yield int(start[1]), int(start[2]), float(score[1])
