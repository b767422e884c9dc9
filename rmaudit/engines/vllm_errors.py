"""What vLLM's errors mean to a user: the line that says why, and what to do about it."""

from __future__ import annotations

import re
from pathlib import Path

from rmaudit.errors import InputError, RmauditError

LONGEST = 300
_NOISE = re.compile(
    r" \[type=.*$|\.? Supported architectures: .*$|\.? See https?://.*$| \(parameter=.*$"
)
_POINTER = re.compile(r"see (?:stack trace|root cause)", re.IGNORECASE)
_MEMORY = re.compile(r"memory|KV cache|cache blocks|max seq len", re.IGNORECASE)
_LENGTH = re.compile(r"max_model_len", re.IGNORECASE)
_MODEL = re.compile(r"not supported|unsupported|no module or parameter named", re.IGNORECASE)


def start_error(path: Path, error: Exception, logged: str) -> InputError:
    """Why vLLM does not start with a checkpoint.

    logged: the cause in the engine's log, used where the error only points there.
    """
    said = reason(error)
    if logged and _POINTER.search(said):
        said = logged
    return InputError(f"vLLM does not start with {path}: {_short(said)}", _hint(said))


def stopped_error(error: Exception, logged: str) -> RmauditError:
    """Why a running engine stopped."""
    said = reason(error)
    if logged and (_POINTER.search(said) or said == type(error).__name__):
        said = logged
    if _MEMORY.search(said):
        advice = "lower --gpu-memory-utilization or --max-model-len, then go on with --resume"
    else:
        advice = "go on with --resume; -v shows the engine's own log"
    return RmauditError(
        f"vLLM stopped while working: {_short(said)}", f"finished rows are kept: {advice}"
    )


def reason(error: Exception) -> str:
    """The line of an error that says why; a validation error has headings and footers around it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    for line in lines:
        if line.startswith("Value error, "):
            return _NOISE.sub("", line.removeprefix("Value error, "))
    return _NOISE.sub("", lines[0]) if lines else type(error).__name__


def _hint(said: str) -> str:
    if _MODEL.search(said):
        return "run it with --engine transformers"
    if _MEMORY.search(said):
        return (
            "lower --max-model-len, change --gpu-memory-utilization (the engine's share of the "
            "memory, 0 to 1), or spread the model with --tensor-parallel N"
        )
    if _LENGTH.search(said):
        return "lower --max-model-len, or leave it out"
    return "-v shows the engine's own log; --engine transformers runs without vLLM"


def _short(said: str) -> str:
    """One line of bounded length, cut at the end of a sentence where there is one."""
    said = " ".join(said.split()).rstrip(".")
    if len(said) <= LONGEST:
        return said
    cut = said[:LONGEST]
    end = cut.rfind(". ")
    return cut[:end] if end > 0 else f"{cut.rstrip()}…"
