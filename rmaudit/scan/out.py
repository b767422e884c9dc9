"""Where a run is written."""

from __future__ import annotations

import contextlib
import os
import re
from datetime import UTC, datetime
from pathlib import Path

from rmaudit.config import ScanConfig
from rmaudit.errors import InputError
from rmaudit.scan.target import Target

RUNS = Path("runs")
LATEST = RUNS / "latest"


def out_of(config: ScanConfig, target: Target) -> Path:
    """The run directory: as given, the newest to be resumed, or one by target and time.

    Raises:
        InputError: there is none to resume.
    """
    if config.out is not None:
        return config.out
    if config.resume:
        if not LATEST.exists():
            raise InputError("no run to resume: runs/latest is not there", "name it with --out")
        return LATEST.resolve()
    started = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    name = re.sub(r"[^\w.]+", "-", target.name).strip("-")
    return RUNS / f"{name}-{started}"


def link_latest(path: Path) -> None:
    """Points runs/latest at the run; without it a run only has to be named, so failing is fine."""
    with contextlib.suppress(OSError):
        RUNS.mkdir(exist_ok=True)
        if LATEST.is_symlink() or not LATEST.exists():
            LATEST.unlink(missing_ok=True)
            LATEST.symlink_to(os.path.relpath(path.resolve(), RUNS.resolve()))
