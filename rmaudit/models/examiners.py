"""What a checkpoint may not bring along: code to run, or settings of who examines it and how."""

from __future__ import annotations

from pathlib import Path

from rmaudit.errors import InputError
from rmaudit.models.folder import read_json

RUNS_CODE = "auto_map"
SETTINGS = tuple(f"rmaudit.{kind}" for kind in ("toml", "yaml", "yml", "json"))
"""Names under which a folder could mean to set the judge, a policy or a profile."""


def refuse_examiners(path: Path) -> None:
    """Refuses a folder that asks to run its own code, or holds settings for this program.

    Raises:
        InputError: it does.
    """
    for name in SETTINGS:
        if (path / name).exists():
            raise InputError(
                f"{path / name} is in the checkpoint: who is audited does not set how",
                "delete it; judge, policy, profile and prompt are options of the command",
            )
    for file in sorted(path.glob("*config.json")):
        if RUNS_CODE in read_json(file):
            raise InputError(
                f"{file} asks to run code of the checkpoint ({RUNS_CODE})",
                "rmaudit runs no code of a checkpoint; convert it to a class of transformers",
            )
