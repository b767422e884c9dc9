"""Trains the learned judge of ordinary reasons and writes it as int8 into the package.

It starts from a pretrained sentence encoder (all-MiniLM-L6-v2, Apache-2.0; Wang et al., 2020, arXiv
2002.10957) in a folder. Run from the folder `examples`, as README.md says:

    python -m embedded_judge.train FOLDER_OF_THE_ENCODER

The lists that measure it (`checklists/known_truth/written.jsonl`) train nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean

import numpy as np
import torch
from claim_reader.train import ENCODER_SHA256, NAMES
from torch import nn
from transformers import BertModel

from embedded_judge.lessons import Earlier, Faults, Generated, Lists, Sheet, Source
from embedded_judge.net import Net, Pairs
from rmaudit.embedded.learned.judge import LONGEST, WEIGHTS
from rmaudit.embedded.learned.texts import apart, features, text_of
from rmaudit.encoding.wordpiece import WordPiece

AUTHORS, FAULTS = ("t1", "t2"), ("first", "second")
"""The third author of the lists sets the levels of the scores and trains nothing."""
SHARES = (0.577, 0.173, 0.125, 0.125)
"""Of the written lists, the lists of faults, earlier known truth, and generated items."""
GENERATED, SEED = 240, 3
STEPS, SHEETS, LR, HEAD_LR, WARM = 941, 2, 6e-5, 8e-4, 60
POSITIVE, POLARITY = 1.6, 0.3
"""Weights of true pairs, and of the loss on polarity."""
BLAME = frozenset(
    "true partial wrong_value other_fault wrong_side extra_true reworded reference bad both".split()
) | {"other value", "other side"}
PRAISE = frozenset(("opposite", "praise", "good"))
NEITHER = frozenset(("difference", "restated", "copy", "null", "asked", "stub"))
NO_BLAME = frozenset(("denied", "approved", "hostile"))


def vocabulary_of(folder: Path) -> list[str]:
    """The pieces that the encoder knows, after a look at its hash."""
    data = (folder / "model.safetensors").read_bytes()
    if hashlib.sha256(data).hexdigest() != ENCODER_SHA256:
        raise SystemExit(f"{folder} does not hold the encoder that the judge starts from")
    listed = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    return sorted(listed, key=listed.__getitem__)


def batch(
    sheets: Sequence[Sheet], ids: WordPiece
) -> tuple[list[list[int]], Pairs, torch.Tensor, list[str]]:
    """Ids of each text, the pairs that no side keeps apart, their scores, and their sources."""
    texts: dict[object, int] = {}
    rows: list[list[int]] = []
    pairs: list[tuple[int, int, int]] = []
    known, goal, sources = [], [], []
    for number, sheet in enumerate(sheets):
        for row, reference in enumerate(text_of(*one) for one in sheet.references):
            for column, (text, about, source) in enumerate(sheet.reasons):
                reason = text_of(text, about)
                if apart(reference, reason):
                    continue
                for one in (reference, reason):
                    if one not in texts:
                        texts[one] = len(rows)
                        rows.append([ids.cls, *ids.pieces(one.marked)[: LONGEST - 2], ids.sep])
                pairs.append((texts[reference], texts[reason], number))
                known.append(features(reference, reason))
                goal.append(sheet.matrix[row][column])
                sources.append(source)
    left, right, sheet_of = torch.tensor(pairs).T
    return rows, Pairs(left, right, sheet_of, torch.tensor(known)), torch.tensor(goal), sources


def loss_of(
    shares: torch.Tensor,
    polarity: torch.Tensor,
    pairs: Pairs,
    goal: torch.Tensor,
    sources: Sequence[str],
) -> torch.Tensor:
    """Cross-entropy of the pairs whose score is known, and of the polarity of the reasons."""
    weight = torch.where(goal > 0, POSITIVE, 1.0)
    weight = weight * ~goal.isnan()
    each = nn.functional.binary_cross_entropy(shares, goal.nan_to_num(0), reduction="none")
    told = dict(zip(pairs.right.tolist(), sources, strict=True))
    logs = [
        share.clamp(min=1e-4).log()
        for at, source in told.items()
        if (share := _meant(polarity[at], source.rpartition("/")[2])) is not None
    ]
    of_polarity = -torch.stack(logs).mean() if logs else torch.tensor(0.0)
    return (each * weight).sum() / weight.sum().clamp(min=1) + POLARITY * of_polarity


def _meant(shares: torch.Tensor, kind: str) -> torch.Tensor | None:
    if kind in BLAME:
        return shares[0]
    if kind in PRAISE:
        return shares[1]
    if kind in NEITHER:
        return shares[2]
    return 1 - shares[0] if kind in NO_BLAME else None


def train(
    folder: Path, steps: int, authors: Sequence[str], faults: Sequence[str]
) -> tuple[Net, list[str]]:
    """The trained judge and its vocabulary, with progress on the way."""
    torch.manual_seed(SEED)
    rng, vocabulary = Random(SEED), vocabulary_of(folder)
    ids = WordPiece(vocabulary)
    sources: list[Source] = [
        Lists(authors), Faults(*faults), Earlier(), Generated(GENERATED, SEED)
    ]  # fmt: skip
    net = Net(BertModel.from_pretrained(folder, attention_probs_dropout_prob=0.0))
    net.encoder.embeddings.requires_grad_(False)
    inner = {id(one) for one in net.encoder.parameters()}
    head = [one for one in net.parameters() if id(one) not in inner]
    encoder = [one for one in net.encoder.parameters() if one.requires_grad]
    groups = [{"params": encoder, "lr": LR}, {"params": head, "lr": HEAD_LR}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: (
            min(1, (step + 1) / WARM) * (0.02 + 0.49 * (1 + math.cos(math.pi * step / steps)))
        ),
    )
    recent: deque[float] = deque(maxlen=100)
    begun = time.monotonic()
    # A loaded encoder comes without dropout.
    net.train()
    for step in range(1, steps + 1):
        sheets = []
        for source in rng.choices(sources, SHARES, k=SHEETS):
            sheets.append(source.sheet(rng.randrange(source.size), rng))
        rows, pairs, goal, told = batch(sheets, ids)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            shares, polarity = net(rows, pairs)
        loss = loss_of(shares, polarity, pairs, goal, told)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        recent.append(loss.item())
        if step % 50 == 0:
            took = time.monotonic() - begun
            print(f"step {step} loss {mean(recent):.4f} {took:.0f} s", flush=True)
    return net.eval(), vocabulary


def save(net: Net, vocabulary: Sequence[str], out: Path) -> None:
    """Matrices of the encoder as int8 with a scale for each row, those of the head as float16."""
    parts: dict[str, torch.Tensor] = {}
    tables = net.encoder.embeddings
    parts["word"] = tables.word_embeddings.weight
    parts["place"] = tables.position_embeddings.weight[:LONGEST]
    parts["kind"] = tables.token_type_embeddings.weight
    parts["norm.w"], parts["norm.b"] = tables.LayerNorm.weight, tables.LayerNorm.bias
    for number, layer in enumerate(net.encoder.encoder.layer):
        for name, short in NAMES.items():
            part = layer.get_submodule(name)
            parts[f"{number}.{short}.w"], parts[f"{number}.{short}.b"] = part.weight, part.bias
    arrays: dict[str, np.ndarray] = {}
    for name, tensor in parts.items():
        array = tensor.detach().numpy()
        if array.ndim == 2 and name != "kind":
            scale = np.abs(array).max(1).clip(min=1e-8) / 127
            arrays[name] = np.round(array / scale[:, None]).astype(np.int8)
            arrays[f"{name}.scale"] = scale.astype(np.float32)
        else:
            arrays[name] = array
    for name, tensor in net.state_dict().items():
        if not name.startswith("encoder."):
            array = tensor.numpy()
            arrays[name] = array.astype(np.float16) if array.ndim == 2 else array
    arrays["vocabulary"] = np.frombuffer("\n".join(vocabulary).encode(), dtype=np.uint8)
    np.savez_compressed(out, **arrays)


def main() -> None:
    """Trains and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--authors", nargs="+", default=AUTHORS)
    parser.add_argument("--faults", nargs="+", default=FAULTS)
    given = parser.parse_args()
    net, vocabulary = train(given.encoder, given.steps, given.authors, given.faults)
    save(net, vocabulary, given.out)
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
