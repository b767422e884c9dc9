"""`--launch`: what a launcher's file may say, how processes end, and two of them that train."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.fix_items import item

pytest.importorskip("trl")

from rmaudit.checklists.sets import load_set
from rmaudit.errors import InputError, RmauditError
from rmaudit.fix.data import balanced
from rmaudit.fix.launch import parent as launcher
from rmaudit.fix.launch.worker import OPTIONS, Launched, read_job, say, write_job
from rmaudit.fix.options import Options
from rmaudit.fix.training.processes import read_launch
from rmaudit.fix.training.prompt_tokens import Encoded
from rmaudit.fix.training.settings import Size, TrainingSettings, memory_estimate
from rmaudit.fix.training.train import Job
from rmaudit.fix.training.watch import DevAudit
from rmaudit.models.profiles import load_profile

ROOT = Path(__file__).parents[2]
GROUNDED = ROOT / "examples" / "tiny_genrm" / "grounded"
Cli = Callable[..., Done]


def file(tmp_path: Path, **values: Any) -> str:
    """A launcher's file, and how --launch names it."""
    path = tmp_path / "launch.yaml"
    path.write_text(json.dumps({"num_processes": 2} | values), encoding="utf-8")
    return f"accelerate:{path}"


def test_what_a_file_says(tmp_path: Path) -> None:
    found = read_launch(file(tmp_path, distributed_type="MULTI_GPU", num_processes=8))
    assert (found.processes, found.machines, found.here, found.rank) == (8, 1, 8, 0)
    assert (found.cpu, found.sharded, found.held) == (False, False, 1.0)
    found = read_launch(file(tmp_path, num_processes=16, num_machines=2, machine_rank=1,
                             main_process_ip="10.0.0.1", use_cpu=True))  # fmt: skip
    assert (found.here, found.rank, found.cpu) == (8, 1, True)


def test_the_share_of_the_memory_by_hand(tmp_path: Path) -> None:
    """Of 16 bytes a parameter 4 are weights, 4 gradients, 8 moments; on 4 processes."""

    def held(stage: int, **more: Any) -> float:
        zero = {"zero_stage": stage, "zero3_save_16bit_model": True} | more
        spec = file(tmp_path, distributed_type="DEEPSPEED", num_processes=4, deepspeed_config=zero)
        return read_launch(spec).held * 16

    assert held(0) == 16
    assert held(1) == 4 + 4 + 2
    assert held(2) == 4 + 1 + 2
    assert held(3) == 1 + 1 + 2
    assert held(3, offload_optimizer_device="cpu") == 1 + 1
    assert held(3, offload_optimizer_device="cpu", offload_param_device="cpu") == 1
    full = {"fsdp_state_dict_type": "FULL_STATE_DICT"}
    fsdp = file(tmp_path, distributed_type="FSDP", num_processes=4, fsdp_config=full)
    assert read_launch(fsdp).held * 16 == 4
    assert read_launch(fsdp).sharded
    whole = memory_estimate(Size(2**30, 1, 1, 1), TrainingSettings(), tokens=1, checkpointing=True)
    part = memory_estimate(
        Size(2**30, 1, 1, 1), TrainingSettings(), tokens=1, checkpointing=True, held=1 / 4
    )
    name = "weights, gradients, optimizer"
    assert (whole[name], part[name]) == (16.0, 4.0)


@pytest.mark.parametrize(
    ("values", "what", "hint"),
    [
        ({"distributed_type": "XLA"}, "distributed_type is XLA", "train with NO, MULTI_CPU"),
        ({"num_processes": 0}, "num_processes is 0", "from 1"),
        ({"num_processes": "two"}, "num_processes is 'two'", "from 1"),
        ({"num_machines": 3}, "2 processes on 3 machines", "num_processes counts"),
        ({"machine_rank": 1}, "of which this is 1", "machine_rank starts at 0"),
        ({"num_machines": 2}, "names no main_process_ip", "address of machine 0"),
        ({"distributed_type": "FSDP"}, "in pieces", "FULL_STATE_DICT"),
        ({"distributed_type": "DEEPSPEED"}, "names no zero_stage", "zero_stage: 1, 2 or 3"),
        (
            {"distributed_type": "DEEPSPEED", "deepspeed_config": {"zero_stage": 3}},
            "in pieces",
            "zero3_save_16bit_model: true",
        ),
    ],
)
def test_files_that_cannot_train_are_refused(
    tmp_path: Path, values: dict[str, Any], what: str, hint: str
) -> None:
    with pytest.raises(InputError, match=what) as caught:
        read_launch(file(tmp_path, **values))
    assert hint in caught.value.hint


