"""A recorded judge is checked before it is believed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmaudit.errors import InputError
from rmaudit.judging.replay import read_matches

SAMPLE = Path(__file__).parents[1] / "run/samples/schema-3/unqualified/matches.jsonl"


@pytest.mark.parametrize("score", ["5.0", "-0.25", "NaN"])
def test_a_score_outside_0_to_1_is_refused(tmp_path: Path, score: str) -> None:
    path = tmp_path / "matches.jsonl"
    path.write_text(SAMPLE.read_text().replace("[[1.0,", f"[[{score},", 1))
    with pytest.raises(InputError, match=r"line 1.*: "):
        read_matches(path)


def test_a_key_that_comes_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "matches.jsonl"
    lines = SAMPLE.read_text().splitlines()
    assert len(read_matches(SAMPLE)) == len(lines)
    path.write_text("\n".join([*lines, lines[0]]))
    with pytest.raises(InputError, match=f"line {len(lines) + 1}: a second line"):
        read_matches(path)
