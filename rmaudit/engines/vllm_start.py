"""Starts and ends vLLM in this process: nothing uploaded, nothing downloaded, little printed."""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rmaudit.engines.quiet import LOG, environment, quiet
from rmaudit.engines.vllm_errors import start_error
from rmaudit.errors import MissingPackageError

CPU_CACHE_SHARE = 0.25
"""Share of the free memory that the KV cache takes on a CPU where nothing else is asked for."""


def start_llm(
    path: Path, options: Mapping[str, Any], *, on_cpu: Mapping[str, Any], verbose: bool
) -> tuple[Any, dict[str, Any]]:
    """An `LLM` of a folder, and what the manifest records of it.

    options: of `vllm.LLM`; on_cpu: further ones where vLLM runs on a CPU.

    Raises:
        InputError: vLLM refuses the model, or its memory does not suffice.
        MissingPackageError: vLLM is not installed.
    """
    if find_spec("vllm") is None:
        raise MissingPackageError("engine vllm", "vllm", "vllm")
    with (
        quiet(verbose=verbose),
        environment(
            VLLM_ENABLE_V1_MULTIPROCESSING="0",
            VLLM_WORKER_MULTIPROC_METHOD="spawn",
            VLLM_LOGGING_STREAM=f"ext://{LOG.__module__}.LOG",
            VLLM_LOGGING_LEVEL="INFO" if verbose else "ERROR",
            VLLM_NO_USAGE_STATS="1",  # nothing is uploaded
            HF_HUB_OFFLINE="1",  # nothing is downloaded
        ),
    ):
        mark = LOG.size()
        try:
            return _load(path, options, on_cpu)
        except Exception as error:  # vLLM, torch and drivers raise anything here
            raise start_error(path, error, LOG.cause(since=mark)) from error


def _load(
    path: Path, options: Mapping[str, Any], on_cpu: Mapping[str, Any]
) -> tuple[Any, dict[str, Any]]:
    import torch
    import transformers
    import vllm
    from vllm.platforms import current_platform

    wanted = dict(options)
    if current_platform.is_cpu():
        wanted |= on_cpu
        wanted["enforce_eager"] = True  # compiling needs a C++ compiler, and minutes
        if wanted["dtype"] == "auto":
            wanted["dtype"] = "float32"  # as the transformers engine has it on a CPU
        if "gpu_memory_utilization" not in wanted:
            wanted["kv_cache_memory_bytes"] = _cpu_cache_bytes()
    llm = vllm.LLM(model=str(path), tokenizer=str(path), trust_remote_code=False, **wanted)
    return llm, {
        "device": current_platform.device_type,
        "device_name": current_platform.get_device_name(),
        "dtype": str(llm.model_config.dtype).removeprefix("torch."),
        "max_model_len": llm.model_config.max_model_len,
        "vllm": vllm.__version__,
        "torch": torch.__version__,
        "transformers": transformers.__version__,
    }


def end_llm(held: list[Any], *, verbose: bool) -> None:
    """Ends the only engine in `held`, takes it out of there, and frees its device memory."""
    import torch

    with quiet(verbose=verbose):
        held[0].llm_engine.engine_core.shutdown()
        held.clear()  # the last reference: what it holds goes now
        gc.collect()
        if torch.cuda.is_initialized():
            torch.cuda.empty_cache()


def _cpu_cache_bytes() -> int | None:
    """Size of the KV cache on a CPU; None where vLLM's own variable says it."""
    if "VLLM_CPU_KVCACHE_SPACE" in os.environ:
        return None
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return int(free * CPU_CACHE_SHARE)