def test_what_is_no_file_is_refused(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "list.yaml").write_text("[1, 2]")
    (tmp_path / "torn.yaml").write_text("{")
    for spec, what in (
        ("accelerate:", "--launch is 'accelerate:'"),
        ("torchrun:x", "--launch is 'torchrun:x'"),
        ("accelerate:none.yaml", "cannot read none.yaml"),
        ("accelerate:list.yaml", "holds no settings"),
        ("accelerate:torn.yaml", "is no YAML file"),
    ):
        found = cli("fix", GROUNDED, "--train", "synth:21:9:slogan", "--launch", spec)
        assert found.code == 2
        assert what in found.err


def test_a_judge_in_every_process_and_a_missing_package_are_refused(
    cli: Cli, tmp_path: Path
) -> None:
    fix = ("fix", GROUNDED, "--train", "synth:21:9:slogan", "--eval", "synth:11:9:slogan")
    found = cli(*fix, "--launch", file(tmp_path), "--judge", "vllm:/m")
    assert found.code == 2
    assert "would be loaded by each of 2 processes" in found.err
    zero = file(tmp_path, distributed_type="DEEPSPEED", deepspeed_config={"zero_stage": 2})
    found = cli(*fix, "--launch", zero)
    assert found.code == 2
    assert "pip install deepspeed" in found.err


def test_machines_but_the_first_need_the_shared_folder(cli: Cli, tmp_path: Path) -> None:
    second = file(tmp_path, num_machines=2, machine_rank=1, main_process_ip="10.0.0.1")
    found = cli("fix", GROUNDED, "--train", "synth:21:9:slogan", "--launch", second)
    assert found.code == 2
    assert "this is machine 1 of 2" in found.err
    assert "the same folder on all machines" in found.err


def given(out: Path) -> Launched:
    items = [*load_set("synth:21:3:slogan").items, item()]
    prompts = tuple(Encoded(one, [1, 2, 3]) for one in balanced(items, seed=0))
    job = Job(GROUNDED, 1024, out, prompts, TrainingSettings(steps=4, lora_rank=2), "config",
              resume=True, report_to=("wandb",))  # fmt: skip
    audits = (DevAudit(0, 0.5, None, 0.25, None, 1.0),)
    return Launched(job, tuple(items[:2]), load_profile("generic"), 5, "truth", audits, os.getpid())


def test_a_job_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert read_job(write_job(given(tmp_path))) == given(tmp_path)


def test_lines_of_rank_0_are_told_apart_from_all_other_output(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    say({"log": {"step": 1, "text": "a\nb"}})
    said = capfd.readouterr().out
    heard: list[Any] = []
    with (tmp_path / "log").open("w") as log:
        lines = ["Loading\n", said, f"half a line {said}", "the end\n"]
        launcher._listen(iter(lines), log, heard.append)  # type: ignore[arg-type]
    assert heard == [{"log": {"step": 1, "text": "a\nb"}}] * 2
    assert (tmp_path / "log").read_text() == "Loading\nhalf a line the end\n"


def test_processes_that_end_without_a_word_give_their_last_error(tmp_path: Path) -> None:
    (tmp_path / "launch.log").write_text("start\nValueError: no such port\nat the end\n")
    with pytest.raises(RmauditError, match="ended with code 1: ValueError: no such port"):
        launcher._endure(tmp_path, 1)


TINY = ["--prompts", "2", "--samples", "4", "--lr", "1e-3", "--steps", "6", "--dev-every", "2",
        "--dev-items", "1", "--max-new-tokens", "96", "--batch-size", "40"]  # fmt: skip


def start(tmp_path: Path, spec: str, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "rmaudit", "fix", str(GROUNDED), "--train",
               "synth:21:12:slogan", "--eval", "synth:11:6:slogan", *TINY, "--launch", spec,
               "--out", str(tmp_path / "out"), *more]  # fmt: skip
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=environment)  # fmt: skip


