"""The option of commands that ask a model: a prompt in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

AskedPrompt = Annotated[
    Path | None,
    typer.Option(
        "--prompt",
        metavar="FILE",
        help="Ask by the prompt in a file, text or TOML, with the places {request}, {first} and "
        "{second}; the profile still says what is a verdict.",
    ),
]
