"""The tokenizer of a checkpoint folder, whose files anybody may have written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rmaudit.errors import InputError, MissingPackageError

GENERIC = ("TokenizersBackend", "PreTrainedTokenizerFast")
"""Classes that say: read by tokenizer.json alone."""
PROBE = "The answer's 1234.5:\n\n\tna\u00efve cafe\u0301  x=y; \u4f60\u597d\n don't"


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
        if not _reads_as_saved(path, tokenizer):
            tokenizer = transformers.PreTrainedTokenizerFast.from_pretrained(
                path, local_files_only=True
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


def _reads_as_saved(path: Path, tokenizer: Any) -> bool:
    """Whether it reads a text as tokenizer.json does, where the folder names no class but that.

    For some a class of the `model_type` is built all the same, with another splitting of words.
    """
    settings, saved = path / "tokenizer_config.json", path / "tokenizer.json"
    if not (settings.is_file() and saved.is_file()):
        return True
    if json.loads(settings.read_text("utf-8")).get("tokenizer_class") not in GENERIC:
        return True
    from tokenizers import Tokenizer

    plain = Tokenizer.from_file(str(saved)).encode(PROBE, add_special_tokens=False).ids
    return bool(plain == tokenizer(PROBE, add_special_tokens=False)["input_ids"])


def first_line(error: Exception) -> str:
    """What an error of another package says, on one line."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
