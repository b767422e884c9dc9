"""`rmaudit checklist split|stats|dedupe|sample|diff`: sets made from sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rmaudit.checklists.load import ChecklistSet

SHOWN = 5
_Set = Annotated[str, typer.Argument(metavar="SET", help="Name, folder, file or synth:SEED.")]
_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
_Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same items.")]


def split(
    spec: _Set,
    out: Annotated[Path, typer.Option(help="Folder to write; a folder in it for each part.")],
    part: Annotated[
        list[str] | None,
        typer.Option("--part", help="NAME=SHARE; repeatable. Default: train=0.8, test=0.2."),
    ] = None,
    seed: _Seed = 0,
) -> None:
    """Divide a set into parts that share no group, and no request or nearly the same one."""
    from rmaudit.checklists.curate.split import split as divide
    from rmaudit.checklists.describe import summary_line
    from rmaudit.checklists.save import refuse_occupied, save
    from rmaudit.checklists.sets import load_set

    shares = _shares(part or ["train=0.8", "test=0.2"])
    loaded = load_set(spec)
    found = divide(loaded, shares, seed=seed)
    for name in shares:
        refuse_occupied(out / name)
    for name, made in zip(shares, found.parts, strict=True):
        save(made, out / name)
        _print([f"{summary_line(made)} ({100 * len(made.items) / len(loaded.items):.1f} %)"])
    lines = [
        f"{found.families} families of items with one group, tuple or request (or nearly the same) "
        f"were kept whole; the largest has {found.largest} items"
    ]
    _print([*lines, *_left_out(found.left_out)])


def stats(spec: _Set, json_: _Json = False) -> None:
    """Count what a set holds, overall and by domain."""
    from rmaudit.checklists.curate.stats import stat_lines, statistics
    from rmaudit.checklists.sets import load_set

    loaded = load_set(spec)
    told = statistics(loaded.items)
    if json_:
        _print_json({"set": loaded.card.name, "sha256": loaded.sha256, **told})
    else:
        _print([f"{loaded.card.name} · {loaded.card.licence}", *stat_lines(told)])


def dedupe(
    spec: _Set,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            help="A set, or a file that `checklist import` knows, such as training data: which "
            "requests of SET it holds. Repeatable.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder to write: the set without what was found.")
    ] = None,
    similarity: Annotated[
        float, typer.Option(min=0.85, max=1, help="Least Jaccard similarity that is a duplicate.")
    ] = 0.9,
    json_: _Json = False,
) -> None:
    """Find near duplicates within a set, and what it shares with other data."""
    from rmaudit.checklists.curate.duplicates import contamination, duplicates
    from rmaudit.checklists.curate.part import part_of
    from rmaudit.checklists.save import refuse_occupied, save
    from rmaudit.checklists.sets import load_set
    from rmaudit.errors import InputError

    if out is not None:
        refuse_occupied(out)
    loaded = load_set(spec)
    others = [(name, _other(name)) for name in against or ()]
    within = duplicates(loaded.items, similarity=similarity)
    found = [
        (name, len(other.items), contamination(loaded.items, other.items, similarity=similarity))
        for name, other in others
    ]
    if json_:
        _print_json(
            {
                "set": loaded.card.name,
                "items": len(loaded.items),
                "similarity": similarity,
                "duplicates": [one._asdict() for one in within.found],
                "alike_by_design": within.by_design,
                "pairs_left_out": within.left_out,
                "against": [
                    {
                        "source": name,
                        "items": size,
                        "found": [one._asdict() for one in told.found],
                        "pairs_left_out": told.left_out,
                    }
                    for name, size, told in found
                ],
            }
        )
    else:
        _print(_duplicate_lines(loaded, within, found))
    if out is not None:
        gone = {one.item for one in within.found}
        gone |= {one.item for _, _, told in found for one in told.found}
        kept = [item for item in loaded.items if item.id not in gone]
        if not kept:
            raise InputError("nothing would be left of the set", "raise --similarity")
        how = f"without {len(gone)} items alike others (similarity {similarity:g})"
        save(part_of(loaded, kept, name=f"{loaded.card.name}-deduped", how=how), out)
        typer.echo(f"{len(kept)} items written, {len(gone)} left out", err=True)


def sample(
    spec: _Set,
    out: Annotated[Path, typer.Option(help="Folder to write.")],
    strata: Annotated[
        str, typer.Option(help="domain label strength source origin family reasons, by commas.")
    ] = "",
    n: Annotated[int | None, typer.Option("--n", min=1, help="Items, in proportion.")] = None,
    each: Annotated[int | None, typer.Option(min=1, help="Items of every stratum.")] = None,
    seed: _Seed = 0,
) -> None:
    """Draw a seeded sample, in proportion to strata or the same number of each."""
    from rmaudit.checklists.curate.sample import sample as drawn
    from rmaudit.checklists.describe import summary_line
    from rmaudit.checklists.save import refuse_occupied, save
    from rmaudit.checklists.sets import load_set

    refuse_occupied(out)
    names = [name.strip() for name in strata.split(",") if name.strip()]
    made = drawn(load_set(spec), strata=names, n=n, each=each, seed=seed)
    save(made.items, out)
    _print(
        [
            summary_line(made.items),
            *(
                f"{one.drawn:>6} of {one.holds:<6} {' '.join(one.name.split())}"
                + (f"   {one.wanted} were wanted" if one.drawn < one.wanted else "")
                for one in made.strata
            ),
        ]
    )


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="Set: name, folder or file.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Set: name, folder or file.")],
    json_: _Json = False,
) -> None:
    """Say what changed between two versions of a set, by item and field."""
    from rmaudit.checklists.curate.diff import diff as compare
    from rmaudit.checklists.sets import load_set

    found = compare(load_set(old), load_set(new))
    if json_:
        _print_json(found.as_dict())
    else:
        _print(found.lines())


def _shares(parts: list[str]) -> dict[str, float]:
    import re

    from rmaudit.errors import InputError

    shares: dict[str, float] = {}
    for text in parts:
        match = re.fullmatch(r"([\w-]+)=(\d*\.?\d+)", text)
        if match is None:
            raise InputError(f"'{text}' is no part", "write NAME=SHARE, e.g. train=0.8")
        if match[1] in shares:
            raise InputError(f"the part {match[1]} comes twice", "name each part once")
        shares[match[1]] = float(match[2])
    return shares


def _other(spec: str) -> ChecklistSet:
    """A set to hold against, or a file that can be imported; bad rows of it are told, not fatal."""
    from tempfile import TemporaryDirectory

    from rmaudit.checklists.importers import KINDS
    from rmaudit.checklists.importers.write import import_to
    from rmaudit.checklists.sets import load_set
    from rmaudit.errors import InputError

    path = Path(spec)
    if not path.is_file():
        return load_set(spec)
    try:
        return load_set(spec)
    except InputError:
        with TemporaryDirectory() as folder:
            made = import_to(Path(folder) / "set", spec, KINDS, skip_bad=True)
            if made.report.left_out:
                typer.echo(
                    f"{spec}: {made.report.left_out} bad rows or items not compared", err=True
                )
            return load_set(str(Path(folder) / "set"))


def _duplicate_lines(loaded: Any, within: Any, found: list[tuple[str, int, Any]]) -> list[str]:
    lines = [
        f"{loaded.card.name}: {len(within.found)} of {len(loaded.items)} items are near duplicates "
        f"of an earlier one; {within.by_design} pairs are alike by design"
    ]
    lines += [f"  {one.item} = {one.of} ({one.similarity:.2f})" for one in within.found[:SHOWN]]
    lines += _more(len(within.found))
    lines += _left_out(within.left_out)
    for name, size, told in found:
        pairs = sum(one.pair for one in told.found)
        share = 100 * len(told.found) / len(loaded.items)
        lines.append(
            f"{name} ({size} items) holds the requests of {len(told.found)} items ({share:.1f} %), "
            f"of {pairs} with both responses"
        )
        lines += [
            f"  {one.item} = {one.of} ({one.similarity:.2f}{', whole pair' if one.pair else ''})"
            for one in told.found[:SHOWN]
        ]
        lines += [*_more(len(told.found)), *_left_out(told.left_out)]
    return lines


def _more(n: int) -> list[str]:
    return [f"  and {n - SHOWN} more; --json names all"] if n > SHOWN else []


def _left_out(n: int) -> list[str]:
    return [f"  {n} pairs were not compared: too many are alike"] if n else []


def _print(lines: list[str]) -> None:
    from rmaudit.terminal.lines import show_lines

    show_lines(lines)


def _print_json(told: dict[str, Any]) -> None:
    import json

    print(json.dumps(told, ensure_ascii=True))
