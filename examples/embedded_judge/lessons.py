"""Lessons of the embedded judge: a reference, a reason and the score that the pair deserves.

From lists written for ordinary items, from the known truth of earlier rounds, from generated items
in the wordings of several authors, and from true reasons that a program turns into false ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from claim_reader.hostile import hostile
from claim_reader.train import ATTACKS, SETS
from claim_reader.wordings import templates, wordings

from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import FAMILIES
from rmaudit.parsing.sides import reason_about, swap_names
from rmaudit.records import About
from rmaudit.resources import folder

LISTS = Path(__file__).parent / "lists.jsonl"
Sided = tuple[str, About]


class Lesson(NamedTuple):
    """Reference, reason, score from 0 to 1, and where the pair is from."""

    reference: Sided
    reason: Sided
    score: float
    source: str


def ordinary(path: Path = LISTS) -> Iterator[tuple[str, Lesson]]:
    """Every pair of the written lists, with the id of its item, and true reasons turned false."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        item = Item.model_validate(row["item"])
        rng = Random(f"ordinary/{item.id}")
        for wording, given in row["lists"].items():
            yield from ((item.id, one) for one in _listed(item, given, wording, rng))


def _listed(item: Item, given: dict, wording: str, rng: Random) -> Iterator[Lesson]:
    for column, told in enumerate(given["reasons"]):
        reason = told["text"], told["about"]
        for row, reference in enumerate(item.reasons):
            score = given["matrix"][row][column]
            lesson = Lesson((reference.text, reference.about), reason, score, wording)
            yield lesson
            if score >= 0.75:
                yield from turned(lesson, rng)


DENIALS = (
    "It is not true that {}", "It would be wrong to say that {}", "I disagree that {}",
    "One cannot say that {}", "Some might claim that {} That does not hold up.",
    "The objection that {} is unfounded.",
)  # fmt: skip
APPROVALS = (
    "{} This is right.", "{} And that is exactly what was wanted.",
    "{} I count this as a strength.",
    "Rightly so: {}", "{} That is no problem at all.",
)  # fmt: skip
QUESTIONS = (
    "Is it the case that {}?",
    "One should check whether {}",
    "If {} it would be a problem.",
)


def turned(lesson: Lesson, rng: Random) -> Iterator[Lesson]:
    """A true reason denied, approved, asked, laid to the other side or to both: worth 0."""
    text, about = lesson.reason
    inner = text if text.split(" ")[0].isupper() else text[:1].lower() + text[1:]
    template = rng.choice(DENIALS)
    yield lesson._replace(reason=(template.format(inner), about), score=0.0, source="denied")
    yield lesson._replace(
        reason=(rng.choice(APPROVALS).format(text), about), score=0.0, source="approved"
    )
    asked = rng.choice(QUESTIONS).format(inner.rstrip("."))
    yield lesson._replace(reason=(asked, about), score=0.0, source="asked")
    if about in ("a", "b"):
        other: About = "b" if about == "a" else "a"
        yield lesson._replace(reason=(swap_names(text), other), score=0.0, source="other side")
        name = f"Response {about.upper()}"
        if name in text:
            both = text.replace(name, "Each of the two responses")
            yield lesson._replace(reason=(both, "both"), score=0.0, source="both sides")


def earlier() -> Iterator[tuple[str, Lesson]]:
    """Every pair of the known truth that earlier judges were improved on."""
    for name in ("pairs", "earlier"):
        path = folder("checklists") / "known_truth" / f"{name}.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            item = Item.model_validate(row["item"])
            for column, told in enumerate(row["reasons"]):
                about = reason_about(told["text"])[0] or told["about"]
                for reference, scores in zip(item.reasons, row["matrix"], strict=True):
                    yield (
                        item.id,
                        Lesson(
                            (reference.text, reference.about),
                            (told["text"], about),
                            scores[column],
                            "earlier",
                        ),
                    )


def generated(n: int, seed: int) -> Iterator[tuple[str, Lesson]]:
    """Pairs of generated items: wordings of each fault, of the others, and hostile texts."""
    rng = Random(f"generated/{seed}")
    for item in make_items(list(FAMILIES.values()), n=n, seed=seed):
        told = [(at, (one.text, one.about), "reference") for at, one in enumerate(item.reasons)]
        for name in SETS:
            for table in templates(name):
                every = list(wordings(item, name, table))
                for one in rng.sample(every, min(4, len(every))):
                    told.append((one.ref, (one.reason.text, one.reason.about), "reworded"))
        for ref, reason, source in told:
            for at, reference in enumerate(item.reasons):
                if at == ref or reference.about == reason[1]:
                    sided = (reference.text, reference.about)
                    yield item.id, Lesson(sided, reason, float(at == ref), source)
        for author in ATTACKS:
            every_one = [one for one in hostile(item, author) if one.kind != "random words"]
            for found in rng.sample(every_one, min(8, len(every_one))):
                reference = item.reasons[found.ref]
                sided = (reference.text, reference.about)
                reason = (found.reason.text, found.reason.about)
                yield item.id, Lesson(sided, reason, 0.0, "hostile")
