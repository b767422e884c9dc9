"""Engines in processes: one queue, kill -9 in the middle, a parent that dies, slow streams."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import psutil
import pytest
from support.parallel_engines import EchoEngine
from support.random_model import save_random_model

from rmaudit.engines.base import Request, Sampling
from rmaudit.engines.parallel import ParallelEngine
from rmaudit.engines.transformers import TransformersEngine
from rmaudit.errors import InputError, RmauditError
from rmaudit.records import Generation, Key

SAMPLING = Sampling(max_tokens=7)
TWO = ({"PLACE": "0"}, {"PLACE": "1"})


def requests(number: int, content: str = "") -> list[Request]:
    return [
        Request(Key(f"i{n}"), ({"role": "user", "content": content or f"say {n}"},), seed=n)
        for n in range(number)
    ]


def asker(generation: Generation) -> int:
    """The process that answered."""
    return int(generation.text.split(" by ")[1].split(" at ")[0])


def met(tmp_path: Path) -> Path:
    """Where the next call waits until both processes have been given something."""
    folder = tmp_path / "met"
    folder.mkdir(exist_ok=True)
    for place in folder.iterdir():
        place.unlink()
    return folder


def warm(engine: ParallelEngine) -> set[int]:
    """Both processes, once both are up: they start at different speeds."""
    deadline = time.monotonic() + 60
    while len(pids := {asker(g) for g in engine.complete(requests(20), SAMPLING)}) < 2:
        assert time.monotonic() < deadline
    return pids


def wait_until_gone(pid: int, seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, f"process {pid} is still there"
        time.sleep(0.05)


@pytest.mark.parametrize("batch", [None, 3])
def test_each_request_is_answered_once_and_both_processes_work(
    batch: int | None, tmp_path: Path
) -> None:
    factory = partial(EchoEngine, batched=batch is not None, meet=met(tmp_path))
    engine = ParallelEngine(factory, devices=TWO, batch=batch)
    pids = warm(engine)
    for number in (60, 7):  # the processes stay for the next call
        met(tmp_path)
        found = list(engine.complete(requests(number), SAMPLING))
        assert Counter(g.key.item for g in found) == Counter(f"i{n}" for n in range(number))
        assert all(g.text.startswith(f"say {g.key.item[1:]} by") for g in found)
        assert {g.tokens_out for g in found} == {7}
        assert {asker(g) for g in found} == pids
        assert {g.text[-1] for g in found} == {"0", "1"}  # each in its own environment
    assert engine.name == "echo"
    assert engine.describe()["data_parallel"] == 2
    engine.close()
    engine.close()
    assert not any(psutil.pid_exists(pid) for pid in pids)
    assert list(engine.complete([], SAMPLING)) == []


def test_a_single_process_is_handed_a_sequence_whole() -> None:
    """An engine that reads all first would wait for ever for the end of a stream."""
    engine = ParallelEngine(partial(EchoEngine, batched=True), devices=({},), batch=None)
    assert len(list(engine.complete(requests(9), SAMPLING))) == 9
    assert engine.describe() == {"data_parallel": 1, "answered": 9}
    engine.close()


def test_a_faster_process_takes_all_that_a_slower_one_does_not_work_on(tmp_path: Path) -> None:
    held = tmp_path / "held"
    held.write_text("")
    factory = partial(EchoEngine, held=held, meet=met(tmp_path))
    engine = ParallelEngine(factory, devices=TWO, batch=None)
    warm(engine)
    met(tmp_path)
    held.write_text("1")
    found = []
    for generation in engine.complete(requests(110), SAMPLING):
        found.append(generation.text[-1])
        if len(found) == 109:
            held.write_text("")
    engine.close()
    assert found == ["0"] * 109 + ["1"]


def test_no_process_is_given_more_than_its_share(tmp_path: Path) -> None:
    """Of 12 in batches of 10, each of two gets 6 at first, then halves of what is left.

    Both have to ask before one goes on: what a process that is late leaves, the other may take.
    """
    held = tmp_path / "held"
    held.write_text("")
    factory = partial(EchoEngine, held=held, batched=True, meet=met(tmp_path))
    engine = ParallelEngine(factory, devices=TWO, batch=10)
    warm(engine)
    met(tmp_path)
    held.write_text("1")
    found = []
    for generation in engine.complete(requests(12), SAMPLING):
        found.append(generation.text[-1])
        if len(found) == 6:
            held.write_text("")
    engine.close()
    assert found == ["0"] * 6 + ["1"] * 6


@pytest.mark.slow
@pytest.mark.parametrize("batch", [None, 8])
def test_kill_in_the_middle_loses_nothing_and_repeats_nothing(batch: int | None) -> None:
    factory = partial(EchoEngine, pace=0.01, batched=batch is not None)
    engine = ParallelEngine(factory, devices=TWO, batch=batch)
    warm(engine)
    found: list[Generation] = []
    victim = 0
    for generation in engine.complete(requests(100), SAMPLING):
        found.append(generation)
        if len(found) == 20:
            victim = asker(generation)
            os.kill(victim, signal.SIGKILL)
    assert Counter(g.key.item for g in found) == Counter(f"i{n}" for n in range(100))
    assert engine.describe()["processes_lost"] == 1
    survivor = {asker(g) for g in found[50:]} - {victim}
    assert len(survivor) == 1
    again = list(engine.complete(requests(5), SAMPLING))  # the survivor goes on alone
    assert {asker(g) for g in again} == survivor
    engine.close()


@pytest.mark.slow
def test_all_processes_dead_is_an_error_that_keeps_what_was_done() -> None:
    engine = ParallelEngine(partial(EchoEngine, pace=0.01), devices=TWO, batch=None)
    warm(engine)
    found: list[Generation] = []

    def kill_each() -> None:
        for generation in engine.complete(requests(200), SAMPLING):
            found.append(generation)
            if len(found) in (20, 60):
                os.kill(asker(generation), signal.SIGKILL)

    with pytest.raises(RmauditError, match=r"every engine process stopped.*exit code -9") as told:
        kill_each()
    assert not isinstance(told.value, InputError)
    assert "--resume" in told.value.hint
    assert 60 <= len({g.key for g in found}) == len(found) < 200
    done = {g.key for g in found}
    rest = [request for request in requests(200) if request.key not in done]
    assert len(list(engine.complete(rest, SAMPLING))) == len(rest)  # it starts again
    engine.close()


def test_errors_of_an_engine() -> None:
    def engine() -> ParallelEngine:
        return ParallelEngine(EchoEngine, devices=({},), batch=None)

    with pytest.raises(InputError, match="no such model") as told:
        list(engine().complete(requests(1, "refuse"), SAMPLING))
    assert told.value.hint == "name another"
    with pytest.raises(RmauditError, match="stopped; the last one said: the device is gone"):
        list(engine().complete(requests(1, "break"), SAMPLING))
    with pytest.raises(RmauditError, match="ZeroDivisionError: by zero"):
        list(engine().complete(requests(1, "bug"), SAMPLING))


def test_an_engine_that_breaks_leaves_its_work_to_the_others() -> None:
    engine = ParallelEngine(partial(EchoEngine, pace=0.002, batched=True), devices=TWO, batch=4)
    with pytest.raises(RmauditError, match="the device is gone"):
        # The request that breaks an engine breaks the next one, too.
        list(engine.complete([*requests(30), *requests(1, "break")], SAMPLING))


def test_a_stream_that_blocks_does_not_hold_back_what_is_done() -> None:
    engine = ParallelEngine(EchoEngine, devices=TWO, batch=None)
    answered = threading.Event()

    def stream() -> Iterator[Request]:
        yield from requests(4)[:3]
        assert answered.wait(20), "the first answers were held back"
        yield requests(4)[3]

    found = []
    for generation in engine.complete(stream(), SAMPLING):
        found.append(generation.key.item)
        if len(found) == 3:
            answered.set()
    engine.close()
    assert sorted(found) == ["i0", "i1", "i2", "i3"]


def test_an_error_of_the_stream_reaches_the_caller() -> None:
    engine = ParallelEngine(EchoEngine, devices=({},), batch=None)

    def stream() -> Iterator[Request]:
        yield from requests(2)
        raise RmauditError("the first stage failed")

    with pytest.raises(RmauditError, match="the first stage failed"):
        list(engine.complete(stream(), SAMPLING))


@pytest.mark.slow
def test_leaving_early_ends_the_processes() -> None:
    engine = ParallelEngine(partial(EchoEngine, pace=0.01), devices=TWO, batch=None)
    pids = warm(engine)
    completions = engine.complete(requests(500), SAMPLING)
    assert {asker(g) for g in islice(completions, 30)} == pids
    completions.close()  # type: ignore[attr-defined]  # a generator
    assert not any(psutil.pid_exists(pid) for pid in pids)


SCRIPT = """
    import sys
    from functools import partial
    sys.path.insert(0, {tests!r})
    from support.parallel_engines import EchoEngine
    from rmaudit.engines.base import Request, Sampling
    from rmaudit.engines.parallel import ParallelEngine
    from rmaudit.records import Key

    def main():
        engine = ParallelEngine(
            partial(EchoEngine, pace=0.01), devices=({{}}, {{}}), batch=None
        )
        wanted = [
            Request(Key(str(n)), ({{"role": "user", "content": {content!r}}},), seed=n)
            for n in range({number})
        ]
        for generation in engine.complete(wanted, Sampling()):
            print(generation.text.split(" by ")[1].split()[0], flush=True)

    if __name__ == "__main__":
        main()
