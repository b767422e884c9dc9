"""Starts a launched training, hears how it goes, and brings its end back: result, error, signal."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO, Any

from rmaudit.errors import InputError, RmauditError
from rmaudit.escaping import plain
from rmaudit.fix.folder import JOB
from rmaudit.fix.launch.worker import ENDED, FAILED, MARK, OPTIONS, STOP, Launched, write_job
from rmaudit.fix.options import Options
from rmaudit.fix.training.processes import Launch
from rmaudit.fix.training.train import Trained

LOG = "launch.log"
GRACE = 20.0
"""Seconds that processes have to end before they are killed."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def train_launched(
    given: Launched,
    options: Options,
    launch: Launch,
    *,
    hear: Callable[[Mapping[str, Any]], None],
) -> Trained:
    """Trains in the processes of the launcher, as `train` does in this one.

    The first SIGINT or SIGTERM lets them end at the next whole rollout, with a checkpoint; at the
    second they are killed.

    Args:
        given: what they train.
        options: of the repair.
        launch: how many they are, and where.
        hear: is given what rank 0 says: `log` or `audit`.

    Raises:
        InputError: a process met something that the user can mend.
        RmauditError: a process failed; the checkpoints are kept.
    """
    out = given.job.out
    for name in (STOP, ENDED, FAILED):
        (out / name).unlink(missing_ok=True)
    path = write_job(given)
    if given.job.cuda:
        _make_room()
    try:
        code = _run(path, options, launch, hear)
    finally:
        path.unlink(missing_ok=True)
    _endure(out, code)
    ended = json.loads((out / ENDED).read_text(encoding="utf-8"))
    return Trained(**{**ended, "logs": tuple(ended["logs"]), "weights": tuple(ended["weights"])})


def follow(options: Options, launch: Launch) -> int:
    """On any machine but the first: trains along once the first has planned; returns exit code 0.

    Raises:
        InputError: no folder is named that the machines share.
        RmauditError: a process failed.
    """
    if options.out is None:
        raise InputError(
            f"this is machine {launch.rank} of {launch.machines}, and no folder is named",
            "give --out DIR, the same folder on all machines",
        )
    path = options.out / "training" / JOB
    print(f"machine {launch.rank} waits for machine 0 to plan in {path.parent}", file=sys.stderr)
    while not path.is_file():
        time.sleep(1)
    code = _run(path, options, launch, lambda _: None)
    _endure(path.parent, code)
    ended = json.loads((path.parent / ENDED).read_text(encoding="utf-8"))
    if ended["signal"] is not None:
        signal.raise_signal(ended["signal"])
    return 0


def command(path: Path, launch: Launch) -> list[str]:
    """The command line of the launcher."""
    words = [sys.executable, "-m", "accelerate.commands.launch"]
    words += ["--config_file", str(launch.config)]
    if launch.cpu and launch.processes > 1:
        # By its file alone, several processes on processors would be started by MPI or not at all.
        words.append("--multi_gpu")
    return [*words, "-m", "rmaudit.fix.launch.worker", str(path)]


def _make_room() -> None:
    """Gives back what the answers before training took of a GPU."""
    import torch

    gc.collect()
    torch.cuda.empty_cache()


def _run(
    path: Path, options: Options, launch: Launch, hear: Callable[[Mapping[str, Any]], None]
) -> int:
    environment = os.environ | {OPTIONS: options.model_dump_json(exclude_unset=True)}
    # A session of its own: a Ctrl-C is meant for this command, which ends the others in order.
    with (
        (path.parent / LOG).open("a", encoding="utf-8") as log,
        subprocess.Popen(
            command(path, launch),
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process,
    ):
        assert process.stdout is not None
        try:
            with _asked_to_stop(path.parent / STOP):
                _listen(process.stdout, log, hear)
                return process.wait()
        finally:
            _end(process)


def _listen(lines: IO[str], log: IO[str], hear: Callable[[Mapping[str, Any]], None]) -> None:
    for line in lines:
        before, mark, said = line.partition(MARK)
        if before.strip() or not mark:
            log.write(before if mark else line)
            log.flush()
        if mark:
            hear(json.loads(said))


def _end(process: subprocess.Popen[str]) -> None:
    """Ends what is left of the processes."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        os.killpg(process.pid, number)
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            continue


def _endure(out: Path, code: int) -> None:
    """Raises what a process failed with."""
    if (out / FAILED).is_file():
        told = json.loads((out / FAILED).read_text(encoding="utf-8"))
        kind = InputError if told["input"] else RmauditError
        raise kind(told["message"], told["hint"])
    if code or not (out / ENDED).is_file():
        raise RmauditError(
            f"accelerate launch ended with code {code}: {_last(out / LOG)}",
            f"look into {out / LOG}; the checkpoints are kept: mend the cause, then --resume",
        )


def _last(log: Path) -> str:
    """The last line of an error in the log, else its last line."""
    with log.open(encoding="utf-8", errors="replace") as file:
        lines = deque((line.strip() for line in file if line.strip()), maxlen=400)
    errors = [line for line in lines if "Error" in line.partition(":")[0] and ": " in line]
    return plain((errors or [*lines] or ["it said nothing"])[-1])[:300]


@contextmanager
def _asked_to_stop(stop: Path) -> Iterator[None]:
    """The first signal is written down for the processes; the second does what it did before."""
    before: dict[int, Any] = {}

    def note(number: int, frame: FrameType | None) -> None:
        if stop.exists() and callable(before[number]):
            before[number](number, frame)
        stop.write_text(str(number), encoding="ascii")

    before |= {number: signal.signal(number, note) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
