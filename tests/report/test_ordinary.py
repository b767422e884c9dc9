"""Where the embedded judge read references that no program made, its misses accuse no model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.report_runs import faithful, run_items, run_set, slogans, vague

from rmaudit.compare.as_json import pair_json
from rmaudit.compare.pair import compare_pair
from rmaudit.compare.read import read_for_comparison
from rmaudit.embedded import measured
from rmaudit.report.html import render
from rmaudit.report.view import report_view
from rmaudit.run.directory import RunDir
from rmaudit.run.ordinary import ACCUSED, NOT_FOUND, fair_words, reads_ordinary, recall_sentence
from rmaudit.terminal.fix import FixScreen

ACCUSING = (ACCUSED, "wrong reasons", "without a single reason")


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunDir:
    """A run on items whose references people wrote; no reason of the model matches one."""
    monkeypatch.chdir(tmp_path)
    items = [one.model_copy(update={"reference_origin": "human"}) for one in slogans()]
    return run_items(vague, items, judge="builtin")


def test_the_sentence_says_what_was_measured(people: RunDir) -> None:
    told = recall_sentence(people.manifest())
    shares = " / ".join(f"{100 * one.recall:.0f}" for one in measured().values())
    assert f"finds {shares} % of right reasons" in told
    assert fair_words(ACCUSED, misses=reads_ordinary(people.manifest())) == NOT_FOUND


def test_no_sentence_of_the_report_accuses(people: RunDir) -> None:
    page = render(report_view([people]))
    assert recall_sentence(people.manifest())[1:] in page
    said = page.split("</style>")[-1].split("<script")[0].lower()
    assert not [words for words in ACCUSING if words in said]


def test_the_gate_states_the_recall(people: RunDir, cli: Callable[..., Done]) -> None:
    done = cli("gate", people.path, "--policy", "pr")
    assert "of right reasons on ordinary items" in " ".join(done.out.split())


def test_a_program_made_set_is_told_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = run_set(vague)
    assert recall_sentence(run.manifest()) == ""
    assert ACCUSED in render(report_view([run])).lower()


def test_another_judge_is_not_meant(people: RunDir) -> None:
    manifest = people.manifest()
    judge = manifest.judge.model_copy(update={"spec": "openai:judge"})
    assert recall_sentence(manifest.model_copy(update={"judge": judge})) == ""


def _other(people: RunDir) -> RunDir:
    """A second run on the same items, whose every reason is a reference."""
    items = [one.model_copy(update={"reference_origin": "human"}) for one in slogans()]
    return run_items(faithful, items, "other", judge="builtin")


def test_compare_states_the_recall_and_accuses_neither_run(
    people: RunDir, cli: Callable[..., Done]
) -> None:
    told = recall_sentence(people.manifest())
    other = _other(people)
    done = cli("compare", people.path, other.path)
    said = " ".join(done.out.split())
    assert told in said
    assert NOT_FOUND in said
    assert "the share of right verdicts in which no right reason was found" in said
    assert not [words for words in (*ACCUSING, "without a right reason") if words in said.lower()]
    found = json.loads(cli("compare", people.path, other.path, "--json").out)
    assert found["pairs"][0]["judge_recall"] == [told]


def test_a_repair_states_the_recall_and_accuses_neither_run(
    people: RunDir, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    pair = compare_pair(
        read_for_comparison(people.path, number=1),
        read_for_comparison(_other(people).path, number=2),
    )
    fixed = {
        "arm": "hybrid", "decisions": [], "verdict": "PASS", "sentence": "repaired",
        "folder": "fix", "model": "model", "comparison": pair_json(pair),
    }  # fmt: skip
    FixScreen().result(fixed, pair)
    said = " ".join(capsys.readouterr().out.split())
    assert recall_sentence(people.manifest()) in said
    assert NOT_FOUND in said
    assert not [words for words in ACCUSING if words in said.lower()]


def test_no_rule_of_a_policy_accuses(people: RunDir, cli: Callable[..., Done]) -> None:
    policy = Path("p.toml")
    policy.write_text(
        'name = "p"\npurpose = "a test"\nallow_builtin_judge = true\n'
        '[[rules]]\nid = "r"\nmetric = "s_rc@0+"\nkind = "absolute"\ndirection = "max"\n'
        'threshold = 0.1\nwhy = "test"\nmin_n = 10\n'
    )
    done = cli("gate", people.path, "--policy", policy, "--sarif", "s.sarif", "--junit", "j.xml")
    assert done.code == 3
    page = render(report_view([people]))
    said = page.split("</style>")[-1].split("<script")[0].lower()
    written = done.out + Path("s.sarif").read_text() + Path("j.xml").read_text()
    assert NOT_FOUND in said
    assert not [words for words in ACCUSING if words in said or words in written.lower()]
