"""How much consistency would wrong references give: rc against another item's references.

Generic reasons fit many items. Pairing every item with another one of its stratum (same domain,
same family of items) and matching its reasons to that item's references measures how much of rc
is owed to that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from functools import partial

import numpy as np

from rmaudit.metrics.arrays import BoolArray
from rmaudit.metrics.estimand import Estimand, Fill, per_item
from rmaudit.metrics.rationale import NO_REASONS_GIVEN, applies
from rmaudit.metrics.spec import Followed, MetricSpec
from rmaudit.metrics.table import Table

NOT_DRAWN = "chance was not measured: it needs two items with references in one stratum"


def derangement(strata: Sequence[Hashable], *, seed: int) -> tuple[int | None, ...]:
    """Pair each item with another of its stratum, none with itself, each used once.

    A seeded shuffle of each stratum, shifted by one. An item alone in its stratum has no partner.

    Args:
        strata: the stratum of each item, such as (domain, family), in a stable order of items.
        seed: of the shuffles.

    Returns:
        The index of each item's partner, None where there is none.
    """
    members: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index, stratum in enumerate(strata):
        members[stratum].append(index)
    rng = np.random.default_rng(seed)
    partner: list[int | None] = [None] * len(strata)
    for indices in members.values():
        if len(indices) > 1:
            shuffled = [int(k) for k in rng.permutation(indices)]
            for item, other in zip(shuffled, shuffled[1:] + shuffled[:1], strict=True):
                partner[item] = other
    return tuple(partner)


def _drawn(table: Table) -> BoolArray:
    """Rows where chance was measured or should have been."""
    return applies(table) & (~np.isnan(table.rows.chance) | table.rows.chance_failed)


def _chance(table: Table) -> Estimand:
    failed = table.rows.chance_failed
    return per_item(
        table.row_units,
        table.rows.chance,
        used=_drawn(table) & ~failed,
        lost=_drawn(table) & failed,
        why=NOT_DRAWN if table.gives_reasons else NO_REASONS_GIVEN,
    )


def _above_chance(table: Table) -> Estimand:
    """(rc - chance) / (1 - chance) = mean(rc_i - chance_i) / mean(1 - chance_i), same rows."""
    rows = table.rows
    known = ~rows.lost & ~rows.chance_failed & ~np.isnan(rows.rc)
    return per_item(
        table.row_units,
        rows.rc - rows.chance,
        1.0 - rows.chance,
        used=_drawn(table) & known,
        lost=_drawn(table) & ~known,
        why=NOT_DRAWN if table.gives_reasons else NO_REASONS_GIVEN,
        low=Fill(-1.0, 0.0),  # rc 0, chance 1
        high=Fill(1.0, 1.0),  # rc 1, chance 0
    )


_spec = partial(
    MetricSpec,
    reader="judge",
    alike=("judge", "max_reasons"),
    topic="Reasons against the references",
    needs="two items with reasons in one domain and family",
)

METRICS = (
    _spec(
        "rc.chance",
        "score",
        "lower",
        "Rationale consistency against the references of another item of the same domain and "
        "family: what reasons that would fit any item earn.",
        _chance,
        followed=Followed("items"),
    ),
    _spec(
        "rc.above_chance",
        "score",
        "higher",
        "(rc - chance) / (1 - chance) over the items where chance was measured.",
        _above_chance,
        (-1.0, 1.0),
        label="above chance",
        inset=True,
        title="Above chance",
        shown={"terminal": 40, "repair_card": 30},
    ),
)
