"""What an exported reward file runs: one answer and its row of the data in, numbers out."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError, RmauditError
from rmaudit.fix.export.config import RewardConfig, read_config
from rmaudit.fix.export.stream import JudgeStream
from rmaudit.fix.reward.reward import Matrix, Reward, read_answer, reward, wants_judge
from rmaudit.judging.metajudge import Judge
from rmaudit.records import FinishReason
from rmaudit.scan.judge import make_judge


class Truth(BaseModel):
    """What a row of the data carries, as one JSON text: the pair, and in which order it is shown.

    One text, since trainers turn nested lists into arrays.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    item: Item
    order: Literal["ab", "ba"]


class Rewarder:
    """Rewards single answers, from any number of threads."""

    def __init__(self, config: RewardConfig, judge: Judge | None = None) -> None:
        """A rewarder; without `judge` the one of the config is made at the first need of one."""
        self.config = config
        self._lock = Lock()
        self._stream = self._streamed(judge) if judge is not None else None

    @classmethod
    def of(cls, folder: Path) -> Rewarder:
        """The rewarder of an export folder; asks no judge yet.

        Raises:
            InputError: its reward.json is missing or damaged.
        """
        return cls(read_config(folder))

    def score(self, text: str, truth: str, *, finish_reason: FinishReason) -> dict[str, float]:
        """The reward `score` and its components, the same keys for every answer.

        Args:
            text: the answer, without the end token.
            truth: the JSON text of its row.
            finish_reason: `stop` where the model ended it, `length` where it was cut.

        Raises:
            RmauditError: the judge failed, and the config says `raise`.
            InputError: the row or the judge's set-up is not usable, whatever the config says.
        """
        config = self.config
        row = _read(truth)
        answer = read_answer(
            config.opening + text,
            row.item,
            order=row.order,
            finish_reason=finish_reason,
            max_reasons=config.max_reasons,
        )
        matrix: Matrix | None = None
        if wants_judge(answer, config.arm):
            try:
                matrix = self._judging().ask(row.item, answer.reasons)
            except InputError:
                raise
            except RmauditError:
                if config.on_judge_failure == "raise":
                    raise
        return components(
            reward(answer, config.arm, matrix, n_refs=len(row.item.reasons), hit=config.hit)
        )

    def _judging(self) -> JudgeStream:
        with self._lock:
            if self._stream is None:
                self._stream = self._streamed(make_judge(self.config.judge.scan_config()))
            return self._stream

    def _streamed(self, judge: Judge) -> JudgeStream:
        return JudgeStream(judge, time_limit=self.config.time_limit)


def components(told: Reward) -> dict[str, float]:
    """A reward as numbers that trainers average.

    Average precision is known only where the judge was asked: the mean of `ap_if_judged` over the
    mean of `judged` is its mean over those. A failed judge gives 0 with `judge_failed` 1.
    """
    return {
        "score": told.value if told.value is not None else 0.0,
        "outcome": told.outcome,
        "clean": float(told.clean),
        "n_reasons": float(told.n_reasons),
        "judged": float(told.ap is not None),
        "ap_if_judged": told.ap if told.ap is not None else 0.0,
        "judge_failed": float(told.judge_failed),
    }


def _read(truth: str) -> Truth:
    try:
        return Truth.model_validate_json(truth)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in detail["loc"])
        raise InputError(
            f"a row's ground truth is not one of rmaudit: {where} {detail['msg']}",
            "train on the data files of this export",
        ) from error
