"""Where the embedded judge read references that no program made, its misses accuse no model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.report_runs import run_items, run_set, slogans, vague

from rmaudit.embedded import measured
from rmaudit.report.html import render
from rmaudit.report.view import report_view
from rmaudit.run.directory import RunDir
from rmaudit.run.ordinary import ACCUSED, NOT_FOUND, recall_sentence, spurious_words

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
    assert spurious_words(people.manifest()) == NOT_FOUND


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
