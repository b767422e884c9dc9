"""One item of a run, gathered from all row files, for `rmaudit show`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from rmaudit.checklists.describe import item_lines
from rmaudit.checklists.load import ITEMS_FILE, load_items
from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.escaping import quoted
from rmaudit.records import Generation, ItemResult, Key, MatchSet, ModelReason, RowResult
from rmaudit.run.directory import RunDir
from rmaudit.run.files import (
    FLAWS,
    GENERATIONS,
    MATCHES,
    NULL_LISTS,
    PROBES,
    RESULTS,
    SCORES,
    VERDICTS,
    RowFile,
)
from rmaudit.run.halves import pair_of
from rmaudit.run.null_rows import VARIANT as NULL
from rmaudit.run.probe_facts import CONTROL
from rmaudit.run.rows import LabelRow, MatchRow, NullRow, ProbeRow, ScoreRow, VerdictRow
from rmaudit.taxonomy import FLAW_NAMES

NOTHING = "        – nothing"


class Keyed(Protocol):
    """A row with a key."""

    @property
    def key(self) -> Key:
        """What it is about."""
        ...


K = TypeVar("K", bound=Keyed)


@dataclass(frozen=True, slots=True)
class ItemRows:
    """Rows of one item by file, in the order of the files."""

    item: Item
    generations: tuple[Generation, ...]
    scores: tuple[ScoreRow, ...]
    verdicts: tuple[VerdictRow, ...]
    matches: tuple[MatchRow, ...]
    labels: tuple[LabelRow, ...]
    probes: tuple[ProbeRow, ...]
    nulls: tuple[NullRow, ...]
    result: ItemResult | None

    def as_dict(self) -> dict[str, Any]:
        """For --json."""
        return {
            "item": self.item.model_dump(mode="json", exclude_defaults=True),
            "generations": list(map(GENERATIONS.as_dict, self.generations)),
            "scores": list(map(SCORES.as_dict, self.scores)),
            "verdicts": list(map(VERDICTS.as_dict, self.verdicts)),
            "matches": list(map(MATCHES.as_dict, self.matches)),
            "flaws": list(map(FLAWS.as_dict, self.labels)),
            "probes": list(map(PROBES.as_dict, self.probes)),
            "nulls": list(map(NULL_LISTS.as_dict, self.nulls)),
            "result": None if self.result is None else RESULTS.as_dict(self.result),
        }


def run_items(run: RunDir) -> tuple[Item, ...]:
    """The items that the run used, in their order."""
    return load_items(run.path / "checklist" / ITEMS_FILE)


def gather(run: RunDir, item_id: str) -> ItemRows:
    """Everything about one item.

    Raises:
        InputError: the run has no such item.
    """
    items = run_items(run)
    item = next((one for one in items if one.id == item_id), None)
    if item is None:
        raise InputError(f"{run.path} has no item '{item_id}'", f"e.g. {items[0].id}")

    def rows(file: RowFile[K]) -> tuple[K, ...]:
        return tuple(row for row in run.rows(file) if row.key.item == item_id)

    return ItemRows(
        item=item,
        generations=rows(GENERATIONS),
        scores=rows(SCORES),
        verdicts=rows(VERDICTS),
        matches=rows(MATCHES),
        labels=rows(FLAWS),
        probes=rows(PROBES),
        nulls=rows(NULL_LISTS),
        result=next((one for one in run.rows(RESULTS) if one.item == item_id), None),
    )


def lines(found: ItemRows) -> list[str]:
    """The item, then each answer raw, as parsed, and as matched; or the scores and verdicts."""
    shown = item_lines(found.item)
    verdicts = {row.key: row for row in found.verdicts}
    matches = {row.key: row for row in found.matches}
    labels = {row.key: row for row in found.labels}
    scored = found.result.rows if found.result is not None else ()
    results = {(one.order, one.sample): one for one in scored}
    left = Counter(pair_of(generation.key) for generation in found.generations)
    for generation in found.generations:
        key = generation.key
        shown += ["", f"── {_title(generation)} " + "─" * 40, *_edit(found.item, key)]
        shown += [f"({generation.error})"] if generation.error else quoted(generation.text)
        key = pair_of(key)
        left[key] -= 1
        if left[key]:
            continue  # the verdict stands below the answer about the other response
        if key in verdicts:
            shown += ["", *_verdict_lines(verdicts[key])]
        result = results.get((key.order, key.sample))
        if result is not None and key.variant == "base":
            shown.append(_result_line(result))
        if key in matches:
            said, matched = verdicts[key].judgment.reasons, matches[key].matches
            shown += _match_lines(found.item, said, matched)
        if key in labels:
            shown += _label_lines(verdicts[key], labels[key])
    shown += _probe_lines(found) if found.generations else _score_lines(found)
    for row in found.nulls:
        name = row.key.variant.removeprefix(NULL)
        shown += ["", f"── list that reads nothing: {name} " + "─" * 20]
        shown += _match_lines(found.item, row.reasons, row.matches)
    return shown


def _probe_lines(found: ItemRows) -> list[str]:
    """Each further question and what came back; the beginnings that were given are in --json."""
    shown = []
    for row in found.probes:
        what = f"{row.probe}, {row.condition}" if row.condition else row.probe
        shown += ["", f"── {what} · {_title(row)} " + "─" * 20, *_edit(found.item, row.key)]
        if row.failure:
            shown.append(f"({row.failure})")
        else:
            shown += [*(quoted(row.text) if row.text else ()), f"verdict {row.verdict}"]
    return shown


def _score_lines(found: ItemRows) -> list[str]:
    """The scores of the two responses, and the verdict for each order."""
    shown = [""]
    for row in found.scores:
        if row.key.slot == "pair":
            shown.append(f"margin of response a, order {row.key.order}: {row.score}")
            continue
        by_order = ", ".join(f"{order} {score}" for order, score in row.by_order.items())
        shown.append(f"score of response {row.key.slot}: {row.score} ({by_order})")
    for verdict in found.verdicts:
        key, line = verdict.key, _verdict_lines(verdict)[0]
        shown.append(f"order {key.order} · sample {key.sample}: {line}")
    return shown


def _title(row: Generation | ProbeRow) -> str:
    key = row.key
    alone = "" if key.slot == "pair" else f"response {key.slot} alone"
    first = alone if key.order is None else f"response {key.order[0]} shown first"
    extra = "" if key.variant == "base" else f" · {key.variant}"
    server = row.server if isinstance(row, Generation) else None
    said = (
        "" if server is None or server.kind == "answer" else f" · {server.kind.replace('_', ' ')}"
    )
    return f"{first} · sample {key.sample}{extra} · {row.finish_reason}{said}"


def _edit(item: Item, key: Key) -> list[str]:
    """Of a control that took the place of a response: its kind and its text."""
    number = key.variant.removeprefix(CONTROL)
    held = item.controls or ()
    if number == key.variant or not number.isdecimal() or int(number) >= len(held):
        return []
    control = held[int(number)]
    return [f"response {control.response} edited, {control.kind}:", *quoted(control.text)]


def _verdict_lines(row: VerdictRow) -> list[str]:
    said = row.judgment
    flags = f" · flags {', '.join(said.flags)}" if said.flags else ""
    return [f"verdict {said.verdict} · outcome {said.outcome}{flags}"]


def _result_line(result: RowResult) -> str:
    def shown(value: object) -> str:
        return (
            "n/a" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
        )

    line = f"correct {shown(result.correct)} · rc {shown(result.rc)} · ap {shown(result.ap)}"
    return line + (f" · {result.failure}" if result.failure else "")


_CLAIMS = {True: "true", False: "false", None: "undecided"}


def _match_lines(item: Item, said: Sequence[ModelReason], found: MatchSet) -> list[str]:
    if found.failure:
        return [f"judge failed: {found.failure}"]
    by_reference = {edge.ref: (edge.reason, edge.score) for edge in found.edges}
    shown = []
    for number, reference in enumerate(item.reasons):
        matched, score = by_reference.get(number, (None, 0.0))
        shown.append(f"  {score:.2f}  {reference.text}")
        shown.append(f"        ↔ {said[matched].text}" if matched is not None else NOTHING)
    used = {reason for reason, _ in by_reference.values()}
    for number, reason in enumerate(said):
        if number not in used:
            shown.append(f"  none  {reason.text}")
    if found.claims is not None and said:
        words = ", ".join(_CLAIMS[claim] for claim in found.claims)
        shown.append(f"  what the reasons claim, in their order: {words}")
    return shown


def _label_lines(verdict: VerdictRow, row: LabelRow) -> list[str]:
    """Category and flaws of each reason, and the verdict on the gold judgment."""
    found = row.labels
    if found.failure:
        return [f"labeller failed: {found.failure}"]
    shown = []
    for reason, label in zip(verdict.judgment.reasons, found.labels, strict=True):
        kinds = " ".join([label.category or "--", *label.flaws])
        shown.append(f"  {kinds:<8}  {reason.text}")
    untested = [flaw for flaw in FLAW_NAMES if flaw not in found.tested]
    if shown and untested:
        shown.append(f"  not tested: {', '.join(untested)}")
    if found.gold:
        shown.append(f"  the gold judgment's ground: {found.gold}")
    return shown
