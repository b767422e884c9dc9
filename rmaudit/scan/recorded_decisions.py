"""The steps of a scan that only recorded outputs have: taking scores, comparing decisions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rmaudit.parsing.decisions import Difference, by_score, difference, with_decision
from rmaudit.parsing.verdicts import verdict_places
from rmaudit.recordings.recording import Recording
from rmaudit.records import Judgment, Key, Metric
from rmaudit.run.directory import RunDir
from rmaudit.run.files import DIFFERENCES, SCORES, VERDICTS
from rmaudit.run.rows import ScoreRow, VerdictRow
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.recorded_rows import with_its_reasons


class Compared(NamedTuple):
    """How many recorded decisions were held against our verdicts, and how many differ."""

    compared: int
    differ: int

    @property
    def sentence(self) -> str:
        """Both counts in words."""
        if not self.differ:
            return f"Read here, all {self.compared:,} recorded decisions come out the same."
        verb = "differs" if self.differ == 1 else "differ"
        return (
            f"Read here, {self.differ:,} of {self.compared:,} recorded decisions {verb}: "
            f"see {DIFFERENCES.name} in the run."
        )


def take_scores(plan: ScanPlan, run: RunDir) -> None:
    """Writes scores.jsonl, and a verdict for each pair and order by the larger score.

    A pair and order that the file does not hold is an `error`, as an answer that is not recorded.
    """
    run.write_rows(SCORES, _score_rows(plan))
    run.write_rows(VERDICTS, _verdict_rows(plan))


def _score_rows(plan: ScanPlan) -> Iterator[ScoreRow]:
    recorded = plan.target.recorded_scores
    for item in plan.items:
        found = {
            order: scores
            for order in plan.orders
            if (scores := recorded.get(Key(item.id, order=order))) is not None
        }
        for side in ("a", "b"):
            by_order: dict[str, float] = {order: scores.of(side) for order, scores in found.items()}
            for score in list(by_order.values())[:1]:
                yield ScoreRow(Key(item.id, slot=side, order=None), score, by_order)


def _verdict_rows(plan: ScanPlan) -> Iterator[VerdictRow]:
    recorded = plan.target.recorded_scores
    for request in plan.requests:
        scores = recorded.get(request.key)
        judgment = (
            Judgment(None, "error")
            if scores is None
            else by_score(*scores, lower_is_better=plan.config.lower_is_better)
        )
        yield VerdictRow(request.key, settle(plan, request.key, judgment))


def settle(plan: ScanPlan, key: Key, judgment: Judgment) -> Judgment:
    """The judgment as it counts: as read, or with the recorded decision (`--verdicts recorded`)."""
    recording = plan.target.recording
    if recording is None:
        return judgment
    most = plan.config.max_reasons
    judgment = with_its_reasons(recording, key, judgment, max_reasons=most)
    if plan.config.verdicts == "parsed":
        return judgment
    return with_decision(judgment, recording.decisions.get(key))


def own_numbers(plan: ScanPlan, used: int | None) -> dict[str, Metric]:
    """What the public scripts make of a file, over the items that count; none of other targets."""
    recording = plan.target.recording
    if recording is None or recording.own_numbers is None:
        return {}
    return recording.own_numbers({item.id for item in plan.items[:used]})


def compare_decisions(plan: ScanPlan, run: RunDir) -> Compared | None:
    """Holds our verdicts against the recorded decisions; writes each difference with its reason.

    None where nothing is compared: no decisions, or they are what counts.
    """
    recording = plan.target.recording
    if recording is None or not recording.decisions or plan.config.verdicts == "recorded":
        return None
    rows = [row for row in run.rows(VERDICTS) if row.key in recording.decisions]
    found = [_difference(recording, row) for row in rows]
    differ = [one for one in found if one is not None]
    run.write_rows(DIFFERENCES, differ)
    return Compared(len(rows), len(differ))


def _difference(recording: Recording, row: VerdictRow) -> Difference | None:
    recorded = recording.decisions[row.key]
    stated = None
    if not recording.scored and recorded != row.judgment.verdict:
        answer = recording.generations.get(row.key)
        places = verdict_places(answer.text, names=recording.names) if answer else []
        stated = [text[start:end] for text, start, end in places]
    return difference(row.key, row.judgment, recorded, stated=stated)
