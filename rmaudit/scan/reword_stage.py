"""The reasons of answers in a model's words, for the measure of causality."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from types import MappingProxyType

from rmaudit.judging.llm import LlmJudge
from rmaudit.probing.continuation import layout
from rmaudit.probing.reword_model import question
from rmaudit.progress import Progress
from rmaudit.records import Key
from rmaudit.run.directory import RunDir
from rmaudit.run.files import PROBES
from rmaudit.run.rows import VerdictRow
from rmaudit.scan.measures import rewords
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.verdict_stage import responses_shown

NO_WORDS: Mapping[Key, str] = MappingProxyType({})


def to_reword(
    plan: ScanPlan, run: RunDir, base: Iterable[VerdictRow], texts: Mapping[Key, str]
) -> dict[Key, str]:
    """The reasons that a model is still to reword, by answer; none where no model does."""
    if not rewords(plan.judge):
        return {}
    asked = {row.key for row in run.rows(PROBES) if row.condition == "reworded"}
    items, names = {item.id: item for item in plan.items}, plan.target.names
    found = {}
    for verdict in base:
        key = verdict.key
        if key in asked or verdict.judgment.verdict not in ("a", "b"):
            continue
        shown = responses_shown(items[key.item], key)
        parts = layout(texts[key], responses=shown, names=names, grammar=plan.target.reads)
        if not isinstance(parts, str):
            found[key] = parts.reasons
    return found


def reword_all(
    plan: ScanPlan,
    run: RunDir,
    base: Iterable[VerdictRow],
    texts: Mapping[Key, str],
    progress: Progress,
) -> dict[Key, str]:
    """The reworded reasons by answer; where the model failed, none, so that a rule rewords them."""
    wanted = to_reword(plan, run, base, texts)
    if not wanted or not isinstance(plan.judge, LlmJudge):
        return {}
    questions = (question(key, text, names=plan.target.names) for key, text in wanted.items())
    found = {}
    progress.begin("reword", total=len(wanted), done=0)
    with closing(plan.judge.asker.ask(questions)) as replies:
        for reply in replies:
            if reply.value is not None:
                found[reply.request] = reply.value
            progress.step("reword")
    progress.end("reword")
    if len(found) < len(wanted):
        progress.note(
            f"{len(wanted) - len(found)} of {len(wanted)} answers are reworded by rule: the "
            "judge's model kept their words or changed a fact"
        )
    return found
