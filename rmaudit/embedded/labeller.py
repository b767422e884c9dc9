"""The embedded labeller: category and flaws of reasons, as far as text alone decides them.

It tells evidence from mere words of judgment: what a reason says beyond a general vocabulary of
critique, and whether that can be looked up in the responses. It decides the categories and F1 to
F4; whether a claim can be checked, follows, or contradicts another (F5 to F7) takes a reader, so it
says nothing about them. It reads English, approximately.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

import regex

from rmaudit.embedded import critique
from rmaudit.embedded import critique_words as words
from rmaudit.embedded.common_words import COMMON
from rmaudit.embedded.lexicon import NUMBER_WORDS, STOP
from rmaudit.embedded.reading import Context, hard_facts
from rmaudit.embedded.stems import stem
from rmaudit.parsing.sides import sides_named
from rmaudit.records import (
    About,
    Category,
    Flaw,
    LabelSet,
    ModelReason,
    ReasonLabel,
    Tested,
    Verdict,
)
from rmaudit.text.masking import FILL, mask_quoted
from rmaudit.text.normalise import normalise

DECIDES: tuple[Tested, ...] = ("category", "F1", "F2", "F3", "F4")
NOT_ENGLISH = "the builtin labeller reads English only"
_WORD = regex.compile(r"[\p{L}\p{M}]+")
_NAME = regex.compile(
    r"\b(?:response|answer|assistant|model|option|candidate|output|reply)s?[ _-]?([ab12])\b",
    regex.IGNORECASE,
)
"""A response by any name that prompts give it."""
_AND_B = regex.compile(r"\bresponses a and b\b|['’]s\b", regex.IGNORECASE)
_MASKED = regex.compile(f"{FILL}+")
_ASKERS = frozenset("client clients user users asker requester poster".split())
"""Who set the task: a word of any task, not of this one."""
_FOREIGN_LETTER = regex.compile(r"[\p{L}--\p{Latin}]", regex.VERSION1)


def label_reasons(
    reasons: Sequence[ModelReason], context: Context, *, verdict: Verdict = None
) -> LabelSet:
    """Labels of one answer's reasons.

    Args:
        reasons: of one answer, in item coordinates.
        context: `Context.of(request, response_a, response_b)`; empty where only reasons are seen.
        verdict: of the answer: what is said of the response that it prefers is praise, unless it
            is a fault.

    Returns:
        One label a reason, in order; a failure where a reason is not in English.
    """
    if any(not _english(reason.text) for reason in reasons):
        return LabelSet((), DECIDES, failure=NOT_ENGLISH)
    return LabelSet(tuple(_label(reason, context, verdict) for reason in reasons), DECIDES)


def _label(reason: ModelReason, context: Context, verdict: Verdict) -> ReasonLabel:
    text = normalise(reason.text)
    masked = mask_quoted(text)
    unquoted = _NAME.sub(" ", _AND_B.sub(" ", masked.replace(FILL, "")))
    spoken = " ".join(unquoted.casefold().split())
    said = frozenset(_WORD.findall(spoken))
    if _evidence(reason, unquoted, said, _quoted(text, masked), context):
        category: Category = "EG"
    else:
        category = "CG" if _names_criterion(spoken, said, context) else "GS"
    flaws: list[Flaw] = []
    if category == "GS":
        correct, relevant = said & _set(words.CORRECT), critique.RELEVANCE.search(spoken)
        style = said & _set(words.STYLE) or critique.WRITTEN.search(spoken)
        if style and not correct and not relevant:
            flaws.append("F1")
        if correct:
            flaws.append("F2")
        if relevant:
            flaws.append("F3")
    # A copy of a response may hold praise, but not of that response.
    copied = context.repeats(masked.replace(FILL, ""))
    if not copied and _praises_one(reason, spoken, said, verdict):
        flaws.append("F4")
    return ReasonLabel(category, tuple(flaws))


def _names_criterion(spoken: str, said: frozenset[str], context: Context) -> bool:
    """Whether something is named that not every pair has: of the item, or of its kind of task."""
    if said & _set(words.CRITERIA) or critique.CRITERION.search(spoken):
        return True
    for form, asked in words.FORMS:
        if context.request & _known_stems(asked) and said & _set(form):
            return True
    telling = _telling(said) - _ASKERS
    rare = telling - COMMON
    if not context.request:
        return bool(rare)
    named = rare & frozenset(found[1] for found in critique.NAMED.finditer(spoken))
    item = context.first | context.second
    return bool(named or _stems(telling) & context.request or _stems(rare) & item)


def _evidence(
    reason: ModelReason,
    unquoted: str,
    said: frozenset[str],
    quoted: Sequence[str],
    context: Context,
) -> bool:
    """Whether something can be looked up: a place, number, quotation, or words of one response."""
    seen = context.first | context.second | context.request
    unquoted = critique.NO_EVIDENCE.sub(" ", unquoted)
    if critique.PLACE.search(unquoted.casefold()):
        return True
    if any(_says_something(quotation, seen) for quotation in quoted):
        return True
    # A number in words that the request gives too is what was asked for, not what is there.
    unquoted = _WORD.sub(
        lambda found: "" if NUMBER_WORDS.get(found[0], "") in context.request else found[0],
        unquoted,
    )
    for fact in hard_facts(unquoted):
        if fact[0].isdigit():
            return True
        if fact not in _general() and (not seen or stem(fact) in seen):
            return True
    telling, in_one = _telling(said), _only_in(reason.about, context)
    rare, common = _stems(telling - COMMON) & in_one, _stems(telling & COMMON) & in_one
    return bool(rare) or len(common) > 1


def _telling(said: frozenset[str]) -> frozenset[str]:
    """Words that may point to something; those that critique uses for one another never do."""
    return frozenset(word for word in said - _general() if not _interchangeable(word))


def _only_in(about: About, context: Context) -> frozenset[str]:
    """Words of the response that a reason is about alone: not of the other, nor asked for."""
    first, second = context.first - context.second, context.second - context.first
    found = first if about == "a" else second if about == "b" else first | second
    return found - context.request


def _quoted(text: str, masked: str) -> list[str]:
    """What stands in quotation marks or code."""
    return [text[found.start() : found.end()] for found in _MASKED.finditer(masked)]


def _says_something(quotation: str, seen: frozenset[str]) -> bool:
    """Whether a quotation is more than a word of judgment that stands nowhere in the item."""
    said = frozenset(_WORD.findall(quotation.casefold()))
    if "`" in quotation or regex.search(r"[\d_]", quotation):
        return True
    return not said <= _judgment() or bool(_stems(said) & seen)


def _praises_one(reason: ModelReason, spoken: str, said: frozenset[str], verdict: Verdict) -> bool:
    """A merit of one response without a word of the other."""
    named = {found[1].casefold() for found in _NAME.finditer(reason.text)}
    if reason.about == "both" or len(named) > 1 or len(set(sides_named(reason.text))) > 1:
        return False
    spoken = critique.NO_FAULT.sub(" ", spoken)
    if critique.FAULT.search(spoken) or critique.COMPARISON.search(spoken):
        return False
    if said & words.MERIT or critique.STRONG_MERIT.search(spoken):
        return True
    if verdict in ("a", "b") and reason.about is not None:
        return reason.about == verdict
    return bool(critique.MERIT.search(spoken))


def _english(text: str) -> bool:
    """Whether what is said outside quotations is English, as far as its small words tell."""
    spoken = mask_quoted(text)
    if len(_FOREIGN_LETTER.findall(spoken)) > len(spoken) / 4:
        return False
    said = _WORD.findall(spoken.casefold())
    foreign = sum(word in critique.FOREIGN for word in said)
    return foreign <= max(1, sum(word in critique.ENGLISH for word in said))


@cache
def _judgment() -> frozenset[str]:
    """Words of judgment."""
    return frozenset((*words.STYLE, *words.CORRECT, *words.RELEVANT, *words.QUALITY)) | STOP


@cache
def _general() -> frozenset[str]:
    """Words that say nothing of a particular pair."""
    return _judgment() | frozenset(words.BARE)


@lru_cache(maxsize=1 << 14)
def _interchangeable(word: str) -> bool:
    """Whether critique has a word among synonyms, or to claim a fault."""
    return bool(_claims_a_fault().fullmatch(word)) or stem(word) in _synonyms()


@cache
def _claims_a_fault() -> regex.Pattern[str]:
    return regex.compile("|".join(words.CLAIMS_A_FAULT))


@cache
def _synonyms() -> frozenset[str]:
    """The stems that stand for groups of synonyms."""
    return frozenset(stem(word) for word in words.INTERCHANGEABLE)


@cache
def _set(entries: tuple[str, ...]) -> frozenset[str]:
    return frozenset(entries)


@cache
def _known_stems(entries: tuple[str, ...]) -> frozenset[str]:
    return _stems(entries)


def _stems(entries: Iterable[str]) -> frozenset[str]:
    return frozenset(stem(word) for word in entries)
