"""From what a user writes to a set: a name, a folder, an items file, or `synth:SEED`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rmaudit.checklists.load import ITEMS_FILE, ChecklistSet, load_card, load_file
from rmaudit.checklists.schema import SetCard
from rmaudit.checklists.synth.families import choose
from rmaudit.checklists.synth.write import make_core, make_set
from rmaudit.errors import InputError
from rmaudit.resources import folder

SYNTH_DEFAULT_N = 200
CORE_SEED = 2026


def load_set(
    spec: str, *, skip_bad: bool = False, families: Sequence[str] = (), size: int | None = None
) -> ChecklistSet:
    """The set that `spec` names.

    Args:
        spec: a name under `checklists/`, a folder, an items file, `synth:SEED[:N[:FAMILY,..]]`, or
            `core[:SEED]`, which is made anew each time.
        skip_bad: leave bad lines out, and count them in `skipped`, instead of refusing the set.
        families: families of a `synth:` set that does not name its own; default all.
        size: items of a `synth:` set that does not give N; default 200.

    Raises:
        InputError: no such set, or a bad line (file, line, field and remedy).
    """
    if spec.startswith("synth:"):
        return _synth_set(spec, families, size)
    if families:
        raise InputError(f"--family works with synth:SEED only, not with '{spec}'")
    core, _, seed = spec.partition(":")
    if core == "core" and (seed.isdecimal() or (spec == "core" and not Path(spec).exists())):
        return make_core(seed=int(seed or CORE_SEED), name=spec)
    path = Path(spec)
    if path.is_file():
        return load_file(path, card=SetCard(name=path.stem), skip_bad=skip_bad)
    directory = path if path.is_dir() else folder("checklists") / spec
    if not (directory / ITEMS_FILE).is_file():
        if path.is_dir():
            raise InputError(f"{spec} holds no {ITEMS_FILE}", "name a folder that `synth` wrote")
        raise InputError(
            f"no checklist set '{spec}'",
            f"sets: {', '.join(available_sets())}, core; or a folder, an items file, synth:SEED",
        )
    return load_file(directory / ITEMS_FILE, card=load_card(directory), skip_bad=skip_bad)


def available_sets() -> list[str]:
    """Names of the sets whose items ship with rmaudit."""
    return sorted(path.parent.name for path in folder("checklists").glob(f"*/{ITEMS_FILE}"))


def _synth_set(spec: str, families: Sequence[str], size: int | None) -> ChecklistSet:
    parts = spec.split(":")
    usage = "write synth:SEED, synth:SEED:N or synth:SEED:N:FAMILY,FAMILY"
    if len(parts) > 4 or not all(part.isdigit() for part in parts[1:3]):
        raise InputError(f"'{spec}' is no program-made set", usage)
    seed = int(parts[1])
    n = int(parts[2]) if len(parts) > 2 else size or SYNTH_DEFAULT_N
    named = parts[3].split(",") if len(parts) > 3 else families
    if n < 1:
        raise InputError(f"'{spec}' asks for no item", usage)
    made = make_set(choose(named), n=n, seed=seed)
    return replace(made, card=made.card.model_copy(update={"name": spec}))
