"""The items behind the numbers, worst first: what was asked, said, and matched.

All is told in item coordinates, as the references are: Response A is response_a of the item,
whichever was shown first. Only the raw answers keep the names as shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rmaudit.checklists.load import content_hash
from rmaudit.checklists.schema import Item
from rmaudit.prompts import flatten
from rmaudit.records import Key
from rmaudit.report.answers import NAMES, RunAnswers, key_at, labels_at, run_answers, unclear
from rmaudit.report.data import RunData
from rmaudit.report.facets import Facets, cells_of, count_facets, facets_of, is_spurious
from rmaudit.report.links import NO_ITEMS, ItemsLink, LinkPlace, Shows, links
from rmaudit.report.shown import BUDGET, OVERHEAD, TextPart, choose, highlighted
from rmaudit.report.texts import Sizes, Texts, read_sizes, read_texts
from rmaudit.text.quotations import quotations

ASK_SHOWN = 110


class Response(NamedTuple):
    """A response with what its label says in words."""

    name: str
    parts: tuple[TextPart, ...]
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
    facets: Facets
    by_run: dict[int, Facets]


class EvidenceView(NamedTuple):
    """The items shown, worst first; how many there are, and what was left out for size.

    `facets`: what the items can be filtered by, with the number of items shown for each value.
    `links`: by run, facet and value. `worst`: of each run, the item that fails most.
    """

    items: tuple[ItemView, ...]
    total: int
    failing_left_out: int
    others_left_out: int
    raw_left_out: bool
    facets: dict[str, dict[str, int]]
    links: dict[LinkPlace, ItemsLink]
    worst: dict[int, str]

    def link(self, run: int, facet: str, value: str) -> ItemsLink:
        """The link to the items of a run with a value."""
        return self.links.get(LinkPlace(run, facet, value), NO_ITEMS)


class _Entry(NamedTuple):
    """An item and the runs that used it. One id with two contents is two entries."""

    item: Item
    runs: list[RunData]


def evidence(
    runs: Sequence[RunData],
    *,
    shows: Shows,
    with_text: bool = True,
    budget: int = BUDGET,
) -> EvidenceView:
    """The items, the worst first: right for the wrong reasons, then by rationale consistency.

    Args:
        runs: of the report.
        shows: by run and by what is said of it, the ids of the items that show it.
        with_text: False shows no item at all: a report that can be filed without its prompts.
        budget: bytes that all items may take.
    """
    entries: dict[str, _Entry] = {}
    for one in runs:
        for item in one.items.values():
            # Of a single run the id says which item it is.
            name = item.id if len(runs) == 1 else content_hash([item])
            entries.setdefault(name, _Entry(item, [])).runs.append(one)
    ranked = sorted(entries.values(), key=_badness)
    places = _places(ranked, shows)
    ids = [entry.item.id for entry in ranked]
    worst: dict[int, str] = {}
    for entry in ranked:
        for one in entry.runs:
            worst.setdefault(one.number, entry.item.id)
    if not with_text:
        named = links(places, ids, shown=(), several=False)
        return EvidenceView((), len(ranked), 0, 0, False, {}, named, worst)
    lengths = {one.number: read_sizes(one) for one in runs}
    sizes = [_size(entry, lengths, raw=True) for entry in ranked]
    raw = sum(sizes) <= budget
    if not raw:
        sizes = [_size(entry, lengths, raw=False) for entry in ranked]
    choice = choose(
        sizes,
        [_fails(entry) for entry in ranked],
        seed=runs[0].manifest.seeds.run if runs else 0,
        budget=budget,
        first=[found[0] for found in places.values()],
    )
    shown = {ranked[place].item.id for place in choice.places}
    texts = {one.number: read_texts(one, shown) for one in runs}
    items = tuple(_item_view(ranked[place], texts, shows, raw=raw) for place in choice.places)
    return EvidenceView(
        items,
        len(ranked),
        choice.failing_left_out,
        choice.others_left_out,
        not raw,
        count_facets([item.facets for item in items]),
        links(places, ids, shown=choice.places, several=len(runs) > 1),
        worst,
    )


def _places(ranked: Sequence[_Entry], shows: Shows) -> dict[LinkPlace, list[int]]:
    """Where the items of each link are."""
    found: dict[LinkPlace, list[int]] = {}
    for at, entry in enumerate(ranked):
        for one in entry.runs:
            cells = cells_of(entry.item, one.results[entry.item.id].rows)
            values = [LinkPlace(one.number, "cell", cell) for cell in cells]
            values += [
                LinkPlace(one.number, "shows", name) for name in _shown_by(entry.item, one, shows)
            ]
            for value in values:
                found.setdefault(value, []).append(at)
    return found


def _shown_by(item: Item, one: RunData, shows: Shows) -> list[str]:
    return [name for name, ids in shows.get(one.number, {}).items() if item.id in ids]


def _size(entry: _Entry, lengths: dict[int, Sizes], *, raw: bool) -> int:
    """About how many bytes an item takes."""
    item = entry.item
    letters = len(flatten(item.prompt)) + len(item.response_a) + len(item.response_b)
    size = OVERHEAD + letters + sum(len(reason.text) for reason in item.reasons)
    for one in entry.runs:
        found = lengths[one.number]
        for row in one.results[item.id].rows:
            key = Key(item.id, order=row.order, sample=row.sample)
            size += found.judgments.get(key, 0)
            if raw or unclear(row):
                size += found.answers.get(key, 0)
    return size


def _fails(entry: _Entry) -> bool:
    return any(
        row.correct is not True or is_spurious(row, label=entry.item.label)
        for one in entry.runs
        for row in one.results[entry.item.id].rows
    )


def origin_words(origin: str) -> str:
    """Who wrote the references: `program`, `human` or `model:ID` in words."""
    words = {"program": "program-made", "human": "human-written"}
    return words.get(origin) or f"by model {origin.removeprefix('model:')}"


def _badness(entry: _Entry) -> tuple[int, float, int]:
    """Sorts the worst first: items without a rationale number last, wrong before right."""
    spurious, least, right = 0, float("inf"), 0
    for one in entry.runs:
        rows = one.results[entry.item.id].rows
        spurious += sum(is_spurious(row, label=entry.item.label) for row in rows)
        right += sum(row.correct is True for row in rows)
        scores = [row.rc for row in rows if row.rc is not None]
        if scores:
            least = min(least, sum(scores) / len(scores))
    return -spurious, least, right


def _item_view(
    entry: _Entry,
    texts: dict[int, Texts],
    shows: Shows,
    *,
    raw: bool,
) -> ItemView:
    item = entry.item
    by_run = {one.number: _facets(item, [one], texts, shows) for one in entry.runs}
    request = flatten(item.prompt)
    answers = tuple(run_answers(item, one, texts[one.number], raw=raw) for one in entry.runs)
    quotes = [quote for one in entry.runs for quote in _quotes(item, one, texts[one.number])]
    return ItemView(
        id=item.id,
        domain=item.domain,
        reference_title=f"reference reason, {origin_words(item.reference_origin)}",
        ask=_short(request),
        request=request,
        responses=(_response(item, "a", quotes), _response(item, "b", quotes)),
        spurious=any(answer.spurious for run in answers for answer in run.answers),
        runs=answers,
        facets=_facets(item, entry.runs, texts, shows),
        by_run=by_run,
    )


def _facets(
    item: Item,
    runs: Sequence[RunData],
    texts: dict[int, Texts],
    shows: Shows,
) -> Facets:
    """What an item is filtered by, for its answers in these runs."""
    rows = [(one, row) for one in runs for row in one.results[item.id].rows]
    return facets_of(
        item,
        [row for _, row in rows],
        [label for one, row in rows for label in labels_at(texts[one.number], key_at(item, row))],
        [name for one in runs for name in _shown_by(item, one, shows)],
    )


def _quotes(item: Item, one: RunData, texts: Texts) -> Iterator[str]:
    """What references and reasons quote, as it may stand in a response."""
    for reason in item.reasons:
        yield from quotations(reason.text)
    for row in one.results[item.id].rows:
        judgment = texts.judgments.get(key_at(item, row))
        for said in judgment.reasons if judgment else ():
            yield from quotations(said.text)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= ASK_SHOWN else line[: ASK_SHOWN - 1].rstrip(" .,") + "…"


def _response(item: Item, side: Literal["a", "b"], quotes: Sequence[str]) -> Response:
    strength = f", strength {item.strength} of 3" if item.strength else ""
    label = f"preferred{strength}" if item.label == side else "not preferred"
    return Response(
        NAMES[side],
        highlighted(item.response(side), quotes),
        item.label == side,
        "labelled a tie" if item.label == "tie" else label,
    )
