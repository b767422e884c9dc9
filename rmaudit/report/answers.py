"""One answer as a report shows it: what it says, and how its reasons match, in item coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.metrics.formats import show
from rmaudit.records import (
    AnswerKind,
    Generation,
    Judgment,
    Key,
    MatchSet,
    Outcome,
    ReasonLabel,
    RowResult,
)
from rmaudit.report.data import RunData
from rmaudit.report.facets import is_spurious
from rmaudit.report.texts import Texts, row_at
from rmaudit.run.files import GENERATIONS, VERDICTS
from rmaudit.taxonomy import FLAWS

OUTCOMES: dict[Outcome, str] = {
    "ok": "",
    "tie": "",
    "unparsed": "The answer holds no verdict that can be read.",
    "truncated": "The answer was cut at the token limit before it was complete.",
    "refused": "The model declined to judge.",
    "too_long": "The prompt does not fit the model's context; the model was not asked.",
    "filtered": "The provider kept the answer back; the model's own answer is not known.",
    "error": "The engine gave no answer.",
}
BY_SERVER: dict[AnswerKind, str] = {
    "draft": "The server put the model's reasoning in the place of an answer.",
    "tool_calls": "The model called a tool, and nobody had offered one.",
}
FLAGS = {
    "conflict": "It states verdicts that disagree.",
    "ran_on": "It went on after its answer; what follows was not read.",
    "over_max_reasons": "It gave more reasons than it was asked for; the list was cut.",
    "no_reasons": "It gave no reason that can be read.",
    "ambiguous_side": "A reason does not make clear which response it is about.",
    "unknown_keys": "Its reasons stand under JSON keys that are not known to hold any.",
    "copied": "Most reasons repeat a response word for word.",
}
NAMES = {"a": "Response A", "b": "Response B", "both": "both responses"}
SHOWN_FIRST = {"ab": "Response A shown first", "ba": "Response B shown first"}


class ReasonView(NamedTuple):
    """A reason of the model, '' where there is none, and its flaws in words."""

    text: str
    flaws: tuple[str, ...] = ()


NOTHING = ReasonView("")


class Pairing(NamedTuple):
    """A reference and the model's reason matched to it; NOTHING where it is missed.

    `about` is its side where its text does not name it.
    """

    reference: str
    about: str
    score: str
    state: Literal["matched", "partly", "missed"]
    said: ReasonView


@dataclass(frozen=True, slots=True)
class AnswerView:
    """One answer to one item: what it says, and how its reasons match."""

    title: str
    verdict: str
    grade: Literal["right", "wrong", "not counted"]
    rc: str
    matched: str
    spurious: bool
    notes: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    unmatched: tuple[ReasonView, ...]
    unmatched_title: str
    swapped: bool
    raw: str
    thinking: str


class RunAnswers(NamedTuple):
    """The answers of one run to an item, and how they went in a few words."""

    number: int
    style: int
    name: str
    brief: str
    answers: tuple[AnswerView, ...]


def key_at(item: Item, row: RowResult) -> Key:
    """The key of a base row."""
    return Key(item.id, order=row.order, sample=row.sample)


def labels_at(texts: Texts, key: Key) -> tuple[ReasonLabel, ...]:
    """The labels of an answer's reasons; none where they are not known."""
    found = texts.labels.get(key)
    return () if found is None or found.failure is not None else found.labels


def unclear(row: RowResult) -> bool:
    """Whether a reader may want to see the raw answer: what was read of it may be wrong."""
    return row.outcome not in ("ok", "tie") or bool(row.flags)


def run_answers(item: Item, one: RunData, texts: Texts, *, raw: bool) -> RunAnswers:
    """The answers of a run to an item; `raw` with what the model wrote, not only where unclear."""
    rows = one.results[item.id].rows
    answers = []
    for row in rows:
        key = key_at(item, row)
        answers.append(
            _answer(
                item,
                row,
                generation=None
                if one.scored
                else row_at(texts.generations, key, data=one, file=GENERATIONS),
                scores=_scores(item, row, texts),
                judgment=row_at(texts.judgments, key, data=one, file=VERDICTS),
                matches=texts.matches.get(key),
                labels=labels_at(texts, key),
                raw=raw or unclear(row),
                sampled=one.manifest.samples > 1,
            )
        )
    right = sum(row.correct is True for row in rows)
    scores = [row.rc for row in rows if row.rc is not None]
    brief = f"{right} of {len(rows)} right"
    if scores:
        brief += f", consistency {show('rc', sum(scores) / len(scores))}"
    return RunAnswers(one.number, one.style, one.name, brief, tuple(answers))


