"""Reward heads of checkpoints whose class is no `...ForSequenceClassification`.

`scalar-tokenhead`: Qwen2ForRewardModel, two layers with a ReLU, which vLLM knows. `scalar-hf`: a
model that writes, saved with a value head, in its weights or in a file beside them. Both give a
number for each token, and the score of a conversation is that of its last.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.engines.head import HeadLayers
from rmaudit.errors import InputError
from rmaudit.models.folder import read_json
from rmaudit.models.weights import INDEX, SINGLE, Shapes, few, file_shapes

TOKENHEAD, HF = "scalar-tokenhead", "scalar-hf"
TOKEN_HEADS = ("Qwen2ForRewardModel",)
BESIDE = "value_head.safetensors"
PICKLED = ("value_head.bin", "value_head.pt", "value_head.pth")
VALUE_HEADS = ("v_head.summary", "v_head")
AGAIN = "both engines would load random numbers there: copy or save the checkpoint again"


class FoundHead(NamedTuple):
    """A head, by what it was told, and the shapes of the tensors that lie beside the weights."""

    head: HeadLayers
    why: str
    beside: Shapes


def token_head(path: Path, config: Mapping[str, Any], shapes: Shapes) -> FoundHead:
    """The head of a class in TOKEN_HEADS.

    Raises:
        InputError: a tensor of it is missing or has another shape.
    """
    layers = (("score.0.weight", "score.0.bias"), ("score.2.weight", "score.2.bias"))
    missing = [name for layer in layers for name in layer if name not in shapes]
    if missing:
        raise InputError(f"{path} lacks {few(missing)} of its reward head in its weights", AGAIN)
    _check(path, layers, shapes, config)
    why = "a reward head of two layers (score.0, score.2), read at the last token"
    return FoundHead(HeadLayers(_files(path), layers, in_vllm=True), why, {})


def value_head(path: Path, config: Mapping[str, Any], shapes: Shapes) -> FoundHead | None:
    """The value head of a model that could write, None where it has none.

    Raises:
        InputError: it is pickled, is there twice, is incomplete or has another shape.
    """
    beside = file_shapes(path / BESIDE) if (path / BESIDE).is_file() else {}
    inside = _stem(shapes)
    outside = _stem(beside)
    if inside and outside:
        raise InputError(
            f"{path} holds a value head in its weights ({inside}) and one in {BESIDE}",
            f"take away the one that is not of this model: without {BESIDE} its weights count",
        )
    stem = inside or outside
    if stem is None:
        pickled = [name for name in PICKLED if (path / name).is_file()]
        if pickled and not beside:
            raise InputError(
                f"{path} holds its value head pickled ({pickled[0]}), which can run code when "
                "loaded",
                f"save its tensors as {BESIDE} with safetensors.torch.save_file",
            )
        return None
    held = shapes if inside else beside
    bias = f"{stem}.bias"
    layers = ((f"{stem}.weight", bias if bias in held else None),)
    if stem == VALUE_HEADS[0] and bias not in held:
        raise InputError(f"{path} lacks {bias} of its value head", AGAIN)
    _check(path, layers, held, config)
    where = "its weights" if inside else BESIDE
    why = f"a value head {stem} in {where}, read at the last token"
    files = _files(path) if inside else (BESIDE,)
    return FoundHead(HeadLayers(files, layers, in_vllm=False), why, {} if inside else beside)


def body_of(path: Path, config: Mapping[str, Any]) -> str:
    """The class of transformers that gives the hidden states, '' where it is not installed.

    Raises:
        InputError: transformers has none for this `model_type`.
    """
    if find_spec("transformers") is None:
        return ""
    import transformers
    from transformers.models.auto.modeling_auto import MODEL_MAPPING_NAMES

    kind = config.get("model_type")
    body = MODEL_MAPPING_NAMES.get(kind) if isinstance(kind, str) else None
    if not isinstance(body, str):
        raise InputError(
            f"transformers {transformers.__version__} has no model of model_type {kind!r}, which "
            f"{path / 'config.json'} names",
            "code of a checkpoint is not run; another version of transformers may have it",
        )
    return body


def _stem(shapes: Shapes) -> str | None:
    return next((stem for stem in VALUE_HEADS if f"{stem}.weight" in shapes), None)


def _files(path: Path) -> tuple[str, ...]:
    """The files of the weights; their names are known to be plain."""
    if (path / SINGLE).is_file():
        return (SINGLE,)
    return tuple(sorted(set(read_json(path / INDEX)["weight_map"].values())))


def _check(
    path: Path,
    layers: tuple[tuple[str, str | None], ...],
    shapes: Shapes,
    config: Mapping[str, Any],
) -> None:
    """That each layer takes what the one before gives, and the last gives one number."""
    hidden = config.get("hidden_size")
    width = hidden if isinstance(hidden, int) else None
    for weight, bias in layers:
        shape = shapes[weight]
        if len(shape) != 2 or (width is not None and shape[1] != width):
            raise InputError(
                f"{weight} of {path} is {list(shape)}, and {width} numbers come to it",
                "head and model are of different checkpoints: copy all of one",
            )
        if bias is not None and shapes[bias] != shape[:1]:
            raise InputError(
                f"{bias} of {path} is {list(shapes[bias])}, its weight gives {shape[0]} numbers",
                "copy or save the checkpoint again",
            )
        width = shape[0]
    if width != 1:
        raise InputError(
            f"the reward head of {path} gives {width} numbers ({layers[-1][0]})",
            "this version audits heads that give one",
        )
