"""Where training runs: the device, its free memory, and how many processes share the work."""

from __future__ import annotations

import os
from typing import NamedTuple

from rmaudit.errors import InputError
from rmaudit.fix.training.processes import Launch


class Machine(NamedTuple):
    """What the settings are fitted to.

    Attributes:
        name: for people.
        cuda: a CUDA device trains.
        bf16: the device multiplies in bfloat16.
        free: bytes of memory that are free on one device.
        devices: processes that train together.
        held: share of a model's training memory that one device holds.
    """

    name: str
    cuda: bool
    bf16: bool
    free: float
    devices: int
    held: float = 1.0

    @property
    def kind(self) -> str:
        """What a resumed run must be on again."""
        return f"{self.devices} x {'cuda' if self.cuda else 'cpu'}"

    @property
    def checkpointing(self) -> bool:
        """Whether activations are computed again in the backward pass."""
        return self.cuda


def machine(launch: Launch | None = None) -> Machine:
    """This machine, as the launcher of training divides it.

    Raises:
        InputError: several GPUs are visible and no launcher divides them.
    """
    import torch

    world = launch.processes if launch is not None else int(os.environ.get("WORLD_SIZE", "1"))
    held = launch.held if launch is not None else 1.0
    if not torch.cuda.is_available() or (launch is not None and launch.cpu):
        share = _free_memory() / (launch.here if launch is not None else 1)
        return Machine("this machine's processor", False, False, share, world, held)
    count = torch.cuda.device_count()
    if count > 1 and launch is None and world == 1:
        raise InputError(
            f"{count} GPUs are visible, and one process trains on one",
            "choose one: CUDA_VISIBLE_DEVICES=0 rmaudit fix ..., or use them all: "
            "--launch accelerate:CONFIG",
        )
    free, _ = torch.cuda.mem_get_info()
    bf16 = torch.cuda.is_bf16_supported()
    return Machine(torch.cuda.get_device_name(), True, bf16, float(free), world, held)


def _free_memory() -> float:
    """Bytes that new programs can take, by the kernel's estimate."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return float(line.split()[1]) * 1024
    except OSError:
        pass
    return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
