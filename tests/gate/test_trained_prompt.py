"""A policy may refuse a run whose model was asked by another prompt than it was trained on."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.gate_runs import decided, policy, rule
from support.run_samples import FOLDER

from rmaudit.gate.policy import load_policy
from rmaudit.gate.precheck import foresee
from rmaudit.models.profiles import load_profile
from rmaudit.prompts import NOT_TRAINED_ON
from rmaudit.run.directory import RunDir

Cli = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return RunDir(Path(shutil.copytree(FOLDER / "schema-3" / "unqualified", tmp_path / "run")))


def asked_in_our_words(run: RunDir) -> RunDir:
    template = load_profile("skywork-critic").template
    manifest = run.manifest()
    manifest.prompts = {**manifest.prompts, template.name: template.sha256}
    run.write_manifest(manifest)
    return run


def strict() -> Path:
    file = policy(rule("accuracy", 0.1))
    file.write_text("require_trained_prompt = true\n" + file.read_text())
    return file


def test_our_words_in_place_of_the_published_ones_are_no_evidence(cli: Cli, run: RunDir) -> None:
    assert decided(cli, run, strict())["verdict"] == "PASS"
    asked_in_our_words(run)
    found = decided(cli, run, strict())
    assert found["verdict"] == "INVALID"
    assert NOT_TRAINED_ON in found["rules"][0]["sentence"]
    (warned,) = foresee(load_policy(str(strict())), run.manifest(), has_baseline=True)
    assert "its verdict will be INVALID" in warned


def test_another_policy_says_it(cli: Cli, run: RunDir) -> None:
    found = decided(cli, asked_in_our_words(run), policy(rule("accuracy", 0.1)))
    assert found["verdict"] == "PASS"
    assert any(NOT_TRAINED_ON in note for note in found["notes"])


def test_the_release_policy_requires_it() -> None:
    assert load_policy("release").require_trained_prompt
    assert not load_policy("pr").require_trained_prompt
