"""A checkpoint is complete or refused, before anything is loaded."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.checkpoints import LLAMA, TENSORS, tiny, without
from support.command_line import Done
from support.packages import needs

from rmaudit.errors import InputError
from rmaudit.models.checkpoint import read_checkpoint

Cli = Callable[..., Done]
needs_transformers = needs("torch", "transformers")


def refusal(folder: Path, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        read_checkpoint(folder, **options)
    assert caught.value.hint
    return caught.value


def config(**changes: object) -> dict[str, Any]:
    return {**LLAMA, **changes}


def test_folders_that_hold_no_model(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "no checkpoint at" in refusal(tmp_path / "nowhere").message
    assert "holds no config.json" in refusal(tmp_path / "empty").message
    bare = tiny(tmp_path / "bare", template=None)
    assert "has no chat template" in refusal(bare).message
    scalar = tiny(tmp_path / "s", config=config(architectures=["LlamaForSequenceClassification"]))
    assert "has no reward head score.weight" in refusal(scalar).message
    other = tiny(tmp_path / "o", config=config(architectures=["LlamaForTokenClassification"]))
    assert "which this version cannot audit" in refusal(other).message
    own = tiny(tmp_path / "own", config=config(auto_map={"AutoModel": "x.Y"}))
    assert "asks to run code of the checkpoint" in refusal(own).message
    for number, named in enumerate((None, [], [1], ["os.system"], {})):
        odd = tiny(tmp_path / f"odd{number}", config=config(architectures=named))
        assert "names no architecture" in refusal(odd).message
    (bare / "config.json").write_text("{")
    assert "is damaged" in refusal(bare).message


def test_an_adapter_names_its_base(tmp_path: Path) -> None:
    folder = tmp_path / "lora"
    folder.mkdir()
    (folder / "adapter_config.json").write_text('{"base_model_name_or_path": "some/base"}')
    said = refusal(folder)
    (folder / "config.json").write_text("{}")
    (folder / "adapter_model.safetensors").touch()
    assert refusal(folder).message == said.message
    assert "is an adapter (LoRA) of some/base" in said.message
    assert "merge_and_unload" in said.hint


@needs_transformers
@pytest.mark.model
@pytest.mark.slow
def test_each_tensor_and_each_shape_counts(tmp_path: Path) -> None:
    whole = read_checkpoint(tiny(tmp_path / "whole"))
    assert whole.completeness.sentence == "complete"
    assert whole.remarks == ()
    for number, name in enumerate(TENSORS):
        said = refusal(tiny(tmp_path / f"without{number}", tensors=without(name))).message
        assert said.endswith(f"lacks weights that its config.json asks for: {name}")
        shape = [length + 1 for length in TENSORS[name]]
        other = tiny(tmp_path / f"other{number}", tensors={**TENSORS, name: shape})
        assert f"{name} is {shape}, the config asks for" in refusal(other).message


@needs_transformers
@pytest.mark.model
def test_tied_weights_are_apart(tmp_path: Path) -> None:
    tied = config(tie_word_embeddings=True)
    headless = without("lm_head.weight")
    assert read_checkpoint(tiny(tmp_path / "tied", config=tied, tensors=headless))
    broken = {name: shape for name, shape in headless.items() if "embed" not in name}
    said = refusal(tiny(tmp_path / "broken", config=tied, tensors=broken)).message
    assert "embed_tokens" in said or "lm_head" in said


@needs_transformers
@pytest.mark.model
@pytest.mark.slow
def test_experts_that_the_loader_merges(tmp_path: Path) -> None:
    """Their names in the file are not those of the model; the loader's own mapping counts."""
    import transformers

    small = {
        "vocab_size": 16, "hidden_size": 8, "intermediate_size": 12, "num_hidden_layers": 1,
        "num_attention_heads": 2, "num_key_value_heads": 1, "num_local_experts": 3,
    }  # fmt: skip
    model = transformers.MixtralForCausalLM(transformers.MixtralConfig(**small))
    model.save_pretrained(tmp_path / "saved")
    from rmaudit.models.weights import tensor_shapes

    shapes = tensor_shapes(tmp_path / "saved")
    named = json.loads((tmp_path / "saved" / "config.json").read_text())
    assert read_checkpoint(tiny(tmp_path / "whole", config=named, tensors=shapes))
    (expert,) = [name for name in shapes if "experts.1.w2" in name]
    short = {name: shape for name, shape in shapes.items() if name != expert}
    said = refusal(tiny(tmp_path / "short", config=named, tensors=short)).message
    assert "experts.down_proj is [2, 8, 12], the config asks for [3, 8, 12]" in said


