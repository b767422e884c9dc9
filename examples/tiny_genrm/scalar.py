"""Trains the third planted model: `scoring`, which gives a score and no reasons.

It begins with the weights of `grounded`, which has learned to read, and is then trained on the same
pairs by which of two slogans is the better one (Bradley and Terry), and on nothing else: no fault
and no reason is ever shown to it. Run from the folder `examples`:

    python -m tiny_genrm.scalar

Seeds are fixed, so the weights come out the same up to floating point.
"""

from __future__ import annotations

import argparse
import copy
import math
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import torch
from torch.optim.lr_scheduler import LambdaLR
from transformers import (
    AutoModelForCausalLM,
    LlamaConfig,
    LlamaForSequenceClassification,
    PreTrainedTokenizerFast,
)

from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth import slogan
from rmaudit.checklists.synth.build import make_items
from tiny_genrm.lessons import HELD_OUT_SEEDS, faults_of, practice_items, verdict
from tiny_genrm.tokenizer import new_tokenizer

PAD = "<pad>"
BY_MODEL = ("id2label", "label2id", "architectures", "planted", "dtype", "transformers_version")
EVERY = 100  # steps between two reports
CHECKED = 100  # items of a report


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One training run; `lr` is the peak of a warm-up and a cosine down to a tenth."""

    steps: int = 700
    lr: float = 1e-3
    batch: int = 32
    warmup: int = 100
    seed: int = 1

    def share_of_lr(self, step: int) -> float:
        """The rate of a step (from 0) as a share of the peak."""
        cosine = 0.1 + 0.9 * (1 + math.cos(math.pi * step / self.steps)) / 2
        return min((step + 1) / self.warmup, cosine)


class Pair(NamedTuple):
    """Two conversations as token ids: the better response, and the other."""

    better: list[int]
    worse: list[int]


def scoring_tokenizer() -> PreTrainedTokenizerFast:
    """That of the other two with a token for padding alone, so that the end is never taken for it.

    Some readers of such models look for the last token that is no padding.
    """
    tokenizer = new_tokenizer()
    tokenizer.add_special_tokens({"pad_token": PAD})
    tokenizer.padding_side = "right"
    return tokenizer


def new_model(tokenizer: PreTrainedTokenizerFast, base: Path) -> LlamaForSequenceClassification:
    """The body of `base` with a row for padding and a head that gives 0."""
    body = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    kept = {key: value for key, value in body.config.to_dict().items() if key not in BY_MODEL}
    kept |= {
        "vocab_size": len(tokenizer),
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
        "num_labels": 1,
    }
    model = LlamaForSequenceClassification(LlamaConfig(**kept))
    weights = body.model.state_dict()
    words = weights["embed_tokens.weight"]
    padding = torch.zeros(len(tokenizer) - len(words), words.shape[1])
    model.model.load_state_dict(weights | {"embed_tokens.weight": torch.cat([words, padding])})
    torch.nn.init.zeros_(model.score.weight)
    return model


def conversation(tokenizer: PreTrainedTokenizerFast, item: Item, response: str) -> list[int]:
    """The request and a response, as an audit shows them."""
    chat = [{"role": turn.role, "content": turn.content} for turn in item.prompt]
    chat.append({"role": "assistant", "content": response})
    text = tokenizer.apply_chat_template(chat, tokenize=False)
    ids: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return ids


def pairs(tokenizer: PreTrainedTokenizerFast, seed: int) -> Iterator[Pair]:
    """Endless pairs with a winner, of the stream that the others are taught with."""
    for item in practice_items(seed):
        boxed = verdict(faults_of(item, "ab")).removeprefix(r"\boxed{")
        if "=" in boxed:
            continue
        both = [conversation(tokenizer, item, text) for text in (item.response_a, item.response_b)]
        yield Pair(*(both if boxed[0] == "A" else both[::-1]))


def scores_of(
    model: LlamaForSequenceClassification, texts: Sequence[Sequence[int]]
) -> torch.Tensor:
    """What the head says at the last token of each conversation."""
    width = max(map(len, texts))
    ids = torch.full((len(texts), width), int(model.config.pad_token_id))
    for row, text in enumerate(texts):
        ids[row, : len(text)] = torch.tensor(text)
    hidden = model.model(ids).last_hidden_state
    last = hidden[torch.arange(len(texts)), torch.tensor([len(text) - 1 for text in texts])]
    scores: torch.Tensor = model.score(last)[:, 0]
    return scores


def accuracy(
    model: LlamaForSequenceClassification,
    tokenizer: PreTrainedTokenizerFast,
    items: Sequence[Item],
) -> float:
    """Share of items whose better response has the higher score."""
    texts = [
        conversation(tokenizer, item, text)
        for item in items
        for text in (item.response_a, item.response_b)
    ]
    with torch.inference_mode():
        found = scores_of(model, texts).view(-1, 2).tolist()
    return mean((a > b) == (item.label == "a") for item, (a, b) in zip(items, found, strict=True))


def train(
    model: LlamaForSequenceClassification,
    tokenizer: PreTrainedTokenizerFast,
    plan: Plan,
    items: Sequence[Item] = (),
) -> list[float]:
    """Trains in place; gives the loss of every step, and prints how it does on `items`."""
    stream = pairs(tokenizer, plan.seed)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=plan.lr, betas=(0.9, 0.98), weight_decay=0.01
    )
    schedule = LambdaLR(optimizer, plan.share_of_lr)
    begun, recent = time.monotonic(), deque[float](maxlen=EVERY)
    losses: list[float] = []
    model.train()
    for step in range(1, plan.steps + 1):
        batch = list(islice(stream, plan.batch))
        scores = scores_of(model, [text for pair in batch for text in pair]).view(-1, 2)
        loss = -torch.nn.functional.logsigmoid(scores[:, 0] - scores[:, 1]).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        recent.append(losses[-1])
        if items and (step % EVERY == 0 or step == plan.steps):
            right = accuracy(model, tokenizer, items)
            print(
                f"step {step} loss {mean(recent):.4f} accuracy {right:.3f} "
                f"{time.monotonic() - begun:.0f} s",
                flush=True,
            )
    model.eval()
    return losses


def save(
    model: LlamaForSequenceClassification, tokenizer: PreTrainedTokenizerFast, folder: Path
) -> None:
    """An ordinary model folder, the weights in bfloat16."""
    half = copy.deepcopy(model).to(torch.bfloat16)
    half.config.planted = True  # rmaudit says so wherever it names the model
    half.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def main() -> None:
    """Trains it and writes its folder, with progress on the way."""
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=here / "scoring")
    parser.add_argument("--steps", type=int, default=Plan().steps)
    options = parser.parse_args()
    tokenizer = scoring_tokenizer()
    model = new_model(tokenizer, here / "grounded")
    check = make_items([slogan.FAMILY], n=CHECKED, seed=HELD_OUT_SEEDS[1])
    train(model, tokenizer, Plan(steps=options.steps), check)
    save(model, tokenizer, options.out)


if __name__ == "__main__":
    main()
