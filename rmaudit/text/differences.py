"""Where two texts differ: the runs of a word-level diff, and the sentences that one text lacks."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import regex

from rmaudit.text.sentences import sentences

MOST_WORDS = 5_000
"""So many words of a text are compared one by one; what follows them is one run."""
EXACT_WORDS = 1_000
"""Up to here every word can align two texts. In longer ones frequent words only extend what rarer
words have aligned, which keeps the time about linear."""

# A number, a word, or one other character that `str.strip` leaves. Scripts without spaces are
# compared by character.
_WORD = regex.compile(
    r"\d+(?:[.,:]\d+)*|[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Khmer}\p{Lao}\p{Myanmar}]"
    r"|[\p{L}\p{M}\p{N}_]+(?:['’-][\p{L}\p{M}\p{N}_]+)*|[^\s\x1c-\x1f]",
    regex.V1,
)
# A bullet, a number or a heading mark before the text of a line, and bold or italic around it.
_MARKS = regex.compile(r"^\s*(?:(?:[-*•+>]|#{1,6}|\d{1,3}[.)]|\(\w{1,2}\))\s+)*")


class Run(NamedTuple):
    """What stands in the first text where the second has something else; either may be empty."""

    first: str
    second: str


def word_runs(first: str, second: str) -> list[Run]:
    """The differing runs of the word-level diff of two texts, in their order.

    White space does not count; words are compared as they are written. A run is a maximal stretch,
    as it stands in the texts, between words that both have.
    """
    one, two = _Words(first), _Words(second)
    start = _common(one.words, two.words)
    end = _common(one.words[start:][::-1], two.words[start:][::-1])
    last_one, last_two = len(one.words) - end, len(two.words) - end
    cut_one, cut_two = min(last_one, start + MOST_WORDS), min(last_two, start + MOST_WORDS)
    spans: list[tuple[int, int, int, int]] = []
    left, right = one.words[start:cut_one], two.words[start:cut_two]
    long = max(len(left), len(right)) > EXACT_WORDS
    matcher = SequenceMatcher(None, left, right, autojunk=long)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            spans.append((start + i1, start + i2, start + j1, start + j2))
    if cut_one < last_one or cut_two < last_two:
        if spans and spans[-1][1] == cut_one and spans[-1][3] == cut_two:
            i1, _, j1, _ = spans.pop()
        else:
            i1, j1 = cut_one, cut_two
        spans.append((i1, last_one, j1, last_two))
    return [Run(one.between(i1, i2), two.between(j1, j2)) for i1, i2, j1, j2 in spans]


def count_differences(first: str, second: str) -> int:
    """How many places two responses differ in: the runs of `word_runs`."""
    return len(word_runs(first, second))


def own_sentences(text: str, other: str) -> list[str]:
    """The sentences of a text that another text has not, each once, in order.

    A line is never joined with the next. Case, white space and the marks of lists and headings do
    not count.
    """
    theirs = {_key(sentence) for sentence in all_sentences(other)}
    found: dict[str, str] = {}
    for sentence in all_sentences(text):
        key = _key(sentence)
        if key and key not in theirs:
            found.setdefault(key, sentence)
    return list(found.values())


def all_sentences(text: str) -> list[str]:
    """The sentences of all lines of a text, without the marks of lists and headings."""
    lines = (_MARKS.sub("", line) for line in text.splitlines())
    return [sentence for line in lines if line.strip() for sentence in sentences(line)]


def _key(sentence: str) -> str:
    return " ".join(_WORD.findall(sentence)).casefold().strip(" .!?。！？*_`")


class _Words:
    """The words of a text and where they stand in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        matches = list(_WORD.finditer(text))
        self.words = [match[0] for match in matches]
        self.spans = [match.span() for match in matches]

    def between(self, start: int, end: int) -> str:
        """The text of the words `start` to `end`, white space collapsed."""
        if start >= end:
            return ""
        return " ".join(self.text[self.spans[start][0] : self.spans[end - 1][1]].split())


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    """How many words two texts begin with in common."""
    count = 0
    for left, right in zip(one, two, strict=False):
        if left != right:
            break
        count += 1
    return count