"""


def script(tmp_path: Path, *, content: str, number: int) -> Path:
    path = tmp_path / "script.py"
    text = SCRIPT.format(tests=str(Path(__file__).parents[1]), content=content, number=number)
    path.write_text(textwrap.dedent(text))
    return path


@pytest.mark.slow
def test_killed_parent_leaves_no_process(tmp_path: Path) -> None:
    path = script(tmp_path, content="say", number=100_000)
    with subprocess.Popen([sys.executable, path], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pids: set[int] = set()
        while len(pids) < 2:
            pids.add(int(parent.stdout.readline()))
        parent.kill()
        parent.stdout.read()
    for pid in pids:
        wait_until_gone(pid)


@pytest.mark.slow
def test_parent_that_ends_without_closing_ends_and_prints_of_engines_are_not_on_stdout(
    tmp_path: Path,
) -> None:
    """Engines are closed at exit, and their stdout is not that of the command."""
    path = script(tmp_path, content="print", number=10)
    environment = {**os.environ, "CLOSED_FOLDER": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, path], capture_output=True, text=True, timeout=60, check=True,
        env=environment,
    )  # fmt: skip
    lines = done.stdout.split()
    assert len(lines) == 10
    assert all(line.isdigit() for line in lines)
    assert done.stderr == "on stdout\n" * 10
    for pid in set(lines):
        assert (tmp_path / pid).read_text() == "closed"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch")
    return save_random_model(tmp_path_factory.mktemp("model"), context=4096, spread=0.2)


@pytest.mark.model
@pytest.mark.slow
def test_transformers_in_two_processes_of_which_one_is_killed(model: Path) -> None:
    """The same greedy answers as one engine in this process."""
    wanted = requests(60)
    factory = partial(TransformersEngine, model, context=4096, batch_size=4)
    alone = {g.key: g.text for g in factory().complete(wanted, Sampling(max_tokens=60))}
    engine = ParallelEngine(factory, devices=({}, {}), batch=4)
    found: dict[Key, str] = {}
    for generation in engine.complete(wanted, Sampling(max_tokens=60)):
        assert generation.key not in found
        found[generation.key] = generation.text
        if len(found) == 8:
            os.kill(engine._workers[0].process.pid or 0, signal.SIGKILL)
    facts = engine.describe()
    engine.close()
    assert found == alone
    assert (facts["processes_lost"], facts["data_parallel"]) == (1, 2)
    assert {"dtype", "device", "torch"} <= facts.keys()


@pytest.mark.model
@pytest.mark.slow
def test_interrupted_scan_in_two_processes_goes_on(model: Path, tmp_path: Path) -> None:
    """SIGINT, as Ctrl-C sends it: exit 130, no process left, and --resume does the rest."""
    words = [sys.executable, "-m", "rmaudit", "scan", str(model), "--set", "synth:1:20:slogan"]
    words += ["--engine", "transformers", "--data-parallel", "2", "--batch-size", "2"]
    words += ["--max-tokens", "60", "--no-probe", "--out", "run"]
    rows = tmp_path / "run" / "generations.jsonl"
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as scan:
        while scan.poll() is None and not (rows.is_file() and rows.stat().st_size):
            time.sleep(0.01)
        children = [child.pid for child in psutil.Process(scan.pid).children(recursive=True)]
        scan.send_signal(signal.SIGINT)
        out, told = scan.communicate(timeout=60)
    assert (scan.returncode, out) == (130, ""), told
    assert "stopped by SIGINT; finished rows are kept" in told
    assert "Traceback" not in told
    for pid in children:
        wait_until_gone(pid)
    before = rows.read_text().splitlines()
    assert 0 < len(before) < 40
    done = subprocess.run(
        [*words, "--resume"], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    after = rows.read_text().splitlines()
    assert after[: len(before)] == before
    assert len({(row["item"], row["order"]) for row in map(json.loads, after)}) == len(after) == 40
    engine = json.loads((tmp_path / "run" / "manifest.json").read_text())["engine"]
    assert (engine["name"], engine["data_parallel"]) == ("transformers", 2)
