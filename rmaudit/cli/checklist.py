"""`rmaudit checklist`: list, show, validate and make sets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rmaudit.cli.checklist_curate import dedupe, diff, sample, split, stats
from rmaudit.cli.checklist_import import import_

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="List, check and make sets.")


@app.command("list")
def list_() -> None:
    """List the sets that ship with rmaudit, and the families that `synth` knows."""
    from rmaudit.checklists.sets import available_sets, load_set
    from rmaudit.checklists.synth.families import FAMILIES
    from rmaudit.terminal.lines import show_line

    for name in available_sets():
        loaded = load_set(name)
        show_line(f"{name:<12} {len(loaded.items):>5} items   {loaded.card.purpose}")
    show_line(
        "core · made anew each time: 250 items of each of five domains; core:SEED another exam"
    )
    show_line(f"families of synth:SEED: {', '.join(FAMILIES)}")


@app.command()
def show(
    spec: Annotated[str, typer.Argument(metavar="SET", help="Name, folder, file or synth:SEED.")],
    item: Annotated[str | None, typer.Argument(metavar="[ITEM]", help="One item's id.")] = None,
) -> None:
    """Show a set's card and counts, or one of its items."""
    from rmaudit.checklists.describe import card_lines, item_lines
    from rmaudit.checklists.importers.report import saved_lines
    from rmaudit.checklists.sets import load_set
    from rmaudit.errors import InputError
    from rmaudit.terminal.lines import show_lines

    loaded = load_set(spec)
    if item is None:
        show_lines([*card_lines(loaded), *saved_lines(Path(spec))])
        return
    found = next((one for one in loaded.items if one.id == item), None)
    if found is None:
        raise InputError(f"{spec} holds no item '{item}'", f"e.g. {loaded.items[0].id}")
    show_lines(item_lines(found))


@app.command()
def validate(
    spec: Annotated[str, typer.Argument(metavar="SET", help="Name, folder or items file.")],
    run_checks: Annotated[
        bool,
        typer.Option(
            "--run-checks",
            help="Execute every check on the faulty and the mended response. Checks can run code "
            "of the set, in a subprocess with limits: no sandbox.",
        ),
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse a set whose references contradict something.")
    ] = False,
    json_: Annotated[
        bool, typer.Option("--json", help="Print one JSON object, with all findings.")
    ] = False,
) -> int:
    """Check a set: schema, ids, labels, card, references; on demand the proofs of its reasons."""
    import json

    from rmaudit.checklists.describe import reference_lines, ruler_lines, summary_line, validated
    from rmaudit.checklists.prove import prove
    from rmaudit.checklists.references.read import read_references
    from rmaudit.checklists.sets import load_set
    from rmaudit.errors import EXIT_OK, EXIT_USAGE, InputError
    from rmaudit.terminal.lines import show_line, show_lines

    loaded = load_set(spec)
    if loaded.stale_card:
        raise InputError(
            f"{spec}: the card names content {loaded.card.sha256[:12]}, the items have "
            f"{loaded.sha256[:12]}",
            "if the change is meant, put the new sha256 into card.toml: " + loaded.sha256,
        )
    read = read_references(loaded.items, loaded.place_of)
    found = validated(loaded, read)
    refused: list[str] = []
    if not json_:
        show_lines([summary_line(loaded), *ruler_lines(loaded.items), *reference_lines(read)])
    if run_checks:
        if not any(reason.check for item in loaded.items for reason in item.reasons):
            raise InputError(
                f"{spec} has no reason with a check, so nothing can be proved",
                "leave --run-checks out, or add checks: checklists/README.md",
            )
        proof = prove(loaded.items)
        found["proof"] = {"sentence": proof.sentence, "failures": list(proof.failures)}
        if not json_:
            show_line(proof.sentence)
        refused += proof.failures
    if strict and read.findings:
        refused.append(f"its references have {len(read.findings)} findings")
    if json_:
        print(json.dumps(found | {"refused": refused}, ensure_ascii=True))
        return EXIT_USAGE if refused else EXIT_OK
    if refused:
        raise InputError(
            f"{spec}: {'; '.join(refused[:5])}",
            "correct what is named, or leave the item out; --json names everything",
        )
    return EXIT_OK


@app.command()
def synth(
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same bytes.")],
    out: Annotated[Path, typer.Option(help="Folder to write.")],
    n: Annotated[int | None, typer.Option("--n", min=1, help="Number of items.")] = None,
    core: Annotated[
        bool, typer.Option("--core", help="The set core: 250 items of each domain.")
    ] = False,
    family: Annotated[
        list[str] | None, typer.Option("--family", help="Family; repeatable. Default: all.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name on the card.")] = None,
) -> None:
    """Make preference pairs whose reasons are right by construction."""
    from rmaudit.checklists.describe import card_lines
    from rmaudit.checklists.save import refuse_occupied, save
    from rmaudit.checklists.synth.families import choose
    from rmaudit.checklists.synth.write import core_families, make_core, make_set
    from rmaudit.errors import InputError
    from rmaudit.judge_check.no_read_baselines import with_baselines
    from rmaudit.terminal.lines import show_lines

    if core and (n or family):
        raise InputError(
            "--core says how many items, and of which families", "leave --n and --family out"
        )
    if not core and n is None:
        raise InputError("how many items?", "add --n N, or --core")
    refuse_occupied(out)
    families = core_families() if core else choose(family or ())
    if n is None:
        made = make_core(seed=seed, name=name or "core")
    else:
        made = make_set(families, n=n, seed=seed, name=name)
    made = with_baselines(made, families, seed=seed)
    save(made, out)
    show_lines(card_lines(made))


app.command("import")(import_)
for _command in (split, stats, dedupe, sample, diff):
    app.command()(_command)
