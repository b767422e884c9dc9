"""`--launch accelerate:CONFIG`: what the file says about processes, nodes and sharded weights.

Training then runs in the processes that `accelerate launch` starts. All else (plan, attacks,
baseline pass, scans, verdict) stays in the command itself, on the machine of rank 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rmaudit.errors import InputError

PREFIX = "accelerate:"
KINDS = ("NO", "MULTI_CPU", "MULTI_GPU", "DEEPSPEED", "FSDP")
WEIGHTS, GRADIENTS, MOMENTS = 4 / 16, 4 / 16, 8 / 16
"""Shares of the 16 bytes that training holds for each parameter."""


@dataclass(frozen=True, slots=True)
class Launch:
    """A launcher's file, as far as a repair depends on it.

    Attributes:
        config: the file.
        processes: that train together, over all machines.
        machines: nodes. rank: of this one; 0 plans, saves and decides.
        cpu: trains on processors even where a GPU is.
        deepspeed: trains with it.
        sharded: weights are spread over the processes (ZeRO-3, FSDP).
        held: share of a model's training memory that one process holds.
    """

    config: Path
    processes: int
    machines: int = 1
    rank: int = 0
    cpu: bool = False
    deepspeed: bool = False
    sharded: bool = False
    held: float = 1.0

    @property
    def here(self) -> int:
        """Processes on one machine."""
        return self.processes // self.machines


def read_launch(spec: str) -> Launch:
    """What `accelerate:CONFIG` names.

    Raises:
        InputError: the file is not there, or what it asks for cannot train and save a checkpoint.
    """
    path = Path(spec.removeprefix(PREFIX))
    if not spec.startswith(PREFIX) or not path.name:
        raise InputError(
            f"--launch is '{spec}'",
            "give accelerate:CONFIG, the file that `accelerate config` writes",
        )
    found = _read(path)
    kind = str(found.get("distributed_type", "NO")).upper()
    if kind not in KINDS:
        raise InputError(f"{path}: distributed_type is {kind}", f"train with {', '.join(KINDS)}")
    processes = _whole(found, "num_processes", path)
    machines = _whole(found, "num_machines", path)
    rank = found.get("machine_rank", 0)
    if processes % machines or not isinstance(rank, int) or not 0 <= rank < machines:
        raise InputError(
            f"{path}: {processes} processes on {machines} machines, of which this is {rank}",
            "num_processes counts those of all machines; machine_rank starts at 0",
        )
    if machines > 1 and not found.get("main_process_ip"):
        raise InputError(f"{path} names no main_process_ip", "give the address of machine 0")
    sharded, held = _memory(found, kind, processes, path)
    return Launch(
        config=path,
        processes=processes,
        machines=machines,
        rank=rank,
        cpu=bool(found.get("use_cpu")) or kind == "MULTI_CPU",
        deepspeed=kind == "DEEPSPEED",
        sharded=sharded,
        held=held,
    )


def _memory(found: Mapping[str, Any], kind: str, processes: int, path: Path) -> tuple[bool, float]:
    """Whether weights are sharded, and the share of the memory that a process holds."""
    if kind == "FSDP":
        fsdp = found.get("fsdp_config") or {}
        if "FULL_STATE_DICT" not in str(fsdp.get("fsdp_state_dict_type", "")):
            raise InputError(
                f"{path}: checkpoints would be in pieces that no scan can load",
                "set fsdp_state_dict_type: FULL_STATE_DICT in its fsdp_config",
            )
        return True, 1 / processes
    if kind != "DEEPSPEED":
        return False, 1.0
    zero = found.get("deepspeed_config") or {}
    stage = zero.get("zero_stage")
    if stage not in (0, 1, 2, 3):
        raise InputError(
            f"{path} names no zero_stage", "set zero_stage: 1, 2 or 3 in its deepspeed_config"
        )
    if stage == 3 and zero.get("zero3_save_16bit_model") is not True:
        raise InputError(
            f"{path}: checkpoints would be in pieces that no scan can load",
            "set zero3_save_16bit_model: true in its deepspeed_config",
        )
    cut = 1 / processes
    moments = MOMENTS * (cut if stage >= 1 else 1.0)
    if zero.get("offload_optimizer_device", "none") != "none":
        moments = 0.0
    weights = 0.0 if zero.get("offload_param_device", "none") != "none" else WEIGHTS
    return stage == 3, (
        weights * (cut if stage == 3 else 1.0) + GRADIENTS * (cut if stage >= 2 else 1.0) + moments
    )


def _read(path: Path) -> dict[str, Any]:
    import yaml

    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror}", "`accelerate config` writes such a file"
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no YAML file", "`accelerate config` writes one") from error
    if not isinstance(found, dict):
        raise InputError(f"{path} holds no settings", "`accelerate config` writes such a file")
    return found


def _whole(found: Mapping[str, Any], name: str, path: Path) -> int:
    value = found.get(name, 1)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InputError(f"{path}: {name} is {value!r}", "give a whole number from 1")
    return value
