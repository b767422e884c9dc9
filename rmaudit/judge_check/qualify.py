"""Is a model fit to be a judge at all: lists of reasons on ordinary items, in three wordings.

The known truth of the other splits is of program-made items for the most part. A judge that misses
what is worded freely there would call true reasons wrong, so a model that is below either bar here
is not qualified, and whatever cites its card says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rmaudit.judge_check.strata import measure
from rmaudit.judge_check.truth import KnownSplit, few, load_split
from rmaudit.judging.metajudge import Matrix
from rmaudit.judging.metajudge_answer import Claims
from rmaudit.metrics.agreement import SAME
from rmaudit.records import Key
from rmaudit.resources import folder

FILE = "written.jsonl"
ITEMS = 60
"""Items that a judge is asked about unless --limit says less, each in every wording."""
LEAST_ITEMS = 30
"""On fewer a judge can fail, and cannot qualify."""
LEAST_PRECISION, LEAST_RECALL = 0.85, 0.8


def written(*, limit: int | None, seed: int) -> KnownSplit | None:
    """The lists to ask about; None where they do not ship with this installation."""
    path = folder("checklists") / "known_truth" / FILE
    if not path.is_file():
        return None
    return few(load_split("written", path), limit=min(limit or ITEMS, ITEMS), seed=seed)


def qualify(
    split: KnownSplit,
    judged: Mapping[Key, Matrix],
    claims: Mapping[Key, Claims] | None = None,
    *,
    seed: int,
) -> dict[str, Any]:
    """What a card says of these lists; `qualified` where both bars are met, None on too few items.

    The recall of the bar counts what the judge failed on as not found: an answer that cannot be
    used finds nothing, and what was not measured never passes.
    """
    failed = [case for case in split.cases if case.key not in judged]
    found = measure(split.cases, judged, claims, seed=seed)
    precision, recall = found["overall"]["precision"], found["overall"]["recall"]
    positive = sum(_true_pairs(case.matrix) for case in split.cases)
    lost = sum(_true_pairs(case.matrix) for case in failed)
    at_worst = (recall or 0.0) * (positive - lost) / positive if positive else None
    met = {
        "precision": precision is not None and precision >= LEAST_PRECISION,
        "recall": at_worst is not None and at_worst >= LEAST_RECALL,
    }
    items = len({case.item.id for case in split.cases})
    enough = items >= LEAST_ITEMS
    return {
        "sha256": split.sha256,
        "items": items,
        "lists": len(split.cases),
        "failed": len(failed),
        "recall_failed_as_missed": at_worst,
        **found,
        "bars": {"precision": f">= {LEAST_PRECISION}", "recall": f">= {LEAST_RECALL}"},
        "met": met,
        "qualified": (True if enough else None) if all(met.values()) else False,
    }


def _true_pairs(matrix: Matrix) -> int:
    return sum(score >= SAME for row in matrix for score in row)
