"""What a checkpoint is, from its files: score-only ones are not asked to chat."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from support.checkpoints import LLAMA, TEMPLATE, TENSORS, tiny, write_tensors
from support.command_line import Done
from support.packages import needs

from rmaudit.errors import InputError
from rmaudit.models.checkpoint import read_checkpoint
from rmaudit.models.families import families, family_of
from rmaudit.models.readme import front_matter
from rmaudit.models.score_only import named_so

Cli = Callable[..., Done]
pytestmark = [needs("torch", "transformers"), pytest.mark.model]


def tagged(folder: Path, text: str) -> Path:
    (tiny(folder) / "README.md").write_text(text)
    return folder


def score_only(folder: Path) -> str:
    with pytest.raises(InputError, match="gives scores and writes no answers") as caught:
        read_checkpoint(folder)
    assert "--rm-type gen-pairwise" in caught.value.hint
    assert read_checkpoint(folder, rm_type="gen-pairwise").why == "asked for with --rm-type"
    return caught.value.message


def test_a_folder_tagged_or_configured_as_score_only_is_refused(tmp_path: Path) -> None:
    tag = tagged(tmp_path / "tag", "---\nlicense: x\npipeline_tag: text-classification\n---\n")
    assert "README.md tags it pipeline_tag: text-classification" in score_only(tag)
    one = tiny(tmp_path / "one", config={**LLAMA, "id2label": {"0": "LABEL_0"}})
    assert "config.json gives it one label" in score_only(one)
    prefix = tiny(tmp_path / "prefix", config={**LLAMA, "value_head_prefix": "score"})
    assert "config.json sets value_head_prefix" in score_only(prefix)
    beside = tiny(tmp_path / "beside")
    write_tensors(beside / "reward_head.safetensors", {"reward_head.weight": [1, 4]})
    assert "it holds reward_head.safetensors" in score_only(beside)
    for number, head in enumerate(
        ("value_head.summary.weight", "score.weight", "model.rm_head.0.bias")
    ):
        inside = tiny(tmp_path / f"inside{number}", tensors={**TENSORS, head: [1, 4]})
        assert f"its weights hold {head}" in score_only(inside)


def test_a_name_alone_only_warns(tmp_path: Path) -> None:
    for name in ("Nemotron-70B-Reward", "my-rm-8b", "RM-Mistral"):
        found = read_checkpoint(tiny(tmp_path / name))
        assert any("its name says reward model" in remark for remark in found.remarks), name
    for name in ("rewarding", "farm-7b", "judge"):
        assert not named_so(tmp_path / name)
        assert read_checkpoint(tiny(tmp_path / name)).remarks == ()


def test_other_tensors_that_are_not_loaded_are_named(tmp_path: Path) -> None:
    more = tiny(tmp_path / "m", tensors={**TENSORS, "model.layers.1.mlp.up_proj.weight": [6, 4]})
    assert read_checkpoint(more).remarks == (
        "1 tensors have no place in a LlamaForCausalLM: model.layers.1.mlp.up_proj.weight",
    )


def test_front_matter(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(
        "---\nbase_model:\n- a/b\n- 'c/d'\ntags: [x, \"y\"]\npipeline_tag: text-generation # z\n"
        "empty:\n---\npipeline_tag: text-classification\n"
    )
    assert front_matter(tmp_path) == {
        "base_model": ["a/b", "c/d"],
        "tags": ["x", "y"],
        "pipeline_tag": ["text-generation"],
        "empty": [],
    }
    latin = "---\npipeline_tag: text-classification\nauthor: M\u00fcller\n---\n".encode("latin-1")
    (tmp_path / "README.md").write_bytes(latin)
    assert front_matter(tmp_path)["pipeline_tag"] == ["text-classification"]
    for text in ("", "no front matter\n---\nx: y\n---", "---\nx: y\nnever closed"):
        (tmp_path / "README.md").write_text(text)
        assert front_matter(tmp_path) == {}


def test_families_are_told_by_roles_then_by_names(tmp_path: Path) -> None:
    def told(name: str, template: str = TEMPLATE, **config: object) -> str:
        family, _ = family_of(tmp_path / name, config, template)
        return "" if family is None else family.title

    assert told("x", "{% if m.role == 'response_1' or m.role == \"response_2\" %}") == (
        "Nemotron GenRM, by roles"
    )
    assert told("x", "the response_1 and response_2 of someone") == ""
    assert told("RM-R1-Qwen2.5-Instruct-7B") == "RM-R1, instruct"
    assert told("RM-R1-DeepSeek-Distilled-Qwen-14B") == "RM-R1, reasoning"
    assert told("RRM-7B") == "Reward Reasoning Model"
    assert told("prometheus-7b-v2.0") == "Prometheus 2"
    assert told("DeepSeek-R3-Qwen") == "R3 and mR3"
    assert told("out", _name_or_path="Skywork/Skywork-Critic-Llama-3.1-8B") == "Skywork-Critic"
    assert told("Qwen3-8B") == ""
    assert told("models--x--JudgeLM-7B-v1.0/snapshots/0a1b") == "JudgeLM"
    for family in families():
        assert (family.name is None) != (family.roles is None)
        re.compile(family.name or "")


def test_a_family_without_a_profile_here_is_said(tmp_path: Path, cli: Cli) -> None:
    missing = next(f for f in families() if f.title == "Skywork-Critic")
    folder = tagged(
        tmp_path / "copy", "---\nbase_model: Skywork/Skywork-Critic-Llama-3.1-8B\n---\n"
    )
    found = read_checkpoint(folder)
    from rmaudit.models.profiles import is_shipped

    if is_shipped(missing.profile):
        assert found.profile == missing.profile
    else:
        assert found.profile == "generic"
        assert "asks it by another prompt than it was trained on" in found.remarks[0]
    assert "README.md names the base Skywork/Skywork-Critic-Llama-3.1-8B" in found.why
    words = ("scan", folder, "--set", "synth:1:2:slogan", "--dry-run")
    assert "names the base Skywork/Skywork-Critic-Llama-3.1-8B" in cli(*words).err
    chosen = cli(*words, "--profile", "thinking", "--rm-type", "gen-pairwise")
    assert "gen-pairwise (asked for with --rm-type; thinking profile)" in chosen.err
    assert "cannot audit a checkpoint as 'prm'" in cli(*words, "--rm-type", "prm").err


def test_any_model_can_be_asked_about_each_response_alone(tmp_path: Path, cli: Cli) -> None:
    folder = tiny(tmp_path / "model")
    words = ("scan", folder, "--set", "synth:1:2:slogan", "--dry-run")
    told = " ".join(cli(*words, "--rm-type", "gen-pointwise").err.split())
    assert "gen-pointwise (asked for with --rm-type; generic-pointwise profile)" in told
    assert "4 generations" in told
    wrong = cli(*words, "--rm-type", "gen-pointwise", "--profile", "rrm")
    assert wrong.code == 2
    assert "--rm-type gen-pointwise: profile rrm is gen-pairwise" in wrong.err


def test_a_copy_of_its_readme_cannot_choose_more_than_the_prompt(tmp_path: Path) -> None:
    """Settings of a checkpoint that name a judge or policy are read by nobody."""
    sly = {**LLAMA, "judge": "lexical", "policy": "none", "trust_remote_code": True}
    found = read_checkpoint(tiny(tmp_path / "m", config=sly))
    assert json.loads((tmp_path / "m" / "config.json").read_text())["policy"] == "none"
    assert found.profile == "generic"
    assert found.remarks == ()
