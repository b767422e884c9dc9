"""The run directory: a manifest, append-only row files, and what is made from them.

Rows are flushed as each finishes, so that a kill costs at most the line being written. A torn last
line is cut off when the file is opened again, and its row is redone.

`schema` has the version of it all, `manifest` the record of manifest.json, `files` the row files,
`lock` who may write, `seal` what a finished run is held to, `disk` how files are written.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Container, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from rmaudit.errors import InputError
from rmaudit.run.disk import TEMPORARY, disk_errors, reading, sweep, write_atomic
from rmaudit.run.files import DIFFERENCES, ROW_FILES, BadLine, RowFile
from rmaudit.run.lock import LOCK
from rmaudit.run.manifest import RunManifest, manifest_of
from rmaudit.run.seal import SEALED_FROM, sealed
from rmaudit.text.json_values import each_key_once

MANIFEST = "manifest.json"
METRICS = "metrics.json"
FOLDERS = ("checklist", "prompts")
"""What is written before the manifest."""
R = TypeVar("R")
_NAMED = re.compile(rb'\s*{\s*"item"\s*:\s*("(?:[^"\\]|\\.)*")')
"""How a line of a row file begins."""


class RunDir:
    """One run on disk. It holds no results itself; it reads and writes them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, path: Path) -> RunDir:
        """A new, empty run directory.

        Raises:
            InputError: it is there already.
        """
        cls.check_free(path)
        with disk_errors(path):
            path.mkdir(parents=True, exist_ok=True)
        for folder in (path, *(path / name for name in FOLDERS)):
            sweep(folder)
        for name in FOLDERS:  # of a start that was stopped before its manifest
            with disk_errors(path / name):
                for old in (path / name).glob("*"):
                    old.unlink()
        return cls(path)

    @classmethod
    def check_free(cls, path: Path) -> None:
        """Whether a run may begin here.

        Raises:
            InputError: the place is taken; only a run that had not got as far as its manifest may
                be begun anew.
        """
        if path.exists() and not cls.only_begun(path):
            raise InputError(
                f"{path} is there already", "continue it with --resume, or name another --out"
            )

    @classmethod
    def only_begun(cls, path: Path) -> bool:
        """Whether a run stopped here before its manifest was there, so that no row can be lost.

        It is empty, or has the lock file, which is written first and which no folder of the user's
        own has.

        Raises:
            InputError: the folder cannot be read.
        """
        with reading(path):
            inside = list(path.iterdir()) if path.is_dir() else None
        if not inside:
            return inside is not None
        return (path / LOCK).is_file() and all(
            one.name == LOCK
            or one.name.startswith(TEMPORARY)
            or (one.name in FOLDERS and one.is_dir())
            for one in inside
        )

    @classmethod
    def open(cls, path: Path) -> RunDir:
        """An existing run.

        Raises:
            InputError: no run there, one of a newer schema, or its manifest is damaged.
        """
        run = cls(path)
        if not (path / MANIFEST).is_file():
            raise InputError(
                f"no run at {path}", "give the folder that `rmaudit scan` wrote (runs/latest)"
            )
        run.manifest()
        return run

    def manifest(self) -> RunManifest:
        """manifest.json.

        Raises:
            InputError: it is missing, damaged, or of a newer schema.
        """
        return manifest_of(self.read_json(MANIFEST), self.path / MANIFEST)

    def write_manifest(self, manifest: RunManifest) -> None:
        """Writes manifest.json whole or not at all; that of a finished run with its seal."""
        written = manifest.as_dict()
        if manifest.status == "finished" and manifest.schema_version >= SEALED_FROM:
            written = sealed(written)
        self.write_json(MANIFEST, written)

    def read_json(self, name: str) -> dict[str, Any]:
        """A JSON file of the run.

        Raises:
            InputError: it is missing or damaged.
        """
        try:
            with reading(self.path / name):
                text = (self.path / name).read_bytes()
            return json_object(text)
        except FileNotFoundError as error:
            raise InputError(
                f"{self.path} has no {name}", "finish the run: rmaudit scan ... --resume"
            ) from error
        except ValueError as error:
            raise InputError(f"{self.path / name} is damaged: {error}", "scan again") from error

    def write_json(self, name: str, data: object) -> None:
        """Writes a JSON file whole or not at all."""
        text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
        self.write_text(name, text)

    def write_text(self, name: str, text: str) -> None:
        """Writes a text file whole or not at all."""
        write_atomic(self.path / name, text)

    def write_rows(self, file: RowFile[R], rows: Iterable[R]) -> None:
        """Writes a row file whole or not at all."""
        self.write_text(file.name, "".join(map(file.encode, rows)))

    def keep_rows(self, file: RowFile[R], wanted: Callable[[R], bool]) -> None:
        """Takes the rows out of a file that are not wanted."""
        rows = list(self.rows(file))
        kept = [row for row in rows if wanted(row)]
        if len(kept) < len(rows):
            self.write_rows(file, kept)

    def has(self, file: RowFile[Any]) -> bool:
        """Whether a row file is there."""
        return (self.path / file.name).is_file()

    def rows(self, file: RowFile[R], *, of: Container[str] | None = None) -> Iterator[R]:
        """Rows of a file in file order; none where the file is not there. A torn end is left out.

        `of`: lines that name another item first are passed over unread; None for all.

        Raises:
            InputError: a line before the last is damaged, or a field of any line.
        """
        path = self.path / file.name
        if not path.is_file():
            return
        with reading(path), path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    return
                if of is not None and not _may_be_of(line, of):
                    continue
                try:
                    row = file.decode(line)
                except BadLine as error:
                    raise InputError(
                        f"{path}, line {number}{error.where} is damaged: {error.what}",
                        "delete this line; --resume does its row again",
                    ) from error
                yield row

    def append(self, file: RowFile[R]) -> RowWriter[R]:
        """A writer at the end of a row file, after its torn last line is cut off."""
        return RowWriter(self.path / file.name, file)

    def hashes(self) -> dict[str, str]:
        """sha256 of each row file that is there."""
        return {file.name: sha256_of(self.path / file.name) for file in ROW_FILES if self.has(file)}

    def other_hashes(self) -> dict[str, str]:
        """sha256 of each other file that a finished run is held to: items, prompts, numbers."""
        places = [path for name in FOLDERS for path in sorted((self.path / name).glob("*"))]
        places += [self.path / name for name in (METRICS, DIFFERENCES.name)]
        return {
            path.relative_to(self.path).as_posix(): sha256_of(path)
            for path in places
            if path.is_file() and not path.name.startswith(TEMPORARY)
        }

    def seal(self, manifest: RunManifest) -> None:
        """Ends a run: its manifest with the hashes of all that it left, written last."""
        manifest.row_hashes, manifest.file_hashes = self.hashes(), self.other_hashes()
        manifest.status = "finished"
        self.write_manifest(manifest)


