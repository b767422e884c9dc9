"""Public preference sets as checklist sets: one module a format, found by name in `KINDS`.

A set is imported from a file that the user has, or from a repository that the user names; none is
shipped.
"""

from __future__ import annotations

from rmaudit.checklists.importers import (
    helpsteer3,
    if_rewardbench,
    judgebench,
    nemo_rl,
    pairs,
    ppe,
    r_align,
    rationalerm,
    rewardbench,
    rewardbench2,
    rm_bench,
    rubricbench,
    ultrafeedback,
)
from rmaudit.checklists.importers.kind import SetKind
from rmaudit.errors import InputError

KINDS: tuple[SetKind, ...] = (
    rationalerm.KIND,
    helpsteer3.KIND,
    r_align.KIND,
    r_align.TRAINING,
    rewardbench2.KIND,
    rewardbench.KIND,
    rm_bench.KIND,
    judgebench.KIND,
    rubricbench.KIND,
    ppe.KIND,
    if_rewardbench.KIND,
    ultrafeedback.KIND,
    nemo_rl.KIND,
    pairs.KIND,
)
"""All formats, in the order in which a file is held against them: the more fields a format has of
its own, the earlier."""


def kind_named(name: str) -> SetKind:
    """The kind of a name, whatever its case, hyphens and spaces.

    Raises:
        InputError: there is none.
    """
    found = next((kind for kind in KINDS if _letters(kind.name) == _letters(name)), None)
    if found is None:
        raise InputError(
            f"no import format '{name}'", f"formats: {', '.join(kind.name for kind in KINDS)}"
        )
    return found


def _letters(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
