"""Real vLLM under the adapters beside gen-pairwise: one response a call, and a list of two."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.family_models import FAMILY_MODELS, save_family_model

pytest.importorskip("vllm")
pytestmark = [pytest.mark.vllm, pytest.mark.filterwarnings("ignore")]  # not our code

Cli = Callable[..., Done]


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("run", name).read_text().splitlines()]


@pytest.mark.parametrize(
    ("folder", "adapter", "keys"),
    [
        ("GenRM-CI-Test-1.5B", "gen-pointwise", {("a", None), ("b", None)}),
        ("RewardAnything-8B-v1", "gen-listwise", {("pair", "ab"), ("pair", "ba")}),
    ],
)
def test_a_scan_by_vllm(
    folder: str, adapter: str, keys: set[tuple[str, str | None]], tmp_path: Path, cli: Cli
) -> None:
    family = next(one for one in FAMILY_MODELS if one.folder == folder)
    path = save_family_model(tmp_path, family)
    done = cli("scan", path, "--set", "synth:3:2:slogan", "--engine", "vllm", "--max-tokens", "8",
               "--no-probe", "--out", "run")  # fmt: skip
    assert done.code == 0, done.err
    manifest = json.loads(Path("run/manifest.json").read_text())
    assert manifest["rm_type"] == adapter
    assert manifest["profile"] == family.profile
    answers = rows("generations.jsonl")
    assert {(row["slot"], row["order"]) for row in answers} == keys
    assert len(answers) == 4
    assert all(row["tokens_out"] for row in answers)
    verdicts = rows("verdicts.jsonl")
    assert len(verdicts) == (2 if adapter == "gen-pointwise" else 4)
    assert {row["verdict"] for row in verdicts} == {None}  # noise, and nothing is made of it
