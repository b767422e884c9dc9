"""Small real run directories of each schema, made by the rmaudit that wrote that schema.

answers: a planted model with every measure. scores: a score-only model with recorded decisions,
two of which differ from our reading. annotated: recorded answers to items with two annotators.
lists: recorded answers, with lists that read nothing. claims: the same with a recorded judge that
decides claims (made up). unqualified: the same with a stand-in for a model as judge, which compares
letter by letter and cites a card that says so. sealed: recorded answers, with the builtin judge.
scored: a random reward head, with repairs and neutral edits of the responses.
rollouts: a random reward head on prompts with several answers, with labels.
labelled: recorded answers, with a labeller whose card says how well it knows each label.
endpoint: a stand-in server that answers in several kinds of way and refuses an option.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "run" / "samples"
SAMPLES = sorted(path.parent for path in FOLDER.glob("schema-*/*/manifest.json"))


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.name}"


def same_but_for_lists(first: Mapping[str, object], second: Mapping[str, object]) -> bool:
    """Whether metrics agree but for lists that read nothing: a recorded judge cannot score them."""
    return {key: one for key, one in first.items() if "null" not in key} == {
        key: one for key, one in second.items() if "null" not in key
    }
