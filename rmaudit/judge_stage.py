"""The judge's stage of a scan: verdict rows in, rows of matches.jsonl out, each as it is ready."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from typing import Any

from rmaudit.checklists.schema import Item
from rmaudit.judging.llm import NO_ANSWER
from rmaudit.judging.metajudge import JudgeAnswer, JudgeRequest, matching_of
from rmaudit.pipeline import Handover
from rmaudit.plan import Plan
from rmaudit.progress import Progress
from rmaudit.records import ANSWERED, Key
from rmaudit.results import chance_partners
from rmaudit.rows import JudgeUse, MatchRow, VerdictRow, key_of, match_of, match_row, verdict_of
from rmaudit.rundir import CEILINGS, MATCHES, VERDICTS, RunDir

STAGE = "match"


def judge_rows(plan: Plan, run: RunDir, progress: Progress, fresh: Handover[VerdictRow]) -> None:
    """Matchings that are missing, for answered rows of items that have references.

    Args:
        plan: the scan.
        run: its directory; the only writer of matches.jsonl is here.
        progress: told of each row.
        fresh: verdicts that are still being made.

    Raises:
        RmauditError: the judge or the disk failed; finished rows are kept.
        Stopped: the other stage failed; finished rows are kept.
    """
    with run.append(MATCHES) as matches:
        done = {key_of(row) for row in run.rows(MATCHES)}
        stage = _Stage(plan, progress, done)
        with closing(plan.judge.judge(stage.requests(_verdicts(run, fresh)))) as answers:
            for answer in answers:
                row = stage.receive(answer)
                if row is not None:
                    matches.write(match_row(row))
                    progress.step(STAGE)
                fresh.check()
    progress.end(STAGE)


def _verdicts(run: RunDir, fresh: Handover[VerdictRow]) -> Iterator[VerdictRow]:
    """Those on disk, those that come, and those that the full queue passed over; some twice."""
    yield from (verdict_of(row) for row in run.rows(VERDICTS))
    yield from fresh
    if fresh.passed_over:
        yield from (verdict_of(row) for row in run.rows(VERDICTS))


class _Stage:
    """Requests for each row, and the row once all its answers are there."""

    def __init__(self, plan: Plan, progress: Progress, done: set[Key]) -> None:
        self._items = {item.id: item for item in plan.items}
        self._partners = chance_partners(
            plan.items, seed=plan.config.seed, most=plan.judge.traits.chance_items
        )
        self._progress = progress
        self._seen = set(done)
        self._open: dict[Key, _Open] = {}
        self._total = sum(bool(self._items[request.key.item].reasons) for request in plan.requests)
        progress.begin(STAGE, total=self._total, done=len(done))

    def requests(self, verdicts: Iterator[VerdictRow]) -> Iterator[JudgeRequest]:
        """One request for each row that wants judging, a second where chance is measured."""
        for verdict in verdicts:
            key, item = verdict.key, self._items[verdict.key.item]
            if key in self._seen:
                continue
            self._seen.add(key)
            if not item.reasons:
                continue
            if verdict.judgment.outcome not in ANSWERED:
                self._total -= 1
                self._progress.expect(STAGE, total=self._total)
                continue
            partner, reasons = self._partners.get(item.id), verdict.judgment.reasons
            self._open[key] = _Open(len(reasons), partner)
            yield JudgeRequest(key, item, item, reasons)
            if partner is not None:
                yield JudgeRequest(key, item, partner, reasons, "chance")

    def receive(self, answer: JudgeAnswer) -> MatchRow | None:
        """The row that this answer completes."""
        one = self._open[answer.key]
        if answer.purpose == "match":
            one.match = answer
        else:
            one.chance = answer
        if one.match is None or (one.partner is not None and one.chance is None):
            return None
        del self._open[answer.key]
        return _row(one.match, one.chance, partner=one.partner, n_reasons=one.n_reasons)


class _Open:
    """A row that waits for answers."""

    def __init__(self, n_reasons: int, partner: Item | None) -> None:
        self.n_reasons, self.partner = n_reasons, partner
        self.match: JudgeAnswer | None = None
        self.chance: JudgeAnswer | None = None


def _row(
    match: JudgeAnswer, chance: JudgeAnswer | None, *, partner: Item | None, n_reasons: int
) -> MatchRow:
    matches = matching_of(match, n_reasons=n_reasons)
    if chance is None or partner is None:
        return MatchRow(match.key, matches, use=match.use)
    return MatchRow(
        match.key,
        matches,
        chance_item=partner.id,
        chance=chance.matrix if chance.failure is None else None,
        chance_raw=chance.raw,
        chance_failure=chance.failure,
        use=match.use.plus(chance.use),
    )


def drop_unanswered(run: RunDir) -> None:
    """Takes out rows that the judge's engine did not answer, so that they are asked again."""
    rows = list(run.rows(MATCHES))
    kept = [
        row
        for row in rows
        if not any(
            (row.get(name) or "").startswith(NO_ANSWER) for name in ("failure", "chance_failure")
        )
    ]
    if len(kept) < len(rows):
        run.write_rows(MATCHES, kept)


def judge_counts(run: RunDir) -> dict[str, Any]:
    """What the judge did over all starts of the run, for the manifest."""
    total, rows, failures, cached = JudgeUse(), 0, 0, 0
    for row in map(match_of, chain(run.rows(MATCHES), run.rows(CEILINGS))):
        total = total.plus(row.use)
        rows += 1
        failures += (row.matches.failure is not None) + (row.chance_failure is not None)
        cached += row.use.cached
    return {"rows": rows, "failures": failures, **total._asdict(), "cached": cached}