@needs_transformers
@pytest.mark.model
def test_a_config_that_describes_no_model(tmp_path: Path) -> None:
    huge = tiny(tmp_path / "huge", config=config(num_hidden_layers=10**9))
    assert "asks for 1,000,000,000 layers" in refusal(huge).message
    for number, change in enumerate(
        (
            {"num_attention_heads": 0},
            {"hidden_size": "x"},
            {"hidden_size": -4},
            {"model_type": "qwen2"},
            {"rope_parameters": {"rope_type": "none such"}},
            {"num_key_value_heads": 3},
        )
    ):
        said = refusal(tiny(tmp_path / f"odd{number}", config=config(**change))).message
        assert "transformers cannot build" in said or "another shape" in said


@needs_transformers
@pytest.mark.model
def test_where_it_cannot_be_known_it_says_so(tmp_path: Path, cli: Cli) -> None:
    quantised = config(quantization_config={"quant_method": "gptq", "bits": 4})
    found = read_checkpoint(
        tiny(tmp_path / "q", config=quantised, tensors=without("model.norm.weight"))
    )
    assert found.completeness.sentence == "completeness not checked: quantised weights (gptq)"
    assert "weights: completeness not checked: quantised weights (gptq)" in found.remarks
    headless = tiny(tmp_path / "h", config=quantised, tensors=without("lm_head.weight"))
    assert "no language-model head" in refusal(headless).message
    foreign = config(architectures=["NoSuchForCausalLM"], model_type="no_such")
    said = read_checkpoint(tiny(tmp_path / "f", config=foreign)).completeness.sentence
    assert "completeness not checked: transformers 5." in said
    assert said.endswith("has no NoSuchForCausalLM")
    done = cli("scan", tmp_path / "q", "--set", "synth:1:2:slogan", "--dry-run")
    assert done.code == 0, done.err
    assert "warning  weights: completeness not checked: quantised" in done.err
    shown = cli("doctor", tmp_path / "q", "--set", "synth:1:2:slogan").out
    assert "weights  " in shown
    assert "completeness not checked: quantised weights (gptq)" in shown


def test_a_base_install_says_what_was_not_checked(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("torch", "transformers"):
        monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    done = cli("doctor", tiny(tmp_path / "m"), "--set", "synth:1:2:slogan")
    assert done.code == 2
    assert "completeness not checked: torch and transformers not installed here" in done.out
    assert "chat template not tried: transformers not installed here" in done.out
    assert "needs torch, which is not installed" in done.err
    headless = tiny(tmp_path / "h", tensors=without("lm_head.weight"))
    assert "no language-model head" in cli("doctor", headless, "--set", "synth:1:2:slogan").err


@needs_transformers
@pytest.mark.model
def test_scan_doctor_and_fix_refuse_alike(tmp_path: Path, cli: Cli) -> None:
    lacking = tiny(tmp_path / "m", tensors=without("model.layers.0.mlp.down_proj.weight"))
    for words in (
        ("scan", lacking, "--set", "synth:1:2:slogan"),
        ("doctor", lacking, "--set", "synth:1:2:slogan"),
        ("fix", lacking, "--train", "synth:1:9:slogan"),
        ("scan", "replay:x", "--set", "synth:1:2:slogan", "--judge", f"transformers:{lacking}"),
    )[:3]:
        done = cli(*words)
        assert done.code == 2
        assert (
            "lacks weights that its config.json asks for: model.layers.0.mlp.down_proj" in done.err
        )
        assert done.err.count("\n") == 2


JSON_VALUES: tuple[object, ...] = (None, True, -1, 1.5, "x", [], [1], {}, {"x": []})


@needs_transformers
@pytest.mark.model
@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["config.json", "tokenizer_config.json", "special_tokens_map.json"]
)
def test_no_damaged_setting_is_a_bug(tmp_path: Path, name: str) -> None:
    """Every value of every file in turn becomes one of another type: refused, or without effect."""
    folder = tiny(tmp_path / "m")
    (folder / "chat_template.jinja").unlink()
    settings = {"chat_template": "{{ bos_token }}{{ messages[0].content }}", "bos_token": "<s>"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    (folder / "special_tokens_map.json").write_text(json.dumps({"eos_token": {"content": "</s>"}}))
    whole = json.loads((folder / name).read_text())
    more = {"id2label": {}, "tie_word_embeddings": False, "text_config": {}, "_name_or_path": "x"}
    keys = {**whole, **more} if name == "config.json" else whole
    for key in keys:
        for value in JSON_VALUES:
            (folder / name).write_text(json.dumps({**whole, key: value}))
            with contextlib.suppress(InputError):
                read_checkpoint(folder)
