"""The MetaJudge's place in the flow: reasons and references in, the full matrix out.

A judge takes a stream of requests and yields each answer as it is ready, so that a judge behind an
endpoint works on many at once, while the target still generates. The one-to-one matching on the
matrix is ours, whatever judge made it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from rmaudit import embedded
from rmaudit.checklists.schema import Item
from rmaudit.judging.metajudge_prompt import sided_references
from rmaudit.metrics.matching import match
from rmaudit.prompts import Template, flatten
from rmaudit.records import Key, MatchSet, ModelReason
from rmaudit.run.rows import NO_USE, JudgeUse

Matrix = tuple[tuple[float, ...], ...]
Purpose = Literal["match", "chance", "ceiling", "null"]


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One answer's reasons, to be scored against references.

    purpose: `match` against the item's own references, `chance` against those of another item,
    `ceiling` against the reasons of its annotators, `null`: the reasons are a list that judges
    nothing.
    """

    key: Key
    item: Item
    references: Item
    reasons: tuple[ModelReason, ...]
    purpose: Purpose = "match"

    @property
    def nothing(self) -> Matrix | None:
        """The matrix of an answer without reasons, which no judge is needed for; else None."""
        return None if self.reasons else ((),) * len(self.references.reasons)


@dataclass(frozen=True, slots=True)
class JudgeAnswer:
    """The matrix for one request: [n references, m reasons] on the grid.

    `failure` is None, or why there is no matrix; then `matrix` is empty. `raw` is what a model
    answered, never edited. `claims`: whether each reason is true of the responses, see
    `records.MatchSet`.
    """

    key: Key
    purpose: Purpose
    matrix: Matrix
    raw: str | None = None
    failure: str | None = None
    use: JudgeUse = NO_USE
    claims: tuple[bool | None, ...] | None = None


NULL_ITEMS = 200


class JudgeTraits(NamedTuple):
    """How a judge works, which decides what a scan does around it.

    Attributes:
        at_endpoint: it waits for answers from elsewhere, so it may work while the target does.
        calls: it asks a model, so its calls count.
        chance_items: `rc.chance` is measured on so many items at most; None for all.
        null_items: lists that judge nothing are scored on so many items at most; 0 where the judge
            can be put no request of ours.
        claims: it decides whether what a reason says of the responses is true.
    """

    at_endpoint: bool = False
    calls: bool = False
    chance_items: int | None = None
    null_items: int = NULL_ITEMS
    claims: bool = False


class Judge(Protocol):
    """Scores how far each model reason says what each reference says."""

    @property
    def traits(self) -> JudgeTraits:
        """How it works."""
        ...

    @property
    def templates(self) -> tuple[Template, ...]:
        """The prompts that it uses, for the run directory."""
        ...

    def judge(self, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
        """Yields one answer for each request, in any order, as each is ready.

        `requests` may be a stream that blocks until the next is known, and may be drawn from by
        another thread than the caller's.

        Raises:
            InputError: the judge's model cannot be loaded as asked.
            RmauditError: the judge cannot go on.
        """
        ...

    def identity(self) -> dict[str, Any]:
        """What decides its answers: a resume must not change any of it."""
        ...

    def describe(self) -> dict[str, Any]:
        """What the manifest records."""
        ...

    def close(self) -> None:
        """Frees its model; a second call does nothing."""
        ...


class BuiltinJudge:
    """The embedded judge; approximate."""

    traits = JudgeTraits()
    templates: tuple[Template, ...] = ()

    def __init__(self, view: str = "full") -> None:
        self.view = view
        self._seen: tuple[Item | None, embedded.Context] = (None, embedded.Context())

    def judge(self, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
        """See the protocol; text alone, no model."""
        for request in requests:
            yield JudgeAnswer(request.key, request.purpose, self.matrix(request))

    def matrix(self, request: JudgeRequest) -> Matrix:
        """The scores of one request."""
        return embedded.score_matrix(
            sided_references(request.references),
            request.reasons,
            self.context(request.item),
            origin=request.references.reference_origin,
        )

    def context(self, item: Item) -> embedded.Context:
        """What is seen of an item; kept, since rows of one item come after each other."""
        if self.view == "full" and self._seen[0] is not item:
            texts = flatten(item.prompt), item.response_a, item.response_b
            self._seen = item, embedded.Context.of(*texts)
        return self._seen[1]

    def identity(self) -> dict[str, Any]:
        """Name, view and version."""
        return {
            "judge": embedded.NAME,
            "judge_view": self.view,
            "judge_version": embedded.VERSION,
        }

    def describe(self) -> dict[str, Any]:
        """Name, version and view."""
        return {
            "spec": embedded.NAME,
            "version": embedded.VERSION,
            "view": self.view,
            "approximate": True,
        }

    def close(self) -> None:
        """Holds nothing that must be freed."""


def matching_of(answer: JudgeAnswer, *, n_reasons: int) -> MatchSet:
    """The one-to-one matching on a judge's matrix; none where the judge failed."""
    if answer.failure is not None:
        return MatchSet((), (), answer.raw, answer.failure)
    edges = match(answer.matrix, n_refs=len(answer.matrix), n_reasons=n_reasons)
    return MatchSet(answer.matrix, edges, answer.raw, claims=answer.claims)
