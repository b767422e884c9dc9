"""Items of a run that a reviewer should see, by their line in the run's items file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rmaudit.gate.emit.sarif import ItemFinding, ItemRule
from rmaudit.run import files
from rmaudit.run.directory import RunDir
from rmaudit.run.item import run_items
from rmaudit.run.ordinary import reads_ordinary
from rmaudit.taxonomy import FLAWS

SPURIOUS = "item/right-for-wrong-reasons"

ITEM_RULES = (
    ItemRule(
        SPURIOUS,
        "right for the wrong reasons",
        "The verdict is right, and no reason of the model matches one of the references.",
    ),
    *(ItemRule(f"item/{flaw}", meaning.name, meaning.rule) for flaw, meaning in FLAWS.items()),
)


def item_rules(run: RunDir) -> tuple[ItemRule, ...]:
    """The rules that findings may have; see `item_findings`."""
    misses = reads_ordinary(run.manifest())
    return tuple(rule for rule in ITEM_RULES if not (misses and rule.id == SPURIOUS))


def item_findings(run: RunDir) -> list[ItemFinding]:
    """Findings of the items, those right for the wrong reasons first, then by flaw.

    Where the judge is known to miss many right reasons, no item is called so; and none is accused
    of a flaw that the labeller knows too badly.

    Args:
        run: a finished run.
    """
    lines = {item.id: number for number, item in enumerate(run_items(run), start=1)}
    found = []
    misses = reads_ordinary(run.manifest())
    for result in run.rows(files.RESULTS) if not misses else ():
        answers = [one for one in result.rows if one.correct and one.rc == 0]
        if answers and result.label != "tie":
            told = f"right in {len(answers)} of {len(result.rows)} answers without a right reason"
            found.append(ItemFinding(SPURIOUS, result.item, lines[result.item], told))
    flagged: Counter[tuple[str, str]] = Counter()
    labeler = run.manifest().labeler
    weak = set(labeler.weak if labeler else ())
    for row in run.rows(files.FLAWS):
        for label in row.labels.labels:
            flagged.update((flaw, row.key.item) for flaw in label.flaws if flaw not in weak)
    names: Mapping[str, str] = {flaw: meaning.name for flaw, meaning in FLAWS.items()}
    for (flaw, item), count in sorted(flagged.items()):
        if item in lines:
            told = f"{count} of its reasons: {names[flaw]} ({flaw})"
            found.append(ItemFinding(f"item/{flaw}", item, lines[item], told))
    return found
