"""From overlooked faults to guidelines: in words of the judge's model if it has one, else ours."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from rmaudit.checklists.schema import Item
from rmaudit.fix.prompt_arm.guidelines import MOST, WORDS, Leaks, Missed, examples, worded
from rmaudit.judging.answers import Malformed, after_thinking, only_value
from rmaudit.judging.asker import Question, Read
from rmaudit.judging.llm import LlmJudge
from rmaudit.judging.metajudge import Judge
from rmaudit.judging.metajudge_prompt import MARKS
from rmaudit.models.profiles import LONGEST_GUIDELINE
from rmaudit.prompts import Prompt, neutralise, render

NAME = "distil"
KEY = "guidelines"
EXAMPLES = 60
OWN = "rmaudit"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        KEY: {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MOST}
    },
    "required": [KEY],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Distilled:
    """Guidelines and who worded them: a judge's SPEC, or OWN.

    refused: of the model's, each with why. failure: why the model gave none, None if it did.
    """

    guidelines: tuple[str, ...]
    by: str
    refused: tuple[tuple[str, str], ...] = ()
    failure: str | None = None


def distil(found: Sequence[Missed], judge: Judge, read: Sequence[Item]) -> Distilled:
    """Guidelines for the faults that were overlooked.

    Args:
        found: at least one.
        judge: its model words them, where it is a language model.
        read: the items that the faults come from; no detail of theirs may be in a guideline.
    """
    own = tuple(worded(found))
    if not isinstance(judge, LlmJudge):
        return Distilled(own, OWN)
    with closing(judge.asker.ask([question(found)])) as replies:
        reply = next(iter(replies))
    if reply.value is None:
        return Distilled(own, OWN, failure=reply.failure)
    kept, refused = sifted(reply.value, read)
    if not kept:
        return Distilled(own, OWN, refused, failure="none of its guidelines is general")
    return Distilled(kept, judge.asker.spec, refused)


def question(found: Sequence[Missed]) -> Question[str, tuple[str, ...]]:
    """What the model is asked."""
    faults, count = [], 0
    for one in examples(found, most=EXAMPLES):
        # One line each: no text can pose as a part of the prompt.
        text, hidden = neutralise(" ".join(one.reason.text.split()), MARKS)
        faults.append({"domain": " ".join(one.item.domain.split()), "text": text})
        count += hidden
    content = render(NAME, faults=faults, most=MOST, words=WORDS)
    return Question(NAME, Prompt(({"role": "user", "content": content},), count), SCHEMA, _read)


def sifted(
    given: Sequence[str], read: Sequence[Item]
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Guidelines that are general, and those that are not, each with why."""
    leaks = Leaks(read)
    kept: list[str] = []
    refused = []
    for line in given:
        text = " ".join(line.split())
        why = leaks.why(text)
        if len(text) > LONGEST_GUIDELINE or len(text.split()) > 2 * WORDS:
            why = "it is too long"
        if text.casefold() in (one.casefold() for one in kept):
            why = "it comes twice"
        if len(kept) == MOST:
            why = f"there are {MOST} already"
        if why:
            refused.append((text, why))
        elif text:
            kept.append(text)
    return tuple(kept), tuple(refused)


def _read(text: str) -> Read[tuple[str, ...]]:
    found = only_value(after_thinking(text), _lines, key=KEY)
    if found is None:
        raise Malformed("it holds no guidelines")
    return Read(found)


def _lines(value: object) -> tuple[str, ...] | None:
    lines = value.get(KEY) if isinstance(value, dict) else None
    if not isinstance(lines, list) or not lines or not all(isinstance(one, str) for one in lines):
        return None
    return tuple(lines)
