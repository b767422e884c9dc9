"""Rows of matches.jsonl: what a judge is asked for a verdict row, and the row of its answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from rmaudit.checklists.schema import Item
from rmaudit.judging.metajudge import JudgeAnswer, JudgeRequest, matching_of
from rmaudit.progress import Progress
from rmaudit.records import Key
from rmaudit.run.directory import RunDir
from rmaudit.run.files import CEILINGS, MATCHES, NULL_LISTS
from rmaudit.run.graders import GraderCounts
from rmaudit.run.results import chance_partners
from rmaudit.run.rows import JudgeUse, MatchRow, NullRow, VerdictRow
from rmaudit.scan.grading import Grade
from rmaudit.scan.plan import ScanPlan


class Matching(Grade):
    """For items that have references: one request a row, a second where chance is measured."""

    stage = "match"
    file = MATCHES
    answer = JudgeAnswer

    def __init__(self, plan: ScanPlan, progress: Progress) -> None:
        super().__init__(plan, progress)
        self._partners = chance_partners(
            plan.items, seed=plan.config.seed, most=plan.judge.traits.chance_items
        )
        self._open: dict[Key, _Open] = {}

    def wants(self, key: Key, item: Item) -> bool:
        """See `Grade`."""
        return key.variant == "base" and bool(item.reasons)

    def ask(self, verdict: VerdictRow, item: Item) -> Iterator[JudgeRequest]:
        """See `Grade`."""
        partner, reasons = self._partners.get(item.id), verdict.judgment.reasons
        self._open[verdict.key] = _Open(len(reasons), partner)
        yield JudgeRequest(verdict.key, item, item, reasons)
        if partner is not None:
            yield JudgeRequest(verdict.key, item, partner, reasons, "chance")

    def receive(self, answer: JudgeAnswer) -> MatchRow | None:
        """See `Grade`."""
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


def judge_counts(run: RunDir) -> GraderCounts:
    """What the judge did over all starts of the run, for the manifest."""
    total, rows, failures, cached = JudgeUse(), 0, 0, 0
    matched: Iterator[MatchRow] = chain(run.rows(MATCHES), run.rows(CEILINGS))
    lists: Iterator[NullRow] = run.rows(NULL_LISTS)
    for row in chain[MatchRow | NullRow](matched, lists):
        total = total.plus(row.use)
        rows += 1
        failures += row.matches.failure is not None
        failures += isinstance(row, MatchRow) and row.chance_failure is not None
        cached += row.use.cached
    return GraderCounts(rows=rows, failures=failures, **total._asdict() | {"cached": cached})
