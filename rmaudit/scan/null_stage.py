"""The stage of the lists that read nothing: what the run's own judge gives them.

It runs after the judge's own stage, on the first items of the run that have references.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from rmaudit.judging.asker import answered
from rmaudit.judging.metajudge import JudgeRequest, matching_of
from rmaudit.nulls.lists import NULLS
from rmaudit.progress import Progress
from rmaudit.run.directory import RunDir
from rmaudit.run.files import NULL_LISTS
from rmaudit.run.null_rows import null_items, null_key, null_reasons
from rmaudit.run.rows import NullRow
from rmaudit.scan.plan import ScanPlan

STAGE = "nulls"


def null_rows(plan: ScanPlan, run: RunDir, progress: Progress) -> None:
    """Rows that are missing in nulls.jsonl; nothing where the judge cannot be asked.

    Raises:
        RmauditError: the judge or the disk failed; finished rows are kept.
    """
    every = {request.key: request for request in _requests(plan)}
    if not every:
        return
    with run.append(NULL_LISTS) as file:
        done = {row.key for row in run.rows(NULL_LISTS)}
        missing = [request for key, request in every.items() if key not in done]
        progress.begin(STAGE, total=len(every), done=len(every) - len(missing))
        with closing(plan.judge.judge(missing)) as answers:
            for answer in answers:
                reasons = every[answer.key].reasons
                matches = matching_of(answer, n_reasons=len(reasons))
                file.write(NullRow(answer.key, reasons, matches, answer.use))
                progress.step(STAGE)
    progress.end(STAGE)


def _requests(plan: ScanPlan) -> Iterator[JudgeRequest]:
    for item in null_items(plan.items, most=plan.nulls.items):
        for name in NULLS:
            reasons = null_reasons(
                item, name, max_reasons=plan.config.max_reasons, seed=plan.config.seed
            )
            yield JudgeRequest(null_key(item.id, name), item, item, reasons, "null")


def drop_unanswered_nulls(run: RunDir) -> None:
    """Takes out rows that a model's engine did not answer, so that they are asked again."""
    run.keep_rows(NULL_LISTS, lambda row: answered(row.matches.failure))
