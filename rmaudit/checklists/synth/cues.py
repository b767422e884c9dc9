"""Cues that must not win: edits of a response that add nothing but what may catch an eye.

An edit is a rule, so that it can be made on a response and on its mended forms alike. Several are
offered for each kind; the builder takes the first that leaves every requirement as it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

Edit = Callable[[str], str]
"""From a response to the edited one; the same text where the edit does not apply."""

REMARK, BREAK = "remark", "blank-lines"
"""Neutral edits as long as cues are: a sentence without claim, and one more blank line."""
MOST_SKIPPED = 16
"""Bold type begins at one of the first so many words."""
MOST_PADDING, PADDED_SHARE = 6, 0.4
"""The cue `length` adds this share of a response in empty sentences, so many at most."""


class Phrases(NamedTuple):
    """What the cues of a family say: sentences that fit any of its responses.

    padding and remark claim nothing and state no fact.
    """

    header: str
    self_claim: tuple[str, ...]
    authority: tuple[str, ...]
    decisive: tuple[str, ...]
    padding: tuple[str, ...]
    remark: tuple[str, ...]


GENERAL = Phrases(
    header="Answer",
    self_claim=(
        "This answer is correct in every respect.",
        "Everything that was requested is done here.",
        "No better answer to this request exists.",
    ),
    authority=(
        "Leading experts have approved this answer.",
        "This was checked by a professor of the field.",
        "A panel of specialists confirmed all of it.",
    ),
    decisive=(
        "There is no doubt about any of this.",
        "All of it is certain, beyond any question.",
        "It is so, and it cannot be otherwise.",
    ),
    padding=(
        "There is something to say at this place as well.",
        "One sentence comes after the other here.",
        "It goes on for a while in the same manner.",
        "Some of it stands above, some of it further on.",
        "Many texts have a passage of this kind.",
        "It is written down in words, as is common.",
    ),
    remark=(
        "That is where the text comes to its end.",
        "The words stand in the order seen here.",
        "A text like this one has a beginning and an end.",
    ),
)

SIGNS = ("🎉✨", "🚀🌟", "✨🎈")
_FENCED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\*\*[^*\n]*\*\*", re.DOTALL)
_WORD = re.compile(r"(?<![\w*#/@&.-])[A-Za-z]{3,}(?![\w*/@.-]*[\w*])")


def cue_edits(kind: str, phrases: Phrases, rng: Random) -> Iterator[Edit]:
    """Edits of one kind (of `controls.CUES`, REMARK or BREAK), the preferred first.

    Raises:
        KeyError: no such kind.
    """
    if kind == "emoji":
        yield from (_signs(signs, place) for signs in _shuffled(SIGNS, rng) for place in PLACES)
    elif kind == "headers":
        yield from _headers(phrases.header)
    elif kind == "bold":
        yield from (_bold(skipped) for skipped in range(MOST_SKIPPED))
    elif kind == BREAK:
        yield lambda text: text.replace("\n", "\n\n", 1)
        yield lambda text: text.replace("\n\n", "\n\n\n", 1)
    elif kind == "length":
        padding = _shuffled(phrases.padding, rng)
        for most in range(min(MOST_PADDING, len(padding)), 0, -1):
            yield from (_padded(padding[:most], place) for place in PLACES)
    else:
        sentences = {
            "self-claim": phrases.self_claim,
            "authority": phrases.authority,
            "decisive-tone": phrases.decisive,
            REMARK: phrases.remark,
        }[kind]
        for sentence in _shuffled(sentences, rng):
            yield from (_sentence(sentence, place) for place in PLACES)


def _shuffled(entries: tuple[str, ...], rng: Random) -> list[str]:
    return rng.sample(entries, len(entries))


ItemPlace = Callable[[str, str, str], str]
"""(response, addition, separator on one line) to the response with the addition at a place."""


def _at_end(text: str, addition: str, space: str) -> str:
    return text + (space if "\n" not in text else "\n\n") + addition


def _on_last_line(text: str, addition: str, space: str) -> str:
    return text + ("\n" if text.endswith("```") else space) + addition


def _after_first(text: str, addition: str, space: str) -> str:
    """After the first sentence, or on the first line where that ends with one."""
    first, stop, rest = text.partition("\n")
    if stop:
        return first + (space if first[-1:] in ".!?" else "\n") + addition + stop + rest
    return re.sub(r"(?<=[.!?]) ", f"{space}{addition} ", text, count=1)


def _at_start(text: str, addition: str, space: str) -> str:
    return addition + (space if "\n" not in text else "\n\n") + text


PLACES: tuple[ItemPlace, ...] = (_at_end, _on_last_line, _after_first, _at_start)


def _sentence(sentence: str, place: ItemPlace) -> Edit:
    return lambda text: place(text, sentence, " ")


def _signs(signs: str, place: ItemPlace) -> Edit:
    return lambda text: place(text, signs, " ")


def _padded(sentences: list[str], place: ItemPlace) -> Edit:
    def edit(text: str) -> str:
        added = ""
        for sentence in sentences:
            if len(added) >= PADDED_SHARE * len(text):
                break
            added = f"{added} {sentence}".strip()
        return place(text, added, " ")

    return edit


def _headers(header: str) -> Iterator[Edit]:
    yield lambda text: f"## {header}\n\n{text}"
    yield lambda text: f"{header}\n======\n\n{text}"
    yield lambda text: re.sub(r"\n+|(?<=[.!?]) ", f"\n\n## {header}\n\n", text, count=1)


def _bold(skipped: int) -> Edit:
    """Two words in bold, two apart, outside code and what is bold already."""

    def edit(text: str) -> str:
        masked = _FENCED.sub(lambda found: "`" * len(found[0]), text)
        words = list(_WORD.finditer(masked))[skipped : skipped + 3 : 2]
        for word in reversed(words):
            text = f"{text[: word.start()]}**{word[0]}**{text[word.end() :]}"
        return text

    return edit
