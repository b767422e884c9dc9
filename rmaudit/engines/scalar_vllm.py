"""Engine `vllm` for a model with a reward head: vLLM's pooling runner, asked for raw scores.

By default vLLM gives the sigmoid of a reward, which is 1 for every good answer. Each request says
that it wants none, and two probes show that the installed version obeys.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rmaudit.engines.quiet import LOG, quiet
from rmaudit.engines.scores import Scored
from rmaudit.engines.scoring import RewardHead, ScoreTokens
from rmaudit.engines.vllm_errors import stopped_error
from rmaudit.engines.vllm_start import end_llm, start_llm
from rmaudit.errors import RmauditError

PIECE = 256
"""So many conversations are handed over at once: what is finished is kept at a stop."""


class ScalarVllmEngine(RewardHead):
    """A `...ForSequenceClassification` of one label behind the protocol of scores, run by vLLM."""

    name = "vllm"

    def __init__(
        self,
        path: Path,
        *,
        context: int | None,
        tensor_parallel: int = 1,
        gpu_memory_utilization: float | None = None,
        dtype: str = "auto",
        quantization: str | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(path, context=context, batch_size=PIECE)
        self._options: dict[str, Any] = {
            "tensor_parallel_size": tensor_parallel,
            "dtype": dtype,
            "quantization": quantization,
        }
        if gpu_memory_utilization is not None:
            self._options["gpu_memory_utilization"] = gpu_memory_utilization
        self._verbose = verbose
        self._llm: Any = None
        self._longest = 0
        self._described["tensor_parallel"] = tensor_parallel

    def close(self) -> None:
        """Ends the engine and frees its device memory; the next `score` starts it again."""
        held, self._llm = [self._llm], None
        if held != [None]:
            end_llm(held, verbose=self._verbose)

    def _start(self, longest: int) -> None:
        """Where the config says no length it is that of the longest conversation so far."""
        if self._llm is not None:
            if self.context is not None or longest <= self._longest:
                return
            self.close()
        self._longest = max(longest, self._longest)
        self._llm, facts = start_llm(
            self.path,
            {**self._options, "runner": "pooling", "max_model_len": self.context or self._longest},
            on_cpu={},
            verbose=self._verbose,
        )
        self._described |= facts
        self._check_raw()

    def _check_raw(self) -> None:
        """That a score without activation is no sigmoid: with one it must be its sigmoid."""
        regression = self._llm.model_config.hf_config.problem_type == "regression"
        ids = self._tokenizer("a b", add_special_tokens=False)["input_ids"] or [0]
        for probe in (ids, ids * 3):
            raw, active = (self._ask([probe], activate=on)[0] for on in (False, True))
            same = _near(active, raw) and (regression or not 0 <= raw <= 1)
            if not (same or _near(active, _sigmoid(raw))):
                raise RmauditError(
                    f"vLLM gives no raw scores of {self.path}: {raw:.4g} without an activation, "
                    f"{active:.4g} with one",
                    "use --engine transformers",
                )

    def _batch(self, batch: Sequence[ScoreTokens]) -> Iterator[Scored]:
        mark = LOG.size()
        try:
            with quiet(verbose=self._verbose):
                scores = self._ask([one.ids for one in batch], activate=False)
        except Exception as error:  # whatever the model, the driver or a worker process raised
            raise stopped_error(error, LOG.cause(since=mark)) from error
        for one, score in zip(batch, scores, strict=True):
            yield Scored(one.key, score, len(one.ids))

    def _ask(self, prompts: Sequence[Sequence[int]], *, activate: bool) -> list[float]:
        from vllm import PoolingParams
        from vllm.inputs import TokensPrompt

        outputs = self._llm.classify(
            [TokensPrompt(prompt_token_ids=list(ids)) for ids in prompts],
            pooling_params=PoolingParams(use_activation=activate),
            use_tqdm=False,
        )
        return [float(output.outputs.probs[0]) for output in outputs]


def _sigmoid(score: float) -> float:
    return 1 / (1 + math.exp(-score)) if score > -700 else 0.0


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-3
