"""Family `multilingual`: a club's notices in five languages, request and responses in one of them.

Reasons are in English, as a reviewer would write them, and quote the values as they stand.
"""

from __future__ import annotations

import tomllib
from functools import cache
from random import Random

from rmaudit.checklists.synth.base import Family
from rmaudit.checklists.synth.brief import FOLDER, BriefTable, BriefTask
from rmaudit.checklists.synth.brief import draw as draw_brief

LANGUAGES = ("es", "de", "fr", "pt", "it")
COMMON = {
    "name": "multilingual",
    "domain": "multilingual",
    "fewest": 12,
    "most": 13,
    "few_fillers": 4,
    "many_fillers": 6,
}


@cache
def language(code: str) -> BriefTable:
    """The table of one language: its sentences, with the kinds and wordings that all share."""
    shared, own = (
        tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))
        for name in ("notice.toml", f"notice.{code}.toml")
    )
    said = {slot["name"]: slot for slot in own["slot"]}
    slots = [{**slot, **said[slot["name"]]} for slot in shared["slot"]]
    return BriefTable.model_validate({**COMMON, **own, "slot": slots})


def draw(rng: Random) -> BriefTask:
    """A notice in a language by the draw."""
    return draw_brief(language(rng.choice(LANGUAGES)), rng)


FAMILY = Family("multilingual", "multilingual", draw)
