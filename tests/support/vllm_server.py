"""A real `vllm serve` on loopback."""

from __future__ import annotations

import importlib.metadata
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

CONTEXT = 4096


def find_package(name: str) -> bool:
    """Whether a distribution of this name is installed."""
    return any(found.name == name for found in importlib.metadata.distributions())


class Serve:
    """`vllm serve` of a small random model, in a process group of its own."""

    def __init__(self, model: Path, log: Path, *more: str) -> None:
        self.model, self.log, self.more = model, log, more
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self.start()

    def start(self) -> None:
        if find_package("vllm"):
            program = [str(Path(sys.executable).with_name("vllm")), "serve", str(self.model)]
        else:  # a CPU build, whose package has another name: that command does not start in it
            module = "vllm.entrypoints.openai.api_server"
            program = [sys.executable, "-m", module, "--model", str(self.model)]
        words = ["--served-model-name", "tiny", "--enforce-eager"]
        words += ["--host", "127.0.0.1", "--port", str(self.port), "--max-num-seqs", "8"]
        # On a CPU, vLLM 0.32 cannot rewind the random stream of a seeded request after a chunk.
        words += ["--no-enable-chunked-prefill", "--max-num-batched-tokens", str(CONTEXT)]
        words += self.more
        environment = {
            **os.environ,
            "VLLM_CPU_KVCACHE_SPACE": "1",
            "VLLM_LOGGING_LEVEL": "ERROR",
            "VLLM_NO_USAGE_STATS": "1",
            "HF_HUB_OFFLINE": "1",
        }
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*program, *words], env=environment, stdout=log, stderr=log, start_new_session=True
            )
        deadline = time.monotonic() + 400
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5):
                    return
            except OSError:
                time.sleep(0.5)
        self.kill()
        raise AssertionError(self.log.read_text()[-3000:])

    def kill(self) -> None:
        """The whole group: the server and its engine process."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(30)
