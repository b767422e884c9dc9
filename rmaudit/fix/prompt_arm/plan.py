"""What `--arm prompt` can settle, and refuse, before the target is asked anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rmaudit.checklists.load import combine, content_hash, subset
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.config import ScanConfig
from rmaudit.engines.endpoints import PREFIX, without_credentials
from rmaudit.errors import InputError
from rmaudit.fix.choices import (
    EvalSet,
    eval_judge,
    eval_set,
    out_folder,
    refuse_judge,
    training_judge,
)
from rmaudit.fix.data import free, marks_of
from rmaudit.fix.options import Options
from rmaudit.fix.plan import REPAIR
from rmaudit.fix.scans import as_audited
from rmaudit.fix.source import refuse_other_prompt, score_only
from rmaudit.gate.lint import load_applicable
from rmaudit.gate.policy import Policy
from rmaudit.judging.metajudge import Judge
from rmaudit.models.profiles import Profile
from rmaudit.run.directory import MANIFEST, RunDir
from rmaudit.run.integrity import refuse_unsound
from rmaudit.run.item import run_items
from rmaudit.run.manifest import RunManifest
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.plan import make_plan as plan_scan

NO_MEANING = {
    "dev": "no checkpoint is chosen",
    "dev_every": "no checkpoint is chosen",
    "dev_items": "no checkpoint is chosen",
    "monitor_rationale": "nothing is rewarded",
    "lora": "no weight is trained",
    "lora_rank": "no weight is trained",
    "lr": "no weight is trained",
    "clip": "no weight is trained",
    "beta": "no weight is trained",
    "epochs": "no weight is trained",
    "steps": "no weight is trained",
    "samples": "one answer a train item is read",
    "per_device": "no weight is trained",
    "report_to": "no weight is trained",
    "launch": "no weight is trained",
}
"""Options of training, and why they say nothing here."""


@dataclass(frozen=True, slots=True)
class Audit:
    """The run that was named, if one was; see `Audited`."""

    run: RunDir | None = None
    audited: tuple[Item, ...] = ()

    @property
    def manifest(self) -> RunManifest | None:
        """Of the run; None without one."""
        return self.run.manifest() if self.run is not None else None


@dataclass(frozen=True, slots=True)
class PromptPlan:
    """A repair of the prompt, ready to start.

    Attributes:
        options: as asked.
        target: TARGET of the scans.
        audit: the run that was named.
        train: items whose overlooked faults are read. left_out: items that are not, by why.
        eval: what the result is measured on. eval_judge: SPEC of its judge.
        judge: of the train set; where it is a language model, it words the guidelines.
        policies: what the result must meet.
        before: the scan of the evaluation set with the prompt as it is.
        out: the folder of the repair.
    """

    options: Options
    target: str
    audit: Audit
    train: tuple[Item, ...]
    left_out: Mapping[str, int]
    eval: EvalSet
    eval_judge: str
    judge: Judge
    policies: tuple[Policy, ...]
    before: ScanPlan
    out: Path

    @property
    def profile(self) -> Profile:
        """How the model is prompted now."""
        return self.before.target.profile

    @property
    def same_judge(self) -> bool:
        """Whether one judge reads the train set and measures the result."""
        return self.eval_judge == self.options.judge

    @property
    def calls(self) -> int:
        """Calls of models at endpoints at most."""
        target = len(self.train) * self.options.judge.startswith(PREFIX) + 1
        if self.options.target.startswith(PREFIX):
            target += len(self.train)
        return target + 2 * self.before.calls * (1 + len(self.options.also))

    def identity(self) -> dict[str, Any]:
        """What decides the result: a resume must not change any of it."""
        return {
            "arm": "prompt",
            "target": self.before.target.digest,
            "profile": self.profile.model_dump(mode="json"),
            "train": content_hash(self.train),
            "eval": content_hash(self.eval.items),
            "also": list(self.options.also),
            "hit": self.options.hit,
            "max_reasons": self.before.config.max_reasons,
            "eval_judge": without_credentials(self.eval_judge),
            "seed": self.options.seed,
            **self.judge.identity(),
        }


def make_plan(options: Options) -> PromptPlan:
    """Reads the sets, the policies and what the target is; asks it nothing.

    Raises:
        InputError: anything that the user can mend before work starts.
    """
    for name, why in NO_MEANING.items():
        if name in options.model_fields_set:
            raise InputError(
                f"--{name.replace('_', '-')} has no meaning with --arm prompt",
                f"leave it out: {why}",
            )
    out = out_folder(options)
    target, audit = _target(options.target)
    policies = tuple(load_applicable(name) for name in (REPAIR, options.policy) if name)
    evaluated = eval_set(options, audit)
    outside = [load_set(spec, skip_bad=options.skip_bad) for spec in options.also]
    held = [*evaluated.items, *audit.audited, *(item for one in outside for item in one.items)]
    train, left_out = _train(options, held)
    judge = training_judge(options, train)
    after = eval_judge(options, audit, evaluated.items)
    refuse_judge(after, policies, options)
    before = plan_scan(config_of(options, target, audit, evaluated.spec, after, out / "before"))
    plan = PromptPlan(
        options=options,
        target=target,
        audit=audit,
        train=train,
        left_out=left_out,
        eval=evaluated,
        eval_judge=after,
        judge=judge,
        policies=policies,
        before=before,
        out=out,
    )
    if not before.target.gives_reasons:
        raise score_only(before.target.name)
    if options.max_calls is not None and plan.calls > options.max_calls:
        raise InputError(
            f"this makes up to {plan.calls:,} model calls; --max-calls is {options.max_calls:,}",
            "raise --max-calls, or lower --prompts, the train items that are read",
        )
    return plan


def _target(spec: str) -> tuple[str, Audit]:
    """TARGET of the scans, and the run that was named instead of it."""
    if spec.startswith("replay:"):
        raise InputError(
            "recorded outputs cannot be asked again",
            "name the endpoint, openai:MODEL@URL, or the checkpoint's folder",
        )
    if not (Path(spec) / MANIFEST).is_file():
        return spec, Audit()
    found = RunDir.open(Path(spec))
    refuse_unsound(found)
    manifest = found.manifest()
    spec = manifest.target.spec
    if not manifest.gives_reasons:
        raise score_only(manifest.target.name)
    if spec.startswith("replay:"):
        return _target(spec)
    return spec, Audit(found, run_items(found))


def _train(options: Options, held: Sequence[Item]) -> tuple[tuple[Item, ...], dict[str, int]]:
    """The train items that are read: with reasons, none of the evaluation, --prompts at most."""
    whole = combine([load_set(spec, skip_bad=options.skip_bad) for spec in options.train]).items
    if not any(item.reasons for item in whole):
        raise InputError(
            "no item of the train set has reasons: what is overlooked could not be seen",
            "give --train a set with reasons, such as synth:7 (rmaudit checklist list)",
        )
    left_out: dict[str, int] = {}
    taken = set[str]().union(*map(marks_of, held))
    kept = free(whole, taken, left_out, "in the evaluation or audited set")
    usable = [item for item in kept if item.reasons]
    if len(usable) < len(kept):
        left_out["without reasons"] = len(kept) - len(usable)
    if not usable:
        told = "; ".join(f"{count} {why}" for why, count in left_out.items())
        raise InputError(f"nothing is left to train on: {told}", "give --train another set")
    return tuple(subset(usable, limit=options.prompts, seed=options.seed)), left_out


def config_of(
    options: Options,
    target: str,
    audit: Audit,
    spec: str,
    judge: str,
    out: Path,
    *,
    prompt: Path | None = None,
) -> ScanConfig:
    """How the target is scanned on a set; `prompt` is the copy that a folder keeps, if any."""
    manifest = audit.manifest
    refuse_other_prompt(manifest, options.prompt)
    limit = None if manifest is None else manifest.sampling.max_tokens
    config = as_audited(
        options,
        manifest,
        target=target,
        spec=spec,
        judge=judge,
        out=out,
        profile=options.profile or (None if manifest is None else manifest.profile),
        prompt=prompt or options.prompt,
        max_tokens=options.max_new_tokens or limit,
    )
    return replace(config, target_key_env=options.target_key_env)
