"""What a metric says of itself: all that the terminal, reports, gate and doctor know of it.

A spec stands beside the function that computes the metric. Nothing else in the package lists
metrics by key to name, format, sort or explain them; `registry` answers such questions from here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal, NamedTuple, get_args

from rmaudit.metrics.estimand import Estimand, Smooth
from rmaudit.metrics.stats import Interval
from rmaudit.metrics.table import Table
from rmaudit.records import Unit

Direction = Literal["higher", "lower", "zero", "none"]
Format = Literal["percent", "points", "plain", "log_odds", "count", "seconds"]
Reader = Literal["judge", "labeler"]
Shared = Literal["judge", "labeler", "max_reasons", "verdicts", "items"]
Counted = Literal["items", "rows", "pairs", "reasons"]
Topic = Literal[
    "Verdicts",
    "Reasons against the references",
    "Right for the right reasons",
    "What the reasons are",
    "Do the reasons decide",
    "Order, length and style",
    "Steadiness and confidence",
    "Reason sensitivity (of scores)",
    "Reward spread (over answers of one policy)",
    "Coverage",
]
TOPICS: tuple[Topic, ...] = get_args(Topic)
"""The sections of a report's list of everything measured, in their order."""
ABOUT_REASONS: frozenset[Topic] = frozenset(
    {
        "Reasons against the references",
        "Right for the right reasons",
        "What the reasons are",
        "Do the reasons decide",
        "Reason sensitivity (of scores)",
    }
)
"""Sections on why the model judges as it does."""
ABOUT_OUTCOME: frozenset[Topic] = frozenset(
    {
        "Verdicts",
        "Order, length and style",
        "Steadiness and confidence",
        "Reward spread (over answers of one policy)",
    }
)
"""Sections on what it judges. Coverage is in neither: it says how much was seen."""
Place = Literal[
    "core",
    "terminal",
    "report",
    "report_curves",
    "model_card",
    "repair_card",
    "claims",
    "training_curve",
    "ranks",
    "calibrate",
    "integrity",
]
"""Where only some metrics are shown.

    core            with --quiet, in bold, and by domain in a comparison
    terminal        the summary of a scan
    report          the first screen of a report
    report_curves   lines over three runs or more, in a report
    model_card      the metadata of a Hugging Face model card
    repair_card     the card of a repaired checkpoint
    claims          changes between two runs that are tested as claims of harm
    training_curve  checkpoints of one training run
    ranks           rank agreement between sets
    calibrate       thresholds that are proposed from past models
    integrity       how much evidence a proposed policy asks for
"""

REASONS_AND_REFERENCES = (
    "a target that writes reasons, and a set that holds them: rmaudit checklist list"
)


class Beside(NamedTuple):
    """Another metric that a value is to be seen against, and the word for it.

    terminal: where it stands in the summary of a scan, if it does: in a column beside the value, or
    in a line under the table. unless: a value of the other metric that says nothing, and is not
    shown. Of metrics of one family the highest is shown.
    """

    word: str
    key: str
    terminal: Literal["column", "below"] | None = None
    unless: float | None = None


class Followed(NamedTuple):
    """How a run can be followed group by group, so that it may stop on the metric.

    counts: what the denominator counts. paired: every item counts the same in two runs, so that a
    change of the metric is a mean of differences.
    """

    counts: Counted
    paired: bool = True


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """One metric.

    Attributes:
        key: the name in metrics.json.
        unit: what the value counts.
        better: the direction of improvement; `zero`: nearer to zero is better.
        definition: one sentence.
        estimand: computes it from a table.
        bounds: the least and the greatest value the metric can take.
        interval: the metric's own interval at a two-sided level, where a bootstrap of its sums does
            not give it.
        reader: who must have read the reasons, so that an approximate one spoils the metric; None
            where nobody must.
        alike: what two runs must have in common for a difference to be one of the models.
        topic: its section among everything measured.
        label: its name in a table, a few words in lower case; '' where its key serves.
        inset: in the summary of a scan it is a line below the one before it.
        title: its name in a report; '' where its key serves.
        gloss: what stands under the title.
        short: its name above a narrow column.
        phrase: its name within a sentence; '' where the label serves.
        keyed: its key stands beside its label, since the literature knows it by that.
        format: how a value is written.
        counted: what `n` counts, in the plural.
        shown: where it is a headline, with its rank there: the least comes first.
        family: where only one metric of a family has room, it is the one with the highest value.
        instead_of: the headline of a report whose place it takes where it has a value.
        idea: metrics of one idea share a row of a report, under the name of its headline; '' where
            a metric has a row of its own.
        own_of: the recorded outputs whose own number it is, as a manifest names them: for these it
            comes first.
        beside: what its value is to be seen against.
        needs: what a scan must have for the metric to have a value.
        floor: the metric that says how much this one rests on: a rule of a policy on this one
            needs a rule on that one.
        followed: None where no bound that holds at every time is known.
        since: the schema of the first runs that hold it; a run of an older one is measured again.
        limits: sentences on what it does not show, the most important one first.
    """

    key: str
    unit: Unit
    better: Direction
    definition: str
    estimand: Callable[[Table], Estimand | Smooth]
    bounds: tuple[float, float] = (0.0, 1.0)
    interval: Callable[[Table, float], Interval] | None = None
    _: KW_ONLY
    reader: Reader | None
    alike: tuple[Shared, ...]
    topic: Topic
    label: str = ""
    inset: bool = False
    title: str = ""
    gloss: str = ""
    short: str = ""
    phrase: str = ""
    keyed: bool = False
    format: Format = "percent"
    counted: str = "items"
    shown: Mapping[Place, int] = field(default_factory=dict)
    family: str = ""
    instead_of: str = ""
    idea: str = ""
    own_of: str = ""
    beside: tuple[Beside, ...] = ()
    needs: str = REASONS_AND_REFERENCES
    floor: str = ""
    followed: Followed | None = None
    since: int = 1
    limits: tuple[str, ...] = ()
