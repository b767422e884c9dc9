"""What `rmaudit fix` is asked to do: the options of the command line over those of a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rmaudit.config import ScanConfig
from rmaudit.engines.options import KEY_ENV
from rmaudit.errors import InputError
from rmaudit.fix.reward.reward import HIT, Arm
from rmaudit.fix.training.settings import PUBLISHED, TrainingSettings
from rmaudit.text.toml import read_toml

LORA_RANK, LORA_RATE = 16, 2e-5
"""Adapters take about ten times the rate of full training; the paper trains all weights."""
CONCURRENCY = 128
REQUEST_TIMEOUT, REQUEST_RETRIES = 120.0, 3

Whole = Annotated[int, Field(ge=1)]


class Options(BaseModel):
    """Every option, as `rmaudit fix --help` explains them; also the keys of `--config`.

    None leaves a choice to the plan.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    target: str
    train: Annotated[tuple[str, ...], Field(min_length=1)]
    dev: str | None = None
    eval: str | None = None
    also: tuple[str, ...] = ()
    policy: str | None = None
    out: Path | None = None
    resume: bool = False
    judge: str = "builtin"
    eval_judge: str | None = None
    judge_view: Literal["full", "lists"] = "full"
    judge_max_tokens: Whole = 2048
    arm: Arm | Literal["prompt"] = "hybrid"
    launch: str | None = None
    export: Literal["verl", "openrlhf"] | None = None
    on_judge_failure: Literal["raise", "zero"] = "raise"
    hit: Annotated[float, Field(gt=0, le=1)] = HIT
    monitor_rationale: Annotated[float, Field(ge=0, le=1)] = 0.1
    lora: bool = False
    lora_rank: Whole = LORA_RANK
    lr: Annotated[float, Field(gt=0)] | None = None
    prompts: Whole = PUBLISHED.prompts
    samples: Annotated[int, Field(ge=2)] = PUBLISHED.samples
    max_new_tokens: Whole | None = None
    clip: Annotated[float, Field(gt=0)] = PUBLISHED.clip
    epochs: Annotated[float, Field(gt=0)] = PUBLISHED.epochs
    steps: Annotated[int, Field(ge=2)] | None = None
    beta: Annotated[float, Field(ge=0)] = PUBLISHED.beta
    per_device: Whole | None = None
    dev_every: Annotated[int, Field(ge=2)] = PUBLISHED.dev_every
    dev_items: Whole = 100
    seed: int = 0
    profile: str | None = None
    prompt: Path | None = None
    max_reasons: Whole | None = None
    batch_size: Whole = 32
    report_to: tuple[Literal["tensorboard", "trackio", "wandb"], ...] = ()
    skip_bad: bool = False
    max_calls: Whole | None = None
    judge_key_env: str = KEY_ENV
    target_key_env: str = KEY_ENV
    concurrency: Whole = CONCURRENCY
    request_timeout: Annotated[float, Field(gt=0)] = REQUEST_TIMEOUT
    request_retries: Annotated[int, Field(ge=0)] = REQUEST_RETRIES
    request_deadline: Annotated[float, Field(gt=0)] | None = None
    allow_other_model: bool = False

    @property
    def rewarded(self) -> Arm:
        """What training rewards; the arm `prompt` trains nothing."""
        if self.arm == "prompt":
            raise ValueError("the arm prompt has no reward")
        return self.arm

    @property
    def settings(self) -> TrainingSettings:
        """The settings of training, not yet fitted to model, data and devices."""
        rate = LORA_RATE if self.lora else PUBLISHED.learning_rate
        return TrainingSettings(
            learning_rate=self.lr or rate,
            prompts=self.prompts,
            samples=self.samples,
            max_new_tokens=self.max_new_tokens or PUBLISHED.max_new_tokens,
            clip=self.clip,
            epochs=self.epochs,
            steps=self.steps,
            beta=self.beta,
            hit=self.hit,
            lora_rank=self.lora_rank if self.lora else 0,
            dev_every=self.dev_every,
            seed=self.seed,
        )

    def judging(self, spec: str) -> ScanConfig:
        """What `make_judge` needs to make a judge of this SPEC."""
        return ScanConfig(
            target="",
            judge=spec,
            judge_view=self.judge_view,
            judge_max_tokens=self.judge_max_tokens,
            judge_key_env=self.judge_key_env,
            concurrency=self.concurrency,
            request_timeout=self.request_timeout,
            request_retries=self.request_retries,
            request_deadline=self.request_deadline,
            allow_other_model=self.allow_other_model,
            batch_size=self.batch_size,
        )


def read_options(given: Mapping[str, Any], config: Path | None) -> Options:
    """The options: what was given on the command line, else in the file, else the default.

    Args:
        given: options of the command line; None and empty lists were not given.
        config: a TOML file of options by their long names, None for none.

    Raises:
        InputError: the file cannot be read, or an option is not known or out of range.
    """
    named = {name: value for name, value in given.items() if value not in (None, [], ())}
    in_file = _read(config) if config is not None else {}
    merged = in_file | named
    if not merged.get("train"):
        raise InputError("no train set is given", "--train SET, a set with reasons or synth:SEED")
    try:
        found = Options.model_validate(merged)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        name = str(detail["loc"][0])
        where = f"{config}, {name}" if name in in_file and name not in named else _flag(name)
        what = detail["msg"].removeprefix("Input should be ")
        if detail["type"] == "extra_forbidden":
            known = ", ".join(sorted(Options.model_fields))
            raise InputError(f"{where}: unknown option", f"options: {known}") from error
        raise InputError(f"{where} is {detail['input']!r}", f"give {what}") from error
    if found.export is None and "on_judge_failure" in found.model_fields_set:
        raise InputError(
            "--on-judge-failure is of exported rewards: here a failed judge gives no reward",
            "leave it out, or add --export verl or openrlhf",
        )
    if found.arm != "prompt" and "target_key_env" in found.model_fields_set:
        raise InputError(
            "--target-key-env is of endpoints, which --arm prompt asks", "leave it out"
        )
    if found.dev_every % 2:
        raise InputError(
            f"--dev-every is {found.dev_every}",
            "give an even number: a rollout feeds two steps, and checkpoints lie between rollouts",
        )
    return found


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _read(path: Path) -> dict[str, Any]:
    try:
        found = read_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}", "name a TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}", "mend the TOML at this place") from error
    return {name.replace("-", "_"): value for name, value in found.items()}
