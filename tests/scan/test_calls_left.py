"""--max-calls bounds what a scan still has to do: finished work is not counted again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import ideal_answer, ideal_replay
from support.command_line import Done
from support.fault_server import FaultServer
from support.judge_server import asked, judge_server
from support.report_runs import slogans

from rmaudit.checklists.sets import load_set

Cli = Callable[..., Done]
SPEC = "synth:3:3:slogan"
ITEMS = load_set(SPEC).items


@pytest.fixture(autouse=True)
def a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def test_only_what_the_judge_has_not_answered(cli: Cli, tmp_path: Path) -> None:
    """6 answers, 6 matches, 6 for chance and 18 lists; 6 requests of one kind of list fail."""
    ideal_replay(tmp_path / "ideal.jsonl", slogans(3))
    down = [True]

    def fault(prompt: str, nth: int) -> Any:
        return 500 if down[0] and "The request says" in prompt else None

    with judge_server(fault=fault) as server:
        words = ("scan", "replay:ideal.jsonl", "--set", SPEC, "--out", "run", "--judge")
        words += (server.target, "--labeler", "builtin", "--request-retries", "0")
        assert cli(*words, "--max-calls", "36").code == 0
        failed = Path("run/nulls.jsonl").read_text().count("no answer")
        assert 0 < failed < 18
        down[0] = False
        before = len(asked(server))
        over = cli(*words, "--resume", "--max-calls", str(failed - 1))
        assert over.code == 2
        assert f"this scan still makes {failed} model calls; --max-calls is" in over.err
        assert cli(*words, "--resume", "--max-calls", str(failed)).code == 0
        assert 0 < len(asked(server)) - before <= failed
        assert cli(*words, "--resume", "--max-calls", "0").code == 0


def test_target_and_measures(cli: Cli) -> None:
    """6 answers, of which one order fails at first; then a measure is added: 6 calls more."""
    down = [True]

    def answer(prompt: str) -> str:
        item = next(item for item in ITEMS if item.prompt[0].content in prompt)
        first = prompt[prompt.index("[Response A]") : prompt.index("[/Response A]")]
        return ideal_answer(item, "ab" if item.response_a in first else "ba")

    def fault(prompt: str, nth: int) -> str | None:
        return "500" if down[0] and ITEMS[0].prompt[0].content in prompt else None

    with FaultServer(answer) as server:
        server.fault = fault
        words = ("scan", server.target, "--set", SPEC, "--out", "run", "--request-retries", "0")
        assert cli(*words, "--max-calls", "5").code == 2
        assert cli(*words, "--max-calls", "6").code == 0
        down[0] = False
        over = cli(*words, "--resume", "--max-calls", "1")
        assert "this scan still makes 2 model calls" in over.err
        assert cli(*words, "--resume", "--max-calls", "2").code == 0
        more = (*words, "--resume", "--measure", "specification")
        over = cli(*more, "--max-calls", "5")
        assert "this scan still makes 6 model calls" in over.err
        assert cli(*more, "--max-calls", "6").code == 0
        assert cli(*more, "--max-calls", "0").code == 0


def test_of_what_is_not_begun_everything_counts(cli: Cli, tmp_path: Path) -> None:
    ideal_replay(tmp_path / "ideal.jsonl", slogans(3))
    words = ("scan", "replay:ideal.jsonl", "--set", SPEC, "--out", "run", "--max-calls")
    done = cli(*words, "5", "--resume")
    assert "6 model calls; --max-calls is 5" in done.err
