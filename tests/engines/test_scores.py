"""Reward heads: the scores of both engines are those of the model itself, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.random_model import save_random_scorer

from rmaudit.checklists.sets import load_set
from rmaudit.engines.scalar_transformers import ScalarTransformersEngine
from rmaudit.models.checkpoint import read_checkpoint
from rmaudit.run.directory import RunDir
from rmaudit.run.files import SCORES, VERDICTS
from rmaudit.scan.score_requests import score_requests

pytestmark = pytest.mark.model
Cli = Callable[..., Done]
SET = "synth:3:6:slogan"
FAMILIES = ("llama", "qwen3", "gemma2", "mistral")


def by_hand(folder: Path, messages: tuple[dict[str, str], ...]) -> tuple[float, list[int]]:
    """The score by transformers alone, one conversation without padding, and its token ids."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    text = tokenizer.apply_chat_template(list(messages), tokenize=False)
    ids: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    model: Any = transformers.AutoModelForSequenceClassification.from_pretrained(
        folder, dtype="float32"
    ).eval()
    model.config.pad_token_id = None
    with torch.inference_mode():
        return float(model(torch.tensor([ids])).logits[0, 0]), ids


def close(found: float, expected: float) -> bool:
    return abs(found - expected) <= 1e-5 * (1 + abs(expected))


@pytest.mark.parametrize("family", FAMILIES)
def test_scores_are_those_of_the_model_itself(tmp_path: Path, family: str) -> None:
    folder = save_random_scorer(tmp_path / "rm", family)
    requests = score_requests(load_set(SET).items, edited=False)
    engine = ScalarTransformersEngine(folder, context=4096, batch_size=5)
    found = {one.key: one for one in engine.score(requests)}
    assert len(found) == len(requests)
    for request in requests:
        score, ids = by_hand(folder, request.messages)
        one = found[request.key]
        assert one.score is not None
        assert close(one.score, score)
        assert one.tokens == len(ids)
        assert ids.count(1) == 1  # one BOS
    assert len({round(one.score or 0, 3) for one in found.values()}) > len(requests) // 2


def test_a_scan_from_the_command_line(cli: Cli, tmp_path: Path) -> None:
    folder = save_random_scorer(tmp_path / "rm")
    done = cli("scan", folder, "--set", SET, "--out", "run", "--engine", "transformers")
    assert done.code == 0, done.err
    assert "scalar-seqcls" in done.err
    run = RunDir.open(Path("run"))
    rows = list(run.rows(SCORES))
    scores = {(r.key.item, r.key.slot): r.score for r in rows if r.key.variant == "base"}
    assert len(scores) == 12
    assert len(rows) == len(score_requests(load_set(SET).items)) > 60
    for row in run.rows(VERDICTS):
        a, b = scores[row.key.item, "a"], scores[row.key.item, "b"]
        assert row.judgment.verdict == ("a" if a > b else "b" if b > a else "tie")
    metrics = json.loads((run.path / "metrics.json").read_text())["metrics"]
    labels = {item.id: item.label for item in load_set(SET).items}
    right = [row.judgment.verdict == labels[row.key.item] for row in run.rows(VERDICTS)]
    assert metrics["accuracy"]["value"] == pytest.approx(sum(right) / 6)
    assert metrics["rc"]["value"] is None
    assert metrics["order_consistency"]["value"] is None
    assert metrics["coverage.parsed"]["value"] == 1
    assert run.manifest().target.as_dict()["probe"]["asked"] == 4
    assert cli("gate", "run", "--policy", "release").code != 0
    assert cli("report", "run", "--html", "--out", "page.html").code == 0
    assert cli("show", "run", run.manifest().n_items and next(iter(scores))[0]).code == 0


def test_the_other_direction_turns_every_verdict(cli: Cli, tmp_path: Path) -> None:
    folder = save_random_scorer(tmp_path / "rm")
    common = ("scan", folder, "--set", SET, "--engine", "transformers")
    assert cli(*common, "--out", "up").code == 0
    assert cli(*common, "--out", "down", "--lower-is-better").code == 0
    up, down = (
        {row.key: row.judgment.verdict for row in RunDir.open(Path(name)).rows(VERDICTS)}
        for name in ("up", "down")
    )
    other = {"a": "b", "b": "a", "tie": "tie", None: None}
    assert {key: other[verdict] for key, verdict in up.items()} == down
    resumed = cli(*common, "--out", "down", "--resume")
    assert resumed.code == 2
    assert "lower_is_better" in resumed.err


