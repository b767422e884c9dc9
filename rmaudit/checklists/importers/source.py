"""SOURCE on the command line: a local file, or a data set on the hub."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rmaudit.checklists.importers.hub import PREFIX, HubSpec, dataset_rows, hub_card
from rmaudit.checklists.importers.rows import NumberedRow, file_rows
from rmaudit.errors import InputError


@dataclass(frozen=True, slots=True)
class Source:
    """Where rows come from.

    Attributes:
        name: how errors and the card name it; of a file, its name without the folders.
        place: how messages name it.
        format: in words.
        rows: one by one.
        revision: the commit on the hub, '' of a file.
        licence: what the hub states, None where nothing does.
    """

    name: str
    place: str
    format: str
    rows: Iterator[NumberedRow]
    revision: str = ""
    licence: str | None = None


def open_source(spec: str, *, config: str | None = None, named: bool = False) -> Source:
    """Opens a source.

    Args:
        spec: a file, or `hf:REPO[@REV][:SPLIT]`.
        config: part of a repository.
        named: whether the user named it.

    Raises:
        InputError: it cannot be read, or names nothing.
        MissingPackageError: it needs a package that is not installed.
    """
    if not spec.startswith(PREFIX):
        if named:
            raise InputError(f"--config names a part of a repository, {spec} is a file")
        form, rows = file_rows(Path(spec))
        return Source(Path(spec).name, spec, form, rows)
    wanted = HubSpec.parse(spec)
    card = hub_card(wanted)
    rows = dataset_rows(
        wanted.repo, config=config, split=wanted.split, revision=card.commit or wanted.revision
    )
    return Source(spec, spec, "a data set on the hub", rows, card.commit, card.licence)
