"""Options of commands that take a model which gives scores, declared once."""

from __future__ import annotations

from typing import Annotated

import typer

LowerIsBetter = Annotated[
    bool | None,
    typer.Option(
        "--lower-is-better",
        help="Of a model that gives scores, the lower one wins, as of a cost model.",
    ),
]
