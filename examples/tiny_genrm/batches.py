"""Lessons as token ids, in batches of like length so that little is padding."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile
from random import Random
from typing import NamedTuple

from transformers import PreTrainedTokenizerFast

from tiny_genrm.lessons import Lesson

POOL = 16  # batches that are drawn together and sorted by length


class Encoded(NamedTuple):
    """A lesson as token ids: the prompt, and the answer with its end."""

    prompt: list[int]
    answer: list[int]


def encode(tokenizer: PreTrainedTokenizerFast, lesson: Lesson) -> Encoded:
    """The lesson through the chat template."""
    chat = [{"role": "user", "content": lesson.prompt}]
    text = tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
    answer = lesson.answer + tokenizer.eos_token
    return Encoded(*tokenizer([text, answer], add_special_tokens=False)["input_ids"])


def common_prefix(prompts: list[list[int]]) -> list[int]:
    """The tokens that all prompts begin with."""
    columns = zip(*prompts, strict=False)
    return [column[0] for column in takewhile(lambda column: len({*column}) == 1, columns)]


def batches(encoded: Iterator[Encoded], size: int, seed: int) -> Iterator[list[Encoded]]:
    """Batches of lessons of like length, in random order."""
    rng = Random(seed)
    while True:
        pool = sorted(islice(encoded, size * POOL), key=lambda one: len(one.prompt + one.answer))
        starts = list(range(0, len(pool), size))
        rng.shuffle(starts)
        for start in starts:
            yield pool[start : start + size]
