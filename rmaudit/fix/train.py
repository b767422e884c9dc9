"""GRPO with TRL: the only importer of trl. What is trained, on what, and when it stops is given."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from rmaudit.engines.codec import Codec
from rmaudit.errors import MissingPackageError, RmauditError
from rmaudit.fix.data import Prompted
from rmaudit.fix.reward_fn import HybridReward
from rmaudit.fix.scorer import Scorer
from rmaudit.fix.settings import UPDATES, Settings
from rmaudit.fix.watch import DevAudit, Watch
from rmaudit.judging.prompts import pairwise

if TYPE_CHECKING:
    from trl import GRPOConfig

Audit = Callable[[Any, int], DevAudit]
"""(model, step) to a dev audit; the model is the policy, in evaluation mode."""

TARGETS = "all-linear"


@dataclass(frozen=True, slots=True)
class Job:
    """One training run.

    policy: checkpoint folder. out: where checkpoints and logs go. resume: go on from the newest
    checkpoint there. max_reasons: how many reasons the prompt asks for. report_to: TRL's loggers.
    """

    policy: Path
    out: Path
    prompts: tuple[Prompted, ...]
    settings: Settings
    max_reasons: int
    resume: bool = False
    report_to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trained:
    """How training ended: the last step, why it stopped early (None if it did not), the logs."""

    step: int
    stopped: str | None
    interrupted: bool
    logs: tuple[dict[str, float], ...]


def train(job: Job, scorer: Scorer, watch: Watch, audit: Audit | None = None) -> Trained:
    """Trains the policy, from the newest checkpoint where the job goes on.

    Checkpoints are written at multiples of two steps only, since a rollout feeds two updates: from
    there a resumed run repeats the steps of an uninterrupted one exactly.

    Raises:
        MissingPackageError: trl or its companions are not installed.
        RmauditError: training failed; the checkpoints are kept.
    """
    try:
        from datasets import Dataset
        from transformers import TrainerCallback
        from transformers.trainer_utils import get_last_checkpoint
        from trl import GRPOTrainer
    except ImportError as error:
        raise MissingPackageError("rmaudit fix", error.name or "trl", "fix") from error

    codec = Codec(job.policy)
    rows = [
        {
            "prompt": list(
                pairwise(one.item, order=one.order, max_reasons=job.max_reasons).messages
            ),
            "index": number,
        }
        for number, one in enumerate(job.prompts)
    ]
    reward = HybridReward(scorer, job.prompts, decode=codec.text, stops=codec.stops)
    state = _State()

    class Watcher(TrainerCallback):  # type: ignore[misc]
        """Looks at each log line, audits on time, stops where it must."""

        def on_log(self, args: Any, s: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if s.is_world_process_zero and logs:
                numbers = {k: v for k, v in logs.items() if isinstance(v, int | float)}
                state.stopped = state.stopped or watch.look({**numbers, "step": s.global_step})

        def on_step_end(self, args: Any, s: Any, control: Any, model: Any = None, **_: Any) -> None:
            whole = s.global_step % UPDATES == 0
            if audit is not None and whole and s.global_step % job.settings.dev_every == 0:
                state.stopped = state.stopped or watch.audited(_audited(audit, model, s))
                control.should_save = True
            if whole and (state.stopped or state.interrupted):
                control.should_save = control.should_training_stop = True

        def on_train_begin(
            self, args: Any, s: Any, control: Any, model: Any = None, **_: Any
        ) -> None:
            if audit is not None and not watch.audits:
                watch.audited(_audited(audit, model, s))

    trainer = GRPOTrainer(
        model=str(job.policy),
        reward_funcs=reward,
        args=_arguments(job),
        train_dataset=Dataset.from_list(rows),
        processing_class=codec.trainer_tokenizer(),
        callbacks=[Watcher()],
        peft_config=_lora(job.settings),
    )
    last = get_last_checkpoint(str(job.out)) if job.resume and job.out.is_dir() else None
    with _asked_to_stop(state):
        try:
            trainer.train(resume_from_checkpoint=last)
        except (RuntimeError, ValueError, OSError) as error:
            first = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
            raise RmauditError(
                f"training failed at step {trainer.state.global_step}: {first}",
                f"the checkpoints in {job.out} are kept; mend the cause, then --resume",
            ) from error
    trainer.save_model(str(job.out / "last"))
    return Trained(trainer.state.global_step, state.stopped, state.interrupted, tuple(watch.logs))


@dataclass(slots=True)
class _State:
    """What callbacks and signal handlers tell each other."""

    stopped: str | None = None
    interrupted: bool = False


def _audited(audit: Audit, model: Any, state: Any) -> DevAudit:
    training = model.training
    model.eval()
    try:
        return audit(model, state.global_step)
    finally:
        model.train(training)


def _arguments(job: Job) -> GRPOConfig:
    import torch
    from trl import GRPOConfig

    s = job.settings
    cuda = torch.cuda.is_available()
    return GRPOConfig(
        output_dir=str(job.out),
        learning_rate=s.learning_rate,
        num_generations=s.samples,
        max_completion_length=s.max_new_tokens,
        per_device_train_batch_size=s.per_device,
        gradient_accumulation_steps=s.accumulation,
        steps_per_generation=s.passes_per_rollout,
        num_train_epochs=s.epochs,
        max_steps=s.steps or -1,
        importance_sampling_level=s.level,
        loss_type="grpo",
        epsilon=s.clip,
        epsilon_high=s.clip,
        beta=s.beta,
        scale_rewards="group",
        temperature=s.temperature,
        lr_scheduler_type="constant",
        # Cut answers earn 0 and are not masked: masked, nothing pushes back against running on.
        mask_truncated_completions=False,
        use_vllm=cuda and _has_vllm(),
        vllm_mode="colocate",
        vllm_max_model_length=s.max_prompt_tokens + s.max_new_tokens,
        vllm_importance_sampling_mode="token_truncate",
        bf16=s.bf16 and cuda,
        use_cpu=not cuda,
        gradient_checkpointing=cuda,
        # Adapters train beside bfloat16 weights; weights that train themselves need float32.
        model_init_kwargs={"dtype": "bfloat16" if s.lora_rank and cuda else "float32"},
        logging_steps=1,
        save_steps=s.dev_every,
        save_total_limit=None,
        log_completions=True,
        num_completions_to_print=0,
        report_to=list(job.report_to) or "none",
        seed=s.seed,
        data_seed=s.seed,
        disable_tqdm=True,
    )


def _has_vllm() -> bool:
    from importlib.util import find_spec

    return find_spec("vllm") is not None


def _lora(settings: Settings) -> Any:
    if not settings.lora_rank:
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=settings.lora_rank,
        lora_alpha=2 * settings.lora_rank,
        target_modules=TARGETS,
        task_type="CAUSAL_LM",
    )


@contextmanager
def _asked_to_stop(state: _State) -> Iterator[None]:
    """SIGINT and SIGTERM end training at the next whole rollout, with a checkpoint."""

    def note(number: int, frame: FrameType | None) -> None:
        state.interrupted = True

    signals = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, note) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
