"""Ways in which a file can be damaged, by accident or by hand."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Damage = Callable[[Path], None]
DEEP = 100_000


def cut(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 4)


def zeros(path: Path) -> None:
    path.write_bytes(b"\0" * 512)


def deep(path: Path) -> None:
    path.write_bytes(b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"\n")


def deep_list(path: Path) -> None:
    path.write_bytes(b"[" * DEEP + b"]" * DEEP + b"\n")


def other_kind(path: Path) -> None:
    path.write_bytes(b"[1, 2]\n")


def null(path: Path) -> None:
    path.write_bytes(b"null\n")


def nothing_in_it(path: Path) -> None:
    path.write_bytes(b"{}\n")


def gone(path: Path) -> None:
    path.unlink()


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def twice(path: Path) -> None:
    """Every line once more: of a row file, duplicate rows."""
    path.write_bytes(path.read_bytes() * 2)


def turned(path: Path) -> None:
    """The lines in the other order."""
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(reversed(lines)))


WHOLE: dict[str, Damage] = {
    one.__name__: one
    for one in (
        cut, empty, binary, zeros, deep, deep_list, other_kind, null, nothing_in_it, gone, a_folder,
        twice, turned,
    )
}  # fmt: skip
"""Of a file as a whole."""

VALUES: tuple[Any, ...] = (
    None, True, -1, 10**30, 0.5, float("nan"), float("inf"), "", "text", [], [[]], {}, {"a": [0]},
)  # fmt: skip


def places(data: object, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value; of a list the first element only."""
    inner = (
        data.items()
        if isinstance(data, dict)
        else list(enumerate(data))[:1]
        if isinstance(data, list)
        else ()
    )
    for key, value in inner:
        yield (*at, key)
        yield from places(value, (*at, key))


def spoil(path: Path, at: tuple[Any, ...], value: object, *, drop: bool = False) -> None:
    """One value of a JSON file, or of the first line of a row file, replaced or dropped."""
    lines = path.read_text().splitlines()
    rows = path.suffix == ".jsonl"
    data = json.loads(lines[0] if rows else path.read_text())
    inner = data
    for key in at[:-1]:
        inner = inner[key]
    if drop:
        del inner[at[-1]]
    else:
        inner[at[-1]] = value
    if rows:
        path.write_text("\n".join([json.dumps(data), *lines[1:]]) + "\n")
    else:
        path.write_text(json.dumps(data))


def fresh(run: Path, out: Path) -> Path:
    """A copy of a run to be damaged."""
    shutil.rmtree(out, ignore_errors=True)
    return Path(shutil.copytree(run, out))
