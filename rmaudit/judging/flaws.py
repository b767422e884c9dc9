"""The embedded labeller: category and flaws of reasons, as far as text alone decides them.

It tells evidence from mere words of judgment: what a reason says beyond a general vocabulary of
critique, and whether that can be looked up in the responses. It decides the categories and F1 to
F4; whether a claim can be checked, follows, or contradicts another (F5 to F7) takes a reader, so it
says nothing about them. It reads English, approximately.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import regex

from rmaudit.judging import builtin
from rmaudit.judging import critique as words
from rmaudit.judging.lexicon import STOP
from rmaudit.judging.sides import sides_named
from rmaudit.judging.surface import FILL, mask_quoted
from rmaudit.judging.text import normalise
from rmaudit.records import Category, Flaw, LabelSet, ModelReason, ReasonLabel, Tested

DECIDES: tuple[Tested, ...] = ("category", "F1", "F2", "F3", "F4")
NOT_ENGLISH = "the builtin labeller reads English only"
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:-[\p{L}]+)*")
_SIDE = regex.compile(r"\bresponses? (?:a and b|a|b)\b|['’]s\b")
_MASKED = regex.compile(f"{FILL}+")
_FOREIGN_LETTER = regex.compile(r"[\p{L}--\p{Latin}]", regex.VERSION1)


def label_reasons(reasons: Sequence[ModelReason], context: builtin.Context) -> LabelSet:
    """Labels of one answer's reasons.

    Args:
        reasons: of one answer, in item coordinates.
        context: `Context.of(request, response_a, response_b)`; empty where only reasons are seen.

    Returns:
        One label a reason, in order; a failure where a reason is not in English.
    """
    if any(not _english(reason.text) for reason in reasons):
        return LabelSet((), DECIDES, failure=NOT_ENGLISH)
    return LabelSet(tuple(_label(reason, context) for reason in reasons), DECIDES)


def _label(reason: ModelReason, context: builtin.Context) -> ReasonLabel:
    text = normalise(reason.text)
    masked = mask_quoted(text)
    spoken = _SIDE.sub(" ", masked.replace(FILL, "").casefold())
    said = set(_WORD.findall(spoken))
    content = _content(spoken, said, context)
    if _evidence(text, masked, content, context):
        category: Category = "EG"
    else:
        category = "CG" if content else "GS"
    flaws: list[Flaw] = []
    if category == "GS":
        correct, relevant = said & _set(words.CORRECT), words.RELEVANCE.search(spoken)
        if said & _set(words.STYLE) and not correct and not relevant:
            flaws.append("F1")
        if correct:
            flaws.append("F2")
        if relevant:
            flaws.append("F3")
    # A copy of a response may hold praise, but not of that response.
    if not context.repeats(masked.replace(FILL, "")) and _praises_one(reason, spoken, said):
        flaws.append("F4")
    return ReasonLabel(category, tuple(flaws))


def _content(spoken: str, said: set[str], context: builtin.Context) -> set[str]:
    """Stems of what is said beyond the vocabulary of critique, and of a form that is asked for."""
    content = {builtin.stem(word) for word in said - _general()}
    for form, asked in words.FORMS:
        if context.request & _stems(asked):
            content |= {builtin.stem(word) for word in said & _set(form)}
    if words.CRITERION.search(spoken):
        content.add("criterion")
    return content


def _evidence(text: str, masked: str, content: set[str], context: builtin.Context) -> bool:
    """Whether something can be looked up: a place, number, quotation, or word of one response."""
    outside = words.NO_EVIDENCE.sub(" ", masked.replace(FILL, "").casefold())
    if words.PLACE.search(outside) or any(map(_says_something, _quoted(text, masked))):
        return True
    seen = context.first | context.second | context.request
    unquoted = words.NO_EVIDENCE.sub(" ", masked.replace(FILL, ""))
    for fact in builtin.read(unquoted, None, context).hard:
        if fact[0].isdigit():
            return True
        if fact not in _general() and (not seen or builtin.stem(fact) in seen):
            return True
    return bool(content & (context.first ^ context.second) - context.request)


def _quoted(text: str, masked: str) -> list[str]:
    """What stands in quotation marks or code."""
    return [text[found.start() : found.end()] for found in _MASKED.finditer(masked)]


def _says_something(quotation: str) -> bool:
    """Whether a quotation is more than a word of judgment in quotation marks."""
    if "`" in quotation or any(character.isdigit() for character in quotation):
        return True
    return not set(_WORD.findall(quotation.casefold())) <= _judgment()


def _praises_one(reason: ModelReason, spoken: str, said: set[str]) -> bool:
    """A merit of one response without a word of the other."""
    if reason.about == "both" or len(set(sides_named(reason.text))) > 1:
        return False
    if words.FAULT.search(spoken) or words.COMPARISON.search(spoken):
        return False
    return bool(said & words.MERIT or words.MERIT_VERBS.search(spoken))


def _english(text: str) -> bool:
    """Whether what is said outside quotations is English, as far as its small words tell."""
    spoken = mask_quoted(text)
    if len(_FOREIGN_LETTER.findall(spoken)) > len(spoken) / 4:
        return False
    said = _WORD.findall(spoken.casefold())
    foreign = sum(word in words.FOREIGN for word in said)
    return foreign <= max(1, sum(word in words.ENGLISH for word in said))


@cache
def _judgment() -> frozenset[str]:
    """Words of judgment."""
    return frozenset((*words.STYLE, *words.CORRECT, *words.RELEVANT, *words.QUALITY)) | STOP


@cache
def _general() -> frozenset[str]:
    """Words that say nothing of a particular pair."""
    return _judgment() | frozenset(words.BARE)


@cache
def _set(entries: Iterable[str]) -> frozenset[str]:
    return frozenset(entries)


@cache
def _stems(entries: Iterable[str]) -> frozenset[str]:
    return frozenset(builtin.stem(word) for word in entries)
