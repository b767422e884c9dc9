"""Who is audited does not set how: its files choose no judge, no policy, no code, no pattern."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.checkpoints import LLAMA, tiny
from support.command_line import Done

from rmaudit.errors import InputError
from rmaudit.models.checkpoint import read_checkpoint
from rmaudit.models.profiles import load_profile

Cli = Callable[..., Done]
CATASTROPHIC = "(a+)+$"


@pytest.mark.parametrize("name", ["rmaudit.toml", "rmaudit.yaml", "rmaudit.yml", "rmaudit.json"])
def test_settings_in_the_folder(tmp_path: Path, cli: Cli, name: str) -> None:
    folder = tiny(tmp_path / "model")
    (folder / name).write_text('judge = "openai:mine@http://127.0.0.1:9"\npolicy = "mine.toml"\n')
    with pytest.raises(InputError, match="who is audited does not set how") as raised:
        read_checkpoint(folder)
    assert name in raised.value.message
    for command in ("scan", "doctor"):
        done = cli(command, folder, "--set", "synth:3:2:slogan")
        assert (done.code, name in done.err) == (2, True)
    (folder / name).unlink()
    assert read_checkpoint(folder).profile == "generic"


@pytest.mark.parametrize(
    "name", ["config.json", "tokenizer_config.json", "generation_config.json", "my_config.json"]
)
def test_code_of_the_folder(tmp_path: Path, name: str) -> None:
    folder = tiny(tmp_path / "model")
    own = LLAMA if name == "config.json" else {}
    (folder / name).write_text(json.dumps({**own, "auto_map": {"AutoModel": "code.Model"}}))
    with pytest.raises(InputError, match=rf"{name} asks to run code of the checkpoint"):
        read_checkpoint(folder)


@pytest.mark.parametrize(
    "line",
    [
        'judge = "openai:mine"',
        'labeler = "openai:mine"',
        'policy = "mine.toml"',
        "trust_remote_code = true",
        "max_calls = 9",
        f'verdict_regex = "{CATASTROPHIC}"',
    ],
)
def test_a_profile_that_lies_in_the_folder(tmp_path: Path, cli: Cli, line: str) -> None:
    """It is read only where a user names it, and says how a model is asked and read, no more."""
    folder = tiny(tmp_path / "model")
    file = folder / "profile.toml"
    file.write_text(
        f'{line}\nname = "own"\nprompt = "generic_pairwise"\ntemperature = 0.0\ntop_p = 1.0\n'
        "top_k = 0\nmax_tokens = 64\n"
    )
    assert read_checkpoint(folder).profile == "generic"
    with pytest.raises(InputError, match="nothing else") as raised:
        load_profile(str(file))
    assert line.split(" ")[0] in raised.value.message
    done = cli("scan", folder, "--profile", file, "--set", "synth:3:2:slogan", "--dry-run")
    assert (done.code, len(done.err.strip().splitlines())) == (2, 2)


@pytest.mark.parametrize("table", ["verdict", "names", "reasons", "source"])
def test_a_pattern_in_a_table_of_a_profile(tmp_path: Path, table: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        'name = "own"\nprompt = "generic_pairwise"\ntemperature = 0.0\ntop_p = 1.0\ntop_k = 0\n'
        f'max_tokens = 64\n[{table}]\npattern = "{CATASTROPHIC}"\n'
    )
    with pytest.raises(InputError, match=rf"{table}\.pattern: a profile says how"):
        load_profile(str(file))


def test_a_model_card_chooses_only_how_it_is_asked(tmp_path: Path) -> None:
    """What `rmaudit fix` writes is taken; another name, or a profile of another prompt, is not."""
    folder = tiny(tmp_path / "model")

    def says(profile: str) -> tuple[str, str | None]:
        (folder / "README.md").write_text(
            f"---\nbase_model: x/Skywork-Critic-8B\nrmaudit_profile: {profile}\n"
            "judge: openai:mine\npolicy: mine\n---\n"
        )
        found = read_checkpoint(folder)
        return found.profile, found.family_profile

    assert says('"generic"') == ("generic", None)
    for other in ("rrm", "../../mine", "none"):
        assert says(other) == ("skywork-critic", "skywork-critic")
