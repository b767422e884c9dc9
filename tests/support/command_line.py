"""What a command of rmaudit did."""

from __future__ import annotations

from typing import NamedTuple


class Done(NamedTuple):
    code: int
    out: str
    err: str
