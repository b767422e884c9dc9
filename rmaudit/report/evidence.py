"""The items behind the numbers, worst first: what was asked, said, and matched.

All is told in item coordinates, as the references are: Response A is response_a of the item,
whichever was shown first. Only the raw answers keep the names as shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.schema import Item
from rmaudit.judging.prompts import flatten
from rmaudit.records import Generation, Judgment, Key, MatchSet, Outcome, RowResult
from rmaudit.report.data import RunData, Texts, read_texts, row_at
from rmaudit.rundir import GENERATIONS, VERDICTS
from rmaudit.summary import show

MAX_ITEMS = 200
ASK_SHOWN = 110

OUTCOMES: dict[Outcome, str] = {
    "ok": "",
    "tie": "",
    "unparsed": "The answer holds no verdict that can be read.",
    "truncated": "The answer was cut at the token limit before it was complete.",
    "refused": "The model declined to judge.",
    "too_long": "The prompt does not fit the model's context; the model was not asked.",
    "error": "The engine gave no answer.",
}
FLAGS = {
    "conflict": "It states verdicts that disagree.",
    "ran_on": "It went on after its answer; what follows was not read.",
    "over_max_reasons": "It gave more reasons than it was asked for; the list was cut.",
    "no_reasons": "It gave no reason that can be read.",
    "ambiguous_side": "A reason does not make clear which response it is about.",
    "copied": "Most reasons repeat a response word for word.",
}
NAMES = {"a": "Response A", "b": "Response B", "both": "both responses"}
SHOWN_FIRST = {"ab": "Response A shown first", "ba": "Response B shown first"}


class Pairing(NamedTuple):
    """A reference and the model's reason matched to it, '' where it is missed.

    `about` is its side where its text does not name it.
    """

    reference: str
    about: str
    score: str
    state: Literal["matched", "partly", "missed"]
    said: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to one item: what it says, and how its reasons match."""

    title: str
    verdict: str
    grade: Literal["right", "wrong", "not counted"]
    rc: str
    matched: str
    spurious: bool
    notes: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    unmatched: tuple[str, ...]
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
    answers: tuple[Answer, ...]


class Response(NamedTuple):
    """A response with what its label says in words."""

    name: str
    text: str
    preferred: bool
    label: str


@dataclass(frozen=True, slots=True)
class ItemView:
    """One item with all its answers."""

    id: str
    domain: str
    reference_title: str
    ask: str
    request: str
    responses: tuple[Response, Response]
    spurious: bool
    runs: tuple[RunAnswers, ...]


class Evidence(NamedTuple):
    """The items shown, worst first, and how many there are."""

    items: tuple[ItemView, ...]
    total: int


class _Entry(NamedTuple):
    """An item and the runs that used it. One id with two contents is two entries."""

    item: Item
    runs: list[RunData]


def evidence(runs: Sequence[RunData], *, max_items: int) -> Evidence:
    """The worst items: right for the wrong reasons first, then by rationale consistency."""
    entries: dict[str, _Entry] = {}
    for one in runs:
        for item in one.items.values():
            entries.setdefault(dump_item(item), _Entry(item, [])).runs.append(one)
    shown = sorted(entries.values(), key=_badness)[:max_items]
    chosen = frozenset(entry.item.id for entry in shown)
    texts = {one.number: read_texts(one, chosen) for one in runs}
    return Evidence(tuple(_item_view(entry, texts) for entry in shown), len(entries))


def origin_words(origin: str) -> str:
    """Who wrote the references: `program`, `human` or `model:ID` in words."""
    words = {"program": "program-made", "human": "human-written"}
    return words.get(origin) or f"by model {origin.removeprefix('model:')}"


def is_spurious(row: RowResult, *, label: str) -> bool:
    """Right for the wrong reasons: the verdict is right, and no reason is matched."""
    return label != "tie" and row.correct is True and row.rc == 0


