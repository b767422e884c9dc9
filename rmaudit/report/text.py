"""The report as Markdown, as JSON, and as the metadata of a Hugging Face model card."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

from rmaudit import __version__
from rmaudit.escaping import cell, inline, plain
from rmaudit.metrics.registry import shown_in
from rmaudit.records import Metric
from rmaudit.report.asks import AskedRule
from rmaudit.report.data import RunData, read_run
from rmaudit.report.lines import MetricLine
from rmaudit.report.parts import markdown_parts
from rmaudit.report.view import ReportView
from rmaudit.run.directory import RunDir
from rmaudit.run.integrity import refuse_unsound


def markdown(view: ReportView) -> str:
    """The first screen for a pull request or a release checklist."""
    return "\n".join(_markdown(view)) + "\n"


def _markdown(view: ReportView) -> Iterator[str]:
    several = len(view.runs) > 1
    for one in view.runs:
        told = one.banner
        yield f"## {told.shape} {told.word}: {inline(one.head.name)} `{one.head.digest}`"
        yield ""
        yield inline(f"{told.sentence} {told.consequence}")
        if told.policy:
            yield ""
            yield f"{inline(told.policy)}: {told.tally}."
        yield ""
    for fact in view.facts:
        badges = f" ({inline(', '.join(fact.badges))})" if fact.badges else ""
        yield f"* {fact.name}: {inline(fact.text)}{badges}"
    yield from (f"* warning: {inline(text)}" for text in view.warnings)
    yield ""
    heads = ["measure", *(["run"] if several else []), "value", "95 % interval"]
    heads += ["what the policy asks"] if view.gated else []
    heads += [f"vs {view.baseline}"] if view.baseline else []
    heads += ["n"]
    yield _row(heads)
    yield "|" + "---|" * len(heads)
    for measure in view.measures:
        for line in measure.lines:
            yield _row(_cells(measure.label, line, view, several=several))
    yield from markdown_parts(view.parts, several=several)
    if view.causes or view.findings:
        yield ""
    names = {one.head.number: one.head.name for one in view.runs}
    for cause in view.causes:
        who = f"{inline(names[cause.number])}: " if several else ""
        yield f"* {who}**{inline(cause.title)}** {'; '.join(map(_asked, cause.asked))}"
    for finding in view.findings:
        who = f"{inline(names[finding.number])}: " if several else ""
        yield f"* {who}**{inline(finding.name)}** {inline(finding.text)}"


def _cells(label: str, line: MetricLine, view: ReportView, *, several: bool) -> list[str]:
    cells = [label, *([line.run.name] if several else []), line.value, line.interval]
    if view.gated:
        cells.append("; ".join(f"{one.shape} {one.word}: {one.told}" for one in line.asked))
    if view.baseline:
        cells.append(line.delta)
    return [*cells, line.n + (f", {line.left_out}" if line.left_out else "")]


def _asked(one: AskedRule) -> str:
    sure = f" ({inline(one.sure)})" if one.sure else ""
    waived = f" ({inline(one.waived)})" if one.waived else ""
    return f"{one.word}: {inline(one.told)}{sure}{waived}"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(map(cell, cells))} |"


def as_json(view: ReportView, runs: list[RunDir]) -> str:
    """One object: of each run its manifest, metrics, slices and decision; findings and warnings."""
    found = []
    for number, run in enumerate(runs, start=1):
        one = read_run(run, number=number)
        decision = one.recorded.decision
        found.append(
            {
                "path": str(run.path),
                "integrity": one.integrity.as_dict(),
                "manifest": one.manifest.as_dict(),
                "judge_standing": one.manifest.judge_standing,
                "metrics": _numbers(one),
                "slices": {
                    domain: {key: dataclasses.asdict(metric) for key, metric in metrics.items()}
                    for domain, metrics in (one.slices | one.parts).items()
                },
                "gate": None if decision is None else decision.as_dict(),
                "gate_void": one.recorded.void or None,
            }
        )
    document = {
        "tool_version": __version__,
        "runs": found,
        "findings": [
            {
                "number": one.number,
                "name": one.name,
                "text": one.text,
                "items": one.link.total,
                "example": one.link.example,
            }
            for one in view.findings
        ],
        "warnings": list(view.warnings),
    }
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=1) + "\n"


def _numbers(one: RunData) -> dict[str, Any]:
    return {key: dataclasses.asdict(metric) for key, metric in one.metrics.items()}


def model_card(run: RunDir) -> str:
    """`model-index` metadata with the deciding numbers, to be merged into a model card.

    JSON is YAML, so that no text of a model or a set can break out of its place.

    Raises:
        InputError: the run is no evidence: its numbers are not to be published.
    """
    refuse_unsound(run)
    one = read_run(run, number=1)
    judge = one.manifest.judge.named
    dataset = {
        "type": "rmaudit",
        "name": plain(", ".join(part.name for part in one.manifest.sets)),
        "revision": one.manifest.sets[0].sha256 if one.manifest.sets else "",
    }
    metrics = [
        {
            "type": key,
            "name": key,
            "value": round(metric.value, 4),
            "config": plain(f"judge {judge}, n {metric.n}, 95% interval {_interval(metric)}"),
            "verified": False,
        }
        for key in shown_in("model_card")
        if (metric := one.metrics.get(key)) is not None and metric.value is not None
        if not one.manifest.unfit(key)
    ]
    entry = {
        "name": plain(one.name),
        "results": [
            {
                "task": {"type": "text-classification", "name": "Preference judgment"},
                "dataset": dataset,
                "metrics": metrics,
                "source": {"name": f"rmaudit {__version__}"},
            }
        ],
    }
    told = json.dumps([entry], ensure_ascii=True, allow_nan=False, indent=1)
    return f"---\nmodel-index: {told}\n---\n"


def _interval(metric: Metric) -> str:
    if metric.low is None or metric.high is None:
        return "unknown"
    return f"{metric.low:.4f} to {metric.high:.4f}"
