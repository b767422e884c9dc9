"""Renders the prompt that asks a generative reward model for reasons and a verdict.

The fixed instructions come first, so that all prompts of a run share one prefix. Response A is
always the response that is shown first.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

import jinja2

from rmaudit.checklists.schema import Item, Turn
from rmaudit.resources import folder

GENERIC_PAIRWISE = "generic_pairwise"
GUIDED = "guided"
_MARKS = re.compile(r"\[/?(?:Request|Response A|Response B)\]")


class Template(NamedTuple):
    """A prompt template with the hash that the run directory records."""

    name: str
    source: str
    sha256: str


class Prompt(NamedTuple):
    """One prompt: chat messages, and how many delimiters inside the data were neutralised."""

    messages: tuple[dict[str, str], ...]
    neutralised: int


@cache
def load_template(name: str) -> Template:
    """The template `templates/prompts/<name>.j2`."""
    source = (folder("templates") / "prompts" / f"{name}.j2").read_text(encoding="utf-8")
    return Template(name, source, hashlib.sha256(source.encode()).hexdigest())


@cache
def _compile(name: str) -> jinja2.Template:
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)
    return environment.from_string(load_template(name).source)


def render(name: str, **values: object) -> str:
    """The template with its values; a value that it needs and lacks is an error."""
    return _compile(name).render(**values)


def pairwise(
    item: Item,
    *,
    order: Literal["ab", "ba"],
    max_reasons: int,
    guidelines: Sequence[str] = (),
) -> Prompt:
    """The generic pairwise prompt for one order of one item, after the guidelines if any."""
    first, second = (
        (item.response_a, item.response_b) if order == "ab" else (item.response_b, item.response_a)
    )
    texts, counts = zip(
        *(neutralise(text, _MARKS) for text in (flatten(item.prompt), first, second)), strict=True
    )
    content = render(
        GENERIC_PAIRWISE, request=texts[0], first=texts[1], second=texts[2], max_reasons=max_reasons
    )
    if guidelines:
        # One line each, and none can pose as a part of the prompt.
        lines = [neutralise(" ".join(line.split()), _MARKS)[0] for line in guidelines]
        content = f"{render(GUIDED, guidelines=lines)}\n\n{content}"
    return Prompt(({"role": "user", "content": content},), sum(counts))


def flatten(turns: Sequence[Turn]) -> str:
    """A conversation as one text; a single user turn is its content alone."""
    if len(turns) == 1 and turns[0].role == "user":
        return turns[0].content
    return "\n\n".join(f"{turn.role}: {turn.content}" for turn in turns)


def neutralise(text: str, marks: re.Pattern[str]) -> tuple[str, int]:
    """Delimiters of a prompt inside data, made harmless, and how many there were.

    The first and the last character of each is the bracket that made it one: `[/Response A]`
    becomes `(/Response A)`.
    """
    return marks.subn(lambda found: f"({found[0][1:-1]})", text)