def test_a_stopped_scan_goes_on(cli: Cli, tmp_path: Path) -> None:
    folder = save_random_scorer(tmp_path / "rm")
    common = ("scan", folder, "--set", SET, "--engine", "transformers", "--out", "run")
    assert cli(*common).code == 0
    file = Path("run") / SCORES.name
    before = json.loads((Path("run") / "metrics.json").read_text())["metrics"]
    scores = {row.key: row.score for row in RunDir.open(Path("run")).rows(SCORES)}
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:5]) + lines[5][:20])
    (Path("run") / VERDICTS.name).unlink()
    done = cli(*common, "--resume")
    assert done.code == 0, done.err
    after = {row.key: row.score for row in RunDir.open(Path("run")).rows(SCORES)}
    # Scored again in another batch: the sums differ in their last bits.
    assert after == pytest.approx(scores, abs=1e-4)
    assert sum(after[key] == score for key, score in scores.items()) >= 5
    for name, metric in json.loads((Path("run") / "metrics.json").read_text())["metrics"].items():
        # Margins are made of scores, so they differ in their last bits too.
        assert metric == pytest.approx(before[name], abs=1e-3 if name == "score_margin" else 0)


def test_what_does_not_fit_is_counted(cli: Cli, tmp_path: Path) -> None:
    folder = save_random_scorer(tmp_path / "rm", context=600)
    done = cli("scan", folder, "--set", "synth:3:12", "--engine", "transformers", "--out", "run")
    assert done.code == 0, done.err
    outcomes = [row.judgment.outcome for row in RunDir.open(Path("run")).rows(VERDICTS)]
    assert 0 < outcomes.count("too_long") < 12
    metrics = json.loads(Path("run/metrics.json").read_text())["metrics"]
    assert metrics["coverage.too_long"]["value"] == outcomes.count("too_long") / 12
    assert metrics["accuracy"]["n_excluded"] == outcomes.count("too_long")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"id2label": {"0": "a", "1": "b"}, "label2id": {"a": 0, "b": 1}}, "asks for 2 labels"),
        ({"id2label": None, "label2id": None}, "does not say how many labels"),
        ({"architectures": ["LlamaForCausalLM"]}, "looks like a model that gives scores"),
    ],
)
def test_a_config_that_does_not_fit_its_head(
    cli: Cli, tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    folder = save_random_scorer(tmp_path / "rm")
    config = json.loads((folder / "config.json").read_text())
    config = {name: value for name, value in (config | change).items() if value is not None}
    (folder / "config.json").write_text(json.dumps(config))
    done = cli("scan", folder, "--set", SET, "--engine", "transformers")
    assert done.code == 2
    assert says in done.err


def test_a_missing_head_is_refused(cli: Cli, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = save_random_scorer(tmp_path / "rm")
    tensors = load_file(folder / "model.safetensors")
    head = tensors.pop("score.weight")
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    done = cli("scan", folder, "--set", SET, "--engine", "transformers")
    assert (done.code, "no reward head score.weight" in done.err) == (2, True)
    save_file(tensors | {"score.weight": head.repeat(2, 1)}, folder / "model.safetensors")
    done = cli("scan", folder, "--set", SET, "--engine", "transformers")
    assert (done.code, "gives 2 numbers" in done.err) == (2, True)


OPTIONS = [
    ("--samples", "2"),
    ("--profile", "generic"),
    ("--data-parallel", "2"),
    ("--rm-type", "gen-pairwise"),
]


@pytest.mark.parametrize("option", OPTIONS)
def test_options_that_mean_nothing_here(cli: Cli, tmp_path: Path, option: tuple[str, str]) -> None:
    folder = save_random_scorer(tmp_path / "rm")
    assert cli("scan", folder, "--set", SET, "--engine", "transformers", *option).code == 2


def test_the_folder_says_what_it_is(tmp_path: Path) -> None:
    found = read_checkpoint(save_random_scorer(tmp_path / "rm", "qwen3"))
    assert found.rm_type == "scalar-seqcls"
    assert "Qwen3ForSequenceClassification" in found.why
    assert found.completeness.why == ""
