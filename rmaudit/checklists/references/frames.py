"""How a set names its two responses, in any language: learned from its own reasons.

People write references in words of their own. What stands beside a label (`Antwort A`, `回答B`,
`الرد أ`, `Aの回答`) is a frame. It names the responses where a good part of all reasons has it, and
it has two labels, hardly ever a third: steps, lines and choices go on counting.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import regex

from rmaudit.parsing.sides import sides_named
from rmaudit.records import Side
from rmaudit.text.masking import fold, mask_quoted

LEAST_SHARE = 0.05
"""So many of all reasons have a frame that names the responses."""
LEAST_REASONS = 2
"""For each label: one reason proves no custom."""
MOST_OTHERS = 0.05
"""So much of what stands in a frame may be other labels."""

# Scripts that put no space between words, or join particles to a label.
_DENSE = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}"
_WORD = rf"[[\p{{L}}\p{{M}}\p{{N}}_]--[{_DENSE}]]"
_LABEL = regex.compile(
    rf"(?V1)(?<!{_WORD})(?<!\d[.,])(?:[\p{{Lu}}[\p{{Lo}}--[{_DENSE}]]]|\d{{1,4}})"
    rf"(?!{_WORD})(?![.,]\d)"
)
_BEFORE = regex.compile(
    rf"(?V1)(?:([{_DENSE}]{{1,2}})|(?<!{_WORD})({_WORD}{{2,24}}))[\s*_(\[\-]{{0,3}}$"
)
_AFTER = regex.compile(rf"(?V1)[\s*_)\]:\-]{{0,3}}(?:([{_DENSE}]{{1,2}})|({_WORD}{{2,24}}))")
_REACH = 32
_STEM = 5
"""Letters of a word that stay where its ending turns with the sentence: `ответ`, `ответе`."""

Labels = tuple[str, str]


class _Framed(NamedTuple):
    """A label, and what stands before it or after it; after it the frame begins with a dot."""

    frame: str
    label: str


class Frames(NamedTuple):
    """The frames that name the responses of a set, each with the labels of a and of b."""

    labels: Mapping[str, Labels]

    def sides(self, text: str, shown: Iterable[str]) -> set[Side]:
        """The responses that a reason names.

        Where a frame names one and the other label stands anywhere in the text, that is named too.

        Args:
            text: of the reason.
            shown: the texts of its item. A frame that they have themselves (`Plan A` of a request
                about plans) names no response.
        """
        if not self.labels:
            return set()
        found = list(_framed(text))
        named = {one for one in found if one.label in self.labels.get(one.frame, ())}
        if not named:
            return set()
        own = {one.frame for other in shown for one in _framed(other)}
        pairs = {self.labels[one.frame] for one in named if one.frame not in own}
        said = {one.label for one in found} | set(_labels(text))
        return {side for pair in pairs for side, label in _sided(pair) if label in said}


def frames_of(texts: Iterable[str]) -> Frames:
    """Learns the frames of a set from the texts of all its reasons."""
    reasons, held = 0, defaultdict[str, Counter[str]](Counter)
    for text in texts:
        reasons += 1
        # What names them as a prompt does needs no learning.
        for frame, label in () if sides_named(text) else set(_framed(text)):
            held[frame][label] += 1
    learned: dict[str, Labels] = {}
    for frame, counts in held.items():
        (first, most), (second, less), *_ = [*counts.most_common(2), ("", 0), ("", 0)]
        enough = less >= LEAST_REASONS and most + less >= LEAST_SHARE * reasons
        pair = (first + second).isalpha() or {first, second} == {"1", "2"}
        if enough and pair and counts.total() - most - less <= MOST_OTHERS * counts.total():
            one, other = sorted((first, second))
            learned[frame] = one, other
    return Frames(learned)


def _sided(pair: Labels) -> Iterator[tuple[Side, str]]:
    yield "a", pair[0]
    yield "b", pair[1]


def _framed(text: str) -> Iterator[_Framed]:
    plain = mask_quoted(fold(text).text)
    for found in _LABEL.finditer(plain):
        start = max(0, found.start() - _REACH)
        before = _BEFORE.search(plain[start : found.start()])
        if before:
            yield _Framed(_stem(before[1] or before[2]), found[0])
        after = None if found[0].isdigit() else _AFTER.match(plain, found.end())
        if after:
            yield _Framed("." + _stem(after[1] or after[2]), found[0])


def _stem(word: str) -> str:
    return word.casefold()[:_STEM]


def _labels(text: str) -> list[str]:
    return [found[0] for found in _LABEL.finditer(mask_quoted(fold(text).text))]
