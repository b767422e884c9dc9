"""The judge `lexical`: how much of a reference's words and facts a reason shares, and nothing else.

It knows no synonym, no paraphrase and no language but by its letters. A pair earns by the share of
the reference's stems and facts (numbers and quotations, which count twice) that the reason names;
texts about different responses, a reference turned over, and one with only other numbers earn
nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from rmaudit.embedded.learned.measure import WordingFigures
from rmaudit.embedded.learned.texts import MarkedText, apart, denies, other_numbers, text_of
from rmaudit.embedded.reading import Context
from rmaudit.embedded.stems import prepared, tokens
from rmaudit.records import About, ModelReason
from rmaudit.text.quotations import QUOTED

NAME, VERSION = "lexical", 1
MEASURED = Path(__file__).parent / "lexical.json"
"""Written by `benchmarks/ordinary_reasons.py --lexical --write`."""
LEVELS = ((0.65, 1.0), (0.5, 0.75), (0.35, 0.5), (0.2, 0.25))
"""From this share on, this score; chosen on the lists that train `builtin`."""
FACT = 2.0
"""What a number or a quotation counts, a word being 1."""
WITHOUT_SIDE = 0.25
"""The most for a reason that names no response."""
MERE_COPY = 0.8
"""Copied from a response to this share, a text is no reason."""


@cache
def measured() -> dict[str, WordingFigures]:
    """What it reached on written lists, by wording: `same`, `judge`, `free`."""
    found = json.loads(MEASURED.read_text(encoding="utf-8"))["wordings"]
    return {wording: WordingFigures(**one) for wording, one in found.items()}


def matrix(
    references: Sequence[tuple[str, About]], reasons: Sequence[ModelReason], context: Context
) -> tuple[tuple[float, ...], ...]:
    """The full n x m matrix of one item: reference i against model reason j, item coordinates."""
    own = [text_of(*reference) for reference in references]
    said = [text_of(reason.text, reason.about) for reason in reasons]
    copies = [context.copied(tokens(prepared(one.text)), share=MERE_COPY) for one in reasons]
    return tuple(
        tuple(
            0.0 if copy else score(reference, reason)
            for reason, copy in zip(said, copies, strict=True)
        )
        for reference in own
    )


def score(reference: MarkedText, reason: MarkedText) -> float:
    """The score of one pair, of the grid 0, .25, .5, .75, 1."""
    if apart(reference, reason) or denies(reference, reason) or other_numbers(reference, reason):
        return 0.0
    found = share(reference, reason)
    earned = next((score for least, score in LEVELS if found >= least), 0.0)
    nameless = reason.about is None and reference.about is not None
    return min(earned, WITHOUT_SIDE) if nameless else earned


def share(reference: MarkedText, reason: MarkedText) -> float:
    """The part of what a reference names, by weight, that a reason names too."""
    wanted = weights(reference)
    named = weights(reason)
    whole = sum(wanted.values())
    return sum(weight for fact, weight in wanted.items() if fact in named) / whole if whole else 0.0


@lru_cache(maxsize=1 << 14)
def weights(text: MarkedText) -> dict[str, float]:
    """What a text names: its stems, its numbers, and its quotations as a whole."""
    found = dict.fromkeys(text.stems, 1.0)
    found |= dict.fromkeys(text.numbers, FACT)
    quoted = (" ".join(match[0].split()).casefold() for match in QUOTED.finditer(text.marked))
    return found | dict.fromkeys(quoted, FACT)
