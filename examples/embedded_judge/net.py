"""The learned judge in torch; `rmaudit/embedded/learned/head.py` is the same in numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import nn
from transformers import BertModel

from rmaudit.embedded.learned.texts import FEATURES

PART, HIDDEN, FACTS = 128, 128, 8 + FEATURES
FAR = -1e4


class Pairs(NamedTuple):
    """Which texts of a batch are set against each other, and what code knows of each pair."""

    left: torch.Tensor
    right: torch.Tensor
    sheet: torch.Tensor
    known: torch.Tensor


class Net(nn.Module):
    """The encoder, and a head that compares the tokens of a reference and a reason."""

    def __init__(self, encoder: BertModel, dropout: float = 0.1) -> None:
        super().__init__()
        size = encoder.config.hidden_size
        encoder.pooler = None
        self.encoder = encoder
        self.proj = nn.Linear(size, PART, bias=False)
        nn.init.orthogonal_(self.proj.weight)
        self.temp = nn.Parameter(torch.tensor(8.0))
        self.compare = nn.Sequential(
            nn.Linear(4 * PART, PART), nn.GELU(), nn.Linear(PART, PART), nn.GELU()
        )
        self.u = nn.Linear(size, PART)
        self.head = _mlp(6 * PART + FACTS, HIDDEN, 1, dropout)
        self.skip = nn.Linear(FACTS, 1)
        self.polar = _mlp(3 * size, 96, 3, dropout)

    def forward(
        self, texts: Sequence[list[int]], pairs: Pairs
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The share of each pair, and of each text the shares of blame, praise and neither."""
        states, here = self.states(texts)
        mask = here.unsqueeze(-1)
        mean = (states * mask).sum(1) / mask.sum(1)
        pooled = [states[:, 0], mean, (states + (1 - mask) * FAR).max(1).values]
        polarity = self.polar(torch.cat(pooled, -1)).float().softmax(-1)
        tokens = nn.functional.normalize(self.proj(states), dim=-1) * mask
        a, b = tokens[pairs.left], tokens[pairs.right]
        mask_a, mask_b = here[pairs.left], here[pairs.right]
        like = (a @ b.transpose(1, 2)).float()
        parts = [*self._compared(a, b, like, mask_a, mask_b)]
        parts += self._compared(b, a, like.transpose(1, 2), mask_b, mask_a)
        part = self.u(mean)
        one, other = part[pairs.left], part[pairs.right]
        facts = self._facts(nn.functional.normalize(mean, dim=-1), like, mask_a, mask_b, pairs)
        x = torch.cat([*parts, one * other, (one - other).abs(), facts], -1)
        logit = (self.head(x) + self.skip(facts)).squeeze(-1).float()
        first, second = polarity[pairs.left], polarity[pairs.right]
        agree = first[:, 0] * second[:, 0] + first[:, 1] * second[:, 1] + first[:, 2]
        return (logit.sigmoid() * agree).clamp(1e-6, 1 - 1e-6), polarity

    def states(self, texts: Sequence[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """The last layer, and which tokens are no padding; short and long texts run apart."""
        width = max(map(len, texts))
        ids = torch.zeros(len(texts), width, dtype=torch.long)
        for row, text in enumerate(texts):
            ids[row, : len(text)] = torch.tensor(text)
        lengths = torch.tensor(list(map(len, texts)))
        mask = (torch.arange(width)[None] < lengths[:, None]).long()
        found = torch.zeros(len(texts), width, self.encoder.config.hidden_size)
        order = lengths.argsort()
        for rows in (part for part in order.tensor_split(2) if len(part)):
            most = int(lengths[rows].max())
            out = self.encoder(ids[rows, :most], attention_mask=mask[rows, :most])
            padded = nn.functional.pad(out.last_hidden_state.float(), (0, 0, 0, width - most))
            found = found.index_put((rows,), padded)
        return found, mask.float()

    def _compared(
        self,
        a: torch.Tensor,
        b: torch.Tensor,
        like: torch.Tensor,
        mask_a: torch.Tensor,
        mask_b: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        answer = (self.temp * like + (1 - mask_b[:, None]) * FAR).softmax(-1) @ b
        x = self.compare(torch.cat([a, answer, (a - answer).abs(), a * answer], -1))
        mask = mask_a.unsqueeze(-1)
        return (x * mask).sum(1) / mask.sum(1), (x + (1 - mask) * FAR).max(1).values

    @staticmethod
    def _facts(
        whole: torch.Tensor,
        like: torch.Tensor,
        mask_a: torch.Tensor,
        mask_b: torch.Tensor,
        pairs: Pairs,
    ) -> torch.Tensor:
        cosine = (whole[pairs.left] * whole[pairs.right]).sum(-1)
        best_a = (like + (1 - mask_b[:, None]) * FAR).max(2).values
        best_b = (like + (1 - mask_a[:, :, None]) * FAR).max(1).values
        found = [
            cosine,
            (best_a * mask_a).sum(1) / mask_a.sum(1),
            (best_b * mask_b).sum(1) / mask_b.sum(1),
            *(_ahead(cosine, shared, pairs.sheet) for shared in (pairs.right, pairs.left)),
            cosine * pairs.known[:, 0],
            like.amax((1, 2)),
            cosine * cosine,
        ]
        return torch.cat([torch.stack(found, -1), pairs.known], -1)


def _ahead(cosine: torch.Tensor, shared: torch.Tensor, sheet: torch.Tensor) -> torch.Tensor:
    """How far a pair is ahead of the likest other one that shares a text with it."""
    rival = (shared[:, None] == shared[None]) & (sheet[:, None] == sheet[None])
    rival &= ~torch.eye(len(cosine), dtype=torch.bool)
    best = cosine[None].expand(len(cosine), -1).masked_fill(~rival, -1).max(1).values
    return cosine - best.clamp(min=0)


def _mlp(size: int, hidden: int, out: int, dropout: float) -> nn.Sequential:
    return nn.Sequential(
        nn.Dropout(dropout),
        nn.Linear(size, hidden),
        nn.GELU(),
        nn.Dropout(dropout),
        nn.Linear(hidden, out),
    )
