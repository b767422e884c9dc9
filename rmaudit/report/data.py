"""What a report reads from a run directory: the numbers at once, the texts only where shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.inspect_item import run_items
from rmaudit.label_rows import label_of
from rmaudit.metrics.table import Table
from rmaudit.records import (
    Generation,
    ItemResult,
    Judgment,
    Key,
    LabelSet,
    MatchSet,
    Metric,
    RowResult,
)
from rmaudit.rows import Row, ScoreRow, generation_of, match_of, score_of, verdict_of
from rmaudit.run_table import run_table, settings_of
from rmaudit.rundir import GENERATIONS, MATCHES, METRICS, RESULTS, SCORES, VERDICTS, RunDir

FLAWS = "flaws.jsonl"
Metrics = dict[str, Metric]
STYLES = 4
_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True)
class RunData:
    """The manifest, metrics, items and results of one run; `number` counts the runs from 1."""

    number: int
    run: RunDir
    manifest: dict[str, Any]
    metrics: Metrics
    slices: dict[str, Metrics]
    items: dict[str, Item]
    results: dict[str, ItemResult]

    @property
    def name(self) -> str:
        """The name of the audited model."""
        return str(self.manifest["target"]["name"])

    @property
    def scored(self) -> bool:
        """Whether the model gives scores and no answers."""
        return bool(self.manifest["rm_type"] == "score")

    @property
    def style(self) -> int:
        """Shape and colour of the run all over the report, from 1."""
        return (self.number - 1) % STYLES + 1

    def table(self) -> Table | None:
        """The rows as columns; None where no row counts.

        Raises:
            InputError: a row file is damaged.
        """
        _, table = run_table(self.run, run_items(self.run), settings_of(self.manifest))
        return table if len(table.rows.item) else None


@dataclass(frozen=True, slots=True)
class Texts:
    """The rows of some items of one run, by key, in item coordinates but for the raw answers.

    A score-only model has scores, by response, and no generations.
    """

    generations: dict[Key, Generation]
    scores: dict[Key, ScoreRow]
    judgments: dict[Key, Judgment]
    matches: dict[Key, MatchSet]
    labels: dict[Key, LabelSet]


def read_run(run: RunDir, *, number: int) -> RunData:
    """Reads all but the texts.

    Raises:
        InputError: the run is unfinished or damaged.
    """
    numbers, manifest = run.read_json(METRICS), run.manifest()
    used = manifest.get("sequential", {}).get("items_used")
    return RunData(
        number=number,
        run=run,
        manifest=manifest,
        metrics=_metrics(numbers["metrics"]),
        slices={domain: _metrics(slice_) for domain, slice_ in numbers["slices"].items()},
        items={item.id: item for item in run_items(run)[:used]},
        results={row["item"]: _result(row) for row in run.rows(RESULTS)},
    )


def read_texts(data: RunData) -> Texts:
    """Reads answers, judgments, matchings and labels of the base rows."""

    def rows(name: str) -> list[Row]:
        return [row for row in data.run.rows(name) if row.get("variant", "base") == "base"]

    generations = [generation_of(row) for row in rows(GENERATIONS)]
    verdicts = [verdict_of(row) for row in rows(VERDICTS)]
    matches = [match_of(row) for row in rows(MATCHES)]
    return Texts(
        scores={row.key: row for row in map(score_of, rows(SCORES))},
        generations={generation.key: generation for generation in generations},
        judgments={verdict.key: verdict.judgment for verdict in verdicts},
        matches={match.key: match.matches for match in matches},
        labels={row.key: row.labels for row in map(label_of, rows(FLAWS))},
    )


def row_at(rows: Mapping[Key, _Record], key: Key, *, data: RunData, file: str) -> _Record:
    """The row of a key.

    Raises:
        InputError: the file lacks it, though the results speak of it.
    """
    if key not in rows:
        raise InputError(
            f"{data.run.path / file} lacks the row {'/'.join(map(str, key))}",
            "go on with the run: rmaudit scan ... --resume",
        )
    return rows[key]


def _metrics(fields: Mapping[str, Any]) -> Metrics:
    return {name: Metric(**values) for name, values in fields.items()}


def _result(row: Row) -> ItemResult:
    rows = tuple(RowResult(**{**one, "flags": tuple(one["flags"])}) for one in row["rows"])
    return ItemResult(**{**row, "rows": rows})
