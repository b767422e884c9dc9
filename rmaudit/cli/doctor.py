"""`rmaudit doctor`: what can be measured here, what is missing, and what it costs."""

from __future__ import annotations

from typing import Annotated

import typer


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
    probe: Annotated[
        bool, typer.Option("--probe", help="Load the target and time a few prompts.")
    ] = False,
) -> None:
    """Check machine and versions; with a TARGET, what a scan of it could measure and cost."""
    from rmaudit.escaping import plain
    from rmaudit.scan.doctor import capabilities, cost_line, machine_lines
    from rmaudit.scan.doctor import probe as run_probe

    print("\n".join(machine_lines()))
    if target is None:
        return
    from rmaudit.config import ScanConfig
    from rmaudit.judging.card import judge_facts
    from rmaudit.scan.plan import make_plan
    from rmaudit.taxonomy import MEASURES

    plan = make_plan(
        ScanConfig(
            target=target,
            sets=tuple(sets or ()),
            judge=judge,
            labeler=labeler,
            engine=engine,
            limit=limit,
            measures=MEASURES if "all" in (measure or ()) else tuple(measure or ()),
        )
    )
    possible, missing = capabilities(plan)
    print(plain(f"\ntarget   {plan.target.spec}: {plan.target.rm_type}, {plan.target.why}"))
    print(plain(f"engine   {plan.target.engine.name} ({plan.target.engine_why})"))
    print(plain(f"set      {plan.checklist.card.name}, {len(plan.items)} items"))
    facts = judge_facts(plan.judge)
    unqualified = f", {facts.unqualified}" if facts.unqualified else ""
    print(plain(f"judge    {facts.spec}{unqualified} ({plan.judge_why})"))
    print(f"cost     {cost_line(plan)}")
    print(f"time     {run_probe(plan) if probe else 'not measured; --probe times a few prompts'}")
    print(f"\ncan be measured ({len(possible)}): {', '.join(possible)}")
    lacking: dict[str, list[str]] = {}
    for one in missing:
        lacking.setdefault(f"{one.why}; needs {one.remedy}", []).append(one.name)
    for why, names in lacking.items():
        print(plain(f"cannot: {', '.join(names)} - {why}"))
