"""What a manifest says of who scored the reasons and who labelled them, and how good they are.

What a card measured of them is cited here, so that a reader of the run need not have the card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field, StrictBool, StrictInt

from rmaudit.run.open_record import Number, OpenRecord
from rmaudit.taxonomy import FLAW_NAMES
from rmaudit.truth.score import NAME as TRUTH

NOT_QUALIFIED = "not qualified"
"""What every output says of a judge that missed a bar on ordinary items when it was checked."""
NOT_MEASURED = "not measured"
"""The same of a judge that was never put to them, which is no better than that."""
LEAST_LABEL = 0.8
"""Precision and recall of a label on unseen reasons, below which nothing is decided by it."""


class GraderCounts(OpenRecord):
    """What a judge or labeller did over all starts of a run; see `rows.JudgeUse`."""

    rows: StrictInt = 0
    failures: StrictInt = 0
    calls: StrictInt = 0
    retries: StrictInt = 0
    snapped: StrictInt = 0
    tokens_in: StrictInt = 0
    tokens_out: StrictInt = 0
    cached: StrictInt = 0


class CardSplit(OpenRecord):
    """A judge against a split of the known truth."""

    precision: Number | None
    recall: Number | None
    r: Number | None
    bias: Number | None
    ok: StrictBool


class CitedCard(OpenRecord):
    """What a run cites of the card of its judge.

    null_tests: mean score by what was put to the judge. missed: the null tests above their bar.
    written: on ordinary items, failed answers counted as not found. qualified: by both bars there.
    """

    sha256: str
    made: str
    ok: StrictBool
    null_tests: dict[str, Number | None]
    missed: list[str]
    known_truth: dict[str, CardSplit]
    written: CardSplit | None = None
    qualified: StrictBool | None = None


class JudgeFacts(OpenRecord):
    """The judge of matches; `approximate` where it only compares text."""

    spec: str
    approximate: StrictBool = False
    card: CitedCard | None = None
    counts: GraderCounts = GraderCounts()
    spot_check: dict[str, Any] | None = None

    @property
    def unqualified(self) -> str:
        """`not qualified (...)` where the cited card says so, else ''."""
        if self.card is None or self.card.qualified is not False:
            return ""
        found = self.card.written or CardSplit.model_construct(precision=None, recall=None)
        shares = map(_share, (found.precision, found.recall))
        return "{} (precision {}, recall {} on ordinary items)".format(NOT_QUALIFIED, *shares)

    @property
    def standing(self) -> str:
        """What stands against it as a judge: not qualified, or not measured; '' where nothing does.

        Judges that ask no model (`builtin`, which is approximate, and `truth`) have no such bar.
        """
        if self.approximate or self.spec == TRUTH:
            return ""
        unchecked = self.card is None or self.card.qualified is None
        return NOT_MEASURED if unchecked else self.unqualified

    @property
    def named(self) -> str:
        """Its SPEC with all that a reader must know of it: what every output calls the judge."""
        return ", ".join(filter(None, (self.spec, "approximate" * self.approximate, self.standing)))


class LabelScore(OpenRecord):
    """How a labeller gave one label to unseen reasons; `n` of them have it."""

    precision: Number | None
    recall: Number | None
    n: StrictInt

    @property
    def enough(self) -> bool:
        """Whether both are at the bar; a number that is undefined is not."""
        return all(x is not None and x >= LEAST_LABEL for x in (self.precision, self.recall))


class LabelerFacts(OpenRecord):
    """The labeller of reasons, what it tests, and how well it did so when its card was made.

    measured: by label, None where no card is known.
    """

    spec: str
    approximate: StrictBool = False
    tests: list[str] = Field(default_factory=list)
    counts: GraderCounts = GraderCounts()
    measured: dict[str, LabelScore] | None = None

    @property
    def weak(self) -> list[str]:
        """The labels below the bar: no headline and no rule of a policy rests on them."""
        return [label for label, one in (self.measured or {}).items() if not one.enough]

    def unfit(self, metric: str) -> str:
        """Why a metric is no headline and decides nothing: a label below the bar; '' else."""
        family, _, kind = metric.partition(".")
        if family not in ("flaw", "category"):
            return ""
        kinds = [name for name in FLAW_NAMES if name in self.tests] if kind == "any" else [kind]
        weak = [label for label in self.weak if label in kinds]
        # Of any flaw, those that it knows well enough count: see `metrics.labels`.
        return f"the labeller {self.spec} {self.told(weak)}" if weak and weak == kinds else ""

    def told(self, labels: Sequence[str]) -> str:
        """What was measured of labels below the bar, in words."""
        each = (
            f"{label} (precision {_share(one.precision)}, recall {_share(one.recall)})"
            for label in labels
            for one in [(self.measured or {})[label]]
        )
        return f"is below {LEAST_LABEL} on unseen reasons in {', '.join(each)}"


def _share(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.2f}"
