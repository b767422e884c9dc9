"""Training with the real TRL on a tiny model: failed judges, stops, adapters, and going on."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest
from support.fix_items import TableJudge

pytestmark = [pytest.mark.model, pytest.mark.slow]
pytest.importorskip("trl")

from rmaudit.checklists.sets import load_set  # noqa: E402
from rmaudit.engines.codec import Codec  # noqa: E402
from rmaudit.fix.data import balanced  # noqa: E402
from rmaudit.fix.reward.scorer import Scorer  # noqa: E402
from rmaudit.fix.training.prompt_tokens import encode  # noqa: E402
from rmaudit.fix.training.save import save_model  # noqa: E402
from rmaudit.fix.training.settings import TrainingSettings, fit  # noqa: E402
from rmaudit.fix.training.train import Job, Trained, train  # noqa: E402
from rmaudit.fix.training.watch import DevAudit, Watch  # noqa: E402
from rmaudit.judging.metajudge import BuiltinJudge, Judge, JudgeAnswer, JudgeRequest  # noqa: E402
from rmaudit.models.profiles import load_profile  # noqa: E402

ROOT = Path(__file__).parents[2]
GROUNDED = ROOT / "examples" / "tiny_genrm" / "grounded"


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Threads that wait for each other cost more than they give on a model this small."""
    import torch

    torch.set_num_threads(1)


def job(out: Path, **more: Any) -> Job:
    prompts = encode(
        balanced(load_set("synth:21:6:slogan").items, seed=0),
        Codec(GROUNDED),
        profile=load_profile("generic"),
        max_reasons=5,
    )
    asked = TrainingSettings(
        learning_rate=1e-3,
        prompts=2,
        samples=4,
        max_new_tokens=96,
        bf16=False,
        dev_every=2,
        **more,
    )
    settings = fit(asked, n_prompts=len(prompts), devices=1, per_device=8)
    return Job(GROUNDED, 1024, out, tuple(prompts), settings, "config")


def trained(of: Job, judge: Judge, watch: Watch | None = None) -> tuple[Trained, Watch]:
    watch = watch or Watch()
    scorer = Scorer(judge, "hybrid", max_reasons=5)
    logs: list[dict[str, float]] = []

    def look(engine: Any, step: int) -> DevAudit:
        return DevAudit(step, 0.5, 0.1 * step, None, None, None)

    return train(of, scorer, watch, look, tell=lambda log: logs.append(dict(log))), watch


