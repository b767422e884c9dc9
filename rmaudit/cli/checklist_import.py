"""`rmaudit checklist import`: public preference sets as checklist sets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_FIELD = "Field of the {}, for kind pairs."


def import_(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[KIND] SOURCE",
            help="KIND: rationalerm helpsteer3 r-align r-align-rl-data rewardbench rewardbench2 "
            "rm-bench judgebench ppe ultrafeedback rubricbench if-rewardbench nemo-rl pairs; left "
            "out, the fields tell it. SOURCE: a JSON, JSON-lines or Parquet file, or "
            "hf:REPO[@REV][:SPLIT].",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder to write.")],
    name: Annotated[str | None, typer.Option(help="Name on the card. Default: the kind.")] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="Of which response becomes A where a source says chosen.")
    ] = 0,
    pairs_per_prompt: Annotated[
        int | None,
        typer.Option(min=1, help="At most so many pairs of a prompt, drawn by the seed."),
    ] = None,
    label_field: Annotated[str | None, typer.Option(help="Field of the gold label.")] = None,
    label_scale: Annotated[
        str | None, typer.Option(help="Sign of a number as label: negative-is-a or positive-is-a.")
    ] = None,
    label_a: Annotated[
        list[str] | None,
        typer.Option("--label-a", help="Value that means A is better; repeatable."),
    ] = None,
    label_b: Annotated[
        list[str] | None,
        typer.Option("--label-b", help="Value that means B is better; repeatable."),
    ] = None,
    label_tie: Annotated[
        list[str] | None, typer.Option("--label-tie", help="Value that means a tie; repeatable.")
    ] = None,
    prompt_field: Annotated[str | None, typer.Option(help=_FIELD.format("prompt"))] = None,
    chosen_field: Annotated[str | None, typer.Option(help=_FIELD.format("better response"))] = None,
    rejected_field: Annotated[
        str | None, typer.Option(help=_FIELD.format("worse response"))
    ] = None,
    a_field: Annotated[str | None, typer.Option(help=_FIELD.format("response that is A"))] = None,
    b_field: Annotated[str | None, typer.Option(help=_FIELD.format("response that is B"))] = None,
    id_field: Annotated[str | None, typer.Option(help=_FIELD.format("id"))] = None,
    group_field: Annotated[str | None, typer.Option(help=_FIELD.format("group"))] = None,
    domain_field: Annotated[str | None, typer.Option(help=_FIELD.format("domain"))] = None,
    reasons_field: Annotated[
        str | None, typer.Option(help=_FIELD.format("list of reasons"))
    ] = None,
    config: Annotated[str | None, typer.Option(help="Part of a repository on the hub.")] = None,
    licence: Annotated[
        str | None, typer.Option(help="Licence of the source, if you know it.")
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave bad rows out, and count them.")
    ] = False,
) -> None:
    """Turn a public preference set into a set. Only a source that begins with hf: is downloaded."""
    from rmaudit.checklists.importers import KINDS, kind_named
    from rmaudit.checklists.importers.kind import ImportOptions
    from rmaudit.checklists.importers.labels import SCALES, LabelValues
    from rmaudit.checklists.importers.write import import_to
    from rmaudit.errors import InputError
    from rmaudit.terminal.lines import show_lines

    if len(words) > 2:
        raise InputError(
            "import takes a kind and one source", "write: import [KIND] SOURCE --out DIR"
        )
    kind = kind_named(words[0]) if len(words) == 2 else None
    scale = next((one for one in SCALES if one == label_scale), None)
    if label_scale is not None and scale is None:
        raise InputError(f"no label scale '{label_scale}'", f"scales: {', '.join(SCALES)}")
    named = {
        "prompt": prompt_field,
        "chosen": chosen_field,
        "rejected": rejected_field,
        "a": a_field,
        "b": b_field,
        "id": id_field,
        "group": group_field,
        "domain": domain_field,
        "reasons": reasons_field,
    }
    fields = {part: given for part, given in named.items() if given is not None}
    if fields and kind is None:
        kind = kind_named("pairs")
    values = LabelValues(tuple(label_a or ()), tuple(label_b or ()), tuple(label_tie or ()))
    made = import_to(
        out,
        words[-1],
        KINDS,
        kind=kind,
        options=ImportOptions(seed, label_field, scale, values, fields, pairs_per_prompt),
        config=config,
        title=name,
        licence=licence,
        skip_bad=skip_bad,
    )
    lines = [*made.summary.lines(made.card, made.card.sha256), *made.report.lines()]
    show_lines(lines)
    if made.report.left_out:
        typer.echo(f"{made.report.left_out} bad rows or items left out", err=True)
