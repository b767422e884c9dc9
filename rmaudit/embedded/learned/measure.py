"""What the learned judge reached on written lists that trained nothing, by wording."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

MEASURED = Path(__file__).parent / "measured.json"
"""Written by `benchmarks/ordinary_reasons.py`."""


class WordingFigures(NamedTuple):
    """Precision and recall of pairs; correlation and bias of rationale consistency of items."""

    precision: float
    recall: float
    r: float
    bias: float


@cache
def measured() -> dict[str, WordingFigures]:
    """By wording: `same`, `judge`, `free`."""
    found = json.loads(MEASURED.read_text(encoding="utf-8"))["wordings"]
    return {wording: WordingFigures(**one) for wording, one in found.items()}
