"""The reward as TRL calls it: one async callable, its components logged beside it.

A product cannot be a sum of weighted reward functions, and a component function of weight 0 would
turn a failed judge into a reward of 0, so there is one function only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from rmaudit.fix.data import Prompted
from rmaudit.fix.reward.reward import Reward
from rmaudit.fix.reward.scorer import ScoredCompletion, Scorer

Decode = Callable[[Sequence[int]], str]


class HybridReward:
    """`reward_funcs` of a GRPOTrainer; the dataset's column `index` says which prompt a row is."""

    __name__ = "hybrid_reward"

    def __init__(
        self,
        scorer: Scorer,
        prompts: Sequence[Prompted],
        *,
        decode: Decode,
        stops: Sequence[int],
    ) -> None:
        """A reward.

        Args:
            scorer: scores completions.
            prompts: by the value of `index`.
            decode: token ids, without the end token, to the text that the scan would read.
            stops: end tokens; a completion that does not end with one was cut.
        """
        self._scorer, self._prompts = scorer, prompts
        self._decode, self._stops = decode, frozenset(stops)

    async def __call__(
        self,
        *,
        completion_ids: Sequence[Sequence[int]],
        index: Sequence[int],
        log_metric: Callable[[str, float], None],
        log_extra: Callable[[str, list[Any]], None],
        **_: Any,
    ) -> list[float | None]:
        """One reward for each completion; None where the judge failed: no reward, never 0."""
        samples = [
            self._completion(self._prompts[number], ids)
            for ids, number in zip(completion_ids, index, strict=True)
        ]
        rewards = await asyncio.to_thread(self._scorer.score, samples)
        for name, value in means(rewards).items():
            log_metric(name, value)
        log_extra("outcome", [one.outcome for one in rewards])
        log_extra("rationale_ap", [one.ap for one in rewards])
        return [one.value for one in rewards]

    def _completion(self, prompted: Prompted, ids: Sequence[int]) -> ScoredCompletion:
        ended = bool(ids) and ids[-1] in self._stops
        text = self._decode(ids[:-1] if ended else ids)
        return ScoredCompletion(prompted, text, "stop" if ended else "length")


def means(rewards: Sequence[Reward]) -> dict[str, float]:
    """What is logged of a batch; a component that no sample has is left out, not 0.

    `fix/rationale_ap` and `fix/precision` are means over the samples that the judge scored: of the
    hybrid arm those with the right verdict, and the monitored ones. `fix/judge_failed` is a share
    of those whose reward needs the judge.
    """
    known: dict[str, list[float]] = {
        "fix/outcome": [one.outcome for one in rewards],
        "fix/clean": [float(one.clean) for one in rewards],
        "fix/n_reasons": [float(one.n_reasons) for one in rewards],
        "fix/judge_failed": [float(one.judge_failed) for one in rewards if one.needed],
        "fix/rationale_ap": [one.ap for one in rewards if one.ap is not None],
        "fix/precision": [one.precision for one in rewards if one.precision is not None],
    }
    return {name: fmean(values) for name, values in known.items() if values}
