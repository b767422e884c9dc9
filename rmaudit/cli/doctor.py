"""`rmaudit doctor`: what can be measured here, what is missing, and what it costs."""

from __future__ import annotations

from typing import Annotated

import typer

from rmaudit.cli.prompt_option import AskedPrompt
from rmaudit.cli.score_options import LowerIsBetter


def doctor(
    target: Annotated[
        str | None,
        typer.Argument(metavar="[TARGET]", help="As for scan; without it only the machine."),
    ] = None,
    sets: Annotated[
        list[str] | None, typer.Option("--set", metavar="SET", help="As for scan; repeatable.")
    ] = None,
    judge: Annotated[str | None, typer.Option(metavar="SPEC", help="As for scan.")] = None,
    labeler: Annotated[str | None, typer.Option(metavar="SPEC", help="As for scan.")] = None,
    engine: Annotated[str, typer.Option(help="As for scan.")] = "auto",
    limit: Annotated[int | None, typer.Option(help="As for scan.")] = None,
    measure: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="As for scan; repeatable.")
    ] = None,
    profile: Annotated[str | None, typer.Option(metavar="NAME|FILE", help="As for scan.")] = None,
    prompt: AskedPrompt = None,
    rm_type: Annotated[str | None, typer.Option(help="As for scan.")] = None,
    lower_is_better: LowerIsBetter = None,
    probe: Annotated[
        bool, typer.Option("--probe", help="Load the target and time a few prompts.")
    ] = False,
) -> None:
    """Check machine and versions; with a TARGET, what a scan of it could measure and cost."""
    from rmaudit.scan.doctor import capabilities, cost_line, machine_lines
    from rmaudit.scan.doctor import probe as run_probe
    from rmaudit.terminal.lines import show_facts, show_line

    for line in machine_lines():
        show_line(line)
    if target is None:
        return
    from rmaudit.config import ScanConfig
    from rmaudit.errors import MissingPackageError
    from rmaudit.judging.card import judge_facts
    from rmaudit.scan.doctor import checkpoint_facts, target_facts
    from rmaudit.scan.plan import make_plan
    from rmaudit.taxonomy import MEASURES

    config = ScanConfig(
        target=target,
        sets=tuple(sets or ()),
        judge=judge,
        labeler=labeler,
        engine=engine,
        profile=profile,
        prompt=prompt,
        rm_type=rm_type,
        lower_is_better=bool(lower_is_better),
        limit=limit,
        measures=MEASURES if "all" in (measure or ()) else tuple(measure or ()),
    )
    show_line("")
    try:
        plan = make_plan(config)
    except MissingPackageError:
        show_facts(checkpoint_facts(config))  # its files can be read without what would run it
        raise
    possible, missing = capabilities(plan)
    facts = judge_facts(plan.judge)
    show_facts(
        [
            *target_facts(plan.target),
            ("set", f"{plan.checklist.card.name}, {len(plan.items)} items"),
            ("judge", f"{facts.named} ({plan.judge_why})"),
            ("cost", cost_line(plan)),
            ("time", run_probe(plan) if probe else "not measured; --probe times a few prompts"),
        ]
    )
    show_line("")
    show_line(f"can be measured ({len(possible)}): {', '.join(possible)}")
    lacking: dict[str, list[str]] = {}
    for one in missing:
        lacking.setdefault(f"{one.why}; needs {one.remedy}", []).append(one.name)
    for why, names in lacking.items():
        show_line(f"cannot: {', '.join(names)} - {why}")
