"""TOML from files that people write: whatever they hold, it is read or refused."""

from __future__ import annotations

import tomllib
from typing import Any


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text.

    Raises:
        tomllib.TOMLDecodeError: it is no TOML, is nested too deep, or holds a date or a number that
            cannot be.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise tomllib.TOMLDecodeError("nested too deep") from None
    except ValueError as error:  # of Python's own numbers and dates
        raise tomllib.TOMLDecodeError(str(error)) from None
