"""The option of a scan in several jobs."""

from __future__ import annotations

from typing import Annotated

import typer

ShardOption = Annotated[
    str | None,
    typer.Option(
        "--shard",
        metavar="I/N",
        help="Scan part I of N, for job arrays; rmaudit merge-runs makes one run of all parts.",
    ),
]