class Moody(BuiltinJudge):
    """Fails on every second answer, by its text."""

    def judge(self, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
        for request, one in zip(asked := list(requests), super().judge(asked), strict=True):
            digest = hashlib.sha256(repr(request.reasons).encode()).digest()
            if digest[0] % 2:
                yield JudgeAnswer(one.key, one.purpose, (), failure="no answer")
            else:
                yield one


def test_a_failed_judge_gives_no_reward_and_no_gradient_in_trl(tmp_path: Path) -> None:
    import pandas

    found, _ = trained(job(tmp_path, steps=4), Moody())
    assert found.step == 4
    # A rollout feeds two steps, and each step writes its table: those of the first are enough.
    paths = [tmp_path / "completions" / f"completions_0000{step}.parquet" for step in (1, 3)]
    rows = pandas.concat(map(pandas.read_parquet, paths))
    failed = rows["hybrid_reward"].isna()
    assert failed.any()
    assert not failed.all()
    assert (rows["advantage"][failed] == 0).all()
    shares = [log["fix/judge_failed"] for log in found.logs if "fix/judge_failed" in log]
    assert max(shares) > 0


def test_training_stops_when_the_judge_keeps_failing_and_keeps_a_checkpoint(tmp_path: Path) -> None:
    class Down(TableJudge):
        def judge(self, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
            for request in requests:
                yield JudgeAnswer(request.key, request.purpose, (), failure="no answer")

    found, watch = trained(job(tmp_path, steps=40), Down())
    assert found.stopped == "the judge failed on 100% of the answers"
    assert found.step == 6  # three rollouts
    assert (tmp_path / "checkpoint-6" / "rmaudit.json").is_file()
    assert [audit.step for audit in watch.audits] == [0, 2, 4, 6]


def test_adapters_are_merged_into_an_ordinary_checkpoint(tmp_path: Path) -> None:
    from safetensors.torch import load_file

    trained(job(tmp_path / "t", steps=12, lora_rank=4), BuiltinJudge())
    save_model(tmp_path / "t" / "checkpoint-12", GROUNDED, tmp_path / "m", lora=True)
    names = {path.name for path in GROUNDED.iterdir()}
    assert {path.name for path in (tmp_path / "m").iterdir()} == names
    before, after = (load_file(d / "model.safetensors") for d in (GROUNDED, tmp_path / "m"))
    assert before.keys() == after.keys()
    assert all(before[name].dtype == after[name].dtype for name in before)
    assert any((before[name] != after[name]).any() for name in before)
    for name in names - {"model.safetensors"}:
        assert (tmp_path / "m" / name).read_bytes() == (GROUNDED / name).read_bytes()


COMMAND = [
    sys.executable, "-m", "rmaudit", "fix", str(GROUNDED), "--train", "synth:21:12:slogan",
    "--eval", "synth:11:40:slogan", "--prompts", "2", "--samples", "4", "--lr", "1e-3", "--steps",
    "8", "--dev-every", "2", "--dev-items", "2", "--max-new-tokens", "96", "--batch-size", "40",
]  # fmt: skip


def start(out: Path, *more: str) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen([*COMMAND, "--out", str(out), *more], stderr=subprocess.PIPE, text=True,
                            stdout=subprocess.PIPE, env=environment)  # fmt: skip


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    while not path.exists():
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.02)


def left(out: Path) -> dict[str, Any]:
    """What a repair found, without times and paths."""
    fixed: dict[str, Any] = json.loads((out / "fix.json").read_text())
    logs = [
        {
            name: value
            for name, value in log.items()
            if "time" not in name and "per_second" not in name
        }
        for log in fixed["training"]["logs"]
        if "loss" in log
    ]
    weights = hashlib.sha256((out / "model" / "model.safetensors").read_bytes()).hexdigest()
    kept = {name: fixed[name] for name in ("sentence", "exit_code", "attacks", "baseline", "moved")}
    return kept | {"logs": logs, "audits": fixed["training"]["audits"], "weights": weights}


def test_stopped_twice_and_resumed_it_ends_as_if_it_had_never_been(tmp_path: Path) -> None:
    whole = start(tmp_path / "whole")
    out, err = whole.communicate()
    assert whole.returncode in (0, 3, 4), err
    assert "judged by truth" in out

    broken = tmp_path / "broken"
    first = start(broken)
    wait_for(broken / "training" / "checkpoint-2" / "rmaudit.json", first)
    first.send_signal(signal.SIGTERM)
    _, err = first.communicate()
    assert first.returncode == 143, err
    assert "error: stopped by SIGTERM" in err
    assert f"--resume --out {broken}" in err or "--resume" in err.partition("go on with:")[2]

    second = start(broken, "--resume")
    steps = {2, 4, 6}
    before = {step for step in steps if (broken / "training" / f"checkpoint-{step}").exists()}
    wait_for(broken / "training" / f"checkpoint-{max(before) + 2}" / "rmaudit.json", second)
    second.kill()
    second.communicate()
    assert second.returncode == -signal.SIGKILL
    assert not (broken / "fix.json").exists()

    changed = start(broken, "--resume", "--beta", "0.1")
    _, err = changed.communicate()
    assert changed.returncode == 2
    assert "made with another configuration: beta (0.0 -> 0.1)" in err

    third = start(broken, "--resume")
    _, err = third.communicate()
    assert third.returncode == whole.returncode, err
    assert left(broken) == left(tmp_path / "whole")