def _badness(entry: _Entry) -> tuple[int, float]:
    """Sorts the worst first; items without a rationale number come last."""
    spurious, least = 0, float("inf")
    for one in entry.runs:
        rows = one.results[entry.item.id].rows
        spurious += sum(is_spurious(row, label=entry.item.label) for row in rows)
        scores = [row.rc for row in rows if row.rc is not None]
        if scores:
            least = min(least, sum(scores) / len(scores))
    return -spurious, least


def _item_view(entry: _Entry, texts: dict[int, Texts]) -> ItemView:
    item = entry.item
    request = flatten(item.prompt)
    answers = tuple(_run_answers(item, one, texts[one.number]) for one in entry.runs)
    return ItemView(
        id=item.id,
        domain=item.domain,
        reference_title=f"reference reason, {origin_words(item.reference_origin)}",
        ask=_short(request),
        request=request,
        responses=(_response(item, "a"), _response(item, "b")),
        spurious=any(answer.spurious for run in answers for answer in run.answers),
        runs=answers,
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= ASK_SHOWN else line[: ASK_SHOWN - 1].rstrip(" .,") + "…"


def _response(item: Item, side: Literal["a", "b"]) -> Response:
    strength = f", strength {item.strength} of 3" if item.strength else ""
    label = f"preferred{strength}" if item.label == side else "not preferred"
    return Response(
        NAMES[side],
        item.response(side),
        item.label == side,
        "labelled a tie" if item.label == "tie" else label,
    )


def _run_answers(item: Item, one: RunData, texts: Texts) -> RunAnswers:
    rows = one.results[item.id].rows
    answers = []
    for row in rows:
        key = Key(item.id, order=row.order, sample=row.sample)
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
                sampled=one.manifest["samples"] > 1,
            )
        )
    right = sum(row.correct is True for row in rows)
    scores = [row.rc for row in rows if row.rc is not None]
    rc = show("rc", sum(scores) / len(scores) if scores else None)
    return RunAnswers(
        one.number, one.style, one.name, f"{right} of {len(rows)} right, rc {rc}", tuple(answers)
    )


def _answer(
    item: Item,
    row: RowResult,
    *,
    generation: Generation | None,
    scores: str,
    judgment: Judgment,
    matches: MatchSet | None,
    sampled: bool,
) -> Answer:
    used = {edge.reason for edge in matches.edges} if matches else set()
    judged = matches is not None and matches.failure is None
    title = SHOWN_FIRST.get(row.order or "", "")
    return Answer(
        title=f"{title}, sample {row.sample}" if sampled else title,
        verdict=_verdict(row, judgment),
        grade="not counted" if row.correct is None else "right" if row.correct else "wrong",
        rc=show("rc", row.rc),
        matched=f"{len(used)} of {row.n_refs} reference reasons matched" if judged else "",
        spurious=is_spurious(row, label=item.label),
        notes=tuple(_notes(item, row, generation, scores)),
        pairings=_pairings(item, judgment, matches) if judged and matches else (),
        unmatched=tuple(
            reason.text for rank, reason in enumerate(judgment.reasons) if rank not in used
        ),
        unmatched_title="Reasons that match no reference" if judged else "Its reasons, not matched",
        swapped=row.order == "ba",
        raw=generation.text if generation else "",
        thinking=(generation.thinking or "") if generation else "",
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
    notes = [OUTCOMES[row.outcome]]
    if row.outcome == "error" and generation.error:
        notes.append(f"It says: {generation.error}.")
    notes += [FLAGS.get(flag, flag) for flag in row.flags]
    if row.failure is not None and row.failure.startswith("judge:"):
        notes.append(f"The judge failed on it: {row.failure.removeprefix('judge:').strip()}.")
    if not item.reasons:
        notes.append("The item has no reference reasons, so its reasons are not scored.")
    return [note for note in notes if note]


def _pairings(item: Item, judgment: Judgment, matches: MatchSet) -> tuple[Pairing, ...]:
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
                said=judgment.reasons[edge.reason].text if edge else "",
            )
        )
    return tuple(pairings)
