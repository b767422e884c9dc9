"""What a program makes of a true reason that is then worth nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from rmaudit.parsing.sides import swap_names
from rmaudit.records import About

Told = tuple[str, About, str]
"""A text, the response that it is about, and where it is from."""
OTHER: dict[About, About] = {"a": "b", "b": "a"}
NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)?(?![\w])")

_DENIALS = (
    "It is not true that {}", "It would be wrong to say that {}", "I disagree that {}",
    "One cannot say that {}", "Some might claim that {} That does not hold up.",
    "The objection that {} is unfounded.", "Nobody could fairly say that {}",
    "{} On a second look this turns out to be untrue.",
    "At first I thought that {} I was mistaken.",
    "That {} is simply false.", "{} No, that is not the case.",
    "Contrary to what one may think, it is not so that {}", "I checked whether {} It does not.",
    'The claim "{}" does not apply here.', "It is a misreading to hold that {}",
    "There is no evidence that {}",
)  # fmt: skip
_APPROVALS = (
    "{} This is right.", "{} And that is exactly what was wanted.",
    "{} I count this as a strength.",
    "Rightly so: {}", "{} That is no problem at all.", "{} This is a point in its favour.",
    "{} Which is perfectly fine.", "{} The user asked for precisely this.", "I like that {}",
    "It is good that {}", "{} This makes it the better answer.", "Correctly, {}",
    "{} That is accurate.", "{} Well done.",
)  # fmt: skip
_QUESTIONS = (
    "Is it the case that {}?", "One should check whether {}", "If {} it would be a problem.",
    "It remains open whether {}", "Could it be that {}?", "I wonder whether {}",
)  # fmt: skip
_BOTH = (
    "Each of the two responses", "Both responses", "Response A, like Response B,",
    "Response A as well as Response B",
)  # fmt: skip
_ALIKE = (
    "In both responses alike: {}", "True of Response A and Response B: {}",
    "{} The other response does the same.",
)  # fmt: skip
_WORD = re.compile(r"\w[\w'’-]*")
_PLAIN = frozenset(
    "the a an of to in is it that this and or for on with as by at not no but does do be are "
    "was its from which than response b user".split()
)


def turned(text: str, about: About, rng: Random) -> Iterator[Told]:
    """Denied, approved, asked, laid to the other side or to both, cut down to its key words."""
    inner = _inner(text)
    yield rng.choice(_DENIALS).format(inner), about, "denied"
    yield rng.choice(_APPROVALS).format(rng.choice((text, inner))), about, "approved"
    if rng.random() < 0.5:
        yield rng.choice(_QUESTIONS).format(inner.rstrip(".")), about, "asked"
    if about in OTHER:
        yield swap_names(text), OTHER[about], "other side"
        name = f"Response {str(about).upper()}"
        if name in text:
            yield text.replace(name, rng.choice(_BOTH)), "both", "both sides"
        elif rng.random() < 0.5:
            yield rng.choice(_ALIKE).format(text), "both", "both sides"
    if rng.random() < 0.6:
        words = stub(text, rng)
        named = about in OTHER and rng.random() < 0.6
        yield f"Response {str(about).upper()}: {words}." if named else words, about, "stub"


def stub(text: str, rng: Random) -> str:
    """A few of its key words, no sentence."""
    words = [w for w in _WORD.findall(text) if w.lower() not in _PLAIN and len(w) > 2]
    kept = rng.sample(words, min(len(words), rng.randint(2, 6)))
    return rng.choice((", ", " ", " / ")).join(kept)


def other_numbers(text: str, rng: Random) -> str:
    """The text with every number exchanged for another."""

    def other(found: re.Match[str]) -> str:
        value = float(found[0].replace(",", "."))
        if not found[0].isdigit():
            return str(round(value * rng.choice((0.5, 1.3, 2.1)), 2))
        near = (int(value) + step for step in (-3, -2, -1, 1, 2, 3, 7, 10))
        return str(rng.choice([number for number in near if number >= 0]))

    return NUMBER.sub(other, text)


def _inner(text: str) -> str:
    first = text.split(" ")[0]
    named = text.startswith(("Response", "A ", "B ", '"')) or first[1:2].isupper()
    return text if named else text[:1].lower() + text[1:]
