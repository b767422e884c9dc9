"""Odd files of known truth: each is read as it is meant, or refused by line and field."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.known_truth import known_item, said, write_known

from rmaudit.errors import InputError
from rmaudit.judge_check.truth import load_split

Cli = Callable[..., Done]
YEAR = "Response A gives the wrong year, 1912."
ROW: dict[str, Any] = {"item": known_item("one", [YEAR]), "reasons": [said(YEAR)], "matrix": [[1]]}


def test_odd_files_are_read_or_refused_and_never_misread(cli: Cli, tmp_path: Path) -> None:
    line = json.dumps(ROW).encode()
    path = tmp_path / "known.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + line + b"\r\n\r\n")
    assert len(load_split("known", path).cases) == 1
    for bad_line, told in (
        (line[:-1] + b', "matrix": [[0]]}', "field matrix: stands twice"),
        (line.replace(b"[[1]", b"[[NaN]"), "field matrix.0.0: nan is not one of"),
        (line.replace(b"[[1]", b"[[true]"), "field matrix.0.0"),
        (b'{"item":' + b"[" * 10_000 + b"]" * 10_000 + b"}", "line 1"),
        (line.decode().encode("utf-16"), "line 1"),
    ):
        path.write_bytes(bad_line)
        with pytest.raises(InputError, match=r"known\.jsonl, line 1") as refused:
            load_split("known", path)
        assert told in str(refused.value)
    done = cli("judge", "check", "--known", tmp_path)
    assert done.code == 2
    assert "hint: name a file of known truth" in done.err


def test_names_of_strata_are_the_authors_and_break_no_table(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = ["n", "overall", "intervals", "x" * 500, "a\n::error::b"]
    rows = [
        {
            "item": known_item(f"i{place}", [YEAR], meta={"kind": name, "language": "DE"}),
            "reasons": [said(YEAR)],
            "matrix": [[1]],
        }
        for place, name in enumerate(names)
    ]
    found = json.loads(cli("judge", "check", "builtin", "--known", write_known(rows), "--json").out)
    assert set(found["strata"]["kind"]) == set(names)
    assert {name: one["n"] for name, one in found["strata"]["language"].items()} == {"de": 5}
    done = cli("judge", "check", "builtin", "--known", write_known(rows))
    assert all(len(line) <= 80 for line in done.out.splitlines())
    assert not any(line.startswith("::") for line in done.out.splitlines())


@pytest.mark.parametrize("content", [b"", b"\n\n", b"[]\n", b"{\n", b"\xff\n", b"1\n"])
def test_a_file_that_holds_no_lines(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "known.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"known\.jsonl"):
        load_split("known", path)
