"""The reward of this export as OpenRLHF calls it; reward.json beside this file says how."""

import sys
from pathlib import Path

import torch

from rmaudit.fix.export.rewarding import Rewarder
from rmaudit.fix.export.rows import answer_of

REWARDER = Rewarder.of(Path(__file__).resolve().parent)


def reward_func(queries, prompts, labels, **kwargs):
    """Rewards of answers, with scores in [0, 1] and components; raises where the judge failed.

    queries: prompts with their answers, special tokens kept. labels: the ground truth of each.
    """
    told = []
    for query, prompt, label in zip(queries, prompts, labels, strict=True):
        try:
            text, finish_reason = answer_of(query, prompt, REWARDER.config.stops)
            told.append(REWARDER.score(text, label, finish_reason=finish_reason))
        except Exception as error:
            # OpenRLHF logs what is raised here at a level that is often not shown.
            print(f"rmaudit reward: {error}", file=sys.stderr, flush=True)
            raise
    columns = {name: torch.tensor([one[name] for one in told]) for name in told[0]}
    rewards = columns.pop("score")
    return {"rewards": rewards, "scores": rewards.clone(), "extra_logs": columns}
