"""The terminal: the only importer of rich. Results go to stdout, all talk to stderr."""

from __future__ import annotations

import json
import re
import sys
import time
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from rich.table import Table
from rich.text import Text

from rmaudit import __version__
from rmaudit.escaping import one_line
from rmaudit.metrics.headlines import (
    Headline,
    sentence,
    stopped_sentence,
    summary_lines,
    without_absent,
)
from rmaudit.metrics.parts import faults_sentence
from rmaudit.metrics.registry import own_numbers, shown_in
from rmaudit.run.ordinary import fair_words, reads_ordinary, recall_sentence
from rmaudit.terminal.gate import results_page, show_decision
from rmaudit.terminal.layout import label, number_table, say, say_all

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rmaudit.gate.decision import Decision
    from rmaudit.progress import Progress
    from rmaudit.scan.measures import Measure
    from rmaudit.scan.plan import ScanPlan
    from rmaudit.scan.scan import Scanned

    Rows = tuple[Sequence[str], Sequence[Sequence[str]]]


class Screen:
    """One command's view of the terminal."""

    def __init__(
        self, *, json_mode: bool = False, quiet: bool = False, verbose: bool = False
    ) -> None:
        self._json, self._quiet, self._verbose = json_mode, quiet, verbose
        self._talk = Console(stderr=True, highlight=False, soft_wrap=True)
        self._page = results_page()

    def plan(self, plan: ScanPlan) -> None:
        """What will be done, before it is done."""
        if self._quiet:
            return
        from rmaudit.judging.card import judge_facts

        target, labeler = plan.target, plan.labeler.describe()
        judge = judge_facts(plan.judge)
        size = target.facts.get("parameters")
        known = (target.facts.get(name) for name in ("architecture", "judge_model", "kind"))
        kind = next((name for name in known if name), "recorded")
        model = f"{target.spec} · {kind}" + (f", {_count(size)} parameters" if size else "")
        model += ", planted" if target.facts.get("planted") else ""
        skipped = sum(len(one.skipped) for one in plan.sets)
        origins = ", ".join(plan.reference_origins)
        references = f"reasons by {origins}" if origins else "no reference reasons"
        items = f"{plan.checklist.card.name} · {len(plan.items)} items, {references}"
        scores = target.scorer is not None
        scored = "pairs" if target.scores_pairs else "responses and edits"
        prompts = "each response alone" if scores else "the file's own prompts"
        prompts = f"{target.profile.name} profile" if target.prompted else prompts
        lines = {
            "model": f"{model} · {target.rm_type} ({target.why}; {prompts})",
            "set": items + (f" · {skipped} bad lines left out" if skipped else ""),
            "engine": f"{target.engine.name} ({target.engine_why})",
            "judge": judge.named
            + (f" ({plan.judge_why})" if plan.judge_why.startswith("default") else ""),
            "labeler": labeler["spec"] + (", approximate" if labeler.get("approximate") else ""),
            "plan": f"{plan.calls:,} {scored} to score → {plan.out}"
            if scores
            else f"{len(plan.requests)} generations, {_judge_calls(plan)} → {plan.out}",
        }
        if plan.measures:
            lines["measures"] = "; ".join(map(_measure, plan.measures))
        if scores:
            del lines["judge"], lines["labeler"]
        self.facts(lines)
        for one in plan.sets:
            if one.stale_card:
                self.warn(f"the card of {one.card.name} was written for other items")
        for text in (*target.remarks, *_of_references(plan), *plan.warnings):
            self.warn(text)
        if plan.neutralised:
            self.warn(f"{plan.neutralised} prompt delimiters inside the items were neutralised")

    def warn(self, text: str) -> None:
        """A line that a reader should not miss."""
        say(self._talk, Text("  warning  ", style="yellow"), text)

    def facts(self, lines: Mapping[str, str]) -> None:
        """Named lines before the work: who, with what, at what cost."""
        if self._quiet:
            return
        self._talk.print(Text(f"rmaudit {__version__}", style="bold"))
        for name, text in lines.items():
            say(self._talk, Text(f"  {name:<9}", style="dim"), text)

    def result(self, found: object, tables: Sequence[Rows], closing: Sequence[str]) -> None:
        """A result: one object with --json, the last line alone when quiet, else tables and lines.

        Args:
            found: the object.
            tables: each with its header and rows of text.
            closing: lines under them.
        """
        if self._json:
            print(json.dumps(found, ensure_ascii=True, allow_nan=False))
            return
        if not self._quiet:
            for header, rows in tables:
                self._page.print(_rows_table(self._page, header, rows), soft_wrap=False)
                self._page.print()
        say_all(self._page, closing[-1:] if self._quiet else closing)

    def progress(self) -> Progress:
        """Bars on a terminal, a line every tenth elsewhere, nothing when quiet."""
        if self._quiet:
            return Silent()
        if self._talk.is_terminal:
            return ProgressBars(self._talk)
        return PlainLines(self._talk)

    def summary(self, scanned: Scanned, decision: Decision | None = None) -> None:
        """The result: one object with --json, else a table, the verdict and where the run lies."""
        from rmaudit.run.numbers import metrics_json

        path = scanned.run.path
        if self._json:
            found = metrics_json(scanned.metrics, scanned.slices | scanned.parts)
            compared = scanned.compared._asdict() if scanned.compared else None
            found |= {"run": str(path), "recorded_decisions": compared}
            manifest = scanned.run.manifest()
            found["judge"] = {"spec": manifest.judge.spec, "standing": manifest.judge_standing}
            if scanned.sequential is not None:
                found["sequential"] = scanned.sequential.as_dict()
            if decision is not None:
                found["gate"] = decision.as_dict()
            print(json.dumps(found, ensure_ascii=True, allow_nan=False))
            return
        manifest = scanned.run.manifest()
        own = own_numbers(manifest.rm_type_why, scanned.metrics)
        lines = summary_lines(scanned.metrics, every=self._verbose, first=own, unfit=manifest.unfit)
        misses = reads_ordinary(manifest)
        lines = [one._replace(label=fair_words(one.label, misses=misses)) for one in lines]
        absent: list[str] = []
        if not manifest.gives_reasons and not self._verbose:
            lines, absent = without_absent(lines, scanned.metrics)
        if self._quiet:
            parts = [f"{line.key} {line.value}" for line in lines if line.key in shown_in("core")]
            if decision is not None:
                parts.insert(0, f"gate {decision.policy['name']}: {decision.verdict}")
            self._page.print(Text(one_line(" · ".join([*parts, str(path)]))))
            return
        self._page.print()
        self._page.print(_table(self._page, lines), soft_wrap=False)
        say_all(self._page, (f"{one.label.strip()}: {one.remark}" for one in lines if one.remark))
        say_all(self._page, absent)
        say_all(self._page, filter(None, [manifest.weak_labels]))
        say_all(self._page, filter(None, [faults_sentence(scanned.parts)]))
        told = recall_sentence(manifest)
        said = [sentence(scanned.metrics, misses=bool(told))]
        if told and scanned.metrics["rc"].value is not None:
            said.append(f"{told[0].upper()}{told[1:]}.")
        if scanned.compared:
            said.append(scanned.compared.sentence)
        if scanned.sequential is not None:
            said.append(stopped_sentence(scanned.sequential.as_dict()))
        for text in filter(None, said):
            self._page.print()
            say_all(self._page, [text])
        if decision is not None:
            show_decision(decision)
        if standing := manifest.judge_standing:
            self._page.print()
            say_all(self._page, [f"The judge {manifest.judge.spec} is {standing}."])
        self._page.print(Text(f"\n  run     {one_line(str(path))}"))
        self._page.print(Text(one_line(f"  report  rmaudit report {path} --html")))


