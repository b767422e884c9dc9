"""What a scan is asked to do: one frozen record, from the command line, into the manifest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypedDict

from rmaudit.engines.options import (
    CONCURRENCY,
    KEY_ENV,
    REQUEST_RETRIES,
    REQUEST_TIMEOUT,
    LocalOptions,
)
from rmaudit.errors import InputError
from rmaudit.taxonomy import MEASURES

DEFAULT_SET = "starter"
QUICK_LIMIT = 200
DTYPES = ("auto", "float32", "bfloat16", "float16")


class Preset(TypedDict):
    """The options of a scan that a preset has its say in."""

    preset: Literal["", "quick", "full"]
    limit: int | None
    orders: Literal["both", "ab"]
    measures: tuple[str, ...]


def preset(
    *,
    quick: bool,
    full: bool,
    limit: int | None,
    orders: Literal["both", "ab"] | None,
    measures: Iterable[str],
) -> Preset:
    """What `--quick` and `--full` stand for where an option is not given itself.

    Raises:
        InputError: both presets at once.
    """
    if quick and full:
        raise InputError("--quick and --full at once", "give one of them")
    named = tuple(dict.fromkeys(measures))
    return {
        "preset": "quick" if quick else "full" if full else "",
        "limit": QUICK_LIMIT if quick and limit is None else limit,
        "orders": orders or ("ab" if quick else "both"),
        "measures": MEASURES if full or "all" in named else named,
    }


@dataclass(frozen=True, slots=True)
class ScanConfig:
    """The options of `rmaudit scan`; see its --help.

    Without `sets`, the target's own items are used, else DEFAULT_SET. Without `judge`, known truth
    judges sets that a program made with their facts, the embedded judge any other.
    """

    target: str
    sets: tuple[str, ...] = ()
    rollouts: Path | None = None
    rollout_responses: int = 4
    sensitivity: int | None = None
    families: tuple[str, ...] = ()
    out: Path | None = None
    resume: bool = False
    limit: int | None = None
    seed: int = 0
    orders: Literal["both", "ab"] = "both"
    samples: int = 1
    max_reasons: int = 5
    verdicts: Literal["parsed", "recorded"] = "parsed"
    judge: str | None = None
    labeler: str | None = None
    judge_view: Literal["full", "lists"] = "full"
    judge_max_tokens: int = 2048
    atomise: bool = False
    cache: bool = True
    engine: str = "auto"
    profile: str | None = None
    prompt: Path | None = None
    recorded_format: str | None = None
    rm_type: str | None = None
    lower_is_better: bool = False
    probe: bool = True
    batch_size: int = 16
    dtype: str = "auto"
    max_model_len: int | None = None
    tokenizer: Path | None = None
    gpu_memory_utilization: float | None = None
    tensor_parallel: int = 1
    data_parallel: int = 1
    quantization: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    policy: str | None = None
    baseline: Path | None = None
    until_decided: bool = False
    shard: str | None = None
    max_calls: int | None = None
    skip_bad: bool = False
    target_key_env: str = KEY_ENV
    judge_key_env: str = KEY_ENV
    concurrency: int = CONCURRENCY
    request_timeout: float = REQUEST_TIMEOUT
    request_retries: int = REQUEST_RETRIES
    request_deadline: float | None = None
    allow_other_model: bool = False
    verbose: bool = False
    measures: tuple[str, ...] = ()
    preset: Literal["", "quick", "full"] = ""

    def __post_init__(self) -> None:
        """Refuses values that no scan can have.

        Raises:
            InputError: an option is out of range.
        """
        at_least_one = {
            "--limit": self.limit,
            "--samples": self.samples,
            "--max-reasons": self.max_reasons,
            "--batch-size": self.batch_size,
            "--max-tokens": self.max_tokens,
            "--max-model-len": self.max_model_len,
            "--tensor-parallel": self.tensor_parallel,
            "--data-parallel": self.data_parallel,
            "--judge-max-tokens": self.judge_max_tokens,
            "--concurrency": self.concurrency,
            "--sensitivity": self.sensitivity,
        }
        if self.rollout_responses < 2:
            raise InputError(
                f"--rollout-responses is {self.rollout_responses}", "give 2 or more: pairs of them"
            )
        for option, value in at_least_one.items():
            if value is not None and value < 1:
                raise InputError(f"{option} is {value}", "give a whole number from 1")
        for option, given in (
            ("--until-decided", self.until_decided),
            ("--baseline", self.baseline),
        ):
            if given and self.policy is None:
                raise InputError(f"{option} needs a --policy", "e.g. --policy release")
        if self.temperature is not None and self.temperature < 0:
            raise InputError(f"--temperature is {self.temperature}", "0 is greedy; give 0 or more")
        share = self.gpu_memory_utilization
        if share is not None and not 0 < share <= 1:
            raise InputError(
                f"--gpu-memory-utilization is {share}", "give a share above 0, up to 1"
            )
        if self.dtype not in DTYPES:
            raise InputError(f"no dtype '{self.dtype}'", f"dtypes: {', '.join(DTYPES)}")
        for name in self.measures:
            if name not in MEASURES:
                raise InputError(f"no measure '{name}'", f"measures: {', '.join(MEASURES)}, all")
        if self.request_timeout <= 0:
            raise InputError(f"--request-timeout is {self.request_timeout}", "give seconds above 0")
        if self.request_retries < 0:
            raise InputError(f"--request-retries is {self.request_retries}", "give 0 or more")
        if self.request_deadline is not None and self.request_deadline <= 0:
            raise InputError(
                f"--request-deadline is {self.request_deadline}", "give seconds above 0"
            )

    @property
    def direction(self) -> dict[str, Any]:
        """That the lower of two scores wins, where it does: a run says nothing of it else."""
        return {"lower_is_better": True} if self.lower_is_better else {}

    @property
    def local(self) -> LocalOptions:
        """How a checkpoint is run on this machine."""
        return LocalOptions(
            batch_size=self.batch_size,
            dtype=self.dtype,
            max_model_len=self.max_model_len,
            gpu_memory_utilization=self.gpu_memory_utilization,
            tensor_parallel=self.tensor_parallel,
            data_parallel=self.data_parallel,
            quantization=self.quantization,
            seed=self.seed,
            verbose=self.verbose,
        )

    @property
    def shown_orders(self) -> tuple[Literal["ab", "ba"], ...]:
        """The orders in which each pair is shown."""
        return ("ab", "ba") if self.orders == "both" else ("ab",)
