"""Fixtures: a clean environment in a folder of its own, and the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path

import pytest
from support.command_line import Done

import rmaudit.cli
from rmaudit.__main__ import run
from rmaudit.checklists import sets
from rmaudit.checklists.load import ChecklistSet
from rmaudit.checklists.synth.base import Family
from rmaudit.checklists.synth.write import make_set

SETTINGS = ("NO_COLOR", "COLUMNS", "OPENAI_API_KEY", "RMAUDIT_DEBUG", "FORCE_COLOR")
ENDPOINTS = ("OPENAI_BASE_URL", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")
"""With none of them a test asks its own endpoint only."""


@pytest.fixture(scope="session", autouse=True)
def made_once() -> Iterator[None]:
    """What a process needs once, and tests in one process hundreds of times.

    A `synth:` set: same arguments, same frozen items, a third of the time of a test that scans it
    (the tests of the generator call it as it is). And the parser of the command line.
    """
    make = cache(lambda families, n, seed: make_set(families, n=n, seed=seed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sets, "make_set", partial(_made_once, make))
        patch.setattr(rmaudit.cli, "command", cache(rmaudit.cli.command))
        yield


def _made_once(
    make: Callable[..., ChecklistSet],
    families: Sequence[Family],
    *,
    n: int,
    seed: int,
) -> ChecklistSet:
    return make(tuple(families), n, seed)


@pytest.fixture(autouse=True)
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*SETTINGS, *ENDPOINTS):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("RMAUDIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("RMAUDIT_CONFIG", str(tmp_path / "settings"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Runs `rmaudit ARGUMENTS` in this process."""

    def call(*arguments: str | Path) -> Done:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return call
