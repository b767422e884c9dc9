"""The lists of a text, read by its lines: markers, indentation and the headings above them.

A point takes the lines that wrap from it and the bullets below it as its own. Nothing here knows
what a reason is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from rmaudit.text.masking import fenced_lines


@dataclass(slots=True)
class ListPoint:
    """One top-level point: its own lines, and the points nested below it.

    `section`: its marker stands in a Markdown heading, so that whole paragraphs belong to it.
    """

    number: int | None
    indent: int
    lines: list[str]
    section: bool
    children: list[str] = field(default_factory=list)

    @property
    def title_only(self) -> bool:
        """Whether a bold or colon-ended title stands here and nothing else yet."""
        title = self.lines[0].rstrip()
        return len(self.lines) == 1 and not self.children and bool(_TITLE.search(title))


@dataclass(slots=True)
class Listing:
    """Points in a row, with the heading above them (or an empty text)."""

    heading: str
    ordered: bool
    points: list[ListPoint] = field(default_factory=list)


class Lists(NamedTuple):
    """All lists of a text, and the text after the last point.

    `unfinished` if the last point runs to the very end of the text.
    """

    listings: list[Listing]
    unfinished: bool
    rest: str


_ORDERED = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]{1,3})?(?:\*\*|__)?"
    r"(?:\(?(\d{1,3})[.)、．）](?!\d)|(\d{1,3}):(?=\s)|\[(\d{1,3})\]|([①-⑳])"
    r"|(?:(?:Reason|Point|Rationale)[ \t]{0,2}#?|理由|原因)(\d{1,3})(?:\*\*)?[ \t]?[:：.)–-])"
    r"[ \t]{0,8}",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[ \t]*(?:[-*+–·](?=[ \t])|[•‣◦▪●])[ \t]{0,8}")
_BREAK = re.compile(r"[-*_=]{3,}|\|.*|</?\w{1,20}>")
_TITLE = re.compile(r"[:：](?:\*\*)?$|\*\*$")
_HEADING = re.compile(
    r"#{1,6}[ \t]+(.*)|\*\*([^*\n]+)\*\*[ \t]?[:：]?|\[([^\[\]]{1,40})\][:：]?|(.*)[:：]"
)
_LONGEST_HEADING = 80
_SENTENCE = re.compile(r"\w{2,}[\"'”’)]?[.!?。！？][*_]{0,3}\Z")
# A line that starts so sums up: it is no part of the point above it.
_CONCLUSION = re.compile(
    r"[*_#]{0,6}(?:(?:So|Finally),|(?:Thus|Therefore|Hence|Overall|Ultimately|In conclusion|"
    r"In summary|To summari[sz]e|To conclude)\b|(?i:(?:so,? |therefore,? )?(?:my |the )?"
    r"(?:final |overall )?(?:verdict|judge?ment|decision|winner|conclusion)\b)"
    r"|(?:我的)?(?:最终|结论|综上|总之|因此|所以|判定))"
)


def read_lists(text: str) -> Lists:
    """Every list of the text, in order."""
    lines = [part for line in text.split("\n") for part in _unfold(line)]
    reader = _Reader()
    end = 0
    for i, (line, fenced) in enumerate(zip(lines, fenced_lines(lines), strict=True), 1):
        reader.read(line, fenced=fenced)
        end = i if reader.point else end
    unfinished = reader.point is not None and not reader.blank
    return Lists(reader.listings, unfinished, "\n".join(lines[end:]))


def heading_text(line: str) -> str:
    """What a heading says, or an empty text where the line is none."""
    line = line.strip()
    if len(line) > _LONGEST_HEADING or not (match := _HEADING.fullmatch(line)):
        return ""
    if not line.startswith("#") and _SENTENCE.search(line):
        return ""  # emphasis on a sentence
    return next((group for group in match.groups() if group), "").strip(" *_#:：")


def passages(text: str) -> Iterator[tuple[str, str]]:
    """(heading, text) of every stretch of prose: paragraphs, cut at headings, without code."""
    lines = text.split("\n")
    heading, passage = "", list[str]()
    for line, fenced in zip([*lines, ""], [*fenced_lines(lines), False], strict=True):
        stripped = line.strip()
        title = "" if fenced else heading_text(stripped)
        if title or fenced or not stripped or _BREAK.fullmatch(stripped):
            if passage:
                yield heading, "\n".join(passage)
            heading, passage = title or heading, []
        else:
            passage.append(line)


class _Reader:
    """Reads line by line; `point` is the one that the next line may belong to."""

    def __init__(self) -> None:
        self.listings: list[Listing] = []
        self.point: ListPoint | None = None
        self.blank = False
        self._heading = ""
        self._between: list[str] | None = None
        """The lines since the last point, None where a heading came after it."""

    def read(self, line: str, *, fenced: bool) -> None:
        stripped = line.strip()
        if not stripped:
            self.blank = True
            return
        indent = len(line[: len(line) - len(line.lstrip())].expandtabs(4))
        if not fenced and (marker := _ORDERED.match(line)):
            number = _number(next(group for group in marker.groups() if group))
            self._add(ListPoint(number, indent, [line[marker.end() :]], stripped.startswith("#")))
        elif not fenced and (marker := _BULLET.match(line)):
            self._add(ListPoint(None, indent, [line[marker.end() :]], False))
        elif not fenced and stripped.startswith("[/"):
            # The closing delimiter of an echoed prompt: what stood above it heads nothing below.
            self._head("")
        elif not fenced and not indent and (title := heading_text(stripped)):
            self._head(title)
        elif self.point and self._continues(self.point, stripped, indent):
            (self.point.children or self.point.lines).append(stripped)
        else:
            self.point = None
            if self._between is not None:
                self._between.append(stripped)
        self.blank = False

    def _head(self, title: str) -> None:
        self._heading, self._between, self.point = title, None, None

    def _add(self, new: ListPoint) -> None:
        listing = self.listings[-1] if self.listings else None
        if self.point and listing:
            below = new.indent >= self.point.indent + 2
            if below or (new.number is None and listing.ordered):
                self.point.children += new.lines
                return
        if listing and self._belongs(new, listing):
            listing.points[-1].lines += self._between or []
            listing.points.append(new)
        else:
            if self._between:
                self._heading = ""
            self.listings.append(Listing(self._heading, new.number is not None, [new]))
        self.point, self._between = new, []

    def _belongs(self, new: ListPoint, listing: Listing) -> bool:
        """Whether a point goes on the list: directly, or with the next number after paragraphs."""
        last = listing.points[-1].number
        if self._between:
            return new.number is not None and last is not None and new.number == last + 1
        if self._between is None or listing.ordered != (new.number is not None):
            return False
        # A number that is not higher begins a new list, unless all are 1 as Markdown permits.
        return new.number is None or last is None or new.number > last or last == 1

    def _continues(self, point: ListPoint, stripped: str, indent: int) -> bool:
        if _BREAK.fullmatch(stripped):
            return False
        if indent > point.indent or (self.blank and point.title_only):
            return True
        return (point.section or not self.blank) and not _CONCLUSION.match(stripped)


_INLINE = re.compile(r"(?<!\S)(\(?)(\d{1,2})([.)])(?=\s)")


def _unfold(line: str) -> list[str]:
    """`1. ... 2. ... 3. ...` on one line as one line a point; the numbers count up from 1."""
    if "2" not in line:
        return [line]
    starts: list[int] = []
    style: tuple[str, ...] = ()
    for match in _INLINE.finditer(line):
        before = line[max(0, match.start() - 8) : match.start()].rstrip()
        if starts:
            # In a sentence `step 2. The` looks the same: a point follows the end of another.
            opens = match.group(1, 3) == style and (match[3] == ")" or before[-1:] in _STOPS)
        else:
            opens = not before or (before[-1] in ":：" and not match[1])
        if opens and int(match[2]) == len(starts) + 1:
            style = match.group(1, 3)
            starts.append(match.start())
        elif not starts:
            return [line]
    if len(starts) < 2:
        return [line]
    bounds = [0, *starts, len(line)]
    parts = [line[start:end] for start, end in pairwise(bounds)]
    return parts if parts[0].strip() else parts[1:]


_STOPS = frozenset('.;:!?。；：)"”’')


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else ord(text) - ord("①") + 1
