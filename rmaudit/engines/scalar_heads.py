"""Reward heads that are no `...ForSequenceClassification`, in both engines.

`transformers` runs the body of the model by the class of its `model_type`, and the head by the
tensors that the folder holds, in float32. `vllm` has a class of its own for some, which gives a
number for each token; the score is that of the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rmaudit.engines.head import HeadLayers, load_head
from rmaudit.engines.scalar_transformers import ScalarTransformersEngine
from rmaudit.engines.scalar_vllm import ScalarVllmEngine


class HeadTransformersEngine(ScalarTransformersEngine):
    """A body of transformers and a head of the folder."""

    loader = "AutoModel"

    def __init__(
        self,
        path: Path,
        head: HeadLayers,
        *,
        context: int | None,
        batch_size: int,
        dtype: str = "auto",
    ) -> None:
        super().__init__(path, context=context, batch_size=batch_size, dtype=dtype)
        self._held = head

    def _parts(self, model: Any) -> tuple[Any, Any]:
        return model, load_head(self.path, self._held, model.device)


class HeadVllmEngine(ScalarVllmEngine):
    """A class of vLLM that gives a number for each token."""

    def _ask(self, prompts: Sequence[Sequence[int]], *, activate: bool) -> list[float]:
        from vllm import PoolingParams
        from vllm.inputs import TokensPrompt

        outputs = self._llm.encode(
            [TokensPrompt(prompt_token_ids=list(ids)) for ids in prompts],
            pooling_params=PoolingParams(use_activation=activate),
            pooling_task="token_classify",
            use_tqdm=False,
        )
        return [float(output.outputs.data[-1].reshape(-1)[0]) for output in outputs]
