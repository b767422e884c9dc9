"""A rewording by a language model: other words, the same facts about the same responses.

What it wrote is checked, so that no new meaning slips in by what a program can see: numbers,
quotations and code, the points of a list and the side that each point speaks of first have to be
the same, and at least a third of the words has to be another. What fails is no rewording.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from rmaudit.judging.answers import Malformed, after_thinking, only_value
from rmaudit.judging.asker import Question, Read
from rmaudit.judging.metajudge_prompt import clean, closed
from rmaudit.parsing.sides import DEFAULT_NAMES, Names, sides_named
from rmaudit.probing.reword import POINT
from rmaudit.prompts import Prompt, Template, load_template, render
from rmaudit.records import About, Key
from rmaudit.text.masking import FILL, mask_quoted
from rmaudit.text.plain_words import plain_words, share_changed

NAME = "reword"
KEY = "reasons"
SCHEMA: dict[str, Any] = closed({KEY: {"type": "string"}})
LEAST_CHANGED = 1 / 3
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")


def template() -> Template:
    """The template of the prompt."""
    return load_template(NAME)


def question(key: Key, reasons: str, *, names: Names = DEFAULT_NAMES) -> Question[Key, str]:
    """What is asked for the reasons of one answer, as they stand in it."""
    text, count = clean(reasons.strip())
    prompt = Prompt(({"role": "user", "content": render(NAME, reasons=text)},), count)

    def read(answer: str) -> Read[str]:
        return Read(read_reworded(answer, reasons, names=names))

    return Question(key, prompt, SCHEMA, read)


def read_reworded(answer: str, reasons: str, *, names: Names = DEFAULT_NAMES) -> str:
    """The reasons in the words of an answer, in the space that they stood in.

    Raises:
        Malformed: it is no such answer, a fact is another, or the words are the same.
    """
    found = only_value(after_thinking(answer), _reasons_of, key=KEY)
    if found is None:
        raise Malformed("it holds no reasons")
    body = found.strip()
    if _facts(body) != _facts(reasons):
        raise Malformed("a number, a quotation or the code is not as it was")
    if _points(body, names) != _points(reasons, names):
        raise Malformed("its points are not those of the reasons, or speak of another response")
    if (share_changed(plain_words(reasons), plain_words(body)) or 0.0) < LEAST_CHANGED:
        raise Malformed("it keeps the words")
    start = len(reasons) - len(reasons.lstrip())
    return reasons[:start] + body + reasons[len(reasons.rstrip()) :]


def _reasons_of(value: object) -> str | None:
    found = value.get(KEY) if isinstance(value, dict) else None
    return found if isinstance(found, str) and found.strip() else None


def _facts(text: str) -> tuple[Counter[str], Counter[str]]:
    """Numbers, the marks of points left out, and what stands in quotation marks or code."""
    bare = POINT.sub("", text)
    masked = mask_quoted(bare)
    quoted = [bare[m.start() : m.end()] for m in re.finditer(rf"{FILL}+", masked)]
    return Counter(_NUMBER.findall(bare)), Counter(quoted)


def _points(text: str, names: Names) -> list[tuple[About, Counter[About]]]:
    """Of each point of the list, or of the whole text: the side it names first, and all sides."""
    starts = [match.end() for match in POINT.finditer(mask_quoted(text))] or [0]
    parts = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    named = [sides_named(part, names=names) for part in parts]
    return [(sides[0] if sides else None, Counter(sides)) for sides in named]
