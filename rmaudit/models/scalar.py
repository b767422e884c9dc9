"""Checkpoints with a reward head: `...ForSequenceClassification` that gives one number."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rmaudit.errors import InputError
from rmaudit.models.weights import Shapes

SCALAR = "scalar-seqcls"
CLASSIFIES = "ForSequenceClassification"
HEAD = "score.weight"


def labels_of(config: Mapping[str, Any]) -> int | None:
    """How many numbers the config says it gives; None where it does not say."""
    labels = config.get("id2label")
    if isinstance(labels, dict):
        return len(labels)
    count = config.get("num_labels")
    return count if isinstance(count, int) and not isinstance(count, bool) else None


def check_reward_head(path: Path, config: Mapping[str, Any], shapes: Shapes) -> None:
    """That there is one linear head of one row, as the config says.

    Both engines load a head that is not there with random numbers, and say nothing.

    Raises:
        InputError: it is missing, has another shape, or the config asks for another number.
    """
    shape = next((shapes[name] for name in shapes if name == HEAD), None)
    if shape is None:
        close = sorted(name for name in shapes if "score" in name or "classifier" in name)
        found = f"; there is {', '.join(close[:3])}" if close else ""
        raise InputError(
            f"{path} has no reward head {HEAD} in its weights{found}",
            "this version reads one linear head of that name; save the model again with its head",
        )
    rows = shape[0] if shape else 0
    if rows != 1:
        raise InputError(
            f"the reward head of {path} gives {rows} numbers ({HEAD} is {list(shape)})",
            "this version audits heads that give one",
        )
    asked = labels_of(config)
    if asked != 1:
        said = "does not say how many labels" if asked is None else f"asks for {asked} labels"
        raise InputError(
            f"{path / 'config.json'} {said}, its head {HEAD} gives 1",
            'add "num_labels": 1 to config.json: without it the model is built with two',
        )
