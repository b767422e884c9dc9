"""What a person's sheet says about the judge, and what it does to the run's rc."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from rmaudit.judge_check.sheet import read_back
from rmaudit.metrics.agreement import item_agreement, pair_agreement
from rmaudit.metrics.audit import compute_metrics, compute_slices
from rmaudit.metrics.scores import score_matrices
from rmaudit.run.directory import METRICS, RunDir, utc_now
from rmaudit.run.files import MATCHES, RESULTS
from rmaudit.run.integrity import refuse_unsound
from rmaudit.run.item import run_items
from rmaudit.run.lock import sole_writer
from rmaudit.run.numbers import metrics_json
from rmaudit.run.table import run_table, settings_of


def take_in(path: Path, run_path: Path) -> dict[str, Any]:
    """Reads a sheet, puts its scores into the run beside the judge's, and measures the run anew.

    Returns:
        Agreement of judge and person, and the metrics `rc` and `rc.corrected` of the run.

    Raises:
        InputError: the sheet is not usable or was made from another run; the run is no evidence,
            so that it must not be sealed anew; or another process writes into it.
    """
    run = RunDir.open(run_path)
    with sole_writer(run.path):
        return _taken_in(path, run)


def _taken_in(path: Path, run: RunDir) -> dict[str, Any]:
    refuse_unsound(run)
    checked = read_back(path, run)
    rows = list(run.rows(MATCHES))
    run.write_rows(
        MATCHES,
        (row._replace(human=checked.human.get(row.key, row.human)) for row in rows),
    )
    manifest = run.manifest()
    settings = settings_of(manifest)
    results, table = run_table(run, run_items(run), settings)
    metrics = compute_metrics(table, seed=settings.seed)
    run.write_rows(RESULTS, results)
    run.write_json(METRICS, metrics_json(metrics, compute_slices(table, seed=settings.seed)))
    keys = list(checked.human)
    human = [checked.human[key] for key in keys]
    judged = [checked.judged[key] for key in keys]
    pairs = pair_agreement(
        *([score for matrix in side for row in matrix for score in row] for side in (human, judged))
    )
    rc = item_agreement(
        *([scores.rc for scores in score_matrices(side)] for side in (human, judged))
    )
    spot = {
        "answers": len(keys),
        "incomplete": checked.incomplete,
        "pairs": pairs._asdict(),
        "rc": rc._asdict(),
        "taken_in": utc_now(),
    }
    manifest.judge.spot_check = spot
    run.seal(manifest)
    told = ("rc", "rc.corrected")
    return {**spot, "run": str(run.path), "metrics": {k: asdict(metrics[k]) for k in told}}
