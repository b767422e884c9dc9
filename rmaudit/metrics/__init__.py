"""Metrics of a run, from the scored rows to numbers with intervals and counts; pure.

    ItemResult[] + RowScores -> Table -> Estimand -> Metric

`table` holds the rows as columns, `estimand` says how a metric is computed and `spec` what it says
of itself. `outcome`, `rationale`, `chance`, `fidelity`, `bias`, `coverage` and others define them,
`registry` lists them, `evidence` gives the intervals and `audit` computes them all.
"""

from rmaudit.metrics.audit import compute_metrics, compute_slices
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.scores import RowScores, score_row, score_rows
from rmaudit.metrics.table import Table, build_table

__all__ = [
    "REGISTRY",
    "RowScores",
    "Table",
    "build_table",
    "compute_metrics",
    "compute_slices",
    "score_row",
    "score_rows",
]
