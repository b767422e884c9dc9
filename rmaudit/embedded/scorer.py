"""The learned scorer of pairs: an int8 graph of a small encoder, run on the CPU.

A reference and a reason are read together (a cross-encoder; Reimers and Gurevych, 2019, arXiv
1908.10084, section 4), so that side, value and negation can be told. `examples/embedded_judge`
trains it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rmaudit.embedded.pairs import MarkedPair

FOLDER = Path(__file__).parent
GRAPH, TOKENIZER = FOLDER / "judge.onnx", FOLDER / "tokenizer.json"
BATCH = 32
MOST_KEPT = 1 << 15
LEVELS = ((0.8, 1.0), (0.62, 0.75), (0.45, 0.5), (0.3, 0.25))
"""From this output on, this score of the grid; chosen on items that train and measure nothing."""


def installed() -> bool:
    """Whether the packages that run the graph are there."""
    return all(map(importlib.util.find_spec, ("onnxruntime", "tokenizers")))


class PairScorer:
    """Scores pairs on the grid; what was scored is kept."""

    def __init__(self, threads: int | None = None) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        if threads:
            options.intra_op_num_threads = threads
        self._session: Any = onnxruntime.InferenceSession(
            str(GRAPH), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer: Any = Tokenizer.from_file(str(TOKENIZER))
        self._kept: dict[tuple[str, str], float] = {}

    def outputs(self, pairs: Sequence[MarkedPair]) -> list[float]:
        """The graph's output for each pair, from 0 to 1."""
        asked = [(pair.reference, pair.reason) for pair in pairs]
        new = sorted(
            {one for one in asked if one not in self._kept}, key=lambda p: len(p[0] + p[1])
        )
        if len(self._kept) > MOST_KEPT:
            self._kept = {one: self._kept[one] for one in asked if one in self._kept}
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            self._kept |= zip(batch, self._run(batch), strict=True)
        return [self._kept[one] for one in asked]

    def _run(self, batch: Sequence[tuple[str, str]]) -> list[float]:
        import numpy as np

        found = self._tokenizer.encode_batch(list(batch))
        inputs = {
            "input_ids": np.array([one.ids for one in found], dtype=np.int64),
            "attention_mask": np.array([one.attention_mask for one in found], dtype=np.int64),
            "token_type_ids": np.array([one.type_ids for one in found], dtype=np.int64),
        }
        logits = self._session.run(None, inputs)[0]
        return list(map(float, 1 / (1 + np.exp(-logits))))


def level(output: float) -> float:
    """The score of the grid that an output stands for."""
    return next((score for least, score in LEVELS if output >= least), 0.0)


@cache
def shipped() -> PairScorer:
    """The scorer that comes with the package, loaded when it is first asked."""
    return PairScorer()
