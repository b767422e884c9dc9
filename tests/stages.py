"""Runs every check stage by stage, prints the time of each, and fails when one fails.

Tests run in two processes, a file in one of them, each with one thread: two cores are full that
way, and a file's servers and models are made once.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

BIN = Path(sys.executable).parent
VLLM_PYTHON = ".venv-vllm/bin/python"
PYTEST = [str(BIN / "pytest"), "-q", "-p", "no:cacheprovider", "-n", "2", "--dist", "loadfile"]
ONE_THREAD = {"OMP_NUM_THREADS": "1"}
STAGES: dict[str, list[str]] = {
    "ruff": [str(BIN / "ruff"), "check", "."],
    "format": [str(BIN / "ruff"), "format", "--check", "."],
    "types": [str(BIN / "mypy")],
    "benchmark": [sys.executable, "benchmarks/metrics_scale.py"],
    "browser": [*PYTEST, "-m", "browser"],
    "vllm": [VLLM_PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "vllm"],
    "models": [*PYTEST, "-m", "(model or slow) and not vllm"],
    "tests": [*PYTEST, "-m", "not slow and not model and not browser and not vllm"],
}


def main() -> int:
    """Runs all stages, also after a failed one; 1 when any failed."""
    times: list[tuple[str, float, int]] = []
    for name, command in STAGES.items():
        print(f"── {name}: {' '.join(command)}", flush=True)
        started = time.monotonic()
        settings = os.environ | (ONE_THREAD if command[: len(PYTEST)] == PYTEST else {})
        code = subprocess.run(command, check=False, env=settings).returncode
        times.append((name, time.monotonic() - started, code))
    print("── time of each stage")
    for name, seconds, code in times:
        print(f"{name:<10} {seconds:7.1f} s  {'ok' if code == 0 else f'FAILED ({code})'}")
    return int(any(code for _, _, code in times))


if __name__ == "__main__":
    sys.exit(main())
