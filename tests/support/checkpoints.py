"""Checkpoint folders made by hand or from random weights, whole or with one thing wrong."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

LLAMA: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": 8, "hidden_size": 4,
    "intermediate_size": 6, "num_hidden_layers": 1, "num_attention_heads": 2,
    "num_key_value_heads": 1, "max_position_embeddings": 64,
}  # fmt: skip
TENSORS: dict[str, Sequence[int]] = {
    "model.embed_tokens.weight": [8, 4],
    "model.layers.0.self_attn.q_proj.weight": [4, 4],
    "model.layers.0.self_attn.k_proj.weight": [2, 4],
    "model.layers.0.self_attn.v_proj.weight": [2, 4],
    "model.layers.0.self_attn.o_proj.weight": [4, 4],
    "model.layers.0.mlp.gate_proj.weight": [6, 4],
    "model.layers.0.mlp.up_proj.weight": [6, 4],
    "model.layers.0.mlp.down_proj.weight": [4, 6],
    "model.layers.0.input_layernorm.weight": [4],
    "model.layers.0.post_attention_layernorm.weight": [4],
    "model.norm.weight": [4],
    "lm_head.weight": [8, 4],
}
TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>"


def write_tensors(file: Path, tensors: Mapping[str, Sequence[int]]) -> None:
    """A safetensors file of zeros."""
    header: dict[str, Any] = {}
    end = 0
    for name, shape in tensors.items():
        size = 4 * math.prod(shape)
        header[name] = {
            "dtype": "F32",
            "shape": list(shape),
            "data_offsets": [end, end + size],
        }
        end += size
    raw = json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(raw)) + raw + bytes(end))


def tiny(
    folder: Path,
    *,
    config: Mapping[str, Any] = LLAMA,
    tensors: Mapping[str, Sequence[int]] = TENSORS,
    template: str | None = TEMPLATE,
) -> Path:
    """A folder with a config, one safetensors file of zeros, and a chat template."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config))
    write_tensors(folder / "model.safetensors", tensors)
    if template is not None:
        (folder / "chat_template.jinja").write_text(template)
    return folder


def without(*names: str) -> dict[str, Sequence[int]]:
    """The tensors of LLAMA but some."""
    return {name: shape for name, shape in TENSORS.items() if name not in names}
