"""What a scan is asked to do: one frozen record, from the command line, into the manifest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rmaudit.errors import InputError

DEFAULT_SET = "starter"


@dataclass(frozen=True, slots=True)
class ScanConfig:
    """The options of `rmaudit scan`; see its --help."""

    target: str
    sets: tuple[str, ...] = (DEFAULT_SET,)
    families: tuple[str, ...] = ()
    out: Path | None = None
    resume: bool = False
    limit: int | None = None
    seed: int = 0
    orders: Literal["both", "ab"] = "both"
    samples: int = 1
    max_reasons: int = 5
    judge: str = "builtin"
    judge_view: Literal["full", "lists"] = "full"
    engine: str = "auto"
    profile: str | None = None
    batch_size: int = 16
    dtype: str = "auto"
    temperature: float | None = None
    max_tokens: int | None = None
    max_calls: int | None = None
    skip_bad: bool = False

    def __post_init__(self) -> None:
        """Refuses values that no scan can have.

        Raises:
            InputError: an option is out of range.
        """
        at_least_one = {
            "--limit": self.limit,
            "--samples": self.samples,
            "--max-reasons": self.max_reasons,
            "--batch-size": self.batch_size,
            "--max-tokens": self.max_tokens,
        }
        for option, value in at_least_one.items():
            if value is not None and value < 1:
                raise InputError(f"{option} is {value}", "give a whole number from 1")
        if self.temperature is not None and self.temperature < 0:
            raise InputError(f"--temperature is {self.temperature}", "0 is greedy; give 0 or more")

    @property
    def shown_orders(self) -> tuple[Literal["ab", "ba"], ...]:
        """The orders in which each pair is shown."""
        return ("ab", "ba") if self.orders == "both" else ("ab",)
