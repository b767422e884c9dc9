"""What every arm writes into fix.json: the scans before and after, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rmaudit.compare.as_json import pair_json
from rmaudit.compare.pair import PairComparison
from rmaudit.fix.folder import Folder
from rmaudit.fix.side_by_side import moved
from rmaudit.fix.verdict import Verdict
from rmaudit.gate.decision import Decision
from rmaudit.run.directory import RunDir


def came_out(
    folder: Folder,
    also: Sequence[str],
    pairs: Sequence[PairComparison],
    decisions: Sequence[Decision],
    verdict: Verdict,
) -> dict[str, Any]:
    """Comparisons, changed items, decisions and verdict; paths are relative to the folder.

    Args:
        folder: of the repair.
        also: SPECs of the outside sets.
        pairs: before and after, on the evaluation set, then on each of `also`.
        decisions: of each policy on the run after.
        verdict: that follows.
    """
    return {
        "before": "before",
        "after": "after",
        "comparison": pair_json(pairs[0]),
        "moved": moved(RunDir(folder.run("before")), RunDir(folder.run("after"))),
        "also": [
            {
                "set": spec,
                "before": f"also/{number}/before",
                "after": f"also/{number}/after",
                "comparison": pair_json(pair),
            }
            for number, (spec, pair) in enumerate(zip(also, pairs[1:], strict=True), start=1)
        ],
        "decisions": [
            {"policy": one.policy["name"], "verdict": one.verdict, "sentence": one.sentence}
            for one in decisions
        ],
        "verdict": verdict.status,
        "sentence": verdict.sentence,
        "exit_code": verdict.exit_code,
    }
