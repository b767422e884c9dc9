"""`--prompt FILE`, and what a run, a gate and a report say of whose words a model was asked in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.checkpoints import tiny
from support.command_line import Done
from support.fault_server import FaultServer
from support.packages import needs

from rmaudit.errors import InputError
from rmaudit.gate.evidence import other_prompt
from rmaudit.gate.policy import load_policy
from rmaudit.gate.precheck import foresee
from rmaudit.models.checkpoint import read_checkpoint
from rmaudit.models.profiles import Profile, load_profile
from rmaudit.prompts import IN_PLACE, NOT_TRAINED_ON
from rmaudit.run.directory import RunDir

Cli = Callable[..., Done]
WORDS = "My own words: {request}\n<1> {first}\n<2> {second}\nBox Assistant 1 or Assistant 2."
SET = ("--set", "synth:3:4:slogan")


@pytest.fixture
def prompt(tmp_path: Path) -> Path:
    file = tmp_path / "mine.txt"
    file.write_text(WORDS)
    return file


def test_a_scan_asks_by_the_users_prompt_and_reads_by_the_profile(cli: Cli, prompt: Path) -> None:
    asked: list[str] = []

    def answer(text: str) -> str:
        asked.append(text)
        return "<think>1. Assistant 1 errs.</think>\n\\boxed{Assistant 2}"

    with FaultServer(answer) as server:
        words = ("scan", server.target, *SET, "--profile", "rrm", "--out", "run")
        done = cli(*words, "--prompt", prompt, "--policy", "release")
        assert done.code in (0, 3, 4, 5), done.err
        other = cli(*words, "--resume")
    assert (other.code, "prompt (" in other.err) == (2, True)
    assert all("My own words: " in text and "<1> " in text for text in asked)
    assert NOT_TRAINED_ON not in done.err + done.out
    manifest = RunDir.open(Path("run")).manifest()
    assert other_prompt(manifest) == ""
    assert set(manifest.prompts) >= {"user_prompt"}
    told = list(foresee(load_policy("release"), manifest, has_baseline=True))
    assert not any("trained on" in one for one in told)
    assert (
        json.loads(Path("run/metrics.json").read_text())["metrics"]["coverage.parsed"]["value"] == 1
    )
    kept = Path(f"run/prompts/{manifest.prompts['user_prompt'][:12]}.j2").read_text()
    assert json.loads(kept) == [{"role": "user", "text": WORDS}]
    page = cli("report", "run", "--html", "--out", "page.html")
    assert page.code == 0, page.err
    assert "a prompt of the user" in Path("page.html").read_text()


def test_where_a_prompt_has_no_meaning(cli: Cli, prompt: Path, tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text('{"id": "x", "text": "[[A]]"}\n')
    done = cli("scan", "replay:answers.jsonl", *SET, "--prompt", prompt)
    assert (done.code, "recorded answers are there" in done.err) == (2, True)
    (tmp_path / "bad.txt").write_text("{question}")
    for command in ("scan", "doctor"):
        with FaultServer(lambda text: "x") as server:
            done = cli(command, server.target, *SET, "--prompt", "bad.txt")
        assert done.code == 2
        assert "bad.txt: it has no place {request}" in done.err
        assert "hint:" in done.err


def of_family(folder: Path) -> Path:
    tiny(folder)
    (folder / "README.md").write_text("---\nbase_model: Skywork/Skywork-Critic-Llama-3.1-8B\n---\n")
    return folder


def test_a_family_asked_by_the_prompt_of_another_profile(tmp_path: Path, prompt: Path) -> None:
    """Its own profile in our words says so by itself; a user's prompt is taken at its word."""
    family = read_checkpoint(of_family(tmp_path / "critic"))
    plain = read_checkpoint(tiny(tmp_path / "plain"))
    generic, own, other = (load_profile(name) for name in ("generic", "skywork-critic", "rrm"))
    messages = ({"role": "user", "text": WORDS},)
    users = Profile.model_validate(
        generic.model_dump(by_alias=True, exclude_defaults=True)
        | {"prompt": "messages", "prompt_source": "user", "messages": messages}
    )
    told = {
        name: (family.asked_otherwise(profile), plain.asked_otherwise(profile))
        for name, profile in (
            ("generic", generic),
            ("own", own),
            ("other", other),
            ("users", users),
        )
    }
    assert told == {
        "generic": (True, False),
        "own": (False, False),
        "other": (True, False),
        "users": (False, False),
    }


@needs("torch", "transformers")
@pytest.mark.model
def test_a_family_asked_by_the_generic_prompt_is_told_in_plan_and_gate(
    cli: Cli, tmp_path: Path, prompt: Path
) -> None:
    folder = of_family(tmp_path / "critic")
    words = ("doctor", folder, *SET, "--engine", "transformers")
    for more, told in (
        (("--profile", "generic"), True),
        ((), True),
        (("--prompt", prompt), False),
    ):
        done = cli(*words, *more)
        assert done.code == 0, done.err
        assert (NOT_TRAINED_ON in " ".join(done.out.split())) == told, (more, done.out)


def test_what_a_run_records_of_it(tmp_path: Path) -> None:
    from rmaudit.engines.options import LocalOptions
    from rmaudit.scan.target import resolve

    def target(folder: Path, **more: object) -> object:
        return resolve(
            str(folder), engine="transformers", profile="generic", local=LocalOptions(), **more
        )

    family = target(of_family(tmp_path / "critic"))
    assert family.template.name == IN_PLACE  # type: ignore[attr-defined]
    assert family.template.sha256 == load_profile("generic").template.sha256  # type: ignore[attr-defined]
    plain = target(tiny(tmp_path / "plain"))
    assert plain.template.name == "generic_pairwise"  # type: ignore[attr-defined]
    with pytest.raises(InputError, match=r"none\.txt"):
        target(tmp_path / "plain", prompt=tmp_path / "none.txt")
