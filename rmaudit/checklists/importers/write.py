"""One import from the first row to the folder: streamed, so that a set need not fit into memory."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple, TextIO

from rmaudit.checklists.cross_check import CrossCheck, LineProblem
from rmaudit.checklists.describe import Summary
from rmaudit.checklists.importers.base import Groups
from rmaudit.checklists.importers.detect import LOOKED_AT, detect
from rmaudit.checklists.importers.fields import BadField
from rmaudit.checklists.importers.kind import ImportContext, ImportOptions, SetKind
from rmaudit.checklists.importers.report import ImportReport
from rmaudit.checklists.importers.rows import NumberedRow
from rmaudit.checklists.importers.source import open_source
from rmaudit.checklists.load import ITEMS_FILE, dump_item, problem_sentence
from rmaudit.checklists.save import refuse_occupied, save_card
from rmaudit.checklists.schema import Item, SetCard
from rmaudit.errors import InputError

SHOWN_LEFT_OUT = 20
UNKNOWN = "unknown"
DEFAULTS = ImportOptions()


class Imported(NamedTuple):
    """What an import wrote: the card, counts over the items, and what happened."""

    card: SetCard
    summary: Summary
    report: ImportReport


def import_to(
    out: Path,
    source: str,
    kinds: Sequence[SetKind],
    *,
    kind: SetKind | None = None,
    options: ImportOptions = DEFAULTS,
    config: str | None = None,
    title: str | None = None,
    licence: str | None = None,
    skip_bad: bool = False,
) -> Imported:
    """Imports a source into a new folder; nothing is left there if it fails.

    Args:
        out: the folder.
        source: a file, or `hf:REPO[@REV][:SPLIT]`.
        kinds: what `kind` is chosen from where it is None.
        kind: None to tell it from the fields.
        options: see `ImportOptions`.
        config: part of a hub repository.
        title: name on the card, default that of the kind.
        licence: what the user says it is; else what the hub states, else that of the kind.
        skip_bad: leave bad rows out, and count them, instead of refusing the file.

    Raises:
        InputError: the source cannot be read, is of no known kind, or holds a bad row (file, line,
            field and remedy), or no item is left.
    """
    refuse_occupied(out)
    opened = open_source(
        source, config=config or (kind.config if kind else None), named=config is not None
    )
    head = list(islice(opened.rows, LOOKED_AT))
    why = "as named"
    if kind is None:
        kind = detect(head, kinds, opened.place)
        why = f"told by the fields {', '.join(sorted(kind.needs))}"
    _refuse_unread(kind, options)
    card = kind.card.model_copy(
        update={
            "name": title or kind.card.name,
            "version": opened.revision[:12] or kind.card.version,
            "licence": licence or opened.licence or kind.card.licence,
            "origin": f"{kind.card.origin}; from {opened.name}",
        }
    )
    parent = out.resolve().parent
    parent.mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix=".import-", dir=parent))
    try:
        context = ImportContext(options, opened.name)
        run = _Import(kind, context, card.licence, opened.place)
        rows = chain(head, opened.rows)
        with (folder / ITEMS_FILE).open("w", encoding="utf-8", newline="\n") as file:
            run.write(rows, file)
        run.check(folder / ITEMS_FILE, skip_bad=skip_bad)
        card = card.model_copy(update={"sha256": run.sha256})
        report = ImportReport(
            kind=kind.name,
            why=why,
            source=opened.name,
            revision=opened.revision,
            format=opened.format,
            licence=card.licence,
            seed=options.seed,
            rows=run.rows,
            items=run.summary.items,
            left_out=len(run.problems),
            taken=context.taken,
            counts=dict(context.counts),
            scores=kind.summary(context.sums),
            first_left_out=[str(problem) for problem in run.problems[:SHOWN_LEFT_OUT]],
        )
        save_card(card, folder)
        report.save(folder)
        out.mkdir(parents=True, exist_ok=True)
        for written in sorted(folder.iterdir()):
            written.replace(out / written.name)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Imported(card, run.summary, report)


def _refuse_unread(kind: SetKind, options: ImportOptions) -> None:
    """Refuses options that the kind would not read."""
    if options.labelled and not kind.asks_label:
        raise InputError(
            f"--label-field and its like do not work with {kind.name}, whose label is known",
            "leave them out, or import as pairs",
        )
    if options.fields and not kind.asks_fields:
        raise InputError(
            f"--{next(iter(options.fields))}-field works with kind pairs, not with {kind.name}",
            "leave it out, or import as pairs",
        )


class _Import:
    """The items of a file as they are written, with what is kept of them."""

    def __init__(self, kind: SetKind, context: ImportContext, licence: str, place: str) -> None:
        self.rows = 0
        self.problems: list[LineProblem] = []
        self._kind, self._context, self._place = kind, context, place
        self._licence = None if licence == UNKNOWN else licence
        self._groups, self._cross = Groups(), CrossCheck(place)
        self._restart()

    @property
    def sha256(self) -> str:
        """The content hash of the items."""
        return self._digest.hexdigest()

    def write(self, rows: Iterable[NumberedRow], file: TextIO) -> None:
        """Writes the items of all rows."""
        for line, row in rows:
            self.rows += 1
            for item in self._items(line, row):
                problem = self._cross.add(line, item)
                if problem is not None:
                    self.problems.append(problem)
                    continue
                file.write(dump_item(item) + "\n")
                self._count(item)

    def check(self, path: Path, *, skip_bad: bool) -> None:
        """Refuses what is bad, or leaves it out of the file that was written.

        Raises:
            InputError: something is bad and `skip_bad` is off, or no item is left.
        """
        clashing = self._cross.contradictions()
        self.problems = sorted(
            [*self.problems, *clashing.values()], key=lambda problem: problem.line
        )
        if self.problems and not skip_bad:
            raise InputError(
                problem_sentence(self.problems),
                "correct these rows, or leave them out with --skip-bad",
            )
        if clashing:
            self._without(path, set(clashing))
        if not self.summary.items:
            raise InputError(
                f"{self._place} gives no items ({self.rows} rows read)",
                "the counts say why" if not self._context.counts else _most(self._context),
            )

    def _items(self, line: int, row: object) -> Iterator[Item]:
        context = self._context.for_row(line)
        try:
            if isinstance(row, BadField):
                raise row
            if not isinstance(row, dict):
                raise BadField("", "is not an object")
            items = list(self._kind.items_of(row, context))
        except BadField as error:
            self.problems.append(LineProblem(self._place, line, error.field, error.what))
            return
        context.count("rows that give no item", not items)
        items = self._drawn(items, context)
        self._context.merge(context)
        for item in items:
            item = self._groups.joined(item)
            if item.licence is None and self._licence is not None:
                item = item.model_copy(update={"licence": self._licence})
            yield item

    def _drawn(self, items: list[Item], context: ImportContext) -> list[Item]:
        """At most `pairs_per_prompt` items of a row, drawn by the seed, in their order."""
        most = context.options.pairs_per_prompt
        if most is None or len(items) <= most:
            return items

        def place(k: int) -> bytes:
            key = f"{context.options.seed}/draw/{items[k].id}"
            return hashlib.sha256(key.encode(errors="replace")).digest()

        kept = sorted(sorted(range(len(items)), key=place)[:most])
        context.count("pairs left out by --pairs-per-prompt", len(items) - most)
        return [items[k] for k in kept]

    def _count(self, item: Item) -> None:
        self.summary.add(item)
        self._digest.update(dump_item(item, sort=True).encode() + b"\n")

    def _restart(self) -> None:
        self.summary, self._digest = Summary(), hashlib.sha256()

    def _without(self, path: Path, names: set[str]) -> None:
        """Writes the file again without some items."""
        left = path.with_suffix(".left")
        self._restart()
        with (
            path.open(encoding="utf-8", newline="\n") as old,
            left.open("w", encoding="utf-8", newline="\n") as new,
        ):
            for line in old:
                item = Item.model_validate_json(line)
                if item.id not in names:
                    new.write(line)
                    self._count(item)
        left.replace(path)


def _most(context: ImportContext) -> str:
    what, n = context.counts.most_common(1)[0]
    return f"counted: {n} {what}"
