"""Lessons of the learned judge: sheets of references and reasons with the score of every pair.

From items with lists in three wordings, from shorter lists of faults, from the known truth of
earlier judges and from generated items; and from true reasons that a program turns into false.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

from claim_reader.hostile import hostile
from claim_reader.train import ATTACKS, SETS
from claim_reader.wordings import TAUGHT, templates, wordings

from embedded_judge.turned import NUMBER, OTHER, Told, other_numbers, turned
from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import choose
from rmaudit.nulls.lists import NULLS
from rmaudit.parsing.sides import reason_about
from rmaudit.records import About
from rmaudit.resources import folder

WRITTEN = Path(__file__).parent / "written"
UNKNOWN = math.nan
OTHER_VALUE = 0.15
"""What a reason earns whose every number is another one."""
SAME_PRAISE = 0.9
MERITS = ("praise", "opposite")
LONGEST_NULL = 300

Sided = tuple[str, About]


class Sheet(NamedTuple):
    """References, reasons and the scores, a row for each reference; NaN where nobody knows."""

    references: list[Sided]
    reasons: list[Told]
    matrix: list[list[float]]


class Source(Protocol):
    """Something that makes sheets, `size` different ones."""

    size: int

    def sheet(self, number: int, rng: Random) -> Sheet:
        """One of them, with what the generator draws."""
        ...


class Columns:
    """A sheet in the making: reasons with their scores against the references."""

    def __init__(self, references: Sequence[Sided]) -> None:
        self.references = list(references)
        self.reasons: list[Told] = []
        self.scores: list[list[float]] = []

    def add(self, told: Told, scores: Sequence[float] | None = None) -> None:
        """A reason; without scores it is worth nothing."""
        self.reasons.append(told)
        self.scores.append(list(scores or [0.0] * len(self.references)))

    def rows(self) -> list[list[float]]:
        """The scores, a row for each reference."""
        return [list(row) for row in zip(*self.scores, strict=True)]

    def contrasted(self, item: Item | None, rng: Random) -> Sheet:
        """The sheet with what a program makes of it: false reasons, and other references."""
        written = len(self.reasons)
        pool = [
            (text, about, [float(row == at) for at in range(len(self.references))])
            for row, (text, about) in enumerate(self.references)
        ]
        for (text, about, source), scores in zip(self.reasons, self.scores, strict=True):
            if source.endswith("/true") and max(scores) == 1:
                pool.append((text, about, scores))
        for text, about, _ in rng.sample(pool, min(3, len(pool))):
            made = list(turned(text, about, rng))
            for one in rng.sample(made, min(3, len(made))):
                self.add(one)
        numbered = [one for one in pool if NUMBER.search(one[0])]
        for text, about, scores in rng.sample(numbered, min(2, len(numbered))):
            told = other_numbers(text, rng), about, "other value"
            self.add(told, [OTHER_VALUE if score else 0.0 for score in scores])
        for name in rng.sample(["diff_words", "diff_sentences", "restated"], 2) if item else ():
            nulls = [one for one in NULLS[name](item) if len(one.text) < LONGEST_NULL]
            if nulls:
                null = rng.choice(nulls)
                self.add((null.text, null.about, "null"))
        return self._with_other_references(written, rng)

    def _with_other_references(self, written: int, rng: Random) -> Sheet:
        """A true reason may stand for its reference, and praise for a reference that praises."""
        references = list(self.references)
        matrix = self.rows()
        if rng.random() < 0.8:
            for row in range(len(self.references)):
                told = [at for at in range(written) if self._states_only(at, row)]
                if told and rng.random() < 0.6:
                    drawn = rng.choice(told)
                    references.append(self.reasons[drawn][:2])
                    matrix.append([
                        score if score in (0, 1) and at != drawn else UNKNOWN
                        for at, score in enumerate(matrix[row])
                    ])  # fmt: skip
        said = [many for many in self._praise(written) if len(many) > 1]
        if said and rng.random() < 0.35:
            same = rng.choice(said)
            drawn = rng.choice(same)
            references.append(self.reasons[drawn][:2])
            matrix.append([self._of_praise(at, drawn, same) for at in range(len(self.reasons))])
        reasons = [_without_side(one) if rng.random() < 0.1 else one for one in self.reasons]
        return Sheet(references, reasons, matrix)

    def _states_only(self, at: int, row: int) -> bool:
        scores = self.scores[at]
        return (
            self.reasons[at][2].endswith("/true")
            and scores[row] == 1
            and sum(score > 0 for score in scores) == 1
        )

    def _praise(self, written: int) -> list[list[int]]:
        """Praise that stands at one place of the lists of all wordings."""
        places: dict[tuple[str, About, int], list[int]] = {}
        for at in range(written):
            wording, _, kind = self.reasons[at][2].partition("/")
            if kind in MERITS:
                place = sum(one[2].startswith(f"{wording}/") for one in self.reasons[:at])
                places.setdefault((kind, self.reasons[at][1], place), []).append(at)
        return list(places.values())

    def _of_praise(self, at: int, drawn: int, same: Sequence[int]) -> float:
        if at == drawn:
            return UNKNOWN
        if at in same:
            return SAME_PRAISE
        kind = self.reasons[at][2].rpartition("/")[2]
        return UNKNOWN if kind in (*MERITS, "approved", "denied") else 0.0


def _without_side(told: Told) -> Told:
    text, about, source = told
    hidden = about in OTHER and reason_about(text)[0] is None
    return (text, None, source) if hidden else told


class Lists:
    """Items with lists in three wordings, by several authors."""

    def __init__(self, keep: Sequence[str], path: Path = WRITTEN / "lists.jsonl") -> None:
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        self.rows = [
            (Item.model_validate(row["item"]), row["lists"])
            for row in rows
            if row["item"]["meta"]["author"] in keep
        ]
        self.size = len(self.rows)

    def sheet(self, number: int, rng: Random) -> Sheet:
        """All wordings of an item together."""
        item, lists = self.rows[number]
        made = Columns([(one.text, one.about) for one in item.reasons])
        for wording, given in lists.items():
            for at, told in enumerate(given["reasons"]):
                source = f"{wording}/{told['kind']}"
                column = [row[at] for row in given["matrix"]]
                made.add((told["text"], told["about"], source), column)
        return made.contrasted(item, rng)

    def plain(self, wording: str) -> Iterator[Sheet]:
        """The lists of one wording as they were written."""
        for item, lists in self.rows:
            given = lists[wording]
            reasons = [
                (one["text"], one["about"], f"{wording}/{one['kind']}") for one in given["reasons"]
            ]
            yield Sheet([(r.text, r.about) for r in item.reasons], reasons, given["matrix"])


WORDINGS = {"S": "same/true", "J": "judge/true", "F": "free/true"}


class Faults:
    """Shorter lists without responses; README.md says how a file is laid out."""

    def __init__(self, *names: str) -> None:
        self.said = [
            (line[2:], "vague/good" if line.startswith("+") else "vague/bad")
            for line in (WRITTEN / "polarity.txt").read_text(encoding="utf-8").splitlines()
        ]
        self.sheets: list[tuple[Columns, About]] = []
        for name in names:
            text = (WRITTEN / f"{name}.txt").read_text(encoding="utf-8")
            for block in re.split(r"(?m)^# ", text)[1:]:
                self.sheets.append(self._read(block.splitlines()))
        self.size = len(self.sheets)

    def _read(self, lines: Sequence[str]) -> tuple[Columns, About]:
        side: About = "a" if lines[0].split()[2] == "a" else "b"
        told = [line.partition(" ")[::2] for line in lines[1:] if line]
        made = Columns([(text, side) for mark, text in told if mark == "R"])
        row = -1
        for mark, text in told:
            if mark == "R":
                row += 1
            elif mark in WORDINGS:
                column = [float(row == at) for at in range(len(made.references))]
                made.add((text, side, WORDINGS[mark]), column)
            elif mark == "O":
                made.add((text, side, "judge/opposite"))
            elif mark == "N":
                made.add(_near_miss(text))
        return made, side

    def sheet(self, number: int, rng: Random) -> Sheet:
        """One list, with praise and blame that would fit any response."""
        given, side = self.sheets[number]
        made = Columns(given.references)
        made.reasons, made.scores = given.reasons[:], given.scores[:]
        for text, source in rng.sample(self.said, 4):
            named = re.sub(r"^(Response )?[AB]\b(?=['’ ])", f"Response {str(side).upper()}", text)
            made.add((named, side, source))
        return made.contrasted(None, rng)


def _near_miss(text: str) -> Told:
    """The side stands before it, or is that of the only response that it names by its letter."""
    if found := re.match(r"([ab]): (.*)", text):
        return found[2], "a" if found[1] == "a" else "b", "near/none"
    names = set(re.findall(r"\b[AB]\b", text))
    about: About = None
    if len(names) == 1:
        about = "a" if names == {"A"} else "b"
    return text, about, "near/none"


class Earlier:
    """The known truth that earlier judges were improved on."""

    def __init__(self) -> None:
        self.rows = [
            json.loads(line)
            for name in ("pairs", "earlier")
            for line in (folder("checklists") / "known_truth" / f"{name}.jsonl")
            .read_text(encoding="utf-8")
            .splitlines()
        ]
        self.size = len(self.rows)

    def sheet(self, number: int, rng: Random) -> Sheet:
        """One list, and a few references turned."""
        row = self.rows[number]
        made = Columns([(one["text"], one.get("about")) for one in row["item"]["reasons"]])
        for at, told in enumerate(row["reasons"]):
            about = reason_about(told["text"])[0] or told["about"]
            made.add((told["text"], about, "earlier"), [line[at] for line in row["matrix"]])
        for at in rng.sample(range(len(made.references)), min(2, len(made.references))):
            text, about = made.references[at]
            made.add(
                (text, about, "reference"), [float(k == at) for k in range(len(made.references))]
            )
            for one in rng.sample(list(turned(text, about, rng)), 2):
                made.add(one)
        return Sheet(made.references, made.reasons, made.rows())


class Generated:
    """Generated items in the wordings of several authors, and hostile texts."""

    def __init__(self, n: int, seed: int) -> None:
        self.rows = list(make_items(choose(TAUGHT), n=n, seed=seed))
        self.size = len(self.rows)

    def sheet(self, number: int, rng: Random) -> Sheet:
        """One item."""
        item = self.rows[number]
        made = Columns([(one.text, one.about) for one in item.reasons])
        for name in rng.sample(list(SETS), min(4, len(SETS))):
            table = rng.choice(sorted({"close", "free"} & templates(name).keys()))
            every = list(wordings(item, name, table))
            for one in rng.sample(every, min(3, len(every))):
                column = [float(at == one.ref) for at in range(len(item.reasons))]
                made.add((one.reason.text, one.reason.about, "reworded"), column)
        attacks = list(hostile(item, rng.choice(list(ATTACKS))))
        for found in rng.sample(attacks, min(6, len(attacks))):
            made.add((found.reason.text, found.reason.about, "hostile"))
        return Sheet(made.references, made.reasons, made.rows())
