"""The steps of a scan of a model that gives scores: each response scored alone, then compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import isfinite

from rmaudit.engines.scores import Scored, ScoreEngine
from rmaudit.errors import InputError, RmauditError
from rmaudit.parsing.decisions import by_score
from rmaudit.progress import Progress
from rmaudit.records import TOO_LONG, Judgment, Key
from rmaudit.run.directory import RunDir
from rmaudit.run.files import SCORES, VERDICTS
from rmaudit.run.manifest import RunManifest
from rmaudit.run.rows import ScoreRow, VerdictRow
from rmaudit.run.sensitivity import SIDES, base_key
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.recorded_decisions import take_scores
from rmaudit.scan.score_requests import prompts_of
from rmaudit.scan.smoke_items import smoke_items

NO_NUMBER = "the score is not a finite number"
WARN_BELOW = 3
"""Of four obvious pairs: one that is wrong can be chance."""


def score_all(plan: ScanPlan, run: RunDir, progress: Progress, manifest: RunManifest) -> None:
    """Scores that are missing, each written as it comes, then the verdict of each pair.

    Recorded scores are taken as they are.

    Raises:
        InputError: no conversation fits into the model's context.
        RmauditError: the engine gave no score at all, or stopped; finished rows are kept.
    """
    scorer = plan.target.scorer
    if scorer is None:
        take_scores(plan, run)
        return
    with run.append(SCORES) as rows:
        found = {row.key: row.score for row in run.rows(SCORES)}
        requests = prompts_of(plan.target, plan.items, plan.requests)
        if not found and not plan.target.scores_pairs:
            _probe(plan, scorer, progress, manifest)
        missing = [request for request in requests if request.key not in found]
        failed: dict[Key, str] = {}
        longest = 0
        progress.begin("score", total=len(requests), done=len(found))
        for scored in map(as_number, scorer.score(missing)):
            longest = max(longest, scored.tokens)
            if scored.score is None:
                failed[scored.key] = scored.error or "error"
            else:
                score = in_item_order(scored.key, scored.score)
                rows.write(ScoreRow(scored.key, score, {}))
                found[scored.key] = score
            progress.step("score", unreadable=scored.score is None)
    progress.end("score")
    if not found:
        _refuse(plan, failed, longest)
    if failed:
        cause, _ = Counter(failed.values()).most_common(1)[0]
        verb = "has" if len(failed) == 1 else "have"
        progress.note(f"{len(failed):,} of {len(requests):,} responses {verb} no score: {cause}")
    run.write_rows(VERDICTS, _verdicts(plan, found, failed))


def as_number(scored: Scored) -> Scored:
    """The same, without a score where that is no finite number: it is above and below none."""
    if scored.score is None or isfinite(scored.score):
        return scored
    return replace(scored, score=None, error=NO_NUMBER)


def _verdicts(
    plan: ScanPlan, found: Mapping[Key, float], failed: Mapping[Key, str]
) -> Iterator[VerdictRow]:
    lower = plan.config.lower_is_better
    for request in plan.requests:
        if plan.target.scores_pairs:
            yield VerdictRow(request.key, _of_margin(request.key, found, failed, lower=lower))
            continue
        keys = [Key(request.key.item, slot=side, order=None) for side in SIDES]
        why = {failed.get(key, "error") for key in keys if key not in found}
        if not why:
            judgment = by_score(*(found[key] for key in keys), lower_is_better=lower)
        else:
            judgment = Judgment(None, "too_long" if why == {TOO_LONG} else "error")
        yield VerdictRow(request.key, judgment)


def in_item_order(key: Key, score: float) -> float:
    """The score of a single response, or the margin of response_a over response_b in any order."""
    return -score if key.order == "ba" else score


def _of_margin(
    key: Key, found: Mapping[Key, float], failed: Mapping[Key, str], *, lower: bool
) -> Judgment:
    """The verdict of a pair in one order: the side that the margin is of; 0 is a tie."""
    if key in found:
        return by_score(found[key], 0.0, lower_is_better=lower)
    return Judgment(None, "too_long" if failed.get(key) == TOO_LONG else "error")


def _probe(plan: ScanPlan, scorer: ScoreEngine, progress: Progress, manifest: RunManifest) -> None:
    """Four obvious pairs: a model that gets them wrong may count costs, or read another chat."""
    if not plan.config.probe:
        return
    items = smoke_items()
    requests = prompts_of(plan.target, items, (), edited=False)
    scores = {one.key: one.score for one in map(as_number, scorer.score(requests))}
    lower = plan.config.lower_is_better
    right = 0
    for item in items:
        a, b = (scores[base_key(item, side)] for side in SIDES)
        if a is not None and b is not None:
            right += by_score(a, b, lower_is_better=lower).verdict == item.label
    manifest.target = manifest.target.adding({"probe": {"asked": len(items), "right": right}})
    if right < WARN_BELOW:
        progress.note(
            f"warning  probe: {right} of {len(items)} obvious pairs are right: is a lower score "
            "better (--lower-is-better), or is the chat template not the one it was trained with?"
        )


def _refuse(plan: ScanPlan, failed: Mapping[Key, str], longest: int) -> None:
    if set(failed.values()) == {TOO_LONG}:
        raise InputError(
            f"no conversation fits: up to {longest} tokens, but the model's context is "
            f"{plan.target.facts.get('context')}",
            "choose a set with shorter responses",
        )
    cause, _ = Counter(failed.values()).most_common(1)[0]
    raise RmauditError(f"none of {len(failed)} responses was scored: {cause}", "mend the cause")
