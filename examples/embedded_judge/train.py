"""Trains the embedded judge and writes it as an int8 ONNX graph.

It starts from a pretrained sentence encoder (all-MiniLM-L6-v2, Apache-2.0; Wang et al., 2020, arXiv
2002.10957) in a folder, reads a reference and a reason together, and gives the score of the pair.
Run from the folder `examples`:

    python -m embedded_judge.train FOLDER_OF_THE_ENCODER

Seeds are fixed. The lists that measure it (`checklists/known_truth/written.jsonl`) train nothing.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict, deque
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean

import torch
from claim_reader.train import ENCODER_SHA256
from tokenizers import Tokenizer
from torch import nn
from transformers import BertModel

from embedded_judge.lessons import Lesson, earlier, generated, ordinary
from rmaudit.embedded.pairs import paired

LONGEST = 160
MIX = {"ordinary": 0.5, "turned": 0.12, "earlier": 0.13, "generated": 0.25}
POSITIVE = 0.4
STEPS, BATCH, LR, SEED = 1500, 32, 1.5e-4, 3
DEV_ITEMS = frozenset(f"t3-{number:03d}" for number in range(61, 81))
"""Items of the written lists that train nothing: they set the threshold and show overfitting."""
TURNED = frozenset(("denied", "approved", "asked", "other side", "both sides"))


class Net(nn.Module):
    """The encoder over both texts; the head also sees how alike they are on average."""

    def __init__(self, encoder: BertModel, layers: int = 6) -> None:
        super().__init__()
        encoder.encoder.layer = encoder.encoder.layer[:layers]
        encoder.pooler = None
        self.encoder = encoder
        size = encoder.config.hidden_size
        self.head = nn.Sequential(nn.Linear(3 * size, 128), nn.GELU(), nn.Linear(128, 1))

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """Logits of the scores, [n pairs]."""
        states = self.encoder(
            input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        second = (token_type_ids * attention_mask).unsqueeze(-1).to(states.dtype)
        first = attention_mask.unsqueeze(-1).to(states.dtype) - second
        u = (states * first).sum(1) / first.sum(1).clamp(min=1)
        v = (states * second).sum(1) / second.sum(1).clamp(min=1)
        return self.head(torch.cat([states[:, 0], u * v, (u - v).abs()], -1)).squeeze(-1)


def tokenizer_of(folder: Path) -> Tokenizer:
    """The encoder's tokenizer, with the marks of the sides."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.add_special_tokens([f"[unused{number}]" for number in range(1, 4)])
    tokenizer.enable_truncation(LONGEST, strategy="longest_first")
    tokenizer.enable_padding()
    return tokenizer


def encode(tokenizer: Tokenizer, lessons: Sequence[Lesson]) -> dict[str, torch.Tensor]:
    """The tensors of a batch."""
    pairs = [paired(one.reference, one.reason) for one in lessons]
    found = tokenizer.encode_batch([(pair.reference, pair.reason) for pair in pairs])
    return {
        "input_ids": torch.tensor([one.ids for one in found]),
        "attention_mask": torch.tensor([one.attention_mask for one in found]),
        "token_type_ids": torch.tensor([one.type_ids for one in found]),
    }


class Pool:
    """Lessons by part of the mixture and by whether their score is above zero."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.parts: defaultdict[tuple[str, bool], list[Lesson]] = defaultdict(list)
        self.dev: list[Lesson] = []
        for item, lesson in ordinary():
            if item in DEV_ITEMS:
                self.dev.append(lesson)
            else:
                part = "turned" if lesson.source in TURNED else "ordinary"
                self.parts[part, lesson.score > 0].append(lesson)
        for _, lesson in earlier():
            self.parts["earlier", lesson.score > 0].append(lesson)
        for _, lesson in generated(120, SEED):
            self.parts["generated", lesson.score > 0].append(lesson)

    def draw(self) -> Lesson:
        """One lesson by the shares of the mixture."""
        part = self.rng.choices(list(MIX), list(MIX.values()))[0]
        positive = part != "turned" and self.rng.random() < POSITIVE
        return self.rng.choice(self.parts[part, positive])


def scores_of(net: Net, tokenizer: Tokenizer, lessons: Sequence[Lesson]) -> list[float]:
    """The scores of lessons, from 0 to 1."""
    found: list[float] = []
    with torch.no_grad():
        for start in range(0, len(lessons), 64):
            found += net(**encode(tokenizer, lessons[start : start + 64])).sigmoid().tolist()
    return found


def report(net: Net, tokenizer: Tokenizer, lessons: Sequence[Lesson]) -> str:
    """Precision and recall at one half by wording on the items held out, and what is turned."""
    net.eval()
    by: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for one, score in zip(lessons, scores_of(net, tokenizer, lessons), strict=True):
        by[one.source].append((one.score, score))
    net.train()
    told = []
    for source, rows in by.items():
        if source in TURNED:
            told.append(f"{source} {mean(score for _, score in rows):.2f}")
            continue
        hits = sum(true >= 0.5 and score >= 0.5 for true, score in rows)
        said = sum(score >= 0.5 for _, score in rows) or 1
        asked = sum(true >= 0.5 for true, _ in rows) or 1
        told.append(f"{source} P {hits / said:.2f} R {hits / asked:.2f}")
    return ", ".join(told)


def train(folder: Path, layers: int, steps: int) -> tuple[Net, Tokenizer]:
    """The trained judge, with progress on the way."""
    import hashlib

    data = (folder / "model.safetensors").read_bytes()
    if hashlib.sha256(data).hexdigest() != ENCODER_SHA256:
        raise SystemExit(f"{folder} does not hold the encoder that the judge starts from")
    torch.manual_seed(SEED)
    net, tokenizer = Net(BertModel.from_pretrained(folder), layers), tokenizer_of(folder)
    pool = Pool(Random(SEED))
    print({name: len(many) for name, many in pool.parts.items()}, len(pool.dev), flush=True)
    weights = [
        {"params": net.encoder.parameters(), "lr": LR},
        {"params": net.head.parameters(), "lr": 5 * LR},
    ]
    optimizer = torch.optim.AdamW(weights, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / 80, 0.02 + 0.98 * (1 - step / steps))
    )
    recent: deque[float] = deque(maxlen=100)
    begun = time.monotonic()
    for step in range(1, steps + 1):
        batch = [pool.draw() for _ in range(BATCH)]
        goal = torch.tensor([one.score for one in batch])
        logits = net(**encode(tokenizer, batch))
        loss = nn.functional.binary_cross_entropy_with_logits(logits, goal)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        recent.append(loss.item())
        if step % 150 == 0 or step == steps:
            took = time.monotonic() - begun
            shown = report(net, tokenizer, pool.dev)
            print(f"step {step} loss {mean(recent):.4f} {took:.0f} s: {shown}", flush=True)
    return net.eval(), tokenizer


def main() -> None:
    """Trains and saves the weights; `export` makes the graph of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("--out", type=Path, default=Path("embedded_judge.pt"))
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--steps", type=int, default=STEPS)
    arguments = parser.parse_args()
    net, _ = train(arguments.encoder, arguments.layers, arguments.steps)
    torch.save(net.state_dict(), arguments.out)


if __name__ == "__main__":
    main()
