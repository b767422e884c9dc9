"""Scores the lists of an item with the learned judge."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from rmaudit.embedded.learned.texts import (
    MarkedText,
    apart,
    denies,
    features,
    other_numbers,
    text_of,
)
from rmaudit.embedded.reading import Context
from rmaudit.embedded.stems import prepared, tokens
from rmaudit.records import About, ModelReason

if TYPE_CHECKING:
    from rmaudit.embedded.learned.head import EncodedText, PairHead
    from rmaudit.encoding.bert import Encoder
    from rmaudit.encoding.wordpiece import WordPiece

WEIGHTS = Path(__file__).parent / "weights.npz"
HEADS, LONGEST = 12, 96
"""Heads of the encoder, and tokens that are read of a text."""
LEVELS = ((0.75, 1.0), (0.65, 0.75), (0.55, 0.5), (0.45, 0.25))
"""From this share on, this score; chosen on items that neither train nor measure."""
MERE_COPY = 0.8
"""Copied from a response to this share, a text is no reason."""
WITHOUT_SIDE, OTHER_NUMBER = 0.25, 0.5
"""The most for a reason that names no response, and for one with a number more."""
MOST_KEPT = 1 << 13


class LearnedJudge:
    """The encoder and its head; what was encoded is kept."""

    def __init__(self, encoder: Encoder, head: PairHead, ids: WordPiece) -> None:
        self.encoder, self.head, self.ids = encoder, head, ids
        self._kept: dict[MarkedText, EncodedText] = {}

    def shares(
        self, references: Sequence[MarkedText], reasons: Sequence[MarkedText]
    ) -> list[list[float]]:
        """How sure it is of each pair, from 0 to 1; texts about different responses are 0."""
        found = [[0.0] * len(reasons) for _ in references]
        at = [
            (i, j)
            for i, j in product(range(len(references)), range(len(reasons)))
            if not apart(references[i], reasons[j])
        ]
        if not at:
            return found
        self._encode([*references, *reasons])
        pairs = [(self._kept[references[i]], self._kept[reasons[j]]) for i, j in at]
        shares = self.head.shares(
            pairs,
            _rivals(pairs, at),
            [features(references[i], reasons[j]) for i, j in at],
        )
        for (i, j), share in zip(at, shares, strict=True):
            # A reference states itself, whatever the net makes of it.
            same = references[i].marked == reasons[j].marked
            found[i][j] = 1.0 if same else float(share)
        return found

    def _encode(self, texts: Sequence[MarkedText]) -> None:
        if len(self._kept) > MOST_KEPT:
            self._kept = {text: self._kept[text] for text in texts if text in self._kept}
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if not new:
            return
        pieces = [self.ids.pieces(text.marked)[: LONGEST - 2] for text in new]
        rows = [([self.ids.cls, *many, self.ids.sep], list[int]()) for many in pieces]
        self._kept |= zip(new, self.head.encoded(*self.encoder.states(rows)), strict=True)


def _rivals(
    pairs: Sequence[tuple[EncodedText, EncodedText]], at: Sequence[tuple[int, int]]
) -> list[tuple[float, float]]:
    """How far each pair is ahead of the likest other one of its reason, and of its reference."""
    from rmaudit.embedded.learned.head import cosine

    alike = {place: cosine(*pair) for place, pair in zip(at, pairs, strict=True)}
    return [
        (
            alike[i, j] - max([0.0, *(v for (k, m), v in alike.items() if m == j and k != i)]),
            alike[i, j] - max([0.0, *(v for (k, m), v in alike.items() if k == i and m != j)]),
        )
        for i, j in at
    ]


def matrix(
    references: Sequence[tuple[str, About]], reasons: Sequence[ModelReason], context: Context
) -> tuple[tuple[float, ...], ...]:
    """The full n x m matrix of one item: reference i against model reason j, item coordinates."""
    own = [text_of(*reference) for reference in references]
    said = [text_of(reason.text, reason.about) for reason in reasons]
    if not own or not said:
        return tuple(() for _ in own)
    copies = [context.copied(tokens(prepared(one.text)), share=MERE_COPY) for one in reasons]
    return tuple(
        tuple(
            0.0 if copy else min(level(share), most(reference, reason))
            for reason, share, copy in zip(said, row, copies, strict=True)
        )
        for reference, row in zip(own, shipped().shares(own, said), strict=True)
    )


def most(reference: MarkedText, reason: MarkedText) -> float:
    """The most that a pair can earn by what code knows: sides, numbers, denials."""
    if other_numbers(reference, reason) or denies(reference, reason):
        return 0.0
    if reason.about is None and reference.about is not None:
        return WITHOUT_SIDE
    other = reference.numbers and reason.numbers - reference.numbers
    return OTHER_NUMBER if other else 1.0


def level(share: float) -> float:
    """The score of the grid that a share stands for."""
    return next((score for least, score in LEVELS if share >= least), 0.0)


@cache
def shipped() -> LearnedJudge:
    """The judge that comes with the package, loaded when it is first asked."""
    return loaded(WEIGHTS)


def loaded(path: Path) -> LearnedJudge:
    """The judge of a file."""
    import numpy as np

    from rmaudit.embedded.learned.head import PairHead
    from rmaudit.encoding.bert import Encoder, load
    from rmaudit.encoding.wordpiece import WordPiece

    weights = load(path)
    with np.load(path, allow_pickle=False) as file:
        vocabulary = file["vocabulary"].tobytes().decode().split("\n")
    return LearnedJudge(Encoder(weights, HEADS, LONGEST), PairHead(weights), WordPiece(vocabulary))
