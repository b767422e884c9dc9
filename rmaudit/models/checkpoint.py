"""Reads a checkpoint folder: architecture, chat template, weights, context, content digest.

Only JSON files and safetensors headers are read; nothing is loaded and no code of the checkpoint
runs. A checkpoint's files may choose how it is prompted and parsed, never what is safe.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rmaudit.errors import InputError

FULL_HASH_BYTES = 1 << 30
EDGE_BYTES = 1 << 20
MAX_HEADER = 1 << 28


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What the files of a checkpoint say.

    parameters: number of weights in the safetensors headers. context: tokens of prompt and
    answer together, None where the config does not say. digest: sha256 over the files; over
    sizes, headers and edges of the weights above 1 GiB, and then `digest_kind` is `edges`.
    planted: the config says that the model was made to show a defect; every output repeats it.
    """

    path: Path
    architecture: str
    model_type: str
    parameters: int
    context: int | None
    thinking: bool
    digest: str
    digest_kind: str
    planted: bool


def read_checkpoint(path: Path) -> Checkpoint:
    """Reads and checks a folder.

    Raises:
        InputError: no such folder, no config, no chat template, pickled weights, a head missing
            from the weights, or code of the checkpoint would have to run.
    """
    if not path.is_dir():
        raise InputError(
            f"no checkpoint at {path}",
            "give a folder with config.json and safetensors weights, or replay:FILE",
        )
    if not (path / "config.json").is_file():
        raise InputError(
            f"{path} holds no config.json", "give the folder that save_pretrained() wrote"
        )
    config = _json(path / "config.json")
    architectures = config.get("architectures")
    if not isinstance(architectures, list) or not architectures:
        raise InputError(
            f"{path / 'config.json'} names no architecture",
            'add "architectures", e.g. ["LlamaForCausalLM"]',
        )
    if "auto_map" in config:
        raise InputError(
            f"{path / 'config.json'} asks to run code of the checkpoint (auto_map)",
            "rmaudit runs no code of a checkpoint; convert it to a class of transformers",
        )
    architecture = str(architectures[0])
    shapes = _weight_shapes(path)
    _check_generative(path, architecture, config, shapes)
    template = chat_template(path)
    digest, kind = _digest(path)
    return Checkpoint(
        path=path,
        architecture=architecture,
        model_type=str(config.get("model_type", "unknown")),
        parameters=sum(math.prod(shape) for shape in shapes.values()),
        context=_context(config),
        thinking="<think>" in template or "enable_thinking" in template,
        digest=digest,
        digest_kind=kind,
        planted=config.get("planted") is True,
    )


def chat_template(path: Path) -> str:
    """The chat template of the folder.

    Raises:
        InputError: there is none; guessing one would audit another model than is deployed.
    """
    own_file = path / "chat_template.jinja"
    if own_file.is_file():
        return own_file.read_text(encoding="utf-8")
    settings = path / "tokenizer_config.json"
    template = _json(settings).get("chat_template") if settings.is_file() else None
    if isinstance(template, list):
        named = {entry.get("name"): entry.get("template") for entry in template}
        template = named.get("default")
    if not isinstance(template, str) or not template:
        raise InputError(
            f"{path} has no chat template",
            "add chat_template.jinja with the template that the model was trained with; "
            "rmaudit does not guess one",
        )
    return template


def _check_generative(
    path: Path, architecture: str, config: dict[str, Any], shapes: dict[str, list[int]]
) -> None:
    if not architecture.endswith(("ForCausalLM", "ForConditionalGeneration")):
        raise InputError(
            f"{path} is a {architecture}, which writes no answers",
            "this version audits generative reward models (…ForCausalLM); "
            "score-only models are not supported yet",
        )
    heads = [name for name in shapes if name.endswith("lm_head.weight")]
    tied = bool(config.get("tie_word_embeddings"))
    embeddings = [name for name in shapes if "embed" in name or name.endswith("wte.weight")]
    if not heads and not (tied and embeddings):
        raise InputError(
            f"{path} has no language-model head in its weights (lm_head.weight)",
            "the checkpoint is incomplete: it would load with a random head; save it again",
        )


def _weight_shapes(path: Path) -> dict[str, list[int]]:
    """Name and shape of each tensor, from the safetensors headers."""
    files = sorted(path.glob("*.safetensors"))
    if not files:
        if any(path.glob("*.bin")) or any(path.glob("*.pt")) or any(path.glob("*.pth")):
            raise InputError(
                f"{path} holds pickled weights, which can run code when loaded",
                "convert them to safetensors: model.save_pretrained(path)",
            )
        raise InputError(f"{path} holds no *.safetensors weights", "save the model again")
    index = path / "model.safetensors.index.json"
    if index.is_file():
        wanted = set(_json(index).get("weight_map", {}).values())
        missing = sorted(wanted - {file.name for file in files})
        if missing:
            raise InputError(f"{path} lacks {missing[0]}, which its index names", "copy it again")
    shapes: dict[str, list[int]] = {}
    for file in files:
        shapes.update(_header(file))
    return shapes


def _header(file: Path) -> dict[str, list[int]]:
    try:
        with file.open("rb") as stream:
            (size,) = struct.unpack("<Q", stream.read(8))
            if size > MAX_HEADER:
                raise ValueError("header too large")
            header = json.loads(stream.read(size))
        end = max(
            (entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"),
            default=0,
        )
        if file.stat().st_size < 8 + size + end:
            raise ValueError("file is cut off")
        return {
            name: [int(length) for length in entry["shape"]]
            for name, entry in header.items()
            if name != "__metadata__"
        }
    except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
        raise InputError(f"{file} is damaged ({error})", "copy or save it again") from error


def _context(config: dict[str, Any]) -> int | None:
    text_config = config.get("text_config")
    for source in (config, text_config if isinstance(text_config, dict) else {}):
        for name in ("max_position_embeddings", "n_positions", "seq_length"):
            value = source.get(name)
            if isinstance(value, int) and value > 0:
                return value
    return None


def _digest(path: Path) -> tuple[str, str]:
    files = sorted(
        file
        for file in path.iterdir()
        if file.is_file() and (file.suffix in (".json", ".safetensors", ".jinja", ".model"))
    )
    whole = sum(file.stat().st_size for file in files) <= FULL_HASH_BYTES
    digest = hashlib.sha256()
    for file in files:
        size = file.stat().st_size
        digest.update(f"{file.name}\0{size}\0".encode())
        with file.open("rb") as stream:
            if whole or size <= 2 * EDGE_BYTES:
                while block := stream.read(EDGE_BYTES):
                    digest.update(block)
            else:
                digest.update(stream.read(EDGE_BYTES))
                stream.seek(-EDGE_BYTES, 2)
                digest.update(stream.read(EDGE_BYTES))
    return digest.hexdigest(), "content" if whole else "edges"


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is damaged: {error}", "copy or save it again") from error
    if not isinstance(data, dict):
        raise InputError(f"{path} is damaged: not an object", "copy or save it again")
    return data
