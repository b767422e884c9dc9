"""What counts as a verdict in an answer, as data: form, labels, place, scale, place of reasons.

A profile declares one, so that an answer is read by what its prompt asked for: another form, or the
form at another place, is no verdict. `RECORDED` is for answers to prompts that nobody knows: every
form counts, under the same rules of place, role and conflict.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rmaudit.parsing.verdict_grammar import Label, plain_label

Form = Literal["box", "brackets", "bracket", "tag", "json", "caption", "line"]
FORMS: tuple[Form, ...] = ("box", "brackets", "bracket", "tag", "json", "caption", "line")
"""box `\\boxed{A>B}`; brackets `[[A]]`; bracket `[A]`; tag `<answer>A</answer>`; json, a value
under a key; caption `Verdict: A`; line, a line with nothing else."""
At = Literal["last", "first", "closing"]
Reasons = Literal["answer", "thinking", "tags", "keys", "none"]
ScaleKind = Literal["pair", "low_is_a", "high_is_a", "rating"]


class Scale(NamedTuple):
    """How numbers become a verdict.

    low, high: the ends of the scale; a number outside is no verdict.
    kind: `pair` two scores, one a response, the larger wins; `low_is_a` and `high_is_a` one
        number, which end of the scale stands for the response shown first; `rating` one number,
        the score of a response that is judged alone: the larger of two such scores wins.
    margin: scores of a pair that differ by no more, and single numbers no further from the middle,
        are a tie; None where the family's rule knows no tie: then equal scores are no verdict.
    words: those that stand for numbers, in any case (`Yes` for 1); where there are any, a number
        itself is none. rest: what every number that is none of the words stands for, if anything.
    """

    low: float
    high: float
    kind: ScaleKind
    margin: float | None = 0.0
    words: tuple[tuple[str, float], ...] = ()
    rest: float | None = None

    def read(self, text: str) -> tuple[float, ...]:
        """The numbers that a text consists of; of a scale of words, the number of its word."""
        numbers = numbers_in(text)
        if not self.words:
            return numbers
        said = _NO_LETTER.sub(" ", plain_label(text)).casefold().split()
        for word, stands_for in self.words:
            as_number = numbers_in(word)
            if numbers == as_number if as_number else word.casefold().split() == said:
                return (stands_for,)
        return () if self.rest is None or len(numbers) != 1 else (self.rest,)

    def label(self, numbers: tuple[float, ...]) -> Label | None:
        """The verdict of one number, or of a pair in the order shown; None where it is none."""
        if len(numbers) != (2 if self.kind == "pair" else 1):
            return None
        if not all(self.low <= number <= self.high for number in numbers):
            return None
        if self.kind == "rating":
            return Label("a", 1, True, numbers[0])
        return self._lean(numbers)

    def between(self, a: float, b: float) -> Label | None:
        """The verdict of two responses that were judged alone, by their scores."""
        return self._replace(kind="pair").label((a, b))

    def _lean(self, numbers: tuple[float, ...]) -> Label | None:
        middle = (self.low + self.high) / 2
        lead = numbers[0] - numbers[1] if self.kind == "pair" else numbers[0] - middle
        if self.kind == "low_is_a":
            lead = -lead
        if abs(lead) <= (self.margin or 0.0):
            return None if self.margin is None else Label("tie", 0, True)
        half = (self.high - self.low) / (1 if self.kind == "pair" else 2)
        strength = 2 if abs(lead) > half / 2 else 1
        return Label("a" if lead > 0 else "b", strength, True)


_NO_LETTER = re.compile(r"[\W_]+")
_NUMBER = r"[+-]?\d{1,6}(?:\.\d{1,6})?"
_NUMBERS = re.compile(rf"[\s\[(]*({_NUMBER})(?:\s*(?:[,;/:]|\s|and)\s*({_NUMBER}))?[\s\])]*\.?")


def numbers_in(text: str) -> tuple[float, ...]:
    """The one or two numbers that a text consists of; empty where it is anything else."""
    found = _NUMBERS.fullmatch(text.strip(" *_`$\n\t"))
    return tuple(float(group) for group in found.groups() if group) if found else ()


class Criteria(NamedTuple):
    """A JSON answer that decides criterion by criterion, and the rule that makes one verdict.

    path: of the list. verdict: key of the side in an entry; score: key of a number, which is how
    far the side is ahead, or with its sign (and no `verdict`) which. ties: words in the place of a
    side that mean neither. weight: key of a word that says how much an entry counts, by `weights`,
    and `other` for every other word. veto: words of that key whose entries decide alone, by their
    sum, once any of them is no tie.
    """

    path: str
    verdict: str = ""
    score: str = ""
    ties: tuple[str, ...] = ()
    weight: str = ""
    weights: tuple[tuple[str, float], ...] = ()
    other: float = 1.0
    veto: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grammar:
    """The grammar of one prompt's answers.

    Attributes:
        name: of the profile that declares it.
        forms: those that count.
        labels: the verdicts that the prompt offers; None for every one that can be read.
        labels_at_end: further labels that count where they close the answer.
        captions: texts of which one has to stand before the verdict (in a `box` or `line` the line
            above will do); empty for none, and for the form `caption` for every general caption.
        tags: names of the tag, for the form `tag`; empty for the usual ones.
        keys: paths of keys (`overall.ranking`), for the form `json`; of a pair the first's, then
            the second's; empty for the usual ones.
        at: `last` the last verdict of the answer; `first` the one on its first line; `closing` the
            one on its last line, with scores of parts before it.
        scale: how numbers become a verdict; None where labels are words.
        criteria: how verdicts of single criteria make one; None where the answer states it.
        reasons: where they stand: in the answer, in the thinking, in the tags or under the keys
            `reasons_in`, or nowhere.
        reasons_in: names of tags or keys.
    """

    name: str = "recorded"
    forms: tuple[Form, ...] = ()
    labels: frozenset[Label] | None = None
    labels_at_end: frozenset[Label] = frozenset()
    captions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    at: At = "last"
    scale: Scale | None = None
    criteria: Criteria | None = None
    reasons: Reasons = "answer"
    reasons_in: tuple[str, ...] = ()

    @property
    def open(self) -> bool:
        """Whether every form counts."""
        return not self.forms

    def takes(self, form: Form) -> bool:
        """Whether a form counts."""
        return form in self.forms if self.forms else form != "line"

    def allows(self, label: Label) -> bool:
        """Whether the prompt offers a verdict."""
        return self.labels is None or label in self.labels


RECORDED = Grammar()
