"""What a gate knows of a run: its files read, checked against each other, and measured again.

The checks find accidents and staleness: a row file that was edited or lost, numbers that are not
those of the rows. They do not stop a forger, who can write the hashes as well.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.metrics.parts import part_of, rows_of
from rmaudit.metrics.registry import alike_for, reader_of, since
from rmaudit.metrics.spec import Reader
from rmaudit.metrics.stopping import GroupLimits
from rmaudit.metrics.table import Table
from rmaudit.models.completeness import COMPLETE
from rmaudit.prompts import NOT_TRAINED_ON, not_trained_on
from rmaudit.records import ItemResult
from rmaudit.run.answers import answer_hashes, same_answers
from rmaudit.run.directory import METRICS, RunDir
from rmaudit.run.integrity import SOUND, Integrity, check
from rmaudit.run.item import run_items
from rmaudit.run.manifest import RunManifest
from rmaudit.run.numbers import read_numbers
from rmaudit.run.table import run_table, settings_of

SAME = 1e-9
"""Values that differ by less are one value, recomputed."""
_ABOUT_ITEMS = ("set", "prompt", "max_reasons", "orders", "samples", "verdicts")


@dataclass(frozen=True, slots=True)
class RunEvidence:
    """One run, measured again from its row files.

    Attributes:
        name: of the audited model.
        manifest: of the run.
        table: from the row files; None where they cannot be read.
        results: of the items that count, in the seeded order.
        recorded: values of metrics.json, by slice ('' for the whole run) and metric; None in a
            run that is not at its end.
        problems: why the run is no valid evidence; none where it is.
        limits: how much one group can hold.
        seed: of the bootstrap.
        answers: hash of each item's answers, by item.
        integrity: what the check of the run found.
    """

    name: str
    manifest: RunManifest
    table: Table | None
    results: tuple[ItemResult, ...]
    recorded: Mapping[str, Mapping[str, float | None]] | None
    problems: tuple[str, ...]
    limits: GroupLimits
    seed: int
    answers: Mapping[str, str] = field(default_factory=dict)
    integrity: Integrity = SOUND

    @property
    def notes(self) -> tuple[str, ...]:
        """What a decision has to say of the evidence that carries it."""
        unknown = self.manifest.saw_references == "unknown"
        seen = "whether the model saw the references is not known: its answers are recorded"
        told = [other_prompt(self.manifest)] if other_prompt(self.manifest) else []
        return (*self.integrity.notes, *([seen] if unknown else []), *told)

    @property
    def sequential(self) -> bool:
        """Whether the run stopped, or might have, by what it had seen."""
        return self.manifest.stopping == "sequential"

    def approximate(self, metric: str) -> Reader | None:
        """Who stands behind a metric, where that is the embedded judge or labeller."""
        return approximate_reader(metric, self.manifest)

    def described(self) -> dict[str, Any]:
        """What a decision records of the run."""
        manifest = self.manifest
        return {
            "target": manifest.target.as_dict(),
            "rm_type": manifest.rm_type,
            "sets": [one.as_dict() for one in manifest.sets],
            "items_sha256": manifest.items_sha256,
            "judge": manifest.judge.as_dict(),
            "judge_standing": manifest.judge_standing,
            "stopping": manifest.stopping,
            "started": manifest.started,
            "finished": manifest.finished,
            "tool_version": manifest.tool_version,
            "n_items": len(self.results),
            "row_hashes": manifest.row_hashes,
            "reference_visible": manifest.saw_references,
            "integrity": self.integrity.word or "sound",
        }

    def part(self, slice_: str | None) -> Table | None:
        """The table of a domain, a part or the whole run; None where there are no such rows."""
        if slice_ is None or self.table is None:
            return self.table
        return part_of(self.table, slice_)

    def names(self, slice_: str | None) -> list[str]:
        """The items of `part`, by their code in its table."""
        names = [one.item for one in self.results if one.rows]
        if slice_ is None or self.table is None:
            return names
        keep = rows_of(self.table, slice_)
        codes = [] if keep is None else np.unique(self.table.rows.item[keep]).tolist()
        return [names[code] for code in codes]

    def stale(self, metric: str, slice_: str | None, value: float | None) -> str:
        """How metrics.json differs from a recomputed value, '' where it does not."""
        if self.recorded is None:
            return ""
        where = f"{metric} of {slice_}" if slice_ else metric
        numbers = self.recorded.get(slice_ or "", {})
        if metric not in numbers:
            if self.manifest.schema_version < since(metric):
                return ""
            return f"metrics.json has no {where}"
        recorded = numbers[metric]
        if recorded is None or value is None:
            same = recorded is None and value is None
        else:
            same = abs(recorded - value) <= SAME
        return "" if same else f"metrics.json says {where} is {recorded}, the rows say {value}"


def read_evidence(run: RunDir, *, metrics: Collection[str] | None = None) -> RunEvidence:
    """Reads a finished run.

    metrics: those that will be asked of it, None for any. Reading what quotes and numbers rest on
    takes half of the time, and only some metrics need it.

    Raises:
        InputError: the run is not finished.
    """
    found = check(run)
    manifest = run.manifest()
    if found.word == "unfinished":
        raise InputError(
            f"{run.path} is not finished: {manifest.status}",
            "go on with it: rmaudit scan ... --resume",
        )
    problems = list(found.problems)
    recorded = _recorded(run, problems)
    results: list[ItemResult] = []
    answers: dict[str, str] = {}
    table, limits = None, GroupLimits(1, 1, 1, 1)
    grounded = metrics is None or any(metric.startswith("grounded") for metric in metrics)
    settings = settings_of(manifest)._replace(grounded=grounded)
    try:
        items = run_items(run)
        limits = group_limits(manifest, items)
        results, table = run_table(run, items, settings)
        answers = answer_hashes(run)
    except InputError as error:
        problems.append(error.message)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        problems.append(f"the row files cannot be read: {type(error).__name__}: {error}")
    return RunEvidence(
        name=manifest.target.name,
        manifest=manifest,
        table=table,
        results=tuple(results),
        recorded=recorded,
        problems=tuple(dict.fromkeys(problems)),
        limits=limits,
        seed=manifest.seeds.bootstrap,
        answers=answers,
        integrity=found,
    )


def approximate_reader(metric: str, manifest: RunManifest) -> Reader | None:
    """The judge or labeller behind a metric, where it is the embedded one, which is approximate."""
    reader = reader_of(metric)
    known = {"judge": manifest.judge, "labeler": manifest.labeler}
    facts = None if reader is None else known[reader]
    return reader if facts is not None and facts.approximate else None


def named_reader(reader: Reader, manifest: RunManifest) -> str:
    """The embedded judge or labeller by its name: `builtin judge`, `lexical judge`."""
    facts = manifest.judge if reader == "judge" else manifest.labeler
    return f"{'builtin' if facts is None else facts.spec} {reader}"


def unseen_weights(manifest: RunManifest) -> str:
    """Why nobody knows that all weights of the model were there, '' where they were."""
    weights = manifest.target.weights
    if weights == COMPLETE:
        return ""
    return f"the model's weights: {weights or 'not seen by this scan'}"


def other_prompt(manifest: RunManifest) -> str:
    """That the model was asked by another prompt than it was trained on, '' where it was not."""
    if not not_trained_on(manifest.prompts):
        return ""
    return f"the prompt of profile {manifest.profile} is {NOT_TRAINED_ON}"


def unqualified_judge(metric: str, manifest: RunManifest) -> str:
    """That the judge behind a metric is not qualified by the card that the run cites, else ''."""
    return manifest.judge.unqualified if reader_of(metric) == "judge" else ""


def group_limits(manifest: RunManifest, items: Sequence[Item]) -> GroupLimits:
    """How much one group of a planned run can hold."""
    return GroupLimits.of(
        [item.cluster for item in items],
        orders=len(manifest.orders),
        samples=manifest.samples,
        max_reasons=manifest.max_reasons,
    )


def not_comparable(run: RunEvidence, baseline: RunEvidence, metric: str = "") -> list[str]:
    """What differs between two runs that a difference of theirs must not rest on."""
    return differing(run.manifest, baseline.manifest, metric)


def differing(first: RunManifest, second: RunManifest, metric: str) -> list[str]:
    """The same of two manifests."""
    readers = ("judge", "labeler") if reader_of(metric) == "labeler" else ("judge",)
    found = [
        name.replace("_", " ")
        for name in first.identity.differences(second.identity)
        if name in _ABOUT_ITEMS or name.startswith(readers)
    ]
    other_items = first.items_sha256 != second.items_sha256
    if first.items_sha256 and not other_items:
        found = [name for name in found if name != "set"]  # a set in parts, merged, is the set
    return [*found, *(["items"] if other_items and "items" in alike_for(metric) else [])]


def repeats(run: RunEvidence, baseline: RunEvidence) -> bool:
    """Whether a baseline is the run itself once more, so that nothing is compared.

    It is where both hold the same answers of the same model. Where answers were recorded, the
    digest is one of the file and says nothing of the model: there the same words are the same
    measurement. Of a checkpoint, whose digest is one of its weights, a second run with the same
    settings is a repeat too, whatever a seed or a batch made of its words. A model that was trained
    and still says the same is another one, and its change of nothing was measured.
    """
    one, two = run.manifest, baseline.manifest
    if one.guidelines != two.guidelines:
        return False
    recorded = "replay" in (one.engine.name, two.engine.name)
    same_model = one.target.digest == two.target.digest
    if same_answers(run.answers, baseline.answers):
        return recorded or same_model
    known = same_model and not recorded and "digest_kind" in one.target.as_dict()
    return known and _settings(one) == _settings(two)


def _settings(manifest: RunManifest) -> dict[str, Any]:
    """How a checkpoint was run, as far as it can change its answers beside their seed."""
    engine = manifest.engine.as_dict()
    kept = ("name", "dtype", "quantization")
    return manifest.sampling.as_dict() | {name: engine.get(name) for name in kept}


def _recorded(run: RunDir, problems: list[str]) -> dict[str, dict[str, float | None]]:
    """The values of metrics.json."""
    try:
        numbers = read_numbers(run)
    except InputError as error:
        problems.append(f"{METRICS} cannot be read: {error.message}")
        return {}
    parts = {"": numbers.metrics, **numbers.slices, **numbers.parts}
    return {
        part: {name: metric.value for name, metric in metrics.items()}
        for part, metrics in parts.items()
    }