class RowWriter(Generic[R]):
    """Appends rows, each flushed to the operating system as it is written."""

    def __init__(self, path: Path, file: RowFile[R]) -> None:
        self.path = path
        self._encode = file.encode
        with disk_errors(path):
            _cut_torn_line(path)
            self._file = path.open("ab")

    def write(self, row: R) -> None:
        """Appends one row.

        Raises:
            DiskError: the disk is full or gone; all earlier rows are kept.
        """
        with disk_errors(self.path):
            self._file.write(self._encode(row).encode())
            self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with disk_errors(self.path):
            self._file.close()


def sha256_of(path: Path) -> str:
    """sha256 of a file, which is not held in memory.

    Raises:
        InputError: it cannot be read.
    """
    with reading(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def json_object(text: bytes) -> dict[str, Any]:
    """The JSON object that a file holds; NaN and infinity are no JSON, and no key stands twice.

    Raises:
        ValueError: it holds none, or is nested too deep to be read.
    """
    try:
        data = json.loads(
            text.decode(),
            parse_constant=_no_number,
            parse_float=_finite,
            object_pairs_hook=each_key_once,
        )
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if not isinstance(data, dict):
        raise ValueError("not an object")
    return data


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


def _may_be_of(line: bytes, items: Container[str]) -> bool:
    """Whether a line is one of these items, as far as its beginning tells."""
    named = _NAMED.match(line)
    try:
        return named is None or json.loads(named[1]) in items
    except ValueError:
        return True


def utc_now() -> str:
    """The time as written into manifests."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _cut_torn_line(path: Path) -> None:
    if not path.is_file():
        return
    with path.open("rb+") as file:
        data = file.read()
        file.truncate(data.rfind(b"\n") + 1)
