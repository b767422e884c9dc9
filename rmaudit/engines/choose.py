"""Which engine runs a checkpoint on this machine, with what options, and why that one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from rmaudit.engines.base import Engine
from rmaudit.engines.head import HeadLayers
from rmaudit.engines.options import LocalOptions
from rmaudit.errors import InputError, MissingPackageError

LOCAL_ENGINES = ("vllm", "transformers")


def local_engine(
    path: Path, *, context: int | None, wanted: str, options: LocalOptions
) -> tuple[Engine, str]:
    """The engine for a checkpoint folder, and why it was chosen.

    wanted: `vllm`, `transformers`, or `auto`: vLLM where it is installed and a CUDA device is
    there, else transformers.

    Raises:
        MissingPackageError: its packages are not installed.
        InputError: there are not enough devices, or an option does not fit the engine.
    """
    name, why = _settled(path, wanted, options)
    make = _vllm if name == "vllm" else _transformers
    return make(path, context, options), why


def local_scorer(
    path: Path,
    *,
    context: int | None,
    wanted: str,
    options: LocalOptions,
    head: HeadLayers | None = None,
) -> tuple[Engine, str]:
    """The engine for a folder with a reward head, and why it was chosen; as `local_engine`.

    head: one that no `...ForSequenceClassification` has.

    Raises:
        MissingPackageError: its packages are not installed.
        InputError: an option does not fit the engine, or vLLM does not know the head.
    """
    only = head is not None and not head.in_vllm
    if only and wanted == "vllm":
        raise InputError(f"vLLM has no class for the head of {path}", "use --engine transformers")
    name, why = _settled(path, "transformers" if only else wanted, options)
    if only and wanted == "auto":
        why = "vLLM has no class for its head"
    for option, value in (
        ("--data-parallel", options.data_parallel > 1),
        ("--max-model-len", options.max_model_len is not None),
    ):
        if value:
            raise InputError(
                f"{option} is for models that write answers; {path} gives scores",
                f"leave {option} out",
            )
    make = _scores_by_vllm if name == "vllm" else _scores_by_transformers
    return make(path, context, options, head), why


def _settled(path: Path, wanted: str, options: LocalOptions) -> tuple[str, str]:
    """The engine and why, once its packages are there and the options are ones it knows."""
    name, why = _choose(wanted)
    for package in {"vllm": ("vllm",), "transformers": ("torch", "transformers")}[name]:
        if find_spec(package) is None:
            raise MissingPackageError(f"auditing {path} with {name}", package, name)
    option = options.only_vllm() if name != "vllm" else None
    if option:
        raise InputError(f"{option} needs engine vllm, but {why}", f"leave {option} out")
    return name, why


def _scores_by_vllm(
    path: Path, context: int | None, options: LocalOptions, head: HeadLayers | None
) -> Engine:
    from rmaudit.engines.scalar_heads import HeadVllmEngine
    from rmaudit.engines.scalar_vllm import ScalarVllmEngine

    make = ScalarVllmEngine if head is None else HeadVllmEngine
    return make(
        path,
        context=context,
        tensor_parallel=options.tensor_parallel,
        gpu_memory_utilization=options.gpu_memory_utilization,
        dtype=options.dtype,
        quantization=options.quantization,
        verbose=options.verbose,
    )


def _scores_by_transformers(
    path: Path, context: int | None, options: LocalOptions, head: HeadLayers | None
) -> Engine:
    from rmaudit.engines.scalar_heads import HeadTransformersEngine
    from rmaudit.engines.scalar_transformers import ScalarTransformersEngine

    size, dtype = options.batch_size, options.dtype
    if head is None:
        return ScalarTransformersEngine(path, context=context, batch_size=size, dtype=dtype)
    return HeadTransformersEngine(path, head, context=context, batch_size=size, dtype=dtype)


def _choose(wanted: str) -> tuple[str, str]:
    if wanted != "auto":
        return wanted, "asked for with --engine"
    if find_spec("vllm") is None:
        return "transformers", 'vLLM is not installed: pip install "rmaudit[vllm]"'
    devices = len(visible_devices())
    if not devices:
        return "transformers", "no CUDA device is there; --engine vllm would run on the CPU"
    return "vllm", f"vLLM is installed, and CUDA devices are there: {devices}"


def _vllm(path: Path, context: int | None, options: LocalOptions) -> Engine:
    """Always in processes of its own: they free the devices whatever happens in them."""
    from rmaudit.engines.parallel import ParallelEngine
    from rmaudit.engines.vllm import VllmEngine

    factory: Callable[[], Engine] = partial(
        VllmEngine,
        path,
        context=context,
        max_model_len=options.max_model_len,
        tensor_parallel=options.tensor_parallel,
        gpu_memory_utilization=options.gpu_memory_utilization,
        dtype=options.dtype,
        quantization=options.quantization,
        seed=options.seed,
        verbose=options.verbose,
    )
    return ParallelEngine(factory, devices=_shares(options), batch=None)


def _transformers(path: Path, context: int | None, options: LocalOptions) -> Engine:
    from rmaudit.engines.parallel import ParallelEngine
    from rmaudit.engines.transformers import TransformersEngine

    factory: Callable[[], Engine] = partial(
        TransformersEngine,
        path,
        context=context,
        batch_size=options.batch_size,
        dtype=options.dtype,
    )
    if options.data_parallel == 1:
        return factory()
    return ParallelEngine(factory, devices=_shares(options), batch=options.batch_size)


def _shares(options: LocalOptions) -> list[Mapping[str, str]]:
    """The environment of each process: its share of the devices, or of the cores of a CPU."""
    each, processes = options.tensor_parallel, options.data_parallel
    if each * processes == 1:
        return [{}]
    devices = visible_devices()
    if not devices:
        threads = max(1, len(os.sched_getaffinity(0)) // processes)
        return [{"OMP_NUM_THREADS": str(threads)}] * processes
    if each * processes > len(devices):
        raise InputError(
            f"--tensor-parallel {each} in --data-parallel {processes} processes needs "
            f"{each * processes} CUDA devices; {len(devices)} are there",
            "lower one of the two",
        )
    return [
        {"CUDA_VISIBLE_DEVICES": ",".join(devices[start : start + each])}
        for start in range(0, each * processes, each)
    ]


def visible_devices() -> list[str]:
    """CUDA devices that this process may use, as CUDA_VISIBLE_DEVICES names them."""
    import torch

    count = torch.cuda.device_count()
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    names = named.split(",") if named else [str(number) for number in range(count)]
    return names[:count]
