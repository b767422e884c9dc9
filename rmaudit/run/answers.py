"""What a run's model said, item by item, so that two runs can be told to hold the same answers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import chain

from rmaudit.records import Key
from rmaudit.run.directory import RunDir
from rmaudit.run.files import GENERATIONS, SCORES


def answer_hashes(run: RunDir) -> dict[str, str]:
    """Per item, sha256 over keys and texts of its answers (keys and scores, of a score model).

    Answers to edited items are left aside: what was measured beside makes no other answers.
    """
    said: dict[str, list[str]] = {}
    texts = ((row.key, row.text) for row in run.rows(GENERATIONS))
    scores = ((row.key, row.score) for row in run.rows(SCORES))
    for key, answer in chain[tuple[Key, str | float]](texts, scores):
        if key.variant == "base":
            said.setdefault(key.item, []).append(repr((key.slot, key.order, key.sample, answer)))
    return {
        item: hashlib.sha256("\n".join(sorted(lines)).encode(errors="replace")).hexdigest()
        for item, lines in said.items()
    }


def same_answers(one: Mapping[str, str], two: Mapping[str, str]) -> bool:
    """Whether two runs say the same, word for word, on all items that both have."""
    both = one.keys() & two.keys()
    return bool(both) and all(one[item] == two[item] for item in both)
