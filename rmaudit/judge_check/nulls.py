"""Null tests: reasons whose score is known by construction, and the bars that a judge must meet.

An item gives up to five requests: its references against themselves, the references of another
family and of other items as reasons, one decoy of each kind, and joined references against their
halves. Each request yields observations, (kind, domain, score); a kind is judged by their mean.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.judge_check.decoys import Decoy, compounds, decoys
from rmaudit.judging.metajudge import JudgeRequest, Matrix
from rmaudit.judging.metajudge_prompt import sided_references
from rmaudit.metrics.matching import match
from rmaudit.records import Key, ModelReason

PARTIAL = 0.5
LEEWAY = 0.02


class NullBar(NamedTuple):
    """What the mean of a kind must be; `capped`: besides, no more than LEEWAY lie above PARTIAL."""

    what: str
    least: float = 0.0
    most: float = 1.0
    capped: bool = False

    @property
    def text(self) -> str:
        """The bar in words."""
        if self.least > 0:
            return f">= {self.least:g}"
        if self.capped:
            return f"at most {PARTIAL:g} each"
        return f"<= {self.most:g}"


BARS: dict[str, NullBar] = {
    "self": NullBar("the references themselves as reasons", least=0.95),
    "other_family": NullBar("references of another family", most=LEEWAY),
    "other_item": NullBar("references of another item", most=LEEWAY),
    "vague": NullBar("criticism that fits any response", most=LEEWAY),
    "wrong_side": NullBar("the fault laid to the other response", most=LEEWAY),
    "praise": NullBar("praise of the same aspect", most=LEEWAY),
    "implied": NullBar("the fault implied, not said", most=LEEWAY),
    "near_miss": NullBar("another fault of the same thing", most=LEEWAY),
    "fact_list": NullBar("the facts listed, no fault stated", most=LEEWAY),
    "facts_only": NullBar("the facts of one reference, no fault stated", most=LEEWAY),
    "both_fine": NullBar("both values of a fault, and neither blamed", most=LEEWAY),
    "both_sides": NullBar("the fault laid to both responses", most=LEEWAY),
    "negated": NullBar("the reference denied", most=LEEWAY),
    "praise_values": NullBar("praise with both values of the fault", most=LEEWAY),
    "instruction": NullBar("a command to the judge", most=LEEWAY),
    "wrong_number": NullBar("the right fault with other numbers", most=PARTIAL, capped=True),
    "half_compound": NullBar("one of two faults that a reference joins", most=PARTIAL, capped=True),
}

OF_NO_REFERENCE = frozenset({"vague", "fact_list", "facts_only", "both_fine", "instruction"})
"""Decoys that state nothing: they must score nothing against any reference."""


class Observation(NamedTuple):
    """One score that a null test looks at."""

    kind: str
    domain: str
    score: float


Reader = Callable[[Matrix], Iterable[Observation]]


@dataclass(frozen=True, slots=True)
class Probe:
    """A request to the judge and how its matrix is read."""

    request: JudgeRequest
    read: Reader


class KindResult(NamedTuple):
    """A kind's outcome. `over` is the share of scores above PARTIAL; `ok`: its bar is met."""

    n: int
    mean: float
    over: float
    ok: bool


def probes(items: Sequence[Item], *, seed: int) -> list[Probe]:
    """The requests of all null tests on items with references."""
    with_references = [item for item in items if item.reasons]
    rng = Random(f"judge-check/{seed}")
    made: list[Probe] = []
    for item in with_references:
        made.append(_probe(item, item, _as_reasons(item), "self", _diagonal(item)))
        other = _partner(item, with_references, rng)
        if other is not None:
            read = _rc(item, "other_family")
            made.append(_probe(item, item, _as_reasons(other), "other_family", read))
        strangers = _strangers(item, with_references, rng)
        if strangers:
            made.append(_probe(item, item, strangers, "other_item", _rc(item, "other_item")))
        found = decoys(item, seed=seed)
        if found:
            reasons = tuple(decoy.reason for decoy in found.values())
            made.append(_probe(item, item, reasons, "decoys", _decoys(item, found)))
        joined = compounds(item)
        if joined:
            whole = item.model_copy(update={"reasons": [reason for reason, _ in joined]})
            halves = tuple(half for _, pair in joined for half in pair)
            made.append(_probe(item, whole, halves, "half_compound", _halves(item)))
    return made


