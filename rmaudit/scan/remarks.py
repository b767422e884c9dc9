"""What became of the model calls of a scan."""

from __future__ import annotations

from collections import Counter

from rmaudit.metrics.conflicts import conflicts
from rmaudit.scan.cost import at_endpoint
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.scan import Scanned


def remarks(plan: ScanPlan, scanned: Scanned) -> list[str]:
    """What went another way than asked: failed requests, options that a server refused.

    And that the judge is not qualified, and what answers that contradict themselves could change,
    since neither stands beside a number of the table.
    """
    told = []
    if unqualified := scanned.run.manifest().judge.unqualified:
        told.append(f"the judge is {unqualified}: rationale metrics rest on it")
    if warning := conflicts(scanned.results).warning:
        told.append(warning)
    failed = sum(row.outcome == "error" for result in scanned.results for row in result.rows)
    if failed and at_endpoint(plan):
        told.append(f"{failed} requests failed; --resume asks them again")
    failures = Counter(
        row.failure.removeprefix("judge: ")
        for result in scanned.results
        for row in result.rows
        if row.failure is not None and row.failure.startswith("judge: ")
    )
    if failures:
        cause, _ = failures.most_common(1)[0]
        told.append(
            f"the judge failed on {failures.total()} answers, which are left out and bounded; "
            f"most often: {cause}"
        )
    for name in plan.target.engine.describe().get("not_sent", ()):
        told.append(f"the endpoint refuses {name}: it samples with its own")
    return told
