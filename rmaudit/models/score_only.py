"""Signs that a checkpoint gives scores and writes no answers, though its class could write.

A scalar reward model can be saved as an ordinary causal class: its reward is then one logit, or a
head in a file beside. Asked to chat, it answers something, and the audit would be of that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from rmaudit.models.readme import front_matter
from rmaudit.models.weights import few

SCORE_TASKS = frozenset({"text-classification", "token-classification"})
HEADS = ("v_head", "value_head", "score", "regression_head", "reward_head", "rm_head", "score_head")
HEAD_FILES = re.compile(
    r"(?:value_head|v_head|reward_head|regression_layer)\.(?:safetensors|bin|pt|pth)"
)
_NAMED = re.compile(r"(?:^|[-_.])(?:reward|rm|prm|orm)(?:$|[-_.])", re.IGNORECASE)


def signs(path: Path, config: Mapping[str, Any], tensors: Collection[str]) -> list[str]:
    """What its files say of it: settings, tag, head; each in words, none where nothing does.

    tensors: names in the safetensors headers.
    """
    found: list[str] = []
    if config.get("num_labels") == 1 or _labels(config) == 1:
        found.append("config.json gives it one label")
    for name in ("problem_type", "value_head_prefix", "classifier_from_token"):
        if config.get(name):
            found.append(f"config.json sets {name}")
    tags = [task for task in front_matter(path).get("pipeline_tag", []) if task in SCORE_TASKS]
    if tags:
        found.append(f"README.md tags it pipeline_tag: {tags[0]}")
    heads = sorted(name for name in tensors if set(name.split(".")[:-1]) & set(HEADS))
    if heads:
        found.append(f"its weights hold {few(heads)}")
    files = sorted(file.name for file in path.iterdir() if HEAD_FILES.fullmatch(file.name))
    if files:
        found.append(f"it holds {few(files)}")
    return found


def named_so(path: Path) -> bool:
    """Whether the folder's name alone says reward model, which generative ones are called too."""
    return _NAMED.search(path.resolve().name) is not None


def _labels(config: Mapping[str, Any]) -> int | None:
    labels = config.get("id2label")
    return len(labels) if isinstance(labels, dict) else None
