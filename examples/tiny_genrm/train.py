"""Trains the two planted models: `grounded` from scratch, then `praising` from its weights.

The praising model has learned to read like the other. Then only its verdict is kept right, as in
training on outcomes alone, and its rationale decays to praise. Loss is on answers only.
Run from the folder `examples`, with torch 2.9 or newer (Muon):

    python -m tiny_genrm.train

Seeds are fixed, so the weights come out the same up to floating point.
"""

from __future__ import annotations

import argparse
import copy
import math
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import mean
from typing import Literal

import torch
from torch.optim.lr_scheduler import LambdaLR
from transformers import (
    DynamicCache,
    GenerationConfig,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
)

from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth import slogan
from rmaudit.checklists.synth.build import make_items
from tiny_genrm.batches import POOL, Encoded, batches, common_prefix, encode
from tiny_genrm.evaluate import ask, score
from tiny_genrm.lessons import HELD_OUT_SEEDS, Lesson, lessons
from tiny_genrm.tokenizer import new_tokenizer

EVERY = 200  # steps between two reports
CHECKED = 40  # items of a report, both orders


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One training run; `lr` is the peak of a warm-up and a cosine down to a tenth."""

    kind: Literal["grounded", "praising"] = "grounded"
    steps: int
    lr: float
    batch: int = 32
    warmup: int = 100
    seed: int = 1

    def share_of_lr(self, step: int) -> float:
        """The rate of a step (from 0) as a share of the peak."""
        cosine = 0.1 + 0.9 * (1 + math.cos(math.pi * step / self.steps)) / 2
        return min((step + 1) / self.warmup, cosine)


GROUNDED = Plan(kind="grounded", steps=1500, lr=5e-3)
PRAISING = Plan(kind="praising", steps=900, lr=3e-3, seed=2)


def special_ids(tokenizer: PreTrainedTokenizerFast) -> dict[str, int]:
    """The ids that both configurations of a model name."""
    bos, eos, pad = tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id
    return {"bos_token_id": bos, "eos_token_id": eos, "pad_token_id": pad}


def new_model(tokenizer: PreTrainedTokenizerFast, seed: int = 0) -> LlamaForCausalLM:
    """A randomly initialised Llama of 0.7 million parameters."""
    torch.manual_seed(seed)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=128,
            intermediate_size=256,
            num_hidden_layers=4,
            num_attention_heads=4,
            num_key_value_heads=4,
            max_position_embeddings=1024,
            tie_word_embeddings=True,
            **special_ids(tokenizer),
        )
    )
    # Ten times the usual spread, so that words stay apart from the start: see `optimizers_of`.
    torch.nn.init.normal_(model.model.embed_tokens.weight, std=0.2)
    return model


def loss_of(model: LlamaForCausalLM, batch: list[Encoded], prefix: list[int]) -> torch.Tensor:
    """Mean cross-entropy of the answers' tokens.

    The instructions are the same in every prompt, so they are read once for the whole batch.
    Padding is on the right, where causal attention needs no mask.
    """
    texts = [(one.prompt + one.answer)[len(prefix) :] for one in batch]
    width = max(map(len, texts))
    ids = torch.zeros(len(batch), width, dtype=torch.long)
    labels = torch.full((len(batch), width), -100)
    for row, (text, one) in enumerate(zip(texts, batch, strict=True)):
        ids[row, : len(text)] = torch.tensor(text)
        labels[row, len(text) - len(one.answer) : len(text)] = torch.tensor(one.answer)
    # By position, since transformers 5.24 renames the argument.
    read = DynamicCache(config=model.config)
    model(torch.tensor([prefix]), None, None, read, logits_to_keep=1)
    read.batch_repeat_interleave(len(batch))
    start = min(len(text) - len(one.answer) for text, one in zip(texts, batch, strict=True)) - 1
    logits = model(ids, None, None, read, logits_to_keep=width - start).logits
    return torch.nn.functional.cross_entropy(
        logits[:, :-1].flatten(0, 1), labels[:, start + 1 :].flatten()
    )


def optimizers_of(model: LlamaForCausalLM, lr: float) -> list[torch.optim.Optimizer]:
    """Muon for the matrices inside the layers, AdamW for the embedding and the norms.

    Muon (Jordan et al., 2024) needs about half the steps of AdamW here. The embedding moves slowly:
    at a high rate the words of a pool drift together, and a model that cannot tell them apart
    learns to copy only late.
    """
    named = list(model.named_parameters())
    matrices = [weight for name, weight in named if weight.ndim == 2 and ".layers." in name]
    others = [weight for name, weight in named if weight.ndim != 2 or ".layers." not in name]
    return [
        torch.optim.Muon(matrices, lr=lr, weight_decay=0.01, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(others, lr=lr / 5, betas=(0.9, 0.98), weight_decay=0.01),
    ]


def gradient_of(
    model: LlamaForCausalLM, batch: list[Encoded], prefix: list[int]
) -> tuple[float, tuple[torch.Tensor, ...]]:
    """The loss of a batch and its gradient for every parameter."""
    loss = loss_of(model, batch, prefix)
    return loss.item(), torch.autograd.grad(loss, tuple(model.parameters()))


def train(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    plan: Plan,
    on_step: Callable[[int, float], None] = lambda step, loss: None,
    given: Iterable[Lesson] | None = None,
) -> list[float]:
    """Trains in place, on the given lessons or those of the kind; gives the loss of every step."""
    taught = lessons(plan.kind, plan.seed) if given is None else given
    encoded = (encode(tokenizer, lesson) for lesson in taught)
    stream = batches(encoded, plan.batch, plan.seed)
    prefix = common_prefix([one.prompt for batch in islice(stream, POOL) for one in batch])
    optimizers = optimizers_of(model, plan.lr)
    schedules = [LambdaLR(optimizer, plan.share_of_lr) for optimizer in optimizers]
    losses: list[float] = []
    model.train()
    # Two threads with half a batch each: operations of this size are too small to share out.
    torch.set_num_threads(1)
    workers = ThreadPoolExecutor(2)
    for step in range(1, plan.steps + 1):
        batch = next(stream)
        halves = [batch[: plan.batch // 2], batch[plan.batch // 2 :]]
        found = list(workers.map(lambda half: gradient_of(model, half, prefix), halves))
        for weight, one, two in zip(model.parameters(), *(half[1] for half in found), strict=True):
            weight.grad = (one + two) / 2
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer, schedule in zip(optimizers, schedules, strict=True):
            optimizer.step()
            schedule.step()
        losses.append(mean(half[0] for half in found))
        on_step(step, losses[-1])
    model.eval()
    return losses


def save(model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, folder: Path) -> None:
    """An ordinary model folder, the weights in bfloat16."""
    half = copy.deepcopy(model).to(torch.bfloat16)
    half.config.planted = True  # rmaudit says so wherever it names the model
    half.generation_config = GenerationConfig(do_sample=False, **special_ids(tokenizer))
    half.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def reporter(
    model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, plan: Plan, items: list[Item]
) -> Callable[[int, float], None]:
    """Prints loss, time and the measures on `items`, every so many steps."""
    begun = time.monotonic()
    recent: deque[float] = deque(maxlen=EVERY)

    def report(step: int, loss: float) -> None:
        recent.append(loss)
        if step % EVERY == 0 or step == plan.steps:
            seen = score(*ask(model, tokenizer, items))
            print(
                f"{plan.kind} step {step} loss {mean(recent):.4f} accuracy {seen.accuracy:.3f} "
                f"rc {seen.rc:.3f} well formed {seen.well_formed:.3f} "
                f"{time.monotonic() - begun:.0f} s",
                flush=True,
            )

    return report


def main() -> None:
    """Trains both and writes their folders, with progress on the way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    out = parser.parse_args().out
    tokenizer = new_tokenizer()
    model = new_model(tokenizer)
    check = make_items([slogan.FAMILY], n=CHECKED, seed=HELD_OUT_SEEDS[1])
    for plan in (GROUNDED, PRAISING):
        train(model, tokenizer, plan, reporter(model, tokenizer, plan, check))
        save(model, tokenizer, out / plan.kind)


if __name__ == "__main__":
    main()
