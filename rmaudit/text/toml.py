"""TOML from files that people write: whatever they hold, it is read or refused."""

from __future__ import annotations

import tomllib
from typing import Any


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text.

    Raises:
        tomllib.TOMLDecodeError: it is no TOML, or is nested too deep to be read.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("nested too deep") from None
