"""Engine `transformers` for a model with a reward head: one number a conversation, on CPU or GPU.

The class of transformers looks for the last token that is no padding, and takes the token before
the closing one where padding and closing token have one id; so here the places of the last tokens
are known, and the head reads those. The head computes in float32, whatever the rest computes in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rmaudit.engines.scores import Scored
from rmaudit.engines.scoring import RewardHead, ScoreTokens
from rmaudit.errors import InputError, MissingPackageError, RmauditError


class ScalarTransformersEngine(RewardHead):
    """A `...ForSequenceClassification` of one label behind the protocol of scores."""

    name = "transformers"
    loader = "AutoModelForSequenceClassification"
    """The class of transformers that the folder is loaded by."""

    def __init__(
        self, path: Path, *, context: int | None, batch_size: int, dtype: str = "auto"
    ) -> None:
        super().__init__(path, context=context, batch_size=batch_size)
        self.dtype = dtype
        self._model: Any = None
        self._body: Any = None
        self._head: Any = None
        self._described["batch_size"] = batch_size

    def close(self) -> None:
        """Frees the model."""
        self._model = self._body = self._head = None

    def _start(self, longest: int) -> None:
        if self._model is not None:
            return
        try:
            import torch
            import transformers
        except ImportError as error:
            package = error.name or "transformers"
            raise MissingPackageError("this checkpoint", package, "transformers") from error
        transformers.utils.logging.set_verbosity_error()
        transformers.utils.logging.disable_progress_bar()
        device = "cuda" if torch.cuda.is_available() else "cpu"
        dtype = "float32" if self.dtype == "auto" and device == "cpu" else self.dtype
        try:
            model = (
                getattr(transformers, self.loader)
                .from_pretrained(
                    self.path,
                    local_files_only=True,
                    trust_remote_code=False,
                    use_safetensors=True,
                    dtype=dtype,
                )
                .to(device)
            )
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            first_line = str(error).strip().splitlines()[0]
            raise InputError(
                f"cannot load {self.path}: {first_line}",
                f"check that transformers loads it: {self.loader}.from_pretrained(path)",
            ) from error
        model.eval()
        self._body, self._head = self._parts(model)
        self._model = model
        self._described |= {
            "device": model.device.type,
            "dtype": str(model.dtype).removeprefix("torch."),
            "torch": torch.__version__,
            "transformers": transformers.__version__,
        }

    def _parts(self, model: Any) -> tuple[Any, Any]:
        """What gives hidden states, and the head that scores them, in float32."""
        return model.base_model, model.score.float()

    def _batch(self, batch: Sequence[ScoreTokens]) -> Iterator[Scored]:
        import torch

        try:
            scores = self._scores([one.ids for one in batch])
        except torch.OutOfMemoryError as error:
            if len(batch) == 1:
                raise RmauditError(
                    f"out of memory with a single conversation of {len(batch[0].ids)} tokens",
                    "finished rows are kept: go on with --resume on a larger device",
                ) from error
            torch.cuda.empty_cache()
            half = len(batch) // 2
            yield from self._batch(batch[:half])
            yield from self._batch(batch[half:])
            return
        for one, score in zip(batch, scores, strict=True):
            yield Scored(one.key, score, len(one.ids))

    def _scores(self, batch: Sequence[Sequence[int]]) -> list[float]:
        """Raw score of each conversation, padded on the right, where no mask lets it be seen."""
        import torch

        lengths = [len(ids) for ids in batch]
        width = max(lengths)
        device = self._model.device
        inputs = torch.tensor([[*ids, *[0] * (width - len(ids))] for ids in batch], device=device)
        mask = torch.tensor([[1] * n + [0] * (width - n) for n in lengths], device=device)
        with torch.inference_mode():
            hidden = self._body(inputs, attention_mask=mask).last_hidden_state
            last = hidden[torch.arange(len(batch)), torch.tensor(lengths, device=device) - 1]
            scores: list[float] = self._head(last.float())[:, 0].tolist()
        return scores
