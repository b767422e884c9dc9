"""From the rows of a run to item results, with no model and no judge call."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import islice

from rmaudit.checklists.schema import Item
from rmaudit.metrics.chance import derangement
from rmaudit.metrics.scores import RowKey, RowScores, score_rows
from rmaudit.records import ANSWERED, ItemResult, Key, MatchSet, RowResult
from rmaudit.run.rows import MatchRow, VerdictRow

_AT_ONCE = 4096
"""Matchings that are scored together, so that not all matrices of a run are held at once."""


def chance_partners(
    items: Sequence[Item], *, seed: int, most: int | None = None
) -> dict[str, Item]:
    """For each item with references, another of its domain and family whose references it gets.

    Args:
        items: in the seeded order of the run, so that the first of them are a random sample.
        seed: of the pairing.
        most: so many items at most, the first that have a partner.
    """
    judged = [item for item in items if item.reasons]
    partners = derangement([(item.domain, item.family) for item in judged], seed=seed)
    paired = (
        (item.id, judged[partner])
        for item, partner in zip(judged, partners, strict=True)
        if partner is not None
    )
    return dict(islice(paired, most))


def item_results(
    items: Sequence[Item],
    verdicts: Iterable[VerdictRow],
    matches: Iterable[MatchRow],
    *,
    chance_drawn: Container[str],
    gives_reasons: bool = True,
) -> tuple[list[ItemResult], dict[RowKey, RowScores]]:
    """One result an item, in the order of `items`, and the scores of its rows.

    Args:
        items: the items of the run.
        verdicts: all rows of the run; those of other variants than base are left alone.
        matches: the matchings; an answered row of an item with references that has none failed.
        chance_drawn: ids of the items whose reasons also meet another item's references.
        gives_reasons: False for a score-only model: nothing was put to the judge.
    """
    rows: dict[str, list[VerdictRow]] = {item.id: [] for item in items}
    for verdict in verdicts:
        if verdict.key.variant == "base":
            rows[verdict.key.item].append(verdict)
    verdict_of = {_row_key(row.key): row for item_rows in rows.values() for row in item_rows}
    drawn = {key for key in verdict_of if gives_reasons and key[0] in chance_drawn}
    references = {item.id: len(item.reasons) for item in items}
    judged: dict[RowKey, str | None] = {}
    scores: dict[RowKey, RowScores] = {}
    base = (row for row in matches if row.key.variant == "base")
    while part := {_row_key(row.key): row for row in islice(base, _AT_ONCE)}:
        for key, row in part.items():
            if key in verdict_of:
                part[key] = _without_reasons(verdict_of[key], row, references)
        judged |= {key: row.matches.failure for key, row in part.items()}
        scores |= score_rows(
            {key: row.matches for key, row in part.items()},
            {key: _chance(row) for key, row in part.items() if key in drawn},
            {key: row.human for key, row in part.items() if row.human is not None},
        )
    unjudged = {key: _chance(None) for key in drawn - judged.keys()}
    scores |= score_rows({}, unjudged)
    results = [
        ItemResult(
            item=item.id,
            group=item.cluster,
            domain=item.domain,
            label=item.label,
            rows=tuple(
                _row_result(item, verdict, judged, scores, gives_reasons=gives_reasons)
                for verdict in sorted(
                    rows[item.id], key=lambda row: (row.key.order or "", row.key.sample)
                )
            ),
        )
        for item in items
    ]
    return results, scores


def _without_reasons(verdict: VerdictRow, row: MatchRow, references: Mapping[str, int]) -> MatchRow:
    """The matching of an answer that gives no reasons: nothing matches, though the judge failed."""
    if verdict.judgment.outcome not in ANSWERED or verdict.judgment.reasons:
        return row
    nothing: tuple[tuple[float, ...], ...] = ((),) * references[verdict.key.item]
    if row.matches.failure is not None:
        row = row._replace(matches=MatchSet(nothing, ()))
    if row.chance_failure is not None:
        row = row._replace(chance=nothing, chance_failure=None)
    return row


def _chance(row: MatchRow | None) -> MatchSet:
    """The chance matrix of a row, or a failure where it was drawn and could not be had."""
    if row is None or row.chance is None:
        failure = None if row is None else row.chance_failure
        return MatchSet((), (), failure=failure or "not measured")
    return MatchSet(row.chance, ())


def _row_result(
    item: Item,
    verdict: VerdictRow,
    judged: Mapping[RowKey, str | None],
    scores: Mapping[RowKey, RowScores],
    *,
    gives_reasons: bool,
) -> RowResult:
    key, judgment = verdict.key, verdict.judgment
    answered = judgment.outcome in ANSWERED
    score = scores.get(_row_key(key), RowScores())
    failure = None
    if not answered:
        failure = f"target: {judgment.outcome}"
    elif gives_reasons and item.reasons and _row_key(key) not in judged:
        failure = "judge: not judged"
    elif (lost := judged.get(_row_key(key))) is not None:
        failure = f"judge: {lost}"
    correct = judgment.verdict == item.label if answered and item.label is not None else None
    return RowResult(
        order=key.order,
        sample=key.sample,
        outcome=judgment.outcome,
        verdict=judgment.verdict,
        correct=correct,
        rc=score.rc,
        ap=score.ap,
        n_reasons=len(judgment.reasons),
        n_refs=len(item.reasons),
        flags=judgment.flags,
        failure=failure,
    )


def _row_key(key: Key) -> RowKey:
    return key.item, key.order, key.sample
