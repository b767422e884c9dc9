"""What became of the model calls of a scan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rmaudit.metrics.conflicts import conflicts
from rmaudit.records import AnswerKind
from rmaudit.run.files import GENERATIONS
from rmaudit.scan.cost import at_endpoint
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.scan import Scanned


def remarks(plan: ScanPlan, scanned: Scanned) -> list[str]:
    """What went another way than asked: failed requests, options that a server refused.

    And that the judge is not qualified, or was never measured, and what answers that contradict
    themselves could change, since neither stands beside a number of the table.
    """
    told = []
    if standing := scanned.run.manifest().judge_standing:
        told.append(f"the judge is {standing}: rationale metrics rest on it")
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
    told += _by_server(scanned)
    told += _unknown_keys(scanned)
    for who, facts in _endpoints(plan):
        for name in facts.get("not_sent", ()):
            told.append(f"the endpoint of the {who} refuses {name}: it samples with its own")
        if others := facts.get("other_models"):
            told.append(
                f"the {who} is not only {facts['model']}: its endpoint answered as "
                f"{', '.join(others)}"
            )
    return told


_SAID: dict[AnswerKind, str] = {
    "filtered": "kept back by the provider (left out and bounded, not asked for again)",
    "draft": "drafts that the server put in the place of an answer (counted as cut)",
    "tool_calls": "tool calls that nobody asked for (counted as unreadable)",
    "refusal": "refusals in the server's own field",
    "empty": "empty",
}


def _by_server(scanned: Scanned) -> Iterator[str]:
    """What a server said of its answers, beside their texts."""
    counted: Counter[AnswerKind] = Counter(
        row.server.kind
        for row in scanned.run.rows(GENERATIONS)
        if row.server is not None and row.unanswered != "error"
    )
    found = [f"{what}: {counted[kind]:,}" for kind, what in _SAID.items() if counted[kind]]
    if found:
        yield f"answers of the target that were {'; '.join(found)}"


def _endpoints(plan: ScanPlan) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Who is asked at an endpoint, and what was found out about it; each model once."""
    seen = []
    for who, facts in (
        ("target", {"name": plan.target.engine.name} | plan.target.engine.describe()),
        ("judge", plan.judge.describe().get("engine", {})),
        ("labeller", plan.labeler.describe().get("engine", {})),
    ):
        if "served" in facts and facts not in seen:
            seen.append(facts)
            yield who, facts


def _unknown_keys(scanned: Scanned) -> list[str]:
    flags = Counter(
        flag for result in scanned.results for row in result.rows for flag in set(row.flags)
    )
    told = {
        "not_atomised": "rationales could not be split by the judge and keep their sentences",
        "unknown_keys": "JSON answers hold texts under keys that are not known; they were read as "
        "reasons",
        "unread_texts": "JSON answers hold long texts beside their reasons, under keys not "
        "known; they were not read, so that rationale metrics may be too low",
    }
    return [f"{flags[name]:,} {what} (flag {name})" for name, what in told.items() if flags[name]]
