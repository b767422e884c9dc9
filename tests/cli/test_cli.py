"""The command line as a user meets it: instant help, errors with a remedy, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.answers import write_replay
from support.command_line import Done

Cli = Callable[..., Done]
HEAVY = (
    "torch transformers vllm trl scipy numpy openai jinja2 pydantic rich regex snowballstemmer"
).split()


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\nfrom rmaudit.__main__ import run\ncode = run(['--help'])\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\nsys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert "scan" in done.stdout


def test_no_arguments_show_the_help(cli: Cli) -> None:
    assert cli().code == 0
    assert "Commands:" in cli().out
    assert cli("--version").out.startswith("rmaudit ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["bogus"], "error: No such command 'bogus'"),
        (["scan"], "error: Missing argument 'TARGET'"),
        (["scan", "x", "--limits", "3"], "error: No such option: --limits"),
        (["scan", "x", "--limit", "many"], "error: Invalid value for '--limit'"),
        (["scan", "x", "--orders", "ba"], "error: Invalid value for '--orders'"),
        (["scan", "x", "--limit", "0"], "error: --limit is 0"),
        (["scan", "nowhere", "--set", "synth:1:2:slogan"], "error: no checkpoint at nowhere"),
        (["scan", "replay:nowhere", "--set", "synth:1:2:slogan"], "error: cannot read nowhere"),
        (["scan", "x", "--set", "nothing"], "error: no checklist set 'nothing'"),
        (["scan", "x", "--judge", "me", "--set", "synth:1:2:slogan"], "error: no judge 'me'"),
        (["report", "nowhere", "--html"], "error: no run at nowhere"),
        (["report", "--html"], "error: no run given, and runs/latest is not there"),
        (["report"], "error: give one format: --html, --md, --json or --model-card"),
        (["show", "nowhere", "x"], "error: no run at nowhere"),
        (["checklist", "show", "nothing"], "error: no checklist set 'nothing'"),
        (["checklist", "synth", "--n", "0", "--seed", "1", "--out", "x"], "error: Invalid value"),
    ],
)
def test_errors_say_what_and_what_to_do(cli: Cli, words: list[str], told: str) -> None:
    done = cli(*words)
    assert done.code == 2
    assert done.err.startswith(told)
    assert "Traceback" not in done.err
    assert done.out == ""
    assert "\nhint: " in done.err


def test_errors_as_json(cli: Cli) -> None:
    done = cli("scan", "nowhere", "--set", "synth:1:2:slogan", "--json")
    error = json.loads(done.out)["error"]
    assert done.code == 2
    assert error["message"] == "no checkpoint at nowhere"
    assert error["hint"]


def test_control_characters_in_errors_are_shown_harmless(cli: Cli) -> None:
    done = cli("scan", "no\x1b[31mwhere", "--set", "synth:1:2:slogan")
    assert "\x1b" not in done.err


def test_a_bug_is_told_as_one(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rmaudit.scan.plan.make_plan", lambda config: 1 / 0)
    done = cli("scan", "x")
    assert done.code == 1
    assert "rmaudit met a bug: ZeroDivisionError" in done.err


def test_max_calls(cli: Cli, tmp_path: Path) -> None:
    replay = write_replay(
        tmp_path / "r.jsonl", [{"item": "slogan-1-00000", "order": "ab", "text": "y"}]
    )
    words = ["scan", f"replay:{replay}", "--set", "synth:1:5:slogan", "--max-calls", "9"]
    done = cli(*words)
    assert done.code == 2
    assert "this scan makes 10 model calls; --max-calls is 9" in done.err
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("not json", "line 2"),
        ('{"order": "ab", "text": "y"}', "line 2, field item: is missing"),
        ('{"item": "x", "order": "ab"}', "line 2, field text: is missing"),
        ('{"item": "x", "order": "up", "text": "y"}', "line 2, field order: "),
        (
            '{"item": "x", "order": "ab", "text": "z"}',
            "line 2: the key x/base/pair/ab/0 comes twice",
        ),
    ],
)
def test_bad_replay_lines(cli: Cli, tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "r.jsonl").write_text('{"item": "x", "order": "ab", "text": "y"}\n' + line + "\n")
    done = cli("scan", "replay:r.jsonl", "--set", "synth:1:5:slogan")
    assert done.code == 2
    assert told in done.err


def test_planted_models_are_called_planted(cli: Cli, tmp_path: Path) -> None:
    models = Path(__file__).parents[2] / "examples" / "tiny_genrm"
    for name in ("grounded", "praising"):
        done = cli("scan", models / name, "--set", "synth:1:2:slogan", "--dry-run")
        assert done.code == 0, done.err
        assert "parameters, planted" in done.err
        assert f"runs/{name}-planted-" in done.err


@pytest.mark.slow
def test_checklist_commands(cli: Cli, tmp_path: Path) -> None:
    made = cli(
        "checklist", "synth", "--n", "20", "--seed", "5", "--family", "slogan", "--out", "mine"
    )
    assert made.code == 0, made.err
    assert "no-read baselines, 1000 items" in made.out
    assert cli("checklist", "synth", "--n", "20", "--seed", "5", "--out", "mine").code == 2
    assert cli("checklist", "validate", "mine", "--run-checks").out.count("reasons proved") == 1
    assert "slogan-5-00000" in cli("checklist", "show", "mine", "slogan-5-00000").out
    assert cli("checklist", "show", "mine", "x").code == 2
    lines = (tmp_path / "mine" / "items.jsonl").read_text().splitlines()
    item = json.loads(lines[0])
    item["response_a"], item["response_b"] = item["response_b"], item["response_a"]
    (tmp_path / "mine" / "items.jsonl").write_text("\n".join([json.dumps(item), *lines[1:]]))
    stale = cli("checklist", "validate", "mine")
    assert stale.code == 2
    assert "the card names content" in stale.err
    broken = cli("checklist", "validate", "mine/items.jsonl", "--run-checks")
    assert broken.code == 2
    assert "slogan-5-00000/r" in broken.err


def test_proving_needs_reasons_with_checks(cli: Cli, tmp_path: Path) -> None:
    item = {
        "id": "x",
        "prompt": [{"role": "user", "content": "q"}],
        "response_a": "one",
        "response_b": "two",
        "label": "a",
    }
    (tmp_path / "bare.jsonl").write_text(json.dumps(item))
    assert cli("checklist", "validate", "bare.jsonl").code == 0
    done = cli("checklist", "validate", "bare.jsonl", "--run-checks")
    assert done.code == 2
    assert "has no reason with a check" in done.err
