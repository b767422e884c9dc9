"""Rows of files: formats told by content, places of rows, what is broken named with its line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rmaudit.checklists.importers.fields import BadField
from rmaudit.checklists.importers.rows import file_rows
from rmaudit.errors import InputError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text("ab{}[],\n", max_size=4), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
ROWS = st.lists(
    st.dictionaries(st.text("abc", min_size=1, max_size=3), VALUES, max_size=4), max_size=5
)


def read(path: Path) -> list[Any]:
    return [row for _, row in file_rows(path)[1]]


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=25,
    deadline=None,
)
@given(ROWS, st.sampled_from([None, 1, 4]), st.booleans(), st.booleans())
def test_every_format_gives_the_same_rows(
    tmp_path: Path, rows: list[dict[str, Any]], indent: int | None, ascii_: bool, bom: bool
) -> None:
    start = "\ufeff" if bom else ""
    lines = start + "".join(json.dumps(row, ensure_ascii=ascii_) + "\n" for row in rows)
    array = start + json.dumps(rows, indent=indent, ensure_ascii=ascii_) + "\n"
    for name, text in (("lines", lines), ("array", array)):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="\n")
        assert read(path) == rows
        packed = tmp_path / f"{name}.gz"
        packed.write_bytes(gzip.compress(text.encode()))
        assert read(packed) == rows


def test_rows_larger_than_what_is_read_at_once(tmp_path: Path) -> None:
    rows = [{"n": k, "text": "aé\n{[" * 40_000 * (k % 2)} for k in range(5)]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(rows, indent=2, ensure_ascii=False), encoding="utf-8")
    assert read(path) == rows
    assert [line for line, _ in file_rows(path)[1]] == [2, 6, 10, 14, 18]


def test_parquet_rows(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = [
        {"id": k, "turns": [{"role": "user", "content": f"q{k}"}], "x": None} for k in range(70)
    ]
    rows[3]["x"] = 1.5
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "a.parquet")
    form, found = file_rows(tmp_path / "a.parquet")
    assert form == "Parquet"
    listed = list(found)
    assert [line for line, _ in listed] == list(range(1, 71))
    assert listed[3].row == rows[3]
    assert listed[4].row == {"id": 4, "turns": [{"role": "user", "content": "q4"}]}
    cut = tmp_path / "cut.parquet"
    cut.write_bytes((tmp_path / "a.parquet").read_bytes()[:-20])
    with pytest.raises(InputError, match="after row 0"):
        read(cut)


def test_a_broken_line_is_one_bad_row(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\n\n{"a": \n[1]\n{"a": 1, "a": 2}\n\xff\n{"a": 3}')
    found = list(file_rows(path)[1])
    assert [line for line, _ in found] == [1, 3, 4, 5, 6, 7]
    said = [str(row) if isinstance(row, BadField) else "" for _, row in found]
    assert "is not a JSON object" in said[1]
    assert "is not a JSON object" in said[2]
    assert said[3] == "field a: stands twice in one object"
    assert said[4] == "is not UTF-8"
    assert found[5].row == {"a": 3}


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('[{"a": 1},\n{"a": 2}', 2, "the array is cut"),
        ('[{"a": 1},\n\n{"a": }]', 3, "is not JSON"),
        ('[{"a": 1}\n{"a": 2}]', 2, "must come , or ]"),
        ('[{"a": 1}]\n{"a": 2}', 2, "something follows the array"),
    ],
)
def test_a_broken_array_is_no_shorter_file(tmp_path: Path, text: str, line: int, what: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=f"line {line}: .*{what}"):
        read(path)


def test_bad_elements_of_an_array_are_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[1, {"a": 1, "b": {"c": 1, "c": 2}, "d": [3]}, {"a": 2}]', encoding="utf-8")
    one, two, three = read(path)
    assert isinstance(one, BadField)
    assert isinstance(two, BadField)
    assert two.field == "c"
    assert three == {"a": 2}


def test_files_that_hold_no_data(tmp_path: Path) -> None:
    pointer = tmp_path / "p.jsonl"
    pointer.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    with pytest.raises(InputError, match="pointer of Git LFS"):
        file_rows(pointer)
    with pytest.raises(InputError, match="cannot read"):
        file_rows(tmp_path / "nowhere")
    packed = tmp_path / "cut.gz"
    packed.write_bytes(gzip.compress(b'{"a": 1}\n' * 1000)[:-9])
    with pytest.raises(InputError, match="cannot read"):
        read(packed)
