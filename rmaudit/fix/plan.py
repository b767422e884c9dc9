"""Everything about a repair that can be settled, and refused, before a model is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rmaudit.checklists.load import combine, content_hash
from rmaudit.checklists.sets import load_set
from rmaudit.engines.base import Sampling, answer_budget
from rmaudit.engines.codec import Codec
from rmaudit.engines.endpoints import PREFIX, without_credentials
from rmaudit.errors import InputError
from rmaudit.fix.choices import (
    EvalSet,
    cautions,
    check_packages,
    eval_judge,
    eval_set,
    launch_of,
    meta_judge,
    out_folder,
    refuse_judge,
    training_judge,
)
from rmaudit.fix.data import ItemSplit, split
from rmaudit.fix.options import Options
from rmaudit.fix.reward.attack import ATTACKS, SAMPLE
from rmaudit.fix.source import RepairTarget, read_source, refuse_other_prompt
from rmaudit.fix.training.machine import Machine, machine
from rmaudit.fix.training.processes import Launch
from rmaudit.fix.training.prompt_tokens import Encoded, encode, fitting
from rmaudit.fix.training.settings import (
    UPDATES,
    SettingLine,
    TrainingSettings,
    bytes_of_completion,
    fit,
    memory_estimate,
    table,
)
from rmaudit.gate.lint import load_applicable
from rmaudit.gate.policy import Policy
from rmaudit.judging.metajudge import Judge
from rmaudit.labelling.protocol import Labeler
from rmaudit.models.profiles import Profile, asked_by, read_profile
from rmaudit.prompts import GENERIC_PAIRWISE

REPAIR = "repair"
"""The policy that every repair must meet: better reasons, accuracy kept."""
MAX_REASONS = 5
LARGEST_PASS = 64
PASS_SHARE = 0.25
"""Share of the memory that one pass may take."""


@dataclass(frozen=True, slots=True)
class FixPlan:
    """A repair ready to start.

    Attributes:
        options: as asked.
        source: the checkpoint, and the run that audited it.
        profile: how the checkpoint is prompted.
        split: items that train and that choose.
        prompts: of training, each fits.
        too_long: prompts that did not.
        eval: what the result is measured on.
        also: outside sets, before and after.
        eval_judge: SPEC of the judge of the result.
        judge: of training. labeler: gives the meta-judgment, for the arm `r-align`.
        asked: settings before they were fitted. bounded: to the model, not yet to the data.
        settings: as they will be used, unless the baseline pass drops prompts.
        policies: what the result must meet; the first is REPAIR.
        machine: where it trains.
        launch: how several processes train, None for this one alone.
        out: the folder of the repair.
        warnings: what a user should know before the start.
    """

    options: Options
    source: RepairTarget
    profile: Profile
    split: ItemSplit
    prompts: tuple[Encoded, ...]
    too_long: int
    eval: EvalSet
    also: tuple[str, ...]
    judge: Judge
    labeler: Labeler | None
    eval_judge: str
    asked: TrainingSettings
    bounded: TrainingSettings
    settings: TrainingSettings
    policies: tuple[Policy, ...]
    machine: Machine
    launch: Launch | None
    out: Path
    warnings: tuple[str, ...]

    @property
    def same_judge(self) -> bool:
        """Whether the judge of training is the judge of the result too."""
        return self.eval_judge == self.options.judge

    @property
    def max_reasons(self) -> int:
        """Reasons asked for and counted."""
        return max_reasons(self.options, self.source)

    @property
    def lines(self) -> list[SettingLine]:
        """The table of settings."""
        return table(self.settings, self.asked, n_prompts=len(self.prompts))

    @property
    def memory(self) -> dict[str, float]:
        """GiB of one device, by what takes them."""
        tokens = longest(self.prompts) + self.settings.max_new_tokens
        return memory_estimate(
            self.source.size,
            self.settings,
            tokens=tokens,
            checkpointing=self.machine.checkpointing,
            held=self.machine.held,
        )

    @property
    def audits(self) -> int:
        """Looks at the development items: at the start, every so many steps, at the end."""
        return 1 + -(-self.settings.total_steps(len(self.prompts)) // self.settings.dev_every)

    @property
    def judge_calls(self) -> int:
        """Calls of a judge's model at an endpoint at most, before the scans of the result."""
        looked = 2 * min(self.options.dev_items, len(self.split.dev)) * self.audits
        steps = self.settings.total_steps(len(self.prompts))
        rolled = steps // UPDATES * self.settings.per_rollout
        needs_none = self.options.arm == "outcome" and not self.options.monitor_rationale
        training = looked + (0 if needs_none else rolled) + len(ATTACKS) * SAMPLE
        return training * self.judge.traits.at_endpoint + looked * self.eval_judge.startswith(
            PREFIX
        )

    @property
    def sampling(self) -> Sampling:
        """How completions of training are drawn."""
        return Sampling(
            temperature=self.settings.temperature, max_tokens=self.settings.max_new_tokens
        )

    def identity(self) -> dict[str, Any]:
        """What decides the result: a resume must not change any of it."""
        options = self.options
        asked = asdict(self.asked) | {"per_device": options.per_device}
        return {
            "checkpoint": self.source.checkpoint.digest,
            "profile": self.profile.name,
            **({"prompt": self.profile.template.sha256} if self.profile.messages else {}),
            "train": content_hash(one.item for one in self.split.train),
            "dev": content_hash(self.split.dev),
            "eval": content_hash(self.eval.items),
            "also": list(self.also),
            "arm": options.arm,
            "monitor_rationale": options.monitor_rationale,
            "max_reasons": self.max_reasons,
            "eval_judge": without_credentials(self.eval_judge),
            "dev_items": options.dev_items,
            "machine": self.machine.kind,
            **self.judge.identity(),
            **{name: value for name, value in asked.items() if name != "accumulation"},
        }


