"""Writes an export folder: everything that a trainer on other machines needs."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from rmaudit import __version__
from rmaudit.checklists.schema import Item
from rmaudit.config import ScanConfig
from rmaudit.engines.endpoints import PREFIX, without_credentials
from rmaudit.errors import InputError, MissingPackageError, RmauditError
from rmaudit.fix.data import Prompted, balanced
from rmaudit.fix.export.config import NAME, JudgeConfig, OnJudgeFailure, RewardConfig
from rmaudit.fix.export.rows import ShownPair, Speller, openrlhf_row, verl_row
from rmaudit.fix.reward.reward import Arm
from rmaudit.fix.reward.scorer import TIME_LIMIT
from rmaudit.fix.training.settings import UPDATES, TrainingSettings, table
from rmaudit.models.profiles import Profile
from rmaudit.resources import folder

Trainer = Literal["verl", "openrlhf"]
TRAINERS: tuple[str, ...] = get_args(Trainer)
NAMES = {"verl": "verl", "openrlhf": "OpenRLHF"}
TESTED = {"verl": "0.9.1", "openrlhf": "0.11.2"}
"""Releases whose options the launch scripts were checked against."""
SUFFIX = {"verl": "parquet", "openrlhf": "jsonl"}
FUNCTION = {"verl": "compute_score", "openrlhf": "reward_func"}


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: the folder, prompts in each file, prompts left out by why."""

    trainer: Trainer
    out: Path
    n_train: int
    n_dev: int
    left_out: dict[str, int]
    settings: TrainingSettings

    @property
    def command(self) -> str:
        """Starts training, where the trainer is installed."""
        return f"bash {shlex.quote(str(self.out / f'run_{self.trainer}.sh'))}"

    @property
    def files(self) -> list[str]:
        """Names of the files in the folder."""
        return sorted(path.name for path in self.out.iterdir())


def export(
    trainer: Trainer,
    out: Path,
    *,
    checkpoint: Path,
    train: Sequence[Prompted],
    dev: Sequence[Item],
    settings: TrainingSettings,
    judge: ScanConfig,
    profile: Profile,
    max_reasons: int,
    arm: Arm = "hybrid",
    on_judge_failure: OnJudgeFailure = "raise",
    left_out: Mapping[str, int] | None = None,
) -> Exported:
    """Writes data, reward file, launch script and README for a trainer.

    Args:
        trainer: who trains.
        out: a new or empty folder.
        checkpoint: the policy's folder; its tokenizer decides which prompts fit.
        train: prompts of training.
        dev: items to watch, each shown once; those without reasons are left out.
        settings: as asked; a rollout larger than the train set is shrunk to it.
        judge: its judge options decide who scores reasons; an endpoint, or a judge without a model.
        profile: how the pairs are asked about.
        max_reasons: reasons asked for and counted.
        arm: what is rewarded.
        on_judge_failure: what the reward does when the judge fails.
        left_out: what was left out of `train` and `dev` before, by why.

    Raises:
        MissingPackageError: pyarrow or transformers is not installed.
        InputError: the folder is not empty, the judge or arm cannot be exported, nothing is left.
        RmauditError: the folder cannot be written.
    """
    _refuse(trainer, out, judge, arm)
    speller = Speller(
        checkpoint, profile=profile, max_reasons=max_reasons, max_tokens=settings.max_prompt_tokens
    )
    speller.left_out |= left_out or {}
    shown = {
        "train": speller.show(train),
        "dev": speller.show(balanced([one for one in dev if one.reasons], seed=settings.seed)),
    }
    without = sum(not one.reasons for one in dev)
    if without:
        speller.left_out["dev: without reasons"] = without
    for name, rows in shown.items():
        if not rows:
            raise InputError(
                f"no prompt is left in {name}: {_counts(speller.left_out) or 'it is empty'}",
                "give another set, or settings with room for longer prompts",
            )
    fitted = shrunk(settings, n_prompts=len(shown["train"]))
    config = RewardConfig(
        arm=arm,
        hit=settings.hit,
        max_reasons=max_reasons,
        on_judge_failure=on_judge_failure,
        time_limit=TIME_LIMIT,
        opening=speller.opening,
        stops=speller.stops,
        judge=JudgeConfig.of(judge),
    )
    told = Exported(trainer, out, len(shown["train"]), len(shown["dev"]), speller.left_out, fitted)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, rows in shown.items():
            _write_rows(trainer, out / f"{name}.{SUFFIX[trainer]}", rows, split=name)
        (out / NAME).write_text(config.model_dump_json(indent=2) + "\n", encoding="utf-8")
        reward_file = f"reward_{trainer}.py"
        source = folder("templates") / "export" / reward_file
        (out / reward_file).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
        values = _values(trainer, checkpoint, told, config, asked=settings)
        script = out / f"run_{trainer}.sh"
        script.write_text(_render(f"{script.name}.j2", values), encoding="utf-8")
        script.chmod(0o755)
        (out / "README.md").write_text(_render("README.md.j2", values), encoding="utf-8")
    except OSError as error:
        raise RmauditError(
            f"cannot write {error.filename or out}: {error.strerror}", "name another --out"
        ) from error
    return told


