"""Row files: rows there and back, byte for byte, and what is no row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.run_samples import SAMPLES, name_of

from rmaudit.errors import InputError
from rmaudit.parsing.decisions import Difference
from rmaudit.records import (
    AnswerKind,
    Edge,
    Flaw,
    Generation,
    ItemResult,
    Judgment,
    Key,
    LabelSet,
    MatchSet,
    ModelReason,
    Outcome,
    ReasonLabel,
    RowResult,
    ServerSaid,
)
from rmaudit.run import files
from rmaudit.run.directory import RunDir
from rmaudit.run.files import DIFFERENCES, ROW_FILES, BadLine, RowFile
from rmaudit.run.rows import JudgeUse, LabelRow, MatchRow, NullRow, ProbeRow, ScoreRow, VerdictRow
from rmaudit.taxonomy import CATEGORY_NAMES, FLAW_NAMES, GOLD, TESTED

EVERY: tuple[RowFile[Any], ...] = (*ROW_FILES, DIFFERENCES)
text = st.text(st.characters(), max_size=8)  # lone surrogates too
some = st.none() | text
number = st.floats(0, 1) | st.integers(-3, 3)
verdicts = st.sampled_from(["a", "b", "tie", None])
keys = st.builds(
    Key,
    text,
    text,
    st.sampled_from(["pair", "a", "b"]),
    st.sampled_from(["ab", "ba", None]),
    st.integers(0, 9),
)
reasons = st.lists(
    st.builds(ModelReason, text, st.sampled_from(["a", "b", "both", None]), st.booleans()),
    max_size=3,
).map(tuple)
flags = st.lists(text, max_size=2).map(tuple)
judgments = st.builds(
    Judgment,
    verdicts,
    st.sampled_from(get_args(Outcome)),
    reasons,
    st.none() | st.integers(0, 2),
    flags,
)
uses = st.builds(JudgeUse, *[st.integers(0, 2)] * 5, st.booleans())
matrices = st.lists(st.lists(number, max_size=3).map(tuple), max_size=3).map(tuple)
edges = st.lists(st.builds(Edge, st.integers(0, 4), st.integers(0, 4), number), max_size=2)


def some_of(names: tuple[Any, ...]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.sets(st.sampled_from(names)).map(
        lambda chosen: tuple(name for name in names if name in chosen)
    )


labels = st.builds(ReasonLabel, st.sampled_from((*CATEGORY_NAMES, None)), some_of(FLAW_NAMES))
counts = st.none() | st.integers(0, 9)
finishes = st.sampled_from(["stop", "length", "error"])
ROWS: dict[str, st.SearchStrategy[Any]] = {
    "generations.jsonl": st.builds(
        Generation,
        keys,
        text,
        finishes,
        some,
        counts,
        counts,
        st.none() | number,
        some,
        st.none()
        | st.builds(
            ServerSaid,
            st.sampled_from(get_args(AnswerKind)),
            some,
            some,
            counts,
            st.none() | st.just("overloaded"),
            st.lists(st.just("seed")).map(tuple),
        ),
    ),
    "scores.jsonl": st.builds(
        ScoreRow, keys, number, st.dictionaries(st.sampled_from(["ab", "ba"]), number)
    ),
    "verdicts.jsonl": st.builds(VerdictRow, keys, judgments),
    "matches.jsonl": st.builds(
        MatchRow,
        keys,
        st.builds(
            MatchSet,
            matrices,
            edges.map(tuple),
            some,
            some,
            st.none() | st.lists(st.sampled_from([True, False, None]), min_size=1).map(tuple),
        ),
        some,
        st.none() | matrices,
        some.map(lambda one: one or None),
        some.map(lambda one: one or None),
        uses,
        (st.none() | matrices).map(lambda one: one or None),
    ),
    "flaws.jsonl": st.builds(
        LabelRow,
        keys,
        st.builds(
            LabelSet,
            st.lists(labels, max_size=3).map(tuple),
            some_of(TESTED),
            st.sampled_from((*GOLD, None)),
            some,
            some,
        ),
        uses,
    ),
    "probes.jsonl": st.builds(
        ProbeRow,
        keys,
        text,
        text,
        st.sampled_from(["read", "unreadable", "error", "skipped"]),
        verdicts,
        text,
        text,
        finishes,
        some,
        counts,
        counts,
    ),
    "results.jsonl": st.builds(
        ItemResult,
        text,
        text,
        text,
        st.sampled_from(["a", "b", "tie"]),
        st.lists(
            st.builds(
                RowResult,
                st.sampled_from(["ab", "ba", None]),
                st.integers(0, 3),
                st.sampled_from(["ok", "error"]),
                verdicts,
                st.none() | st.booleans(),
                st.none() | st.floats(0, 1),
                st.none() | st.floats(0, 1),
                st.integers(0, 9),
                st.integers(0, 9),
                flags,
                some,
            ),
            max_size=2,
        ).map(tuple),
    ),
    "recorded_differences.jsonl": st.builds(
        Difference,
        keys,
        judgments.map(lambda one: Judgment(one.verdict, one.outcome, flags=one.flags)),
        verdicts,
        flags,
        text,
    ),
}
ROWS["nulls.jsonl"] = st.builds(
    NullRow,
    keys,
    reasons,
    st.builds(MatchSet, matrices, edges.map(tuple), some, some),
    uses,
)
ROWS["ceilings.jsonl"] = ROWS["matches.jsonl"]


@pytest.mark.slow
@pytest.mark.parametrize("file", EVERY, ids=lambda file: file.name)
@given(data=st.data())
def test_a_row_comes_back_as_it_was(file: RowFile[Any], data: st.DataObject) -> None:
    row = data.draw(ROWS[file.name])
    line = file.encode(row)
    assert file.decode(line.encode()) == row
    assert file.encode(file.decode(line.encode())) == line
    assert json.loads(line) == file.as_dict(row)


@pytest.mark.parametrize("path", SAMPLES, ids=name_of)
def test_lines_of_old_runs_are_written_again_byte_for_byte(path: Path) -> None:
    read = 0
    for file in EVERY:
        if (path / file.name).is_file():
            rows = list(RunDir(path).rows(file))
            assert "".join(map(file.encode, rows)) == (path / file.name).read_text()
            read += len(rows)
    assert read > 9


def test_the_samples_hold_every_row_file() -> None:
    held = {file.name for path in SAMPLES for file in EVERY if (path / file.name).is_file()}
    assert held == {file.name for file in EVERY}


def test_a_line_reads_as_documented() -> None:
    row = LabelRow(
        Key("one"),
        LabelSet((ReasonLabel("EG", ("F4",)), ReasonLabel("GS")), ("category", "F4")),
        JudgeUse(calls=2),
    )
    assert files.FLAWS.encode(row) == (
        '{"item": "one", "variant": "base", "slot": "pair", "order": "ab", "sample": 0, '
        '"labels": [{"category": "EG", "flaws": ["F4"]}, {"category": "GS", "flaws": []}], '
        '"tested": ["category", "F4"], "gold": null, "raw": null, "failure": null, "calls": 2}\n'
    )


def test_a_hand_made_answer_needs_three_fields() -> None:
    found = files.GENERATIONS.decode(b'{"item": "x", "order": "ba", "text": "y", "more": [1]}')
    assert found == Generation(Key("x", order="ba"), "y")


def test_flaws_come_in_order_and_once() -> None:
    row = files.FLAWS.as_dict(LabelRow(Key("one"), LabelSet((), ("F4", "category"))))
    row["labels"] = [{"category": "GS", "flaws": ["F4", "F1", "F4"]}]
    found = files.FLAWS.decode(json.dumps(row).encode()).labels
    assert found.labels[0].flaws == ("F1", "F4")
    assert found.tested == ("category", "F4")
    assert set(get_args(Flaw)) == set(FLAW_NAMES)


FAULTS: list[tuple[RowFile[Any], dict[str, Any], str]] = [
    (files.FLAWS, {"labels": [{"category": "XX", "flaws": []}]}, "labels.0.category"),
    (files.FLAWS, {"labels": [{"category": "EG", "flaws": ["F8"]}]}, "labels.0.flaws.0"),
    (files.FLAWS, {"labels": [{"category": "EG", "flaws": "F1"}]}, "labels.0.flaws"),
    (files.FLAWS, {"tested": ["everything"]}, "tested.0"),
    (files.FLAWS, {"gold": True}, "gold"),
    (files.FLAWS, {"order": "abc"}, "order"),
    (files.GENERATIONS, {"sample": -1}, "sample"),
    (files.GENERATIONS, {"sample": True}, "sample"),
    (files.GENERATIONS, {"sample": "1"}, "sample"),
    (files.GENERATIONS, {"text": None}, "text"),
    (files.GENERATIONS, {"finish_reason": "done"}, "finish_reason"),
    (files.MATCHES, {"matrix": [[0.5, "1"]]}, "matrix.0.1"),
    (files.MATCHES, {"assignment": [[0, 1]]}, "assignment.0.2"),
    (files.MATCHES, {"claims": [1]}, "claims.0"),
    (files.NULL_LISTS, {"reasons": [{"about": "a"}]}, "reasons.0.text"),
    (files.SCORES, {"score": "3"}, "score"),
    (files.VERDICTS, {"reasons": [{"text": 3}]}, "reasons.0.text"),
    (files.VERDICTS, {"outcome": "fine"}, "outcome"),
    (files.PROBES, {"probe": None}, "probe"),
    (files.RESULTS, {"rows": [{}]}, "rows.0.order"),
]


@pytest.mark.parametrize(("file", "change", "field"), FAULTS)
def test_a_damaged_field_is_named(
    tmp_path: Path, file: RowFile[Any], change: dict[str, Any], field: str
) -> None:
    line = next(line for path in SAMPLES if (path / file.name).is_file()
                for line in (path / file.name).read_text().splitlines())  # fmt: skip
    good, bad = line, json.dumps({**json.loads(line), **change})
    (tmp_path / file.name).write_text(f"{good}\n{bad}\n{good}\n")
    with pytest.raises(InputError) as found:
        list(RunDir(tmp_path).rows(file))
    assert f"{file.name}, line 2, field {field} is damaged: " in found.value.message


@pytest.mark.parametrize("line", [b"", b"{", b"[1]", b"3", b'{"item": "\xff"}', b"[" * 9999])
def test_what_is_no_json_object_is_no_row(line: bytes) -> None:
    with pytest.raises(BadLine):
        files.VERDICTS.decode(line)
