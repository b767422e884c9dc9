"""The scans of a repair: the same audit of the checkpoint before and after, by the eval judge."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from rmaudit.checklists.load import content_hash
from rmaudit.config import ScanConfig
from rmaudit.fix.options import Options
from rmaudit.fix.plan import MAX_REASONS, FixPlan
from rmaudit.progress import Progress
from rmaudit.run.directory import MANIFEST, RunDir
from rmaudit.run.files import GENERATIONS
from rmaudit.run.manifest import RunManifest
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
    manifest: RunManifest | None,
    *,
    target: str,
    spec: str,
    judge: str,
    out: Path,
    profile: str | None,
    prompt: Path | None,
    max_tokens: int | None,
) -> ScanConfig:
    """How a target is scanned on a set: as in the audit with this manifest, if there was one."""
    engine = None if manifest is None else manifest.engine.name
    return ScanConfig(
        target=target,
        sets=(spec,),
        out=out,
        resume=(out / MANIFEST).is_file(),
        seed=options.seed if manifest is None else manifest.seeds.run,
        orders="ab" if manifest is not None and manifest.orders == ["ab"] else "both",
        samples=1 if manifest is None else manifest.samples,
        max_reasons=options.max_reasons
        or (MAX_REASONS if manifest is None else manifest.max_reasons),
        judge=judge,
        judge_view=options.judge_view,
        judge_max_tokens=options.judge_max_tokens,
        judge_key_env=options.judge_key_env,
        engine=engine if engine in ENGINES else "auto",
        profile=profile,
        prompt=prompt,
        temperature=None if manifest is None else manifest.sampling.temperature,
        max_tokens=max_tokens,
        batch_size=options.batch_size,
        skip_bad=options.skip_bad,
        concurrency=options.concurrency,
        request_timeout=options.request_timeout,
        request_retries=options.request_retries,
        request_deadline=options.request_deadline,
        allow_other_model=options.allow_other_model,
    )


def scan_config(
    plan: FixPlan, checkpoint: Path, spec: str, out: Path, prompt: Path | None
) -> ScanConfig:
    """How a checkpoint of the repair is scanned, by the prompt that its folder keeps, if any."""
    manifest = plan.source.manifest
    limit = None if manifest is None else manifest.sampling.max_tokens
    return as_audited(
        plan.options,
        manifest,
        target=str(checkpoint),
        spec=spec,
        judge=plan.eval_judge,
        out=out,
        profile=plan.options.profile or plan.profile.name,
        prompt=prompt,
        max_tokens=plan.settings.max_new_tokens if limit is None else limit,
    )


def scan_checkpoint(
    plan: FixPlan,
    checkpoint: Path,
    spec: str,
    out: Path,
    progress: Progress,
    *,
    prompt: Path | None,
) -> RunDir:
    """Scans a checkpoint; goes on with a scan that was begun, and takes answers that are known."""
    config = scan_config(plan, checkpoint, spec, out, prompt)
    wanted = plan_scan(config)
    if not config.resume:
        run = create_run(wanted)
        if plan.source.run is not None and same_answers(plan.source.run, wanted):
            name = GENERATIONS.name
            shutil.copyfile(plan.source.run.path / name, run.path / name)
        wanted = replace(wanted, config=replace(config, resume=True))
    return scan(wanted, progress).run


def same_answers(run: RunDir, wanted: ScanPlan) -> bool:
    """Whether an earlier run asked the same model the same questions in the same way."""
    manifest = run.manifest()
    return (
        manifest.status == "finished"
        and run.has(GENERATIONS)
        and manifest.items_sha256 == content_hash(wanted.items)
        and manifest.identity.differences(wanted.identity()).keys().isdisjoint(ANSWERS_DEPEND_ON)
    )
