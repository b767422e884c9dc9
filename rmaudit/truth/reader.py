"""Reads whether a text states a fault, denies it, or does neither; both are masked.

A small encoder does it, trained on the wordings of many authors (`examples/claim_reader`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from rmaudit.truth.masking import PARTS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rmaudit.encoding.bert import Encoder
    from rmaudit.encoding.wordpiece import WordPiece

Verdict = Literal["states", "denies", "neither"]
CLASSES: tuple[Verdict, ...] = ("states", "denies", "neither")
WEIGHTS = Path(__file__).parent / "reader.npz"
HEADS, LONGEST = 12, 128
LEAST = (0.80, 0.5, 0.0)
"""The share that each class needs: a fault is paid only where there is little doubt."""
SURE = 0.85
"""What a text needs that names one of two values only: less of it is decided by values."""
BATCH = 32
MOST_KEPT = 1 << 15


class ClaimReader(Protocol):
    """Anything that reads pairs of a masked reference and a masked text."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """The verdict on each pair."""
        ...


class EncoderReader:
    """The shipped reader. Masked texts repeat, so verdicts are kept."""

    def __init__(self, encoder: Encoder, ids: WordPiece) -> None:
        self.encoder, self.ids = encoder, ids
        self._kept: dict[tuple[str, str], Verdict] = {}

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """The verdict on each pair; see LEAST."""
        # A reference states itself, whatever a model makes of it.
        same: dict[tuple[str, str], Verdict] = {
            pair: "states" for pair in pairs if pair[0] == pair[1]
        }
        self._kept |= same
        new = list(dict.fromkeys(pair for pair in pairs if pair not in self._kept))
        if len(self._kept) > MOST_KEPT:
            self._kept = {pair: self._kept[pair] for pair in pairs if pair in self._kept}
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            self._kept |= zip(batch, self._verdicts(batch), strict=True)
        return [self._kept[pair] for pair in pairs]

    def _verdicts(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        import numpy as np

        pieces = [(self.ids.pieces(one), self.ids.pieces(other)) for one, other in pairs]
        scores = self.encoder.scores(pieces, self.ids)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        # The encoder cuts what is longer; of a text that is not read whole nothing is decided.
        whole = [len(one) + len(other) + 3 <= LONGEST for one, other in pieces]
        return [
            _verdict(row, half=_half(*pair)) if read else "neither"
            for row, pair, read in zip(shares, pairs, whole, strict=True)
        ]


def _verdict(shares: NDArray[np.float32], *, half: bool) -> Verdict:
    best = int(shares.argmax())
    least = SURE if half and CLASSES[best] == "states" else LEAST[best]
    return CLASSES[best] if shares[best] >= least else "neither"


def _half(reference: str, text: str) -> bool:
    """Whether the text lacks one of the values that the reference names."""
    signs = PARTS["wrong"], PARTS["right"]
    return all(sign in reference for sign in signs) and not all(sign in text for sign in signs)


@cache
def shipped() -> ClaimReader:
    """The reader that comes with the package, loaded when it is first asked."""
    import numpy as np

    from rmaudit.encoding.bert import Encoder, load
    from rmaudit.encoding.wordpiece import WordPiece

    with np.load(WEIGHTS, allow_pickle=False) as file:
        vocabulary = file["vocabulary"].tobytes().decode().split("\n")
    return EncoderReader(Encoder(load(WEIGHTS), HEADS, LONGEST), WordPiece(vocabulary))
