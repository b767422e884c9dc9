"""Does a score move when a fault is mended: the test of reasons for models that give none.

For reason r about response y, D = score(y with that fault mended) - score(y). How far a score moves
for nothing is measured on neutral edits, which change words or layout and mend nothing: tau is the
95th percentile of their |score(edit) - score(y)| in the item's domain, among edits that change the
length no more than the repairs do. A repair counts +1 where D > tau, -1 where D < -tau, else 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from rmaudit.metrics.estimand import Estimand, Fill, not_applicable, per_item
from rmaudit.metrics.spec import MetricSpec
from rmaudit.metrics.table import Table
from rmaudit.taxonomy import NOT_ASKED

LEVEL = 0.95
FEWEST_EDITS = 40
"""With fewer neutral edits in a domain the 95th percentile rests on one or two of them."""
NO_REPAIRS = (
    f"{NOT_ASKED}no response was scored with a single fault mended; scan --sensitivity N asks a "
    "model that writes verdicts"
)
FINE = 4
COARSE = f"coarse: from verdicts and their strength, of fewer than {FINE} samples"
FEW_EDITS = f"fewer than {FEWEST_EDITS} neutral edits of like length in each domain"
NO_CHAINS = "no item has repairs that mend one fault after another"


class Edit(NamedTuple):
    """A scored edit of a response.

    moved: score of the edit less that of the response, higher being better; None where either was
    not scored. longer: characters that the edit adds.
    """

    moved: float | None
    longer: int


def threshold(neutral: Sequence[Edit], repairs: Sequence[Edit]) -> float | None:
    """How far a score moves for nothing; None where too few edits say so.

    Edits whose change in length is greater than that of nearly all repairs (their 95th percentile)
    are left aside: a longer edit moves a score further.
    """
    if not repairs:
        return None
    most = float(np.quantile([abs(one.longer) for one in repairs], LEVEL))
    moved = [abs(one.moved) for one in neutral if one.moved is not None and abs(one.longer) <= most]
    if len(moved) < FEWEST_EDITS:
        return None
    return float(np.quantile(moved, LEVEL))


def sign(moved: float, tau: float) -> int:
    """+1 where the score rises by more than tau, -1 where it falls by more, else 0."""
    return int(moved > tau) - int(moved < -tau)


def _reason_sensitivity(table: Table) -> Estimand:
    facts = table.facts
    found = per_item(
        table.row_units,
        facts.sensitivity,
        used=~np.isnan(facts.sensitivity),
        lost=facts.sensitivity_lost,
        why=FEW_EDITS if facts.few_edits.any() else NO_REPAIRS,
        low=Fill(-1.0),
    )
    coarse = np.isnan(facts.scores).all() and table.rows.sample.max(initial=0) + 1 < FINE
    return found._replace(note=COARSE if coarse else "")


def _saturated(table: Table) -> Estimand:
    facts = table.facts
    used = ~np.isnan(facts.saturated)
    if not used.any():
        return not_applicable(NO_REPAIRS)
    return per_item(
        table.row_units,
        facts.saturated,
        used=used,
        lost=np.zeros_like(used),
        why=NO_REPAIRS,
    )


def _monotone(table: Table) -> Estimand:
    facts = table.facts
    used = ~np.isnan(facts.monotone)
    return per_item(
        table.row_units, facts.monotone, used=used, lost=facts.monotone_lost, why=NO_CHAINS
    )


_spec = partial(
    MetricSpec,
    reader=None,
    alike=("items",),
    topic="Reason sensitivity (of scores)",
    counted="items",
    needs="items with repairs and neutral controls, and scores or --sensitivity N",
    since=6,
)

METRICS = (
    _spec(
        "reason_sensitivity",
        "score",
        "higher",
        "P(D > tau) - P(D < -tau) over repairs that mend one fault, as a mean over items; D is how "
        "much the score rises, tau how far it moves for neutral edits, taken as known: 1 reads "
        "every fault, 0 is chance.",
        _reason_sensitivity,
        bounds=(-1.0, 1.0),
        label="reason sensitivity",
        title="Reason sensitivity",
        gloss="the score rises when a fault is mended, by more than for nothing",
        phrase="reason sensitivity",
        format="plain",
        shown={"core": 25, "terminal": 25, "report": 25, "model_card": 25, "claims": 25},
    ),
    _spec(
        "reason_sensitivity.saturated",
        "share",
        "none",
        "Share of such repairs of a response that already has the highest score of the run: on a "
        "scale with an end its score cannot rise, and the repair counts 0 in reason_sensitivity.",
        _saturated,
    ),
    _spec(
        "sensitivity.monotone",
        "share",
        "higher",
        "Share of items whose score never falls as faults are mended one after another.",
        _monotone,
        label="score never falls as faults are mended",
    ),
)
