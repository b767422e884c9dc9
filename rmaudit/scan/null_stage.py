"""The stage of the lists that read nothing: what the run's own judge gives them.

It runs after the judge's own stage, on the first items of the run that have references. Scans of
one set by one judge put the same lists to it: a model's answers are in its cache, those of a judge
without a model are kept here while the program runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing

from rmaudit.checklists.load import dump_item
from rmaudit.judging.asker import answered
from rmaudit.judging.metajudge import Judge, JudgeAnswer, JudgeRequest, matching_of
from rmaudit.nulls.lists import NULLS
from rmaudit.progress import Progress
from rmaudit.records import Key
from rmaudit.run.directory import RunDir
from rmaudit.run.files import NULL_LISTS
from rmaudit.run.null_rows import null_items, null_key, null_reasons
from rmaudit.run.rows import NullRow
from rmaudit.scan.plan import ScanPlan

STAGE = "nulls"
MOST_KEPT = 10_000
_KNOWN: dict[str, JudgeAnswer] = {}


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
        with closing(_answers(plan.judge, missing)) as answers:
            for answer in answers:
                reasons = every[answer.key].reasons
                matches = matching_of(answer, n_reasons=len(reasons))
                file.write(NullRow(answer.key, reasons, matches, answer.use))
                progress.step(STAGE)
    progress.end(STAGE)


def _answers(judge: Judge, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
    if judge.traits.calls:
        yield from judge.judge(requests)
        return
    asked: dict[Key, str] = {}
    new = []
    for request in requests:
        content = _content(judge, request)
        if content in _KNOWN:
            yield _KNOWN[content]
        else:
            asked[request.key] = content
            new.append(request)
    for answer in judge.judge(new):
        if answer.failure is None and len(_KNOWN) < MOST_KEPT:
            _KNOWN[asked[answer.key]] = answer
        yield answer


def _content(judge: Judge, request: JudgeRequest) -> str:
    """A hash of all that decides the answer of a judge without a model."""
    parts = (judge.identity(), dump_item(request.item), request.key, request.reasons)
    return hashlib.sha256(repr(parts).encode(errors="surrogatepass")).hexdigest()


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
