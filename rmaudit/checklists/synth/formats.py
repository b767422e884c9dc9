"""Family `formats`: replies in a strict format, half of them lists and half of them JSON."""

from __future__ import annotations

from random import Random

from rmaudit.checklists.synth import formats_json, formats_lists
from rmaudit.checklists.synth.base import Family, Task


def draw(rng: Random) -> Task:
    """A list or a JSON object to write."""
    return formats_lists.draw(rng) if rng.random() < 0.5 else formats_json.draw(rng)


FAMILY = Family("formats", "general", draw)
