"""The verdict grammar of a profile: the tables `names`, `verdict`, `scale` and `reasons` as data.

Nothing here is a pattern: texts are compared as texts, so that no profile can make reading slow.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from rmaudit.parsing.grammar import At, Criteria, Form, Grammar, Reasons, Scale, ScaleKind
from rmaudit.parsing.sides import DEFAULT_NAMES, Names
from rmaudit.parsing.verdict_grammar import Label, read_label

Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
Letter = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]$")]
TagName = Annotated[str, StringConstraints(pattern=r"^\w{1,40}$")]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NamesTable(_Table):
    """What the prompt calls the two responses: one of `nouns`, then the label of the side."""

    nouns: Annotated[tuple[Word, ...], Field(min_length=1, max_length=6)] = DEFAULT_NAMES.nouns
    a: Letter = DEFAULT_NAMES.a
    b: Letter = DEFAULT_NAMES.b

    @property
    def names(self) -> Names:
        """As the parser takes them."""
        return Names(self.nouns, self.a, self.b)


class VerdictTable(_Table):
    """Which form is a verdict, with which labels, and where: see `rmaudit.parsing.grammar`.

    `forms` is empty where every form counts. `labels` are written as the prompt offers them
    (`A>>B`, `Response A`, `tie`).
    """

    forms: Annotated[tuple[Form, ...], Field(max_length=8)]
    labels: Annotated[tuple[Word, ...], Field(max_length=16)] = ()
    labels_at_end: Annotated[tuple[Word, ...], Field(max_length=16)] = ()
    captions: Annotated[tuple[Word, ...], Field(max_length=8)] = ()
    tags: Annotated[tuple[TagName, ...], Field(max_length=8)] = ()
    keys: Annotated[tuple[Word, ...], Field(max_length=8)] = ()
    at: At = "last"


class ScaleTable(_Table):
    """How numbers become a verdict; `tie` is the largest difference that is one, or "none".

    `words` stand for numbers where a response is judged alone, say `Yes = 1`. `reading`: the score
    is what the text says, or the log-odds of its two words at that place, which needs an engine
    that gives log-probabilities.
    """

    low: float
    high: float
    kind: ScaleKind
    tie: Annotated[float, Field(ge=0)] | Literal["none"] = 0.0
    reading: Literal["text", "log_odds"] = "text"
    words: Annotated[dict[Word, float], Field(max_length=8)] = {}
    rest: float | None = None

    @model_validator(mode="after")
    def _ascends(self) -> Self:
        if self.low >= self.high:
            raise ValueError("low must be below high")
        if self.words and self.kind != "rating":
            raise ValueError("words stand for the scores of a response alone: kind rating")
        if self.rest is not None and not self.words:
            raise ValueError("rest is of numbers that are none of the words")
        stand_for = [*self.words.values(), self.low if self.rest is None else self.rest]
        if any(not self.low <= number <= self.high for number in stand_for):
            raise ValueError("a word stands for a number outside low and high")
        return self

    @property
    def scale(self) -> Scale:
        """As the parser takes it."""
        margin = None if self.tie == "none" else float(self.tie)
        return Scale(self.low, self.high, self.kind, margin, tuple(self.words.items()), self.rest)


class CriteriaTable(_Table):
    """How verdicts of single criteria make one: see `rmaudit.parsing.grammar.Criteria`."""

    path: Word
    verdict: Word | Literal[""] = ""
    score: Word | Literal[""] = ""
    ties: Annotated[tuple[Word, ...], Field(max_length=8)] = ()
    weight: Word | Literal[""] = ""
    weights: Annotated[dict[Word, Annotated[float, Field(ge=0)]], Field(max_length=16)] = {}
    other: Annotated[float, Field(ge=0)] = 1.0
    veto: Annotated[tuple[Word, ...], Field(max_length=8)] = ()

    @model_validator(mode="after")
    def _decides(self) -> Self:
        if not (self.verdict or self.score):
            raise ValueError("a criterion needs the key of its verdict or of its score")
        if (self.weights or self.veto) and not self.weight:
            raise ValueError("weights and veto need the key weight")
        return self

    @property
    def criteria(self) -> Criteria:
        """As the parser takes it."""
        return Criteria(
            self.path,
            self.verdict,
            self.score,
            self.ties,
            self.weight,
            tuple(self.weights.items()),
            self.other,
            tuple(word.casefold() for word in self.veto),
        )


class ReasonsTable(_Table):
    """Where the rationale is: `in` the answer, the thinking, tags or keys, or nowhere."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    place: Annotated[Reasons, Field(alias="in")] = "answer"
    names: Annotated[tuple[Word, ...], Field(max_length=8)] = ()

    @model_validator(mode="after")
    def _named(self) -> Self:
        if (self.place in ("tags", "keys")) != bool(self.names):
            raise ValueError("names of the tags or keys belong to in = tags and in = keys")
        return self


class GrammarTables(_Table):
    """The tables of a profile that say how an answer is read."""

    names: NamesTable = NamesTable()
    verdict: VerdictTable | None = None
    scale: ScaleTable | None = None
    criteria: CriteriaTable | None = None
    reasons: ReasonsTable = ReasonsTable()

    @model_validator(mode="after")
    def _fits(self) -> Self:
        verdict = self.verdict
        if verdict is None:
            if self.scale is not None or self.criteria is not None:
                raise ValueError("a scale or criteria need the table verdict")
            return self
        if self.criteria is not None and (verdict.forms != ("json",) or verdict.labels):
            raise ValueError("criteria are read from JSON: forms = [json], and no labels")
        if self.criteria is not None and self.scale and self.scale.kind != "rating":
            raise ValueError("criteria with a scale hold scores of one response: kind rating")
        if self.scale is not None and not self.criteria:
            if "caption" in verdict.forms and not verdict.captions:
                raise ValueError("verdict.captions: numbers after a caption need its words")
            if "json" in verdict.forms and not verdict.keys:
                raise ValueError("verdict.keys: numbers in JSON need their keys")
        for label in (*verdict.labels, *verdict.labels_at_end):
            if read_label(label, names=self.names.names) is None:
                raise ValueError(f"verdict.labels: '{label}' names no side and no tie")
        if self.scale is not None and verdict.labels:
            raise ValueError("labels and a scale exclude each other")
        pair = self.scale is not None and self.scale.kind == "pair"
        if pair and verdict.forms == ("json",) and len(verdict.keys) != 2:
            raise ValueError("verdict.keys: a pair of scores in JSON needs two keys")
        return self

    def grammar(self, name: str) -> Grammar:
        """As the parser takes it; `verdict` must be there."""
        verdict = self.verdict or VerdictTable(forms=())
        names = self.names.names
        return Grammar(
            name=name,
            forms=verdict.forms,
            labels=_labels(verdict.labels, names) if verdict.labels else None,
            labels_at_end=_labels(verdict.labels_at_end, names),
            captions=verdict.captions,
            tags=verdict.tags,
            keys=verdict.keys,
            at=verdict.at,
            scale=self.scale.scale if self.scale else None,
            criteria=self.criteria.criteria if self.criteria else None,
            reasons=self.reasons.place,
            reasons_in=self.reasons.names,
        )


def _labels(labels: tuple[str, ...], names: Names) -> frozenset[Label]:
    """The verdicts that labels spell; a tie however it is spelt."""
    read = {label for text in labels if (label := read_label(text, names=names))}
    if any(label.verdict == "tie" for label in read):
        read |= {Label("tie", 0, True), Label("tie", 0, False)}
    return frozenset(read)
