"""The scripts for a node and for SLURM run, with a stand-in in the place of `vllm`."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CLUSTER = ROOT / "examples" / "cluster"
SET = "synth:3:12:slogan"
STAND_IN = """
import sys, time
sys.path.insert(0, {tests!r})
from support.score_server import ScoreServer
words = sys.argv[1:]
if words[1] == "broken":
    sys.exit("the weights cannot be read")
assert words[0] == "serve" and words[words.index("--runner") + 1] == "pooling"
assert words[words.index("--served-model-name") + 1] == "rm"
open({log!r}, "a").write(words[words.index("--data-parallel-size") + 1] + "\\n")
server = ScoreServer("classify", port=int(words[words.index("--port") + 1]))
time.sleep(600)
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """`vllm` and `rmaudit` on the PATH, and a free port."""
    programs = tmp_path / "bin"
    programs.mkdir()
    stand_in = STAND_IN.format(tests=str(ROOT / "tests"), log=str(tmp_path / "copies"))
    (tmp_path / "stand_in.py").write_text(stand_in)
    for name, words in (("vllm", str(tmp_path / "stand_in.py")), ("rmaudit", "-m rmaudit")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        (programs / name).chmod(stat.S_IRWXU)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PORT": str(port),
        "GPUS": "2",
        "PYTHONPATH": str(ROOT),
    }


def run(folder: Path, environment: dict[str, str], script: str, *words: str, **more: str) -> Any:
    return subprocess.run(
        ["bash", str(CLUSTER / script), *words],
        cwd=folder, env=environment | more, capture_output=True, text=True, check=False,
    )  # fmt: skip


def numbers(run: Path) -> Any:
    return json.loads((run / "metrics.json").read_text())


@pytest.mark.slow
def test_a_node_and_an_array_measure_the_same(tmp_path: Path, environment: dict[str, str]) -> None:
    done = run(tmp_path, environment, "node.sh", "model", SET, "whole")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "copies").read_text() == "2\n"
    for task in ("1", "2"):
        slurm = {"SLURM_ARRAY_TASK_ID": task, "SLURM_ARRAY_TASK_COUNT": "2"}
        slurm["SLURM_SUBMIT_DIR"] = str(CLUSTER)
        done = run(tmp_path, environment, "array.sbatch", "model", SET, "parts", **slurm)
        assert done.returncode == 0, done.stderr
    merge = ["rmaudit", "merge-runs", "parts-1", "parts-2", "--out", "parts"]
    subprocess.run(merge, cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert numbers(tmp_path / "parts") == numbers(tmp_path / "whole")
    again = run(tmp_path, environment, "node.sh", "model", SET, "whole")
    assert again.returncode == 0, again.stderr


@pytest.mark.slow
def test_a_server_that_does_not_start_says_why(tmp_path: Path, environment: dict[str, str]) -> None:
    done = run(tmp_path, environment, "node.sh", "broken", SET, "run")
    assert done.returncode == 1
    assert "the weights cannot be read" in done.stderr
    assert not (tmp_path / "run").exists()
