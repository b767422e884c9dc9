"""Rows of a file with their places: JSON lines, a JSON array, Parquet, each also gzipped (JSON).

The format is told by the content of the file. Rows come one by one, so that a file need not fit
into memory.
"""

from __future__ import annotations

import codecs
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from rmaudit.checklists.importers.fields import BadField
from rmaudit.errors import InputError, MissingPackageError

_CHUNK = 1 << 16
_PARQUET, _GZIP, _BOM = b"PAR1", b"\x1f\x8b", codecs.BOM_UTF8
_LFS = b"version https://git-lfs"
_SPACE = " \t\r\n"
PARQUET_BATCH = 64


class NumberedRow(NamedTuple):
    """One row with its place: the line where it starts, or its number in a Parquet file, from 1."""

    line: int
    row: dict[str, Any] | BadField


def file_rows(path: Path) -> tuple[str, Iterator[NumberedRow]]:
    """The format of a file in words, and its rows; a row that cannot be read is a BadField.

    Raises:
        InputError: the file cannot be read, also while its rows are read where the rest of it is
            lost by what is wrong.
        MissingPackageError: Parquet without pyarrow.
    """
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror}", "give a JSON, JSON-lines or Parquet file"
        ) from error
    if head.startswith(_LFS):
        raise InputError(
            f"{path} is a pointer of Git LFS, not the data", "fetch the file: git lfs pull"
        )
    if head.startswith(_PARQUET):
        return "Parquet", _parquet(path)
    packed = head.startswith(_GZIP)
    if packed:
        with gzip.open(path) as inner:
            head = _guarded(path, inner.read, 4096)
    array = head.removeprefix(_BOM).lstrip(_SPACE.encode()).startswith(b"[")
    name = ("JSON array" if array else "JSON lines") + (", gzipped" if packed else "")
    return name, _opened(path, packed=packed, array=array)


def _opened(path: Path, *, packed: bool, array: bool) -> Iterator[NumberedRow]:
    with gzip.open(path) if packed else path.open("rb") as opened:
        file = cast(BinaryIO, opened)
        yield from _array(path, file) if array else _lines(path, file)


def _guarded(path: Path, read: Any, *arguments: int) -> bytes:
    """What a read gives; a damaged file is an input error."""
    try:
        return bytes(read(*arguments))
    except (OSError, EOFError) as error:
        raise InputError(f"cannot read {path}: {error}", "the file is damaged") from error


def _lines(path: Path, file: BinaryIO) -> Iterator[NumberedRow]:
    number = 0
    while line := _guarded(path, file.readline):
        number += 1
        if number == 1:
            line = line.removeprefix(_BOM)
        if line.strip():
            yield NumberedRow(number, _row(line))


def _row(line: bytes) -> dict[str, Any] | BadField:
    try:
        row = json.loads(line, object_pairs_hook=_object)
    except UnicodeDecodeError:
        return BadField("", "is not UTF-8")
    except BadField as error:
        return error
    except (ValueError, RecursionError) as error:
        return BadField("", f"is not a JSON object ({error})")
    return row if isinstance(row, dict) else BadField("", "is not a JSON object")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadField(twice, "stands twice in one object")
    return found


class _Text:
    """The text of a file as a window that grows at its end and shrinks at its start."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path, self._file = path, file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        self.text, self.at, self.line, self.ended = "", 0, 1, False

    def more(self) -> bool:
        """Reads on, as much again as is held; False at the end of the file."""
        if self.ended:
            return False
        data = _guarded(self._path, self._file.read, max(_CHUNK, len(self.text) - self.at))
        self.ended = not data
        try:
            self.text = self.text[self.at :] + self._decode.decode(data, self.ended)
        except UnicodeDecodeError as error:
            raise self.broken("is not UTF-8") from error
        self.at = 0
        return not self.ended or bool(self.text)

    def skip_space(self) -> str:
        """The next character that is no white space, '' at the end of the file."""
        while True:
            start = self.at
            while self.at < len(self.text) and self.text[self.at] in _SPACE:
                self.at += 1
            self.line += self.text.count("\n", start, self.at)
            if self.at < len(self.text):
                return self.text[self.at]
            if self.ended or not self.more():
                return ""

    def take(self, end: int) -> None:
        """Moves on to `end`."""
        self.line += self.text.count("\n", self.at, end)
        self.at = end

    def broken(self, what: str) -> InputError:
        """The rest of an array is lost: nothing says where the next row starts."""
        return InputError(
            f"{self._path}, line {self.line}: {what}", "the rest of the array cannot be read"
        )


def _array(path: Path, file: BinaryIO) -> Iterator[NumberedRow]:
    text = _Text(path, file)
    decoder = json.JSONDecoder(object_pairs_hook=_object)
    text.skip_space()
    text.take(text.at + 1)
    if text.skip_space() != "]":
        while True:
            line, row = text.line, _element(text, decoder)
            if not isinstance(row, dict | BadField):
                row = BadField("", "is not a JSON object")
            yield NumberedRow(line, row)
            mark = text.skip_space()
            if mark not in ("]", ","):
                raise text.broken("after a row must come , or ]" if mark else "the array is cut")
            if mark == "]":
                break
            text.take(text.at + 1)
            text.skip_space()
    text.take(text.at + 1)
    if text.skip_space():
        raise text.broken("something follows the array")


def _element(text: _Text, decoder: json.JSONDecoder) -> object:
    """The value that starts here, context on until it is whole."""
    while True:
        try:
            value, end = decoder.raw_decode(text.text, text.at)
        except BadField as error:
            return _past(text, error)
        except (ValueError, RecursionError) as error:
            if isinstance(error, RecursionError) or not text.more():
                raise text.broken(f"is not JSON ({error})") from error
            continue
        if end == len(text.text) and text.more():
            continue  # a number may go on
        text.take(end)
        return value


def _past(text: _Text, error: BadField) -> object:
    """Reads a row with a repeated key to its end, so that the next one is found."""
    plain = json.JSONDecoder()
    while True:
        try:
            _, end = plain.raw_decode(text.text, text.at)
        except ValueError as broken:
            if not text.more():
                raise text.broken(f"is not JSON ({broken})") from broken
            continue
        text.take(end)
        return error


def _parquet(path: Path) -> Iterator[NumberedRow]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise MissingPackageError("Parquet", error.name or "pyarrow", "hub") from error
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=PARQUET_BATCH):
                for row in batch.to_pylist():
                    number += 1
                    yield NumberedRow(number, {k: v for k, v in row.items() if v is not None})
    except (ArrowException, OSError) as error:
        raise InputError(
            f"cannot read {path} after row {number}: {error}", "the file is damaged"
        ) from error
