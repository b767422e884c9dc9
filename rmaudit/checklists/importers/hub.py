"""Rows of a data set on the Hugging Face hub: `hf:REPO[@REV][:SPLIT]`, streamed, never executed.

Nothing is read from there unless such a source is named. Code of a data set is never run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from rmaudit.checklists.importers.rows import NumberedRow
from rmaudit.errors import InputError, MissingPackageError

PREFIX = "hf:"
_SPEC = re.compile(
    r"hf:(?P<repo>[\w.-]+/[\w.-]+)(?:@(?P<revision>[^:@\s]+))?(?::(?P<split>[\w.\[\]%-]+))?"
)


class HubSpec(NamedTuple):
    """What a source names: the repository, a revision, a split; None where not given."""

    repo: str
    revision: str | None
    split: str | None

    @classmethod
    def parse(cls, spec: str) -> HubSpec:
        """From the command line.

        Raises:
            InputError: it is not of the form.
        """
        match = _SPEC.fullmatch(spec)
        if match is None:
            raise InputError(f"'{spec}' names no data set", "write hf:OWNER/NAME[@REV][:SPLIT]")
        return cls(match["repo"], match["revision"], match["split"])


class HubCard(NamedTuple):
    """What the hub says of a repository: the commit of the revision, and the licence."""

    commit: str
    licence: str | None


def hub_card(spec: HubSpec) -> HubCard:
    """The commit that a revision stands for, and the licence that the card states.

    Raises:
        InputError: the hub does not answer or knows no such data set.
        MissingPackageError: the extra `hub` is not installed.
    """
    try:
        from huggingface_hub import HfApi
    except ImportError as error:
        raise MissingPackageError("hf:", error.name or "huggingface_hub", "hub") from error
    try:
        info = HfApi().dataset_info(spec.repo, revision=spec.revision)
    except Exception as error:  # also those of its HTTP client, which is another by version
        raise InputError(
            f"cannot read {spec.repo} on the hub: {_first_line(error)}",
            "check the name, the revision and the network; a gated set needs `hf auth login`",
        ) from error
    licence: Any = getattr(info.card_data, "license", None)
    if isinstance(licence, list):
        licence = ", ".join(map(str, licence))
    return HubCard(info.sha or spec.revision or "", str(licence) if licence else None)


def dataset_rows(
    place: str, *, config: str | None, split: str | None, revision: str | None = None
) -> Iterator[NumberedRow]:
    """The rows of a split, streamed by `datasets`.

    Args:
        place: repository, or a local folder with data files.
        config: part of the repository; None for its only or default one.
        split: None for the only one.
        revision: commit or tag.

    Raises:
        InputError: no such part or split, or several where none is named, or broken data.
        MissingPackageError: the extra `hub` is not installed.
    """
    try:
        import datasets
    except ImportError as error:
        raise MissingPackageError("hf:", error.name or "datasets", "hub") from error
    number = 0
    try:
        splits = datasets.get_dataset_split_names(place, config, revision=revision)
        chosen = _one_split(splits, split, place)
        loaded: Any = datasets.load_dataset(
            place, config, split=chosen, revision=revision, streaming=True
        )
        for row in loaded:
            number += 1
            kept = {key: value for key, value in row.items() if value is not None}
            yield NumberedRow(number, kept)
    except InputError:
        raise
    except Exception as error:  # as above
        raise InputError(
            f"cannot read {place} after row {number}: {_first_line(error)}",
            "check the name; --config names a part of a repository with several",
        ) from error


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _one_split(splits: list[str], wanted: str | None, place: str) -> str:
    known = ", ".join(splits)
    if wanted is None:
        if len(splits) != 1:
            raise InputError(f"{place} has the splits {known}", "name one: hf:REPO[@REV]:SPLIT")
        return splits[0]
    if wanted.partition("[")[0] not in splits:
        raise InputError(f"{place} has no split '{wanted}'", f"splits: {known}")
    return wanted
