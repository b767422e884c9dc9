"""Everything about a scan that can be settled, and refused, before a model is loaded."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rmaudit import __version__
from rmaudit.checklists.load import ChecklistSet, combine, load_set, subset
from rmaudit.checklists.schema import Item
from rmaudit.config import ScanConfig
from rmaudit.engines.base import Request, Sampling, request_seed
from rmaudit.errors import InputError
from rmaudit.judging.metajudge import Judge, make_judge
from rmaudit.judging.prompts import Template, load_template, pairwise
from rmaudit.records import Key
from rmaudit.target import Target, resolve

RUNS = Path("runs")
LATEST = RUNS / "latest"


@dataclass(frozen=True, slots=True)
class Plan:
    """A scan ready to start."""

    config: ScanConfig
    target: Target
    sets: tuple[ChecklistSet, ...]
    checklist: ChecklistSet
    items: tuple[Item, ...]
    requests: tuple[Request, ...]
    neutralised: int
    sampling: Sampling
    judge: Judge
    template: Template
    out: Path

    @property
    def calls(self) -> int:
        """Model calls of target and judge; the builtin judge makes none."""
        return len(self.requests)

    def identity(self) -> dict[str, Any]:
        """What decides the result: a resume must not change any of it."""
        config = self.config
        return {
            "target": self.target.digest,
            "set": self.checklist.sha256,
            "limit": config.limit,
            "seed": config.seed,
            "orders": config.orders,
            "samples": config.samples,
            "max_reasons": config.max_reasons,
            "judge": config.judge,
            "judge_view": config.judge_view,
            "engine": self.target.engine.name,
            "profile": self.target.profile.name,
            "temperature": self.sampling.temperature,
            "top_p": self.sampling.top_p,
            "top_k": self.sampling.top_k,
            "max_tokens": self.sampling.max_tokens,
            "prompt": self.template.sha256,
        }

    def manifest(self) -> dict[str, Any]:
        """What manifest.json holds at the start of the run."""
        target, config = self.target, self.config
        return {
            "tool_version": __version__,
            "target": {
                "spec": target.spec,
                "name": target.name,
                "digest": target.digest,
                **target.facts,
            },
            "rm_type": target.rm_type,
            "rm_type_why": target.why,
            "sets": [
                {
                    "name": one.card.name,
                    "version": one.card.version,
                    "origin": one.card.origin,
                    "sha256": one.sha256,
                    "items": len(one.items),
                    "skipped_lines": len(one.skipped),
                    "stale_card": one.stale_card,
                }
                for one in self.sets
            ],
            "n_items": len(self.items),
            "reference_origins": sorted({item.reference_origin for item in self.items}),
            "judge": self.judge.describe(),
            "judge_view": config.judge_view,
            "max_reasons": config.max_reasons,
            "orders": list(config.shown_orders),
            "samples": config.samples,
            "seeds": {"run": config.seed, "bootstrap": config.seed, "chance": config.seed},
            "profile": target.profile.name,
            "sampling": {
                "temperature": self.sampling.temperature,
                "top_p": self.sampling.top_p,
                "top_k": self.sampling.top_k,
                "max_tokens": self.sampling.max_tokens,
            },
            "prompts": {self.template.name: self.template.sha256},
            "neutralised_delimiters": self.neutralised,
            "engine": {"name": target.engine.name, "why": target.engine_why},
            "reference_visible": False,
            "stopping": "full",
            "identity": self.identity(),
        }


def make_plan(config: ScanConfig) -> Plan:
    """Loads the sets, reads the target's files, renders every prompt.

    Raises:
        InputError: anything that the user can mend before work starts.
    """
    sets = tuple(
        load_set(spec, skip_bad=config.skip_bad, families=config.families) for spec in config.sets
    )
    checklist = combine(sets)
    items = subset(checklist.items, limit=config.limit, seed=config.seed)
    judge = make_judge(config.judge, view=config.judge_view)
    target = resolve(
        config.target,
        engine=config.engine,
        profile=config.profile,
        batch_size=config.batch_size,
        dtype=config.dtype,
    )
    sampling = _sampling(config, target)
    requests, neutralised = _requests(config, items)
    if config.max_calls is not None and len(requests) > config.max_calls:
        raise InputError(
            f"this scan makes {len(requests)} model calls; --max-calls is {config.max_calls}",
            "raise --max-calls, or lower --limit, --samples, or use --orders ab",
        )
    return Plan(
        config=config,
        target=target,
        sets=sets,
        checklist=checklist,
        items=items,
        requests=requests,
        neutralised=neutralised,
        sampling=sampling,
        judge=judge,
        template=load_template(target.profile.prompt),
        out=_out(config, target),
    )


def _sampling(config: ScanConfig, target: Target) -> Sampling:
    sampling = target.profile.sampling
    if config.temperature is not None:
        sampling = replace(sampling, temperature=config.temperature)
    if config.max_tokens is not None:
        sampling = replace(sampling, max_tokens=config.max_tokens)
    if config.samples > 1 and sampling.temperature == 0 and target.engine.name != "replay":
        raise InputError(
            f"--samples {config.samples} at temperature 0 gives the same answer each time",
            "add --temperature, e.g. --temperature 0.7",
        )
    return sampling


def _requests(config: ScanConfig, items: tuple[Item, ...]) -> tuple[tuple[Request, ...], int]:
    requests: list[Request] = []
    neutralised = 0
    for item in items:
        for order in config.shown_orders:
            prompt = pairwise(item, order=order, max_reasons=config.max_reasons)
            neutralised += prompt.neutralised
            for sample in range(config.samples):
                key = Key(item.id, "base", "pair", order, sample)
                requests.append(Request(key, prompt.messages, request_seed(config.seed, key)))
    return tuple(requests), neutralised


def _out(config: ScanConfig, target: Target) -> Path:
    if config.out is not None:
        return config.out
    if config.resume:
        if not LATEST.exists():
            raise InputError("no run to resume: runs/latest is not there", "name it with --out")
        return LATEST.resolve()
    started = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    name = re.sub(r"[^\w.]+", "-", target.name).strip("-")
    return RUNS / f"{name}-{started}"
