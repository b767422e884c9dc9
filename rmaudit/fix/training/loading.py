"""How the policy is loaded for training, and a copy of it from weights that were gathered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rmaudit.errors import RmauditError
from rmaudit.fix.training.settings import TrainingSettings

TARGETS = "all-linear"


def loading(settings: TrainingSettings) -> dict[str, str]:
    """Adapters train beside bfloat16 weights; weights that train themselves need float32."""
    return {"dtype": "bfloat16" if settings.lora_rank and settings.bf16 else "float32"}


def adapters(settings: TrainingSettings) -> Any:
    """What LoRA adds, None where all weights train."""
    if not settings.lora_rank:
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=settings.lora_rank,
        lora_alpha=2 * settings.lora_rank,
        target_modules=TARGETS,
        task_type="CAUSAL_LM",
    )


def copy_of(
    checkpoint: Path, settings: TrainingSettings, weights: Mapping[str, Any], *, cuda: bool
) -> Any:
    """A model of its own with these weights, on the device that trains.

    Raises:
        RmauditError: the weights are not those of the checkpoint's model.
    """
    import torch
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(
        checkpoint, local_files_only=True, **loading(settings)
    )
    added = adapters(settings)
    if added is not None:
        from peft import get_peft_model

        model = get_peft_model(model, added)
    keys = model.load_state_dict(weights, strict=False)
    tied = tuple(model.all_tied_weights_keys)
    missing = [name for name in keys.missing_keys if not name.endswith(tied)]
    if missing or keys.unexpected_keys:
        raise RmauditError(
            f"the weights in training lack {missing or 'nothing'}, and have "
            f"{keys.unexpected_keys or 'nothing'} that the model has not",
            "train without FSDP, by another file for --launch",
        )
    return model.to(torch.device("cuda" if cuda else "cpu"))
