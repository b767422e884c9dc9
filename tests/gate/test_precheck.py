"""What a scan says of its policy before the first call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.answers import ideal_replay
from support.command_line import Done

from rmaudit.checklists.sets import load_set

SPEC = "synth:11:6:slogan"


def test_a_verdict_that_cannot_be_a_pass_is_told_before_the_start(
    cli: Callable[..., Done], tmp_path: Path
) -> None:
    ideal_replay(tmp_path / "model.jsonl", load_set(SPEC).items)
    scan = ("scan", "replay:model.jsonl", "--set", SPEC, "--judge", "builtin", "--out")
    told = cli(*scan, "one", "--policy", "release", "--dry-run")
    assert told.code == 0
    assert "does not allow the builtin judge and builtin labeler" in told.err
    assert "6 rules compare with a baseline, and none is given" in told.err
    assert cli(*scan, "base").code == 0
    told = cli(*scan, "two", "--policy", "release", "--baseline", "base", "--dry-run")
    assert "compare with a baseline" not in told.err
    done = cli(*scan, "three", "--policy", "release", "--baseline", "base")
    assert done.code == 5, "as foretold"
    told = cli(*scan, "four", "--policy", "pr", "--dry-run")
    assert "6 rules compare with a baseline, and none is given" in told.err
    told = cli(*scan, "five", "--policy", "pr", "--baseline", "base", "--dry-run")
    assert "warning" not in told.err
