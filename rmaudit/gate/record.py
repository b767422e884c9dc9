"""Decisions on disk: each stands in decisions/, gate.json is the newest, and each can become void.

A decision holds for what it was made from: the run, the baseline, the policy, the waivers. Each is
recorded with its hash; where one of them is another now, the decision says nothing any more.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from rmaudit.errors import InputError
from rmaudit.gate.decision import SCHEMA_VERSION, Decision, ReadFile
from rmaudit.run.directory import MANIFEST, RunDir, sha256_of
from rmaudit.run.disk import disk_errors
from rmaudit.run.faults import fault_of
from rmaudit.run.integrity import Integrity, check
from rmaudit.run.seal import SEAL, seal_of

GATE = "gate.json"
DECISIONS = "decisions"
_SEALED_FROM = 2
"""Schema version of decisions since which they have a seal and say what they read."""


class Recorded(NamedTuple):
    """The newest decision of a run: as it was, or why it is void. Both empty: there is none."""

    decision: Decision | None = None
    void: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """Something that a decision read, and how its hash is found now."""

    what: str
    path: Path

    def sha256(self) -> str | None:
        """None where it is not there any more."""
        if self.what in ("run", "baseline"):
            run = RunDir(self.path)
            return state_of(run) if (self.path / MANIFEST).is_file() else None
        return sha256_of(self.path) if self.path.is_file() else None


def state_of(run: RunDir) -> str:
    """sha256 over the manifest and all files of a run that its numbers come from."""
    found = {MANIFEST: sha256_of(run.path / MANIFEST), **run.hashes(), **run.other_hashes()}
    lines = "\n".join(f"{name} {sha256}" for name, sha256 in sorted(found.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def files_read(run: RunDir, others: Mapping[str, str | Path | None]) -> tuple[ReadFile, ...]:
    """What a decision reads, each with its hash, and its path from the run's folder.

    Args:
        run: that is decided on.
        others: paths of baseline, policy, waivers; None where there is none.
    """
    places = [_Place("run", run.path)]
    places += [_Place(what, Path(path)) for what, path in others.items() if path]
    return tuple(
        ReadFile(one.what, os.path.relpath(one.path, run.path), one.sha256() or "")
        for one in places
    )


def write_decision(run: RunDir, decision: Decision) -> None:
    """Puts a decision beside earlier ones, and in gate.json.

    Raises:
        DiskError: the disk; an earlier gate.json stays.
    """
    folder = run.path / DECISIONS
    with disk_errors(folder):
        folder.mkdir(exist_ok=True)
    policy = re.sub(r"[^\w.-]+", "-", decision.policy["name"]).strip("-.") or "policy"
    name, number = f"{decision.decided_at}-{policy}", 1
    while (folder / f"{name}.json").exists():
        number += 1
        name = f"{decision.decided_at}-{policy}-{number}"
    record = decision.as_dict()
    run.write_json(f"{DECISIONS}/{name}.json", record)
    run.write_json(GATE, record)


def recorded_decision(run: RunDir, found: Integrity | None = None) -> Recorded:
    """The decision in gate.json, or why it is void.

    Args:
        run: it was made on.
        found: what the integrity check says of the run, where it was asked already.
    """
    if not (run.path / GATE).is_file():
        return Recorded()
    again = "gate the run again: rmaudit gate"
    try:
        record = run.read_json(GATE)
        decision = _adapter().validate_python(record)
    except InputError as error:
        return Recorded(void=f"{error.message}; {again}")
    except ValidationError as error:
        field, what = fault_of(error)
        return Recorded(void=f"{GATE} is damaged, field {field}: {what}; {again}")
    version = record.get("schema_version")
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        return Recorded(void=f"{GATE} is of a newer rmaudit (schema {version}); update this one")
    found = check(run) if found is None else found
    if not found.sound:
        return Recorded(void=f"the run is {found.word}: {found.problems[0]}")
    if version < _SEALED_FROM:
        if decision.run.get("row_hashes") != run.manifest().row_hashes:
            return Recorded(void=f"the run was written anew since; {again}")
        return Recorded(decision, notes=("the decision is not sealed: an older rmaudit made it",))
    if record.get(SEAL) != seal_of(record):
        return Recorded(void=f"{GATE} was edited; {again}")
    changed = tuple(_changed(run, decision))
    if any(one.gone is False for one in changed):
        what = "; ".join(one.sentence for one in changed if not one.gone)
        return Recorded(void=f"{what}; {again}")
    return Recorded(decision, notes=tuple(one.sentence for one in changed))


class _Change(NamedTuple):
    sentence: str
    gone: bool


def _changed(run: RunDir, decision: Decision) -> Iterator[_Change]:
    for one in decision.read:
        path = run.path / one.path
        now = _Place(one.what, path).sha256()
        if now is None:
            what = f"the {one.what} of the decision is not at {path} any more: not checked"
            yield _Change(what, True)
        elif now != one.sha256:
            yield _Change(f"the {one.what} was changed since the decision", False)
    if not any(one.what == "run" for one in decision.read):
        yield _Change("the decision does not say which run it read", False)


@cache
def _adapter() -> TypeAdapter[Any]:
    return TypeAdapter(Decision)
