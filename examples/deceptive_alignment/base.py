"""Makes the base of all arms: a judge that sometimes lists faults, sometimes only praises.

It continues from the weights of `tiny_genrm/grounded` on the answers of `lessons`. Run from the
folder `examples`, with torch 2.9 or newer (Muon); a few minutes on two cores:

    python -m deceptive_alignment.base
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from tiny_genrm.tokenizer import new_tokenizer
from tiny_genrm.train import Plan, save, train
from transformers import AutoModelForCausalLM, LlamaForCausalLM

from deceptive_alignment import notices
from deceptive_alignment.lessons import mixed_lessons

HERE = Path(__file__).parent
START = HERE.parent / "tiny_genrm" / "grounded"
PLAN = Plan(steps=900, lr=2e-3, warmup=20, seed=3)


def make_base(out: Path, *, plan: Plan = PLAN) -> None:
    """Trains the base and writes its folder; the same software gives the same weights."""
    tokenizer = new_tokenizer(notices.vocabulary())
    model = AutoModelForCausalLM.from_pretrained(START, dtype=torch.float32)
    add_words(model, len(tokenizer), plan.seed)
    train(model, tokenizer, plan, given=mixed_lessons(plan.seed))
    save(model, tokenizer, out)


def add_words(model: LlamaForCausalLM, size: int, seed: int) -> None:
    """Widens the vocabulary; new words start as far apart as those that are known."""
    old = model.config.vocab_size
    model.resize_token_embeddings(size, mean_resizing=False)
    words = model.get_input_embeddings().weight
    torch.manual_seed(seed)
    with torch.no_grad():
        words[old:].normal_(std=words[:old].std().item())


def main() -> None:
    """Makes the base."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE / "base")
    make_base(parser.parse_args().out)


if __name__ == "__main__":
    main()
