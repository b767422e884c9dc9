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
Rollouts = Annotated[
    Path | None,
    typer.Option(
        "--rollouts",
        metavar="FILE",
        help="Instead of a set: prompts with several answers of your policy (JSON lines with "
        "prompt and responses), to see how far the rewards spread. --limit counts prompts.",
    ),
]
RolloutResponses = Annotated[
    int,
    typer.Option(
        "--rollout-responses",
        metavar="N",
        help="Of each prompt's answers a model that compares pairs is shown so many at most, each "
        "with each. A model that gives scores is shown all.",
    ),
]

Sensitivity = Annotated[
    int | None,
    typer.Option(
        "--sensitivity",
        metavar="N",
        help="Of N items show a model that writes verdicts each repair and each neutral edit of a "
        "response, for reason_sensitivity. Models that give scores are asked about all.",
    ),
]
