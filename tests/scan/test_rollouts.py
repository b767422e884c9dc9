"""`scan --rollouts`: the answers of a policy, scored or compared, without a label."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.random_model import save_random_scorer
from support.recorded_files import metrics

from rmaudit.run.directory import RunDir
from rmaudit.run.files import RESULTS, SCORES

Cli = Callable[..., Done]


def rollouts(path: Path, n: int = 4) -> Path:
    rows = [
        {
            "id": f"p{k}",
            "prompt": [{"role": "user", "content": f"Name a prime near {k}."}],
            "responses": [f"It is {k + step}." for step in (1, 2, 3, 3, 5)] if k else ["3", "3"],
        }
        for k in range(n)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def by_number(path: Path, file: Path) -> Path:
    """Recorded verdicts on all pairs of the rollouts: the larger number wins, whoever is first."""
    lines = []
    for row in map(json.loads, file.read_text().splitlines()):
        texts = row["responses"]
        for a in range(len(texts)):
            for b in range(len(texts)):
                for order in ("ab", "ba"):
                    first, second = (a, b) if order == "ab" else (b, a)
                    sign = "A" if texts[first] > texts[second] else "B"
                    text = f"1. It is so.\n\\boxed{{{sign}}}"
                    lines.append({"item": f"{row['id']}/{a}-{b}", "order": order, "text": text})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_model_that_compares_pairs(cli: Cli, tmp_path: Path) -> None:
    file = rollouts(tmp_path / "r.jsonl")
    target = f"replay:{by_number(tmp_path / 'answers.jsonl', file)}"
    done = cli("scan", target, "--rollouts", file, "--out", "run")
    assert done.code == 0, done.err
    found: dict[str, Any] = metrics(Path("run"))
    assert found["reward_spread"]["value"] == 1.0  # a strict ranking of each prompt
    assert found["reward_spread.dead"]["value"] == 0.25  # the prompt with one answer, twice
    assert found["cycle_rate"]["value"] == 0.0
    assert found["order_consistency"]["value"] is not None
    assert found["accuracy"]["value"] is None
    assert found["accuracy"]["why"] == "no item is labelled a or b"
    run = RunDir.open(Path("run"))
    assert {row.label for row in run.rows(RESULTS)} == {None}
    assert {one.correct for row in run.rows(RESULTS) for one in row.rows} == {None}
    assert len(list(run.rows(RESULTS))) == 3 * 6 + 1
    policy = Path("policy.toml")
    policy.write_text(
        'name = "spread"\nallow_builtin_judge = true\n[[rules]]\nid = "dead"\n'
        'metric = "reward_spread.dead"\ndirection = "max"\nthreshold = 0.9\nmin_n = 1\n'
    )
    gated = cli("gate", "run", "--policy", policy)
    assert gated.code == 0, gated.err + gated.out
    assert cli("report", "run", "--md", "--out", "r.md").code == 0
    assert "Reward spread" in Path("r.md").read_text()


def test_fewer_responses_and_prompts_make_fewer_calls(cli: Cli, tmp_path: Path) -> None:
    file = rollouts(tmp_path / "r.jsonl", 5)
    target = f"replay:{by_number(tmp_path / 'answers.jsonl', file)}"
    common = ("scan", target, "--rollouts", file, "--dry-run")
    plans = [
        int(re.findall(r"(\d+) items", cli(*common, *more).err)[0])
        for more in ((), ("--rollout-responses", "2"), ("--limit", "2", "--seed", "1"))
    ]
    assert plans[0] == 4 * 6 + 1
    assert "are not compared" not in cli(*common).err
    few = cli(*common, "--rollout-responses", "2").err
    assert "8 of 17 different answers are not compared: at most 2 of a prompt are" in few
    assert plans[1] == 5
    assert plans[2] in (7, 12)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--set", "starter"), "--rollouts and --set at once"),
        (("--rollout-responses", "1"), "--rollout-responses is 1"),
    ],
)
def test_what_cannot_be(cli: Cli, tmp_path: Path, options: tuple[str, ...], told: str) -> None:
    file = rollouts(tmp_path / "r.jsonl")
    target = f"replay:{by_number(tmp_path / 'answers.jsonl', file)}"
    done = cli("scan", target, "--rollouts", file, *options)
    assert done.code == 2
    assert told in done.err


@pytest.mark.model
def test_a_model_that_gives_scores_scores_each_response(cli: Cli, tmp_path: Path) -> None:
    import numpy as np

    folder = save_random_scorer(tmp_path / "rm")
    file = rollouts(tmp_path / "r.jsonl")
    common = ("--rollouts", file, "--engine", "transformers", "--no-probe")
    done = cli("scan", folder, *common, "--out", "run")
    assert done.code == 0, done.err
    scores: dict[str, dict[str, float]] = {}
    items = {json.loads(line)["id"]: json.loads(line) for line in _items(Path("run"))}
    for row in RunDir.open(Path("run")).rows(SCORES):
        item = items[row.key.item]
        text = item[f"response_{row.key.slot}"]
        scores.setdefault(item["group"], {})[text] = row.score
    rewards = []
    for row in map(json.loads, file.read_text().splitlines()):
        assert set(scores[row["id"]]) == set(row["responses"])
        rewards.append([scores[row["id"]][text] for text in row["responses"]])
    every = np.concatenate(rewards)
    within = sum(((np.array(one) - np.mean(one)) ** 2).sum() for one in rewards)
    found = metrics(Path("run"))
    assert found["reward_spread"]["value"] == pytest.approx(
        within / ((every - every.mean()) ** 2).sum(), rel=1e-4
    )
    assert found["reward_spread.dead"]["value"] == 0.25
    assert found["reward_spread.length"]["n"] == 0  # all answers are of one length
    again = cli("scan", folder, *common, "--out", "run", "--resume")
    assert again.code == 0, again.err
    other = rollouts(tmp_path / "other.jsonl", 3)
    changed = cli("scan", folder, "--rollouts", other, *common[2:], "--out", "run", "--resume")
    assert changed.code == 2
    assert "another configuration: set" in changed.err


@pytest.mark.model
def test_a_score_that_is_no_number_is_a_failure_and_no_verdict(cli: Cli, tmp_path: Path) -> None:
    import safetensors.torch

    folder = save_random_scorer(tmp_path / "rm")
    file = rollouts(tmp_path / "r.jsonl")
    weights = safetensors.torch.load_file(folder / "model.safetensors")
    # It stands in answers to the prompts 2 and 3 alone.
    token = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]["5"]
    weights["model.embed_tokens.weight"][token] = float("nan")
    safetensors.torch.save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    common = ("--rollouts", file, "--engine", "transformers", "--no-probe")
    done = cli("scan", folder, *common, "--out", "run")
    assert done.code == 0, done.err
    found = metrics(Path("run"))
    assert found["coverage.error"]["value"] > 0
    assert found["reward_spread"]["n_excluded"] == 2
    weights["score.weight"][:] = float("nan")
    safetensors.torch.save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    none = cli("scan", folder, *common, "--out", "none")
    assert none.code == 1
    assert "was scored: the score is not a finite number" in none.err


def _items(run: Path) -> list[str]:
    return (run / "checklist" / "items.jsonl").read_text().splitlines()
