"""`fix --prompt FILE`: training asks by the prompt of the user, and goes on from no other."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.packages import needs
from support.run_samples import FOLDER

from rmaudit.errors import InputError
from rmaudit.fix.options import Options
from rmaudit.fix.plan import profile_of
from rmaudit.fix.prompt_arm.run import profile_toml
from rmaudit.fix.source import read_source, refuse_other_prompt
from rmaudit.models.profiles import asked_by, load_profile
from rmaudit.prompts import GENERIC_PAIRWISE
from rmaudit.run.directory import RunDir

pytestmark = [needs("torch", "transformers", "trl"), pytest.mark.model]

GROUNDED = Path(__file__).parents[2] / "examples" / "tiny_genrm" / "grounded"
WORDS = "Ours: {request}\n[A] {first}\n[B] {second}\nBox a verdict."
TRAIN = "synth:21:24:slogan"
Cli = Callable[..., Done]


@pytest.fixture
def prompt(tmp_path: Path) -> Path:
    file = tmp_path / "mine.txt"
    file.write_text(WORDS)
    return file


def test_an_export_holds_its_words(cli: Cli, prompt: Path, tmp_path: Path) -> None:
    def exported(name: str, *more: object) -> list[str]:
        done = cli("fix", GROUNDED, "--train", TRAIN, "--export", "openrlhf", "--judge", "truth",
                   "--out", tmp_path / name, *more)  # fmt: skip
        assert done.code == 0, done.err
        lines = (tmp_path / name / "train.jsonl").read_text().splitlines()
        return [json.loads(line)["input"] for line in lines]

    plain, asked = exported("plain"), exported("asked", "--prompt", prompt)
    assert len(plain) == len(asked)
    # The words that its tokenizer does not know are <unk> in both trainers.
    assert all("\n[B] " in text and "[Request]" not in text for text in asked)
    assert all("\n[B] " not in text and "[Request]" in text for text in plain)


def test_the_plan_asks_by_it(prompt: Path) -> None:
    source = read_source(str(GROUNDED))
    options = Options(target=str(GROUNDED), train=(TRAIN,))
    assert profile_of(options, source).prompt == GENERIC_PAIRWISE
    found = profile_of(options.model_copy(update={"prompt": prompt}), source)
    assert (found.name, found.messages[0].text) == ("generic", WORDS)
    other = options.model_copy(update={"prompt": prompt, "profile": "rrm"})
    with pytest.raises(InputError, match="profile rrm asks for others"):
        profile_of(other, source)


def test_a_bad_prompt_is_told_before_anything(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("{request} {first}")
    done = cli("fix", GROUNDED, "--train", TRAIN, "--prompt", "bad.txt", "--dry-run")
    assert (done.code, "bad.txt: it has no place {second}" in done.err) == (2, True)


def test_an_audit_by_a_users_prompt_goes_on_with_one_alone(prompt: Path, tmp_path: Path) -> None:
    run = RunDir(Path(shutil.copytree(FOLDER / "schema-3" / "unqualified", tmp_path / "run")))
    manifest = run.manifest()
    refuse_other_prompt(manifest, None)
    manifest.prompts = {"user_prompt": "0" * 64}
    with pytest.raises(InputError, match="a prompt of the user's own"):
        refuse_other_prompt(manifest, None)
    refuse_other_prompt(manifest, prompt)


def test_a_profile_with_guidelines_keeps_the_users_prompt(prompt: Path, tmp_path: Path) -> None:
    asked = asked_by("rrm", prompt)
    for base in (asked, asked.model_copy(update={"prompt_source": "fetched"})):
        file = tmp_path / "profile.toml"
        file.write_text(profile_toml(base, ["Look at numbers."]))
        found = load_profile(str(file))
        assert (found.messages, found.guidelines) == (asked.messages, ("Look at numbers.",))
        assert (found.reads.forms, found.prompt_source) == (asked.reads.forms, "user")
        assert found.source == load_profile("rrm").source