def _answer(
    item: Item,
    row: RowResult,
    *,
    generation: Generation | None,
    scores: str,
    judgment: Judgment,
    matches: MatchSet | None,
    labels: Sequence[ReasonLabel],
    raw: bool,
    sampled: bool,
) -> AnswerView:
    said = _said(judgment, labels)
    used = {edge.reason for edge in matches.edges} if matches else set()
    judged = matches is not None and matches.failure is None
    title = SHOWN_FIRST.get(row.order or "", "")
    return AnswerView(
        title=f"{title}, sample {row.sample}" if sampled else title,
        verdict=_verdict(row, judgment),
        grade="not counted" if row.correct is None else "right" if row.correct else "wrong",
        rc=show("rc", row.rc),
        matched=f"{len(used)} of {row.n_refs} reference reasons matched" if judged else "",
        spurious=is_spurious(row, label=item.label),
        notes=tuple(_notes(item, row, generation, scores)),
        pairings=_pairings(item, said, matches) if judged and matches else (),
        unmatched=tuple(one for rank, one in enumerate(said) if rank not in used),
        unmatched_title="Reasons that match no reference" if judged else "Its reasons, not matched",
        swapped=row.order == "ba",
        raw=generation.text if generation and raw else "",
        thinking=(generation.thinking or "") if generation and raw else "",
    )


def _said(judgment: Judgment, labels: Sequence[ReasonLabel]) -> tuple[ReasonView, ...]:
    """The reasons with their flaws; without, where the labels are not of these reasons."""
    flaws = [tuple(FLAWS[flaw].name for flaw in label.flaws) for label in labels]
    if len(flaws) != len(judgment.reasons):
        flaws = [()] * len(judgment.reasons)
    return tuple(
        ReasonView(reason.text, names)
        for reason, names in zip(judgment.reasons, flaws, strict=True)
    )


def _verdict(row: RowResult, judgment: Judgment) -> str:
    if row.verdict is None:
        return "No answer" if row.correct is None else "No verdict"
    if row.verdict == "tie":
        return "Calls it a tie"
    return f"Picks {NAMES[row.verdict]}" + (", much better" if judgment.strength == 2 else "")


def _scores(item: Item, row: RowResult, texts: Texts) -> str:
    """The scores behind a verdict of a score-only model, '' where there are none."""
    shown = [
        f"{found.by_order[row.order]:g} for {NAMES[side]}"
        for side in ("a", "b")
        if (found := texts.scores.get(Key(item.id, slot=side, order=None)))
        and row.order in found.by_order
    ]
    return f"Scores {', '.join(shown)}." if shown else ""


def _notes(item: Item, row: RowResult, generation: Generation | None, scores: str) -> list[str]:
    """Outcome, flags and failures in words; the scores of a model that gives no answers."""
    if generation is None:
        return [scores or "No scores are recorded."]
    by_server = "" if generation.server is None else BY_SERVER.get(generation.server.kind, "")
    notes = [by_server or OUTCOMES[row.outcome]]
    if row.outcome == "error" and generation.error:
        notes.append(f"It says: {generation.error}.")
    notes += [FLAGS.get(flag, flag) for flag in row.flags]
    if row.failure is not None and row.failure.startswith("judge:"):
        notes.append(f"The judge failed on it: {row.failure.removeprefix('judge:').strip()}.")
    if not item.reasons:
        notes.append("The item has no reference reasons, so its reasons are not scored.")
    return [note for note in notes if note]


def _pairings(item: Item, said: Sequence[ReasonView], matches: MatchSet) -> tuple[Pairing, ...]:
    by_reference = {edge.ref: edge for edge in matches.edges}
    pairings = []
    for number, reference in enumerate(item.reasons):
        edge = by_reference.get(number)
        score = edge.score if edge else 0.0
        about = NAMES[reference.about] if reference.about else ""
        pairings.append(
            Pairing(
                reference=reference.text,
                about="" if about in reference.text else about,
                score=f"{score:.2f}",
                state="matched" if score == 1 else "partly" if edge else "missed",
                said=said[edge.reason] if edge else NOTHING,
            )
        )
    return tuple(pairings)
