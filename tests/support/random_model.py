"""A byte-level Llama of a few thousand random weights, saved as an ordinary checkpoint folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
SPECIAL = ["<unk>", "<s>", "</s>", "<|user|>", "<|assistant|>"]


def byte_tokenizer() -> PreTrainedTokenizerFast:
    """One token a byte; BOS is 1, EOS 2, <|user|> 3, <|assistant|> 4."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*SPECIAL, *letters])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>",
        additional_special_tokens=SPECIAL[3:],
    )  # fmt: skip
    fast.chat_template = TEMPLATE
    return fast


def save_random_scorer(folder: Path, family: str = "llama", *, context: int = 4096) -> Path:
    """A reward head of one number on random weights, scores several apart.

    Padding and closing token have one id, as in many checkpoints: who looks for the last token that
    is no padding then reads another token than the last.
    """
    import torch
    import transformers

    kind = {"llama": "Llama", "qwen3": "Qwen3", "gemma2": "Gemma2", "mistral": "Mistral"}[family]
    tokenizer = byte_tokenizer()
    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=len(tokenizer), hidden_size=64, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=1, head_dim=32, max_position_embeddings=context,
        bos_token_id=1, eos_token_id=2, pad_token_id=2, num_labels=1, initializer_range=0.3,
    )  # fmt: skip
    getattr(transformers, f"{kind}ForSequenceClassification")(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def save_random_head(folder: Path, kind: str) -> Path:
    """A reward head that is no `...ForSequenceClassification`, on random weights.

    kind: `layers`, a Qwen2ForRewardModel; `inside`, a Llama with a value head in its weights;
    `beside`, one with it in value_head.safetensors.
    """
    import torch
    import transformers
    from safetensors.torch import load_file, save_file

    family = "Qwen2" if kind == "layers" else "Llama"
    tokenizer = byte_tokenizer()
    torch.manual_seed(0)
    config = getattr(transformers, f"{family}Config")(
        vocab_size=len(tokenizer), hidden_size=64, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=4096,
        bos_token_id=1, eos_token_id=2, pad_token_id=2, initializer_range=0.3,
    )  # fmt: skip
    getattr(transformers, f"{family}ForCausalLM")(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    shapes = {"v_head.summary.weight": (1, 64), "v_head.summary.bias": (1,)}
    if kind == "layers":
        shapes = {"score.0.weight": (64, 64), "score.0.bias": (64,)}
        shapes |= {"score.2.weight": (1, 64), "score.2.bias": (1,)}
        said = json.loads((folder / "config.json").read_text())
        said["architectures"] = ["Qwen2ForRewardModel"]
        (folder / "config.json").write_text(json.dumps(said))
    head = {name: 0.3 * torch.randn(shape) for name, shape in shapes.items()}
    if kind == "beside":
        save_file(head, folder / "value_head.safetensors")
    else:
        weights = load_file(folder / "model.safetensors")
        save_file(weights | head, folder / "model.safetensors", {"format": "pt"})
    return folder


def save_random_model(
    folder: Path, *, context: int = 512, hidden_size: int = 32, spread: float = 0.02
) -> Path:
    """Weights are drawn with standard deviation `spread`: more makes greedy answers less dull.

    BOS is 1, EOS 2, <|user|> 3, <|assistant|> 4; then one token a byte.
    """
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    fast = byte_tokenizer()
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(fast), hidden_size=hidden_size, intermediate_size=hidden_size,
        num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1,
        max_position_embeddings=context, bos_token_id=1, eos_token_id=2, tie_word_embeddings=True,
        initializer_range=spread,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder
