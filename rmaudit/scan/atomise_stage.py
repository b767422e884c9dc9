"""`--atomise`: rationales in free text are split by the judge's model before they are judged.

A list is one already, as are the reasons of a JSON answer; a text is split into sentences first.
With the model's reasons in the place of its sentences, a row of verdicts.jsonl carries the flag
`atomised`; one that the model could not split keeps its sentences, and the flag `not_atomised`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rmaudit.checklists.schema import Item
from rmaudit.judging.atomise import AtomRequest
from rmaudit.parsing.generations import read_generation
from rmaudit.parsing.rationale import is_free_text, rationale_reasons
from rmaudit.parsing.sides import Names, reason_about, to_item
from rmaudit.progress import Progress
from rmaudit.records import ANSWERED, Generation, Judgment, ModelReason
from rmaudit.run.directory import RunDir
from rmaudit.run.files import GENERATIONS, VERDICTS
from rmaudit.run.rows import VerdictRow
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.verdict_stage import item_shown, responses_shown

ATOMISED, NOT_ATOMISED = "atomised", "not_atomised"
MOST_SENTENCES = 60


def atomise(plan: ScanPlan, run: RunDir, progress: Progress) -> None:
    """Splits the rationales of all answers that have one in free text and were not split yet.

    Raises:
        RmauditError: the judge or the disk failed; what was split before is in the cache.
    """
    if plan.atomiser is None:
        return
    items = {item.id: item for item in plan.items}
    texts = {row.key: row for row in run.rows(GENERATIONS)}
    rows = {row.key: row for row in run.rows(VERDICTS)}
    requests = [
        AtomRequest(key, sentences)
        for key, row in rows.items()
        if _waits(row) and key in texts and (sentences := _sentences(plan, items, texts[key], row))
    ]
    progress.begin("atomise", total=len(requests), done=0)
    split: dict[object, VerdictRow] = {}
    for reply in plan.atomiser.split(requests):
        row = rows[reply.request.key]
        split[row.key] = _with_atoms(row, reply.value, plan)
        progress.step("atomise")
    progress.end("atomise")
    if split:
        run.write_rows(VERDICTS, [split.get(row.key, row) for row in rows.values()])


def _waits(row: VerdictRow) -> bool:
    judgment = row.judgment
    done = {ATOMISED, NOT_ATOMISED} & set(judgment.flags)
    return bool(judgment.outcome in ANSWERED and judgment.reasons and not done)


def _sentences(
    plan: ScanPlan, items: Mapping[str, Item], generation: Generation, row: VerdictRow
) -> tuple[str, ...]:
    """The sentences of a rationale in free text, in item coordinates; none of a list."""
    names, key = plan.target.names, row.key
    recording = plan.target.recording
    if recording is not None and key in recording.reasons:
        return ()
    if recording is not None and recording.apart:
        if not is_free_text(generation.text, names=names):
            return ()
        found = tuple(_first(rationale_reasons(generation.text, names=names)))
        shown = Judgment(None, "unparsed", found)
    else:
        read = read_generation(
            generation,
            max_reasons=MOST_SENTENCES,
            responses=responses_shown(item_shown(items, key), key),
            names=names,
            grammar=plan.target.reads,
        )
        if not read.free_text:
            return ()
        shown = read.judgment
    return tuple(one.text for one in to_item(shown, order=key.order, names=names).reasons)


def _first(reasons: Iterator[ModelReason]) -> Iterator[ModelReason]:
    for _, reason in zip(range(MOST_SENTENCES), reasons, strict=False):
        yield reason


def _with_atoms(row: VerdictRow, atoms: tuple[str, ...] | None, plan: ScanPlan) -> VerdictRow:
    judgment, most = row.judgment, plan.config.max_reasons
    if atoms is None:
        return row._replace(judgment=_flagged(judgment, NOT_ATOMISED))
    found = [reason_of(text, plan.target.names) for text in atoms]
    kept = tuple(found[:most])
    flags = {
        ATOMISED: True,
        "over_max_reasons": len(found) > most,
        "no_reasons": not kept,
        "ambiguous_side": any(reason.ambiguous for reason in kept),
    }
    others = tuple(flag for flag in judgment.flags if flag not in flags)
    return row._replace(
        judgment=replace(
            judgment,
            reasons=kept,
            flags=(*others, *(flag for flag, raised in flags.items() if raised)),
        )
    )


def reason_of(text: str, names: Names) -> ModelReason:
    """A reason as the model words it, whose side its own words give."""
    about, ambiguous = reason_about(text)
    if about is None and not ambiguous:
        about, ambiguous = reason_about(text, names=names)
    return ModelReason(text, about, ambiguous)


def _flagged(judgment: Judgment, flag: str) -> Judgment:
    return replace(judgment, flags=(*judgment.flags, flag))
