"""Engine `transformers`: batched generation with Hugging Face transformers, on CPU or one GPU.

Prompts are fed as token ids from the checkpoint's own chat template, so that there is exactly one
BOS. Each request draws from a random stream of its own, so that neither the batch nor the order of
work changes a sampled answer beyond floating-point noise.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rmaudit.engines.base import TOO_LONG, Request, Sampling, answer_budget
from rmaudit.engines.chat import Chat
from rmaudit.engines.tokenizer import first_line, load_tokenizer
from rmaudit.errors import InputError, MissingPackageError, RmauditError
from rmaudit.records import Generation

if TYPE_CHECKING:
    import torch

DEFAULT_BATCH = 16


class TransformersEngine:
    """A causal checkpoint behind the engine protocol."""

    name = "transformers"
    continues = True

    def __init__(
        self,
        path: Path,
        *,
        context: int | None,
        batch_size: int = DEFAULT_BATCH,
        dtype: str = "auto",
    ) -> None:
        self.path = path
        self.context = context
        self.batch_size = batch_size
        self.dtype = dtype
        self._loaded: _Loaded | None = None
        self._described: dict[str, Any] = {"batch_size": batch_size, "context": context}

    @classmethod
    def around(
        cls, model: Any, tokenizer: Any, path: Path, *, context: int | None, batch_size: int
    ) -> TransformersEngine:
        """An engine around a model that is in memory already, as while it is trained.

        The model stays as it is: whoever gives it puts it into evaluation mode.
        """
        engine = cls(path, context=context, batch_size=batch_size)
        engine._loaded = _Loaded(model, tokenizer, path)
        return engine

    def describe(self) -> dict[str, Any]:
        """Versions, device, dtype, context and the answer budget, as far as known."""
        return self._described

    def complete(self, requests: Iterable[Request], sampling: Sampling) -> Iterator[Generation]:
        """Longest prompts first, a batch at a time; see the protocol."""
        wanted = list(requests)
        if not wanted:
            return
        model = self._load()
        budget = answer_budget(sampling, self.context)
        self._described["max_tokens"] = max(budget, self._described.get("max_tokens", 0))
        fitting: list[tuple[Request, list[int]]] = []
        for request in wanted:
            ids = model.chat.encode(request.messages, request.prefill)
            if self.context is not None and len(ids) + budget > self.context:
                yield Generation(request.key, "", "error", tokens_in=len(ids), error=TOO_LONG)
            else:
                fitting.append((request, ids))
        fitting.sort(key=lambda pair: -len(pair[1]))
        for start in range(0, len(fitting), self.batch_size):
            yield from model.generate(
                fitting[start : start + self.batch_size], replace(sampling, max_tokens=budget)
            )

    def close(self) -> None:
        """Frees the model."""
        self._loaded = None

    def _load(self) -> _Loaded:
        if self._loaded is None:
            self._loaded = _Loaded.load(self.path, self.dtype)
            self._described |= self._loaded.describe()
        return self._loaded


class _Loaded:
    """The model and tokenizer in memory."""

    def __init__(self, model: Any, tokenizer: Any, path: Path) -> None:
        import torch

        self._torch = torch
        self._model, self._tokenizer = model, tokenizer
        self._device = model.device
        self.chat = Chat(tokenizer, path)
        self._stops = self._stop_ids()

    @classmethod
    def load(cls, path: Path, dtype: str) -> _Loaded:
        """Reads a checkpoint folder.

        Raises:
            InputError: it cannot be loaded, or the packages are missing.
        """
        try:
            import torch
            import transformers
        except ImportError as error:
            package = error.name or "transformers"
            raise MissingPackageError("this checkpoint", package, "transformers") from error
        transformers.utils.logging.set_verbosity_error()
        transformers.utils.logging.disable_progress_bar()
        device = "cuda" if torch.cuda.is_available() else "cpu"
        if dtype == "auto" and device == "cpu":
            dtype = "float32"
        tokenizer = load_tokenizer(path)
        try:
            model = transformers.AutoModelForCausalLM.from_pretrained(
                path,
                local_files_only=True,
                trust_remote_code=False,
                use_safetensors=True,
                dtype=dtype,
            ).to(device)
        except (OSError, ValueError, KeyError, RuntimeError, TypeError, AttributeError) as error:
            raise InputError(
                f"cannot load {path}: {first_line(error)}",
                "check that transformers loads it: AutoModelForCausalLM.from_pretrained(path)",
            ) from error
        model.eval()
        return cls(model, tokenizer, path)

    def _stop_ids(self) -> list[int]:
        """End tokens of the generation config and of the tokenizer."""
        stops = self._model.generation_config.eos_token_id
        found = [stops] if isinstance(stops, int) else list(stops or ())
        if self._tokenizer.eos_token_id is not None:
            found.append(self._tokenizer.eos_token_id)
        return list(dict.fromkeys(found))

    def describe(self) -> dict[str, Any]:
        """Versions and placement."""
        import transformers

        return {
            "device": self._device.type,
            "dtype": str(self._model.dtype).removeprefix("torch."),
            "torch": self._torch.__version__,
            "transformers": transformers.__version__,
        }

    def generate(
        self, batch: Sequence[tuple[Request, list[int]]], sampling: Sampling
    ) -> Iterator[Generation]:
        torch = self._torch
        try:
            started = time.perf_counter()
            answers = self._answers(batch, sampling)
            seconds = time.perf_counter() - started
        except torch.OutOfMemoryError as error:
            if len(batch) == 1:
                raise RmauditError(
                    f"out of memory with a single prompt of {len(batch[0][1])} tokens",
                    "lower --max-tokens; finished rows are kept: go on with --resume",
                ) from error
            torch.cuda.empty_cache()
            half = len(batch) // 2
            yield from self.generate(batch[:half], sampling)
            yield from self.generate(batch[half:], sampling)
            return
        for (request, ids), tokens in zip(batch, answers, strict=True):
            end = next((i for i, token in enumerate(tokens) if token in self._stops), None)
            answer = tokens if end is None else tokens[:end]
            opening = "" if request.prefill else self.chat.opening
            yield Generation(
                key=request.key,
                text=opening + self._tokenizer.decode(answer, skip_special_tokens=False),
                finish_reason="length" if end is None else "stop",
                tokens_in=len(ids),
                tokens_out=len(answer),
                seconds=round(seconds / len(batch), 4),
            )

    def _answers(
        self, batch: Sequence[tuple[Request, list[int]]], sampling: Sampling
    ) -> list[list[int]]:
        """Token ids of the answers, padded on the right with a stop token."""
        torch = self._torch
        width = max(len(ids) for _, ids in batch)
        pad = self._stops[0] if self._stops else 0
        inputs = torch.tensor([[pad] * (width - len(ids)) + ids for _, ids in batch])
        mask = torch.tensor([[0] * (width - len(ids)) + [1] * len(ids) for _, ids in batch])
        draws = [SeededDraw([request.seed for request, _ in batch], sampling)]
        with torch.inference_mode():
            output = self._model.generate(
                inputs.to(self._device),
                attention_mask=mask.to(self._device),
                do_sample=False,
                num_beams=1,
                max_new_tokens=sampling.max_tokens,
                eos_token_id=self._stops or None,
                pad_token_id=pad,
                logits_processor=draws if sampling.temperature > 0 else [],
            )
        tokens: list[list[int]] = output[:, width:].tolist()
        return tokens


class SeededDraw:
    """Turns greedy decoding into sampling with one random stream a request.

    Adding Gumbel noise to the log-probabilities and taking the largest draws from the softmax
    exactly (the Gumbel-max trick), so each row samples from its own seed inside a batch.
    """

    def __init__(self, seeds: Sequence[int], sampling: Sampling) -> None:
        import torch

        self._streams = [torch.Generator().manual_seed(seed) for seed in seeds]
        self._sampling = sampling

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Scores [batch, vocabulary] after temperature, top-k, top-p and noise."""
        import torch

        scores = scores.float() / self._sampling.temperature
        if self._sampling.top_k:
            floor = scores.topk(min(self._sampling.top_k, scores.shape[-1])).values[:, -1:]
            scores = scores.masked_fill(scores < floor, -torch.inf)
        if self._sampling.top_p < 1.0:
            ordered, places = scores.sort(descending=True)
            probabilities = ordered.softmax(dim=-1)
            outside = probabilities.cumsum(dim=-1) - probabilities >= self._sampling.top_p
            scores = scores.masked_fill(outside.scatter(1, places, outside), -torch.inf)
        uniform = torch.stack([torch.rand(scores.shape[-1], generator=g) for g in self._streams])
        noise = -torch.log(-torch.log(uniform.clamp(1e-20, 1.0 - 1e-7)))
        return scores + noise.to(scores.device)
