"""The prompt that tells a model the reference reasons before it decides.

They follow the prompt as it is, whatever its template, so that both share a beginning and differ in
nothing else.
"""

from __future__ import annotations

import re

from rmaudit.checklists.schema import Item
from rmaudit.judging.metajudge_prompt import sided_references
from rmaudit.parsing.sides import DEFAULT_NAMES, Names, sides_named, swap_names
from rmaudit.prompts import Prompt, Template, load_template, neutralise, render
from rmaudit.records import About, Order

NAME = "specification"
_MARKS = re.compile(r"\[/?(?:Notes|Request|Response A|Response B)\]")


def template() -> Template:
    """The template of what is added."""
    return load_template(NAME)


def specified(
    messages: tuple[dict[str, str], ...], item: Item, *, order: Order, names: Names = DEFAULT_NAMES
) -> Prompt:
    """The messages of a pair with the item's reasons after them, as shown in `order`.

    Args:
        messages: the prompt as it is; its last turn is extended.
        item: whose references are given.
        order: `ba` exchanges the names of the responses in them.
        names: what the prompt calls the responses; references speak of Response A and B.
    """
    reasons, count = [], 0
    for text, about in sided_references(item):
        text, found = neutralise(" ".join(_sided(text, about).split()), _MARKS)
        reasons.append(swap_names(text) if order == "ba" else text)
        count += found
    *before, last = messages
    notes = render(NAME, reasons=[_renamed(text, names) for text in reasons])
    return Prompt((*before, {**last, "content": f"{last['content']}\n\n{notes}"}), count)


def _sided(text: str, about: About) -> str:
    """The reason with its side in words, where the text leaves it to `about`."""
    if about not in ("a", "b") or sides_named(text):
        return text
    return f"Response {about.upper()}: {text}"


def _renamed(text: str, names: Names) -> str:
    """The names of another prompt in place of Response A and Response B."""
    if names == DEFAULT_NAMES:
        return text
    sides = {"A": names.a, "B": names.b}
    return re.sub(r"\bResponse ([AB])\b", lambda m: f"{names.nouns[0]} {sides[m[1]]}", text)
