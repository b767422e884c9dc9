"""A run as a comparison needs it: its table, its items by content, and what its answers were."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.metrics.table import Table
from rmaudit.run.answers import answer_hashes, same_answers
from rmaudit.run.directory import RunDir
from rmaudit.run.integrity import SOUND, Integrity, check
from rmaudit.run.item import run_items
from rmaudit.run.manifest import RunManifest
from rmaudit.run.table import run_table, settings_of


@dataclass(frozen=True, slots=True)
class CompareRun:
    """One run.

    Attributes:
        number: its place on the command line, from 1.
        path: of its directory.
        manifest: of the run.
        table: of its base rows.
        order: item id behind each item code of the table.
        content: sha256 of each item's content, by id.
        clusters: cluster of each item, by id.
        answers: hash of each item's answers (or scores), whatever their order, times and tokens.
        integrity: what the check of its files found.
    """

    number: int
    path: Path
    manifest: RunManifest
    table: Table
    order: tuple[str, ...]
    content: dict[str, str]
    clusters: dict[str, str]
    answers: dict[str, str]
    integrity: Integrity = SOUND

    @property
    def name(self) -> str:
        """Of the audited model."""
        return self.manifest.target.name

    @property
    def digest(self) -> str:
        """Of the audited model."""
        return self.manifest.target.digest

    @property
    def sets(self) -> str:
        """Names of its checklist sets."""
        return ", ".join(one.name for one in self.manifest.sets)

    @property
    def items(self) -> frozenset[tuple[str, str]]:
        """Its items, each by id and content: what a run shares with another one."""
        return frozenset((name, self.content[name]) for name in self.order)

    @property
    def identity(self) -> str:
        """What tells its model from others over all sets: recorded files differ by set."""
        return self.name if self.manifest.engine.name == "replay" else self.digest

    def same_answers(self, other: CompareRun) -> bool:
        """Whether both say the same, word for word, on all items that both have."""
        return same_answers(self.answers, other.answers)

    def repeats(self, other: CompareRun) -> bool:
        """Whether both hold the same answers of the same model: one data point, not two.

        Guidelines in its prompt make a model another one.
        """
        same = self.digest == other.digest
        same = same and self.manifest.guidelines == other.manifest.guidelines
        return same and self.same_answers(other)


def read_for_comparison(path: Path, *, number: int) -> CompareRun:
    """Reads a finished run.

    Raises:
        InputError: no run, an unfinished one, or a damaged file.
    """
    run = RunDir.open(path)
    manifest = run.manifest()
    if manifest.status != "finished":
        raise InputError(
            f"{path} is not finished (status {manifest.status})",
            f"go on with it: rmaudit scan ... --resume --out {path}",
        )
    items = run_items(run)
    results, table = run_table(run, items, settings_of(manifest))
    return CompareRun(
        number=number,
        path=path,
        manifest=manifest,
        table=table,
        order=tuple(result.item for result in results if result.rows),
        content={item.id: content_of(item) for item in items},
        clusters={item.id: item.cluster for item in items},
        answers=answer_hashes(run),
        integrity=check(run),
    )


def content_of(item: Item) -> str:
    """sha256 of all that an item says."""
    return hashlib.sha256(dump_item(item, sort=True).encode()).hexdigest()
