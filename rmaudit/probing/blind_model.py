"""What a language model is asked that infers the winner from the reasons alone, and what it says.

It sees neither the request nor the responses nor the verdict; Response A is response_a of the item,
whatever was shown first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rmaudit.judging.answers import Malformed, after_thinking, only_value
from rmaudit.judging.asker import Question, Read
from rmaudit.judging.metajudge_prompt import MARKS, SIDES
from rmaudit.prompts import Prompt, Template, load_template, neutralise, render
from rmaudit.records import Key, ModelReason, Side

NAME = "blind"
KEY = "winner"
UNCLEAR = "unclear"
WINNERS: dict[str, Side | None] = {"A": "a", "B": "b", UNCLEAR: None}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {KEY: {"enum": list(WINNERS)}},
    "required": [KEY],
    "additionalProperties": False,
}


def template() -> Template:
    """The template of the prompt."""
    return load_template(NAME)


def question(key: Key, reasons: Sequence[ModelReason]) -> Question[Key, Side | None]:
    """What is asked for one answer; `reasons` in item coordinates, at least one."""
    entries, count = [], 0
    for reason in reasons:
        # One line each: no text can pose as another reason.
        text, found = neutralise(" ".join(reason.text.split()), MARKS)
        entries.append({"about": SIDES[reason.about], "text": text})
        count += found
    content = render(NAME, reasons=entries)
    return Question(key, Prompt(({"role": "user", "content": content},), count), SCHEMA, _read)


def read_winner(text: str) -> Side | None:
    """The side that an answer names, None where it finds the reasons unclear.

    Raises:
        Malformed: it is no such answer.
    """
    found = only_value(after_thinking(text), _named, key=KEY)
    if found is None:
        raise Malformed("it names no winner")
    return WINNERS[found]


def _named(value: object) -> str | None:
    named = value.get(KEY) if isinstance(value, dict) else None
    if not isinstance(named, str):
        return None
    named = named.strip().removeprefix("Response ")
    if named not in WINNERS:
        raise Malformed("it names a winner that there is none of")
    return named


def _read(text: str) -> Read[Side | None]:
    return Read(read_winner(text))
