"""The judge and the labeller whose work a file of recorded outputs holds. No model, no calls."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import Any

from rmaudit.config import ScanConfig
from rmaudit.judging.card import label_scores
from rmaudit.judging.metajudge import Judge, JudgeAnswer, JudgeRequest, JudgeTraits
from rmaudit.judging.replay import NOT_RECORDED, ReplayJudge
from rmaudit.labelling.protocol import (
    BuiltinLabeler,
    LabelAnswer,
    Labeler,
    LabelerTraits,
    LabelRequest,
)
from rmaudit.metrics.matching import snap_to_grid
from rmaudit.prompts import Template
from rmaudit.recordings.recording import RecordedMatching
from rmaudit.records import Tested
from rmaudit.scan.target import Target

RECORDED = "recorded"


class RecordedJudge(ReplayJudge):
    """Hands over the scores that a file holds.

    The recorded judge named one reason for each reference, so the matrix lacks what it passed over:
    the matching on it can only be too small.
    """

    def __init__(self, target: Target) -> None:
        if target.recording is None:
            raise ValueError("the target holds no recorded matchings")
        self._matchings = target.recording.matchings
        self._digest = target.digest
        self.traits = JudgeTraits(chance_items=0, null_items=0)

    def _answer(self, request: JudgeRequest) -> JudgeAnswer:
        if request.nothing is not None:
            return JudgeAnswer(request.key, request.purpose, request.nothing)
        found = self._matchings.get(request.key, RecordedMatching((), None, NOT_RECORDED))
        if found.failure is not None or request.purpose != "match":
            failure = found.failure or NOT_RECORDED
            return JudgeAnswer(request.key, request.purpose, (), found.raw, failure)
        rows = [[0.0] * len(request.reasons) for _ in request.references.reasons]
        for reference, reason, score in found.edges:
            if reference < len(rows) and reason < len(request.reasons):
                rows[reference][reason] = max(score, rows[reference][reason])
        matrix, _ = snap_to_grid(rows)
        return JudgeAnswer(request.key, request.purpose, matrix, found.raw)

    def identity(self) -> dict[str, Any]:
        """The content of the file."""
        return {"judge": RECORDED, "judge_digest": self._digest}

    def describe(self) -> dict[str, Any]:
        """What the file holds; nobody knows how its judge was prompted here."""
        return {
            "spec": RECORDED,
            "digest": self._digest,
            "approximate": False,
            "recorded": len(self._matchings),
        }


class RecordedLabeler:
    """A labeller, and beside its labels what the file's own judge said by the gold judgments."""

    def __init__(self, labeler: BuiltinLabeler, target: Target) -> None:
        if target.recording is None:
            raise ValueError("the target holds no recorded gold verdicts")
        self._labeler = labeler
        self._gold = target.recording.gold
        self._digest = target.digest
        self.traits = LabelerTraits(frozenset[Tested]({*labeler.traits.tests, "gold"}))

    @property
    def templates(self) -> tuple[Template, ...]:
        """Those of the labeller."""
        return self._labeler.templates

    def label(self, requests: Iterable[LabelRequest]) -> Generator[LabelAnswer, None, None]:
        """The labels of each request with the recorded gold verdict, None where it failed."""
        for answer in self._labeler.label(requests):
            found = self._gold.get(answer.key)
            labels = answer.labels
            if found is None or labels.failure is not None:
                yield answer
                continue
            gold: tuple[Tested, ...] = () if found.gold is None else ("gold",)
            raw = found.raw or found.failure
            yield replace(
                answer,
                labels=replace(labels, tested=(*labels.tested, *gold), gold=found.gold, raw=raw),
            )

    def identity(self) -> dict[str, Any]:
        """The labeller's, and the content of the file."""
        return {**self._labeler.identity(), "labeler": RECORDED, "labeler_digest": self._digest}

    def describe(self) -> dict[str, Any]:
        """The labeller's facts, under the name of the file's judge."""
        told = self._labeler.describe()
        scores = label_scores(self._labeler)
        known = {} if scores is None else {"measured": {k: v.as_dict() for k, v in scores.items()}}
        return told | {
            **known,
            "spec": f"{RECORDED}: gold verdicts; {told['spec']}: the rest",
            "tests": sorted(self.traits.tests),
            "recorded": len(self._gold),
        }

    def close(self) -> None:
        """Frees what the labeller holds."""
        self._labeler.close()


def recorded_graders(
    asked: ScanConfig, target: Target, judge: Judge, labeler: Labeler, why: str
) -> tuple[Judge, Labeler, str]:
    """Judge and labeller of a scan: those that the file holds, where no other was asked for."""
    recording = target.recording
    if recording is None:
        return judge, labeler, why
    if recording.matchings and asked.judge is None:
        judge, why = RecordedJudge(target), "default: the file holds what its judge matched"
    if recording.gold and asked.labeler is None and isinstance(labeler, BuiltinLabeler):
        labeler = RecordedLabeler(labeler, target)
    return judge, labeler, why
