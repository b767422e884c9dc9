"""A small BERT in numpy: one text or a pair of texts in, a vector for each token out.

The base install has neither torch nor a tokenizer library, and a few thousand short texts a run
need none. Weights are int8 with a scale for each output row, so that they fit in the package.
The architecture is that of Devlin et al., 2019 (arXiv 1810.04805), section 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rmaudit.encoding.wordpiece import WordPiece

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
_EPS = 1e-12


class Encoder:
    """BERT with a linear head on its first token; see the module."""

    def __init__(self, weights: Mapping[str, Floats], heads: int, longest: int) -> None:
        self.weights, self.heads, self.longest = weights, heads, longest
        self.layers = sum(name.endswith("q.w") for name in weights)

    def scores(self, pairs: Sequence[tuple[list[int], list[int]]], ids: WordPiece) -> Floats:
        """Class scores.

        Args:
            pairs: ids of both texts of each pair; the second is cut where both are too long.
            ids: whose special ids frame them.

        Returns:
            [n pairs, n classes], not normalised.
        """
        rows = [
            ([ids.cls, *one, ids.sep], [*other[: self.longest - len(one) - 3], ids.sep])
            for one, other in pairs
        ]
        states, _ = self.states(rows)
        return states[:, 0] @ self.weights["head.w"].T + self.weights["head.b"]

    def states(self, rows: Sequence[tuple[list[int], list[int]]]) -> tuple[Floats, Floats]:
        """The vectors of the last layer, [n, width, size], and which are no padding, [n, width].

        Args:
            rows: framed ids of a first text, and of a second or none.
        """
        width = max(len(one) + len(other) for one, other in rows)
        tokens = np.zeros((len(rows), width), dtype=np.int64)
        kinds = np.zeros_like(tokens)
        here = np.zeros((len(rows), width), dtype=np.float32)
        for row, (one, other) in enumerate(rows):
            end = len(one) + len(other)
            tokens[row, :end] = one + other
            kinds[row, len(one) : end] = 1
            here[row, :end] = 1
        w = self.weights
        x = w["word"][tokens] + w["kind"][kinds] + w["place"][:width]
        # Only attention needs texts of one length; all else is done once a token.
        real = here.astype(bool)
        packed = self._norm(x[real], "norm")
        mask = (here[:, None, None, :] - 1) * np.float32(1e9)
        for layer in range(self.layers):
            packed = self._layer(packed, real, mask, f"{layer}.")
        return _unpacked(packed, real), here

    def _layer(self, x: Floats, real: Bools, mask: Floats, name: str) -> Floats:
        n, width = real.shape
        shape = (n, width, self.heads, x.shape[-1] // self.heads)
        q, k, v = (
            _unpacked(self._linear(x, name + part), real).reshape(shape).transpose(0, 2, 1, 3)
            for part in "qkv"
        )
        held = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(shape[-1])) + mask
        held = np.exp(held - held.max(-1, keepdims=True))
        held /= held.sum(-1, keepdims=True)
        seen = (held @ v).transpose(0, 2, 1, 3).reshape(n, width, x.shape[-1])[real]
        x = self._norm(x + self._linear(seen, name + "o"), name + "norm1")
        inner = self._linear(x, name + "up")
        return self._norm(x + self._linear(gelu(inner), name + "down"), name + "norm2")

    def _linear(self, x: Floats, name: str) -> Floats:
        return x @ self.weights[name + ".w"].T + self.weights[name + ".b"]

    def _norm(self, x: Floats, name: str) -> Floats:
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + _EPS)
        return x * self.weights[name + ".w"] + self.weights[name + ".b"]


def _unpacked(x: Floats, real: Bools) -> Floats:
    """Vectors of tokens at their places in texts of one length, zero elsewhere."""
    found = np.zeros((*real.shape, x.shape[-1]), dtype=np.float32)
    found[real] = x
    return found


def gelu(x: Floats) -> Floats:
    """The Gaussian error linear unit, exact (Hendrycks and Gimpel, 2016, arXiv 1606.08415)."""
    from scipy.special import erf

    half: Floats = x * np.float32(0.5) * (1 + erf(x / np.float32(np.sqrt(2))))
    return half


def load(path: Path) -> dict[str, Floats]:
    """The weights of a file: int8 matrices are multiplied by their scales."""
    with np.load(path, allow_pickle=False) as file:
        stored = dict(file)
    return {
        name: array.astype(np.float32) * stored[name + ".scale"][:, None]
        if name + ".scale" in stored
        else array.astype(np.float32)
        for name, array in stored.items()
        if not name.endswith(".scale") and name != "vocabulary"
    }
