"""What a report reads from a run directory: the numbers at once, the texts only where shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.gate.record import Recorded, recorded_decision
from rmaudit.records import (
    Generation,
    ItemResult,
    Judgment,
    Key,
    LabelSet,
    MatchSet,
    Metric,
)
from rmaudit.report.shows import MeasuredRun
from rmaudit.run.directory import RunDir
from rmaudit.run.files import GENERATIONS, RESULTS, RowFile
from rmaudit.run.halves import pair_of
from rmaudit.run.integrity import Integrity, check
from rmaudit.run.item import run_items
from rmaudit.run.manifest import RunManifest
from rmaudit.run.numbers import read_numbers
from rmaudit.run.rows import LabelRow, MatchRow, ScoreRow, VerdictRow
from rmaudit.run.table import RunRows, run_table, settings_of

Metrics = dict[str, Metric]
STYLES = 4
_Record = TypeVar("_Record")
_Keyed = TypeVar("_Keyed", Generation, ScoreRow, VerdictRow, MatchRow, LabelRow)


@dataclass(frozen=True, slots=True)
class RunData:
    """The manifest, metrics, items and results of one run; `number` counts the runs from 1.

    `planned` are the items that the run was planned with, `items` those that count: fewer where it
    stopped early. `integrity` is what the check of its files found, `recorded` its last decision.
    """

    number: int
    run: RunDir
    rows: RunRows
    manifest: RunManifest
    metrics: Metrics
    slices: dict[str, Metrics]
    parts: dict[str, Metrics]
    planned: tuple[Item, ...]
    items: dict[str, Item]
    results: dict[str, ItemResult]
    integrity: Integrity
    recorded: Recorded

    @property
    def name(self) -> str:
        """The name of the audited model."""
        return self.manifest.target.name

    @property
    def scored(self) -> bool:
        """Whether the model gives scores and no answers."""
        return not self.manifest.gives_reasons

    @property
    def style(self) -> int:
        """Shape and colour of the run all over the report, from 1."""
        return (self.number - 1) % STYLES + 1

    def measured(self) -> MeasuredRun | None:
        """The rows as columns, with the items behind them; None where no row counts.

        Raises:
            InputError: a row file is damaged.
        """
        results, table = run_table(self.rows, self.planned, settings_of(self.manifest))
        ids = tuple(result.item for result in results if result.rows)
        return MeasuredRun(ids, table) if ids else None


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
    numbers, manifest, found = read_numbers(run), run.manifest(), check(run)
    used = settings_of(manifest).used
    planned = tuple(run_items(run))
    return RunData(
        number=number,
        run=run,
        rows=RunRows(run),
        manifest=manifest,
        metrics=numbers.metrics,
        slices=numbers.slices,
        parts=numbers.parts,
        planned=planned,
        items={item.id: item for item in planned[:used]},
        results={result.item: result for result in run.rows(RESULTS)},
        integrity=found,
        recorded=recorded_decision(run, found),
    )


def read_texts(data: RunData) -> Texts:
    """Reads answers, judgments, matchings and labels of the base rows."""
    rows = data.rows

    def base(found: Iterable[_Keyed]) -> dict[Key, _Keyed]:
        return {row.key: row for row in found if row.key.variant == "base"}

    return Texts(
        generations=_as_pairs(base(data.run.rows(GENERATIONS))),
        scores=base(rows.scores),
        judgments={key: row.judgment for key, row in base(rows.verdicts).items()},
        matches={key: row.matches for key, row in base(rows.matches).items()},
        labels={key: row.labels for key, row in base(rows.labels).items()},
    )


def _as_pairs(found: Mapping[Key, Generation]) -> dict[Key, Generation]:
    """Answers by the key of their verdict; two about single responses stand below each other."""
    shown: dict[Key, Generation] = {}
    for key, answer in found.items():
        pair = pair_of(key)
        if pair != key:
            text = f"Response {key.slot.upper()}, judged alone:\n{answer.error or answer.text}"
            before = shown.get(pair)
            if before is not None:
                text = "\n\n".join(sorted((before.text, text)))
            answer = replace(answer, key=pair, text=text)
        shown[pair] = answer
    return shown


def row_at(rows: Mapping[Key, _Record], key: Key, *, data: RunData, file: RowFile[Any]) -> _Record:
    """The row of a key.

    Raises:
        InputError: the file lacks it, though the results speak of it.
    """
    if key not in rows:
        raise InputError(
            f"{data.run.path / file.name} lacks the row {'/'.join(map(str, key))}",
            "go on with the run: rmaudit scan ... --resume",
        )
    return rows[key]
