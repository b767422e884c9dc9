"""docs/models.md: its table is that of the data, and its examples do what it says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from support.command_line import Done

import rmaudit
from rmaudit.checklists.sets import load_set
from rmaudit.models.families import families
from rmaudit.models.pasted import Pasted, take
from rmaudit.models.profiles import asked_by, load_profile
from rmaudit.models.prompt_file import read_prompt

Cli = Callable[..., Done]
PAGE = (Path(rmaudit.__file__).parents[1] / "docs" / "models.md").read_text(encoding="utf-8")
MADE = "<!-- made by: rmaudit profile list --markdown -->\n"
FENCED = re.compile(r"^```(\w+) (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = {match[2]: match[3] for match in FENCED.finditer(PAGE)}


def test_the_table_is_that_of_the_data(cli: Cli) -> None:
    printed = cli("profile", "list", "--markdown").out
    assert PAGE.partition(MADE)[2] == printed, "rmaudit profile list --markdown, at the end of it"


def test_families_name_profiles_that_ship() -> None:
    from rmaudit.models.profiles import is_shipped

    assert {one.profile for one in families() if not is_shipped(one.profile)} == set()


def test_the_worked_profile_reads_the_worked_answers(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(BLOCKS["profile"])
    (tmp_path / "answers.txt").write_text(BLOCKS["answers"])
    done = cli("profile", "test", "ours.toml", "answers.txt")
    assert done.code == 0, done.err
    assert BLOCKS["printed"] in done.out
    assert "2 of 3 with a verdict" in done.out
    item = load_set("synth:3:1:slogan").items[0]
    (message,) = load_profile("ours.toml").render(item, order="ab", max_reasons=5).messages
    assert f"Answer 1: {item.response_a}\n\nAnswer 2: {item.response_b}\n" in message["content"]


def test_the_worked_prompt(tmp_path: Path) -> None:
    file = tmp_path / "prompt.toml"
    file.write_text(BLOCKS["prompt"])
    system, user = read_prompt(file)
    assert (system.role, user.role) == ("system", "user")
    assert user.text.endswith('Answer 2: {second}\n\nWrite {"better": 1} or {"better": 2}.')
    profile = asked_by("rrm", file)
    assert (profile.prompt_source, profile.caution) == ("user", "")
    assert profile.reads == load_profile("rrm").reads


def test_the_worked_profile_about_one_response(tmp_path: Path) -> None:
    (tmp_path / "alone.toml").write_text(BLOCKS["alone"])
    profile = load_profile(str(tmp_path / "alone.toml"))
    item = load_set("synth:3:1:slogan").items[0]
    (message,) = profile.render_alone(item, "b", max_reasons=5).messages
    assert item.response_b in message["content"]
    assert item.response_a not in message["content"]
    answer = Pasted(text="1. It is late.\n<score>4</score>", rating=4, reasons=1)
    assert take(profile, answer).differs == ()
