"""A reference and a reason as the encoder takes them: sides as seen from the reference."""

from __future__ import annotations

from typing import NamedTuple

from rmaudit.parsing.sides import Names, mentions_of
from rmaudit.records import About
from rmaudit.text.normalise import normalise

OWN, OTHER, NONE = "[unused1]", "[unused2]", "[unused3]"
"""The response that the reference is about, the other one, and a reason that names neither."""
NOUNS = (
    "Response", "Assistant", "Answer", "Reply", "Model", "Output", "Candidate", "Completion",
    "Antwort", "Réponse", "Respuesta", "Risposta", "Resposta",
)  # fmt: skip
NAMES = Names(NOUNS)


class MarkedPair(NamedTuple):
    """Both texts, marked; `apart`: the reason speaks of the other response alone."""

    reference: str
    reason: str
    apart: bool


def paired(reference: tuple[str, About], reason: tuple[str, About]) -> MarkedPair:
    """The pair as the encoder takes it.

    Args:
        reference: its text and the response that it is about.
        reason: the same of a model's reason.
    """
    own = reference[1] if reference[1] in ("a", "b") else "a"
    first, _ = _marked(reference[0], own)
    second, named = _marked(reason[0], own)
    about = reason[1]
    mark = NONE if about is None else OTHER if about not in (own, "both") else OWN
    mark = f"{OWN} {OTHER}" if about == "both" else mark
    apart = mark == OTHER and own not in named and reference[1] in ("a", "b")
    return MarkedPair(first, f"{mark} : {second}", apart)


def _marked(text: str, own: About) -> tuple[str, frozenset[About]]:
    """The text with its sides marked, and the sides that it names."""
    text = normalise(text)
    _, found = mentions_of(text, names=NAMES)
    parts, at = [], 0
    for one in found:
        mark = f"{OWN} and {OTHER}" if one.about == "both" else OWN if one.about == own else OTHER
        parts += [text[at : one.start], f" {mark} "]
        at = one.end
    named = frozenset(one.about for one in found)
    return " ".join("".join([*parts, text[at:]]).split()), named
