"""GRPO with TRL: the only importer of trl. What is trained, on what, and when it stops is given."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from rmaudit.engines.base import Engine
from rmaudit.engines.codec import Codec
from rmaudit.engines.transformers import TransformersEngine
from rmaudit.errors import MissingPackageError, RmauditError
from rmaudit.fix.reward.scorer import Scorer
from rmaudit.fix.reward.trl_reward import HybridReward
from rmaudit.fix.training.checkpoints import mark, newest, prune
from rmaudit.fix.training.loading import adapters, copy_of, loading
from rmaudit.fix.training.prompt_tokens import Encoded
from rmaudit.fix.training.quiet import calm
from rmaudit.fix.training.settings import UPDATES, TrainingSettings
from rmaudit.fix.training.watch import DevAudit, Watch

if TYPE_CHECKING:
    from trl import GRPOConfig, GRPOTrainer

Look = Callable[[Engine, int], DevAudit]
"""(an engine around the policy, step) to a look at the development items."""


@dataclass(frozen=True, slots=True)
class Job:
    """One training run.

    Attributes:
        checkpoint: folder of the policy. context: its tokens of prompt and answer together.
        out: where checkpoints and logs go.
        prompts: with their token ids.
        settings: fitted to the prompts.
        config: hash of what decides the training; a checkpoint of another is refused.
        resume: go on from the newest whole checkpoint in `out`.
        batch_size: prompts a batch when the development items are looked at.
        report_to: TRL's loggers.
        cuda: a CUDA device trains.
    """

    checkpoint: Path
    context: int | None
    out: Path
    prompts: tuple[Encoded, ...]
    settings: TrainingSettings
    config: str
    resume: bool = False
    batch_size: int = 32
    report_to: tuple[str, ...] = ()
    cuda: bool = False

    @property
    def steps(self) -> int:
        """Optimizer steps of the whole run."""
        return self.settings.total_steps(len(self.prompts))


@dataclass(frozen=True, slots=True)
class Trained:
    """How training ended.

    step: the last. stopped: why it ended early, None if it did not. signal: that ended it, if one
    did. logs: what TRL logged, a step each. weights: a sum of those of each process.
    """

    step: int
    stopped: str | None
    signal: int | None
    logs: tuple[dict[str, Any], ...]
    weights: tuple[float, ...] = ()


@dataclass(slots=True)
class _State:
    """What callbacks and signal handlers tell each other."""

    stopped: str | None = None
    signal: int | None = None


def train(
    job: Job,
    scorer: Scorer,
    watch: Watch,
    look: Look,
    *,
    tell: Callable[[Mapping[str, float]], None],
    asked: Callable[[], int | None] = lambda: None,
) -> Trained:
    """Trains the policy, from the newest checkpoint where the job goes on.

    Checkpoints are written at multiples of two steps only, since a rollout feeds two updates: from
    there a resumed run repeats the steps of an uninterrupted one exactly.

    Args:
        job: what to train.
        scorer: the reward.
        watch: says when to stop, and which checkpoint is the best.
        look: at the development items; the caller keeps what it finds.
        tell: is given every log line.
        asked: the number of a signal, once somebody else than a signal here wants an end.

    Raises:
        MissingPackageError: trl or its companions are not installed.
        InputError: the checkpoint there was made with another configuration.
        RmauditError: training failed; the checkpoints are kept.
    """
    last = newest(job.out, config=job.config) if job.resume else None
    state = _State()
    with calm():
        trainer = _trainer(job, scorer)
        trainer.add_callback(_watcher(job, trainer, watch, look, state, tell, asked))
        with _asked_to_stop(state):
            try:
                trainer.train(resume_from_checkpoint=str(last) if last else None)
            except (RuntimeError, ValueError, OSError) as error:
                said = str(error).strip().splitlines() or [repr(error)]
                raise RmauditError(
                    f"training failed at step {trainer.state.global_step}: {said[0]}",
                    f"the checkpoints in {job.out} are kept; mend the cause, then --resume",
                ) from error
    history = tuple(dict(log) for log in trainer.state.log_history)
    return Trained(
        trainer.state.global_step, state.stopped, state.signal, history, _weights(trainer)
    )


def _trainer(job: Job, scorer: Scorer) -> GRPOTrainer:
    try:
        from datasets import Dataset
        from transformers import PrinterCallback
        from trl import GRPOTrainer
    except ImportError as error:
        raise MissingPackageError("rmaudit fix", error.name or "trl", "fix") from error

    codec = Codec(job.checkpoint)
    names = [f"{one.prompted.item.id} {one.prompted.order}" for one in job.prompts]
    ids = dict(zip(names, (one.ids for one in job.prompts), strict=True))

    class Trainer(GRPOTrainer):  # type: ignore[misc]
        """Feeds the token ids that the scan feeds: one BOS, and no control token out of a text."""

        def _tokenize_prompts(self, prompts: Sequence[str]) -> tuple[list[list[int]], None, Any]:
            return [ids[name] for name in prompts], None, {}

    trainer = Trainer(
        model=str(job.checkpoint),
        reward_funcs=HybridReward(
            scorer,
            [one.prompted for one in job.prompts],
            decode=codec.text,
            stops=codec.stops,
        ),
        args=_arguments(job),
        train_dataset=Dataset.from_list(
            [{"prompt": name, "index": number} for number, name in enumerate(names)]
        ),
        processing_class=codec.trainer_tokenizer(),
        peft_config=adapters(job.settings),
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


def _watcher(
    job: Job,
    trainer: GRPOTrainer,
    watch: Watch,
    look: Look,
    state: _State,
    tell: Callable[[Mapping[str, float]], None],
    asked: Callable[[], int | None],
) -> Any:
    """The callback that looks at each log line, audits on time, marks checkpoints, and stops."""
    from transformers import TrainerCallback

    class Watcher(TrainerCallback):  # type: ignore[misc]
        """One instance a training run."""

        def on_train_begin(self, args: Any, s: Any, control: Any, **_: Any) -> None:
            for log in s.log_history:
                watch.look(_numbers(log))
            if not watch.audits:
                _audited(job, trainer, watch, look, 0)

        def on_log(
            self, args: Any, s: Any, control: Any, logs: Mapping[str, Any] | None = None, **_: Any
        ) -> None:
            numbers = _numbers({**(logs or {}), "step": s.global_step})
            state.stopped = state.stopped or watch.look(numbers)
            if s.is_world_process_zero and "loss" in numbers:
                tell({**numbers, "of": job.steps})

        def on_step_end(self, args: Any, s: Any, control: Any, **_: Any) -> None:
            step = s.global_step
            if step % UPDATES:
                return
            if step % job.settings.dev_every == 0 or step == job.steps:
                found = _audited(job, trainer, watch, look, step)
                state.stopped = state.stopped or found
                control.should_save = True
            state.signal = state.signal or asked()
            _agree(trainer, state)
            if state.stopped or state.signal:
                control.should_save = control.should_training_stop = True

        def on_save(self, args: Any, s: Any, control: Any, **_: Any) -> None:
            trainer.accelerator.wait_for_everyone()
            if s.is_world_process_zero:
                mark(job.out, s.global_step, config=job.config)
                best = watch.best
                prune(job.out, {s.global_step, best.step if best else s.global_step})

    return Watcher()


def _numbers(log: Mapping[str, Any]) -> dict[str, float]:
    return {name: value for name, value in log.items() if isinstance(value, int | float)}


def _audited(job: Job, trainer: GRPOTrainer, watch: Watch, look: Look, step: int) -> str | None:
    """A look at the development items with the policy as it is; why to stop, if so."""
    import torch

    model = trainer.model_wrapped
    training = model.training
    # Sampling of the training itself must not depend on whether somebody looked.
    with torch.random.fork_rng(), _whole(job, trainer) as policy:
        if not trainer.accelerator.is_main_process:
            return None
        policy.eval()
        engine = TransformersEngine.around(
            policy,
            Codec(job.checkpoint).trainer_tokenizer(),
            job.checkpoint,
            context=job.context,
            batch_size=job.batch_size,
        )
        try:
            return watch.audited(look(engine, step))
        finally:
            policy.train(training)


def _whole(job: Job, trainer: GRPOTrainer) -> AbstractContextManager[Any]:
    """The policy as one model, on the main process at least."""
    from trl.models import unwrap_model_for_generation

    accelerator = trainer.accelerator
    if not trainer.is_fsdp_enabled:
        whole: AbstractContextManager[Any] = unwrap_model_for_generation(
            trainer.model_wrapped, accelerator
        )
        return whole
    # Its forward pass needs all processes at once, and only one of them looks.
    weights = accelerator.get_state_dict(trainer.model_wrapped)
    return nullcontext(
        copy_of(job.checkpoint, job.settings, weights, cuda=job.cuda)
        if accelerator.is_main_process
        else None
    )


def _agree(trainer: GRPOTrainer, state: _State) -> None:
    """Processes that train together stop together."""
    if trainer.accelerator.num_processes > 1:
        from accelerate.utils import gather_object

        told = gather_object([(state.stopped, state.signal)])
        state.stopped = next((stopped for stopped, _ in told if stopped), None)
        state.signal = next((number for _, number in told if number), None)


def _weights(trainer: GRPOTrainer) -> tuple[float, ...]:
    """The sum of the weights that each process trains: the same, where none is sharded.

    Raises:
        RmauditError: it is not, so the processes have not trained one model.
    """
    if trainer.accelerator.num_processes == 1:
        return ()
    from accelerate.utils import gather_object

    own = sum(float(p.detach().double().sum()) for p in trainer.model.parameters())
    sums = tuple(gather_object([own]))
    if trainer.accelerator.distributed_type in ("MULTI_CPU", "MULTI_GPU") and len(set(sums)) > 1:
        raise RmauditError(
            "the processes hold different weights at the end of training",
            "look whether all of them train on the same kind of device",
        )
    return sums


def _arguments(job: Job) -> GRPOConfig:
    from trl import GRPOConfig

    s = job.settings
    return GRPOConfig(
        output_dir=str(job.out),
        learning_rate=s.learning_rate,
        num_generations=s.samples,
        max_completion_length=s.max_new_tokens,
        per_device_train_batch_size=s.per_device,
        gradient_accumulation_steps=s.accumulation,
        steps_per_generation=s.passes_per_rollout,
        max_steps=job.steps,
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
        use_vllm=job.cuda and _has_vllm(),
        vllm_mode="colocate",
        vllm_max_model_length=s.max_prompt_tokens + s.max_new_tokens,
        vllm_importance_sampling_mode="token_truncate",
        bf16=s.bf16,
        use_cpu=not job.cuda,
        gradient_checkpointing=job.cuda,
        model_init_kwargs=loading(s),
        logging_steps=1,
        save_steps=s.dev_every,
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


@contextmanager
def _asked_to_stop(state: _State) -> Iterator[None]:
    """The first SIGINT or SIGTERM ends training at the next whole rollout, with a checkpoint.

    The second does what it did before.
    """
    signals = (signal.SIGINT, signal.SIGTERM)
    before: dict[int, Any] = {}

    def note(number: int, frame: FrameType | None) -> None:
        if state.signal is not None and callable(before[number]):
            before[number](number, frame)
        state.signal = number

    before |= {number: signal.signal(number, note) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
