"""Loading sets: every kind of bad line is told by file, line and field; order, hash and subset."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.checklists.load import combine, content_hash, dump_item, subset
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.errors import InputError


def line(number: int, **changes: Any) -> dict[str, Any]:
    item = {
        "id": f"i{number}",
        "prompt": [{"role": "user", "content": f"question {number}"}],
        "response_a": "first",
        "response_b": "second",
        "label": "a",
        "reasons": [{"id": "r1", "text": "Response B is late.", "about": "b"}],
    }
    return {key: value for key, value in {**item, **changes}.items() if value != "<absent>"}


def write(path: Path, lines: list[Any]) -> Path:
    text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines)
    path.write_text(text, encoding="utf-8")
    return path


def good(count: int) -> list[dict[str, Any]]:
    return [line(number) for number in range(1, count + 1)]


@pytest.mark.parametrize(
    ("bad", "field", "what"),
    [
        ('{"id": "x", ', "", "not a JSON object"),
        ("[1, 2]", "", "should be an object"),
        (line(7, label="c"), "label", "'a', 'b' or 'tie'"),
        (line(7, response_a="  "), "response_a", "is empty"),
        (line(7, response_b="<absent>"), "response_b", "is missing"),
        (line(7, prompt=[]), "prompt", "at least 1"),
        (line(7, note="hi"), "note", "unknown key"),
        (line(7, reasons=[{"id": "r1"}]), "reasons.0.text", "is missing"),
        (line(7, reasons=[{"id": "r1", "text": ""}]), "reasons.0.text", "is empty"),
        (line(7, reasons=[{"id": "r", "text": "x"}] * 2), "", "two reasons share one id"),
        (
            line(7, repairs=[{"fixes": ["r9"], "response": "b", "text": "x"}]),
            "",
            "'r9', which is not there",
        ),
        (
            line(7, reasons=[{"id": "r", "text": "x", "check": {"kind": "json_valid"}}]),
            "",
            "'about' must be a or b",
        ),
        (line(3), "id", "'i3' is already on line 3"),
    ],
)
def test_bad_line_is_told(tmp_path: Path, bad: Any, field: str, what: str) -> None:
    path = write(tmp_path / "set.jsonl", [*good(6), bad, line(8)])
    with pytest.raises(InputError) as caught:
        load_set(str(path))
    assert f"{path}, line 7" in caught.value.message
    assert what in caught.value.message
    if field:
        assert f"field {field}:" in caught.value.message
    assert "--skip-bad" in caught.value.hint
    kept = load_set(str(path), skip_bad=True)
    assert [item.id for item in kept.items] == ["i1", "i2", "i3", "i4", "i5", "i6", "i8"]
    assert len(kept.skipped) == 1


def test_opposite_labels_of_one_pair(tmp_path: Path) -> None:
    same = {"prompt": [{"role": "user", "content": "question 1"}]}
    swapped = line(2, **same, response_a="second", response_b="first", label="a")
    path = write(tmp_path / "set.jsonl", [line(1), swapped])
    with pytest.raises(InputError, match=r"'i2' is the pair of 'i1' \(line 1\) with another label"):
        load_set(str(path))
    agreeing = line(2, **same, response_a="second", response_b="first", label="b")
    assert len(load_set(str(write(tmp_path / "set.jsonl", [line(1), agreeing]))).items) == 2


def test_of_labels_that_contradict_each_other_none_is_kept(tmp_path: Path) -> None:
    same = {"prompt": [{"role": "user", "content": "question 1"}]}
    lines = [line(1), line(2), line(3, **same), line(4, **same, label="b"), line(5)]
    path = write(tmp_path / "set.jsonl", lines)
    with pytest.raises(InputError) as caught:
        load_set(str(path))
    for number, other in ((1, "'i4' (line 4)"), (3, "'i4' (line 4)"), (4, "'i1' (line 1)")):
        assert (
            f"line {number}, field label: item 'i{number}' is the pair of {other}"
            in caught.value.message
        )
    kept = load_set(str(path), skip_bad=True)
    assert [item.id for item in kept.items] == ["i2", "i5"]
    assert [problem.line for problem in kept.skipped] == [1, 3, 4]
    assert kept.place_of == {"i2": (str(path), 2), "i5": (str(path), 5)}
    made = load_set("synth:1:2:slogan")
    both = combine([made, kept])
    assert made.place_of == {}
    assert [place.line for place in both.places] == [0, 0, 2, 5]
    assert both.place_of[f"{path.stem}/i5"] == (str(path), 5)


def test_many_problems_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "set.jsonl", [line(n, label="?") for n in range(9)])
    with pytest.raises(InputError, match="and 4 more"):
        load_set(str(path))


def test_not_utf8_and_empty(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(b'{"id": "\xff"}\n')
    with pytest.raises(InputError, match="line 1: is not UTF-8"):
        load_set(str(path))
    path.write_bytes(b"\n\n")
    with pytest.raises(InputError, match="holds no items"):
        load_set(str(path))


def test_unknown_set_and_synth_spec() -> None:
    with pytest.raises(InputError, match="no checklist set 'nothing'"):
        load_set("nothing")
    for bad in ("synth:", "synth:x", "synth:1:0", "synth:1:2:slogan:3"):
        with pytest.raises(InputError):
            load_set(bad)
    with pytest.raises(InputError, match="no family 'poem'"):
        load_set("synth:1:2:poem")
    assert len(load_set("synth:1:7:slogan").items) == 7
    assert len(load_set("synth:1", families=["slogan"]).items) == 200


def test_hash_ignores_spacing_and_key_order(tmp_path: Path) -> None:
    one = write(tmp_path / "one.jsonl", good(3))
    spaced = [
        json.dumps(dict(reversed(item.items())), indent=None, separators=(" , ", " : "))
        for item in good(3)
    ]
    two = write(tmp_path / "two.jsonl", spaced)
    assert load_set(str(one)).sha256 == load_set(str(two)).sha256
    changed = write(tmp_path / "three.jsonl", [line(1, response_a="First"), *good(3)[1:]])
    assert load_set(str(changed)).sha256 != load_set(str(one)).sha256


def test_card_of_other_items_is_stale(tmp_path: Path) -> None:
    write(tmp_path / "items.jsonl", good(2))
    (tmp_path / "card.toml").write_text('name = "mine"\nsha256 = "00"\n')
    assert load_set(str(tmp_path)).stale_card
    (tmp_path / "card.toml").write_text('name = "mine"\nauthor = "me"\n')
    with pytest.raises(InputError, match="field author"):
        load_set(str(tmp_path))


@given(st.integers(0, 5), st.integers(1, 30))
def test_subset_is_a_prefix_and_ignores_file_order(seed: int, limit: int) -> None:
    items = [Item.model_validate(line(number)) for number in range(30)]
    whole = subset(items, limit=None, seed=seed)
    assert subset(items[::-1], limit=limit, seed=seed) == whole[:limit]
    assert sorted(item.id for item in whole) == sorted(item.id for item in items)


def test_dump_round_trips() -> None:
    for item in load_set("synth:4:5:slogan").items:
        assert Item.model_validate_json(dump_item(item)) == item


def test_combined_sets_keep_ids_apart() -> None:
    one, two = load_set("synth:1:2:slogan"), load_set("synth:2:2:slogan")
    both = combine([one, two])
    assert both.items[0].id == f"synth:1:2:slogan/{one.items[0].id}"
    assert both.sha256 == content_hash(both.items)
    with pytest.raises(InputError, match="comes twice"):
        combine([one, one])
