"""A comparison as one JSON object, for `rmaudit compare --json`."""

from __future__ import annotations

import dataclasses
from typing import Any

from rmaudit.compare.compare import Comparison
from rmaudit.compare.curve import Curve
from rmaudit.compare.pair import Judged, PairComparison
from rmaudit.compare.read import CompareRun
from rmaudit.run.ordinary import recall_sentences

SCHEMA_VERSION = 1


def as_json(found: Comparison) -> dict[str, Any]:
    """Everything that was found; not applicable is null, with a `why`."""
    return {
        "schema_version": SCHEMA_VERSION,
        "runs": [_run(run) for run in found.runs],
        "repeats": [
            {"run": str(run.path), "repeats": str(before.path)} for run, before in found.repeats
        ],
        "left_out": [{"run": str(one.run.path), "why": one.why} for one in found.left_out],
        "pairs": [pair_json(pair) for pair in found.pairs],
        "curve": None if found.curve is None else _curve(found.curve),
        "rank_agreement": [
            {**one._asdict(), "sets": list(one.sets), "models": list(one.models)}
            for one in found.ranks
        ],
        "unranked": [{"run": str(one.run.path), "why": one.why} for one in found.unranked],
    }


def _run(run: CompareRun) -> dict[str, Any]:
    return {
        "path": str(run.path),
        "name": run.name,
        "digest": run.digest,
        "sets": run.sets,
        "integrity": run.integrity.as_dict(),
    }


def pair_json(pair: PairComparison) -> dict[str, Any]:
    """Two runs and every metric that was compared."""
    shared = pair.shared
    return {
        "first": str(pair.first.path),
        "second": str(pair.second.path),
        "items": {
            "shared": len(shared.ids),
            "only_first": shared.only_first,
            "only_second": shared.only_second,
            "differing": shared.differing,
            "orders": list(shared.orders),
        },
        "claims": pair.claims,
        "metrics": {name: _judged(one) for name, one in pair.overall.items()},
        "slices": {
            domain: {name: _judged(one) for name, one in own.items()}
            for domain, own in pair.slices.items()
        },
        "not_compared": [{"metrics": list(b.metrics), "why": b.why} for b in pair.scope.barred],
        "notes": list(pair.scope.notes),
        "judge_recall": recall_sentences(run.manifest for run in (pair.first, pair.second)),
    }


def _judged(one: Judged) -> dict[str, Any]:
    change = one.change
    low, high = change.interval() or (None, None)
    return {
        "first": change.first,
        "second": change.second,
        "difference": change.difference,
        "low": low,
        "high": high,
        "of_sizes": change.size,
        "p": change.p,
        "test": change.test,
        "p_holm": one.adjusted if one.claim else None,
        "q": None if one.claim else one.adjusted,
        "word": one.word,
        "n": change.n,
        "left_out": change.left_out,
        "least": change.least,
        "greatest": change.greatest,
        "why": change.why,
    }


def _curve(curve: Curve) -> dict[str, Any]:
    finding = curve.finding
    return {
        "items": curve.items,
        "items_left_out": {str(step): count for step, count in curve.left_out.items()},
        "steps": [
            {
                "step": one.step,
                "run": str(one.run.path),
                "metrics": {name: dataclasses.asdict(m) for name, m in one.metrics.items()},
            }
            for one in curve.steps
        ],
        "not_compared": [{"metrics": list(b.metrics), "why": b.why} for b in curve.barred],
        "judge_recall": recall_sentences(one.run.manifest for one in curve.steps),
        "finding": {
            "verdict": finding.verdict,
            "sentence": finding.sentence,
            "since": finding.since,
            "p_holm": finding.p,
            "rc": None if finding.rc is None else finding.rc.difference,
            "accuracy": None if finding.accuracy is None else finding.accuracy.difference,
        },
    }
