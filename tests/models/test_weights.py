"""Names and shapes from safetensors headers: whole, or refused with the file that is wrong."""

from __future__ import annotations

import json
import struct
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.checkpoints import TENSORS, write_tensors

from rmaudit.errors import InputError
from rmaudit.models.weights import INDEX, SINGLE, tensor_shapes

PARTS = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")


def sharded(folder: Path) -> Path:
    """The tensors in two shards, with their index."""
    names = sorted(TENSORS)
    places = {name: PARTS[number % 2] for number, name in enumerate(names)}
    for part in PARTS:
        write_tensors(folder / part, {n: TENSORS[n] for n in names if places[n] == part})
    (folder / INDEX).write_text(json.dumps({"weight_map": places}))
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        tensor_shapes(folder)
    assert caught.value.hint
    return caught.value.message


def test_one_file_and_shards_are_read_alike(tmp_path: Path) -> None:
    write_tensors(tmp_path / SINGLE, TENSORS)
    expected = {name: tuple(shape) for name, shape in TENSORS.items()}
    assert tensor_shapes(tmp_path) == expected
    (tmp_path / SINGLE).unlink()
    assert tensor_shapes(sharded(tmp_path)) == expected
    write_tensors(tmp_path / "consolidated.safetensors", {"tok_embeddings.weight": [8, 4]})
    assert tensor_shapes(tmp_path) == expected  # the same model in another form is not loaded


def test_shards_and_index_of_different_checkpoints(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    folder = sharded(tmp_path / "a")
    (folder / PARTS[1]).rename(folder / "away")
    assert "lacks model-00002-of-00002.safetensors of the 2 files that its index names" in refusal(
        folder
    )
    (folder / INDEX).rename(folder / "index")
    assert f"has neither {SINGLE} nor {INDEX}, only {PARTS[0]}" in refusal(folder)
    (folder / "away").rename(folder / PARTS[1])
    (folder / "index").rename(folder / INDEX)
    held = {name: TENSORS[name] for name in sorted(TENSORS)[1::2]}
    write_tensors(folder / PARTS[1], dict(list(held.items())[1:]))
    assert f"{PARTS[1]} lacks {next(iter(held))}" in refusal(folder)
    write_tensors(folder / PARTS[1], {**held, sorted(TENSORS)[0]: [8, 4]})
    assert f"{PARTS[1]} holds {sorted(TENSORS)[0]} a second time" in refusal(folder)
    places: list[Any] = [
        {},
        {"x": 1},
        {"x": "../model.safetensors"},
        {"x": ".."},
        [],
        None,
        {"x": ""},
    ]
    for place in places:
        (folder / INDEX).write_text(json.dumps({"weight_map": place}))
        assert "weight_map does not name files" in refusal(folder)


def test_no_weights_and_pickled_weights(tmp_path: Path) -> None:
    assert "holds no *.safetensors weights" in refusal(tmp_path)
    (tmp_path / "pytorch_model-00001-of-00002.bin").touch()
    assert "pickled weights" in refusal(tmp_path)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}, "x has 4 bytes"),
        ({"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}, "whole numbers"),
        ({"dtype": "F32", "shape": [1.0], "data_offsets": [0, 4]}, "whole numbers"),
        ({"dtype": "F32", "shape": [True], "data_offsets": [0, 4]}, "whole numbers"),
        ({"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}, "overlap or leave gaps"),
        ({"dtype": "F32", "shape": [1], "data_offsets": [0, 4, 8]}, "too many values"),
        ({"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, "file is cut off"),
        ({"dtype": "F16", "shape": [1], "data_offsets": [0, 2]}, "bytes follow its last tensor"),
        ({"dtype": "F32", "shape": 1, "data_offsets": [0, 4]}, "is damaged"),
        ({"dtype": "F32", "data_offsets": [0, 4]}, "no 'shape'"),
        ("F32", "is damaged"),
    ],
)
def test_headers_that_contradict_their_file(tmp_path: Path, entry: object, said: str) -> None:
    raw = json.dumps({"x": entry}).encode()
    (tmp_path / SINGLE).write_bytes(struct.pack("<Q", len(raw)) + raw + bytes(4))
    assert said in refusal(tmp_path)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_refused_and_never_read_wrongly(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / SINGLE
        write_tensors(file, {"a": [2, 3], "b": [1]})
        whole = file.read_bytes()
        if data.draw(st.booleans()):
            file.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
            with pytest.raises(InputError):
                tensor_shapes(Path(name))
            return
        place = data.draw(st.integers(0, len(whole) - 1))
        file.write_bytes(
            whole[:place] + data.draw(st.binary(min_size=1, max_size=1)) + whole[place + 1 :]
        )
        try:
            found = tensor_shapes(Path(name))
        except InputError:
            return
        # Only a name, a type of the same size, or a number of the weights can have changed.
        assert sorted(found.values()) in ([(1,), (2, 3)], [(1,), (3, 2)]) or len(found) < 3
