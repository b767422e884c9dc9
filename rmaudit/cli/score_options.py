"""Options of commands that take a model which gives scores, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

LowerIsBetter = Annotated[
    bool | None,
    typer.Option(
        "--lower-is-better",
        help="Of a model that gives scores, the lower one wins, as of a cost model.",
    ),
]
ScoredTokenizer = Annotated[
    Path | None,
    typer.Option(
        "--tokenizer",
        metavar="DIR",
        help="Folder of the tokenizer and chat template that render what an endpoint which scores "
        "is sent. Needed for sglang: and get-reward:; default for classify: and pooling: is the "
        "server's own template.",
    ),
]