@pytest.mark.slow
@pytest.mark.model
def test_two_processes_train_one_model_stop_together_and_go_on(tmp_path: Path) -> None:
    from pandas import read_parquet

    spec = file(tmp_path, use_cpu=True, distributed_type="MULTI_CPU", mixed_precision="no")
    training = tmp_path / "out" / "training"
    first = start(tmp_path, spec)
    while not (training / "checkpoint-2" / "rmaudit.json").exists():
        assert first.poll() is None, first.communicate()[1]
        time.sleep(0.05)
    first.send_signal(signal.SIGTERM)
    _, err = first.communicate()
    assert first.returncode == 143, err
    assert "go on with:" in err
    assert not (tmp_path / "out" / "fix.json").exists()
    assert not (training / "job.json").exists()

    out, err = (second := start(tmp_path, spec, "--resume", "--json")).communicate()
    assert second.returncode in (0, 3, 4), err
    fixed = json.loads(out)
    assert fixed == json.loads((tmp_path / "out" / "fix.json").read_text())
    assert (fixed["training"]["step"], fixed["training"]["settings"]["devices"]) == (6, 2)
    weights = json.loads((training / "ended.json").read_text())["weights"]
    assert len(weights) == 2
    assert weights[0] == weights[1]
    assert [audit["step"] for audit in fixed["training"]["audits"]] == [0, 2, 4, 6]
    # 2 prompts x 4 answers a rollout: of both processes, each of which rewarded its own half.
    rows = read_parquet(training / "completions" / "completions_00001.parquet")
    assert len(rows) == 8
    assert rows["hybrid_reward"].notna().all()
    logged = next(log for log in fixed["training"]["logs"] if log["step"] == 1)
    assert logged["reward"] == pytest.approx(rows["hybrid_reward"].mean())
    assert logged["fix/outcome"] == pytest.approx(rows["outcome"].mean())
    assert {path.name for path in (training / "checkpoint-6").glob("rng_state*")} == {
        "rng_state_0.pth", "rng_state_1.pth",
    }  # fmt: skip
    assert OPTIONS not in (tmp_path / "out" / "plan.json").read_text()


@pytest.mark.slow
@pytest.mark.model
def test_an_error_in_a_process_ends_the_command_with_its_words(tmp_path: Path) -> None:
    spec = file(tmp_path, use_cpu=True, num_processes=1, distributed_type="NO")
    job = given(tmp_path)
    (tmp_path / "launch.log").touch()
    with pytest.raises(InputError, match="started 1 processes, not 2") as caught:
        launcher.train_launched(
            job._replace(job=Job(**{**_fields(job.job), "settings": TrainingSettings(devices=2)})),
            Options(target="m", train=("synth:1",)),
            read_launch(spec),
            hear=lambda said: None,
        )
    assert "num_processes" in caught.value.hint


def _fields(job: Job) -> dict[str, Any]:
    return {name: getattr(job, name) for name in job.__dataclass_fields__}


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.parametrize("lora", [0, 4])
def test_a_copy_of_gathered_weights_answers_as_the_policy(lora: int) -> None:
    """What is looked at where weights are sharded; here they are gathered from one process."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    from rmaudit.fix.training.loading import TARGETS, copy_of
    from rmaudit.fix.training.quiet import calm

    policy: Any = AutoModelForCausalLM.from_pretrained(GROUNDED, dtype="float32")
    adapters = LoraConfig(r=max(1, lora), lora_alpha=2 * lora, target_modules=TARGETS)
    with calm():  # peft asks for an attribute whose name has changed
        policy = get_peft_model(policy, adapters) if lora else policy
    torch.manual_seed(0)
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter += 0.01 * torch.randn_like(parameter)
    settings = TrainingSettings(bf16=False, lora_rank=lora)
    with calm():
        found = copy_of(GROUNDED, settings, policy.state_dict(), cuda=False)
    ids = torch.arange(10)[None]
    assert torch.equal(found(ids).logits, policy(ids).logits)
    strange = policy.state_dict() | {"strange": torch.zeros(1)}
    with pytest.raises(RmauditError, match="strange"), calm():
        copy_of(GROUNDED, settings, strange, cuda=False)
