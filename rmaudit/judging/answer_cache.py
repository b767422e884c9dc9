"""What a model answered to which content: within a run in memory, across runs in a file.

The key of an answer is a hash of everything that decides it, so that a changed prompt or judge
asks anew. The file holds raw answers only, one JSON object a line; a damaged line is no answer.
"""

from __future__ import annotations

import json
import os
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from rmaudit.records import Generation


class Answered(NamedTuple):
    """A raw answer; `earlier`: it was there before this run."""

    text: str
    cut: bool
    earlier: bool = False


class AnswerCache:
    """Answers by key. Without a folder, or where it cannot be written, memory alone."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self._path = None if folder is None else folder / f"{name}.jsonl"

    @cached_property
    def _answers(self) -> dict[str, Answered]:
        return {} if self._path is None else _read(self._path)

    def get(self, key: str) -> Answered | None:
        """The answer to this content, if there is one."""
        return self._answers.get(key)

    def put(self, key: str, generation: Generation) -> None:
        """Keeps a finished answer; an answer that failed is not kept."""
        answered = Answered(generation.text, generation.finish_reason == "length")
        self._answers[key] = answered
        if self._path is not None:
            line = json.dumps({"key": key, "text": answered.text, "cut": answered.cut})
            try:
                _append(self._path, f"{line}\n".encode())
            except OSError:
                self._path = None


def cache_folder() -> Path:
    """`$RMAUDIT_CACHE`, else `rmaudit` in the user's cache folder."""
    if own := os.environ.get("RMAUDIT_CACHE"):
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rmaudit"


def _read(path: Path) -> dict[str, Answered]:
    answers = {}
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return {}
    for line in lines:
        try:
            row = json.loads(line)
            answers[str(row["key"])] = Answered(str(row["text"]), bool(row["cut"]), earlier=True)
        except (ValueError, KeyError, TypeError, RecursionError):
            continue  # torn by a kill, or not ours
    return answers


def _append(path: Path, line: bytes) -> None:
    """One write, so that runs which share the file do not mix their lines."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        size = os.fstat(handle).st_size
        if size and os.pread(handle, 1, size - 1) != b"\n":
            line = b"\n" + line  # after a line torn by a kill
        os.write(handle, line)
    finally:
        os.close(handle)
