"""The scans of a repair: the same audit of the checkpoint before and after, by the eval judge."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rmaudit.checklists.load import content_hash
from rmaudit.config import ScanConfig
from rmaudit.fix.options import Options
from rmaudit.fix.plan import MAX_REASONS, FixPlan
from rmaudit.progress import Progress
from rmaudit.run.directory import GENERATIONS, MANIFEST, RunDir
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.plan import make_plan as plan_scan
from rmaudit.scan.scan import create_run, scan

ENGINES = ("transformers", "vllm")
ANSWERS_DEPEND_ON = (
    "target",
    "engine",
    "profile",
    "prompt",
    "temperature",
    "top_p",
    "top_k",
    "max_tokens",
    "samples",
    "orders",
    "max_reasons",
    "seed",
)


def as_audited(
    options: Options,
    manifest: Mapping[str, Any],
    *,
    target: str,
    spec: str,
    judge: str,
    out: Path,
    profile: str | None,
    max_tokens: int | None,
) -> ScanConfig:
    """How a target is scanned on a set: as in the audit with this manifest, if there was one."""
    engine = manifest.get("engine", {}).get("name")
    return ScanConfig(
        target=target,
        sets=(spec,),
        out=out,
        resume=(out / MANIFEST).is_file(),
        seed=manifest.get("seeds", {}).get("run", options.seed),
        orders="ab" if manifest.get("orders") == ["ab"] else "both",
        samples=manifest.get("samples", 1),
        max_reasons=options.max_reasons or manifest.get("max_reasons", MAX_REASONS),
        judge=judge,
        judge_view=options.judge_view,
        judge_max_tokens=options.judge_max_tokens,
        judge_key_env=options.judge_key_env,
        engine=engine if engine in ENGINES else "auto",
        profile=profile,
        temperature=(manifest.get("sampling") or {}).get("temperature"),
        max_tokens=max_tokens,
        batch_size=options.batch_size,
        skip_bad=options.skip_bad,
        concurrency=options.concurrency,
        request_timeout=options.request_timeout,
        request_retries=options.request_retries,
    )


def scan_config(plan: FixPlan, checkpoint: Path, spec: str, out: Path) -> ScanConfig:
    """How a checkpoint of the repair is scanned."""
    manifest = plan.source.manifest
    sampling = manifest.get("sampling") or {}
    return as_audited(
        plan.options,
        manifest,
        target=str(checkpoint),
        spec=spec,
        judge=plan.eval_judge,
        out=out,
        profile=plan.profile.name,
        max_tokens=sampling.get("max_tokens", plan.settings.max_new_tokens),
    )


def scan_checkpoint(
    plan: FixPlan, checkpoint: Path, spec: str, out: Path, progress: Progress
) -> RunDir:
    """Scans a checkpoint; goes on with a scan that was begun, and takes answers that are known."""
    config = scan_config(plan, checkpoint, spec, out)
    wanted = plan_scan(config)
    if not config.resume:
        run = create_run(wanted)
        if plan.source.run is not None and same_answers(plan.source.run, wanted):
            shutil.copyfile(plan.source.run.path / GENERATIONS, run.path / GENERATIONS)
        wanted = replace(wanted, config=replace(config, resume=True))
    return scan(wanted, progress).run


def same_answers(run: RunDir, wanted: ScanPlan) -> bool:
    """Whether an earlier run asked the same model the same questions in the same way."""
    manifest, now = run.manifest(), wanted.identity()
    before = manifest.get("identity", {})
    return (
        manifest.get("status") == "finished"
        and (run.path / GENERATIONS).is_file()
        and manifest.get("items_sha256") == content_hash(wanted.items)
        and all(before.get(name) == now.get(name) for name in ANSWERS_DEPEND_ON)
    )
