"""A prompt as text with places for the data: a user's, or a published one that was fetched.

A place is `{request}`, `{first}`, `{second}` or `{max_reasons}`, and nothing else in braces is one:
`first` is the response shown first. A prompt about one response has `{response}` in their place. A
published prompt names its places in its own way and may escape other braces; `canonical` turns it
into this form. The text goes to the model as it stands, and so do the data, which is what the code
of its authors does.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from rmaudit.checklists.schema import Item
from rmaudit.prompts import GUIDED, Prompt, Template, flatten, render

PUBLISHED, OF_USER = "published", "user_prompt"
"""What a run calls the template of a fetched prompt, and that of a user's file."""
LONGEST = 100_000
Place = Literal["request", "first", "second", "response", "max_reasons"]
Braces = Literal["plain", "format", "jinja"]
"""`plain`: a place is its name in braces, and all other braces are text. `format`: as Python's
str.format, so that {{ is one brace. `jinja`: a place is its name in two braces."""
NEEDED: tuple[Place, ...] = ("request", "first", "second")
NEEDED_ALONE: tuple[Place, ...] = ("request", "response")
OUR_NAMES: dict[str, Place] = {
    "request": "request",
    "first": "first",
    "second": "second",
    "response": "response",
    "max_reasons": "max_reasons",
}
_PLACE = re.compile(r"\{(request|first|second|response|max_reasons)\}")
_NAME = r"[A-Za-z_]\w*"
_OF = {
    "plain": re.compile(rf"\{{(?P<name>{_NAME})\}}"),
    "format": re.compile(rf"(?P<brace>\{{\{{|\}}\}})|\{{(?P<name>{_NAME})\}}"),
    "jinja": re.compile(rf"\{{\{{[ \t]*(?P<name>{_NAME})[ \t]*\}}\}}"),
}


class Message(BaseModel):
    """One message of a prompt, with its places."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: Literal["system", "user"]
    text: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST)]


Messages = tuple[Message, ...]


def canonical(text: str, places: Mapping[str, Place], braces: Braces = "plain") -> str:
    """The text with its own names of the places replaced by ours, and other braces unescaped.

    Raises:
        ValueError: something else is to be filled in, or the text has words of its own that would
            be taken for a place.
    """

    def ours(match: re.Match[str]) -> str:
        fields = match.groupdict()
        if fields.get("brace"):
            return match[0][0]
        name = fields["name"]
        if name in places:
            return f"\0{places[name]}\0"
        if braces == "plain":
            return match[0]
        raise ValueError(f"nothing is said of what stands at {match[0]}")

    whole = _OF[braces].sub(ours, text)
    if own := _PLACE.search(whole):
        raise ValueError(f"its own words hold {own[0]}, which would be taken for a place")
    return re.sub(r"\0(\w+)\0", r"{\1}", whole)


def check(messages: Sequence[Message]) -> None:
    """That the messages are a prompt about a pair, or about one response.

    Raises:
        ValueError: a place is missing, both kinds of places are there, the second response stands
            before the first, or the last message is not of the user.
    """
    if not messages:
        raise ValueError("it has no message")
    if messages[-1].role != "user" or "system" in {one.role for one in messages[1:]}:
        raise ValueError("roles are at most one system message, first, and then those of the user")
    whole = "\n".join(one.text for one in messages)
    if "\0" in whole:
        raise ValueError("it holds a zero byte")
    named = _PLACE.findall(whole)
    alone = "response" in named
    if alone and {"first", "second"} & set(named):
        raise ValueError("it has {response} and places of a pair: one response, or two")
    needed = NEEDED_ALONE if alone else NEEDED
    if missing := [f"{{{place}}}" for place in needed if place not in named]:
        raise ValueError(f"it has no place {', '.join(missing)}{_instead(whole)}")
    if not alone and whole.index("{second}") < whole.index("{first}"):
        raise ValueError("it shows {second} before {first}, and first is what is shown first")


def of_one(messages: Sequence[Message]) -> bool:
    """Whether a prompt is about one response, without the other."""
    return any("{response}" in one.text for one in messages)


def _instead(whole: str) -> str:
    """What stands in braces and is no place of ours, for a message."""
    others = dict.fromkeys(
        match[0] for match in _OF["plain"].finditer(whole) if not _PLACE.fullmatch(match[0])
    )
    return f"; in braces it has {', '.join(list(others)[:6])}" if others else ""


def template_of(messages: Sequence[Message], name: str) -> Template:
    """The prompt as a run records it."""
    source = json.dumps(
        [one.model_dump() for one in messages], ensure_ascii=False, indent=1, sort_keys=True
    )
    return Template(name, source, hashlib.sha256(source.encode()).hexdigest())


def digest_of(messages: Sequence[Message]) -> str:
    """What tells one prompt from another."""
    return template_of(messages, "").sha256


def fill(
    messages: Sequence[Message],
    item: Item,
    *,
    order: Literal["ab", "ba"] = "ab",
    side: Literal["a", "b"] = "a",
    max_reasons: int,
    guidelines: Iterable[str] = (),
) -> Prompt:
    """The messages about one item, in one pass: data that hold a place are not filled again.

    order: of a pair. side: of the response, in a prompt about one.
    """
    shown = (item.response_a, item.response_b)
    first, second = shown if order == "ab" else shown[::-1]
    values = {
        "request": flatten(item.prompt),
        "first": first,
        "second": second,
        "response": item.response(side),
        "max_reasons": str(max_reasons),
    }
    filled = [
        {"role": one.role, "content": _PLACE.sub(lambda found: values[found[1]], one.text)}
        for one in messages
    ]
    lines = [" ".join(line.split()) for line in guidelines]
    if lines:
        last = filled[-1]
        last["content"] = f"{render(GUIDED, guidelines=lines)}\n\n{last['content']}"
    return Prompt(tuple(filled), 0)
