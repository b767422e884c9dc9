"""Renders the prompt that asks a generative reward model for reasons and a verdict.

The fixed instructions come first, so that all prompts of a run share one prefix. Response A is
always the response that is shown first.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal, NamedTuple

import jinja2

from rmaudit.checklists.schema import Item, Turn
from rmaudit.resources import folder

GENERIC_PAIRWISE = "generic_pairwise"
OWN_WORDS = "own_words_pairwise"
GENERIC_POINTWISE = "generic_pointwise"
ALONE = "own_words_pointwise"
IN_OUR_WORDS = (OWN_WORDS, ALONE)
PRINCIPLE = "principle_role"
NOT_TRAINED_ON = "not the prompt this model was trained on"
"""What is said wherever a family is asked with `OWN_WORDS` in place of its published prompt."""
IN_PLACE = "in_place_of_published"
"""What a run calls any other template with which a family was asked, so that it is seen there."""
ROLES = "response_roles"
GUIDED = "guided"
_MARKS = re.compile(r"\[/?(?:Request|Response A|Response B)\]")


def not_trained_on(templates: Iterable[str]) -> bool:
    """Whether a run with templates of these names asked a family by another than its prompt."""
    return not {*IN_OUR_WORDS, IN_PLACE}.isdisjoint(templates)


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
    first, second = _in_order(item, order)
    texts, counts = zip(
        *(neutralise(text, _MARKS) for text in (flatten(item.prompt), first, second)), strict=True
    )
    content = render(
        GENERIC_PAIRWISE, request=texts[0], first=texts[1], second=texts[2], max_reasons=max_reasons
    )
    return Prompt(_guided(content, guidelines, _MARKS), sum(counts))


class PromptWords(NamedTuple):
    """What a prompt in our words asks for in place of a family's published one.

    noun, a, b: how the responses are called, such as Assistant 1. reasons, verdict: what to write,
    and in which form to decide.
    """

    noun: str
    a: str
    b: str
    reasons: str
    verdict: str


def own_words_template(asked: PromptWords, name: str = OWN_WORDS) -> Template:
    """The template of such a prompt; its hash covers what is asked."""
    source = load_template(name).source
    for field, text in asked._asdict().items():
        source = source.replace(f"{{{{ {field} }}}}", text)
    return Template(name, source, hashlib.sha256(source.encode()).hexdigest())


def own_words(
    item: Item, asked: PromptWords, *, order: Literal["ab", "ba"], guidelines: Sequence[str] = ()
) -> Prompt:
    """The prompt of a family's profile, in our words."""
    called = "|".join(f"{re.escape(asked.noun)} {re.escape(side)}" for side in (asked.a, asked.b))
    marks = re.compile(rf"\[/?(?:Request|{called})\]")
    first, second = _in_order(item, order)
    texts, counts = zip(
        *(neutralise(text, marks) for text in (flatten(item.prompt), first, second)), strict=True
    )
    content = render(
        OWN_WORDS, request=texts[0], first=texts[1], second=texts[2], **asked._asdict()
    )
    return Prompt(_guided(content, guidelines, marks), sum(counts))


def alone(
    item: Item,
    asked: PromptWords | None,
    *,
    side: Literal["a", "b"],
    max_reasons: int,
    guidelines: Sequence[str] = (),
) -> Prompt:
    """The prompt about one response, without the other; the generic one where nothing is asked."""
    noun = asked.noun if asked else "Response"
    marks = re.compile(rf"\[/?(?:Request|{re.escape(noun)})\]")
    texts, counts = zip(
        *(neutralise(text, marks) for text in (flatten(item.prompt), item.response(side))),
        strict=True,
    )
    shown = {"request": texts[0], "response": texts[1]}
    if asked is None:
        content = render(GENERIC_POINTWISE, **shown, max_reasons=max_reasons)
    else:
        content = render(ALONE, **shown, **asked._asdict())
    return Prompt(_guided(content, guidelines, marks), sum(counts))


def principle_role(item: Item, *, side: Literal["a", "b"]) -> Prompt:
    """The conversation with one response, then what it should fulfil in a chat role of its own."""
    turns = [{"role": turn.role, "content": turn.content} for turn in item.prompt]
    response = {"role": "assistant", "content": item.response(side)}
    principle = {"role": "principle", "content": render(PRINCIPLE).strip()}
    return Prompt((*turns, response, principle), 0)


def response_roles(item: Item, *, order: Literal["ab", "ba"]) -> Prompt:
    """The conversation, then the responses in chat roles of their own.

    The words around them are those of the checkpoint's own chat template.
    """
    turns = [{"role": turn.role, "content": turn.content} for turn in item.prompt]
    shown = zip(("response_1", "response_2"), _in_order(item, order), strict=True)
    return Prompt((*turns, *({"role": role, "content": text} for role, text in shown)), 0)


def _in_order(item: Item, order: Literal["ab", "ba"]) -> tuple[str, str]:
    shown = (item.response_a, item.response_b)
    return shown if order == "ab" else shown[::-1]


def _guided(
    content: str, guidelines: Sequence[str], marks: re.Pattern[str]
) -> tuple[dict[str, str], ...]:
    """One user turn with the guidelines before the prompt, if any."""
    if guidelines:
        # One line each, and none can pose as a part of the prompt.
        lines = [neutralise(" ".join(line.split()), marks)[0] for line in guidelines]
        content = f"{render(GUIDED, guidelines=lines)}\n\n{content}"
    return ({"role": "user", "content": content},)


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