def _table(page: Console, lines: list[Headline]) -> Table:
    names = (("", False), ("value", True), ("95 % interval", True), ("n", True), ("", False))
    table = number_table(page.width, names)
    core = shown_in("core")
    for line in lines:
        style = "bold" if line.key in core else "default"
        table.add_row(
            label(line.label, indent=2),
            Text(line.value, style=style),
            Text(line.interval),
            Text(line.n),
            Text(one_line(line.beside), style="dim"),
        )
    return table


def _rows_table(page: Console, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Columns of numbers are right-aligned."""
    names = [
        (name, all(_NUMBER.match(row[place]) for row in rows)) for place, name in enumerate(header)
    ]
    table = number_table(page.width, names)
    for row in rows:
        cells = [Text(one_line(cell), style="red" if cell == "FAIL" else "default") for cell in row]
        table.add_row(*cells)
    return table


_NUMBER = re.compile(r"[-+]?[\d.,]+|n/a|\Z")


def _of_references(plan: ScanPlan) -> list[str]:
    from rmaudit.checklists.describe import reference_warnings

    return reference_warnings(plan.references) if plan.references else []


def _judge_calls(plan: ScanPlan) -> str:
    calls = plan.judge_calls + plan.label_calls + plan.atomise_calls
    return f"up to {calls} judge calls" if calls else "0 judge calls"


def _measure(measure: Measure) -> str:
    """What a measure costs beside the plan, or why it does not apply."""
    if measure.why:
        return f"{measure.name} does not apply, {measure.why}"
    if measure.judge_calls:
        return f"{measure.name}, up to {measure.judge_calls:,} judge calls"
    return f"{measure.name}, up to {measure.calls:,} generations" if measure.calls else measure.name


def _count(number: int) -> str:
    for size, unit in ((10**9, "B"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return str(number)


class Silent:
    """Says nothing."""

    def begin(self, stage: str, *, total: int, done: int) -> None:
        """See `Progress`."""

    def expect(self, stage: str, *, total: int) -> None:
        """See `Progress`."""

    def step(self, stage: str, *, unreadable: bool = False) -> None:
        """See `Progress`."""

    def end(self, stage: str) -> None:
        """See `Progress`."""

    def note(self, text: str) -> None:
        """See `Progress`."""


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

    @property
    def line(self) -> Text:
        """All of it."""
        parts = [f"  {self.stage:<9}{self.done}/{self.total}", self.rate, self.unreadable_share]
        return Text("  ".join(part for part in parts if part))


class ProgressBars:
    """A live bar a stage, below each other where stages run at once."""

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
        self._stages: dict[str, tuple[Tally, TaskID]] = {}

    def begin(self, stage: str, *, total: int, done: int) -> None:
        """See `Progress`."""
        task = self._progress.add_task(stage, total=total, completed=done, rate="", unreadable="")
        self._stages[stage] = Tally(stage, total, done), task
        self._progress.start()

    def expect(self, stage: str, *, total: int) -> None:
        """See `Progress`."""
        tally, task = self._stages[stage]
        tally.total = total
        self._progress.update(task, total=total)

    def step(self, stage: str, *, unreadable: bool = False) -> None:
        """See `Progress`."""
        tally, task = self._stages[stage]
        tally.step(unreadable)
        self._progress.update(
            task, completed=tally.done, rate=tally.rate, unreadable=tally.unreadable_share
        )

    def end(self, stage: str) -> None:
        """See `Progress`."""
        tally, task = self._stages.pop(stage)
        self._progress.remove_task(task)
        if not self._stages:
            self._progress.stop()
        self._progress.console.print(tally.line)

    def note(self, text: str) -> None:
        """See `Progress`."""
        self._progress.console.print(Text(f"  {one_line(text)}"))


class PlainLines:
    """A line every tenth of a stage, for logs."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._stages: dict[str, Tally] = {}
        self._shown: dict[str, int] = {}

    def begin(self, stage: str, *, total: int, done: int) -> None:
        """See `Progress`."""
        self._stages[stage] = Tally(stage, total, done)
        self._shown[stage] = 0

    def expect(self, stage: str, *, total: int) -> None:
        """See `Progress`."""
        self._stages[stage].total = total

    def step(self, stage: str, *, unreadable: bool = False) -> None:
        """See `Progress`."""
        tally = self._stages[stage]
        tally.step(unreadable)
        tenth = 10 * tally.done // max(tally.total, 1)
        if tenth > self._shown[stage]:
            self._shown[stage] = tenth
            self._show(tally)

    def end(self, stage: str) -> None:
        """See `Progress`."""
        if self._shown[stage] < 10:
            self._show(self._stages[stage])

    def note(self, text: str) -> None:
        """See `Progress`."""
        self._console.print(Text(f"  {one_line(text)}"))
        sys.stderr.flush()

    def _show(self, tally: Tally) -> None:
        self._console.print(tally.line)
        sys.stderr.flush()
