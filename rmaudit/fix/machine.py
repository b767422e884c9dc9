"""Where training runs: the device, its free memory, and how many processes share the work."""

from __future__ import annotations

import os
from typing import NamedTuple

from rmaudit.errors import InputError


class Machine(NamedTuple):
    """What the settings are fitted to.

    Attributes:
        name: for people.
        cuda: a CUDA device trains.
        bf16: the device multiplies in bfloat16.
        free: bytes of memory that are free on one device.
        devices: processes that train together.
    """

    name: str
    cuda: bool
    bf16: bool
    free: float
    devices: int

    @property
    def kind(self) -> str:
        """What a resumed run must be on again."""
        return f"{self.devices} x {'cuda' if self.cuda else 'cpu'}"

    @property
    def checkpointing(self) -> bool:
        """Whether activations are computed again in the backward pass."""
        return self.cuda


def machine() -> Machine:
    """This machine, as the launcher of this process divides it.

    Raises:
        InputError: several GPUs are visible and no launcher divides them.
    """
    import torch

    world = int(os.environ.get("WORLD_SIZE", "1"))
    if not torch.cuda.is_available():
        return Machine("this machine's processor", False, False, _free_memory(), world)
    count = torch.cuda.device_count()
    if count > 1 and world == 1:
        raise InputError(
            f"{count} GPUs are visible, and one process trains on one",
            "choose one: CUDA_VISIBLE_DEVICES=0 rmaudit fix ...",
        )
    free, _ = torch.cuda.mem_get_info()
    return Machine(
        torch.cuda.get_device_name(), True, torch.cuda.is_bf16_supported(), float(free), world
    )


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
