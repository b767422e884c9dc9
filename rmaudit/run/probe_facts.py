"""From the row files to the probes of each base row, and why a measure has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rmaudit.checklists.controls import traps
from rmaudit.checklists.schema import Item
from rmaudit.metrics.probes import ProbeFacts, Said, not_asked
from rmaudit.metrics.scores import RowKey
from rmaudit.records import ANSWERED, Key
from rmaudit.run.rows import ProbeRow, VerdictRow
from rmaudit.text.plain_words import plain_words, share_changed

CONTROL = "control:"
CAUSALITY, CONSISTENCY = "causality", "verdict-consistency"
FIELDS = {
    CAUSALITY: "continued",
    CONSISTENCY: "inferred",
    "specification": "specified",
}
"""Where the probes of a measure stand in `ProbeFacts`."""


class Probed(NamedTuple):
    """The probes of base rows, and why each measure has no value ('' where it may have one)."""

    facts: dict[RowKey, ProbeFacts]
    not_measured: dict[str, str]


def control_key(base: Key, control: int) -> Key:
    """The key of a row that shows an edited response in place of its item's."""
    return base._replace(variant=f"{CONTROL}{control}")


def probe_facts(
    items: Sequence[Item],
    verdicts: Sequence[VerdictRow],
    probes: Iterable[ProbeRow],
    measures: Mapping[str, str],
) -> Probed:
    """The probes of a run.

    Args:
        items: the items that count.
        verdicts: all rows of theirs, those of controls too.
        probes: all rows of probes.jsonl.
        measures: the measures asked for, each with why it does not apply or ''.
    """
    found: dict[Key, dict[str, dict[str, Said]]] = {}
    skipped: dict[Key, str] = {}
    texts: dict[Key, dict[str, str]] = {}
    for row in probes:
        if row.probe not in measures:
            continue
        if row.outcome == "skipped":
            skipped[row.key] = row.failure or ""
        else:
            said: Said = "lost" if row.outcome == "error" else row.verdict
            fields = found.setdefault(row.key, {})
            fields.setdefault(FIELDS[row.probe], {})[row.condition] = said
            if row.probe == CAUSALITY:
                texts.setdefault(row.key, {})[row.condition] = row.prefill
    if measures.get("traps") == "":
        _add_traps(found, items, verdicts)
    whys = not_asked(measures)
    if skipped and not whys[CAUSALITY] and not any("continued" in one for one in found.values()):
        cause, _ = Counter(skipped.values()).most_common(1)[0]
        whys[CAUSALITY] = f"no answer could be asked; most often: {cause}"
    facts = {
        (key.item, key.order, key.sample): ProbeFacts(
            skipped=key in skipped,
            reworded=_words_changed(texts.get(key, {})),
            **found.get(key, {}),
        )
        for key in found.keys() | skipped.keys()
    }
    return Probed(facts, whys)


def _words_changed(begun: Mapping[str, str]) -> float | None:
    """The share of the words of the reasons that their rewording lacks; None without both.

    What stands around the reasons is the same in all, and is what the condition `none` holds.
    """
    if not {"own", "reworded", "none"} <= begun.keys():
        return None
    own, reworded, around = (plain_words(begun[name]) for name in ("own", "reworded", "none"))
    return share_changed(own - around, reworded)


def _add_traps(
    found: dict[Key, dict[str, dict[str, Said]]],
    items: Sequence[Item],
    verdicts: Sequence[VerdictRow],
) -> None:
    """The verdicts on cues and their neutral edits, for base rows whose verdict is right."""
    said = {row.key: _said(row) for row in verdicts}
    of_item = {item.id: (item.label, traps(item)) for item in items}
    for row in verdicts:
        key = row.key
        if key.variant != "base" or key.slot != "pair" or key.sample or key.item not in of_item:
            continue
        label, set_ = of_item[key.item]
        if row.judgment.verdict != label:
            continue
        fields = found.setdefault(key, {})
        for trap in set_:
            for name, control in (("cue", trap.cue), ("neutral", trap.neutral)):
                verdict = said.get(control_key(key, control), "lost")
                fields.setdefault(name, {})[trap.kind] = verdict


def _said(row: VerdictRow) -> Said:
    return row.judgment.verdict if row.judgment.outcome in ANSWERED else "lost"
