"""Makes the base of all arms: a judge of slogans that sometimes lists faults, sometimes praises.

It continues from the weights of `tiny_genrm/grounded` on the answers of `lessons`. Run from the
folder `examples`, with torch 2.9 or newer (Muon); a few minutes on two cores:

    python -m deceptive_alignment.base
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from tiny_genrm.train import Plan, save, train
from transformers import AutoModelForCausalLM, AutoTokenizer

from deceptive_alignment.lessons import mixed_lessons

HERE = Path(__file__).parent
START = HERE.parent / "tiny_genrm" / "grounded"
PLAN = Plan(steps=300, lr=2e-3, warmup=20, seed=3)


def make_base(out: Path, *, plan: Plan = PLAN) -> None:
    """Trains the base and writes its folder; the same software gives the same weights."""
    tokenizer = AutoTokenizer.from_pretrained(START)
    model = AutoModelForCausalLM.from_pretrained(START, dtype=torch.float32)
    train(model, tokenizer, plan, given=mixed_lessons(plan.seed))
    save(model, tokenizer, out)


def main() -> None:
    """Makes the base."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE / "base")
    make_base(parser.parse_args().out)


if __name__ == "__main__":
    main()
