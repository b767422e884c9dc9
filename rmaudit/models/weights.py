"""Names and shapes of a checkpoint's tensors, from the headers of its safetensors files.

The files are those that transformers loads: `model.safetensors`, else the shards that
`model.safetensors.index.json` names. What else lies in the folder is no part of the model.
"""

from __future__ import annotations

import itertools
import json
import math
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rmaudit.errors import InputError
from rmaudit.models.folder import AGAIN, read_json

SINGLE = "model.safetensors"
INDEX = "model.safetensors.index.json"
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
MOST_HEADER = 1 << 28
BITS = {
    **dict.fromkeys(("F64", "I64", "U64", "C64"), 64),
    **dict.fromkeys(("F32", "I32", "U32"), 32),
    **dict.fromkeys(("F16", "BF16", "I16", "U16"), 16),
    **dict.fromkeys(("F8_E4M3", "F8_E5M2", "F8_E8M0", "I8", "U8", "BOOL"), 8),
}
"""Bits of one number by type; a type that is not listed here has its size unchecked."""

Shapes = dict[str, tuple[int, ...]]


def tensor_shapes(path: Path) -> Shapes:
    """Name and shape of each tensor that would be loaded; no weight is read.

    Raises:
        InputError: no safetensors, pickled weights only, a shard is missing or damaged, or the
            index names a tensor that its shard does not hold.
    """
    if (path / SINGLE).is_file():
        return file_shapes(path / SINGLE)
    if (path / INDEX).is_file():
        return _shards(path)
    if any(path.glob("*.safetensors")):
        found = sorted(file.name for file in path.glob("*.safetensors"))
        raise InputError(
            f"{path} has neither {SINGLE} nor {INDEX}, only {few(found)}",
            "copy the index too: without it nobody knows which shards belong to the model",
        )
    if any(file for pattern in PICKLED for file in path.glob(pattern)):
        raise InputError(
            f"{path} holds pickled weights, which can run code when loaded",
            "convert them to safetensors: model.save_pretrained(path)",
        )
    raise InputError(f"{path} holds no *.safetensors weights", "save the model again")


def _shards(path: Path) -> Shapes:
    index = path / INDEX
    places = read_json(index).get("weight_map")
    if not isinstance(places, dict) or not places or not all(map(_plain_name, places.values())):
        raise InputError(f"{index} is damaged: weight_map does not name files", AGAIN)
    files = sorted(set(places.values()))
    missing = [name for name in files if not (path / name).is_file()]
    if missing:
        raise InputError(
            f"{path} lacks {few(missing)} of the {len(files)} files that its index names",
            "copy what is missing",
        )
    held: Shapes = {}
    for name in files:
        header = file_shapes(path / name)
        absent = [tensor for tensor, place in places.items() if place == name]
        absent = [tensor for tensor in absent if tensor not in header]
        if absent:
            raise InputError(
                f"{path / name} lacks {few(absent)}, which {INDEX} places there",
                "index and shards are of different checkpoints: copy all of one",
            )
        twice = sorted(held.keys() & header.keys())
        if twice:
            raise InputError(f"{path / name} holds {few(twice)} a second time", AGAIN)
        held |= header
    return held


def _plain_name(name: object) -> bool:
    """Whether it names a file of the folder itself."""
    return isinstance(name, str) and name not in ("", ".", "..") and "/" not in name


def file_shapes(file: Path) -> Shapes:
    """Name and shape of each tensor of one file.

    Raises:
        InputError: it is damaged.
    """
    try:
        size = file.stat().st_size
        with file.open("rb") as stream:
            (length,) = struct.unpack("<Q", stream.read(8))
            if length > MOST_HEADER:
                raise ValueError("its header is too large")
            if size < 8 + length:
                raise ValueError("file is cut off")
            header = json.loads(stream.read(length))
        if not isinstance(header, dict):
            raise ValueError("its header is no object")
        entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
        _check_places(entries, size - 8 - length)
        return {name: tuple(entry["shape"]) for name, entry in entries.items()}
    except (OSError, ValueError, KeyError, TypeError, RecursionError, struct.error) as error:
        said = f"no {error}" if isinstance(error, KeyError) else error
        raise InputError(f"{file} is damaged ({said})", AGAIN) from error


def _check_places(entries: dict[str, Any], room: int) -> None:
    """That each tensor has as many bytes as its shape needs, and all lie end to end in the file."""
    places: list[tuple[int, int]] = []
    for name, entry in entries.items():
        shape, offsets = entry["shape"], entry["data_offsets"]
        if not all(type(number) is int and number >= 0 for number in (*shape, *offsets)):
            raise ValueError(f"shape or place of {name} is no list of whole numbers")
        start, end = offsets
        bits = BITS.get(entry["dtype"])
        if bits is not None and (end - start) * 8 != bits * math.prod(shape):
            raise ValueError(f"{name} has {end - start} bytes, its shape needs another number")
        places.append((start, end))
    places.sort()
    if any(end != start for (_, end), (start, _) in itertools.pairwise([(0, 0), *places])):
        raise ValueError("its tensors overlap or leave gaps")
    end = places[-1][1] if places else 0
    if room < end:
        raise ValueError("file is cut off")
    if room > end:
        raise ValueError("bytes follow its last tensor")


def few(names: Sequence[str]) -> str:
    """The first names, and how many there are beside them."""
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3:,} more"
