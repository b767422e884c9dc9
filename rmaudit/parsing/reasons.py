"""Reads the reasons of an answer: the points of its list, else its sentences.

Of several lists the one that stands last before the verdict counts, with what it continues. A
heading such as `**Response A:**` gives its side to the reasons below it that name none. What
announces or repeats the verdict is no reason for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice

from rmaudit.parsing.json_answers import JsonReason
from rmaudit.parsing.lists import Listing, ListPoint, passages, read_lists
from rmaudit.parsing.sides import Names, reason_about, sides_named
from rmaudit.records import About, ModelReason
from rmaudit.text.sentences import sentences


def list_reasons(text: str, *, names: Names, cut: bool = False) -> Iterator[ModelReason]:
    """The points of the list of reasons, in order; empty where there is no list.

    `cut`: the text breaks off, so that a point which reaches its end is dropped. A list that names
    no side, or solves the request itself, gives way to the prose that compares the sides after it.
    """
    listings, unfinished, rest = read_lists(_bare_title(names).sub(r"\g<0>:", text))
    if cut and unfinished:
        listings[-1].points.pop()
        listings = [listing for listing in listings if listing.points]
    chosen = _belonging(listings[-_NEAREST:], names)
    reasons = (reason for listing in chosen for reason in _read(listing, names))
    first = list(islice(reasons, _NEAREST))
    own_work = bool(chosen) and bool(_OWN_WORK.fullmatch(chosen[0].heading))
    if first and (own_work or not any(reason.about or reason.ambiguous for reason in first)):
        prose = list(islice(prose_reasons(rest, names=names), _NEAREST))
        if sum(reason.about is not None for reason in prose) >= _ARGUES:
            yield from prose
            return
    yield from chain(first, reasons)


def prose_reasons(text: str, *, names: Names) -> Iterator[ModelReason]:
    """The sentences of free text, without lead-ins and statements of the verdict."""
    found = list(passages(text))
    judging = [passage for passage in found if not _OWN_WORK.fullmatch(passage[0])]
    for heading, passage in judging or found:
        before = side = _heading_side(heading, names)
        for sentence in sentences(passage):
            sentence = _LEAD_IN_BEFORE_TEXT.sub("", sentence)
            if _says_no_reason(sentence, names):
                before = side
                continue
            read = _reason(sentence, before if _GOES_ON.match(sentence) else side, names)
            yield from read
            before = (read[-1].about, False) if read and read[-1].about else side


def claimed_reasons(claims: Sequence[JsonReason], *, names: Names) -> Iterator[ModelReason]:
    """The reasons that a JSON object holds; one text alone may itself be a list or prose."""
    if len(claims) == 1 and claims[0].side is None:
        text = claims[0].text
        listed = list_reasons(text, names=names)
        first = next(listed, None)
        yield from chain([first], listed) if first else prose_reasons(text, names=names)
        return
    for claim in claims:
        yield from _reason(claim.text, (claim.side, False), names)


def holds_prose(claims: Sequence[JsonReason], *, names: Names) -> bool:
    """Whether the reasons of a JSON object are one text that holds no list."""
    alone = len(claims) == 1 and claims[0].side is None
    return alone and next(list_reasons(claims[0].text, names=names), None) is None


_GOES_ON = re.compile(
    r"(?:additionally|also|furthermore|however|moreover|overall|then|yet|and|but)?,? ?"
    r"(?:they|their|it|its|he|his|she|her|this (?:answer|response|solution)|"
    r"the (?:(?:final|overall) )?(?:answer|approach|code|explanation|reasoning|solution|steps?))\b",
    re.IGNORECASE,
)
"""A sentence that begins so speaks of whatever the sentence before it speaks of."""
_NEAREST = 64
"""Lists further back than this many, and points beyond, do not decide what the reasons are."""
_ARGUES = 2
"""So many sentences that name a side are an argument, not only a conclusion."""


_OWN_WORK = re.compile(
    r"\W*(?:(?:here is|my|our|own|the|a|reference|correct|model) ){0,3}(?:answer|solution|criteria|"
    r"requirements|rubric|(?:analysis of the )?(?:request|task|question|prompt|problem))\W*",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"\b(?:reasons?|rationales?|faults?|justification|comparison|evaluation|analysis|assessment|"
    r"differences)\b|理由|原因",
    re.IGNORECASE,
)


def _belonging(listings: Sequence[Listing], names: Names) -> list[Listing]:
    """The last list and, backwards, each one that it continues or that heads a group beside it."""
    chosen = list(listings[-1:])
    for earlier in reversed(listings[:-1]):
        later = chosen[0]
        numbers = earlier.points[-1].number, later.points[0].number
        continued = None not in numbers and numbers[1] == (numbers[0] or 0) + 1
        grouped = _heading_side(later.heading, names) != (None, False) or (
            (later.heading or not later.ordered) and not _OPENS.search(later.heading)
        )
        if _OWN_WORK.fullmatch(earlier.heading) or not (continued or grouped):
            break
        chosen.insert(0, earlier)
    return chosen


def _read(listing: Listing, names: Names) -> Iterator[ModelReason]:
    for point in listing.points:
        if point.children and (title := _side_title(point, names)):
            for child in point.children:
                yield from _reason(child, _heading_side(title, names), names)
        else:
            text = " ".join([*point.lines, *point.children])
            yield from _reason(text, _heading_side(listing.heading, names), names)


_ASPECTS = re.compile(
    r"(?:['’]s|strengths?|weakness(?:es)?|pros|cons|positives|negatives|issues|problems|faults?|"
    r"errors?|analysis|evaluation|assessment|of|for|in|the|and|\W)*",
    re.IGNORECASE,
)


def _side_title(point: ListPoint, names: Names) -> str:
    """The title of a point that only heads the points below it: `1. **Response A:**`."""
    title = " ".join(point.lines)
    if len(title) > 60 or _heading_side(title, names)[0] is None:
        return ""
    return title if _ASPECTS.fullmatch(_side_pattern(names).sub("", title)) else ""


@lru_cache(maxsize=256)
def _heading_side(heading: str, names: Names) -> tuple[About, bool]:
    """The side that a heading gives, or whether it names one in an undefined form."""
    sides = set(sides_named(heading, names=names))
    if len(sides) == 1:
        return sides.pop(), False
    return None, not sides and reason_about(heading, names=names)[1]


def _reason(text: str, heading: tuple[About, bool], names: Names) -> list[ModelReason]:
    text = _clean(text)
    if not any(character.isalnum() for character in text):
        return []
    side, vague = heading
    about, ambiguous = reason_about(text, names=names, heading=side)
    return [ModelReason(text, about, ambiguous or (vague and about is None))]


# Bold markers, but no exponent in code or mathematics: `2**3`, `x**y`.
_BOLD = re.compile(r"(?<![0-9a-z_)])\*\*|\*\*(?![0-9a-z_(])")
_VERDICT_CAPTION = re.compile(
    r"(?:(?<=[.!?;:,] )|(?<=[。；，])|\A)(?:(?:so|thus|therefore|hence|overall|finally),? ?)?"
    r"(?:(?:my|the|our) )?(?:(?:final|overall) )?(?:verdict|judge?ment|decision|answer|conclusion|"
    r"(?:最终|我的)?(?:结论|判定))?(?: is)?[ .:：,=–—*_`$(\[-]{0,8}\Z",
    re.IGNORECASE,
)


_CONNECTIVES = frozenset("so thus therefore hence overall finally".split())


def _clean(text: str) -> str:
    """One line, without bold markers and without the words that announce the verdict at its end."""
    text = " ".join(_BOLD.sub("", text).split())
    caption = _VERDICT_CAPTION.search(text)
    if caption and not (caption.start() == 0 and caption[0].casefold() in _CONNECTIVES):
        text = text[: caption.start()]
    return text.strip(" #,;，；")


_LEAD_IN = re.compile(
    r"here (?:is|are)\b|here['’]s\b|below (?:is|are)\b|(?:now,? )?let(?:['’]s| me| us)\b|"
    r"i(?:['’]ll| will)(?: now)? (?:compare|evaluate|analy[sz]e|explain|list|give|go|assess)\b",
    re.IGNORECASE,
)


_LEAD_IN_BEFORE_TEXT = re.compile(
    rf"(?:{_LEAD_IN.pattern})[^:]{{0,80}}:\s{{0,3}}(?=\S)", re.IGNORECASE
)


def _says_no_reason(sentence: str, names: Names) -> bool:
    """Whether a sentence leads in, or repeats the verdict (`Overall, Response A is better`)."""
    return bool(
        sentence.endswith((":", "："))
        or _LEAD_IN.match(sentence)
        or (len(sentence) < 160 and _verdict_sentence(names).fullmatch(sentence))
    )


@lru_cache(maxsize=32)
def _side_pattern(names: Names) -> re.Pattern[str]:
    label = f"[{re.escape(names.a + names.b)}]"
    return re.compile(rf"(?:both )?{names.noun}s?[ (*]{{0,3}}{label}\b\)?", re.IGNORECASE)


@lru_cache(maxsize=32)
def _bare_title(names: Names) -> re.Pattern[str]:
    """A line that only names a side, over bullets: a heading without the colon of one."""
    return re.compile(
        rf"^{_side_pattern(names).pattern}(?=[ \t]{{0,3}}\n[ \t]{{0,3}}[-*•])", re.M | re.I
    )


@lru_cache(maxsize=32)
def _verdict_sentence(names: Names) -> re.Pattern[str]:
    side = _side_pattern(names).pattern
    return re.compile(
        r"(?:(?:so|thus|therefore|hence|overall|finally|ultimately|in (?:conclusion|summary|short)|"
        r"based on (?:this|these|the above))[, ]{1,3})?"
        r"(?:i (?:think|believe|find|conclude|choose|prefer|would (?:choose|say|pick))(?: that)? )?"
        rf"(?:the (?:better|preferred|stronger) (?:response|one) is {side}|{side}"
        r"(?: (?:is|wins|remains))?(?: (?:\w{1,14}ly|much|far|a bit))?(?: to be)?(?: the)?"
        r"(?: (?:better|preferred|superior|stronger|best|preferable|winner))?"
        rf"(?: (?:overall|response|one|choice)){{0,2}}(?: (?:than|to|over) {side})?)[ .!:]{{0,4}}",
        re.IGNORECASE,
    )
