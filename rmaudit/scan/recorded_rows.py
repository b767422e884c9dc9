"""What a file of recorded outputs is to the items of a scan: its rows by key, and what is left."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from rmaudit.checklists.load import ChecklistSet
from rmaudit.config import ScanConfig
from rmaudit.engines.base import Request
from rmaudit.errors import InputError
from rmaudit.parsing.rationale import rationale_reasons
from rmaudit.parsing.sides import reason_about, to_item
from rmaudit.recordings.loose import find_items, remarks_on
from rmaudit.recordings.recording import PairScores, Recording
from rmaudit.recordings.replay_engine import ReplayEngine
from rmaudit.records import ANSWERED, Judgment, Key, ModelReason
from rmaudit.scan.target import Target


def needs_set(config: ScanConfig, target: Target) -> None:
    """Refuses rows without pairs where no set brings them.

    Raises:
        InputError: there is none.
    """
    recording = target.recording
    if recording is not None and recording.loose and not (config.sets or config.families):
        raise InputError(
            f"the rows of {target.spec} name their items and do not hold them ({recording.format})",
            "give the set that was judged: --set NAME, folder or items file",
        )


def as_recorded(config: ScanConfig, target: Target) -> ScanConfig:
    """The options of a scan; where verdicts stand beside the texts, those are what counts."""
    apart = target.recording is not None and target.recording.apart
    return replace(config, verdicts="recorded") if apart else config


def at_items(target: Target, checklist: ChecklistSet) -> Target:
    """The target with the rows of its file by the items of the set; rows of others are counted.

    Raises:
        InputError: no row is about any of the items.
    """
    recording = target.recording
    if recording is None:
        return target
    if not recording.loose:
        return _counting(target, recording, checklist)
    found = find_items(recording.loose, checklist.items)
    if not found.generations:
        raise InputError(
            f"no row of {target.spec} is about an item of {checklist.card.name}",
            f"ids of the set are like {checklist.items[0].id}, the first row is about "
            f"{found.facts['first_of_no_item']}; ITEM/ab and ITEM/ba tell the orders",
        )
    here = replace(
        recording,
        generations={} if recording.no_answers else found.generations,
        decisions=found.decisions,
        scores={key: PairScores(*pair) for key, pair in found.scores.items()},
        loose=(),
    )
    return _telling(
        replace(target, recording=here, engine=ReplayEngine(here.generations)), found.facts
    )


def _counting(target: Target, recording: Recording, checklist: ChecklistSet) -> Target:
    """Rows by key, of which some may be about items of other sets."""
    known = {item.id for item in checklist.items}
    keys = {*recording.generations, *recording.scores, *recording.decisions}
    others = sorted(key.item for key in keys if key.item not in known)
    facts: dict[str, Any] = {}
    if others:
        facts = {"rows": len(keys), "rows_of_no_item": len(others), "first_of_no_item": others[0]}
    return _telling(target, facts)


def _telling(target: Target, facts: dict[str, object]) -> Target:
    told = {**target.facts, **facts}
    name = target.spec.rpartition("/")[2].removeprefix("replay:")
    return replace(target, facts=told, remarks=(*target.remarks, *remarks_on(told, name=name)))


def missing_rows(target: Target, requests: Sequence[Request]) -> Target:
    """The target with how many requests have no row, and how many rows nobody asks for."""
    recording = target.recording
    if recording is None:
        return target
    asked = {request.key for request in requests}
    held: Collection[Key] = {*recording.generations, *recording.scores, *recording.decisions}
    absent = sum(key not in held for key in asked)
    if recording.no_answers:  # a failed call leaves neither score nor decision
        absent = max(0, absent - int(target.facts.get("failed_calls", 0)))
    items = {key.item for key in asked}
    spare = sum(
        key not in asked and key.item in items and (key.variant, key.slot) == ("base", "pair")
        for key in held
    )
    told, facts = [], dict[str, Any]()
    if absent:
        facts["requests_without_a_row"] = absent
        told.append(f"{absent} of {len(asked)} pairs shown have no row: counted as not answered")
    if spare:
        facts["rows_not_asked_for"] = spare
        told.append(
            f"{spare} rows are of an order or sample that this scan does not use (--orders both, "
            "--samples N)"
        )
    return replace(target, facts={**target.facts, **facts}, remarks=(*target.remarks, *told))


def with_its_reasons(
    recording: Recording, key: Key, judgment: Judgment, *, max_reasons: int
) -> Judgment:
    """The judgment with the reasons that a file holds as a list, or as a text without a verdict."""
    listed = recording.reasons.get(key)
    if judgment.outcome not in ANSWERED or (listed is None and not recording.apart):
        return judgment
    names = recording.names
    if listed is not None:
        found = [ModelReason(text, *reason_about(text, names=names)) for text in listed]
    else:
        text = recording.generations[key].text if key in recording.generations else ""
        found = list(rationale_reasons(text, names=names))
    kept = tuple(found[:max_reasons])
    flags = {
        "over_max_reasons": len(found) > max_reasons,
        "no_reasons": not kept,
        "ambiguous_side": any(reason.ambiguous for reason in kept),
    }
    others = [flag for flag in judgment.flags if flag not in flags]
    shown = replace(
        judgment,
        reasons=kept,
        flags=(*others, *(flag for flag, raised in flags.items() if raised)),
    )
    turned = to_item(replace(shown, verdict=None), order=key.order, names=names)
    return replace(turned, verdict=judgment.verdict)
