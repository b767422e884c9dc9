"""The values that a reason names, masked so that their own words never count as language.

Quotations, code, numbers, names and what the item knows become one character each; so do the names
of the responses.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from rmaudit.parsing.sides import Names, mentions_of
from rmaudit.records import Side
from rmaudit.text.normalise import normalise

OWN, OTHER, BOTH = "①", "②", "③"
"""The response that a reason is about, the other one, and both."""
Kind = Literal["known", "quoted", "code", "number", "name"]

NAMES = Names(("Response", "Assistant", "Reply", "Model", "Output", "Candidate", "Completion"))
FIRST = 0xE000
_SAME = str.maketrans("−–—×÷’‘“”′", "---*/''\"\"'")
# What stands for a side or a value in a masked text means nothing in a text as it comes.
_RESERVED = re.compile(f"[{OWN}{OTHER}{BOTH}\ue000-\uf8ff]|\\[(?=unused)")
_QUOTE = re.compile(
    r'"([^"]{1,300})"|``?([^`]{1,300})`?`'
    r"|(?<!\w)'((?:[^']|(?<=\w)'(?=\w)){1,200})'(?!\w)"
)
_NUMBER = re.compile(r"(?<![\w.])[$€£]?\d+(?:[.,:/-]\d+)*%?(?!\w)")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+(?:[- ][A-Z][a-z]+)*\b")
# `It is false that ...` speaks of no value, even where `false` is one.
_JUDGES = re.compile(r"(?i)\b(?:is|was|be|not|just|simply|it's) (?:true|false) (?:that|to)\b")


class Value(NamedTuple):
    """A value that a reason names: as written, its place in the masked text, and in marks or not.

    kind: `known` of the item, or how it was recognised.
    """

    text: str
    at: int
    kind: Kind
    marked: bool


class _Span(NamedTuple):
    """A stretch of the text that is masked: by the sign of a side, or by the values in it."""

    start: int
    end: int
    sign: str = ""
    values: tuple[tuple[str, Kind], ...] = ()


def canonical(text: str) -> str:
    """One spelling for dashes, signs, quotation marks and white space."""
    return _RESERVED.sub(" ", normalise(text).translate(_SAME))


def folded(text: str) -> str:
    """A text without case and asterisks, as `holds` searches it."""
    return canonical(text).replace("*", "").casefold()


def holds(text: str, value: str) -> bool:
    """Whether a folded text has a value, whole."""
    form = folded(value).strip(" .,;:!?`")
    if not form:
        return True
    start = r"(?<!\w)" if form[0].isalnum() else ""
    end = r"(?!\w)" if form[-1].isalnum() else ""
    # 4 stands neither in 4.5 nor in 1,004.
    start += r"(?<!\d[.,])" if form[0].isdigit() else ""
    end += r"(?![.,]\d)" if form[-1].isdigit() else ""
    return re.search(start + re.escape(form) + end, text) is not None


def mask(text: str, about: Side, known: re.Pattern[str]) -> tuple[str, tuple[Value, ...]]:
    """The text in lower case with sides and values masked, and the values in order.

    Args:
        text: canonical.
        about: the response that the text is about; it becomes OWN.
        known: finds the values of the item.
    """
    spans = [
        _Span(
            one.start,
            one.end,
            BOTH if one.about == "both" else OWN if one.about == about else OTHER,
        )
        for one in mentions_of(text, names=NAMES)[1]
    ]

    def free(found: re.Match[str]) -> bool:
        return all(found.end() <= one.start or found.start() >= one.end for one in spans)

    literals = [
        found
        for found in known.finditer(text)
        if free(found) and not _JUDGES.search(text, max(0, found.start() - 9), found.end() + 6)
    ]
    for quote in filter(free, _QUOTE.finditer(text)):
        met = [one for one in literals if one.start() < quote.end() and one.end() > quote.start()]
        if any(one.start() <= quote.start() or one.end() >= quote.end() for one in met):
            continue
        inner = quote[1] or quote[2] or quote[3]
        named: list[tuple[str, Kind]] = [(one[0], "known") for one in met]
        if sum(len(one[0]) for one in met) < len(inner) - 1:
            named.append((inner, "code" if quote[2] else "quoted"))
        spans.append(_Span(*quote.span(), values=tuple(named)))
    kinds: tuple[tuple[Kind, list[re.Match[str]]], ...] = (
        ("known", literals),
        ("number", list(_NUMBER.finditer(text))),
        ("name", list(_NAME.finditer(text))),
    )
    for kind, matches in kinds:
        for found in filter(free, matches):
            spans.append(_Span(*found.span(), values=((found[0], kind),)))
    return _masked(text, sorted(spans))


def _masked(text: str, spans: list[_Span]) -> tuple[str, tuple[Value, ...]]:
    masked, at = "", 0
    values: list[Value] = []
    for span in spans:
        masked = _joined(masked, text[at : span.start].lower())
        if span.sign:
            masked = _joined(masked, f" {span.sign}")
        for value, kind in span.values:
            masked = _joined(masked, " ")
            values.append(Value(value, len(masked), kind, text[span.start] in "\"`'"))
            masked += chr(FIRST + len(values) - 1)
        at = span.end
        if text[at : at + 1].isalnum():
            masked += " "
    return _joined(masked, text[at:].lower()), tuple(values)


def _joined(text: str, more: str) -> str:
    """Both in one, without a double space."""
    return text + (more[1:] if more[:1] == " " and text[-1:] in ("", " ") else more)