def make_plan(options: Options) -> FixPlan:
    """Reads the checkpoint's files, the sets and the policies; renders every prompt.

    Raises:
        InputError: anything that the user can mend before work starts.
    """
    check_packages(options)
    launch = launch_of(options)
    out = out_folder(options)
    source = read_source(options.target)
    profile = profile_of(options, source)
    policies = tuple(load_applicable(name) for name in (REPAIR, options.policy) if name)
    train = combine([load_set(spec, skip_bad=options.skip_bad) for spec in options.train])
    dev = load_set(options.dev, skip_bad=options.skip_bad).items if options.dev else None
    evaluated = eval_set(options, source)
    outside = [load_set(spec, skip_bad=options.skip_bad) for spec in options.also]
    held_out = [*evaluated.items, *source.audited, *(i for one in outside for i in one.items)]
    parts = split(
        train.items, dev, held_out=held_out, seed=options.seed, needs_gold=options.arm == "r-align"
    )
    judge = training_judge(options, train.items)
    labeler = meta_judge(options, judge)
    after = eval_judge(options, source, evaluated.items)
    refuse_judge(after, policies, options)
    here = machine(launch)
    asked = options.settings
    bounded = in_context(asked, options, source, profile)
    codec = Codec(source.path)
    encoded = encode(parts.train, codec, profile=profile, max_reasons=max_reasons(options, source))
    prompts = fitting(encoded, most=bounded.max_prompt_tokens)
    if not prompts:
        raise InputError(
            f"none of {len(encoded)} prompts fits into {bounded.max_prompt_tokens} tokens",
            "lower --max-new-tokens, or train on a set with shorter responses",
        )
    plan = FixPlan(
        options=options,
        source=source,
        profile=profile,
        split=parts,
        prompts=tuple(prompts),
        too_long=len(encoded) - len(prompts),
        eval=evaluated,
        also=options.also,
        judge=judge,
        labeler=labeler,
        eval_judge=after,
        asked=asked,
        bounded=bounded,
        settings=fit_to(bounded, options, source, prompts, here),
        policies=policies,
        machine=here,
        launch=launch,
        out=out,
        warnings=tuple(cautions(options, after, here, launch)),
    )
    check_steps(plan)
    return plan


