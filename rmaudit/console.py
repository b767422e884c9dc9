"""The terminal: the only importer of rich. Results go to stdout, all talk to stderr."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from rich.table import Table
from rich.text import Text

from rmaudit import __version__
from rmaudit.summary import Line, sentence, summary_lines
from rmaudit.terminal import plain

if TYPE_CHECKING:
    from rmaudit.plan import Plan
    from rmaudit.scan import Progress, Scanned


class Screen:
    """One command's view of the terminal."""

    def __init__(
        self, *, json_mode: bool = False, quiet: bool = False, verbose: bool = False
    ) -> None:
        self._json, self._quiet, self._verbose = json_mode, quiet, verbose
        self._talk = Console(stderr=True, highlight=False, soft_wrap=True)
        self._page = Console(highlight=False, soft_wrap=True)

    def plan(self, plan: Plan) -> None:
        """What will be done, before it is done."""
        if self._quiet:
            return
        target, judge = plan.target, plan.judge.describe()
        size = target.facts.get("parameters")
        kind = target.facts.get("architecture", "recorded answers")
        model = f"{target.spec} · {kind}" + (f", {_count(size)} parameters" if size else "")
        model += ", planted" if target.facts.get("planted") else ""
        skipped = sum(len(one.skipped) for one in plan.sets)
        origin = ", ".join(sorted({item.reference_origin for item in plan.items}))
        items = f"{plan.checklist.card.name} · {len(plan.items)} items, reasons by {origin}"
        lines = {
            "model": f"{model} · {target.rm_type} ({target.why}; {target.profile.name} profile)",
            "set": items + (f" · {skipped} bad lines left out" if skipped else ""),
            "engine": f"{target.engine.name} ({target.engine_why})",
            "judge": judge["spec"] + (", approximate" if judge.get("approximate") else ""),
            "plan": f"{plan.calls} generations, 0 judge calls → {plan.out}",
        }
        self._talk.print(Text(f"rmaudit {__version__}", style="bold"))
        for name, text in lines.items():
            self._talk.print(Text(f"  {name:<9}", style="dim").append(plain(text), style="default"))
        for one in plan.sets:
            if one.stale_card:
                self.warn(f"the card of {one.card.name} was written for other items")
        if plan.neutralised:
            self.warn(f"{plan.neutralised} prompt delimiters inside the items were neutralised")

    def warn(self, text: str) -> None:
        """A line that a reader should not miss."""
        self._talk.print(Text("  warning  ", style="yellow").append(plain(text), style="default"))

    def progress(self) -> Progress:
        """Bars on a terminal, a line every tenth elsewhere, nothing when quiet."""
        if self._quiet:
            return Silent()
        if self._talk.is_terminal:
            return Bars(self._talk)
        return PlainLines(self._talk)

    def summary(self, scanned: Scanned) -> None:
        """The result: one object with --json, else one table and where the run lies."""
        from rmaudit.scan import metrics_json

        path = scanned.run.path
        if self._json:
            found = metrics_json(scanned.metrics, scanned.slices)
            print(json.dumps({"run": str(path), **found}, ensure_ascii=True, allow_nan=False))
            return
        lines = summary_lines(scanned.metrics, every=self._verbose)
        if self._quiet:
            parts = [f"{line.key} {line.value}" for line in lines if line.key in ("accuracy", "rc")]
            self._page.print(Text(" · ".join([*parts, str(path)])))
            return
        self._page.print()
        self._page.print(_table(lines))
        for line in lines:
            if line.remark:
                self._page.print(Text(f"  {line.label.strip()}: {line.remark}"))
        said = sentence(scanned.metrics)
        if said:
            self._page.print(Text(f"\n  {said}"))
        self._page.print(Text(f"\n  run     {path}"))
        self._page.print(Text(f"  report  rmaudit report {path} --html"))


def _table(lines: list[Line]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column("", no_wrap=True)
    for name in ("value", "95 % interval", "n"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for line in lines:
        style = "bold" if line.key in ("accuracy", "rc") else "default"
        table.add_row(
            Text(f"  {line.label}"),
            Text(line.value, style=style),
            Text(line.interval),
            Text(line.n),
            Text(line.beside, style="dim"),
        )
    return table


def _count(number: int) -> str:
    for size, unit in ((10**9, "B"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return str(number)


class Silent:
    """Says nothing."""

    def begin(self, stage: str, *, total: int, done: int) -> None:
        """See `scan.Progress`."""

    def step(self, *, unreadable: bool = False) -> None:
        """See `scan.Progress`."""

    def end(self) -> None:
        """See `scan.Progress`."""


class Tally:
    """Counts of one stage, shared by both kinds of progress."""

    def __init__(self, stage: str, total: int, done: int) -> None:
        self.stage, self.total, self.done = stage, total, done
        self.steps = self.unreadable = 0
        self.started = time.monotonic()

    def step(self, unreadable: bool) -> None:
        """One more."""
        self.done += 1
        self.steps += 1
        self.unreadable += unreadable

    @property
    def rate(self) -> str:
        """Steps a second since the stage began."""
        seconds = time.monotonic() - self.started
        return f"{self.steps / seconds:.3g}/s" if self.steps and seconds > 0.2 else ""

    @property
    def unreadable_share(self) -> str:
        """Only for generation, and only over the steps of this start."""
        if self.stage != "generate" or not self.steps:
            return ""
        return f"unparsed {100 * self.unreadable / self.steps:.1f} %"


class Bars:
    """A live bar a stage."""

    def __init__(self, console: Console) -> None:
        self._progress = RichProgress(
            TextColumn("  {task.description:<8}"),
            BarColumn(bar_width=28),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(elapsed_when_finished=True),
            TextColumn("{task.fields[unreadable]}"),
            console=console,
        )

    def begin(self, stage: str, *, total: int, done: int) -> None:
        """See `scan.Progress`."""
        self._tally = Tally(stage, total, done)
        self._task = self._progress.add_task(
            stage, total=total, completed=done, rate="", unreadable=""
        )
        self._progress.start()

    def step(self, *, unreadable: bool = False) -> None:
        """See `scan.Progress`."""
        self._tally.step(unreadable)
        self._progress.update(
            self._task,
            completed=self._tally.done,
            rate=self._tally.rate,
            unreadable=self._tally.unreadable_share,
        )

    def end(self) -> None:
        """See `scan.Progress`."""
        self._progress.stop()
        self._progress.remove_task(self._task)
        tally = self._tally
        self._progress.console.print(
            Text(f"  {tally.stage:<9}{tally.done}/{tally.total}  {tally.rate}  ").append(
                tally.unreadable_share
            )
        )


class PlainLines:
    """A line every tenth of a stage, for logs."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def begin(self, stage: str, *, total: int, done: int) -> None:
        """See `scan.Progress`."""
        self._tally = Tally(stage, total, done)
        self._shown = 0

    def step(self, *, unreadable: bool = False) -> None:
        """See `scan.Progress`."""
        tally = self._tally
        tally.step(unreadable)
        tenth = 10 * tally.done // max(tally.total, 1)
        if tenth > self._shown:
            self._shown = tenth
            self._line()

    def end(self) -> None:
        """See `scan.Progress`."""
        if self._shown < 10:
            self._line()

    def _line(self) -> None:
        tally = self._tally
        parts = [
            f"  {tally.stage:<9}{tally.done}/{tally.total}",
            tally.rate,
            tally.unreadable_share,
        ]
        self._console.print(Text("  ".join(part for part in parts if part)))
        sys.stderr.flush()
