"""The reward of this export as verl calls it; reward.json beside this file says how."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rmaudit.fix.export.rewarding import Rewarder

REWARDER = Rewarder.of(Path(__file__).resolve().parent)
POOL = ThreadPoolExecutor(REWARDER.config.judge.concurrency, thread_name_prefix="reward")


async def compute_score(data_source, solution_str, ground_truth, extra_info=None, **kwargs):
    """The reward `score` of one answer with its components; raises where the judge failed.

    verl decodes answers without special tokens and does not say whether one was cut: an answer
    that is cut before its verdict has none and earns 0.
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(
        POOL, lambda: REWARDER.score(solution_str, ground_truth, finish_reason="stop")
    )
