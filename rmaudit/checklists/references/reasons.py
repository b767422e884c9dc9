"""Reasons held against their own `about`, the responses that they quote, and the label."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from rmaudit.checklists.references.finding import ReferenceFinding
from rmaudit.checklists.references.frames import Frames
from rmaudit.checklists.schema import Item, Reason
from rmaudit.grounding.grounding import ItemTexts, claims
from rmaudit.parsing.sides import Names, places_named, sides_named, swap_names
from rmaudit.records import About, ModelReason
from rmaudit.text.normalise import normalise

OFTEN_ITEMS = 5
OFTEN_SHARE = 0.1
"""A text that cites nothing of its items is repeated often when it is a reason of so many items and
of this share of all items with reasons. A fault without a fact of its own, such as a wrong formula,
can be right in a few items of a set, hardly in one of ten."""

_NOUNS = "Response Answer Reply Assistant Candidate Completion Model Output".split()
_WIDE = (Names(tuple(_NOUNS)), Names(tuple(_NOUNS), "1", "2"))
"""People write references in words of their own: no prompt bound them to `Response A`.

Names in other words and languages are learned from the set as a whole (`frames`)."""
_MAY_NAME = re.compile(rf"(?:{'|'.join(_NOUNS)})s?[ (*]{{0,3}}[AB12ＡＢ１２]", re.IGNORECASE)

_OTHER: dict[About, About] = {"a": "b", "b": "a", "both": "both", None: None}
_FOREIGN = ("ungrounded", "grounded")
_LONGEST = 60


class _Voice(NamedTuple):
    """Reasons with the label that they explain: those of the item, or of one annotator."""

    field: str
    label: Literal["a", "b", "tie"]
    reasons: Sequence[Reason]


def reason_findings(item: Item, frames: Frames) -> Iterator[ReferenceFinding]:
    """What the reasons of one item say against each other, the responses and the label.

    Args:
        item: with its reasons.
        frames: how the reasons of its set name the responses.
    """
    texts = texts_of(item)
    for voice in _voices(item):
        for place, reason in enumerate(voice.reasons):
            field = f"{voice.field}.{place}"
            named = _only_side(reason.text, item, frames)
            if named and reason.about in ("a", "b") and reason.about != named:
                what = f"is {reason.about}, but the text names response {named} alone"
                yield ReferenceFinding(
                    "side", item.id, f"{field}.about", f"{what}: {_short(reason.text)}"
                )
            part = misplaced(reason, texts)
            if part is not None:
                side = reason.about or named
                what = f"cites “{_short(part)}” of response {side}; only the other one holds it"
                yield ReferenceFinding("quote", item.id, f"{field}.text", what)
        yield from _repeated_within(item, voice)
        about = {reason.about for reason in voice.reasons}
        if about == {voice.label}:
            what = (
                f"all {len(voice.reasons)} are about response {voice.label}, which the label "
                "prefers: sides or label are turned, or the reasons are no faults"
                if len(voice.reasons) > 1
                else f"the only one is about response {voice.label}, which the label prefers: side "
                "or label is turned, or the reason is no fault"
            )
            yield ReferenceFinding("preferred", item.id, voice.field, what)


def repeated_often(items: Sequence[Item]) -> Iterator[ReferenceFinding]:
    """Texts that are a reason of many items and cite nothing of them; one finding a text.

    Texts are equal if they differ in case, white space and the side that they name only.
    """
    places: dict[str, list[tuple[Item, int]]] = defaultdict(list)
    for item in items:
        told = {_without_side(reason.text): k for k, reason in reversed([*enumerate(item.reasons)])}
        for text, k in told.items():
            places[text].append((item, k))
    with_reasons = sum(bool(item.reasons) for item in items)
    least = max(OFTEN_ITEMS, OFTEN_SHARE * with_reasons)
    for found in places.values():
        empty = [place for place in found if not _cites(*place)] if len(found) >= least else []
        if len(empty) >= least:
            item, k = empty[0]
            what = (
                f"the same text is a reason of {len(empty)} of {with_reasons} items, and cites "
                f"nothing of them: {_short(item.reasons[k].text)}"
            )
            yield ReferenceFinding("repeated", item.id, f"reasons.{k}.text", what)


def misplaced(reason: Reason, texts: ItemTexts) -> str | None:
    """What a reason cites of its response and only the other response holds; None without that.

    Read are quotes, code and numbers, by the rules of `grounding`: what the request holds belongs
    to no response, and what is said to be missing, or to be right instead, is not cited. A reason
    that also cites what its own response alone holds may correct it (`1901, not 1899`): no finding.
    """
    given = ModelReason(reason.text, reason.about)
    here = claims(given, texts)
    if not any(part.standing == "ungrounded" for part in here):
        return None
    there = claims(ModelReason(swap_names(reason.text), _OTHER[reason.about]), texts)
    if len(here) != len(there):
        return None
    pairs = list(zip(here, there, strict=True))
    if any(own.standing == "grounded" != other.standing for own, other in pairs):
        return None
    foreign = (own.text for own, other in pairs if (own.standing, other.standing) == _FOREIGN)
    return next(foreign, None)


def texts_of(item: Item) -> ItemTexts:
    """The request and the responses, as `grounding` reads them."""
    request = "\n".join(turn.content for turn in item.prompt)
    return ItemTexts.of(request, item.response_a, item.response_b)


def _voices(item: Item) -> Iterator[_Voice]:
    if item.reasons and item.label is not None:
        yield _Voice("reasons", item.label, item.reasons)
    for k, annotator in enumerate(item.annotators or ()):
        if annotator.reasons:
            yield _Voice(f"annotators.{k}.reasons", annotator.label, annotator.reasons)


def _only_side(text: str, item: Item, frames: Frames) -> Literal["a", "b"] | None:
    """The side that a text names, if it names one alone.

    Where the item's own texts say such a name (`Model A`, `Answer 1` of a quiz), it names no side.
    """
    named = set(sides_named(text))
    if _MAY_NAME.search(text):  # most often there is nothing more to look for
        named |= _named_widely(text, item)
    if not named:
        named |= frames.sides(text, _shown(item))
    if named == {"a"}:
        return "a"
    return "b" if named == {"b"} else None


def _shown(item: Item) -> list[str]:
    return [*(turn.content for turn in item.prompt), item.response_a, item.response_b]


def _named_widely(text: str, item: Item) -> set[About]:
    shown = _shown(item)
    return {
        side
        for names in _WIDE
        if (found := sides_named(text, names=names))
        and not any(sides_named(one, names=names) for one in shown)
        for side in found
    }


def _repeated_within(item: Item, voice: _Voice) -> Iterator[ReferenceFinding]:
    first: dict[tuple[str, About], int] = {}
    for place, reason in enumerate(voice.reasons):
        earlier = first.setdefault((normalise(reason.text).casefold(), reason.about), place)
        if earlier != place:
            what = f"repeats {voice.field}.{earlier}: {_short(reason.text)}"
            yield ReferenceFinding("repeated", item.id, f"{voice.field}.{place}.text", what)


def _without_side(text: str) -> str:
    letters = list(text)
    for place in places_named(text):
        letters[place] = "_"
    return normalise("".join(letters)).casefold()


def _cites(item: Item, place: int) -> bool:
    """Whether a reason quotes or counts something that the item holds."""
    reason = item.reasons[place]
    found = claims(ModelReason(reason.text, reason.about), texts_of(item))
    return any(part.standing == "grounded" for part in found)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3].rstrip() + "..."