def profile_of(options: Options, source: RepairTarget) -> Profile:
    """How the checkpoint is prompted: as asked, else as in the audit, else by its template."""
    own = "thinking" if source.checkpoint.thinking else "generic"
    audited = None if source.manifest is None else source.manifest.profile
    name = options.profile or audited or own
    if read_profile(name).prompt != GENERIC_PAIRWISE:
        raise InputError(
            f"fix trains on answers as the generic prompt asks for them, and profile {name} asks "
            "for others",
            "leave --profile out, or name one with the generic prompt; --prompt FILE changes its "
            "words",
        )
    refuse_other_prompt(source.manifest, options.prompt)
    return asked_by(name, options.prompt)


def max_reasons(options: Options, source: RepairTarget) -> int:
    """Reasons asked for and counted: as asked, else as in the audit."""
    manifest = source.manifest
    return options.max_reasons or (MAX_REASONS if manifest is None else manifest.max_reasons)


def longest(prompts: Iterable[Encoded]) -> int:
    """Tokens of the longest prompt."""
    return max(len(one.ids) for one in prompts)


def fit_to(
    settings: TrainingSettings,
    options: Options,
    source: RepairTarget,
    prompts: Sequence[Encoded],
    here: Machine,
) -> TrainingSettings:
    """The settings on these prompts, with the largest pass that the memory allows.

    Raises:
        InputError: they are too few for the devices.
    """
    tokens = longest(prompts) + settings.max_new_tokens
    each = bytes_of_completion(source.size, tokens=tokens, checkpointing=here.checkpointing)
    room = max(1, int(here.free * PASS_SHARE / each))
    try:
        return fit(
            replace(settings, bf16=here.bf16),
            n_prompts=len(prompts),
            devices=here.devices,
            per_device=options.per_device or min(LARGEST_PASS, room),
        )
    except ValueError as error:
        raise InputError(str(error), "train on more items, or on fewer devices") from error


def in_context(
    asked: TrainingSettings, options: Options, source: RepairTarget, profile: Profile
) -> TrainingSettings:
    """Answers as long as the scan allows, so that training earns what the gate measures."""
    limit = None if source.manifest is None else source.manifest.sampling.max_tokens
    scanned = profile.max_tokens if limit is None else limit
    wanted = options.max_new_tokens or min(asked.max_new_tokens, scanned)
    context = source.checkpoint.context
    budget = answer_budget(Sampling(max_tokens=wanted), context)
    room = asked.max_prompt_tokens
    if context is not None:
        room = min(room, context - budget)
    return replace(asked, max_new_tokens=budget, max_prompt_tokens=room)


def check_steps(plan: FixPlan) -> None:
    """Refuses a training without a step, with too many judge calls, or that memory cannot hold."""
    if plan.settings.total_steps(len(plan.prompts)) < UPDATES:
        raise InputError("no optimizer step would be made", "raise --epochs or give --steps")
    limit = plan.options.max_calls
    if limit is not None and plan.judge_calls > limit:
        raise InputError(
            f"training makes up to {plan.judge_calls:,} judge calls; --max-calls is {limit:,}",
            "raise --max-calls, or lower --steps, --samples, --dev-items or --monitor-rationale",
        )
    needed = plan.memory["together"]
    free = plan.machine.free / 2**30
    if needed > free:
        most = max(plan.memory, key=lambda name: plan.memory[name] * (name != "together"))
        hints = [] if plan.options.lora else ["--lora trains adapters only"]
        hints += ["--per-device 1 and a lower --max-new-tokens make a pass smaller"]
        raise InputError(
            f"training takes about {needed:.1f} GiB on {plan.machine.name}, where {free:.1f} GiB "
            f"are free (most of it: {most})",
            "; ".join(hints),
        )
