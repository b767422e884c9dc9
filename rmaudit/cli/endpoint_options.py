"""Options of commands that ask an endpoint, declared once."""

from __future__ import annotations

from typing import Annotated

import typer

RequestDeadline = Annotated[
    float | None,
    typer.Option(
        "--request-deadline",
        metavar="SECONDS",
        help="How long one request may take with all its tries and waits. Default: no limit but "
        "that of each try.",
    ),
]
AllowOtherModel = Annotated[
    bool | None,
    typer.Option(
        "--allow-other-model",
        help="Take the answers of an endpoint that names another model than was asked for.",
    ),
]
