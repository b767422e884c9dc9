"""`rmaudit selftest`: planted reward models, and whether the audit names what they do wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def selftest(
    as_json: Annotated[bool, typer.Option("--json", help="Print the certificate as JSON.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the certificate there, as JSON.")
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Only tell whether the shipped certificate holds here; exit 1 if not."
        ),
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes. Default: one a processor.")
    ] = None,
) -> int:
    """Audit models with one planted defect each; exit 1 unless every defect is named."""
    import json

    from rmaudit.selftest.certificate import certify, lines, shipped, to_json, void
    from rmaudit.selftest.run import jobs_here

    if check:
        why = void(shipped())
        print(json.dumps({"holds": not why, "why": why}) if as_json else _told(why))
        return 1 if why else 0

    processes = jobs or jobs_here()
    typer.echo(f"planted models are audited in {processes} process(es): about a minute", err=True)
    certificate = certify(jobs=processes)
    text = json.dumps(to_json(certificate), indent=1, ensure_ascii=False)
    if out is not None:
        out.write_text(text + "\n", encoding="utf-8")
    print(text if as_json else "\n".join(lines(certificate)))
    return 0 if certificate.passed else 1


def _told(why: str) -> str:
    if not why:
        return "the shipped certificate holds: every probe is scored as when it was made"
    return f"the shipped certificate is void: {why}; rmaudit selftest --out FILE makes one anew"
