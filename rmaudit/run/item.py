"""One item of a run, gathered from all row files, for `rmaudit show`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rmaudit.checklists.describe import item_lines
from rmaudit.checklists.load import ITEMS_FILE, load_card, load_file
from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.run.directory import (
    FLAWS,
    GENERATIONS,
    MATCHES,
    PROBES,
    RESULTS,
    SCORES,
    VERDICTS,
    RunDir,
)
from rmaudit.run.rows import Row
from rmaudit.taxonomy import FLAW_NAMES


@dataclass(frozen=True, slots=True)
class ItemRows:
    """Rows of one item by file, in the order of the files."""

    item: Item
    generations: tuple[Row, ...]
    scores: tuple[Row, ...]
    verdicts: tuple[Row, ...]
    matches: tuple[Row, ...]
    labels: tuple[Row, ...]
    probes: tuple[Row, ...]
    result: Row | None

    def as_dict(self) -> dict[str, Any]:
        """For --json."""
        return {
            "item": self.item.model_dump(mode="json", exclude_defaults=True),
            "generations": list(self.generations),
            "scores": list(self.scores),
            "verdicts": list(self.verdicts),
            "matches": list(self.matches),
            "flaws": list(self.labels),
            "probes": list(self.probes),
            "result": self.result,
        }


def run_items(run: RunDir) -> tuple[Item, ...]:
    """The items that the run used, in their order."""
    folder = run.path / "checklist"
    return load_file(folder / ITEMS_FILE, card=load_card(folder)).items


def gather(run: RunDir, item_id: str) -> ItemRows:
    """Everything about one item.

    Raises:
        InputError: the run has no such item.
    """
    items = run_items(run)
    item = next((one for one in items if one.id == item_id), None)
    if item is None:
        raise InputError(f"{run.path} has no item '{item_id}'", f"e.g. {items[0].id}")

    def rows(name: str) -> tuple[Row, ...]:
        return tuple(row for row in run.rows(name) if row["item"] == item_id)

    results = rows(RESULTS) if (run.path / Path(RESULTS)).is_file() else ()
    return ItemRows(
        item=item,
        generations=rows(GENERATIONS),
        scores=rows(SCORES),
        verdicts=rows(VERDICTS),
        matches=rows(MATCHES),
        labels=rows(FLAWS),
        probes=rows(PROBES),
        result=results[0] if results else None,
    )


def lines(found: ItemRows) -> list[str]:
    """The item, then each answer raw, as parsed, and as matched; or the scores and verdicts."""
    shown = item_lines(found.item)
    verdicts = {_key(row): row for row in found.verdicts}
    matches = {_key(row): row for row in found.matches}
    labels = {_key(row): row for row in found.labels}
    results = {(r["order"], r["sample"]): r for r in (found.result or {}).get("rows", ())}
    for generation in found.generations:
        key = _key(generation)
        shown += ["", f"── {_title(generation)} " + "─" * 40]
        shown.append(generation["text"] if not generation["error"] else f"({generation['error']})")
        if key in verdicts:
            shown += ["", *_verdict_lines(verdicts[key])]
        result = results.get((generation["order"], generation["sample"]))
        if result is not None and generation["variant"] == "base":
            shown.append(_result_line(result))
        if key in matches:
            shown += _match_lines(found.item, verdicts[key], matches[key])
        if key in labels:
            shown += _label_lines(verdicts[key], labels[key])
    return shown + (_probe_lines(found) if found.generations else _score_lines(found))


def _probe_lines(found: ItemRows) -> list[str]:
    """Each further question and what came back; the beginnings that were given are in --json."""
    shown = []
    for row in found.probes:
        what = f"{row['probe']}, {row['condition']}" if row["condition"] else row["probe"]
        shown += ["", f"── {what} · {_title(row)} " + "─" * 20]
        if row["failure"]:
            shown.append(f"({row['failure']})")
        else:
            shown += [line for line in (row["text"], f"verdict {row['verdict']}") if line]
    return shown


def _score_lines(found: ItemRows) -> list[str]:
    """The scores of the two responses, and the verdict for each order."""
    shown = [""]
    for row in found.scores:
        by_order = ", ".join(f"{order} {score}" for order, score in row["by_order"].items())
        shown.append(f"score of response {row['slot']}: {row['score']}" + f" ({by_order})")
    for row in found.verdicts:
        shown += [f"order {row['order']} · sample {row['sample']}: {_verdict_lines(row)[0]}"]
    return shown


def _key(row: Row) -> tuple[Any, ...]:
    return row["variant"], row["slot"], row["order"], row["sample"]


def _title(row: Row) -> str:
    first = {"ab": "response a shown first", "ba": "response b shown first"}.get(row["order"], "")
    extra = "" if row["variant"] == "base" else f" · {row['variant']}"
    return f"{first} · sample {row['sample']}{extra} · {row['finish_reason']}"


def _verdict_lines(row: Row) -> list[str]:
    flags = f" · flags {', '.join(row['flags'])}" if row["flags"] else ""
    return [f"verdict {row['verdict']} · outcome {row['outcome']}{flags}"]


def _result_line(result: Row) -> str:
    def shown(value: object) -> str:
        return (
            "n/a" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
        )

    line = (
        f"correct {shown(result['correct'])} · rc {shown(result['rc'])} · ap {shown(result['ap'])}"
    )
    return line + (f" · {result['failure']}" if result["failure"] else "")


def _match_lines(item: Item, verdict: Row, row: Row) -> list[str]:
    if row["failure"]:
        return [f"judge failed: {row['failure']}"]
    by_reference = {ref: (reason, score) for ref, reason, score in row["assignment"]}
    shown = []
    for number, reference in enumerate(item.reasons):
        reason, score = by_reference.get(number, (None, 0.0))
        said = verdict["reasons"][reason]["text"] if reason is not None else "nothing"
        shown.append(f"  {score:.2f}  {reference.text}")
        shown.append(f"        ↔ {said}" if reason is not None else f"        – {said}")
    used = {reason for reason, _ in by_reference.values()}
    for number, reason in enumerate(verdict["reasons"]):
        if number not in used:
            shown.append(f"  none  {reason['text']}")
    return shown


def _label_lines(verdict: Row, row: Row) -> list[str]:
    """Category and flaws of each reason, and the verdict on the gold judgment."""
    if row["failure"]:
        return [f"labeller failed: {row['failure']}"]
    shown = []
    for reason, label in zip(verdict["reasons"], row["labels"], strict=True):
        kinds = " ".join([label["category"] or "--", *label["flaws"]])
        shown.append(f"  {kinds:<8}  {reason['text']}")
    untested = [flaw for flaw in FLAW_NAMES if flaw not in row["tested"]]
    if shown and untested:
        shown.append(f"  not tested: {', '.join(untested)}")
    if row["gold"]:
        shown.append(f"  the gold judgment's ground: {row['gold']}")
    return shown
