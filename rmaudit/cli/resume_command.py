"""The command that goes on with what was stopped."""

from __future__ import annotations

import sys
from pathlib import Path


def resume_command(out: Path) -> list[str]:
    """This command with --resume and its output folder, without passwords."""
    from rmaudit.engines.endpoints import without_credentials

    words = ["rmaudit", *map(without_credentials, sys.argv[1:])]
    if "--resume" not in words:
        words.append("--resume")
    if not any(word == "--out" or word.startswith("--out=") for word in words):
        words += ["--out", str(out)]
    return words
