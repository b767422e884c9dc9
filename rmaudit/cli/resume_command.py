"""The command that goes on with what was stopped."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def naming_what_goes_on(out: Path) -> Iterator[None]:
    """Within, an error of the disk names the command that goes on in `out`."""
    from rmaudit.engines.endpoints import without_credentials
    from rmaudit.run.disk import DiskError

    try:
        yield
    except DiskError as error:
        begun = out.is_dir() and any(out.iterdir())
        typed = ["rmaudit", *map(without_credentials, sys.argv[1:])]
        error.then(resume_command(out) if begun else typed)
        raise
