"""What `rmaudit fix` refuses before anything is loaded, and what it says to do."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import ideal_replay
from support.command_line import Done
from support.fix_items import item
from support.judge_server import judge_server
from support.run_samples import FOLDER

from rmaudit import versions
from rmaudit.checklists.load import dump_item
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.errors import InputError
from rmaudit.fix.choices import cautions, refuse_judge
from rmaudit.fix.options import LORA_RATE, Options, read_options
from rmaudit.fix.training import machine
from rmaudit.fix.training.machine import Machine
from rmaudit.gate.policy import load_policy
from rmaudit.judging.card import keep
from rmaudit.scan.judge import make_judge

GROUNDED = Path(__file__).parents[2] / "examples" / "tiny_genrm" / "grounded"
HERE = Machine("test", cuda=False, bf16=False, free=2.0**33, devices=1)
Cli = Callable[..., Done]


def refused(found: Done, what: str, hint: str) -> None:
    assert found.code == 2, found.err
    assert what in found.err
    assert hint in found.err.partition("hint:")[2]


def written(path: Path, items: list[Item]) -> Path:
    path.write_text("".join(dump_item(one) + "\n" for one in items), encoding="utf-8")
    return path


def checkpoint(path: Path, architecture: str) -> Path:
    path.mkdir()
    (path / "config.json").write_text(json.dumps({"architectures": [architecture]}))
    return path


def run_of(path: Path, **manifest: Any) -> Path:
    shutil.copytree(FOLDER / "schema-1" / "answers", path)
    sample = json.loads((path / "manifest.json").read_text())
    target = {"spec": "m", "name": "m", "path": str(GROUNDED)}
    whole = sample | {"target": target} | manifest
    whole["target"]["digest"] = whole["identity"]["target"] = "d"
    (path / "manifest.json").write_text(json.dumps(whole))
    return path


def fix(cli: Cli, target: object, *more: object, train: str = "synth:21:24:slogan") -> Done:
    return cli("fix", target, "--train", train, *more)


def test_a_train_set_must_be_given(cli: Cli) -> None:
    refused(cli("fix", GROUNDED), "no train set", "--train SET")


def test_score_only_models_have_no_reasons_to_train(cli: Cli, tmp_path: Path) -> None:
    scalar = checkpoint(tmp_path / "scalar", "LlamaForSequenceClassification")
    refused(fix(cli, scalar), "gives scores and no reasons", "generative reward model")


def test_what_has_no_weights_here_cannot_be_trained(cli: Cli, tmp_path: Path) -> None:
    recorded = {"spec": "replay:x", "name": "x", "path": str(tmp_path / "x.jsonl")}
    served = {"spec": "openai:m", "name": "m", "kind": "endpoint"}
    for target in (
        "openai:m@http://localhost:1",
        "replay:answers.jsonl",
        run_of(tmp_path / "recorded", target=recorded),
        run_of(tmp_path / "served", target=served),
    ):
        refused(fix(cli, target), "cannot be trained here", "checkpoint's folder")
    refused(fix(cli, tmp_path / "nothing"), "no checkpoint at", "config.json")


def test_a_checkpoint_that_changed_since_its_audit_is_not_the_audited_one(
    cli: Cli, tmp_path: Path
) -> None:
    refused(fix(cli, run_of(tmp_path / "run")), "is no longer the checkpoint", "scan it again")


def test_sets_without_reasons(cli: Cli, tmp_path: Path) -> None:
    bare = written(tmp_path / "bare.jsonl", [item([], name=f"i{k}") for k in range(3)])
    found = fix(cli, GROUNDED, "--eval", "synth:11:9:slogan", train=str(bare))
    refused(found, "no item of the train set has reasons", "synth:7")
    found = fix(cli, GROUNDED, "--eval", bare)
    refused(found, "no item of the evaluation set has reasons", "a set with reasons")


def test_a_checkpoint_needs_an_evaluation_set(cli: Cli) -> None:
    refused(fix(cli, GROUNDED), "no audited set", "--eval SET")


def test_training_and_evaluation_on_the_same_items(cli: Cli) -> None:
    found = fix(cli, GROUNDED, "--eval", "synth:21:24:slogan")
    refused(found, "nothing is left to train on: 24 in the evaluation", "another set")


def test_the_output_folder(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    evaluated = ("--eval", "synth:11:9:slogan")
    refused(fix(cli, GROUNDED, *evaluated, "--out", "full"), "is there already", "--resume")
    found = fix(cli, GROUNDED, *evaluated, "--out", "file/deeper/out")
    refused(found, "cannot write to", "another --out")
    refused(fix(cli, GROUNDED, *evaluated, "--out", "/proc/x"), "cannot write to /proc", "--out")
    refused(fix(cli, GROUNDED, *evaluated, "--resume"), "--resume needs the folder", "--out DIR")


@pytest.mark.parametrize("package", ["trl", "datasets"])
def test_a_missing_package_gives_the_install_line(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    found = fix(cli, GROUNDED, "--eval", "synth:11:9:slogan")
    refused(found, f"needs {package}, which is not installed", 'pip install "rmaudit[fix]"')


def test_a_logger_that_is_not_installed(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    found = fix(cli, GROUNDED, "--eval", "synth:11:9:slogan", "--report-to", "wandb")
    refused(found, "wandb is not installed", "pip install wandb")


def test_judges_that_cannot_judge_what_is_new(cli: Cli, tmp_path: Path) -> None:
    evaluated = ("--eval", "synth:11:9:slogan")
    found = fix(cli, GROUNDED, *evaluated, "--judge", "replay:m.jsonl")
    refused(found, "knows no reasons but the recorded", "live judge")
    found = fix(cli, GROUNDED, *evaluated, "--eval-judge", "replay:m.jsonl")
    refused(found, "knows no reasons but the recorded", "--eval-judge")
    written(tmp_path / "own.jsonl", [item(name=f"i{k}", prompt=f"Say {k}.") for k in range(20)])
    found = fix(cli, GROUNDED, *evaluated, "--judge", "truth", train="own.jsonl")
    refused(found, "their truth is not known", "synth:SEED")
    refused(fix(cli, GROUNDED, *evaluated, "--judge", "oracle"), "no judge 'oracle'", "builtin")


def test_a_policy_that_no_result_could_meet(cli: Cli) -> None:
    evaluated = ("--eval", "synth:11:9:slogan", "--eval-judge", "builtin")
    found = fix(cli, GROUNDED, *evaluated, "--policy", "release")
    refused(found, "the policy release accepts no result of the builtin judge", "truth")
    refused(fix(cli, GROUNDED, *evaluated, "--policy", "none"), "no policy 'none'", "release")


@pytest.mark.parametrize("qualified", [True, False, None])
def test_a_judge_of_the_result_that_is_not_qualified(qualified: bool | None) -> None:
    """Known by its card; without one, or where a policy allows it, nothing is refused."""
    options = Options(target=str(GROUNDED), train=("synth:3:8:slogan",))
    release, repair = load_policy("release"), load_policy("repair")
    with judge_server() as server:
        refuse_judge(server.target, [release], options)
        card = {"made": "", "ok": True, "null_tests": {}, "known_truth": {}}
        overall = {"precision": 0.9, "recall": 0.7, "r_items": 0.8, "bias": -0.1}
        written = {"overall": overall, "recall_failed_as_missed": 0.7, "qualified": qualified}
        identity = make_judge(options.judging(server.target)).identity()
        own = {} if qualified is None else {"written": written, "qualified": qualified}
        keep(card | own | {"identity": identity})
        refuse_judge(server.target, [repair], options)
        if qualified is False:
            with pytest.raises(InputError, match="release accepts no result of a judge"):
                refuse_judge(server.target, [repair, release], options)
        else:
            refuse_judge(server.target, [repair, release], options)


def test_arm_r_align_needs_gold_judgments(cli: Cli, tmp_path: Path) -> None:
    items = [one.model_copy(update={"gold_judgment": None}) for one in load_set("synth:21:9").items]
    own = written(tmp_path / "own.jsonl", items)
    found = fix(cli, GROUNDED, "--eval", "synth:11:9", "--arm", "r-align", train=str(own))
    refused(found, "without a gold judgment", "another set")
    found = fix(cli, GROUNDED, "--eval", "synth:11:9", "--arm", "r-align")
    refused(found, "the judge builtin cannot give", "openai:MODEL@URL")


def test_options_that_are_out_of_range(cli: Cli) -> None:
    evaluated = ("--eval", "synth:11:9:slogan")
    for option, value, hint in (
        ("--samples", 1, "greater than or equal to 2"),
        ("--lr", -1, "greater than 0"),
        ("--monitor-rationale", 2, "less than or equal to 1"),
        ("--dev-every", 3, "even number"),
    ):
        refused(fix(cli, GROUNDED, *evaluated, option, value), f"{option} is {value}", hint)


def given(**more: Any) -> dict[str, Any]:
    return {"target": "m", "train": ["synth:1"]} | more


def test_a_file_of_options_and_the_command_line_over_it(tmp_path: Path) -> None:
    file = tmp_path / "fix.toml"
    file.write_text('train = ["synth:9"]\nlr = 1e-4\nmax-new-tokens = 64\nlora = true\n')
    found = read_options({"target": "m", "lr": 2e-4, "train": None, "lora": None}, file)
    assert (found.train, found.lr, found.max_new_tokens) == (("synth:9",), 2e-4, 64)
    assert found.settings.lora_rank == 16
    assert read_options(given(lora=True), None).settings.learning_rate == LORA_RATE
    assert read_options(given(), None).settings.learning_rate == 2e-6


def test_a_file_of_options_that_is_wrong(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "fix.toml"
    for text, what, hint in (
        ("steps = [", "fix.toml: ", "mend the TOML"),
        ("stepz = 3", "fix.toml, stepz: unknown option", "options: allow_other_model, also"),
        ("steps = 0", "fix.toml, steps is 0", "greater than or equal to 2"),
    ):
        file.write_text(text)
        refused(fix(cli, GROUNDED, "--config", file), what, hint)
    refused(fix(cli, GROUNDED, "--config", "none.toml"), "cannot read none.toml", "TOML")


def test_versions_outside_of_the_tested_window_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    options = Options(target="m", train=("synth:1",))
    monkeypatch.setitem(versions.TESTED, "trl", ("0.1", "0.2"))
    found = list(cautions(options, "truth", HERE))
    assert any(text.startswith("trl ") and "not tested (tested: 0.1 to 0.2)" in text
               for text in found)  # fmt: skip


def test_a_version_of_vllm_outside_of_the_window_is_told_where_it_generates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = Options(target="m", train=("synth:1",))
    real = versions.version
    monkeypatch.setattr(
        versions, "version", lambda name: "0.99.1" if name == "vllm" else real(name)
    )
    on_gpu = HERE._replace(cuda=True)
    told = [text for text in cautions(options, "truth", on_gpu) if text.startswith("vllm ")]
    assert told == ["vllm 0.99.1, not tested (tested: 0.32 to 0.32)"]
    assert not any(text.startswith("vllm ") for text in cautions(options, "truth", HERE))


@pytest.mark.slow
def test_an_untested_version_warns_and_does_not_stop(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(versions.TESTED, "trl", ("0.1", "0.2"))
    found = fix(cli, GROUNDED, "--eval", "synth:11:9:slogan", "--dry-run")
    assert found.code == 0, found.err
    assert "warning  trl " in found.err


@pytest.mark.slow
def test_too_little_memory_is_refused_with_what_takes_it(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0.71 M parameters take 16 bytes each, 11 MB; of 8 MiB that is too much."""
    monkeypatch.setattr(machine, "_free_memory", lambda: 2.0**23)
    evaluated = ("--eval", "synth:11:9:slogan")
    found = fix(cli, GROUNDED, *evaluated)
    refused(found, "GiB on this machine's processor, where 0.0 GiB are free", "--lora trains")
    assert "most of it: one pass" in found.err or "most of it: weights" in found.err
    assert "--per-device 1" in found.err.partition("hint:")[2]
    found = fix(cli, GROUNDED, *evaluated, "--lora", "--per-device", 64)
    assert found.code == 2
    assert "--lora trains" not in found.err


def test_the_same_judge_twice_is_told() -> None:
    options = Options(target="m", train=("synth:1",), judge="builtin")
    assert any("judges both" in text for text in cautions(options, "builtin", HERE))
    assert not any("judges both" in text for text in cautions(options, "truth", HERE))


def test_ideal_replay_is_no_checkpoint(cli: Cli, tmp_path: Path) -> None:
    ideal_replay(tmp_path / "r.jsonl", load_set("synth:3:3").items)
    refused(fix(cli, tmp_path / "r.jsonl"), "no checkpoint at", "config.json")
