"""`rmaudit fix --arm prompt`: guidelines in the prompt of a model whose weights stay as they are.

answers on the train set -> faults that they overlooked -> guidelines -> profile.toml
-> scans of the evaluation set without and with it -> verdict
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Protocol

import tomli_w

from rmaudit import __version__
from rmaudit.checklists.load import dump_item
from rmaudit.compare.pair import PairComparison, compare_pair
from rmaudit.compare.read import read_for_comparison
from rmaudit.engines.endpoints import without_credentials
from rmaudit.errors import InputError, RmauditError
from rmaudit.fix.folder import FIXED, PROMPT, REPORT, SCHEMA_VERSION, Folder, open_at
from rmaudit.fix.prompt_arm.distil import distil
from rmaudit.fix.prompt_arm.guidelines import grouped, missed
from rmaudit.fix.prompt_arm.plan import PromptPlan, config_of
from rmaudit.fix.record import came_out
from rmaudit.fix.verdict import conclude
from rmaudit.gate.run import gate
from rmaudit.models.profiles import Profile
from rmaudit.progress import Progress
from rmaudit.report.html import write_repair
from rmaudit.run.directory import RunDir, utc_now
from rmaudit.run.files import MATCHES
from rmaudit.run.lock import sole_writer
from rmaudit.scan.plan import make_plan as plan_scan
from rmaudit.scan.scan import scan

PROFILE, GUIDELINES, ITEMS = "profile.toml", "guidelines.json", "train.jsonl"


class PromptTelling(Protocol):
    """Each step says what it found, as soon as it knows."""

    def stage(self, name: str) -> None:
        """A step begins."""
        ...

    def warn(self, text: str) -> None:
        """A line that a reader should not miss."""
        ...

    def progress(self) -> Progress:
        """Of answering and judging."""
        ...

    def guidelines(self, found: Mapping[str, Any]) -> None:
        """What guidelines.json holds."""
        ...

    def result(self, fixed: Mapping[str, Any], pair: PairComparison) -> None:
        """What became of it; `fixed` is what fix.json holds."""
        ...


def run(plan: PromptPlan, tell: PromptTelling) -> int:
    """Repairs the prompt, from wherever an earlier start of it stopped; returns the exit code.

    Raises:
        InputError: the folder was made with another configuration, another process writes into
            it, or nothing was overlooked.
        RmauditError: an endpoint, a judge or the disk failed; what is done is kept.
        Interrupted: a signal; what is done is kept.
    """
    with sole_writer(plan.out):
        return _run(plan, tell)


def _run(plan: PromptPlan, tell: PromptTelling) -> int:
    folder = open_at(plan.out, plan.options, plan.identity())
    folder.keep_prompt(plan.options, plan.profile)
    told = folder.kept(GUIDELINES, lambda: _guidelines(plan, folder, tell))
    plan.judge.close()
    tell.guidelines(told)
    if told["failure"]:
        tell.warn(f"the judge wrote no guidelines, so these are ours: {told['failure']}")
    profile = folder.path / PROFILE
    folder.files.write_text(PROFILE, profile_toml(plan.profile, told["guidelines"]))
    places = [(plan.eval.spec, ())] + [
        (spec, ("also", str(number))) for number, spec in enumerate(plan.options.also, start=1)
    ]
    pairs = []
    for spec, within in places:
        runs = []
        for name, used in (("before", None), ("after", profile)):
            tell.stage(f"scan {name}: {spec}")
            path = folder.run(*within, name)
            runs.append(_scan(plan, spec, plan.eval_judge, path, tell, profile=used))
        first, second = (read_for_comparison(one.path, number=k) for k, one in enumerate(runs, 1))
        pairs.append(compare_pair(first, second, seed=plan.options.seed))
    decisions = [
        gate(RunDir.open(folder.run("after")), policy, baseline=folder.run("before"))
        for policy in plan.policies
    ]
    verdict = conclude(
        decisions,
        {name: judged.change for name, judged in pairs[0].overall.items()},
        strict=not all(policy.allow_builtin_judge for policy in plan.policies),
        judge=without_credentials(plan.eval_judge),
        same_judge=plan.same_judge,
    )
    fixed = {
        "schema_version": SCHEMA_VERSION,
        "tool_version": __version__,
        "finished": utc_now(),
        "folder": str(folder.path),
        "checkpoint": {
            "name": plan.before.target.name,
            "path": without_credentials(plan.target),
            "digest": plan.before.target.digest,
            "planted": False,
        },
        "audited": str(plan.audit.run.path) if plan.audit.run is not None else None,
        "model": PROFILE,
        "arm": "prompt",
        "judge": without_credentials(plan.options.judge),
        "eval_judge": without_credentials(plan.eval_judge),
        "same_judge": plan.same_judge,
        "train": {
            "sets": list(plan.options.train),
            "items": len(plan.train),
            "left_out": dict(plan.left_out),
        },
        "eval": {"name": pairs[0].second.sets, "items": len(plan.eval.items)},
        "guidelines": told,
        **came_out(folder, plan.options.also, pairs, decisions, verdict),
        "warnings": [],
    }
    folder.files.write_json(FIXED, fixed)
    write_repair(folder.path, folder.path / REPORT)
    tell.result(fixed, pairs[0])
    return verdict.exit_code


def profile_toml(base: Profile, guidelines: Sequence[str]) -> str:
    """The profile with guidelines, as `rmaudit scan --profile FILE` reads it."""
    name = base.name if base.name.endswith("-guided") else f"{base.name}-guided"
    made = base.model_copy(update={"name": name, "guidelines": tuple(guidelines)})
    if made.messages:  # words in a file of the user's are the user's
        made = made.model_copy(update={"prompt_source": "user"})
    head = f"# {base.name}, with guidelines from rmaudit fix --arm prompt, rmaudit {__version__}.\n"
    return head + tomli_w.dumps(
        made.model_dump(mode="json", exclude_none=True, exclude_defaults=True, by_alias=True),
        multiline_strings=False,
    )


def _scan(
    plan: PromptPlan,
    spec: str,
    judge: str,
    out: Path,
    tell: PromptTelling,
    *,
    profile: Path | None = None,
    orders: str = "",
) -> RunDir:
    """Scans the target; goes on with a scan that was begun."""
    kept = plan.out / PROMPT if plan.options.prompt is not None else None
    config = config_of(plan.options, plan.target, plan.audit, spec, judge, out, prompt=kept)
    if profile is not None:
        config = replace(config, profile=str(profile))
    if orders == "ab":
        config = replace(config, orders="ab", samples=1)
    return scan(plan_scan(config), tell.progress()).run


def _guidelines(plan: PromptPlan, folder: Folder, tell: PromptTelling) -> dict[str, Any]:
    """What guidelines.json holds."""
    tell.stage("answers on the train set")
    folder.files.write_text(f"training/{ITEMS}", "".join(dump_item(i) + "\n" for i in plan.train))
    spec = str(folder.training / ITEMS)
    answered = _scan(plan, spec, plan.options.judge, folder.training / "run", tell, orders="ab")
    items = {item.id: item for item in plan.train}
    found, looked = missed(items, answered.rows(MATCHES), hit=plan.options.hit)
    if not looked:
        raise RmauditError(
            "the judge scored no answer on the train set",
            "check it with rmaudit judge check, or give another --judge",
        )
    if not found:
        raise InputError(
            f"no fault of {looked:,} on the train set was overlooked: nothing to learn from",
            "give --train harder items, or a higher --hit",
        )
    told = distil(found, plan.judge, plan.train)
    counts = {name: len(group) for name, group in grouped(found).items()}
    return {**asdict(told), "missed": len(found), "looked_for": looked, "kinds": counts}
