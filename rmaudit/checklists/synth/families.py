"""The families of program-made items, by name."""

from __future__ import annotations

from collections.abc import Sequence

from rmaudit.checklists.synth import (
    ad_copy,
    arithmetic,
    brief,
    formats,
    multilingual,
    python_code,
    quantities,
    slogan,
    sql,
)
from rmaudit.checklists.synth.base import Family
from rmaudit.errors import InputError

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        slogan.FAMILY,
        ad_copy.FAMILY,
        formats.FAMILY,
        arithmetic.FAMILY,
        python_code.FAMILY,
        brief.family("email", "general"),
        brief.family("story", "creative"),
        brief.family("table-facts", "stem"),
        brief.family("command-line", "code"),
        multilingual.FAMILY,
        sql.FAMILY,
        quantities.FAMILY,
    )
}


def choose(names: Sequence[str]) -> list[Family]:
    """The named families in the order of the registry; all of them where none is named."""
    unknown = [name for name in names if name not in FAMILIES]
    if unknown:
        raise InputError(f"no family '{unknown[0]}'", f"families: {', '.join(FAMILIES)}")
    return [family for name, family in FAMILIES.items() if not names or name in names]
