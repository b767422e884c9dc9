"""Files that people write or copy, damaged: an error that names the file, and never a bug."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.checkpoints import tiny
from support.command_line import Done
from support.random_model import save_random_model

from rmaudit.__main__ import run
from rmaudit.checklists.load import dump_item
from rmaudit.checklists.sets import load_set
from rmaudit.engines.tokenizer import load_tokenizer
from rmaudit.errors import InputError
from rmaudit.resources import folder

JUNK = (
    b"", b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\n", b'"', b"'", b"[", b"{", b"}", b"]", b"=",
    b" = 1\n", b"nan", b"NaN", b"-1", b"1e999", b"9" * 5000, b"true", b"null", b"[[rules]]\n",
    b"::error::x\n", b"\xe2\x80\xae", b"\\ud800", b"[" * 3000, b"{}", b"2999-01-01", b"\x1b[31m",
)  # fmt: skip


@st.composite
def damages(draw: st.DrawFn, whole: bytes) -> bytes:
    """A file cut off, with a part lost, doubled or moved, or with junk for a part of it."""
    start = draw(st.integers(0, len(whole)))
    end = min(len(whole), start + draw(st.sampled_from([0, 1, 2, 5, 20, 200])))
    kind = draw(st.sampled_from(["cut", "lost", "doubled", "junk", "line", "value"]))
    if kind == "cut":
        return whole[:start]
    if kind == "lost":
        return whole[:start] + whole[end:]
    if kind == "doubled":
        return whole[:end] + whole[start:]
    if kind == "junk":
        return whole[:start] + draw(st.sampled_from(JUNK)) + whole[end:]
    lines = whole.splitlines(keepends=True)
    at = draw(st.integers(0, len(lines) - 1))
    if kind == "line":
        lines.insert(draw(st.integers(0, len(lines))), lines[at])
    else:
        mark = b"=" if b"=" in lines[at] else b":"
        lines[at] = lines[at].partition(mark)[0] + mark + draw(st.sampled_from(JUNK)) + b"\n"
    return b"".join(lines)


def call(*words: object) -> Done:
    """A command, without the fixtures of a test: an example of hypothesis is not a test."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([str(word) for word in words])
    return Done(code, out.getvalue(), err.getvalue())


def check(done: Done, name: str, codes: tuple[int, ...]) -> None:
    """Read without a fault, or refused in two lines (a checker's list) that name the file."""
    said = done.out + done.err
    assert "met a bug" not in said, said[:600]
    assert "Traceback" not in said
    assert done.code in codes
    if done.code == 2:
        assert name in said, said[:600]
        if done.err:
            lines = [one.partition(": ")[0] for one in done.err.splitlines()]
            assert lines[-2:] == ["error", "hint"]
    assert not any(line.startswith("::") for line in said.splitlines()), said[:600]


POLICIES = tuple(
    (folder("checklists") / "policies" / f"{name}.toml").read_bytes() for name in ("release", "pr")
)
PROFILES = tuple(
    (folder("templates") / "profiles" / f"{name}.toml").read_bytes()
    for name in ("rm-r1-instruct", "deepseek-grm", "nemotron-genrm")
)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_damaged_policy(data: st.DataObject) -> None:
    with TemporaryDirectory() as place:
        path = Path(place, "mine.toml")
        path.write_bytes(data.draw(damages(data.draw(st.sampled_from(POLICIES)))))
        check(call("policy", "lint", path), "mine.toml", (0, 2))
        check(call("gate", "nowhere", "--policy", path), "", (2,))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_damaged_profile(data: st.DataObject) -> None:
    with TemporaryDirectory() as place:
        path, answers = Path(place, "mine.toml"), Path(place, "answers.txt")
        path.write_bytes(data.draw(damages(data.draw(st.sampled_from(PROFILES)))))
        answers.write_text("1. Response B omits it.\n\\boxed{A>B}\n")
        check(call("profile", "test", path, answers), "mine.toml", (0, 1, 2))
        check(call("profile", "show", path), "mine.toml", (0, 2))


ITEMS = "".join(dump_item(item) + "\n" for item in load_set("starter").items[:4]).encode()


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_damaged_set(data: st.DataObject) -> None:
    with TemporaryDirectory() as place:
        path = Path(place, "mine.jsonl")
        path.write_bytes(data.draw(damages(ITEMS)))
        check(call("checklist", "validate", path), "mine.jsonl", (0, 2))


@pytest.mark.model
@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_damaged_checkpoint(data: st.DataObject) -> None:
    pytest.importorskip("transformers")
    with TemporaryDirectory() as place:
        model = tiny(Path(place, "model"))
        file = data.draw(st.sampled_from(sorted(one.name for one in model.iterdir())))
        path = model / file
        whole = path.read_bytes()
        header = whole[:1200] if file.endswith(".safetensors") else whole
        path.write_bytes(data.draw(damages(header)) + whole[len(header) :])
        check(call("doctor", model), "model", (0, 1, 2))


@pytest.mark.model
@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("tokenizer.json", '"id": 1,', '"id": "x",'),
        ("tokenizer.json", '"single_word": false', '"single_word": 1'),
        ("tokenizer.json", '"content": "<s>"', '"content": "<s>", "content": "y"'),
        ("tokenizer_config.json", '"bos_token": "<s>"', '"bos_token": 7'),
    ],
)
def test_a_tokenizer_that_is_damaged_is_named(file: str, old: str, new: str) -> None:
    pytest.importorskip("torch")
    model = save_random_model(Path("model"), context=4096)
    text = (model / file).read_text()
    assert old in text
    (model / file).write_text(text.replace(old, new, 1))
    words = "--set", "starter", "--limit", "1", "--no-probe", "--max-tokens", "4"
    check(call("scan", model, *words), "model", (2,))
    with pytest.raises(InputError, match="cannot load the tokenizer of model"):
        load_tokenizer(model)


@pytest.mark.parametrize("kind", ["a folder", "a broken link", "a loop", "not there"])
def test_no_file_where_one_is_named(kind: str) -> None:
    path = Path("mine.toml")
    if kind == "a folder":
        path.mkdir()
    elif kind != "not there":
        path.symlink_to(path if kind == "a loop" else "nowhere")
    for words in (
        ("policy", "lint", path),
        ("profile", "show", path),
        ("checklist", "validate", path),
        ("doctor", path),
        ("report", path, "--json"),
        ("fix", "none", "--config", path),
    ):
        check(call(*words), "", (2,))


def test_a_key_that_stands_twice_in_an_item_is_named() -> None:
    first, *others = ITEMS.splitlines(keepends=True)
    Path("mine.jsonl").write_bytes(b'{"label": "a", ' + first[1:] + b"".join(others))
    done = call("checklist", "validate", "mine.jsonl")
    assert done.code == 2
    assert "mine.jsonl, line 1" in done.out + done.err
    assert 'the key "label" stands twice' in done.out + done.err
