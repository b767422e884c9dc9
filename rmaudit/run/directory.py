"""The run directory: a manifest, append-only row files, and what is made from them.

Rows are flushed as each finishes, so that a kill costs at most the line being written. A torn last
line is cut off when the file is opened again, and its row is redone.

`schema` has the version of it all, `manifest` the record of manifest.json, `files` the row files.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from rmaudit.errors import InputError, RmauditError
from rmaudit.run.files import ROW_FILES, BadLine, RowFile
from rmaudit.run.manifest import RunManifest, manifest_of

MANIFEST = "manifest.json"
METRICS = "metrics.json"
R = TypeVar("R")


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
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise InputError(
                f"{path} is there already", "continue it with --resume, or name another --out"
            )
        with disk_errors(path):
            path.mkdir(parents=True, exist_ok=True)
        return cls(path)

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
        """Writes manifest.json whole or not at all."""
        self.write_json(MANIFEST, manifest.as_dict())

    def read_json(self, name: str) -> dict[str, Any]:
        """A JSON file of the run.

        Raises:
            InputError: it is missing or damaged.
        """
        try:
            data = json.loads((self.path / name).read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise InputError(
                f"{self.path} has no {name}", "finish the run: rmaudit scan ... --resume"
            ) from error
        except ValueError as error:
            raise InputError(f"{self.path / name} is damaged: {error}", "scan again") from error
        if not isinstance(data, dict):
            raise InputError(f"{self.path / name} is damaged: not an object", "scan again")
        return data

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

    def rows(self, file: RowFile[R]) -> Iterator[R]:
        """Rows of a file in file order; none where the file is not there. A torn end is left out.

        Raises:
            InputError: a line before the last is damaged, or a field of any line.
        """
        path = self.path / file.name
        if not path.is_file():
            return
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    return
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
        return {
            file.name: hashlib.sha256((self.path / file.name).read_bytes()).hexdigest()
            for file in ROW_FILES
            if self.has(file)
        }


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
            RmauditError: the disk is full or gone; all earlier rows are kept.
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


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turns an error of the disk into one that says what is kept and what to do."""
    try:
        yield
    except OSError as error:
        raise RmauditError(
            f"cannot write {path}: {error.strerror or error}",
            "make room or mend the permissions, then go on with --resume; finished rows are kept",
        ) from error


def write_atomic(path: Path, text: str) -> None:
    """Writes to a temporary file beside `path`, then renames it.

    Lone surrogates that a model can produce are written as `?`: UTF-8 has no form for them.
    """
    with disk_errors(path):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="replace", newline="\n") as file:
                file.write(text)
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def utc_now() -> str:
    """The time as written into manifests."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _cut_torn_line(path: Path) -> None:
    if not path.is_file():
        return
    with path.open("rb+") as file:
        data = file.read()
        file.truncate(data.rfind(b"\n") + 1)
