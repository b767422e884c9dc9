"""Trains the reader of the judge `truth` and writes it as int8 into the package.

It starts from the lower layers of a pretrained sentence encoder (all-MiniLM-L6-v2, Apache-2.0;
Wang et al., 2020, arXiv 2002.10957) that lies in a folder. Run from the folder `examples`:

    python -m claim_reader.train FOLDER_OF_THE_ENCODER

Seeds are fixed. `written/unseen.toml` trains nothing: `benchmarks/truth_claims.py` measures on it.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections import defaultdict, deque
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean

import numpy as np
import torch
from torch import nn
from transformers import BertConfig, BertModel

from claim_reader.lessons import ATTACKS, SETS, Lesson, lessons
from claim_reader.wordings import templates
from rmaudit.encoding.wordpiece import WordPiece

ENCODER_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
OUT = Path(__file__).parents[2] / "rmaudit" / "truth" / "reader.npz"
CLASSES = ("states", "denies", "neither")
SHARES = {"states": 0.35, "denies": 0.28, "neither": 0.2, "not": 0.17}
LAYERS, LONGEST = 4, 128
KEPT_WORDS = 8_000
"""The vocabulary is ordered by frequency; rarer words than these are read by their pieces."""
FIRST_WORD = 1996
ITEMS, SEED = 60, 5
STEPS, BATCH, LR = 1500, 32, 2e-4
AROUND = 0.25
"""How often a text gets something before it, and something after it, that states nothing."""
BLAMED = 0.08
"""How often a statement of a fault is followed by a word of blame."""
DENIED = 0.12
"""How often a statement is turned into its denial."""
SMOOTHED = 0.05
"""Label smoothing (Szegedy et al., 2016, arXiv 1512.00567, section 7)."""


class Net(nn.Module):
    """The encoder's lower layers and a linear head."""

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        encoder.encoder.layer = encoder.encoder.layer[:LAYERS]
        encoder.pooler = None
        self.encoder = encoder
        self.head = nn.Linear(encoder.config.hidden_size, len(CLASSES))

    def forward(self, rows: Sequence[tuple[list[int], list[int]]], ids: WordPiece) -> torch.Tensor:
        """Class scores, [n pairs, 3]."""
        framed = [
            ([ids.cls, *one, ids.sep], [*other[: LONGEST - len(one) - 3], ids.sep])
            for one, other in rows
        ]
        width = max(len(one) + len(other) for one, other in framed)
        tokens = torch.zeros(len(rows), width, dtype=torch.long)
        kinds, mask = torch.zeros_like(tokens), torch.zeros_like(tokens)
        for row, (one, other) in enumerate(framed):
            end = len(one) + len(other)
            tokens[row, :end] = torch.tensor(one + other)
            kinds[row, len(one) : end] = 1
            mask[row, :end] = 1
        states = self.encoder(tokens, attention_mask=mask, token_type_ids=kinds)
        return self.head(states.last_hidden_state[:, 0])


def pruned(folder: Path, given: Sequence[Lesson]) -> tuple[BertModel, list[str]]:
    """The encoder with the vocabulary that is kept."""
    data = (folder / "model.safetensors").read_bytes()
    if hashlib.sha256(data).hexdigest() != ENCODER_SHA256:
        raise SystemExit(f"{folder} does not hold the encoder that the reader starts from")
    import json

    listed = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    vocabulary = sorted(listed, key=listed.__getitem__)
    every = WordPiece(vocabulary)
    used = {piece for lesson in given for text in lesson[:2] for piece in every.pieces(text)} | {
        every.cls,
        every.sep,
        every.unknown,
        0,
    }
    used |= {n for n, piece in enumerate(vocabulary) if len(piece.removeprefix("##")) == 1}
    used |= set(range(FIRST_WORD, FIRST_WORD + KEPT_WORDS))
    kept = sorted(used)
    encoder = BertModel.from_pretrained(folder)
    words = encoder.embeddings.word_embeddings.weight.data[kept]
    encoder.embeddings.word_embeddings = nn.Embedding.from_pretrained(words, freeze=False)
    return encoder, [vocabulary[n] for n in kept]


def loss_of(scores: torch.Tensor, labels: Sequence[str]) -> torch.Tensor:
    """Cross-entropy; of `not` only that it is not `states`."""
    logs = scores.log_softmax(-1)
    parts = [
        torch.log1p(-row[0].exp().clamp(max=0.9999))
        if label == "not"
        else (1 - SMOOTHED) * row[CLASSES.index(label)] + SMOOTHED * row.mean()
        for row, label in zip(logs, labels, strict=True)
    ]
    return -torch.stack(parts).mean()


def bare(words: int) -> BertModel:
    """The same network without weights, for those of a file."""
    layout = {"hidden_size": 384, "intermediate_size": 1536, "num_attention_heads": 12}
    return BertModel(BertConfig(vocab_size=words, num_hidden_layers=LAYERS, **layout))


