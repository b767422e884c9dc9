"""What a report reads from a run directory but for the texts of its rows, which `texts` reads."""

from __future__ import annotations

from dataclasses import dataclass

from rmaudit.checklists.schema import Item
from rmaudit.gate.record import Recorded, recorded_decision
from rmaudit.records import ItemResult, Metric
from rmaudit.report.shows import MeasuredRun
from rmaudit.run.directory import RunDir
from rmaudit.run.files import RESULTS
from rmaudit.run.integrity import Integrity, check
from rmaudit.run.item import run_items
from rmaudit.run.manifest import RunManifest
from rmaudit.run.numbers import read_numbers
from rmaudit.run.table import run_table, settings_of

Metrics = dict[str, Metric]
STYLES = 4


@dataclass(frozen=True, slots=True)
class RunData:
    """The manifest, metrics, items and results of one run; `number` counts the runs from 1.

    `planned` are the items that the run was planned with, `items` those that count: fewer where it
    stopped early. `integrity` is what the check of its files found, `recorded` its last decision.
    """

    number: int
    run: RunDir
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
        results, table = run_table(self.run, self.planned, settings_of(self.manifest))
        ids = tuple(result.item for result in results if result.rows)
        return MeasuredRun(ids, table) if ids else None


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
