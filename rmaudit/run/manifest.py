"""manifest.json as a record: how a run was made, of what, by whom it was judged.

Keys that this version does not know, and what engines, judges and labellers report of themselves,
are kept as they are: a record writes what was read or given, in that order, and what was set later
at the end. A field that was never given is not written.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import Field, StrictBool, StrictInt, ValidationError

from rmaudit.checklists.references.finding import words_for
from rmaudit.errors import InputError
from rmaudit.run.faults import fault_of
from rmaudit.run.graders import JudgeFacts, LabelerFacts
from rmaudit.run.open_record import Number, OpenRecord
from rmaudit.run.schema import SCHEMA_VERSION
from rmaudit.taxonomy import SCORES_ONLY


class TargetFacts(OpenRecord):
    """The audited model.

    weights: complete, or why that is not known. typed: options of the scan that belong to this
    target alone, as typed; said only where there were any.
    """

    spec: str
    name: str
    digest: str
    path: str | None = None
    kind: str | None = None
    planted: StrictBool = False
    weights: str | None = None
    lower_is_better: StrictBool = False
    typed: list[str] | None = None


class SetFacts(OpenRecord):
    """A checklist set, by its content."""

    name: str
    version: str
    origin: str
    sha256: str
    items: StrictInt
    skipped_lines: StrictInt
    stale_card: StrictBool


class ReferenceFacts(OpenRecord):
    """What was read of the references of the items before a model was loaded.

    counts: findings by kind, see `checklists.references`. pairs_left_out: pairs of items that were
    not compared with each other.
    """

    items: StrictInt
    items_with_findings: StrictInt
    reasons: StrictInt
    gold_judgments: StrictInt
    gold_judgments_read: StrictInt
    pairs_left_out: StrictInt = 0
    counts: dict[str, StrictInt] = Field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """What was found, '' where nothing was."""
        if not self.counts:
            return ""
        kinds = "; ".join(f"{words_for(kind)}: {count:,}" for kind, count in self.counts.items())
        return (
            f"references contradict themselves in {self.items_with_findings:,} of {self.items:,} "
            f"items ({kinds})"
        )


class EngineFacts(OpenRecord):
    """What completed the prompts, and why this engine."""

    name: str
    why: str


class Seeds(OpenRecord):
    """Seeds of the run, of bootstrap intervals, of the pairing for chance."""

    run: StrictInt
    bootstrap: StrictInt
    chance: StrictInt


class SamplingFacts(OpenRecord):
    """How answers were drawn; nothing where no model was prompted."""

    temperature: Number | None = None
    top_p: Number | None = None
    top_k: StrictInt | None = None
    max_tokens: StrictInt | None = None


class PolicyFacts(OpenRecord):
    """A policy, by its content."""

    name: str
    sha256: str


class LookFacts(OpenRecord):
    """One look at a run that may stop: after so many items, the rules that were open."""

    items: StrictInt
    open: list[str]


class Sequential(OpenRecord):
    """A run that stopped by its results, or might have."""

    policy: PolicyFacts
    decided: StrictBool
    items_used: StrictInt
    items_planned: StrictInt
    groups_used: StrictInt
    groups_planned: StrictInt
    looks: list[LookFacts]
    rules: dict[str, str]


class NullFacts(OpenRecord):
    """The lists that read nothing, which the run's judge scored beside the model's.

    items: on so many at most, the first that have references. why: they were not scored, '' where
    they were. drawn: of a merged run, the items.
    """

    items: StrictInt
    why: str = ""
    drawn: list[str] | None = None


class MergedPart(OpenRecord):
    """One of the runs that a merged run was made of."""

    run: str
    items: StrictInt
    row_hashes: dict[str, str] | None


class Differing(NamedTuple):
    """A value of an identity in two runs; None where one lacks it."""

    first: Any
    second: Any


class Identity(OpenRecord):
    """What decides the result of a run: a resume must not change any of it.

    The judge and the labeller add facts of theirs, whose names begin with `judge` and `labeler`.
    """

    target: str | None = None
    set: str | None = None
    limit: StrictInt | None = None
    seed: StrictInt | None = None
    orders: str | None = None
    samples: StrictInt | None = None
    max_reasons: StrictInt | None = None
    verdicts: str | None = None
    judge: str | None = None
    judge_view: str | None = None
    labeler: str | None = None
    engine: str | None = None
    profile: str | None = None
    temperature: Number | None = None
    top_p: Number | None = None
    top_k: StrictInt | None = None
    max_tokens: StrictInt | None = None
    prompt: str | None = None
    until_decided: str | None = None
    guidelines: list[str] | None = None
    lower_is_better: StrictBool | None = None

    def differences(self, other: Identity) -> dict[str, Differing]:
        """What differs, in the order of names."""
        one, two = self.as_dict(), other.as_dict()
        values = {name: Differing(one.get(name), two.get(name)) for name in sorted({*one, *two})}
        return {name: pair for name, pair in values.items() if pair.first != pair.second}

    def names(self) -> list[str]:
        """What is said, in the order in which it was given."""
        return list(self.as_dict())


class RunManifest(OpenRecord):
    """manifest.json.

    Attributes:
        schema_version: of the run directory; see `schema`.
        rm_type: how the target judges, `score` where it gives no reasons; `rm_type_why` tells
            from what that was seen.
        n_items: that count: fewer than planned in a run that stopped early.
        items_sha256: hash of the items as planned, '' where it is not known.
        references: what was found in them; None where a program made all, so that none were read.
        chance_items: `rc.chance` was measured on so many items at most; None for all.
        nulls: the lists that read nothing; None in a run that knew none.
        verdicts: `parsed`, or `recorded` where those of the recorded answers count.
        guidelines: what was put before the prompt.
        prompts: sha256 of each template by name.
        measures: what was asked for with calls of its own, each with why it does not apply or ''.
        stopping: `full`, `quick` (fewer measures and orders) or `sequential`.
        status: `planned`, `running`, `finished`, `interrupted` or `failed`.
        reference_visible: whether the model saw the references of an item; see `saw_references`.
        row_hashes: sha256 of each row file by name, once the run has ended.
        options: of the scan, as typed, those that decide what it measures; None in an older run.
        file_hashes: the same of items, card, prompts and numbers, by their place in the folder.
        resumed_over: what had been changed in it when a finished run was resumed.
        seal: sha256 of this manifest without it, once the run has ended; see `seal`.
        chance_drawn: of a merged run: items that `rc.chance` was measured on.
    """

    schema_version: StrictInt
    tool_version: str
    target: TargetFacts
    rm_type: str
    rm_type_why: str
    sets: list[SetFacts]
    n_items: StrictInt
    items_sha256: str = ""
    reference_origins: list[str]
    references: ReferenceFacts | None = None
    judge: JudgeFacts
    labeler: LabelerFacts | None = None
    judge_view: str
    chance_items: StrictInt | None = None
    nulls: NullFacts | None = None
    max_reasons: StrictInt
    verdicts: str
    orders: list[Literal["ab", "ba"]]
    samples: StrictInt
    seeds: Seeds
    profile: str
    sampling: SamplingFacts
    guidelines: list[str] = Field(default_factory=list)
    prompts: dict[str, str]
    neutralised_delimiters: StrictInt
    engine: EngineFacts
    reference_visible: StrictBool | Literal["yes", "no", "unknown"]
    stopping: str = "full"
    measures: dict[str, str] = Field(default_factory=dict)
    identity: Identity
    started: str
    finished: str | None
    status: str
    sequential: Sequential | None = None
    recorded_compared: StrictInt | None = None
    recorded_differences: StrictInt | None = None
    row_hashes: dict[str, str] | None = None
    options: list[str] | None = None
    file_hashes: dict[str, str] | None = None
    resumed_over: list[str] = Field(default_factory=list)
    chance_drawn: list[str] | None = None
    merged_from: list[MergedPart] | None = None
    seal: str | None = None

    @property
    def gives_reasons(self) -> bool:
        """Whether the target says why; a score-only model does not."""
        return self.rm_type not in SCORES_ONLY

    @property
    def judge_standing(self) -> str:
        """What stands against the judge, '' where nothing does or no reasons are judged."""
        return self.judge.standing if self.gives_reasons else ""

    def unfit(self, metric: str) -> str:
        """Why a metric rests on labels that are too bad for a headline or a rule; '' else."""
        return "" if self.labeler is None else self.labeler.unfit(metric)

    @property
    def weak_labels(self) -> str:
        """Which labels stay out of headlines and rules, and why; '' where none do."""
        labeler = self.labeler if self.gives_reasons else None
        if labeler is None or not labeler.weak:
            return ""
        told = labeler.told(labeler.weak)
        return f"the labeller {labeler.spec} {told}: no headline and no rule rests on these"

    @property
    def saw_references(self) -> Literal["yes", "no", "unknown"]:
        """Whether the references of an item stood before the model when it judged.

        Of recorded answers nobody here knows; runs before schema 4 said `false` of them as well.
        """
        if not isinstance(self.reference_visible, bool):
            return self.reference_visible
        if self.reference_visible:
            return "yes"
        return "unknown" if self.engine.name == "replay" else "no"


def manifest_of(data: Mapping[str, Any], path: Path) -> RunManifest:
    """The record of a manifest file's content.

    Args:
        data: of the file.
        path: of the file, for errors.

    Raises:
        InputError: it is of a newer schema, or a field is missing or holds what it cannot hold.
    """
    version = data.get("schema_version")
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        raise InputError(
            f"{path.parent} has schema version {version}; this rmaudit reads up to "
            f"{SCHEMA_VERSION}",
            "update rmaudit",
        )
    try:
        return RunManifest.model_validate(data)
    except ValidationError as error:
        field, what = fault_of(error)
        raise InputError(
            f"{path} is damaged, field {field}: {what}", "restore the file, or scan again"
        ) from error
