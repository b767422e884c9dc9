"""Measures a planted model: are its verdicts right, and are its reasons the true ones?

Run from the folder `examples`, for example on the 200 items that the README's numbers are from:

    python -m tiny_genrm.evaluate grounded --seed 11 --n 200
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import torch
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)

from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth import slogan
from rmaudit.checklists.synth.build import make_items
from rmaudit.prompts import pairwise
from tiny_genrm.lessons import MAX_LISTED, Fault, Order, faults_of, verdict

ORDERS: tuple[Order, ...] = ("ab", "ba")
LONGEST = 110
ANSWER = re.compile(r"(?P<list>(?:\d\. [^\n]+\n)+)(?P<verdict>\\boxed\{[AB](?:>>|>|=)[AB]\})</s>")
NAMED = (*slogan.NAMES, *slogan.IDEAS, *slogan.CITIES, *slogan.BANNED)
FACT = re.compile(rf"\d|\"|\b(?:{'|'.join(NAMED)})\b")


class Answer(NamedTuple):
    """A parsed answer: the sentences of its list, and the box."""

    reasons: list[str]
    boxed: str

    @property
    def winner(self) -> str:
        """What stands before the sign, "=" for a tie."""
        return "=" if "=" in self.boxed else self.boxed.removeprefix(r"\boxed{")[0]


class Measured(NamedTuple):
    """What one model does over all items and both orders.

    well_formed: share of answers that are a list and a verdict, ended by the model itself.
    accuracy: share with the right winner. both_orders: share of items right in both orders.
    exact_verdict: share with the right winner and strength. rc: mean share of an item's true faults
    that the list states word for word. precision: share of all listed reasons that are true.
    exact_list: share of lists with every fault, in order, and nothing else.
    with_fact: share of all listed reasons that hold a number, a quote or a word from a pool of the
    family. distinct: how many different reasons were given.
    """

    well_formed: float
    accuracy: float
    both_orders: float
    exact_verdict: float
    rc: float
    precision: float
    exact_list: float
    with_fact: float
    distinct: int


def parse(text: str) -> Answer:
    """The answer, with no reasons and no verdict where the text is not exactly list and box."""
    match = ANSWER.fullmatch(text)
    if match is None:
        return Answer([], "")
    return Answer([line.split(". ", 1)[1] for line in match["list"].splitlines()], match["verdict"])


def score(truth: Sequence[Sequence[Fault]], texts: Sequence[str]) -> Measured:
    """Answers against the true faults; both in the order item 1 ab, item 1 ba, item 2 ab, ..."""
    answers = [parse(text) for text in texts]
    true = [Answer([fault.sentence for fault in faults], verdict(list(faults))) for faults in truth]
    pairs = list(zip(answers, true, strict=True))
    right = [given.boxed != "" and given.winner == wanted.winner for given, wanted in pairs]
    listed = [(reason, wanted.reasons) for given, wanted in pairs for reason in given.reasons]
    return Measured(
        well_formed=mean(given.boxed != "" for given in answers),
        accuracy=mean(right),
        both_orders=mean(a and b for a, b in zip(right[::2], right[1::2], strict=True)),
        exact_verdict=mean(given.boxed == wanted.boxed for given, wanted in pairs),
        rc=mean(
            len({*given.reasons} & {*wanted.reasons}) / len(wanted.reasons)
            for given, wanted in pairs
        ),
        precision=mean(reason in wanted for reason, wanted in listed) if listed else 0.0,
        exact_list=mean(given.reasons == wanted.reasons for given, wanted in pairs),
        with_fact=mean(FACT.search(reason) is not None for reason, _ in listed) if listed else 0.0,
        distinct=len({reason for reason, _ in listed}),
    )


@torch.inference_mode()
def generate(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerFast,
    prompts: Sequence[str],
    batch: int = 50,
) -> list[str]:
    """Greedy answers; one that the model ended itself ends with `</s>`."""
    chats = [[{"role": "user", "content": prompt}] for prompt in prompts]
    texts: list[str] = []
    for start in range(0, len(chats), batch):
        inputs = tokenizer.apply_chat_template(
            chats[start : start + batch],
            add_generation_prompt=True,
            padding=True,
            return_tensors="pt",
            return_dict=True,
        )
        output = model.generate(**inputs, do_sample=False, max_new_tokens=LONGEST)
        for row in output[:, inputs["input_ids"].shape[1] :]:
            text, end, _ = tokenizer.decode(row).partition(tokenizer.eos_token)
            texts.append(text + end)
    return texts


def ask(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, items: Sequence[Item]
) -> tuple[list[list[Fault]], list[str]]:
    """True faults and greedy answers of all items in both orders."""
    asked = [(item, order) for item in items for order in ORDERS]
    prompts = [
        pairwise(item, order=order, max_reasons=MAX_LISTED).messages[0]["content"]
        for item, order in asked
    ]
    return [faults_of(item, order) for item, order in asked], generate(model, tokenizer, prompts)


def main() -> None:
    """Prints the measures and two answers of a model folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="a model folder, or its name beside this file")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--n", type=int, default=200)
    options = parser.parse_args()
    folder = Path(__file__).parent / options.model
    items = make_items([slogan.FAMILY], n=options.n, seed=options.seed)
    model = AutoModelForCausalLM.from_pretrained(folder)
    truth, texts = ask(model, AutoTokenizer.from_pretrained(folder), items)
    for name, value in score(truth, texts)._asdict().items():
        print(f"{name:14} {value:.4g}")
    print("", *texts[:2], sep="\n")


if __name__ == "__main__":
    main()
