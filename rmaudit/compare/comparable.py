"""What may be compared between two runs, from their manifests alone.

A number depends on more than the model: on the judge, its view and prompt, on how many reasons
count, on how verdicts are read. A metric is compared only where all that it depends on agrees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from rmaudit.metrics.registry import alike_for
from rmaudit.metrics.spec import Shared
from rmaudit.run.manifest import RunManifest
from rmaudit.run.ordinary import recall_sentence

_JUDGE = {
    "judge": "judges",
    "judge_digest": "judges' models",
    "judge_view": "judges' views",
    "judge_prompt": "judges' prompts",
    "judge_max_tokens": "judges' answer budgets",
}
_LABELER = {
    "labeler": "labellers",
    "labeler_digest": "labellers' models",
    "labeler_prompt": "labellers' prompts",
    "judge_view": "views of judge and labeller",
}
_NAMED = ("judge", "judge_view", "labeler")


class Barred(NamedTuple):
    """Metrics that are not compared, and why."""

    metrics: tuple[str, ...]
    why: str


class Comparable(NamedTuple):
    """What is compared, what is not and why, and what a reader should know."""

    names: tuple[str, ...]
    barred: tuple[Barred, ...]
    notes: tuple[str, ...]


def comparable(first: RunManifest, second: RunManifest, names: Iterable[str]) -> Comparable:
    """Sorts metric names into those that both runs measured in the same way, and the others."""
    left = list(names)
    barred = []
    for why, applies in _differences(first, second):
        hit = tuple(name for name in left if applies(name))
        left = [name for name in left if name not in hit]
        if hit:
            barred.append(Barred(hit, why))
    return Comparable(tuple(left), tuple(barred), tuple(_notes(first, second)))


def _differences(
    first: RunManifest, second: RunManifest
) -> list[tuple[str, Callable[[str], bool]]]:
    """What differs between two runs, each with the metrics that depend on it."""
    one, two = first.identity, second.identity
    differ = one.differences(two)
    found: list[tuple[str, Callable[[str], bool]]] = []
    recorded = one.judge == two.judge == "replay"
    judge = {} if recorded else _JUDGE
    for fields, applies in ((judge, _on("judge")), (_LABELER, _on("labeler"))):
        for field, words in fields.items():
            if field in differ:
                values = differ[field]
                named = f" ({values.first} and {values.second})" if field in _NAMED else ""
                found.append((f"the {words} differ{named}", applies))
    if first.max_reasons != second.max_reasons:
        why = f"max_reasons differs ({first.max_reasons} and {second.max_reasons})"
        found.append((why, _on("max_reasons")))
    if first.items_sha256 != second.items_sha256:
        why = (
            "the items differ, and what lists that read nothing earn depends on how much the "
            "responses of an item differ"
        )
        found.append((why, _on("items")))
    if first.verdicts != second.verdicts:
        why = f"verdicts were read in two ways ({first.verdicts} and {second.verdicts})"
        found.append((why, _on("verdicts")))
    return found


def _on(shared: Shared) -> Callable[[str], bool]:
    """Whether a metric depends on what two runs should have in common."""
    return lambda name: shared in alike_for(name)


def _notes(first: RunManifest, second: RunManifest) -> list[str]:
    notes = []
    if _set_hashes(first) != _set_hashes(second):
        notes.append("the sets differ; compared are the items that are the same in both")
    if first.identity.prompt != second.identity.prompt or (
        first.prompts != second.prompts and first.profile != second.profile
    ):
        notes.append("the models were asked with different prompts: a change is of both together")
    if first.guidelines != second.guidelines:
        notes.append(
            "guidelines in the prompt differ: a change is of model and guidelines together"
        )
    elif first.target.digest == second.target.digest:
        notes.append("both runs are of one model: what differs is sampling or settings")
    if first.samples != second.samples:
        notes.append(f"{first.samples} and {second.samples} samples a prompt")
    if first.identity.judge == second.identity.judge == "replay":
        notes.append("the judge's answers are recorded; that one judge gave them is taken on trust")
    of_each = _of_one(first), _of_one(second)
    notes += [f"both runs: {note}" for note in of_each[0] if note in of_each[1]]
    for place, own, other in (("first", *of_each), ("second", *of_each[::-1])):
        notes += [f"{place} run: {note}" for note in own if note not in other]
    return notes


def _of_one(manifest: RunManifest) -> list[str]:
    notes = []
    if manifest.engine.name == "replay":
        notes.append("recorded answers; what gave them is taken on trust")
    cached = manifest.judge.counts.cached
    if cached:
        notes.append(
            f"{cached} answers of the judge come from its cache: they repeat earlier "
            "ones and show nothing of its own noise"
        )
    if manifest.judge.approximate:
        notes.append("the judge is approximate")
    if told := recall_sentence(manifest):
        notes.append(told)
    if manifest.judge_standing:
        notes.append(f"the judge is {manifest.judge_standing}")
    if manifest.weak_labels:
        notes.append(manifest.weak_labels)
    if manifest.stopping != "full":
        notes.append(
            f"it is {manifest.stopping}: its number of items was not fixed beforehand, and "
            "intervals here may be too narrow"
        )
    return notes


def _set_hashes(manifest: RunManifest) -> set[str]:
    return {one.sha256 for one in manifest.sets}
