"""The steps of a scan of a model that gives scores: each response scored alone, then compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from rmaudit.checklists.schema import Item
from rmaudit.engines.scores import ScoreEngine, ScoreRequest
from rmaudit.errors import InputError, RmauditError
from rmaudit.parsing.decisions import by_score
from rmaudit.progress import Progress
from rmaudit.records import TOO_LONG, Judgment, Key, Side
from rmaudit.run.directory import RunDir
from rmaudit.run.files import SCORES, VERDICTS
from rmaudit.run.manifest import RunManifest
from rmaudit.run.rows import ScoreRow, VerdictRow
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.smoke_items import smoke_items

SIDES: tuple[Side, Side] = ("a", "b")
WARN_BELOW = 3
"""Of four obvious pairs: one that is wrong can be chance."""


def score_requests(items: Iterable[Item]) -> list[ScoreRequest]:
    """The conversation with each response of each item; nothing is said around it."""
    return [
        ScoreRequest(
            Key(item.id, slot=side, order=None),
            (
                *({"role": turn.role, "content": turn.content} for turn in item.prompt),
                {"role": "assistant", "content": item.response(side)},
            ),
        )
        for item in items
        for side in SIDES
    ]


def score_all(plan: ScanPlan, run: RunDir, progress: Progress, manifest: RunManifest) -> bool:
    """Scores that are missing, each written as it comes, then the verdict of each pair.

    Returns:
        False, and nothing is done, where no model runs: the scores are recorded.

    Raises:
        InputError: no conversation fits into the model's context.
        RmauditError: the engine gave no score at all, or stopped; finished rows are kept.
    """
    scorer = plan.target.scorer
    if scorer is None:
        return False
    with run.append(SCORES) as rows:
        found = {row.key: row.score for row in run.rows(SCORES)}
        requests = score_requests(plan.items)
        if not found:
            _probe(plan, scorer, progress, manifest)
        missing = [request for request in requests if request.key not in found]
        failed: dict[Key, str] = {}
        longest = 0
        progress.begin("score", total=len(requests), done=len(found))
        for scored in scorer.score(missing):
            longest = max(longest, scored.tokens)
            if scored.score is None:
                failed[scored.key] = scored.error or "error"
            else:
                rows.write(ScoreRow(scored.key, scored.score, {}))
                found[scored.key] = scored.score
            progress.step("score", unreadable=scored.score is None)
    progress.end("score")
    if not found:
        _refuse(plan, failed, longest)
    run.write_rows(VERDICTS, _verdicts(plan, found, failed))
    return True


def _verdicts(
    plan: ScanPlan, found: Mapping[Key, float], failed: Mapping[Key, str]
) -> Iterator[VerdictRow]:
    sign = -1 if plan.config.lower_is_better else 1
    for request in plan.requests:
        keys = [Key(request.key.item, slot=side, order=None) for side in SIDES]
        why = {failed.get(key, "error") for key in keys if key not in found}
        if not why:
            judgment = by_score(*(sign * found[key] for key in keys))
        else:
            judgment = Judgment(None, "too_long" if why == {TOO_LONG} else "error")
        yield VerdictRow(request.key, judgment)


def _probe(plan: ScanPlan, scorer: ScoreEngine, progress: Progress, manifest: RunManifest) -> None:
    """Four obvious pairs: a model that gets them wrong may count costs, or read another chat."""
    if not plan.config.probe:
        return
    items = smoke_items()
    scores = {one.key: one.score for one in scorer.score(score_requests(items))}
    sign = -1 if plan.config.lower_is_better else 1
    right = 0
    for item in items:
        a, b = (scores[Key(item.id, slot=side, order=None)] for side in SIDES)
        if a is not None and b is not None:
            right += by_score(sign * a, sign * b).verdict == item.label
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