def train(
    folder: Path | None, steps: int, rate: float, start: Path | None
) -> tuple[Net, WordPiece, list[str]]:
    """The trained reader, with progress on the way.

    Args:
        folder: of the pretrained encoder; None where `start` has all weights.
        steps: of the optimiser.
        rate: the highest learning rate of the encoder.
        start: weights to go on from.
    """
    torch.manual_seed(SEED)
    given, _ = lessons(ITEMS, SEED, SETS, ATTACKS)
    encoder, vocabulary = pruned(folder, given) if folder else (bare(1), ["[PAD]"])
    net, rng = Net(encoder), Random(SEED)
    if start is not None:
        vocabulary = loaded(net, start)
    ids = WordPiece(vocabulary)
    # A source is drawn first, then a text, then a fault that it is seen from.
    by_text: dict[str, dict[tuple[str, str], list[Lesson]]] = {label: {} for label in SHARES}
    for one in given:
        by_text[one.label].setdefault((one.source, one.text), []).append(one)
    sources: dict[str, dict[str, list[list[Lesson]]]] = {}
    for label, texts in by_text.items():
        grouped: defaultdict[str, list[list[Lesson]]] = defaultdict(list)
        for (source, _), many in texts.items():
            grouped[source].append(many)
        sources[label] = dict(grouped)

    around = templates("around")

    def draw() -> Lesson:
        label = rng.choices(list(SHARES), list(SHARES.values()))[0]
        one = rng.choice(rng.choice(rng.choice(list(sources[label].values()))))
        if one.label == "states" and rng.random() < DENIED:
            one = one._replace(text=rng.choice(around["denial"]) + one.text, label="denies")
        before = rng.choice(around["before"]) if rng.random() < AROUND else ""
        after = rng.choice(around["after"]) if rng.random() < AROUND else ""
        if one.label == "states" and rng.random() < BLAMED:
            after = rng.choice(around["blame"])
        return one._replace(text=f"{before}{one.text}{after}")

    weights = [
        {"params": net.encoder.parameters(), "lr": rate},
        {"params": net.head.parameters(), "lr": 5 * rate},
    ]
    optimizer = torch.optim.AdamW(weights, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / 50, 0.03 + 0.97 * (1 - step / steps))
    )
    recent: deque[float] = deque(maxlen=100)
    begun = time.monotonic()
    # Loaded models come without dropout, and a few thousand templates are soon known by heart.
    net.train()
    for step in range(1, steps + 1):
        batch = [draw() for _ in range(BATCH)]
        rows = [(ids.pieces(one.reference), ids.pieces(one.text)) for one in batch]
        loss = loss_of(net(rows, ids), [one.label for one in batch])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        recent.append(loss.item())
        if step % 20 == 0:
            took = time.monotonic() - begun
            print(f"step {step} loss {mean(recent):.4f} {took:.0f} s", flush=True)
    return net.eval(), ids, vocabulary


NAMES = {
    "attention.self.query": "q", "attention.self.key": "k", "attention.self.value": "v",
    "attention.output.dense": "o", "attention.output.LayerNorm": "norm1",
    "intermediate.dense": "up", "output.dense": "down", "output.LayerNorm": "norm2",
}  # fmt: skip


def parts_of(net: Net) -> dict[str, torch.Tensor]:
    """The weights by the names that they have in the file."""
    found: dict[str, torch.Tensor] = {}
    tables = net.encoder.embeddings
    found["word"] = tables.word_embeddings.weight
    found["place"] = tables.position_embeddings.weight[:LONGEST]
    found["kind"] = tables.token_type_embeddings.weight
    found["norm.w"], found["norm.b"] = tables.LayerNorm.weight, tables.LayerNorm.bias
    for number, layer in enumerate(net.encoder.encoder.layer):
        for name, short in NAMES.items():
            part = layer.get_submodule(name)
            found[f"{number}.{short}.w"], found[f"{number}.{short}.b"] = part.weight, part.bias
    found["head.w"], found["head.b"] = net.head.weight, net.head.bias
    return found


def loaded(net: Net, start: Path) -> list[str]:
    """Puts the weights of a file into a net; the vocabulary that belongs to them."""
    with np.load(start, allow_pickle=False) as file:
        words = file["word"].shape[0]
        net.encoder.embeddings.word_embeddings = nn.Embedding(words, file["word"].shape[1])
        with torch.no_grad():
            for name, weight in parts_of(net).items():
                array = file[name].astype(np.float32)
                if name + ".scale" in file:
                    array *= file[name + ".scale"][:, None]
                weight.copy_(torch.from_numpy(array))
        return file["vocabulary"].tobytes().decode().split("\n")


def save(net: Net, vocabulary: Sequence[str], out: Path) -> None:
    """Matrices as int8 with a scale for each row, the rest as float32."""
    arrays: dict[str, np.ndarray] = {}
    for name, tensor in parts_of(net).items():
        array = tensor.detach().numpy()
        if array.ndim == 2 and name not in ("kind", "head.w"):
            scale = np.abs(array).max(1).clip(min=1e-8) / 127
            arrays[name] = np.round(array / scale[:, None]).astype(np.int8)
            arrays[name + ".scale"] = scale.astype(np.float32)
        else:
            arrays[name] = array
    arrays["vocabulary"] = np.frombuffer("\n".join(vocabulary).encode(), dtype=np.uint8)
    np.savez_compressed(out, **arrays)


def main() -> None:
    """Trains and writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("encoder", type=Path, nargs="?", help="not needed with --start")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--rate", type=float, default=LR)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    arguments = parser.parse_args()
    if arguments.encoder is None and arguments.start is None:
        parser.error("either the folder of the encoder or --start is needed")
    net, _, vocabulary = train(arguments.encoder, arguments.steps, arguments.rate, arguments.start)
    save(net, vocabulary, arguments.out)
    print(f"{arguments.out}: {arguments.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
