"""`rmaudit fix --export` as a user runs it; the reward file in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import ideal_answer
from support.command_line import Done
from support.packages import needs

from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set

pytestmark = needs("torch", "pyarrow")

ROOT = Path(__file__).parents[2]
GROUNDED = ROOT / "examples" / "tiny_genrm" / "grounded"
TRAIN = "synth:21:24:slogan"
Cli = Callable[..., Done]

LOADED = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("custom", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
calls = json.load(sys.stdin)
"""
VERL = (
    LOADED
    + """
import asyncio, inspect
assert inspect.iscoroutinefunction(module.compute_score)
async def run():
    return await asyncio.gather(*(
        module.compute_score(data_source="rmaudit/general", solution_str=text,
            ground_truth=truth, extra_info={"index": 0, "num_turns": 2})
        for _, text, truth in calls))
print(json.dumps(asyncio.run(run())))
"""
)
OPENRLHF = (
    LOADED
    + """
told = [module.reward_func([prompt + text + "</s>"], [prompt], [label])
        for prompt, text, label in calls]
print(json.dumps([{"score": one["rewards"].item(),
    **{name: column.item() for name, column in one["extra_logs"].items()}} for one in told]))
"""
)


def export(cli: Cli, trainer: str, out: Path, *more: object, target: object = GROUNDED) -> Done:
    return cli("fix", target, "--train", TRAIN, "--export", trainer, "--out", out, *more)


def rewards(script: str, file: Path, calls: list[tuple[str, str, str]]) -> list[dict[str, float]]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", script, str(file)], input=json.dumps(calls), env=environment,
        text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    found: list[dict[str, float]] = json.loads(ran.stdout)
    return found


def rows_of(trainer: str, out: Path) -> list[tuple[str, dict[str, Any]]]:
    """Each row's prompt, as text or as JSON, and its ground truth."""
    if trainer == "openrlhf":
        lines = map(json.loads, (out / "train.jsonl").read_text().splitlines())
        return [(line["input"], json.loads(line["label"])) for line in lines]
    from pyarrow.parquet import read_table

    return [
        (json.dumps(row["prompt"]), json.loads(row["reward_model"]["ground_truth"]))
        for row in read_table(out / "train.parquet").to_pylist()
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("trainer", "script"), [("verl", VERL), ("openrlhf", OPENRLHF)])
def test_an_export_rewards_right_reasons_in_a_process_of_its_own(
    cli: Cli, tmp_path: Path, trainer: str, script: str
) -> None:
    out = tmp_path / "out"
    found = export(cli, trainer, out, "--judge", "truth", "--prompts", 8, "--json")
    assert found.code == 0, found.err
    told = json.loads(found.out)
    assert told["command"] == f"bash {out}/run_{trainer}.sh"
    assert told["files"] == sorted(path.name for path in out.iterdir())
    assert (told["train"], told["dev"], told["left_out"]) == (22, 2, {})
    rows = rows_of(trainer, out)
    known = {item.id: item for item in load_set(TRAIN).items}
    calls = []
    for prompt, truth in rows:
        assert Item.model_validate(truth["item"]).reasons == known[truth["item"]["id"]].reasons
        text = ideal_answer(known[truth["item"]["id"]], truth["order"])
        for said in (text, text.partition("\\boxed")[0], "2. Response A is good." + text[-12:]):
            calls.append((prompt, said, json.dumps(truth)))
    scores = [one["score"] for one in rewards(script, out / f"reward_{trainer}.py", calls)]
    assert scores == [1.0, 0.0, 0.0] * len(rows)


@pytest.mark.slow
def test_what_was_written_and_how_to_start_it_is_told(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "a b"
    known = ("--eval", "synth:21:8:slogan", "--on-judge-failure", "zero")
    found = export(cli, "verl", out, *known)
    assert found.code == 0, found.err
    words = " ".join(found.out.split())
    assert f"wrote {out} · README.md dev.parquet reward.json" in words
    assert "left out: 8 in the evaluation or audited set" in words
    assert f"launch bash '{out}/run_verl.sh'" in words
    assert json.loads((out / "reward.json").read_text())["on_judge_failure"] == "zero"
    assert "8 in the evaluation or audited set" in (out / "README.md").read_text()
    quiet = export(cli, "verl", tmp_path / "q", "-q")
    assert quiet.out == f"bash {tmp_path}/q/run_verl.sh\n"


@pytest.mark.slow
def test_the_judge_of_an_export_need_not_be_up(cli: Cli, tmp_path: Path) -> None:
    spec = "openai:judge@http://127.0.0.1:9/v1"
    more = ("--judge", spec, "--judge-key-env", "NOT_SET_HERE")
    assert export(cli, "openrlhf", tmp_path / "out", *more).code == 0
    judge = json.loads((tmp_path / "out" / "reward.json").read_text())["judge"]
    assert (judge["spec"], judge["key_env"]) == (spec, "NOT_SET_HERE")


@pytest.mark.parametrize(
    ("more", "what", "hint"),
    [
        (("--resume",), "--resume has no meaning with --export", "in one go"),
        (("--also", "synth:1:4"), "--also has no meaning", "after a training here"),
        (("--eval-judge", "truth"), "--eval-judge has no meaning", "after a training here"),
        (("--policy", "release"), "--policy has no meaning", "after a training here"),
        (("--per-device", "4"), "--per-device has no meaning", "shares out"),
        (("--report-to", "wandb"), "--report-to has no meaning", "its loggers"),
        (("--dry-run",), "--dry-run has no meaning", "leave it out"),
        (("--arm", "r-align"), "r-align cannot be exported", "--arm hybrid"),
        (("--judge", "vllm:/m"), "every reward process would load it", "serve the model"),
        (("--judge", "replay:m.jsonl"), "knows no reasons but the recorded", "live judge"),
        (("--judge", "oracle"), "no judge 'oracle'", "builtin"),
        (("--judge", "openai:m@http://u:p@h/v1"), "holds a password", "--judge-key-env"),
        (("--samples", "1"), "--samples is 1", "greater than or equal to 2"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_written(
    cli: Cli, tmp_path: Path, more: tuple[str, ...], what: str, hint: str
) -> None:
    found = export(cli, "verl", tmp_path / "out", *more)
    assert found.code == 2
    assert what in found.err
    assert hint in found.err.partition("hint:")[2]
    assert not (tmp_path / "out").exists()


def test_targets_and_folders_that_cannot_be_exported(cli: Cli, tmp_path: Path) -> None:
    scalar = tmp_path / "scalar"
    scalar.mkdir()
    (scalar / "config.json").write_text('{"architectures": ["LlamaForSequenceClassification"]}')
    (tmp_path / "file").write_text("")
    cases: list[tuple[object, tuple[object, ...], str]] = [
        (scalar, ("--out", "o"), "gives scores and no reasons"),
        ("openai:m@http://127.0.0.1:9/v1", ("--out", "o"), "cannot be trained here"),
        (GROUNDED, (), "--export needs a folder"),
        (GROUNDED, ("--out", "file/deeper"), "cannot write to"),
        (GROUNDED, ("--out", "/proc/x"), "cannot write to /proc"),
        (GROUNDED, ("--out", tmp_path), "is there already"),
    ]
    for target, more, what in cases:
        found = cli("fix", target, "--train", TRAIN, "--export", "verl", *more)
        assert found.code == 2
        assert what in found.err
    found = cli("fix", GROUNDED, "--train", TRAIN, "--on-judge-failure", "zero")
    assert found.code == 2
    assert "--on-judge-failure is of exported rewards" in found.err
