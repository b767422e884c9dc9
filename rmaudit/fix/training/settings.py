"""The published settings of hybrid-reward GRPO, mapped to TRL and shrunk to the data at hand.

Published (arXiv 2602.04649): learning rate 2e-6, 256 prompts a rollout, mini-batches of 128
prompts, 8 samples a prompt, 12,288 tokens an answer, 8,192 a prompt, clip 2e-4, 2 epochs. That the
ratio is one of sequences (GSPO) and that there is no KL term follow from the size of the clip and
from what is not said: both are our inference, and marked so. Where the paper counts prompts, TRL
counts completions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from rmaudit.fix.reward.reward import HIT

PROMPTS, SAMPLES, UPDATES = 256, 8, 2
"""Prompts a rollout, completions a prompt, optimizer steps a rollout."""


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How training runs; the defaults are the published ones where the paper gives any.

    prompts: of one rollout, on all devices together. per_device: completions of one forward pass
    on one device (P). accumulation: forward passes of one optimizer step (A). lora_rank: 0 trains
    all weights. steps: optimizer steps, None for `epochs`. dev_every: steps between two looks at
    the development items, with a checkpoint each.
    """

    learning_rate: float = 2e-6
    prompts: int = PROMPTS
    samples: int = SAMPLES
    max_prompt_tokens: int = 8192
    max_new_tokens: int = 12288
    clip: float = 2e-4
    epochs: float = 2.0
    steps: int | None = None
    beta: float = 0.0
    hit: float = HIT
    level: str = "sequence"
    temperature: float = 1.0
    per_device: int = 1
    accumulation: int = 1
    devices: int = 1
    lora_rank: int = 0
    bf16: bool = True
    dev_every: int = 20
    seed: int = 0

    @property
    def per_rollout(self) -> int:
        """Completions of one rollout, over all devices."""
        return self.prompts * self.samples

    @property
    def passes_per_rollout(self) -> int:
        """TRL's steps_per_generation (S): two optimizer steps a rollout, S = 2 A."""
        return UPDATES * self.accumulation

    def total_steps(self, n_prompts: int) -> int:
        """Optimizer steps of the whole run: whole rollouts, two updates each.

        The last rollout of an epoch that is not full drops.
        """
        steps = self.steps or int(n_prompts // self.prompts * UPDATES * self.epochs)
        return steps // UPDATES * UPDATES


PUBLISHED = TrainingSettings()


class SettingLine(NamedTuple):
    """One line of the table of settings: ours, the paper's, and why they differ."""

    name: str
    value: str
    published: str
    note: str


def fit(
    settings: TrainingSettings, *, n_prompts: int, devices: int, per_device: int
) -> TrainingSettings:
    """The settings with a rollout that the data fill and the devices divide.

    The last rollout of an epoch that is not full is dropped by TRL, and fewer prompts than one
    rollout give no step at all, so the rollout is shrunk to the data: the largest number of
    prompts, `settings.prompts` at most and `n_prompts` at most, whose completions two optimizer
    steps and the devices share evenly; then the largest pass that divides a share.

    Args:
        settings: as asked.
        n_prompts: prompts of the train set.
        devices: that train.
        per_device: completions of one pass on one device at most.

    Raises:
        ValueError: no rollout fits; `n_prompts` is too small for the devices.
    """
    for prompts in range(min(settings.prompts, n_prompts), 0, -1):
        share, rest = divmod(prompts * settings.samples, UPDATES * devices)
        if rest == 0:
            size = next(p for p in range(min(per_device, share), 0, -1) if share % p == 0)
            return replace(
                settings,
                prompts=prompts,
                per_device=size,
                devices=devices,
                accumulation=share // size,
            )
    raise ValueError(
        f"{n_prompts} prompts x {settings.samples} samples cannot be shared by {devices} devices "
        "in two optimizer steps"
    )


def table(
    settings: TrainingSettings, asked: TrainingSettings, *, n_prompts: int
) -> list[SettingLine]:
    """What is shown before anything is loaded.

    Args:
        settings: as they will be used.
        asked: before they were fitted to the model and the data.
        n_prompts: prompts of the train set.
    """
    s, paper = settings, PUBLISHED
    shrunk = ""
    if s.prompts < asked.prompts:
        shrunk = f"shrunk from {asked.prompts:,} to the {n_prompts:,} prompts of the train set"
    budget = ""
    if s.max_new_tokens < asked.max_new_tokens:
        budget = "what the scan gives an answer; --max-new-tokens sets it"
    room = (
        "what the model's context leaves" if s.max_prompt_tokens < asked.max_prompt_tokens else ""
    )
    steps = s.total_steps(n_prompts)
    passes = f"{s.per_device} x {s.accumulation} x {s.devices}"
    return [
        SettingLine("learning rate", f"{s.learning_rate:g}", f"{paper.learning_rate:g}", ""),
        SettingLine("prompts a rollout", f"{s.prompts:,}", f"{paper.prompts:,}", shrunk),
        SettingLine(
            "prompts an update", f"{s.prompts / UPDATES:g}", f"{paper.prompts // UPDATES}", ""
        ),
        SettingLine("samples a prompt", f"{s.samples}", f"{paper.samples}", ""),
        SettingLine(
            "tokens of an answer", f"{s.max_new_tokens:,}", f"{paper.max_new_tokens:,}", budget
        ),
        SettingLine(
            "tokens of a prompt", f"{s.max_prompt_tokens:,}", f"{paper.max_prompt_tokens:,}", room
        ),
        SettingLine("clip", f"{s.clip:g}", f"{paper.clip:g}", ""),
        SettingLine("ratio of", s.level, "not stated", "our inference from the clip (GSPO)"),
        SettingLine("KL beta", f"{s.beta:g}", "not stated", "our inference; --beta sets it"),
        SettingLine("a reason hits from", f"{s.hit:g}", "not stated", "our choice; --hit sets it"),
        SettingLine("temperature", f"{s.temperature:g}", "not stated", ""),
        SettingLine(
            "epochs", f"{s.epochs:g}" if s.steps is None else "by steps", f"{paper.epochs:g}", ""
        ),
        SettingLine("optimizer steps", f"{steps:,}", "not stated", "two a rollout"),
        SettingLine("completions x passes x devices", passes, "not stated", "one optimizer step"),
        SettingLine("weights", f"LoRA, rank {s.lora_rank}" if s.lora_rank else "all", "all", ""),
    ]


class Size(NamedTuple):
    """What a model's memory depends on: weights, width, layers, vocabulary."""

    parameters: int
    hidden: int
    layers: int
    vocabulary: int


GIB = 2.0**30
_ACTIVATIONS = 34
"""Floats a token, layer and unit of width that one backward pass of a transformer keeps."""


def bytes_of_completion(size: Size, *, tokens: int, checkpointing: bool) -> float:
    """What one prompt and completion of so many tokens take in a pass, forward and backward.

    Logits three times in float32 (values, log-probabilities, gradients); activations of every
    layer, or with gradient checkpointing its input only.
    """
    kept = 1 if checkpointing else _ACTIVATIONS
    return 4.0 * tokens * (3 * size.vocabulary + kept * size.layers * size.hidden)


def memory_estimate(
    size: Size, settings: TrainingSettings, *, tokens: int, checkpointing: bool, held: float = 1.0
) -> dict[str, float]:
    """Rough GiB of one device: a guide, not a promise.

    Full training holds float32 weights, gradients and two Adam moments (16 bytes a parameter), LoRA
    bfloat16 weights (2 bytes) and its adapters' own 16 bytes (about 1% of the parameters).

    Args:
        size: of the model.
        settings: fitted.
        tokens: of the longest prompt and answer together.
        checkpointing: activations are computed again in the backward pass.
        held: share of weights, gradients and optimizer that one device holds.
    """
    weights = held * size.parameters * (2 + 0.16 if settings.lora_rank else 16.0)
    a_pass = settings.per_device * bytes_of_completion(
        size, tokens=tokens, checkpointing=checkpointing
    )
    return {
        "weights, gradients, optimizer": weights / GIB,
        "one pass": a_pass / GIB,
        "together": (weights + a_pass) / GIB,
    }
