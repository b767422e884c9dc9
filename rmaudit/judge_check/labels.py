"""How well a labeller knows the categories and flaws: precision and recall on planted cases.

A case is one reason about a small item, labelled by hand (`templates/labels`). `planted` is the
batch that the embedded labeller was made with, `held_out` one that was written afterwards and has
been read since; `unseen`, about other items, only measures.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from rmaudit.checklists.schema import Item, Turn
from rmaudit.labelling.protocol import Labeler, LabelRequest
from rmaudit.parsing.sides import reason_about
from rmaudit.records import Key, LabelSet, ModelReason, Verdict
from rmaudit.resources import folder
from rmaudit.taxonomy import CATEGORY_NAMES, FLAW_NAMES
from rmaudit.text.toml import read_toml

Batch = Literal["planted", "held_out", "unseen"]
SCENES = {"planted": "scenes", "held_out": "scenes", "unseen": "unseen_scenes"}
READERS = frozenset({"F5", "F6", "F7"})
"""Counted on their own cases and near misses alone: elsewhere a fair reader may see them or not."""


@dataclass(frozen=True, slots=True)
class LabelCase:
    """A reason of an answer, with its labels.

    Attributes:
        name: batch and number.
        item: request and responses.
        reasons: those of the answer; the last one is labelled.
        verdict: of the answer.
        has: its category and flaws.
        near: labels that it nearly has.
        open: labels on which fair readers differ; they are not counted.
    """

    name: str
    item: Item
    reasons: tuple[ModelReason, ...]
    verdict: Verdict
    has: frozenset[str]
    near: frozenset[str]
    open: frozenset[str]

    def counts_for(self, label: str) -> bool:
        """Whether having the label or not is settled."""
        if label in READERS:
            return label in self.has | self.near
        return label not in self.open


class Score(NamedTuple):
    """How a labeller gave one label."""

    label: str
    positives: int
    near_misses: int
    right: int
    wrong: int

    @property
    def precision(self) -> float | None:
        """Of those that it gave the label, how many have it; None where it gave none."""
        given = self.right + self.wrong
        return self.right / given if given else None

    @property
    def recall(self) -> float:
        """Of those that have the label, how many it gave it."""
        return self.right / self.positives


class LabelQuality(NamedTuple):
    """Scores of the labels that a labeller decides, and how many cases it failed on."""

    scores: tuple[Score, ...]
    failed: int


@cache
def load_cases(batch: Batch) -> tuple[LabelCase, ...]:
    """The cases of a batch, in the order of its file."""
    where = folder("templates") / "labels"
    items = _scenes((where / f"{SCENES[batch]}.toml").read_text(encoding="utf-8"))
    with (where / f"{batch}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="|", quoting=csv.QUOTE_NONE))
    return tuple(
        LabelCase(
            name=f"{batch}-{number}",
            item=items[row["scene"]],
            reasons=tuple(
                ModelReason(text, reason_about(text)[0])
                for text in (row["beside"], row["reason"])
                if text
            ),
            verdict=items[row["scene"]].label,
            has=frozenset((row["category"] + " " + row["flaws"]).split()),
            near=frozenset(row["near"].split()),
            # A case of no category is one that could be of two.
            open=frozenset(row["open"].split() if row["category"] else CATEGORY_NAMES),
        )
        for number, row in enumerate(rows, start=1)
    )


def _scenes(text: str) -> dict[str, Item]:
    return {
        name: Item(
            id=name,
            domain=scene["domain"],
            prompt=[Turn(role="user", content=scene["request"])],
            response_a=scene["response_a"],
            response_b=scene["response_b"],
            label="a",
        )
        for name, scene in read_toml(text).items()
    }


def check_labeler(labeler: Labeler, batch: Batch = "held_out") -> LabelQuality:
    """Puts a batch of cases to a labeller and scores its answers.

    Raises:
        InputError: the labeller's model cannot be loaded as asked.
        RmauditError: the labeller cannot go on.
    """
    cases = load_cases(batch)
    requests = [
        LabelRequest(Key(case.name), case.item, case.reasons, case.verdict) for case in cases
    ]
    found = {answer.key.item: answer.labels for answer in labeler.label(requests)}
    return score_labels(cases, [found[case.name] for case in cases])


def score_labels(cases: Sequence[LabelCase], found: Sequence[LabelSet]) -> LabelQuality:
    """Precision and recall of each label that was tested; failed cases count as misses.

    Args:
        cases: what was put to the labeller.
        found: what it said of each.
    """
    tested = {label for one in found if one.failure is None for label in one.tested}
    labels = [
        label
        for label in (*CATEGORY_NAMES, *FLAW_NAMES)
        if label in tested or ("category" in tested and label in CATEGORY_NAMES)
    ]
    scores = []
    for label in labels:
        counted = [
            (case, one) for case, one in zip(cases, found, strict=True) if case.counts_for(label)
        ]
        given = [(case, _gives(one, label)) for case, one in counted]
        scores.append(
            Score(
                label,
                positives=sum(label in case.has for case, _ in counted),
                near_misses=sum(label in case.near for case, _ in counted),
                right=sum(gives and label in case.has for case, gives in given),
                wrong=sum(gives and label not in case.has for case, gives in given),
            )
        )
    return LabelQuality(tuple(scores), sum(one.failure is not None for one in found))


def _gives(found: LabelSet, label: str) -> bool:
    """Whether the last reason got the label."""
    if found.failure is not None:
        return False
    last = found.labels[-1]
    return label == last.category or label in last.flaws
