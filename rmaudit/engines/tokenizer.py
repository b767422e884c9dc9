"""The tokenizer of a checkpoint folder, whose files anybody may have written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rmaudit.errors import InputError, MissingPackageError


def load_tokenizer(path: Path) -> Any:
    """The tokenizer of a folder, which reads a text.

    Raises:
        InputError: it cannot be loaded or reads nothing, or transformers is not installed.
    """
    try:
        import transformers
    except ImportError as error:
        package = error.name or "transformers"
        raise MissingPackageError("this checkpoint", package, "transformers") from error
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            path, local_files_only=True, trust_remote_code=False
        )
        tokenizer("x")
    except MemoryError:
        raise
    except Exception as error:  # what its readers raise on a damaged file has no common class
        raise InputError(
            f"cannot load the tokenizer of {path}: {first_line(error)}",
            "check tokenizer.json and tokenizer_config.json: AutoTokenizer.from_pretrained(path)",
        ) from error
    return tokenizer


def first_line(error: Exception) -> str:
    """What an error of another package says, on one line."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
