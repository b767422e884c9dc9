"""Heads of two layers and value heads: scores by hand, and folders with one thing wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.random_model import byte_tokenizer, save_random_head

from rmaudit.checklists.sets import load_set
from rmaudit.engines.scalar_heads import HeadTransformersEngine
from rmaudit.engines.tokenizer import PROBE, load_tokenizer
from rmaudit.errors import InputError
from rmaudit.models.checkpoint import read_checkpoint
from rmaudit.run.directory import RunDir
from rmaudit.run.files import SCORES
from rmaudit.scan.score_requests import score_requests

pytestmark = pytest.mark.model
Cli = Callable[..., Done]
SET = "synth:3:6:slogan"
ADAPTERS = {"layers": "scalar-tokenhead", "inside": "scalar-hf", "beside": "scalar-hf"}
BESIDE = "value_head.safetensors"
MAIN = "model.safetensors"


def by_hand(folder: Path, messages: tuple[dict[str, str], ...]) -> float:
    """The score from the hidden state of a class that writes, and the head's tensors."""
    import torch
    import transformers
    from safetensors.torch import load_file

    tokenizer = byte_tokenizer()
    text = tokenizer.apply_chat_template(list(messages), tokenize=False)
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    family = json.loads((folder / "config.json").read_text())["model_type"]
    kind = {"qwen2": "Qwen2ForCausalLM", "llama": "LlamaForCausalLM"}[family]
    model: Any = getattr(transformers, kind).from_pretrained(folder, dtype="float32").eval()
    with torch.inference_mode():
        out = model(torch.tensor([ids]), output_hidden_states=True)
        last = out.hidden_states[-1][0, -1]
        file = folder / BESIDE
        held = load_file(file if file.exists() else folder / MAIN)
        if family == "qwen2":
            last = (held["score.0.weight"] @ last + held["score.0.bias"]).clamp(min=0)
            return float(held["score.2.weight"] @ last + held["score.2.bias"])
        return float(held["v_head.summary.weight"] @ last + held["v_head.summary.bias"])


@pytest.mark.parametrize("kind", ADAPTERS)
def test_scores_are_those_of_the_head(tmp_path: Path, kind: str) -> None:
    folder = save_random_head(tmp_path / "rm", kind)
    found = read_checkpoint(folder)
    assert found.rm_type == ADAPTERS[kind]
    assert found.completeness.why == ""
    assert not found.remarks
    assert found.head is not None
    requests = score_requests(load_set(SET).items, edited=False)
    engine = HeadTransformersEngine(folder, found.head, context=4096, batch_size=5)
    scores = {one.key: one.score for one in engine.score(requests)}
    for request in requests:
        expected, score = by_hand(folder, request.messages), scores[request.key]
        assert score is not None
        assert abs(score - expected) <= 1e-5 * (1 + abs(expected))
    assert len(set(scores.values())) > len(requests) // 2


@pytest.mark.parametrize("kind", ["layers", "beside"])
def test_a_scan_and_doctor_say_what_it_is(cli: Cli, tmp_path: Path, kind: str) -> None:
    folder = save_random_head(tmp_path / "rm", kind)
    done = cli("scan", folder, "--set", SET, "--out", "run", "--engine", "transformers")
    assert done.code == 0, done.err
    manifest = RunDir.open(Path("run")).manifest()
    assert manifest.rm_type == ADAPTERS[kind]
    assert manifest.target.as_dict()["probe"]["asked"] == 4
    assert len(list(RunDir.open(Path("run")).rows(SCORES))) > 12
    said = cli("doctor", folder, "--set", SET)
    assert ADAPTERS[kind] in said.out + said.err
    assert "read at the last token" in said.out + said.err


def test_vllm_has_no_class_for_a_value_head(cli: Cli, tmp_path: Path) -> None:
    folder = save_random_head(tmp_path / "rm", "inside")
    done = cli("scan", folder, "--set", SET, "--engine", "vllm")
    assert (done.code, "vLLM has no class for the head" in done.err) == (2, True)
    done = cli("scan", folder, "--set", SET, "--dry-run")
    assert "vLLM has no class for its head" in done.err
    said = read_checkpoint(folder, rm_type="gen-pairwise")
    assert (said.rm_type, said.head) == ("gen-pairwise", None)


