"""`rmaudit scan`: run a model on checklist sets, measure, write a run directory."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Orders(StrEnum):
    """In which orders a pair is shown."""

    both = "both"
    ab = "ab"


class View(StrEnum):
    """What the judge sees."""

    full = "full"
    lists = "lists"


class EngineName(StrEnum):
    """Who generates."""

    auto = "auto"
    transformers = "transformers"
    replay = "replay"


def scan(
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="A checkpoint folder, or replay:FILE.")
    ],
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME|DIR|FILE|synth:SEED[:N[:FAMILY]]",
            help="Checklist set; repeatable. Default: starter.",
        ),
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option("--family", help="Family of a synth: set; repeatable. Default: all."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Run directory. Default: runs/<target>-<utc>.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with --out, else with runs/latest.")
    ] = False,
    limit: Annotated[int | None, typer.Option(help="Use this many items, drawn by --seed.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of item order, sampling and statistics.")] = 0,
    orders: Annotated[
        Orders, typer.Option(help="Show each pair in both orders, or one.")
    ] = Orders.both,
    samples: Annotated[int, typer.Option(help="Completions a prompt.")] = 1,
    max_reasons: Annotated[int, typer.Option(help="Reasons asked for and counted.")] = 5,
    judge: Annotated[str, typer.Option(metavar="SPEC", help="Who scores the reasons.")] = "builtin",
    judge_view: Annotated[
        View, typer.Option(help="The judge sees the whole item, or only the two lists.")
    ] = View.full,
    engine: Annotated[EngineName, typer.Option(help="Who generates.")] = EngineName.auto,
    profile: Annotated[
        str | None, typer.Option(help="Prompt and sampling profile: generic, thinking.")
    ] = None,
    temperature: Annotated[
        float | None, typer.Option(help="Overrides the profile; 0 is greedy.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Overrides the profile's answer budget.")
    ] = None,
    batch_size: Annotated[int, typer.Option(help="Prompts a batch (transformers).")] = 16,
    dtype: Annotated[str, typer.Option(help="auto, float32, bfloat16, float16.")] = "auto",
    max_calls: Annotated[
        int | None, typer.Option(help="Refuse to start above this many model calls.")
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave bad lines of a set out, and count them.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything, show the plan, load nothing.")
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="One line at the end.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Show every metric.")] = False,
) -> None:
    """Run a model on checklist sets, measure, write a run directory."""
    from rmaudit.config import DEFAULT_SET, ScanConfig
    from rmaudit.console import Screen
    from rmaudit.plan import make_plan
    from rmaudit.scan import scan as run_scan
    from rmaudit.signals import interruptible

    screen = Screen(json_mode=json_, quiet=quiet, verbose=verbose)
    config = ScanConfig(
        target=target,
        sets=tuple(sets or (DEFAULT_SET,)),
        families=tuple(family or ()),
        out=out,
        resume=resume,
        limit=limit,
        seed=seed,
        orders=orders.value,
        samples=samples,
        max_reasons=max_reasons,
        judge=judge,
        judge_view=judge_view.value,
        engine=engine.value,
        profile=profile,
        batch_size=batch_size,
        dtype=dtype,
        temperature=temperature,
        max_tokens=max_tokens,
        max_calls=max_calls,
        skip_bad=skip_bad,
    )
    plan = make_plan(config)
    screen.plan(plan)
    if dry_run:
        return
    with interruptible(_resume_command(plan.out)):
        scanned = run_scan(plan, screen.progress())
    screen.summary(scanned)


def _resume_command(out: Path) -> list[str]:
    """This command with --resume and its run directory."""
    words = ["rmaudit", *sys.argv[1:]]
    if "--resume" not in words:
        words.append("--resume")
    if not any(word == "--out" or word.startswith("--out=") for word in words):
        words += ["--out", str(out)]
    return words
