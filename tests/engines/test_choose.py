"""Which engine runs a checkpoint here, the devices of each process, options that do not fit."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.packages import needs

from rmaudit.config import ScanConfig
from rmaudit.engines import choose
from rmaudit.engines.choose import local_engine
from rmaudit.engines.options import LocalOptions
from rmaudit.engines.parallel import ParallelEngine
from rmaudit.engines.transformers import TransformersEngine
from rmaudit.errors import InputError, MissingPackageError

pytestmark = [pytest.mark.slow, needs("torch")]  # devices are asked of torch
HERE = Path("model")


def chosen(wanted: str, **options: Any) -> tuple[Any, str]:
    return local_engine(HERE, context=4096, wanted=wanted, options=LocalOptions(**options))


@pytest.mark.skipif(find_spec("vllm") is not None, reason="vLLM is installed")
def test_without_vllm() -> None:
    engine, why = chosen("auto")
    assert isinstance(engine, TransformersEngine)
    assert why == 'vLLM is not installed: pip install "rmaudit[vllm]"'
    with pytest.raises(MissingPackageError, match="needs vllm, which is not installed") as told:
        chosen("vllm")
    assert told.value.hint == 'pip install "rmaudit[vllm]"'


@pytest.mark.skipif(find_spec("vllm") is None, reason="vLLM is not installed")
def test_with_vllm() -> None:
    engine, why = chosen("auto")
    on_gpu = bool(choose.visible_devices())
    assert engine.name == ("vllm" if on_gpu else "transformers")
    assert ("CUDA devices are there" if on_gpu else "no CUDA device is there") in why
    engine, why = chosen("vllm", max_model_len=1000)
    assert (engine.name, why) == ("vllm", "asked for with --engine")
    assert engine.describe()["data_parallel"] == 1
    with pytest.raises(InputError, match="above the model's context of 4096"):
        chosen("vllm", max_model_len=5000)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("tensor_parallel", 2),
        ("max_model_len", 100),
        ("gpu_memory_utilization", 0.5),
        ("quantization", "fp8"),
    ],
)
def test_options_of_vllm_are_refused_elsewhere(option: str, value: object) -> None:
    said = f"--{option.replace('_', '-')}"
    with pytest.raises(InputError, match=f"{said} needs engine vllm, but asked for") as told:
        chosen("transformers", **{option: value})
    assert told.value.hint == f"leave {said} out"


def test_transformers_in_processes() -> None:
    engine, _ = chosen("transformers", data_parallel=2)
    assert isinstance(engine, ParallelEngine)
    assert engine.name == "transformers"
    assert engine.describe()["data_parallel"] == 2


def test_devices_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "visible_devices", lambda: ["0", "1", "2", "5", "7"])
    shares = choose._shares(LocalOptions(tensor_parallel=2, data_parallel=2))
    assert shares == [{"CUDA_VISIBLE_DEVICES": "0,1"}, {"CUDA_VISIBLE_DEVICES": "2,5"}]
    assert choose._shares(LocalOptions()) == [{}]
    with pytest.raises(InputError, match="needs 6 CUDA devices; 5 are there"):
        choose._shares(LocalOptions(tensor_parallel=2, data_parallel=3))
    monkeypatch.setattr(choose, "visible_devices", list)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert choose._shares(LocalOptions(data_parallel=3)) == [{"OMP_NUM_THREADS": "2"}] * 3


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("tensor_parallel", 0),
        ("data_parallel", 0),
        ("max_model_len", 0),
        ("gpu_memory_utilization", 0.0),
        ("gpu_memory_utilization", 1.5),
        ("dtype", "float8"),
    ],
)
def test_config_refuses_values_that_no_engine_takes(option: str, value: object) -> None:
    with pytest.raises(InputError, match=f"--{option.replace('_', '-')}|no dtype"):
        ScanConfig(target="x", **{option: value})  # type: ignore[arg-type]


def test_max_model_len_is_auto_or_a_number(cli: Any) -> None:
    done = cli("scan", "model", "--max-model-len", "long")
    assert done.code == 2
    assert "'long' is neither auto nor a whole number" in done.err
    assert "no checkpoint at model" in cli("scan", "model", "--max-model-len", "auto").err
