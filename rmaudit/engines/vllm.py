"""Engine `vllm`: continuous batching over the whole set, each completion as soon as it is done.

Prompts are token ids from the checkpoint's own chat template, and answers are decoded as the
transformers engine decodes them, so that the two engines differ in floating point only. Sampling
parameters are always explicit: vLLM would fill in what is left out from generation_config.json.

The engine core runs in this process, not in one of its own as `LLM` has it by default: a core that
is killed would leave its caller waiting for ever, and a caller that is killed would leave the core
behind with the device's memory. `engines.parallel` puts the whole into processes that it watches.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.engines.base import TOO_LONG, Request, Sampling, answer_budget
from rmaudit.engines.codec import Codec, TokenPrompt
from rmaudit.engines.feed import Feed
from rmaudit.engines.quiet import LOG
from rmaudit.engines.vllm_errors import reason, stopped_error
from rmaudit.engines.vllm_start import end_llm, start_llm
from rmaudit.errors import InputError
from rmaudit.records import FinishReason, Generation

AUTO_FIT = -1
"""max_model_len for vLLM: the longest whose KV cache fits into memory, up to the context."""
COMPACT_JSON = {"backend": "xgrammar", "disable_any_whitespace": True}
"""Where whitespace is free, a weak model can fill its whole budget with it."""
FINISH: dict[str | None, FinishReason] = {"stop": "stop", "length": "length"}


class _Flight(NamedTuple):
    """A prompt in the engine and the time it was handed over."""

    prompt: TokenPrompt
    since: float


class VllmEngine:
    """A causal checkpoint behind the engine protocol, run by vLLM.

    context: the model's tokens of prompt and answer, None where its config does not say.
    max_model_len: what vLLM may use of it. None: for a sequence of requests the longest prompt
    that fits and its answer; for a stream, whose longest is not known, what fits into memory.
    gpu_memory_utilization: share of the device's memory, None for vLLM's own default.
    `seconds` of a completion count from its hand-over to the engine.
    """

    name = "vllm"
    continues = True

    def __init__(
        self,
        path: Path,
        *,
        context: int | None,
        max_model_len: int | None = None,
        tensor_parallel: int = 1,
        gpu_memory_utilization: float | None = None,
        dtype: str = "auto",
        quantization: str | None = None,
        seed: int = 0,
        verbose: bool = False,
    ) -> None:
        if max_model_len is not None and context is not None and max_model_len > context:
            raise InputError(
                f"--max-model-len {max_model_len} is above the model's context of {context} tokens",
                f"give {context} or less, or leave it out",
            )
        self.path = path
        self.context = context
        self.max_model_len = max_model_len
        self._options: dict[str, Any] = {
            "tensor_parallel_size": tensor_parallel,
            "dtype": dtype,
            "quantization": quantization,
            "seed": seed,
        }
        if gpu_memory_utilization is not None:
            self._options["gpu_memory_utilization"] = gpu_memory_utilization
        self._verbose = verbose
        self._codec: Codec | None = None
        self._llm: Any = None
        self._numbers = itertools.count()
        self._described: dict[str, Any] = {
            "context": context,
            "tensor_parallel": tensor_parallel,
            "quantization": quantization,
            "gpu_memory_utilization": gpu_memory_utilization,
        }

    def describe(self) -> dict[str, Any]:
        """Versions, device, dtype, context, max_model_len, answer budget, as far as known."""
        return self._described

    def complete(self, requests: Iterable[Request], sampling: Sampling) -> Iterator[Generation]:
        """See the protocol. A stream is read as it comes, while earlier requests are worked on.

        Raises:
            InputError: vLLM refuses the model or the sampling, or its memory does not suffice.
            RmauditError: the engine stopped while working.
        """
        if self._codec is None:
            self._codec = Codec(self.path)
        codec, limit = self._codec, self.max_model_len or self.context
        budget = answer_budget(sampling, limit)
        self._described["max_tokens"] = max(budget, self._described.get("max_tokens", 0))
        prompts: Iterable[TokenPrompt] = map(codec.encode, requests)
        needed = None
        if isinstance(requests, Sequence):
            prompts = list(prompts)
            lengths = [len(prompt.ids) + budget for prompt in prompts]
            needed = max((n for n in lengths if limit is None or n <= limit), default=0)
            if needed == 0:
                yield from map(_too_long, prompts)
                return
        self._start(needed)
        yield from self._run(Feed(prompts), codec, sampling, budget)

    def close(self) -> None:
        """Ends the engine and frees its device memory; the next `complete` starts it again."""
        held, self._llm = [self._llm], None
        if held != [None]:
            end_llm(held, verbose=self._verbose)

    def _start(self, needed: int | None) -> None:
        """Loads the model; again where the loaded one is too short for what is needed."""
        if self._llm is not None:
            if needed is None or needed <= self._llm.model_config.max_model_len:
                return
            self.close()
        self._llm, facts = start_llm(
            self.path,
            {
                **self._options,
                "max_model_len": self.max_model_len or needed or AUTO_FIT,
                "generation_config": "vllm",
                "structured_outputs_config": COMPACT_JSON,
            },
            # vLLM 0.32 rewinds a request's random stream after a chunk, which a CPU has no way to.
            on_cpu={"enable_chunked_prefill": False},
            verbose=self._verbose,
        )
        self._described |= facts

    def _run(
        self, feed: Feed[TokenPrompt], codec: Codec, sampling: Sampling, budget: int
    ) -> Iterator[Generation]:
        """The step loop.

        Twice what a batch holds is in flight: no slot waits for its next prompt, and 20,000 prompts
        are not copied into the engine at once.
        """
        engine = self._llm.llm_engine
        room = self._llm.model_config.max_model_len - budget
        most = 2 * engine.vllm_config.scheduler_config.max_num_seqs
        parameters = _Parameters(sampling, codec, budget)
        flying: dict[str, _Flight] = {}
        try:
            while True:
                taken = feed.take(most - len(flying), wait=not flying)
                if not taken and not flying:
                    return
                for prompt in taken:
                    number = str(next(self._numbers))
                    if len(prompt.ids) > room:
                        yield _too_long(prompt)
                    elif refused := _add(engine, number, prompt, parameters):
                        yield refused
                    else:
                        flying[number] = _Flight(prompt, time.perf_counter())
                for output in _step(engine) if flying else ():
                    if output.finished:
                        yield _generation(flying.pop(output.request_id), output.outputs[0], codec)
        finally:
            feed.close()
            if flying:  # the caller left early: what it did not wait for must not go on
                with suppress(Exception):
                    engine.abort_request(list(flying))


class _Parameters:
    """Sampling parameters of vLLM, nothing left to its defaults or to the checkpoint's.

    Where the template opens the model's thinking, a schema would forbid it to think: the answer is
    then free text.

    Raises:
        InputError: vLLM refuses them, e.g. a temperature above 2.
    """

    def __init__(self, sampling: Sampling, codec: Codec, budget: int) -> None:
        from vllm import SamplingParams
        from vllm.exceptions import VLLMClientError
        from vllm.sampling_params import RequestOutputKind, StructuredOutputsParams

        self._make, self._schema = SamplingParams, StructuredOutputsParams
        self.refusals: tuple[type[Exception], ...] = (ValueError, VLLMClientError)
        self._constrains = not codec.chat.opening
        self._shared: dict[str, Any] = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "top_k": sampling.top_k,
            "min_p": 0.0,
            "repetition_penalty": 1.0,
            "max_tokens": budget,
            "stop_token_ids": codec.stops,
            "detokenize": False,  # the codec decodes once, at the end
            "skip_special_tokens": False,
            "spaces_between_special_tokens": False,
            "output_kind": RequestOutputKind.FINAL_ONLY,
        }
        try:
            self._make(**self._shared)
        except self.refusals as error:
            raise InputError(
                f"vLLM refuses the sampling: {reason(error)}", "change --temperature"
            ) from error

    def of(self, request: Request) -> Any:
        """Those of one request: its seed, and its schema if it has one."""
        constrained = request.schema is not None and self._constrains
        form = self._schema(json=request.schema) if constrained else None
        return self._make(**self._shared, seed=request.seed, structured_outputs=form)


def _add(
    engine: Any, number: str, prompt: TokenPrompt, parameters: _Parameters
) -> Generation | None:
    """Hands a prompt to the engine; where it refuses this one, e.g. its schema, that is told."""
    try:
        (rendered,) = engine.renderer.render_cmpl([{"prompt_token_ids": prompt.ids.tolist()}])
        engine.add_request(number, rendered, parameters.of(prompt.request))
    except parameters.refusals as error:
        said = f"vLLM refuses it: {reason(error)}"
        return Generation(prompt.request.key, "", "error", tokens_in=len(prompt.ids), error=said)
    return None


def _step(engine: Any) -> Iterable[Any]:
    mark = LOG.size()
    try:
        outputs: list[Any] = engine.step()
    except Exception as error:  # whatever the model, the driver or a worker process raised
        raise stopped_error(error, LOG.cause(since=mark)) from error
    return outputs


def _generation(flight: _Flight, completion: Any, codec: Codec) -> Generation:
    finish = FINISH.get(completion.finish_reason, "error")
    ids = completion.token_ids
    if finish == "stop":
        ids = codec.without_stop(ids)
    return Generation(
        key=flight.prompt.request.key,
        text=codec.decode(flight.prompt.request, ids),
        finish_reason=finish,
        tokens_in=len(flight.prompt.ids),
        tokens_out=len(ids),
        seconds=round(time.perf_counter() - flight.since, 4),
        error=f"vLLM: {completion.finish_reason}" if finish == "error" else None,
    )


def _too_long(prompt: TokenPrompt) -> Generation:
    return Generation(prompt.request.key, "", "error", tokens_in=len(prompt.ids), error=TOO_LONG)