def shrunk(settings: TrainingSettings, *, n_prompts: int) -> TrainingSettings:
    """The settings with a rollout of at most the train set, shared evenly by its updates.

    Raises:
        InputError: there are fewer prompts than updates.
    """
    prompts = min(settings.prompts, n_prompts) // UPDATES * UPDATES
    if not prompts:
        raise InputError(
            f"{n_prompts} prompts are too few for {UPDATES} updates a rollout",
            "train on more items",
        )
    return replace(settings, prompts=prompts)


def _refuse(trainer: str, out: Path, judge: ScanConfig, arm: Arm) -> None:
    if trainer not in TRAINERS:
        raise InputError(f"no trainer '{trainer}'", f"trainers: {', '.join(TRAINERS)}")
    if arm == "r-align":
        raise InputError(
            "the arm r-align cannot be exported: its meta-judgment is not a call of one answer",
            "export --arm hybrid, outcome or rationale",
        )
    spec = judge.judge or ""
    if ":" in spec and not spec.startswith(PREFIX):
        raise InputError(
            f"the judge {spec} cannot be exported: every reward process would load it",
            "serve the model, and give --judge openai:MODEL@URL",
        )
    if without_credentials(spec) != spec:
        raise InputError(
            "the judge's URL holds a password, which an export would write to a file",
            "give the key in an environment variable, and name it with --judge-key-env",
        )
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is there already", "name another --out")


def _write_rows(trainer: str, path: Path, rows: Sequence[ShownPair], *, split: str) -> None:
    if trainer == "openrlhf":
        lines = [json.dumps(openrlhf_row(one)) + "\n" for one in rows]
        path.write_text("".join(lines), encoding="utf-8")
        return
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingPackageError("--export verl", error.name or "pyarrow", "fix") from error
    table = pyarrow.Table.from_pylist(
        [verl_row(one, split=split, index=number) for number, one in enumerate(rows)]
    )
    parquet.write_table(table, path)


def _values(
    trainer: str, checkpoint: Path, told: Exported, config: RewardConfig, *, asked: TrainingSettings
) -> dict[str, Any]:
    s = told.settings
    rollouts = math.ceil(s.total_steps(told.n_train) / UPDATES)
    a_epoch = max(1, told.n_train // s.prompts)
    return {
        "s": s,
        "updates": UPDATES,
        "rollouts": rollouts,
        # By steps, so many epochs as hold them.
        "epochs": math.ceil(rollouts / a_epoch) if s.steps else math.ceil(s.epochs),
        "every": max(1, s.dev_every // UPDATES),
        "arm": config.arm,
        "model": shlex.quote(str(checkpoint.resolve())),
        "trainer": trainer,
        "name": NAMES[trainer],
        "suffix": SUFFIX[trainer],
        "function": FUNCTION[trainer],
        "tested": TESTED,
        "version": __version__,
        "n_train": told.n_train,
        "n_dev": told.n_dev,
        "left_out": _counts(told.left_out),
        "on_judge_failure": config.on_judge_failure,
        "retries": config.judge.retries,
        "time_limit": f"{config.time_limit:g}",
        "lines": [
            line for line in table(s, asked, n_prompts=told.n_train) if "devices" not in line.name
        ],
    }


def _counts(left_out: dict[str, int]) -> str:
    return "; ".join(f"{count} {why}" for why, count in left_out.items())


def _render(name: str, values: dict[str, Any]) -> str:
    import jinja2

    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, autoescape=False, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    source = (folder("templates") / "export" / name).read_text(encoding="utf-8")
    return environment.from_string(source).render(values)
