"""Runs every check stage by stage, prints the time of each, and fails when one fails.

Two lanes run side by side: vLLM and the browser, which work in a process of their own and wait much
of the time, beside the tests that compute. Those run in two processes, a file in one of them, each
with one thread: two cores are full that way, and a file's servers and models are made once. What a
stage prints is shown when it has ended, so that no two mix.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

BIN = Path(sys.executable).parent
OPTIONS = ["-q", "-p", "no:cacheprovider", "--durations=20"]
PYTEST = [str(BIN / "pytest"), *OPTIONS]
IN_TWO = ["-n", "2", "--dist", "loadfile"]
VLLM_PYTHON = ".venv-vllm/bin/python"
STAGES: dict[str, list[str]] = {
    "benchmark": [sys.executable, "benchmarks/metrics_scale.py"],
    "ruff": [str(BIN / "ruff"), "check", "."],
    "format": [str(BIN / "ruff"), "format", "--check", "."],
    "types": [str(BIN / "mypy")],
    "vllm": [VLLM_PYTHON, "-m", "pytest", *OPTIONS, "-m", "vllm"],
    "browser": [*PYTEST, "-m", "browser"],
    "models": [*PYTEST, *IN_TWO, "-m", "(model or slow) and not vllm and not browser"],
    "tests": [*PYTEST, *IN_TWO, "-m", "not slow and not model and not browser and not vllm"],
}
PHASES = (
    # The benchmark compares times: beside it runs one process on the other core, no more.
    (("benchmark",), ("ruff", "format", "types")),
    (("vllm", "browser"), ("models", "tests")),
)
ONE_THREAD = {"OMP_NUM_THREADS": "1"}
COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}
"""Files compiled once serve all stages."""
NOT_STARTED = 127


@dataclass
class Stage:
    """A stage that runs or has ended; `cpu` are its seconds of both cores with all children."""

    name: str
    output: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0
    cpu: float = 0.0
    code: int | None = None

    def start(self) -> Stage:
        """Starts its command; pytest gets one thread a process. A missing program is a failure."""
        command = STAGES[self.name]
        print(f"── {self.name} starts: {' '.join(command)}", flush=True)
        settings = os.environ | COMPILED | (ONE_THREAD if command[: len(PYTEST)] == PYTEST else {})
        try:
            self.process = subprocess.Popen(
                command, stdout=self.output, stderr=subprocess.STDOUT, env=settings
            )
        except OSError as error:
            self.output.write(f"{error}\n".encode())
            self.code = NOT_STARTED
            self.show()
        return self

    def ended(self) -> bool:
        """Whether it has ended; what it printed is then shown."""
        if self.code is not None:
            return True
        pid, status, used = os.wait4(self.process.pid, os.WNOHANG)
        if pid:
            self.code = self.process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds = time.monotonic() - self.started
            self.cpu = used.ru_utime + used.ru_stime
            self.show()
        return bool(pid)

    def show(self) -> None:
        """Prints what the stage printed."""
        self.output.seek(0)
        print(f"── {self.name}", flush=True)
        sys.stdout.buffer.write(self.output.read())
        sys.stdout.flush()
        self.output.close()

    def stop(self) -> None:
        """Ends its process, and shows how far it came."""
        self.process.terminate()
        self.process.wait()
        self.show()

    @property
    def line(self) -> str:
        """Its times and how it ended."""
        told = "ok" if self.code == 0 else f"FAILED ({self.code})"
        return f"{self.name:<10} {self.seconds:7.1f} s {self.cpu:7.1f} s of CPU  {told}"


def run_lanes(lanes: Iterable[Sequence[str]]) -> list[Stage]:
    """The stages of each lane one after the other, the lanes side by side."""
    waiting = [list(lane) for lane in lanes]
    running: list[Stage | None] = [None] * len(waiting)
    done: list[Stage] = []
    told = time.monotonic()
    try:
        while any(waiting) or any(running):
            for place, lane in enumerate(waiting):
                stage = running[place]
                if stage is not None and stage.ended():
                    done.append(stage)
                    stage = running[place] = None
                if stage is None and lane:
                    running[place] = Stage(lane.pop(0)).start()
            if time.monotonic() - told > 60:
                told = time.monotonic()
                names = [f"{one.name} {told - one.started:.0f} s" for one in running if one]
                print(f"── still at work: {', '.join(names)}", flush=True)
            time.sleep(0.1)
    except BaseException:
        for stage in running:
            if stage is not None and stage.code is None:
                stage.stop()
        raise
    return done


def main() -> int:
    """Runs all stages, also after a failed one; 1 when any failed."""
    begun = time.monotonic()
    done = [stage for lanes in PHASES for stage in run_lanes(lanes)]
    print("── time of each stage")
    for stage in done:
        print(stage.line)
    total = sum(stage.cpu for stage in done)
    print(f"{'in all':<10} {time.monotonic() - begun:7.1f} s {total:7.1f} s of CPU")
    return int(any(stage.code for stage in done))


if __name__ == "__main__":
    sys.exit(main())
