"""`rmaudit compare` on the terminal; with `console` the only importer of rich."""

from __future__ import annotations

import json
import os

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rmaudit.compare.as_json import as_json
from rmaudit.compare.compare import Comparison
from rmaudit.compare.curve import Curve
from rmaudit.compare.pair import ALPHA, PairComparison
from rmaudit.compare.ranks import Agreement
from rmaudit.compare.words import (
    Row,
    barred_text,
    curve_cell,
    curve_columns,
    domain_rows,
    items_text,
    label,
    left_out_text,
    overall_rows,
    reasons_apart,
    verdict,
)
from rmaudit.escaping import one_line
from rmaudit.run.ordinary import reads_ordinary, recall_sentences
from rmaudit.terminal.layout import NARROW

WIDE = 110
"""Columns from which p-values and units have room."""
UNBOUND = 160
"""Columns where no terminal sets them."""
STYLES = {"worse": "bold red", "better": "bold green"}


class CompareScreen:
    """The result of a comparison."""

    def __init__(self, *, json_mode: bool = False, verbose: bool = False) -> None:
        self._json, self._verbose = json_mode, verbose
        self._page = Console(highlight=False)
        if not self._page.is_terminal and "COLUMNS" not in os.environ:
            self._page.width = UNBOUND  # a log has no width: nothing is wrapped or cut there

    def show(self, found: Comparison) -> None:
        """One JSON object, or tables and sentences."""
        if self._json:
            print(json.dumps(as_json(found), ensure_ascii=True, allow_nan=False))
            return
        for run, before in found.repeats:
            self._say(f"{run.path} repeats {before.path}: it is no second data point, left out")
        for run, why in found.left_out:
            self._say(f"{run.path} is compared with no other run: {why}")
        for pair in found.pairs:
            self._pair(pair)
        if found.curve is not None:
            self._curve(found.curve)
        if found.ranks:
            self._ranks(found.ranks, misses=any(reads_ordinary(run.manifest) for run in found.runs))
        for run, why in found.unranked:
            self._note(f"{run.path} does not count in the ranks: {why}")

    @property
    def _wide(self) -> bool:
        return self._page.width >= WIDE

    def _pair(self, pair: PairComparison) -> None:
        for place, run in (("first", pair.first), ("second", pair.second)):
            self._fact(place, f"{run.name} · {run.path}")
        self._fact("items", items_text(pair.shared))
        judges = {run.manifest.judge.spec for run in (pair.first, pair.second)}
        self._fact("judge", " and ".join(sorted(judges)))
        self._page.print()
        rows = overall_rows(pair, every=self._verbose)
        self._page.print(self._changes(rows))
        by_domain = domain_rows(pair)
        if by_domain:
            self._page.print(Text("\n  by domain", style="dim"))
            self._page.print(self._changes(by_domain))
        self._page.print()
        self._say(verdict(pair))
        if reasons_apart(pair):
            self._say(reasons_apart(pair))
        self._page.print()
        self._note(
            f"better, worse: p below {ALPHA:g} after correction for {pair.claims} claims (Holm"
            + (", Benjamini-Hochberg for the other metrics)" if self._verbose else ")")
        )
        self._note("95 %: interval of the change, paired over items")
        for text in left_out_text(pair):
            self._note(text)
        for barred in pair.scope.barred:
            self._note(barred_text(barred.metrics, barred.why))
        for text in pair.scope.notes:
            self._note(text)
        self._page.print()

    def _changes(self, rows: list[Row]) -> Padding:
        if self._page.width < NARROW:
            return _indented(self._cards(rows))
        table = _table()
        table.add_column("", overflow="fold")
        for name in ("first", "second", "change", "95 %", *(["p"] if self._wide else [])):
            table.add_column(name, justify="right", no_wrap=True)
        table.add_column("", no_wrap=True)
        for row in rows:
            table.add_row(
                Text(one_line(row.label)),
                Text(row.first),
                Text(row.second),
                Text(row.change if self._wide else row.change.removesuffix(" pt")),
                Text(row.interval),
                *([Text(row.p)] if self._wide else []),
                Text(self._word(row.word), style=STYLES.get(row.word, "default")),
            )
        return _indented(table)

    def _cards(self, rows: list[Row]) -> Text:
        """Two lines a row where a table would leave no room for its words."""
        lines = []
        for row in rows:
            style = STYLES.get(row.word, "default")
            told = f"  {row.first} → {row.second}  {row.change} ({row.interval})  "
            lines += [
                Text(one_line(row.label), style="bold"),
                Text(told).append(self._word(row.word), style=style),
            ]
        return Text("\n").join(lines)

    def _word(self, word: str) -> str:
        return word if self._wide or word != "no difference shown" else "not shown"

    def _curve(self, curve: Curve) -> None:
        columns = curve_columns([step.metrics for step in curve.steps], misses=curve.misses)
        table = _table()
        table.add_column("step", justify="right")
        for _, short in columns:
            table.add_column(short, justify="right", no_wrap=True)
        for step in curve.steps:
            cells = (Text(curve_cell(step.metrics[name])) for name, _ in columns)
            table.add_row(Text(f"{step.step:,}"), *cells)
        self._fact("curve", f"{len(curve.steps)} checkpoints, {curve.items:,} items in all of them")
        self._page.print()
        self._page.print(_indented(table))
        self._page.print()
        self._say(curve.finding.sentence)
        self._page.print()
        self._note("percent, 95 % intervals; every metric with --json")
        for text in recall_sentences(step.run.manifest for step in curve.steps):
            self._note(text)
        if curve.left_out:
            told = ", ".join(
                f"{count:,} of step {step:,}" for step, count in curve.left_out.items()
            )
            self._note(f"items left out, since not every checkpoint has them: {told}")
        for barred in curve.barred:
            self._note(barred_text(barred.metrics, barred.why))

    def _ranks(self, ranks: tuple[Agreement, ...], *, misses: bool) -> None:
        table = _table()
        for name in ("rank agreement", "sets"):
            table.add_column(name, overflow="fold")
        for name in ("models", "Spearman", "Kendall", "p"):
            table.add_column(name, justify="right", no_wrap=True)
        table.add_column("")
        for one in ranks:
            table.add_row(
                Text(label(one.metric, misses=misses)),
                Text(one_line(" / ".join(one.sets))),
                Text(str(len(one.models))),
                Text("" if one.spearman is None else f"{one.spearman:+.2f}"),
                Text("" if one.kendall is None else f"{one.kendall:+.2f}"),
                Text("" if one.p is None else f"{one.p:.3f}"),
                Text(one.why),
            )
        self._page.print(_indented(table))
        self._page.print()
        self._note("ranks of estimates: models closer than their intervals swap by chance")

    def _fact(self, name: str, text: str) -> None:
        line = Text(f"{name:<8}", style="dim").append(one_line(text), style="default")
        self._page.print(_indented(line))

    def _say(self, text: str) -> None:
        self._page.print(_indented(Text(one_line(text))))

    def _note(self, text: str) -> None:
        self._page.print(_indented(Text(f"- {one_line(text)}", style="dim")))


def _table() -> Table:
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")


def _indented(content: Table | Text) -> Padding:
    """Two columns in, wrapped lines too."""
    return Padding(content, (0, 0, 0, 2), expand=False)
