"""The head of the learned judge: two encoded texts in, the share that they state one fault out.

Each token is set against what answers it in the other text (decomposable attention: Parikh et al.,
2016, arXiv 1606.01933), beside how alike the texts are as wholes and what code knows of the pair.
The result counts only so far as both texts blame, or both praise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rmaudit.encoding.bert import Floats, gelu

FAR = np.float32(-1e4)
"""Stands for a token that is only padding."""


class EncodedText(NamedTuple):
    """A text as the head takes it.

    Attributes:
        tokens: a unit vector for each token, [width, part].
        whole: the unit vector of the text.
        part: a smaller vector of the text.
        polarity: the shares of blame, praise and neither.
    """

    tokens: Floats
    whole: Floats
    part: Floats
    polarity: Floats


class PairHead:
    """See the module; `weights` by the names that training gives them."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self.weights = weights

    def encoded(self, states: Floats, here: Floats) -> list[EncodedText]:
        """Texts from the states of their tokens, [n, width, size], and which are no padding."""
        w, mask = self.weights, here[:, :, None]
        mean = (states * mask).sum(1) / mask.sum(1)
        pooled = [states[:, 0], mean, (states + (1 - mask) * FAR).max(1)]
        polarity = _softmax(self._mlp(np.concatenate(pooled, -1), "polar", 1, 4))
        tokens = _unit(states @ w["proj.weight"].T)
        whole, part = _unit(mean), mean @ w["u.weight"].T + w["u.bias"]
        return [
            EncodedText(tokens[row, : int(here[row].sum())], whole[row], part[row], polarity[row])
            for row in range(len(states))
        ]

    def shares(
        self,
        pairs: Sequence[tuple[EncodedText, EncodedText]],
        rivals: Sequence[tuple[float, float]],
        features: Sequence[Sequence[float]],
    ) -> Floats:
        """The share of each pair, [n].

        Args:
            pairs: reference and reason.
            rivals: how far each pair is ahead of the likest other one of the reason, and of the
                reference, by cosine.
            features: what code knows of each pair.
        """
        a, mask_a = _padded([one.tokens for one, _ in pairs])
        b, mask_b = _padded([other.tokens for _, other in pairs])
        like = a @ b.transpose(0, 2, 1)
        parts = [*self._compared(a, b, like, mask_a, mask_b)]
        parts += self._compared(b, a, like.transpose(0, 2, 1), mask_b, mask_a)
        one = np.stack([pair[0].part for pair in pairs])
        other = np.stack([pair[1].part for pair in pairs])
        known = np.asarray(features, dtype=np.float32)
        facts = self._facts(pairs, like, (mask_a, mask_b), rivals, known)
        x = np.concatenate([*parts, one * other, np.abs(one - other), facts], -1)
        logit = self._mlp(x, "head", 1, 4)
        logit += facts @ self.weights["skip.weight"].T + self.weights["skip.bias"]
        first = np.stack([pair[0].polarity for pair in pairs])
        second = np.stack([pair[1].polarity for pair in pairs])
        agree = first[:, 0] * second[:, 0] + first[:, 1] * second[:, 1] + first[:, 2]
        found: Floats = agree / (1 + np.exp(-logit[:, 0]))
        return found

    def _compared(
        self, a: Floats, b: Floats, like: Floats, mask_a: Floats, mask_b: Floats
    ) -> tuple[Floats, Floats]:
        """The tokens of `a` against what answers them in `b`: on average, and at most."""
        heat = self.weights["temp"]
        answer = _softmax(heat * like + (1 - mask_b[:, None, :]) * FAR) @ b
        x = np.concatenate([a, answer, np.abs(a - answer), a * answer], -1)
        x = gelu(self._mlp(x, "compare", 0, 2))
        mask = mask_a[:, :, None]
        return (x * mask).sum(1) / mask.sum(1), (x + (1 - mask) * FAR).max(1)

    @staticmethod
    def _facts(
        pairs: Sequence[tuple[EncodedText, EncodedText]],
        like: Floats,
        masks: tuple[Floats, Floats],
        rivals: Sequence[tuple[float, float]],
        known: Floats,
    ) -> Floats:
        mask_a, mask_b = masks
        cosine = np.array([one.whole @ other.whole for one, other in pairs], dtype=np.float32)
        best_a = (like + (1 - mask_b[:, None, :]) * FAR).max(2)
        best_b = (like + (1 - mask_a[:, :, None]) * FAR).max(1)
        found = [
            cosine,
            (best_a * mask_a).sum(1) / mask_a.sum(1),
            (best_b * mask_b).sum(1) / mask_b.sum(1),
            *np.asarray(rivals, dtype=np.float32).T,
            cosine * known[:, 0],
            like.max((1, 2)),
            cosine * cosine,
        ]
        return np.concatenate([np.stack(found, -1), known], -1)

    def _mlp(self, x: Floats, name: str, first: int, second: int) -> Floats:
        w = self.weights
        x = gelu(x @ w[f"{name}.{first}.weight"].T + w[f"{name}.{first}.bias"])
        found: Floats = x @ w[f"{name}.{second}.weight"].T + w[f"{name}.{second}.bias"]
        return found


def cosine(one: EncodedText, other: EncodedText) -> float:
    """How alike two texts are as wholes."""
    return float(one.whole @ other.whole)


def _padded(rows: Sequence[Floats]) -> tuple[Floats, Floats]:
    width = max(map(len, rows))
    found = np.zeros((len(rows), width, rows[0].shape[-1]), dtype=np.float32)
    mask = np.zeros((len(rows), width), dtype=np.float32)
    for number, row in enumerate(rows):
        found[number, : len(row)], mask[number, : len(row)] = row, 1
    return found, mask


def _unit(x: Floats) -> Floats:
    found: Floats = x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12)
    return found


def _softmax(x: Floats) -> Floats:
    x = np.exp(x - x.max(-1, keepdims=True))
    found: Floats = x / x.sum(-1, keepdims=True)
    return found
