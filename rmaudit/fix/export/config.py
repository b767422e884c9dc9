"""`reward.json`: what the exported reward file needs to know, beside it in the export folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rmaudit.config import ScanConfig
from rmaudit.errors import InputError
from rmaudit.fix.reward.reward import Arm

NAME = "reward.json"

OnJudgeFailure = Literal["raise", "zero"]


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class JudgeConfig(_Frozen):
    """Who scores the reasons; the key itself stays in the environment variable `key_env`."""

    spec: str
    view: Literal["full", "lists"]
    max_tokens: int
    key_env: str
    concurrency: Annotated[int, Field(ge=1)]
    timeout: float
    retries: int
    deadline: float | None = None
    allow_other_model: bool = False

    @classmethod
    def of(cls, config: ScanConfig) -> JudgeConfig:
        """The judge of a scan's options."""
        return cls(
            spec=config.judge or "builtin",
            view=config.judge_view,
            max_tokens=config.judge_max_tokens,
            key_env=config.judge_key_env,
            concurrency=config.concurrency,
            timeout=config.request_timeout,
            retries=config.request_retries,
            deadline=config.request_deadline,
            allow_other_model=config.allow_other_model,
        )

    def scan_config(self) -> ScanConfig:
        """What `make_judge` takes; without the cache, since several processes score at once."""
        return ScanConfig(
            target="",
            judge=self.spec,
            judge_view=self.view,
            judge_max_tokens=self.max_tokens,
            judge_key_env=self.key_env,
            concurrency=self.concurrency,
            request_timeout=self.timeout,
            request_retries=self.retries,
            request_deadline=self.deadline,
            allow_other_model=self.allow_other_model,
            cache=False,
        )


class RewardConfig(_Frozen):
    """How completions are read and rewarded.

    on_judge_failure: `raise` an error, or give `zero`, which is a gradient against the answer.
    time_limit: seconds that one answer waits for the judge, retries included.
    opening: what the chat template puts at the start of the answer.
    stops: the end tokens as text, where the trainer leaves them in the answer.
    """

    arm: Arm
    hit: float
    max_reasons: Annotated[int, Field(ge=1)]
    on_judge_failure: OnJudgeFailure
    time_limit: Annotated[float, Field(gt=0)]
    opening: str
    stops: tuple[str, ...]
    judge: JudgeConfig


def read_config(folder: Path) -> RewardConfig:
    """The config of an export folder.

    Raises:
        InputError: it is not there, or a value is not allowed.
    """
    path = folder / NAME
    try:
        return RewardConfig.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror}", "keep the files of an export together"
        ) from error
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in detail["loc"])
        raise InputError(f"{path}, {where}: {detail['msg']}", "mend it, or export again") from error
