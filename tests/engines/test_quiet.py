"""What engines print stays off stdout; streams that block; what vLLM's errors mean."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rmaudit.engines.feed import Feed
from rmaudit.engines.quiet import EngineLog, environment, quiet
from rmaudit.engines.vllm_errors import reason, start_error, stopped_error
from rmaudit.errors import InputError

NOISE = """
import os, subprocess, sys
from rmaudit.engines.quiet import LOG, quiet
print("own 1")
with quiet(verbose={verbose}):
    print("python stdout")
    print("python stderr", file=sys.stderr)
    os.write(1, b"descriptor 1\\n")
    os.write(2, b"descriptor 2\\n")
    child = subprocess.Popen(["sh", "-c", "echo child; sleep 0.3; echo late child"])
print("own 2")
os.write(1, b"own 3\\n")
print("own error", file=sys.stderr)
child.wait()
"""
LINES = ["python stdout", "python stderr", "descriptor 1", "descriptor 2", "child", "late child"]


@pytest.mark.parametrize("verbose", [False, True])
def test_stdout_is_the_caller_s_and_stderr_too_unless_verbose(verbose: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-u", "-c", NOISE.format(verbose=verbose)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n") == ["own 1", "own 2", "own 3", ""]
    told = [line for line in done.stderr.split("\n") if line]
    assert sorted(told) == sorted([*(LINES if verbose else []), "own error"])


def test_cause_of_a_failure_in_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    with quiet(verbose=False) as log:
        os.write(1, b"RuntimeError: an old one\n")
        mark = log.size()
        assert log.cause(since=mark) == ""
        os.write(2, b"(Worker pid=1) ERROR [x.py:3] torch.OutOfMemoryError: 3 GiB\n")
        os.write(1, b"(Core pid=2) ERROR RuntimeError: it failed, see root cause above\n")
        log.write("INFO nothing\n")
    assert log.cause(since=mark) == "3 GiB"
    assert log.cause() == "3 GiB"
    assert capfd.readouterr() == ("", "")
    fresh = EngineLog()
    assert (fresh.size(), fresh.cause()) == (0, "")
    fresh.write("to the screen\n")
    assert capfd.readouterr().err == "to the screen\n"


def test_environment_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RMAUDIT_ONE", "before")
    with environment(RMAUDIT_ONE="1", RMAUDIT_TWO="2"):
        assert (os.environ["RMAUDIT_ONE"], os.environ["RMAUDIT_TWO"]) == ("1", "2")
    assert os.environ["RMAUDIT_ONE"] == "before"
    assert "RMAUDIT_TWO" not in os.environ


def test_feed_of_a_sequence_is_there_at_once() -> None:
    feed = Feed([1, 2, 3])
    assert not feed.open
    assert feed.take(2, wait=False) == [1, 2]
    assert len(feed) == 1
    assert feed.take(9, wait=True) == [3]
    assert feed.take(9, wait=True) == []


def test_feed_waits_only_when_asked_to_and_reads_no_further_ahead_than_told() -> None:
    go, read = threading.Event(), []

    def stream() -> Iterator[int]:
        go.wait()
        for number in range(10):
            read.append(number)
            yield number

    feed = Feed(stream(), ahead=3)
    assert feed.take(5, wait=False) == []
    assert feed.open
    go.set()
    assert feed.take(1, wait=True) == [0]
    found = [0]
    while taken := feed.take(2, wait=True):
        found += taken
        assert len(read) <= len(found) + 4  # three in front, and one in the thread's hand
    assert found == list(range(10))
    assert not feed.open


def test_feed_hands_over_the_error_of_its_stream_after_its_items() -> None:
    def stream() -> Iterator[int]:
        yield 1
        raise ZeroDivisionError("by zero")

    feed = Feed(stream())
    assert feed.take(5, wait=True) == [1]
    with pytest.raises(ZeroDivisionError, match="by zero"):
        feed.take(5, wait=True)


def test_closed_feed_reads_no_more() -> None:
    gone = threading.Event()

    def stream() -> Iterator[int]:
        try:
            yield from range(10**9)
        finally:
            gone.set()

    feed = Feed(stream(), ahead=2)
    feed.take(1, wait=True)
    feed.close()
    assert gone.wait(10)


UNKNOWN_MODEL = """1 validation error for ModelConfig
  Value error, Model architectures ['FooForCausalLM'] are not supported for now. \
Supported architectures: dict_keys(['AForCausalLM', 'BForCausalLM']) [type=value_error, input=1]
    For further information visit https://errors.example/v/value_error"""
MEMORY = (
    "No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when "
    "initializing the engine. See https://docs.example for more details."
)


def test_reason_of_an_error() -> None:
    assert reason(ValueError(UNKNOWN_MODEL)) == (
        "Model architectures ['FooForCausalLM'] are not supported for now"
    )
    assert reason(ValueError("temperature must be in [0, 2]. (parameter=t, value=3)")) == (
        "temperature must be in [0, 2]."
    )
    assert reason(KeyError()) == "KeyError"
    assert reason(RuntimeError("\n first \n second")) == "first"


def test_start_error_says_what_to_do() -> None:
    path = Path("model")
    error = start_error(path, ValueError(UNKNOWN_MODEL), "")
    assert isinstance(error, InputError)
    assert error.message.startswith("vLLM does not start with model: Model architectures")
    assert error.hint == "run it with --engine transformers"
    memory = start_error(path, ValueError(MEMORY), "")
    assert "--max-model-len" in memory.hint
    assert "--tensor-parallel" in memory.hint
    assert "https" not in memory.message
    pointer = RuntimeError("Worker failed. See stack trace for root cause.")
    assert start_error(path, pointer, "CUDA out of memory").message.endswith("CUDA out of memory")
    long = start_error(path, ValueError("First. " + "x" * 500), "")
    assert long.message.endswith("First")
    assert len(start_error(path, ValueError("x" * 500), "").message) < 350


def test_stopped_error_keeps_rows() -> None:
    error = stopped_error(RuntimeError("cancelled"), "")
    assert not isinstance(error, InputError)
    assert error.message == "vLLM stopped while working: cancelled"
    assert "--resume" in error.hint
    assert "--gpu-memory-utilization" in stopped_error(RuntimeError("out of memory"), "").hint
    assert stopped_error(RuntimeError(), "the device is lost").message.endswith("is lost")
