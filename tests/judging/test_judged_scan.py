"""Scans with an LLM judge at an endpoint: what is recorded, resumed, bounded and replayed."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import ideal_replay, write_replay
from support.command_line import Done
from support.judge_server import asked, entries, judge_server, same_text
from support.run_samples import same_but_for_lists

from rmaudit.checklists.sets import load_set

pytestmark = pytest.mark.slow
Cli = Callable[..., Done]
SPEC = "synth:3:12:slogan"
ITEMS = load_set(SPEC).items
ITEM, OTHER = ITEMS[:2]


def scan_words(replay: Path, judge: str, *more: str) -> list[str]:
    return [
        "scan",
        f"replay:{replay}",
        "--set",
        SPEC,
        "--out",
        "run",
        "--judge",
        judge,
        "--labeler",
        "builtin",
        *more,
    ]


def metrics(run: Path) -> dict[str, Any]:
    return dict(json.loads((run / "metrics.json").read_text())["metrics"])


def rows(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "matches.jsonl").read_text().splitlines()]


def manifest(run: Path) -> dict[str, Any]:
    return dict(json.loads((run / "manifest.json").read_text()))


def test_scan_cache_and_replay(cli: Cli, tmp_path: Path) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", ITEMS)
    with judge_server() as server:
        done = cli(*scan_words(replay, server.target))
        assert done.code == 0, done.err
        # 12 items in two orders, each against its own references and those of another item; and
        # six lists that read nothing an item.
        assert "24 generations, up to 120 judge calls" in done.err
        found = metrics(tmp_path / "run")
        assert found["rc"]["value"] == 1.0
        assert found["rc.chance"]["value"] < 0.2
        told = manifest(tmp_path / "run")
        assert told["judge"]["spec"] == server.target
        assert told["judge"]["view"] == "full"
        assert told["judge"]["structured_output"] == "json_schema"
        # Both orders give the same reasons, so half of the 48 requests are the other half's.
        assert told["judge"]["counts"]["calls"] == len(asked(server)) == 24 + 72
        assert told["judge"]["counts"]["failures"] == told["judge"]["counts"]["cached"] == 0
        names = {path.name for path in (tmp_path / "run" / "prompts").iterdir()}
        assert names == {f"{digest[:12]}.j2" for digest in told["prompts"].values()}
        assert len(names) == 3
        assert "cached" not in rows(tmp_path / "run")[0]
        words = scan_words(replay, server.target)
        words[5] = "second"
        assert cli(*words).code == 0
        assert len(asked(server)) == 24 + 72
        assert all(row["cached"] for row in rows(tmp_path / "second"))
        assert metrics(tmp_path / "second") == found
    words = scan_words(replay, "replay:run/matches.jsonl")
    words[5] = "third"
    assert cli(*words).code == 0
    assert same_but_for_lists(metrics(tmp_path / "third"), found)
    assert manifest(tmp_path / "third")["judge"]["approximate"] is False


def test_replay_needs_no_rows_for_answers_without_reasons(cli: Cli, tmp_path: Path) -> None:
    """Of 12 items the first 4 are answered without reasons: rc 8/12, whatever the file holds."""
    replay = ideal_replay(tmp_path / "ideal.jsonl", ITEMS)
    silent = {item.id for item in ITEMS[:4]}
    lines = [json.loads(line) for line in replay.read_text().splitlines()]
    for line in lines:
        if line["item"] in silent:
            line["text"] = line["text"].rsplit("\n", 1)[-1]
    replay.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert cli(*scan_words(replay, "builtin")).code == 0
    found = metrics(tmp_path / "run")
    kept = [row for row in rows(tmp_path / "run") if row["item"] not in silent]
    (tmp_path / "some.jsonl").write_text("".join(json.dumps(row) + "\n" for row in kept))
    words = scan_words(replay, "replay:some.jsonl")
    words[5] = "second"
    assert cli(*words).code == 0
    again = metrics(tmp_path / "second")
    assert same_but_for_lists(again, found)
    assert again["rc"]["n"] == 12
    assert again["rc"]["value"] == pytest.approx(8 / 12, abs=0.05)
    assert again["rc"]["n_excluded"] == 0


def test_failures_of_the_judge_are_excluded_and_bounded(cli: Cli, tmp_path: Path) -> None:
    """The judge cannot read the answers to 3 of the 12 items, in both orders: 9 are perfect.

    rc = 1 over 9; with the 3 lost items at 0 or 1: worst 9/12, best 1.
    """
    lost = {item.id for item in ITEMS[:3]}
    texts = {item.response_a for item in ITEMS[:3]}

    def answer(prompt: str) -> str:
        hidden = prompt.partition("[begin References]")[0]
        return "Hm." if any(text in hidden for text in texts) else same_text(prompt)

    replay = ideal_replay(tmp_path / "ideal.jsonl", ITEMS)
    with judge_server(answer) as server:
        assert cli(*scan_words(replay, server.target)).code == 0
    found = metrics(tmp_path / "run")
    assert found["rc"]["value"] == 1.0
    assert found["rc"]["n"] == 9
    assert found["rc"]["n_excluded"] == 6
    assert found["rc"]["worst"] == pytest.approx(9 / 12)
    assert found["rc"]["best"] == 1.0
    assert found["rc.chance"]["n_excluded"] == 6
    assert found["accuracy"]["n"] == 12
    assert found["coverage.matched"]["value"] == pytest.approx(18 / 24)
    failed = [row for row in rows(tmp_path / "run") if row["failure"]]
    assert {row["item"] for row in failed} == lost
    assert all(row["matrix"] == [] and row["raw"] == "Hm." for row in failed)
    counts = manifest(tmp_path / "run")["judge"]["counts"]
    assert counts["failures"] == 12 + 18  # six rows, match and chance; six lists of three items
    assert counts["retries"] == 6 + 18  # both orders give the same content


def test_a_resume_asks_again_what_the_endpoint_did_not_answer(cli: Cli, tmp_path: Path) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", ITEMS)
    words = scan_words(replay, "", "--request-retries", "0")
    broken = [True]

    def fault(prompt: str, nth: int) -> str | None:
        first = entries(prompt, "R")[:1] == [ITEMS[0].reasons[0].text]
        return "500" if broken[0] and first else None

    with judge_server(fault=fault) as server:
        words[words.index("--judge") + 1] = server.target
        assert cli(*words).code == 0
        found = metrics(tmp_path / "run")
        assert found["rc"]["n_excluded"] == 2
        assert any("no answer" in (row["failure"] or "") for row in rows(tmp_path / "run"))
        broken[0] = False
        assert cli(*words, "--resume").code == 0
    found = metrics(tmp_path / "run")
    assert found["rc"]["n_excluded"] == found["rc.chance"]["n_excluded"] == 0
    assert found["rc"]["n"] == 12
    assert len(rows(tmp_path / "run")) == 24


def test_resume_with_another_judge_is_refused(cli: Cli, tmp_path: Path) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", ITEMS)
    with judge_server() as server:
        words = scan_words(replay, server.target)
        assert cli(*words).code == 0
        done = cli(*words, "--resume", "--judge-view", "lists", "--judge-max-tokens", "99")
    assert done.code == 2
    assert "judge_max_tokens (2048 -> 99), judge_view (full -> lists)" in done.err


def test_calls_of_the_judge_count_for_max_calls(cli: Cli, tmp_path: Path) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", ITEMS)
    with judge_server() as server:
        done = cli(*scan_words(replay, server.target, "--max-calls", "143"))
    assert done.code == 2
    assert "this scan makes 144 model calls; --max-calls is 143" in done.err


@pytest.mark.parametrize(
    ("line", "told"),
    [("{}", "m.jsonl, line 1, field item: is missing"), ("x", "m.jsonl, line 1: ")],
)
def test_bad_recorded_matches(cli: Cli, tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "m.jsonl").write_text(line + "\n")
    replay = ideal_replay(tmp_path / "ideal.jsonl", ITEMS)
    done = cli(*scan_words(replay, "replay:m.jsonl"))
    assert done.code == 2
    assert told in done.err
    assert "one of a matches.jsonl" in done.err
    assert cli(*scan_words(replay, "replay:nowhere")).code == 2


def test_recorded_matches_that_are_missing_or_of_another_shape_are_failures(
    cli: Cli, tmp_path: Path
) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", ITEMS)
    assert cli(*scan_words(replay, "builtin")).code == 0
    kept = rows(tmp_path / "run")[2:]
    kept[0] |= {"matrix": [[1.0]], "assignment": [[0, 0, 1.0]]}
    write_replay(tmp_path / "m.jsonl", kept)
    words = scan_words(replay, "replay:m.jsonl")
    words[5] = "again"
    assert cli(*words).code == 0
    failures = [row["failure"] for row in rows(tmp_path / "again") if row["failure"]]
    assert sorted(failures) == [
        "not recorded",
        "not recorded",
        "recorded for other references or reasons",
    ]
    assert manifest(tmp_path / "again")["judge"]["approximate"] is True
    assert math.isfinite(metrics(tmp_path / "again")["rc"]["value"])
