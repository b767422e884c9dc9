"""The labeller `replay:FILE`: the labels of a flaws.jsonl by key. No model, the same answers."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

from rmaudit.judging.replay import NOT_RECORDED, sha256_of
from rmaudit.labelling.protocol import LabelAnswer, LabelerTraits, LabelRequest
from rmaudit.prompts import Template
from rmaudit.records import LabelSet, Tested
from rmaudit.run.files import FLAWS, read_lines


class ReplayLabeler:
    """Hands over what a file holds; what it does not hold is a failure, counted."""

    templates: tuple[Template, ...] = ()

    def __init__(self, path: Path) -> None:
        """Reads the file.

        Raises:
            InputError: the file or a line of it is not what a flaws.jsonl holds.
        """
        self.path = path
        self._rows = {row.key: row for _, row in read_lines(path, FLAWS)}
        tests: set[Tested] = set()
        for row in self._rows.values():
            tests.update(row.labels.tested)
        self.traits = LabelerTraits(frozenset(tests))

    def label(self, requests: Iterable[LabelRequest]) -> Generator[LabelAnswer, None, None]:
        """The recorded labels of each request, in order."""
        for request in requests:
            yield LabelAnswer(request.key, self._labels(request))

    def _labels(self, request: LabelRequest) -> LabelSet:
        row = self._rows.get(request.key)
        if row is None:
            return LabelSet((), failure=NOT_RECORDED)
        labels = row.labels
        if labels.failure is None and len(labels.labels) != len(request.reasons):
            return LabelSet((), labels.tested, raw=labels.raw, failure="recorded for other reasons")
        return labels

    def identity(self) -> dict[str, Any]:
        """The file's content; its name does not matter."""
        return {"labeler": "replay", "labeler_digest": sha256_of(self.path)}

    def describe(self) -> dict[str, Any]:
        """The file, its content and its size; labels that no model gave are approximate."""
        return {
            "spec": f"replay:{self.path}",
            "digest": sha256_of(self.path),
            "approximate": not any(row.labels.raw for row in self._rows.values()),
            "tests": sorted(self.traits.tests),
            "recorded": len(self._rows),
        }

    def close(self) -> None:
        """Holds nothing that must be freed."""
