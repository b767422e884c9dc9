"""What the reasons are made of: shares of their flaws and categories (arXiv 2602.04649).

A rate is flagged reasons over all reasons, pooled: an answer counts by its reasons, in every order
and sample in which the item was asked. Its error is that of groups of items. An answer whose labels
failed, or that the target did not give, is left out and comes back in the bounds as a full list of
reasons, all with the flaw or none.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from rmaudit import taxonomy
from rmaudit.metrics.arrays import BoolArray, FloatArray
from rmaudit.metrics.estimand import Estimand, Fill, not_applicable, per_item, pooled_ratio
from rmaudit.metrics.labels import CANNOT_TEST, NOT_LABELLED
from rmaudit.metrics.rationale import ALL_EMPTY, NO_REASONS_GIVEN
from rmaudit.metrics.spec import Followed, MetricSpec, Place
from rmaudit.metrics.table import Table
from rmaudit.records import Category
from rmaudit.taxonomy import CATEGORY_NAMES


def unlabelled(table: Table) -> str:
    """Why no row of the table has labels; '' where rows should have them."""
    if not table.gives_reasons:
        return NO_REASONS_GIVEN
    return "" if table.labels.asked.any() else NOT_LABELLED


def lost_labels(table: Table) -> BoolArray:
    """Rows that should have labels and do not: the target or the labeller failed."""
    lost: BoolArray = table.labels.asked & ~table.labels.known
    return lost


def _share(table: Table, count: FloatArray) -> Estimand:
    """Reasons counted over all reasons."""
    why, lost = unlabelled(table), lost_labels(table)
    if why:
        return not_applicable(why)
    known = table.labels.known
    if known.any() and np.isnan(count[known]).all():
        return not_applicable(CANNOT_TEST.format(table.labeler))
    most = float(table.max_reasons)
    return pooled_ratio(
        table.row_units,
        count,
        table.labels.reasons,
        used=known & ~np.isnan(count),
        lost=lost,
        why=ALL_EMPTY,
        low=Fill(0.0, most),
        high=Fill(most, most),
    )


def _flaw(table: Table, *, index: int) -> Estimand:
    return _share(table, table.labels.flaws[:, index])


def _category(table: Table, *, index: int) -> Estimand:
    return _share(table, table.labels.categories[:, index])


def _any(table: Table) -> Estimand:
    why = unlabelled(table)
    if why:
        return not_applicable(why)
    labels = table.labels
    return per_item(
        table.row_units,
        labels.flagged,
        used=labels.known,
        lost=lost_labels(table),
        why=NOT_LABELLED,
    )


class Kind(NamedTuple):
    """One kind of reason: how it is named beside its code, and the rule by which it is given."""

    name: str
    rule: str


KINDS: dict[str, Kind] = {
    f"{family}.{code}": Kind(f"{code} {meaning.name}", meaning.rule)
    for family, meanings in (("flaw", taxonomy.FLAWS), ("category", taxonomy.CATEGORIES))
    for code, meaning in meanings.items()
}
"""The metrics that are rates of one kind of reason: flaws, then categories."""

_WORDS = {
    "F1": "style only",
    "F2": "bare claim of correctness",
    "F3": "bare claim of relevance",
    "F4": "praise of one side only",
    "F5": "cannot be checked",
    "F6": "does not follow",
    "F7": "contradicts itself",
}
"""The flaws in as few words as a terminal's line has room for."""
_FLAW_SHOWN: dict[Place, int] = {
    "terminal": 120,
    "report": 50,
    "repair_card": 100,
    "training_curve": 50,
}
_ALSO: dict[str, dict[Place, int]] = {
    "F1": {"calibrate": 60},
    "F4": {"report_curves": 40, "model_card": 60, "calibrate": 70},
}
_ONE_SIDED = (
    "Where an answer holds no list, its sentences are taken as its reasons. One that praises one "
    "response then counts as one-sided, even where the next one turns to the other.",
)

_spec = partial(
    MetricSpec, reader="labeler", alike=("labeler", "max_reasons"), topic="What the reasons are"
)
_flaw_spec = partial(
    _spec,
    needs="--labeler vllm:PATH or openai:MODEL, and a target that writes reasons",
)
_category_spec = partial(
    _spec,
    needs="a target that writes reasons",
    followed=Followed("reasons", paired=False),
)


def _category_definition(category: Category) -> str:
    meaning = taxonomy.CATEGORIES[category]
    return f"Share of reasons that are {meaning.name}: such a reason {meaning.rule}"


METRICS = (
    *(
        _flaw_spec(
            f"flaw.{flaw}",
            "share",
            "lower",
            f"Share of reasons with this flaw: {meaning.name}. It {meaning.rule}",
            partial(_flaw, index=index),
            label=f"{flaw} {_WORDS[flaw]}",
            title=f"{flaw} {meaning.name}",
            gloss="share of its reasons",
            short=f"flaw {flaw}",
            shown={**_FLAW_SHOWN, **_ALSO.get(flaw, {})},
            family="flaw",
            followed=Followed("reasons", paired=False),
            limits=_ONE_SIDED if flaw == "F4" else (),
        )
        for index, (flaw, meaning) in enumerate(taxonomy.FLAWS.items())
    ),
    _flaw_spec(
        "flaw.any",
        "share",
        "lower",
        "Share of items with a flawed reason, of the flaws that the labeller tests and was not "
        "measured to know too badly; an answer without reasons counts as flawed.",
        _any,
        label="items with a flawed reason",
        title="Any flaw",
        short="any flaw",
        shown={"claims": 60, "training_curve": 40},
        followed=Followed("items"),
    ),
    _category_spec(
        "category.EG",
        "share",
        "higher",
        _category_definition("EG"),
        partial(_category, index=CATEGORY_NAMES.index("EG")),
        label="reasons with evidence",
        title="Grounded reasons",
        gloss="point into the responses",
        short="evidence",
        shown={
            "terminal": 110,
            "report": 60,
            "report_curves": 30,
            "model_card": 50,
            "repair_card": 90,
            "claims": 50,
            "training_curve": 30,
            "calibrate": 50,
        },
    ),
    _category_spec(
        "category.CG",
        "share",
        "none",
        _category_definition("CG"),
        partial(_category, index=CATEGORY_NAMES.index("CG")),
        label="a criterion, no place or word",
        title="Criterion only",
    ),
    _category_spec(
        "category.GS",
        "share",
        "lower",
        _category_definition("GS"),
        partial(_category, index=CATEGORY_NAMES.index("GS")),
        label="generic or style",
        title="Generic or style",
    ),
)
