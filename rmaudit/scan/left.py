"""How many model calls a scan still has to make: all of its plan, less what an earlier start made.

A row that a resume takes out, since nothing came back, counts as not made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rmaudit.judging.asker import answered
from rmaudit.nulls.lists import NULLS
from rmaudit.records import ANSWERED, SETTLED, Generation, Key
from rmaudit.run.directory import MANIFEST, RunDir
from rmaudit.run.files import (
    CEILINGS,
    FLAWS,
    GENERATIONS,
    MATCHES,
    NULL_LISTS,
    SCORES,
    VERDICTS,
)
from rmaudit.run.halves import answered_pairs, pair_of
from rmaudit.run.null_rows import null_items, null_key
from rmaudit.run.results import chance_partners
from rmaudit.run.rows import VerdictRow
from rmaudit.scan.grading import match_stays
from rmaudit.scan.measures import plan_measures
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.probe_stage import probes_left


def calls_left(plan: ScanPlan) -> int:
    """Model calls at most that the plan still makes; all of them where nothing is resumed.

    Raises:
        InputError: a row of the run that is resumed is damaged.
    """
    if not (plan.config.resume and (plan.out / MANIFEST).is_file()):
        return plan.calls
    run = RunDir.open(plan.out)
    if plan.target.scorer is not None:
        return plan.calls - sum(1 for _ in run.rows(SCORES))
    made = {row.key for row in run.rows(GENERATIONS) if generation_stays(row)}
    whole = answered_pairs(made)
    read = [row for row in run.rows(VERDICTS) if row.key in whole]
    silent = {row.key for row in read if row.judgment.outcome not in ANSWERED}
    target = sum(request.key not in made for request in plan.requests)
    judged = {row.key for row in run.rows(MATCHES) if match_stays(row)}
    labelled = {row.key for row in run.rows(FLAWS) if answered(row.labels.failure)}
    open_ = replace(
        plan,
        requests=tuple(r for r in plan.requests if pair_of(r.key) not in silent),
    )
    return (
        target
        + _judge_calls(open_, judged & whole, run)
        + _without(open_, labelled & whole).label_calls
        + (_atomise_left(open_, read) if plan.atomiser else 0)
        + _measures_left(plan, run, whole)
    )


def _atomise_left(plan: ScanPlan, read: Sequence[VerdictRow]) -> int:
    """Of rows whose rationale was not split yet; what needs no call is not known before."""
    done = {row.key for row in read if {"atomised", "not_atomised"} & set(row.judgment.flags)}
    return sum(key not in done for key in plan.keys)


def generation_stays(row: Generation) -> bool:
    """Whether a resume keeps an answer: it came, or its error would come again."""
    return row.finish_reason != "error" or row.error in SETTLED


def _without(plan: ScanPlan, done: set[Key]) -> ScanPlan:
    """The plan without the requests of some rows."""
    return replace(plan, requests=tuple(r for r in plan.requests if pair_of(r.key) not in done))


def _judge_calls(plan: ScanPlan, done: set[Key], run: RunDir) -> int:
    """Of the judge: those of rows that have no matching yet, of the ceiling and of the lists."""
    every = plan.judge_calls
    if not every:
        return 0
    items = {item.id for item in plan.items if item.reasons}
    drawn = chance_partners(plan.items, seed=plan.config.seed, most=plan.judge.traits.chance_items)
    matched = sum((key.item in items) + (key.item in drawn) for key in plan.keys if key in done)
    ceilings = sum(answered(row.matches.failure) for row in run.rows(CEILINGS))
    wanted = {
        null_key(item.id, name)
        for item in null_items(plan.items, most=plan.nulls.items)
        for name in NULLS
    }
    lists = sum(row.key in wanted and answered(row.matches.failure) for row in run.rows(NULL_LISTS))
    return max(every - matched - ceilings - lists, 0)


def _measures_left(plan: ScanPlan, run: RunDir, made: set[Key]) -> int:
    """Of the measures: at most for answers that are not there, exactly for those that are."""
    if not plan.measures:
        return 0
    left = probes_left(plan, run, made)
    for order in plan.orders:
        there = {key.item for key in made if key.order == order and _probed(key)}
        open_ = [item for item in plan.items if item.id not in there]
        more = plan_measures(
            plan.config, plan.target, open_, plan.judge, orders=1, sampling=plan.sampling
        )
        left += sum(measure.calls + measure.judge_calls for measure in more)
    return left


def _probed(key: Key) -> bool:
    return key.variant == "base" and key.slot == "pair" and not key.sample
