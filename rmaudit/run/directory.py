"""The run directory: a manifest, append-only row files, and what is made from them.

Rows are flushed as each finishes, so that a kill costs at most the line being written. A torn last
line is cut off when the file is opened again, and its row is redone.

SCHEMA_VERSION
    1  first version
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rmaudit.errors import InputError, RmauditError
from rmaudit.run.rows import Row

SCHEMA_VERSION = 1
MANIFEST = "manifest.json"
GENERATIONS = "generations.jsonl"
SCORES = "scores.jsonl"
VERDICTS = "verdicts.jsonl"
MATCHES = "matches.jsonl"
CEILINGS = "ceilings.jsonl"
FLAWS = "flaws.jsonl"
PROBES = "probes.jsonl"
RESULTS = "results.jsonl"
METRICS = "metrics.json"
DIFFERENCES = "recorded_differences.jsonl"
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_SURROGATE = re.compile("[\ud800-\udfff]")
ROW_FILES = (GENERATIONS, SCORES, VERDICTS, MATCHES, FLAWS, CEILINGS, PROBES, RESULTS)


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
            InputError: no run there, or one of a newer schema.
        """
        run = cls(path)
        if not (path / MANIFEST).is_file():
            raise InputError(
                f"no run at {path}", "give the folder that `rmaudit scan` wrote (runs/latest)"
            )
        version = run.manifest().get("schema_version")
        if not isinstance(version, int) or version > SCHEMA_VERSION:
            raise InputError(
                f"{path} has schema version {version}; this rmaudit reads up to {SCHEMA_VERSION}",
                "update rmaudit",
            )
        return run

    def manifest(self) -> dict[str, Any]:
        """manifest.json."""
        return self.read_json(MANIFEST)

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

    def write_rows(self, name: str, rows: Iterable[Row]) -> None:
        """Writes a row file whole or not at all."""
        self.write_text(name, "".join(dump(row) for row in rows))

    def rows(self, name: str) -> Iterator[Row]:
        """Rows of a file in file order; none where the file is not there. A torn end is left out.

        Raises:
            InputError: a line before the last is damaged.
        """
        path = self.path / name
        if not path.is_file():
            return
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                try:
                    row = json.loads(line)
                except ValueError as error:
                    if not line.endswith(b"\n"):
                        return
                    raise InputError(
                        f"{path}, line {number} is damaged: {error}",
                        "delete this line; --resume does its row again",
                    ) from error
                if line.endswith(b"\n"):
                    yield row

    def append(self, name: str) -> RowWriter:
        """A writer at the end of a row file, after its torn last line is cut off."""
        return RowWriter(self.path / name)

    def hashes(self) -> dict[str, str]:
        """sha256 of each row file that is there."""
        return {
            name: hashlib.sha256((self.path / name).read_bytes()).hexdigest()
            for name in ROW_FILES
            if (self.path / name).is_file()
        }


class RowWriter:
    """Appends rows, each flushed to the operating system as it is written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with disk_errors(path):
            _cut_torn_line(path)
            self._file = path.open("ab")

    def write(self, row: Row) -> None:
        """Appends one row.

        Raises:
            RmauditError: the disk is full or gone; all earlier rows are kept.
        """
        with disk_errors(self.path):
            self._file.write(dump(row).encode())
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


def dump(row: Row) -> str:
    """One JSON line; a lone surrogate, which UTF-8 cannot hold, is kept as an escape."""
    text = _ENCODER.encode(row)
    if not text.isascii() and _SURROGATE.search(text):
        text = json.dumps(row, allow_nan=False)
    return text + "\n"


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