def tensors(change: Callable[[dict[str, Any]], object], file: str) -> Callable[[Path], None]:
    """Changes the tensors of a file of the folder."""

    def changed(folder: Path) -> None:
        from safetensors.torch import load_file, save_file

        held = load_file(folder / file)
        change(held)
        save_file(held, folder / file, {"format": "pt"})

    return changed


def pickled(folder: Path) -> None:
    (folder / BESIDE).rename(folder / "value_head.bin")


def unknown(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "internlm2"}))


def twice(folder: Path) -> None:
    (folder / BESIDE).write_bytes((folder / MAIN).read_bytes())


def widened(held: dict[str, Any]) -> None:
    held["score.2.weight"] = held["score.2.weight"].repeat(2, 1)
    held["score.2.bias"] = held["score.2.bias"].repeat(2)


def narrowed(held: dict[str, Any]) -> None:
    held["v_head.summary.weight"] = held["v_head.summary.weight"][:, :32].contiguous()


WRONG = [
    ("layers", tensors(lambda held: held.pop("score.0.weight"), MAIN), "lacks score.0.weight"),
    ("layers", tensors(lambda held: held.pop("score.2.bias"), MAIN), "lacks score.2.bias"),
    ("layers", tensors(lambda held: held.pop("model.norm.weight"), MAIN), "lacks weights"),
    ("layers", tensors(widened, MAIN), "gives 2 numbers"),
    ("beside", tensors(narrowed, BESIDE), "is [1, 32], and 64 numbers come to it"),
    ("beside", tensors(lambda held: held.pop("v_head.summary.bias"), BESIDE), "lacks v_head"),
    ("beside", tensors(lambda held: held.pop("model.norm.weight"), MAIN), "lacks weights"),
    ("beside", pickled, "holds its value head pickled"),
    ("inside", twice, "and one in value_head.safetensors"),
    ("inside", unknown, "has no model of model_type 'internlm2'"),
]


@pytest.mark.parametrize(("kind", "spoil", "says"), WRONG)
def test_a_spoilt_folder_is_refused(
    tmp_path: Path, kind: str, spoil: Callable[[Path], None], says: str
) -> None:
    folder = save_random_head(tmp_path / "rm", kind)
    spoil(folder)
    with pytest.raises(InputError) as caught:
        read_checkpoint(folder)
    assert says in caught.value.message


def test_a_head_that_is_not_finite_is_refused(cli: Cli, tmp_path: Path) -> None:
    folder = save_random_head(tmp_path / "rm", "beside")
    tensors(lambda held: held["v_head.summary.bias"].fill_(float("nan")), BESIDE)(folder)
    done = cli("scan", folder, "--set", SET, "--engine", "transformers")
    assert (done.code, "numbers that are not finite" in done.err) == (2, True)


def test_a_tokenizer_is_not_rebuilt_by_the_model_type(tmp_path: Path) -> None:
    """The folder's own merges cross words, which the tokenizer of a Qwen2 splits."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    space = letters[letters.index("\u0120")]
    merges = [("1", "2"), (",", space), ("r", "'")]
    vocabulary = {token: n for n, token in enumerate([*letters, *map("".join, merges), "</s>"])}
    own = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    own.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    folder = save_random_head(tmp_path / "rm", "layers")
    fast = PreTrainedTokenizerFast(tokenizer_object=own, eos_token="</s>")
    fast.chat_template = byte_tokenizer().chat_template
    fast.save_pretrained(folder)
    expected = own.encode(PROBE).ids
    assert AutoTokenizer.from_pretrained(folder)(PROBE)["input_ids"] != expected  # the trap
    found = load_tokenizer(folder)
    assert found(PROBE, add_special_tokens=False)["input_ids"] == expected
    assert found.get_chat_template() == fast.chat_template
