"""The formats of recorded outputs by name, and by what keys a file tells its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rmaudit.checklists.importers.judgebench import FIELDS as JUDGEBENCH
from rmaudit.recordings import (
    genrm_compare,
    inspect_log,
    openai_batch,
    own_lines,
    r_align,
    rationalerm,
    rewardbench,
    rewardbench2,
    rm_bench,
    score_records,
)
from rmaudit.recordings.judgebench import read_judgebench
from rmaudit.recordings.recording import Recording

Row = dict[str, Any]


class Format(NamedTuple):
    """One format: its name for `--format`, the keys that tell it, its reader.

    chooses: the reader takes `which`, what stands after the colon of `--format NAME:WHICH`.
    """

    name: str
    keys: str
    fits: Callable[[Row], bool]
    read: Callable[..., Recording]
    chooses: bool = False


def _has(fields: frozenset[str]) -> Callable[[Row], bool]:
    return lambda row: row.keys() >= fields


FORMATS: tuple[Format, ...] = (
    Format(
        "lines",
        "item, order, text",
        lambda row: not row or (bool(row.keys() & {"item", "text"}) and "scores" not in row),
        own_lines.read_own_lines,
    ),
    Format(
        "judgebench",
        f"{', '.join(JUDGEBENCH)}, judgments",
        lambda row: "judgments" in row,
        read_judgebench,
    ),
    Format(
        "r-align", ", ".join(sorted(r_align.FIELDS)), _has(r_align.FIELDS), r_align.read_r_align
    ),
    Format(
        "rm-bench",
        ", ".join(sorted(rm_bench.FIELDS)),
        _has(rm_bench.FIELDS),
        rm_bench.read_rm_bench,
    ),
    Format(
        "rationalerm",
        ", ".join(sorted(rationalerm.FIELDS)) + ", MODEL-generated_text or MODEL-checklist; or "
        "samples, metadata of its matchings",
        lambda row: (
            row.keys() >= rationalerm.FIELDS
            or (row.keys() >= {"samples", "metadata"} and "eval" not in row)
        ),
        rationalerm.read_rationalerm,
        chooses=True,
    ),
    Format(
        "rewardbench2",
        ", ".join(sorted(rewardbench2.FIELDS)),
        _has(rewardbench2.FIELDS),
        rewardbench2.read_rewardbench2,
    ),
    Format(
        "rewardbench",
        ", ".join(sorted(rewardbench.FIELDS)),
        _has(rewardbench.FIELDS),
        rewardbench.read_rewardbench,
    ),
    Format(
        "openai-batch",
        ", ".join(sorted(openai_batch.FIELDS)),
        _has(openai_batch.FIELDS),
        openai_batch.read_openai_batch,
    ),
    Format(
        "inspect",
        ", ".join(sorted(inspect_log.FIELDS)),
        _has(inspect_log.FIELDS),
        inspect_log.read_inspect_log,
    ),
    Format(
        "genrm-compare",
        ", ".join(sorted(genrm_compare.FIELDS)),
        genrm_compare.is_compare,
        genrm_compare.read_genrm_compare,
    ),
    Format(
        "score-records",
        ", ".join(sorted(score_records.FIELDS)),
        _has(score_records.FIELDS),
        score_records.read_score_records,
        chooses=True,
    ),
)
