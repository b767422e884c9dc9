"""Takes up a run that an earlier start left: what of it stays, and what is asked again."""

from __future__ import annotations

from typing import Any

from rmaudit.errors import InputError
from rmaudit.run.directory import FOLDERS, RunDir
from rmaudit.run.disk import sweep
from rmaudit.run.files import FLAWS, GENERATIONS, MATCHES, PROBES, VERDICTS, RowFile
from rmaudit.run.halves import answered_pairs
from rmaudit.run.integrity import changes
from rmaudit.run.row_checks import strange_rows
from rmaudit.run.schema import SCHEMA_VERSION
from rmaudit.scan.ceiling_stage import drop_stale
from rmaudit.scan.grading import drop_unanswered
from rmaudit.scan.left import generation_stays
from rmaudit.scan.null_stage import drop_unanswered_nulls
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.probe_stage import drop_failed


def take_up(plan: ScanPlan) -> RunDir:
    """The run of an earlier start of the plan, without rows that are to be made again.

    Raises:
        InputError: it was made with another configuration, or no start of it left these rows.
    """
    run = RunDir.open(plan.out)
    manifest = run.manifest()
    changed = [
        f"{name} ({_short(before)} -> {_short(now)})"
        for name, (before, now) in manifest.identity.differences(plan.identity()).items()
    ]
    if changed:
        raise InputError(
            f"{plan.out} was made with another configuration: {', '.join(changed)}",
            "resume with the options of the first start, or scan into another --out",
        )
    strange = next(strange_rows(run, plan.items, manifest), "")
    if strange:
        raise InputError(
            f"{plan.out} cannot be resumed: {strange}",
            "restore the file, or delete its line: its row is done again; or another --out",
        )
    for folder in (run.path, *(run.path / name for name in FOLDERS)):
        sweep(folder)
    if manifest.status == "finished":
        # A new seal must not cover what was changed under the old one.
        manifest.resumed_over = [*manifest.resumed_over, *changes(run)]
    manifest.finished = manifest.row_hashes = manifest.file_hashes = manifest.seal = None
    manifest.status = "running"
    # A measure that an earlier start was asked for stays, and one can be added to a finished run.
    manifest.measures = manifest.measures | plan.whys
    manifest.nulls, manifest.schema_version = plan.nulls, SCHEMA_VERSION
    run.write_manifest(manifest)
    _drop_failed(run)
    drop_failed(run)
    drop_unanswered(run)
    _drop_orphans(run)
    drop_stale(run)
    drop_unanswered_nulls(run)
    return run


def _drop_failed(run: RunDir) -> None:
    """Takes out requests that were not answered, so that they are asked again.

    What would come again stays: a prompt that is too long, or that a provider kept back. What came
    of a row goes with it, as an orphan.
    """
    run.keep_rows(GENERATIONS, generation_stays)


def _drop_orphans(run: RunDir) -> None:
    """Takes out rows whose cause is gone: a damaged disk can lose a generation, not its verdict.

    Its completion is made again and may read differently, so what came of the lost one must go.
    """
    known = answered_pairs(row.key for row in run.rows(GENERATIONS))
    run.keep_rows(VERDICTS, lambda row: row.key in known)
    read = {row.key for row in run.rows(VERDICTS)}
    of_verdicts: tuple[RowFile[Any], ...] = (MATCHES, FLAWS, PROBES)
    for file in of_verdicts:
        run.keep_rows(file, lambda row: row.key in read)


def _short(value: object) -> str:
    text = str(value)
    return text[:12] if len(text) == 64 else text
