"""Checkpoints of a training run: which are whole, which is the newest, which are kept.

A checkpoint counts once its mark is there, which is written last and names the configuration. One
that a kill cut short has none, and training goes on from the one before.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rmaudit.errors import InputError
from rmaudit.run.disk import write_atomic

MARK = "rmaudit.json"
PREFIX = "checkpoint-"


def config_hash(identity: Mapping[str, Any]) -> str:
    """sha256 of what decides the training."""
    text = json.dumps(identity, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def at(folder: Path, step: int) -> Path:
    """Where the checkpoint of a step lies."""
    return folder / f"{PREFIX}{step}"


def mark(folder: Path, step: int, *, config: str) -> None:
    """Marks a checkpoint as whole."""
    text = json.dumps({"schema_version": 1, "step": step, "config": config})
    write_atomic(at(folder, step) / MARK, text + "\n")


def whole(folder: Path) -> list[int]:
    """Steps of the whole checkpoints, in order."""
    marks = folder.glob(f"{PREFIX}*/{MARK}")
    return sorted(int(path.parent.name.removeprefix(PREFIX)) for path in marks)


def newest(folder: Path, *, config: str) -> Path | None:
    """The newest whole checkpoint, None where there is none.

    Raises:
        InputError: it was made with another configuration.
    """
    steps = whole(folder)
    if not steps:
        return None
    path = at(folder, steps[-1])
    made = json.loads((path / MARK).read_text(encoding="utf-8")).get("config")
    if made != config:
        raise InputError(
            f"{path} was made with other settings of training",
            "give the options of the first start, or another --out",
        )
    return path


def prune(folder: Path, keep: Iterable[int]) -> None:
    """Takes out the checkpoints of all other steps, torn ones too."""
    names = {f"{PREFIX}{step}" for step in keep}
    for path in folder.glob(f"{PREFIX}*"):
        if path.is_dir() and path.name not in names:
            shutil.rmtree(path, ignore_errors=True)
