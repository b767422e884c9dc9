"""Text of models, files and names on a terminal and in the log of a CI service."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.answers import ideal_answer, write_replay
from support.command_line import Done

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.sets import load_set
from rmaudit.escaping import one_line, plain, quoted

Cli = Callable[..., Done]
SPEC = "synth:3:6:slogan"
ORDER = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)
"""What GitHub, Azure and TeamCity read as an order; GitHub trims blanks before it looks."""
HOSTILE = "x\n::error::a\r\n  ::add-mask::b\x85##[error]c\u2028##vso[task.x]d\x1b[31m ::debug::e"
hostile_text = st.text(
    st.sampled_from(list("a: #[]\n\r\t\x0b\x0c\x1c\x85\u2028\u2029\x1b\u202e")) | st.characters()
)


@given(hostile_text)
def test_one_line_is_one_line_without_orders(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert not ORDER.search(line)
    assert all(unicodedata.category(mark) not in ("Cc", "Cs", "Zl", "Zp") for mark in line)
    assert one_line(line) == line


@given(st.text(st.characters(exclude_categories=("C", "Z")), min_size=1))
def test_ordinary_words_are_left_alone(text: str) -> None:
    if "::" not in text and "##" not in text:
        assert one_line(f"  {text} b") == f"  {text} b"


def test_what_is_altered_and_what_is_not() -> None:
    assert one_line("::error::x") == ": :error::x"
    assert one_line("tests/a.py::test_b std::chrono::seconds") == (
        "tests/a.py::test_b std::chrono::seconds"
    )
    assert one_line("a\n::b") == "a : :b"
    assert one_line("##[error]x ## heading") == "# #[error]x ## heading"
    assert plain("a\n::b") == "a\n::b"  # pages keep lines, and take no orders


@given(hostile_text)
def test_no_line_of_a_quoted_text_poses_as_ours(text: str) -> None:
    for line in quoted(text):
        assert line.startswith("  │")
        assert len(line.splitlines()) == 1
        assert not ORDER.search(line)


@pytest.fixture
def hostile_run(cli: Cli, tmp_path: Path) -> str:
    """A run of a set whose ids, domains, requests and answers are hostile; gives an item's id."""
    items = []
    for number, item in enumerate(load_set(SPEC).items):
        changed = {"id": f"{number}{HOSTILE}", "domain": HOSTILE, "response_a": HOSTILE * 2}
        items.append(item.model_copy(update=changed))
    (tmp_path / "set.jsonl").write_text("".join(dump_item(item) + "\n" for item in items))
    answers = (
        {"item": item.id, "order": order, "text": HOSTILE + ideal_answer(item, order) + HOSTILE}
        for item in items
        for order in ("ab", "ba")
    )
    write_replay(tmp_path / "answers.jsonl", answers)
    done = cli("scan", "replay:answers.jsonl", "--set", "set.jsonl", "--out", "run")
    assert done.code == 0, done.err
    harmless(done)
    return items[0].id


def harmless(done: Done) -> None:
    for text in (done.out, done.err):
        assert not ORDER.search(text), text
        assert "\x1b" not in text
        assert "\x85" not in text


def test_no_command_prints_an_order(cli: Cli, hostile_run: str, tmp_path: Path) -> None:
    shown = cli("show", "run", hostile_run)
    assert shown.code == 0, shown.err
    harmless(shown)
    assert "  │ : :error::a" in shown.out.splitlines()
    raw = json.loads(cli("show", "run", hostile_run, "--json").out)
    assert HOSTILE in raw["generations"][0]["text"]
    policy = tmp_path / "p.toml"
    policy.write_text(
        f"name = {json.dumps(HOSTILE)}\nversion = 1\nallow_builtin_judge = true\n"
        "[[rules]]\nid = 'a\\n::error::b'\nmetric = 'rc'\nkind = 'absolute'\ndirection = 'min'\n"
        "threshold = 0.5\nlevel = 'error'\nconfidence = 0.95\nmin_n = 2\n"
    )
    for words in (
        ("gate", "run", "--policy", policy),
        ("show", "run", f"no{HOSTILE}"),
        ("show", f"no{HOSTILE}", "x"),
        ("compare", "run", "run"),
        ("checklist", "show", "set.jsonl"),
        ("checklist", "show", "set.jsonl", hostile_run),
        ("checklist", "validate", "set.jsonl"),
        ("doctor", "replay:answers.jsonl", "--set", "set.jsonl"),
        ("policy", "lint", policy),
        ("policy", "lint", f"no{HOSTILE}"),
        ("scan", "replay:answers.jsonl", "--set", "set.jsonl", "--out", "run"),
        (f"no{HOSTILE}",),
        ("scan", "x", "--limit", f"no{HOSTILE}"),
    ):
        harmless(cli(*words))


def test_an_error_is_two_lines(cli: Cli) -> None:
    for words in (("show", f"no{HOSTILE}", "x"), ("scan", f"no{HOSTILE}"), (f"no{HOSTILE}",)):
        done = cli(*words)
        assert done.code == 2
        first, second = done.err.splitlines()
        assert first.startswith("error: ")
        assert second.startswith("hint: ")


def test_a_hint_names_the_command_that_was_typed(cli: Cli) -> None:
    assert "hint: see rmaudit --help" in cli("scna").err
    assert "hint: see rmaudit checklist --help" in cli("checklist", "synt").err
    assert "hint: see rmaudit judge check --help" in cli("judge", "check", "--bad").err
    assert "hint: see rmaudit gate --help" in cli("gate", "--policy").err
    assert "hint: see rmaudit scan --help" in cli("scan", "x", "--seed", "q").err
