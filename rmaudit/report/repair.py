"""What a repair adds to the report of its two runs: the verdict, what changed, which answers moved.

All of it stands in fix.json; nothing is measured again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.compare.pair import headline
from rmaudit.compare.words import Row, label, p_text, points, sized, span
from rmaudit.errors import InputError
from rmaudit.metrics.flaws import KINDS
from rmaudit.metrics.formats import show
from rmaudit.report.asks import SHAPES
from rmaudit.run.directory import RunDir

FIXED = "fix.json"
NAMES = ("before", "after")
_WORDS = {
    "PASS": "Repaired",
    "FAIL": "Not repaired",
    "INCONCLUSIVE": "Not decided",
    "INVALID": "No valid evidence",
}


class Side(NamedTuple):
    """One answer: its verdict, whether that is right, its rationale consistency, its reasons."""

    verdict: str
    right: str
    rc: str
    reasons: tuple[str, ...]


class Moved(NamedTuple):
    """An item whose answer changed, in one order."""

    item: str
    order: str
    before: Side
    after: Side


@dataclass(frozen=True, slots=True)
class RepairView:
    """The part of the page that is about the repair."""

    name: str
    status: str
    word: str
    shape: str
    sentence: str
    how: tuple[str, ...]
    guidelines: tuple[str, ...]
    decisions: tuple[str, ...]
    changes: tuple[Row, ...]
    kinds: tuple[Row, ...]
    notes: tuple[str, ...]
    moved: tuple[Moved, ...]


def is_repair(path: Path) -> bool:
    """Whether a folder is that of a finished repair."""
    return (path / FIXED).is_file()


def runs_of(folder: Path) -> tuple[RunDir, RunDir]:
    """The runs before and after."""
    return RunDir.open(folder / NAMES[0]), RunDir.open(folder / NAMES[1])


def read_repair(folder: Path, *, with_text: bool) -> RepairView:
    """What fix.json says.

    Raises:
        InputError: it cannot be read.
    """
    try:
        fixed = json.loads((folder / FIXED).read_text(encoding="utf-8"))
        return _view(fixed, with_text=with_text)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(
            f"{folder / FIXED} cannot be read: {error}", "finish it: rmaudit fix ... --resume"
        ) from error


def _view(fixed: Mapping[str, Any], *, with_text: bool) -> RepairView:
    compared = fixed["comparison"]
    metrics, misses = compared["metrics"], bool(compared.get("judge_recall"))
    claims = [name for name in headline(metrics) if _told(metrics[name])]
    kinds = sorted(name for name in metrics if name in KINDS and name not in claims)
    return RepairView(
        name=fixed["checkpoint"]["name"],
        status=fixed["verdict"],
        word=_WORDS[fixed["verdict"]],
        shape=SHAPES[fixed["verdict"]],
        sentence=_sentence(fixed["sentence"]),
        how=tuple(_how(fixed)),
        guidelines=tuple(fixed["guidelines"]["guidelines"]) if "guidelines" in fixed else (),
        decisions=tuple(
            f"{one['policy']}: {_brief(one['sentence'])}" for one in fixed["decisions"]
        ),
        changes=tuple(_row(name, metrics[name], misses=misses) for name in claims),
        kinds=tuple(
            _row(name, metrics[name], misses=misses) for name in kinds if _told(metrics[name])
        ),
        notes=tuple(compared["notes"]),
        moved=tuple(map(_moved, fixed["moved"])) if with_text else (),
    )


def _brief(text: str) -> str:
    """A decision without the ids of its rules, which stand in the appendix."""
    return re.sub(r" \([^()]*\)$", "", text)


def _sentence(text: str) -> str:
    """The sentence without the verdict, which stands above it."""
    rest = re.sub(rf"^(?:{'|'.join(_WORDS.values())})[:;] ", "", text, flags=re.IGNORECASE)
    return f"{rest[:1].upper()}{rest[1:]}."


def _how(fixed: Mapping[str, Any]) -> list[str]:
    told = [f"arm {fixed['arm']}"]
    if "training" in fixed:
        training = fixed["training"]
        told.append(f"{training['step']} steps, checkpoint of step {training['chosen_step']}")
        told += [f"stopped: {training['stopped']}"] if training["stopped"] else []
    told.append(f"judge {fixed['judge']}, of the result {fixed['eval_judge']}")
    return told


def _told(one: Mapping[str, Any]) -> bool:
    return one["first"] is not None or one["second"] is not None


def _row(name: str, one: Mapping[str, Any], *, misses: bool) -> Row:
    p = one["p_holm"] if one["p_holm"] is not None else one["q"]
    known = one["low"] is not None and one["high"] is not None
    return Row(
        label=sized(label(name, misses=misses), one["of_sizes"]),
        first=show(name, one["first"]),
        second=show(name, one["second"]),
        change="" if one["difference"] is None else points(name, one["difference"]),
        interval=span(name, (one["low"], one["high"])) if known else "",
        p="" if p is None else p_text(p),
        word=one["word"],
    )


def _moved(one: Mapping[str, Any]) -> Moved:
    shown = {"ab": "A first", "ba": "B first"}.get(one["order"], "")
    return Moved(one["item"], shown, _side(one["before"]), _side(one["after"]))


def _side(one: Mapping[str, Any]) -> Side:
    right = {True: "right", False: "wrong"}.get(one["correct"], "not judged")
    rc = "not known" if one["rc"] is None else f"{100 * one['rc']:.0f} %"
    return Side(str(one["verdict"] or "none"), right, rc, tuple(one["reasons"]))
