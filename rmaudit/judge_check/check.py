"""Runs a check of a judge and sums it up as a judge card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from rmaudit import __version__
from rmaudit.errors import RmauditError
from rmaudit.judge_check import nulls, truth
from rmaudit.judge_check.labels import check_labeler
from rmaudit.judge_check.plan import LABELLED, CheckPlan
from rmaudit.judge_check.qualify import qualify
from rmaudit.judging.answer_cache import AnswerCache
from rmaudit.judging.llm import LlmJudge
from rmaudit.judging.metajudge import Judge, JudgeAnswer, JudgeRequest, Matrix
from rmaudit.judging.metajudge_answer import Claims
from rmaudit.labelling.protocol import Labeler
from rmaudit.metrics.agreement import ItemAgreement, PairAgreement, item_agreement, pair_agreement
from rmaudit.metrics.scores import score_matrices
from rmaudit.progress import Progress
from rmaudit.records import Key
from rmaudit.run.directory import utc_now
from rmaudit.run.rows import JudgeUse

CARD_VERSION = 1
_DIGITS = 4


class Answers(NamedTuple):
    """What a judge answered, by key; `failures` by key, `use` over all."""

    matrices: dict[Key, Matrix]
    failures: dict[Key, str]
    use: JudgeUse
    claims: dict[Key, Claims]


def run_check(plan: CheckPlan, progress: Progress) -> dict[str, Any]:
    """The judge card of the planned check.

    Raises:
        RmauditError: the judge answered nothing.
    """
    try:
        first = ask(plan.judge, plan.requests, progress, "judge")
        again = [first] + [
            ask(_without_cache(plan.judge), plan.requests, progress, f"repeat {number}")
            for number in range(2, plan.config.repeats + 1)
        ]
        described = plan.judge.describe()
        labels = _labels(plan.labeler)
        plan.judge.close()
        second = None
        if plan.second is not None:
            other = ask(plan.second, plan.requests, progress, "second")
            second = {"judge": plan.second.describe(), **_between(first, other)}
    finally:
        plan.close()
    null_tests = _null_tests(plan, first)
    known = {split.name: _known_truth(split, first) for split in plan.splits}
    written = _written(plan, first)
    parts = [one["ok"] for one in [*null_tests.values(), *known.values()]]
    return {
        "schema_version": CARD_VERSION,
        "kind": "judge card",
        "tool_version": __version__,
        "made": utc_now(),
        "judge": described,
        "identity": plan.judge.identity(),
        "seed": plan.config.seed,
        "set": None
        if plan.checklist is None
        else {"name": plan.checklist.card.name, "sha256": plan.checklist.sha256},
        "null_tests": null_tests,
        "known_truth": known,
        "written": written,
        "qualified": None if written is None else written["qualified"],
        "second": second,
        "repeats": _repeats(again) if len(again) > 1 else None,
        "asked": len(plan.requests),
        "failed": len(first.failures),
        "labels": labels,
        "calls": sum(one.use.calls for one in again),
        "ok": all(parts) if parts else None,
    }


def ask(judge: Judge, requests: Sequence[JudgeRequest], progress: Progress, stage: str) -> Answers:
    """Every request once.

    Raises:
        RmauditError: the judge failed on every request.
    """
    matrices: dict[Key, Matrix] = {}
    failures: dict[Key, str] = {}
    claims: dict[Key, Claims] = {}
    use = JudgeUse()
    progress.begin(stage, total=len(requests), done=0)
    for answer in judge.judge(requests):
        _file(answer, matrices, failures)
        claims[answer.key] = answer.claims
        use = use.plus(answer.use)
        progress.step(stage)
    progress.end(stage)
    if requests and not matrices:
        why = next(iter(failures.values()))
        raise RmauditError(f"the judge failed on all {len(requests)} requests: {why}")
    return Answers(matrices, failures, use, claims)


def _file(answer: JudgeAnswer, matrices: dict[Key, Matrix], failures: dict[Key, str]) -> None:
    if answer.failure is None:
        matrices[answer.key] = answer.matrix
    else:
        failures[answer.key] = answer.failure


def _without_cache(judge: Judge) -> Judge:
    """The judge, made to ask its model again."""
    if isinstance(judge, LlmJudge):
        judge.asker.cache = AnswerCache(None, "")
    return judge


def _null_tests(plan: CheckPlan, answers: Answers) -> dict[str, Any]:
    found = [
        one
        for probe in plan.probes
        if probe.request.key in answers.matrices
        for one in probe.read(answers.matrices[probe.request.key])
    ]
    return {
        kind: {
            "what": nulls.BARS[kind].what,
            "bar": nulls.BARS[kind].text,
            **_rounded(domains[""]),
            "domains": {name: _rounded(one) for name, one in domains.items() if name},
        }
        for kind, domains in nulls.by_kind(found).items()
    }


def _known_truth(split: truth.KnownSplit, answers: Answers) -> dict[str, Any]:
    result = truth.compare(split.cases, answers.matrices)
    domains = truth.by_domain(split.cases, answers.matrices)
    return {
        "sha256": split.sha256,
        "reasons": sum(len(case.reasons) for case in split.cases),
        **_truth(result),
        "bars": {
            "precision": f">= {truth.LEAST_PRECISION}",
            "recall": f">= {truth.LEAST_RECALL}",
            "r": f">= {truth.LEAST_R}",
            "bias": f"within {truth.MOST_BIAS}",
        },
        "met": result.met,
        "ok": result.ok,
        "domains": {name: _truth(one) for name, one in domains.items()},
        "kinds": {
            kind: {"n": n, "truth": round(true, _DIGITS), "judged": round(said, _DIGITS)}
            for kind, (n, true, said) in result.kinds.items()
        },
    }


def _written(plan: CheckPlan, answers: Answers) -> dict[str, Any] | None:
    """How a model does on the lists that it qualifies on; None for a judge that is no model."""
    if plan.written is None:
        return None
    found = qualify(plan.written, answers.matrices, answers.claims, seed=plan.config.seed)
    rounded: dict[str, Any] = _deeply_rounded(found)
    return rounded


def _deeply_rounded(found: Any) -> Any:
    if isinstance(found, dict):
        return {name: _deeply_rounded(one) for name, one in found.items()}
    if isinstance(found, list):
        return [_deeply_rounded(one) for one in found]
    return round(found, _DIGITS) if isinstance(found, float) else found


def _truth(result: truth.TruthResult) -> dict[str, Any]:
    return {"pairs": _rounded(result.pairs), "rc": _rounded(result.rc)}


def _labels(labeler: Labeler | None) -> dict[str, Any] | None:
    """How well the labeller knows categories and flaws; None without one."""
    if labeler is None:
        return None
    found = check_labeler(labeler, LABELLED)
    return {
        "labeler": labeler.describe()["spec"],
        "identity": labeler.identity(),
        "failed": found.failed,
        "scores": {
            one.label: {
                "precision": None if one.precision is None else round(one.precision, _DIGITS),
                "recall": round(one.recall, _DIGITS),
                "n": one.positives,
            }
            for one in found.scores
        },
    }


def _between(first: Answers, second: Answers) -> dict[str, Any]:
    """Agreement of two judges on what both answered; errors are second - first."""
    keys = [key for key in first.matrices if key in second.matrices and first.matrices[key]]
    one, two = ([answers.matrices[key] for key in keys] for answers in (first, second))
    return {
        "pairs": _rounded(pair_agreement(_cells(one), _cells(two))),
        "rc": _rounded(item_agreement(_rcs(one), _rcs(two))),
        "failed": len(second.failures),
    }


def _repeats(answers: Sequence[Answers]) -> dict[str, Any]:
    """How far a judge agrees with itself: means over all pairs of its repetitions."""
    kappas: list[float | None] = []
    differences: list[float] = []
    changed: list[float] = []
    for first, second in combinations(answers, 2):
        keys = [key for key in first.matrices if key in second.matrices]
        one, two = ([each.matrices[key] for key in keys] for each in (first, second))
        kappas.append(pair_agreement(_cells(one), _cells(two)).kappa)
        rcs = list(zip(_rcs(one), _rcs(two), strict=True))
        differences.append(sum(abs(x - y) for x, y in rcs) / max(len(rcs), 1))
        changed.append(sum(x != y for x, y in zip(one, two, strict=True)) / max(len(keys), 1))
    known = [kappa for kappa in kappas if kappa is not None]
    return {
        "n": len(answers),
        "kappa": round(sum(known) / len(known), _DIGITS) if known else None,
        "rc_mean_difference": round(sum(differences) / len(differences), _DIGITS),
        "answers_changed": round(sum(changed) / len(changed), _DIGITS),
    }


def _cells(matrices: Sequence[Matrix]) -> list[float]:
    return [score for matrix in matrices for row in matrix for score in row]


def _rcs(matrices: Sequence[Matrix]) -> list[float]:
    return [scores.rc for scores in score_matrices(matrices)]


def _rounded(
    result: nulls.KindResult | PairAgreement | ItemAgreement,
) -> Mapping[str, float | int | bool | None]:
    return {
        name: round(value, _DIGITS) if isinstance(value, float) else value
        for name, value in result._asdict().items()
    }
