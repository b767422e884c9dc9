"""`rmaudit gate`: does a run meet a release policy; the exit code says so."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rmaudit.gate.policy import Policy


def gate(
    run: Annotated[
        Path | None, typer.Argument(metavar="[RUN]", help="A run directory. Default: runs/latest.")
    ] = None,
    policy: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="Shipped: release, pr, score-only.")
    ] = "release",
    baseline: Annotated[
        Path | None, typer.Option(metavar="RUN", help="What relative rules compare with.")
    ] = None,
    waivers: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Waivers, in TOML: who, why, until when.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write JUnit XML: a test case a rule.")
    ] = None,
    sarif: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write SARIF 2.1.0: rules, and items by their line."),
    ] = None,
    github: Annotated[
        bool,
        typer.Option("--github", help="Annotate a GitHub workflow, and write its job summary."),
    ] = False,
    self_test: Annotated[
        bool, typer.Option("--self-test", help="Show that every rule can block, and can pass.")
    ] = False,
    json_: Annotated[
        bool, typer.Option("--json", help="Print the decision as one object.")
    ] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="One line.")] = False,
) -> int:
    """Decide on a run: exit code 0 pass, 3 failed, 4 inconclusive, 5 invalid evidence.

    No model is called. Every metric of the policy is measured again from the row files.
    """
    from rmaudit.cli.soundness import checked, tell_first
    from rmaudit.errors import InputError
    from rmaudit.gate.emit.files import write_files
    from rmaudit.gate.lint import load_applicable
    from rmaudit.gate.policy import load_policy
    from rmaudit.gate.run import gate as decide_on
    from rmaudit.run.directory import RunDir
    from rmaudit.scan.plan import LATEST
    from rmaudit.terminal.gate import show_decision

    if self_test:
        return _self_test(load_policy(policy), as_json=json_)
    rules = load_applicable(policy)
    if run is None and not LATEST.exists():
        raise InputError(
            "no run given, and runs/latest is not there", "rmaudit gate RUN --policy P"
        )
    opened = RunDir.open(run or LATEST.resolve())
    if not (json_ or quiet):
        tell_first(checked([opened, *([RunDir.open(baseline)] if baseline else [])]))
    decision = decide_on(opened, rules, baseline=baseline, waivers=waivers)
    write_files(decision, opened, junit=junit, sarif=sarif, github=github)
    show_decision(decision, as_json=json_, quiet=quiet)
    return decision.exit_code


def _self_test(policy: Policy, *, as_json: bool) -> int:
    from rmaudit.errors import EXIT_OK, EXIT_USAGE
    from rmaudit.selftest.gate_selftest import self_test
    from rmaudit.terminal.gate import show_self_test

    shown = self_test(policy)
    show_self_test(policy, shown, as_json=as_json)
    return EXIT_OK if all(one.ok for one in shown) else EXIT_USAGE
