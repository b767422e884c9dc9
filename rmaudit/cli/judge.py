"""`rmaudit judge`: whether the judge is fit to measure with."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rmaudit.cli.endpoint_options import AllowOtherModel, RequestDeadline
from rmaudit.cli.scan import View

if TYPE_CHECKING:
    from rmaudit.judge_check.plan import CheckConfig
    from rmaudit.terminal.screen import Screen

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Check the judge of reasons.")


@app.callback()
def _judge() -> None:
    """Check the judge of reasons."""


@app.command()
def check(
    spec: Annotated[
        str, typer.Argument(metavar="[SPEC]", help="The judge, as --judge of scan.")
    ] = "builtin",
    set_: Annotated[
        str | None,
        typer.Option("--set", metavar="SET", help="Makes the null tests from this set."),
    ] = None,
    second: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Another judge, on the same requests.")
    ] = None,
    labeler: Annotated[
        str | None, typer.Option(metavar="SPEC", help="As for scan. Default: the judge.")
    ] = None,
    repeats: Annotated[
        int, typer.Option(metavar="K", help="Ask the judge K times, without its cache.")
    ] = 1,
    run: Annotated[
        Path | None,
        typer.Option("--from", metavar="RUN", help="Take the reasons of this run as well."),
    ] = None,
    known: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Only measure the judge on known truth of your own."),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a sheet of pairs for a person to score."),
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, help="Pairs on the sheet, about.")] = 100,
    import_: Annotated[
        Path | None,
        typer.Option("--import", metavar="FILE", help="Read a scored sheet back into --from."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(help="Items of each part. [a model: 30 of null tests, 60 of written lists]"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of every draw.")] = 0,
    judge_view: Annotated[
        View, typer.Option(help="The judge sees the whole item, or only the two lists.")
    ] = View.full,
    judge_max_tokens: Annotated[
        int, typer.Option(help="Room for a judge's answer, its thinking included.")
    ] = 2048,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Ask again what was answered before.")
    ] = False,
    judge_key_env: Annotated[
        str, typer.Option(metavar="NAME", help="Environment variable of the judge's key.")
    ] = "OPENAI_API_KEY",
    second_key_env: Annotated[
        str, typer.Option(metavar="NAME", help="The same for the second judge.")
    ] = "OPENAI_API_KEY",
    concurrency: Annotated[int, typer.Option(help="Requests in flight at an endpoint.")] = 32,
    request_deadline: RequestDeadline = None,
    allow_other_model: AllowOtherModel = None,
    max_calls: Annotated[
        int | None, typer.Option(help="Refuse to start above this many model calls.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the judge card here as well.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Start without asking.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the judge card.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="One line at the end.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Also by domain.")] = False,
) -> None:
    """Test a judge on reasons with known scores, against another judge, or against a person."""
    from rmaudit.errors import InputError
    from rmaudit.terminal.screen import Screen

    screen = Screen(json_mode=json_, quiet=quiet)
    if export is not None or import_ is not None:
        if known is not None:
            raise InputError("--known goes with no sheet", "leave out --export and --import")
        if run is None:
            raise InputError("the sheet belongs to a run", "name it with --from RUN")
        if export is not None and import_ is not None:
            raise InputError("--export and --import are two steps", "give one of them")
        _sheet(screen, run, export=export, scored=import_, n=n, seed=seed)
        return

    from rmaudit.judge_check.plan import CheckConfig

    if out is not None and not out.absolute().parent.is_dir():
        raise InputError(f"no folder {out.absolute().parent}", "make it, or name another --out")
    config = CheckConfig(
        spec=spec,
        set=set_,
        run=run,
        second=second,
        labeler=labeler,
        repeats=repeats,
        limit=limit,
        seed=seed,
        view=judge_view.value,
        max_tokens=judge_max_tokens,
        cache=not (no_cache or repeats > 1),
        key_env=judge_key_env,
        second_key_env=second_key_env,
        concurrency=concurrency,
        request_deadline=request_deadline,
        allow_other_model=bool(allow_other_model),
        max_calls=max_calls,
    )
    if known is None:
        _card(screen, config, out=out, ask=not yes, domains=verbose)
    else:
        _known(screen, config, known, out=out, ask=not yes)


def _card(
    screen: Screen, config: CheckConfig, *, out: Path | None, ask: bool, domains: bool
) -> None:
    """The whole check, whose card later scans cite."""
    from rmaudit.judge_check.check import run_check
    from rmaudit.judge_check.plan import plan_check
    from rmaudit.judge_check.show import closing, plan_lines, sections
    from rmaudit.judging.card import dump, keep
    from rmaudit.run.disk import write_atomic
    from rmaudit.terminal.signals import interruptible

    plan = plan_check(config, ask=ask)
    screen.facts(plan_lines(plan))
    with interruptible(["rmaudit", *sys.argv[1:]]):
        card = run_check(plan, screen.progress())
    keep(card)
    if out is not None:
        write_atomic(out.absolute(), dump(card))
    screen.result(card, sections(card, domains=domains), closing(card, out))


def _known(screen: Screen, config: CheckConfig, file: Path, *, out: Path | None, ask: bool) -> None:
    """A user's own known truth, and nothing else."""
    from rmaudit.judge_check.known import plan_known, run_known
    from rmaudit.judge_check.show_known import (
        failed_line,
        known_closing,
        known_facts,
        known_sections,
    )
    from rmaudit.judging.card import dump
    from rmaudit.run.disk import write_atomic
    from rmaudit.terminal.signals import interruptible

    plan = plan_known(config, file, ask=ask)
    screen.facts(known_facts(plan, file))
    with interruptible(["rmaudit", *sys.argv[1:]]):
        measured = run_known(plan, screen.progress())
    found = measured.figures
    if told := failed_line(measured):
        screen.warn(told)
    if out is not None:
        write_atomic(out.absolute(), dump(found))
    screen.result(found, known_sections(found), known_closing(found, out))


def _sheet(
    screen: Screen, run: Path, *, export: Path | None, scored: Path | None, n: int, seed: int
) -> None:
    """Either half of a person's spot check."""
    if export is not None:
        from rmaudit.judge_check.sheet import export as write_sheet

        pairs, answers, key = write_sheet(export, run, n=n, seed=seed)
        found = {"sheet": str(export), "key": str(key), "pairs": pairs, "answers": answers}
        lines = [
            f"{pairs} pairs of {answers} answers: write 0, 0.25, 0.5, 0.75 or 1 into `score`",
            f"the judge's scores are in {key}; leave it beside the sheet",
            f"then: rmaudit judge check --import {export} --from {run}",
        ]
        screen.result(found, [], lines)
    elif scored is not None:
        from rmaudit.judge_check.show import spot_lines
        from rmaudit.judge_check.spot import take_in

        spot = take_in(scored, run)
        table, lines = spot_lines(spot)
        screen.result(spot, [table], lines)
