"""The labeller's place in the flow: one answer's reasons in, their categories and flaws out.

A labeller works as a judge does: it takes a stream of requests and yields each answer as it is
ready.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from rmaudit import embedded
from rmaudit.checklists.schema import Item
from rmaudit.embedded import DECIDES, Context, label_reasons
from rmaudit.prompts import Template, flatten
from rmaudit.records import Key, LabelSet, ModelReason, Tested, Verdict
from rmaudit.run.rows import NO_USE, JudgeUse


@dataclass(frozen=True, slots=True)
class LabelRequest:
    """One answer's reasons, to be labelled; `item` is what they speak of, `verdict` their end."""

    key: Key
    item: Item
    reasons: tuple[ModelReason, ...]
    verdict: Verdict = None


@dataclass(frozen=True, slots=True)
class LabelAnswer:
    """The labels for one request, or why there are none."""

    key: Key
    labels: LabelSet
    use: JudgeUse = NO_USE


class LabelerTraits(NamedTuple):
    """How a labeller works, which decides what a scan does around it.

    Attributes:
        tests: what it can decide.
        at_endpoint: it waits for answers from elsewhere, so it may work while the target does.
        calls: it asks a model, so its calls count.
    """

    tests: frozenset[Tested]
    at_endpoint: bool = False
    calls: bool = False


class Labeler(Protocol):
    """Gives each reason of an answer a category and flaws."""

    @property
    def traits(self) -> LabelerTraits:
        """How it works."""
        ...

    @property
    def templates(self) -> tuple[Template, ...]:
        """The prompts that it uses, for the run directory."""
        ...

    def label(self, requests: Iterable[LabelRequest]) -> Generator[LabelAnswer, None, None]:
        """Yields one answer for each request, in any order, as each is ready.

        `requests` may be a stream that blocks until the next is known, and may be drawn from by
        another thread than the caller's.

        Raises:
            InputError: the labeller's model cannot be loaded as asked.
            RmauditError: the labeller cannot go on.
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


class BuiltinLabeler:
    """The embedded labeller; approximate, and it leaves some flaws untested."""

    traits = LabelerTraits(frozenset(DECIDES))
    templates: tuple[Template, ...] = ()

    def __init__(self, view: str = "full") -> None:
        self.view = view
        self._seen: tuple[Item | None, Context] = (None, Context())

    def label(self, requests: Iterable[LabelRequest]) -> Generator[LabelAnswer, None, None]:
        """See the protocol; text alone, no model."""
        for request in requests:
            context = self._context(request.item)
            labels = label_reasons(request.reasons, context, verdict=request.verdict)
            yield LabelAnswer(request.key, labels)

    def _context(self, item: Item) -> Context:
        """Kept for the next call: rows of one item come after each other."""
        if self.view == "full" and self._seen[0] is not item:
            texts = flatten(item.prompt), item.response_a, item.response_b
            self._seen = item, Context.of(*texts)
        return self._seen[1]

    def identity(self) -> dict[str, Any]:
        """Its name; what it sees is the judge's view."""
        return {"labeler": embedded.NAME}

    def describe(self) -> dict[str, Any]:
        """Its name, and what it tests."""
        return {"spec": embedded.NAME, "approximate": True, "tests": list(DECIDES)}

    def close(self) -> None:
        """Holds nothing that must be freed."""
