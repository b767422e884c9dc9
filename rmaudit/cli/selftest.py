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
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes. Default: one a processor.")
    ] = None,
) -> int:
    """Audit models with one planted defect each; exit 1 unless every defect is named."""
    import json

    from rmaudit.selftest.certificate import certify, lines, to_json
    from rmaudit.selftest.run import jobs_here

    processes = jobs or jobs_here()
    typer.echo(f"planted models are audited in {processes} process(es): about a minute", err=True)
    certificate = certify(jobs=processes)
    text = json.dumps(to_json(certificate), indent=1, ensure_ascii=False)
    if out is not None:
        out.write_text(text + "\n", encoding="utf-8")
    print(text if as_json else "\n".join(lines(certificate)))
    return 0 if certificate.passed else 1
