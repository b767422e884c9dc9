"""Metrics of a run, from the scored rows to numbers with intervals and counts; pure.

    ItemResult[] + RowScores -> Table -> Estimand -> Metric

`table` holds the rows as columns, `estimand` says what a metric is, `outcome`, `rationale`,
`chance`, `fidelity`, `bias` and `coverage` define them, `stats` gives the intervals and `audit`
runs the registry.
"""

from rmaudit.metrics.audit import REGISTRY, compute_metrics, compute_slices
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
