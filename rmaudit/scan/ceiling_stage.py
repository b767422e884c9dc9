"""The stage of the human ceiling: annotators against each other, and the model against them.

It runs after the judge's own stage, on items with the reasons of two annotators or more.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from rmaudit.judging.asker import answered
from rmaudit.judging.metajudge import JudgeRequest
from rmaudit.progress import Progress
from rmaudit.records import ANSWERED, MatchSet
from rmaudit.run.annotators import LEFT_OUT, Panel, left_out_key
from rmaudit.run.directory import RunDir
from rmaudit.run.files import CEILINGS, VERDICTS
from rmaudit.run.rows import MatchRow, VerdictRow
from rmaudit.scan.plan import ScanPlan

STAGE = "ceiling"


def ceiling_rows(plan: ScanPlan, run: RunDir, progress: Progress) -> None:
    """Matrices that are missing in ceilings.jsonl; nothing where there is no such item.

    Raises:
        RmauditError: the judge or the disk failed; finished rows are kept.
    """
    panel_of = plan.panels
    if not panel_of:
        return
    with run.append(CEILINGS) as file:
        done = {row.key for row in run.rows(CEILINGS)}
        verdicts: dict[str, list[VerdictRow]] = {}
        for row in run.rows(VERDICTS):
            verdicts.setdefault(row.key.item, []).append(row)
        every = [
            request
            for name, panel in panel_of.items()
            for request in _requests(plan, panel, verdicts.get(name, []))
        ]
        missing = [request for request in every if request.key not in done]
        progress.begin(STAGE, total=len(every), done=len(every) - len(missing))
        with closing(plan.judge.judge(missing)) as answers:
            for answer in answers:
                matches = MatchSet(answer.matrix, (), answer.raw, answer.failure)
                file.write(MatchRow(answer.key, matches, use=answer.use))
                progress.step(STAGE)
    progress.end(STAGE)


def _requests(plan: ScanPlan, panel: Panel, rows: list[VerdictRow]) -> Iterator[JudgeRequest]:
    item, most = panel.item, plan.config.max_reasons
    for k in range(len(panel.reasons)):
        key = left_out_key(item.id, k)
        yield JudgeRequest(key, item, panel.others(k), panel.said_by(k, most=most), "ceiling")
    everybody = panel.everybody
    for row in rows:
        if row.key.variant == "base" and row.judgment.outcome in ANSWERED:
            yield JudgeRequest(row.key, item, everybody, row.judgment.reasons, "ceiling")


def drop_stale(run: RunDir) -> None:
    """Takes out rows to be asked again: without an answer, or of a verdict that is gone."""
    known = {row.key for row in run.rows(VERDICTS)}
    run.keep_rows(
        CEILINGS,
        lambda row: (
            answered(row.matches.failure)
            and (row.key.variant.startswith(LEFT_OUT) or row.key in known)
        ),
    )
