"""JSON files of a checkpoint folder, read as untrusted data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rmaudit.errors import InputError

MOST_JSON = 1 << 26
"""Bytes of a JSON file; a tokenizer's vocabulary is the largest that is met."""
AGAIN = "copy or save it again"


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file.

    Raises:
        InputError: the file cannot be read, or holds no object.
    """
    try:
        data = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is damaged: {error}", AGAIN) from error
    if not isinstance(data, dict):
        raise InputError(f"{path} is damaged: not an object", AGAIN)
    return data


def read_text(path: Path) -> str:
    """The text of a file of ordinary size.

    Raises:
        InputError: the file cannot be read, is no UTF-8 text, or is too large.
    """
    try:
        if path.stat().st_size > MOST_JSON:
            raise InputError(f"{path} is larger than {MOST_JSON >> 20} MiB", AGAIN)
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}", AGAIN) from error
    except ValueError as error:
        raise InputError(f"{path} is damaged: {error}", AGAIN) from error
