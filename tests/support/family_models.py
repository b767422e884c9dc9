"""A tiny checkpoint of random weights for each family, in the architecture that the family has.

Only sizes and weights are ours: architecture, kind of chat template and whether there is a BOS are
what the families' checkpoints have. The tokenizer takes a byte for a token, and adds a BOS by
itself where the family has one, so that a template that writes one too would make it two.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SIZES: dict[str, Any] = {
    "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
    "num_key_value_heads": 1, "head_dim": 32, "max_position_embeddings": 8192, "bos_token_id": 1,
    "eos_token_id": 2, "pad_token_id": 2,
}  # fmt: skip
EXPERTS = {"num_experts_per_tok": 1, "num_local_experts": 2}
MORE: dict[str, dict[str, Any]] = {
    "Qwen3Moe": {"num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 16},
    "Mixtral": EXPERTS,
    "GptOss": {**EXPERTS, "layer_types": ["sliding_attention", "full_attention"]},
    "DeepseekV2": {
        "num_key_value_heads": 2, "n_routed_experts": 2, "num_experts_per_tok": 1,
        "moe_intermediate_size": 16, "n_shared_experts": 1, "kv_lora_rank": 512, "q_lora_rank": 16,
        "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "n_group": 1,
        "topk_group": 1, "first_k_dense_replace": 1,
    },
    "NemotronH": {
        "layers_block_type": ["mamba", "attention"], "mamba_num_heads": 2, "mamba_head_dim": 16,
        "ssm_state_size": 8, "n_groups": 1, "chunk_size": 16, "conv_kernel": 4,
        "n_routed_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 16,
    },
}  # fmt: skip
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
TEMPLATES = {
    "chatml": CHATML,
    "chatml, thinks": CHATML.replace("assistant\n{% endif", "assistant\n<think>\n{% endif"),
    "llama": (
        "{{ bos_token }}{% for m in messages %}<|im_start|>{{ m.role }}\n\n{{ m.content }}"
        "<|im_end|>{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n\n{% endif %}"
    ),
    "inst": (
        "{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}"
        "{{ raise_exception('no system role') }}{% endif %}"
        "{% if m.role == 'user' %}[INST] {{ m.content }} [/INST]"
        "{% else %} {{ m.content }}{{ eos_token }}{% endif %}{% endfor %}"
    ),
    "plain": "{% for m in messages %}{{ m.content }}{% endfor %}",
    "pair roles": (
        "{% for m in messages %}{% if m.role == 'response_1' %}<|im_start|>first\n"
        "{% elif m.role == 'response_2' %}<|im_start|>second\n{% else %}<|im_start|>{{ m.role }}\n"
        "{% endif %}{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n<think>\n"
    ),
    "principle": (
        "{% for m in messages %}{% if m.role == 'principle' %}<|im_start|>user\nPrinciple: "
        "{% else %}<|im_start|>{{ m.role }}\n{% endif %}{{ m.content }}<|im_end|>\n{% endfor %}"
        "<|im_start|>assistant\n<think>\n"
    ),
}
BEGIN = frozenset({"llama", "inst"})
"""Templates of families whose tokenizer has a BOS; that of `plain` is added by the tokenizer."""


@dataclass(frozen=True)
class FamilyModel:
    """A family, the folder that its checkpoints have, their architecture and chat template."""

    title: str
    folder: str
    kind: str
    template: str
    profile: str

    @property
    def has_bos(self) -> bool:
        """Whether its tokenizer begins texts with a BOS."""
        return self.template in BEGIN or self.template == "plain"


def _one(title: str, folder: str, kind: str, template: str, profile: str) -> FamilyModel:
    return FamilyModel(title, folder, kind, template, profile)


FAMILY_MODELS = (
    _one("Nemotron 3 Ultra GenRM", "Nemotron-3-Ultra-GenRM", "NemotronH", "pair roles",
         "nemotron-3-ultra-genrm"),
    _one("Nemotron GenRM, by roles", "Qwen3-Nemotron-GenRM", "Qwen3Moe", "pair roles",
         "nemotron-genrm"),
    _one("Nemotron GenRM, by principle", "Qwen3-Nemotron-32B-GenRM-Principle", "Qwen3",
         "principle", "nemotron-principle"),
    _one("RM-R1, reasoning", "RM-R1-DeepSeek-Distilled-Qwen-7B", "Qwen2", "chatml, thinks",
         "rm-r1-reasoning"),
    _one("RM-R1, instruct", "RM-R1-Qwen2.5-Instruct-7B", "Qwen2", "chatml", "rm-r1-instruct"),
    _one("Skywork-Critic", "Skywork-Critic-Llama-3.1-8B", "Llama", "llama", "skywork-critic"),
    _one("Prometheus 2", "prometheus-7b-v2.0", "Mistral", "inst", "prometheus-2-relative"),
    _one("Prometheus 2", "prometheus-8x7b-v2.0", "Mixtral", "inst", "prometheus-2-relative"),
    _one("Reward Reasoning Model", "RRM-7B", "Qwen2", "chatml, thinks", "rrm"),
    _one("RewardAnything", "RewardAnything-8B-v1", "Qwen3", "chatml", "rewardanything"),
    _one("Nemotron GenRM of version 1", "Llama-3_3-Nemotron-Super-49B-GenRM", "Llama", "llama",
         "nemotron-genrm-v1"),
    _one("DeepSeek-GRM", "DeepSeek-GRM-16B", "DeepseekV2", "llama", "deepseek-grm"),
    _one("DeepSeek-GRM", "DeepSeek-GRM-27B", "Gemma2", "inst", "deepseek-grm"),
    _one("CompassJudger 2", "CompassJudger-2-7B-Instruct", "Qwen2", "chatml", "compassjudger-2"),
    _one("CompassJudger 1", "CompassJudger-1-7B-Instruct", "Qwen2", "chatml", "compassjudger-1"),
    _one("JudgeLM", "JudgeLM-7B-v1.0", "Llama", "plain", "judgelm"),
    _one("Auto-J", "autoj-13b", "Llama", "inst", "auto-j"),
    _one("PandaLM", "PandaLM-7B-v1", "Llama", "plain", "pandalm"),
    _one("Selene 1", "Selene-1-Mini-Llama-3.1-8B", "Llama", "llama", "selene"),
    _one("OffsetBias, generative", "Llama-3-OffsetBias-8B", "Llama", "llama", "offsetbias"),
    _one("RISE-Judge", "RISE-Judge-Qwen2.5-7B", "Qwen2", "chatml", "rise-judge"),
    _one("Con-J", "Con-J-Qwen2-7B", "Qwen2", "chatml", "con-j"),
    _one("R3 and mR3", "R3-Qwen3-8B-14k", "Qwen3", "chatml", "r3"),
    _one("R3 and mR3", "R3-Phi-4-reasoning-plus-14k", "Phi3", "chatml", "r3"),
    _one("GRAM-R2", "GRAM-RR-LLaMA-3.1-8B-RewardModel", "Llama", "llama", "gram-r2"),
    _one("Think-RM", "Multiclass-Think-RM-8B-multi", "Llama", "llama", "think-rm-multiclass"),
    _one("Think-RM", "Binary-Think-RM-8B", "Llama", "llama", "think-rm"),
    _one("CE-RM", "CE-RM-4B", "Qwen3", "chatml", "ce-rm"),
    _one("J1", "J1-Qwen-32B-MultiTask", "Qwen3", "chatml", "j1"),
    _one("FARE", "FARE-8B", "Qwen3", "chatml", "fare"),
    _one("FARE", "FARE-20B", "GptOss", "chatml", "fare"),
    _one("OpenJudge", "RM-Gallery-Judge-Qwen3-8B", "Qwen3", "chatml", "openjudge"),
    _one("FAPO-GenRM", "FAPO-GenRM-4B", "Qwen3", "chatml", "fapo-genrm"),
    _one("GenRM-CI", "GenRM-CI-Test-1.5B", "Qwen2", "chatml", "genrm-ci"),
    _one("OPSD-GenRM", "OPSD-GenRM-Qwen3-4B", "Qwen3", "chatml", "opsd-genrm"),
    _one("RationaleRM and R-Align", "RationaleRM-Qwen3-30B-A3B", "Qwen3Moe", "chatml",
         "rationalerm"),
)  # fmt: skip


def save_family_model(folder: Path, family: FamilyModel) -> Path:
    """Writes the checkpoint into a folder of the family's name below `folder`."""
    import torch
    import transformers

    path = folder / family.folder
    tokenizer = _tokenizer(family)
    torch.manual_seed(0)
    sizes = {**SIZES, "vocab_size": len(tokenizer), **MORE.get(family.kind, {})}
    config = getattr(transformers, f"{family.kind}Config")(**sizes)
    getattr(transformers, f"{family.kind}ForCausalLM")(config).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


def _tokenizer(family: FamilyModel) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    special = ["<unk>", "<s>", "</s>", "<|im_start|>", "<|im_end|>"]
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*special, *letters])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    named = {"eos_token": "</s>", "unk_token": "<unk>"}
    if family.has_bos:
        named["bos_token"] = "<s>"
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A", special_tokens=[("<s>", 1)]
        )
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, additional_special_tokens=special[3:], **named
    )
    fast.chat_template = TEMPLATES[family.template]
    return fast


def architecture(path: Path) -> str:
    """What config.json names."""
    (name,) = json.loads((path / "config.json").read_text())["architectures"]
    return str(name)
