"""Small real run directories of each schema, made by the rmaudit that wrote that schema.

answers: a planted model with every measure. scores: a score-only model with recorded decisions,
two of which differ from our reading. annotated: recorded answers to items with two annotators.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parents[1] / "run" / "samples"
SAMPLES = sorted(path.parent for path in FOLDER.glob("schema-*/*/manifest.json"))


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.name}"