def summarise(kind: str, scores: Sequence[float]) -> KindResult:
    """Whether the scores of a kind meet its bar; at least one score."""
    bar = BARS[kind]
    mean = sum(scores) / len(scores)
    over = sum(score > PARTIAL for score in scores) / len(scores)
    ok = bar.least <= mean <= bar.most and not (bar.capped and over > LEEWAY)
    return KindResult(len(scores), mean, over, ok)


def by_kind(found: Iterable[Observation]) -> dict[str, dict[str, KindResult]]:
    """Results by kind and domain; the domain '' is all of them."""
    scores: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for one in found:
        scores[one.kind, ""].append(one.score)
        scores[one.kind, one.domain].append(one.score)
    return {
        kind: {
            domain: summarise(kind, scores[kind, domain])
            for domain in sorted(domain for which, domain in scores if which == kind)
        }
        for kind in BARS
        if (kind, "") in scores
    }


def _probe(
    item: Item, references: Item, reasons: tuple[ModelReason, ...], kind: str, read: Reader
) -> Probe:
    return Probe(JudgeRequest(Key(item.id, f"check:{kind}"), item, references, reasons), read)


def _as_reasons(item: Item) -> tuple[ModelReason, ...]:
    return tuple(ModelReason(text, about) for text, about in sided_references(item))


def _partner(item: Item, items: Sequence[Item], rng: Random) -> Item | None:
    """An item of another family, or of another domain where items have no family."""
    others = [other for other in items if _origin(other) != _origin(item)]
    return rng.choice(others) if others else None


def _origin(item: Item) -> str:
    return item.family or item.domain


def _strangers(item: Item, items: Sequence[Item], rng: Random) -> tuple[ModelReason, ...]:
    """References of another item of the same origin, without those of a fault kind of this item.

    Two items of one family can have the very same fault; of other kinds they cannot.
    """
    others = [
        other
        for other in items
        if other.cluster != item.cluster and _origin(other) == _origin(item)
    ]
    if not others:
        return ()
    other = rng.choice(others)
    own = set(_kinds(item).values())
    kinds = _kinds(other)
    return tuple(
        reason
        for reason, reference in zip(_as_reasons(other), other.reasons, strict=True)
        if kinds.get(reference.id) not in own
    )


def _kinds(item: Item) -> dict[str, str]:
    kinds = item.meta.get("kinds")
    return kinds if isinstance(kinds, dict) else {}


def _diagonal(item: Item) -> Reader:
    def read(matrix: Matrix) -> Iterable[Observation]:
        return (Observation("self", item.domain, row[k]) for k, row in enumerate(matrix))

    return read


def _rc(item: Item, kind: str) -> Reader:
    def read(matrix: Matrix) -> Iterable[Observation]:
        edges = match(matrix, n_refs=len(matrix), n_reasons=len(matrix[0]))
        yield Observation(kind, item.domain, sum(edge.score for edge in edges) / len(matrix))

    return read


def _decoys(item: Item, found: Mapping[str, Decoy]) -> Reader:
    """A decoy made from a reference is read there; one that states nothing, against all."""

    def read(matrix: Matrix) -> Iterable[Observation]:
        for column, (kind, decoy) in enumerate(found.items()):
            everywhere = max(row[column] for row in matrix)
            score = everywhere if kind in OF_NO_REFERENCE else matrix[decoy.ref][column]
            yield Observation(kind, item.domain, score)

    return read


def _halves(item: Item) -> Reader:
    def read(matrix: Matrix) -> Iterable[Observation]:
        for k, row in enumerate(matrix):
            for half in row[2 * k : 2 * k + 2]:
                yield Observation("half_compound", item.domain, half)

    return read
