"""Which response a reason speaks of, and how its names turn when the order is undone.

A name maps only where the prompt defined it: `Response A`, never `Vitamin A`, `Plan B` or `A better
answer`. A bare letter in the place of a name (`B omits the price`) is counted as ambiguous and
never guessed. Names inside quotation marks or code are the responses' words and do not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from rmaudit.records import About, Judgment, Order, Side, Verdict
from rmaudit.text.masking import fold, mask_quoted


@dataclass(frozen=True, slots=True)
class Names:
    """How a prompt named the two responses: one of `nouns`, then the label of the side.

    `Names(("Assistant",), "1", "2")` stands for Assistant 1 and Assistant 2. Nouns match in any
    case; a label is one character.
    """

    nouns: tuple[str, ...] = ("Response",)
    a: str = "A"
    b: str = "B"

    @property
    def noun(self) -> str:
        """The nouns as one regular expression, the longest first."""
        nouns = sorted(self.nouns, key=len, reverse=True)
        return "(?:" + "|".join(re.escape(noun) for noun in nouns) + ")"


DEFAULT_NAMES = Names()


class Mention(NamedTuple):
    """Where a text names a side; `letters` are the positions of the labels in the original."""

    start: int
    end: int
    about: About
    letters: tuple[int, ...]


class _Grammar(NamedTuple):
    mention: re.Pattern[str]
    compared: re.Pattern[str]
    undefined: re.Pattern[str]
    letter: re.Pattern[str] | None
    swap: dict[str, str]


def reason_about(
    text: str, *, names: Names = DEFAULT_NAMES, heading: About = None
) -> tuple[About, bool]:
    """The side that a reason is about, as shown, and whether it is ambiguous.

    With both sides named the subject decides: a leading label, else the side that remains without
    the phrases of comparison (`unlike Response B`, `than Response B`, `while Response B ...`), else
    the first one. The side of a `heading` above it counts where the reason names no subject.
    Ambiguous: no defined name, but a form of one that the prompt did not define.
    """
    grammar = _grammar(names)
    masked, found = _mentions(text, names)
    if not found:
        ambiguous = _names_vaguely(masked, grammar)
        return (None if ambiguous else heading), ambiguous
    if _is_label(masked, found[0]):
        return found[0].about, False
    if len(found) == 1 and not heading:
        return found[0].about, False
    compared = [match.span() for match in grammar.compared.finditer(masked)]
    subjects = [
        mention
        for mention in found
        if not any(start <= mention.start < end for start, end in compared)
    ]
    if not subjects and heading:
        return heading, False
    first, *others = subjects or found
    if first.about == "both":
        for other in others:
            if other.about != "both" and _CONTRAST.search(masked, first.end, other.start):
                return other.about, False
    return first.about, False


def sides_named(text: str, *, names: Names = DEFAULT_NAMES) -> list[About]:
    """Every mention of a side in its own voice, in order."""
    return [mention.about for mention in _mentions(text, names)[1]]


def mentions_of(text: str, *, names: Names = DEFAULT_NAMES) -> tuple[str, tuple[Mention, ...]]:
    """The text with its quotations masked, and every mention of a side in it, in order."""
    return _mentions(text, names)


def places_named(text: str, *, names: Names = DEFAULT_NAMES) -> list[int]:
    """Where the label of a side stands in the text, in order."""
    return [letter for mention in _mentions(text, names)[1] for letter in mention.letters]


def names_vaguely(text: str, *, names: Names = DEFAULT_NAMES) -> bool:
    """Whether a text names a side in a form that the prompt did not define."""
    return _names_vaguely(_mentions(text, names)[0], _grammar(names))


def swap_names(text: str, *, names: Names = DEFAULT_NAMES) -> str:
    """The text with the defined names of the two sides exchanged, outside quotations.

    Only labels change, in place, so that swapping twice gives the text back.
    """
    swap = _grammar(names).swap
    characters = list(text)
    for mention in _mentions(text, names)[1]:
        for position in mention.letters:
            characters[position] = swap[characters[position]]
    return "".join(characters)


def to_item(judgment: Judgment, *, order: Order, names: Names = DEFAULT_NAMES) -> Judgment:
    """A judgment as shown, in item coordinates; its own inverse for either order."""
    if order != "ba":
        return judgment
    return replace(
        judgment,
        verdict=_OTHER_VERDICT[judgment.verdict],
        reasons=tuple(
            replace(
                reason, text=swap_names(reason.text, names=names), about=_OTHER_ABOUT[reason.about]
            )
            for reason in judgment.reasons
        ),
    )


_OTHER_VERDICT: dict[Verdict, Verdict] = {"a": "b", "b": "a", "tie": "tie", None: None}
_OTHER_ABOUT: dict[About, About] = {"a": "b", "b": "a", "both": "both", None: None}

_CONTRAST = re.compile(r"\b(?i:but|however|yet|only|though|although|while|whereas)\b")
_LABEL_OPENS = re.compile(r"[\s*_#\[(\-]{0,8}\Z")
_LABEL_CLOSES = re.compile(r"[\s*_]{0,4}(?:[:\])]|\s[–—-]{1,2}\s)")

_COMPARISON = (
    r"(?i:unlike|than|over|versus|vs\.?|against|(?:compared|contrasted) (?:to|with)|"
    r"in contrast (?:to|with)|in comparison (?:to|with)|opposed to|rather than|instead of|"
    r"relative to|like|similar to)"
)
_NO_LETTER, _AFTER_NO_LETTER = r"(?![A-Za-z0-9_À-ɏ])", r"(?<![A-Za-z0-9_À-ɏ])"
_SUBORDINATE = r"(?i:whereas|while|whilst|although|though)"
_BOTH_VERB = (
    r"(?:are|were|have|had|do|did|can|could|cite|contain|fail|give|include|lack|mention|miss|omit|"
    r"provide|use)"
)
_OTHER_NOUNS = (
    r"(?i:answer|assistant|candidate|chatbot|completion|model|option|output|reply|response|system)"
)
_CJK_NOUNS = r"(?:回答|回复|回應|响应|答案|模型|助手|応答)"


@lru_cache(maxsize=32)
def _grammar(names: Names) -> _Grammar:
    upper = re.escape(names.a.upper() + names.b.upper())
    lower = re.escape(names.a.lower() + names.b.lower())
    # A lower-case letter may be the article: it needs what only follows a name. Chinese and
    # Japanese put no space around a name.
    label = rf"(?:[{upper}]|[{lower}](?=['’]s\b|\s{{0,3}}(?:[.,;:!?)\]]|\Z))){_NO_LETTER}"
    noun, gap = rf"(?i:{names.noun}s?)", r"[\s_*(\-]{0,4}"
    join = r"\s{0,3}(?:&|/|(?i:and|or|as well as))\s{0,3}"
    name = rf"{_AFTER_NO_LETTER}{noun}{gap}{label}"
    mention = (
        rf"{_AFTER_NO_LETTER}{noun}{gap}(?P<first>{label})"
        rf"(?:(?:['’]s)?{join}(?:{noun}{gap})?(?P<second>{label}))?"
        rf"|\b(?i:both|neither|either|each|the two)(?: of (?:the|these|those))?(?: \w{{1,12}})?"
        rf" {noun}(?!\w)(?!{gap}{label})"
        rf"|\b(?i:both(?: of them)? {_BOTH_VERB})\b"
    )
    compared = (
        rf"\b{_COMPARISON}(?:\s{{1,4}}[\w'’]{{1,20}}){{0,3}}?[\s*_(\[]{{1,4}}{name}"
        rf"|\b{_SUBORDINATE}\s[^.;,]{{0,200}}"
    )
    letters = names.a.isalpha()
    return _Grammar(
        mention=re.compile(mention),
        compared=re.compile(compared),
        undefined=re.compile(
            rf"\b{_OTHER_NOUNS}s?[ _-]?[AB12](?!\w)|{_CJK_NOUNS}\s?[AB12](?![A-Za-z0-9])"
            r"|\b(?i:(?:first|second) (?:answer|response|reply)|the (?:former|latter))\b"
        ),
        letter=re.compile(rf"(?<![\w&./'’+#^-])[{upper}](?![\w+/#&*<>=-]|\.\w)")
        if letters
        else None,
        swap=_swap_table(names),
    )


def _swap_table(names: Names) -> dict[str, str]:
    """Both labels in every spelling that `fold` reads as them: case and full width."""
    table: dict[str, str] = {}
    for a, b in ((names.a.upper(), names.b.upper()), (names.a.lower(), names.b.lower())):
        for shift in (0, 0xFEE0):
            wide_a, wide_b = chr(ord(a) + shift), chr(ord(b) + shift)
            table |= {wide_a: wide_b, wide_b: wide_a}
    return table


@lru_cache(maxsize=256)
def _mentions(text: str, names: Names) -> tuple[str, tuple[Mention, ...]]:
    """The text without its quotations, and where it names a side.

    Kept, since a reason is read when it is parsed and again when its names turn.
    """
    grammar, folded = _grammar(names), fold(text)
    masked, origin = mask_quoted(folded.text), folded.origin
    found = []
    for match in grammar.mention.finditer(masked):
        starts = [match.start(group) for group in ("first", "second") if match[group]]
        letters = tuple(origin[start] for start in starts)
        # Of the letters that fold to a label, only those with a counterpart can be exchanged.
        if all(text[letter] in grammar.swap for letter in letters):
            sides = {_side(masked[start], names) for start in starts}
            about: About = sides.pop() if len(sides) == 1 else "both"
            found.append(Mention(match.start(), match.end(), about, letters))
    return masked, tuple(found)


def _side(label: str, names: Names) -> Side:
    return "a" if label.casefold() == names.a.casefold() else "b"


def _is_label(masked: str, mention: Mention) -> bool:
    """Whether a reason opens with this name as a label: `Response A: ...`, `[Response A] ...`."""
    return bool(
        _LABEL_OPENS.match(masked[: mention.start]) and _LABEL_CLOSES.match(masked, mention.end)
    )


# What stands before or after a letter that is used as a name.
_BEFORE_NAME = frozenset(
    "about against although and because between both but by choose compared favour favor for from "
    "give gives if in like makes of or over prefer preferred since so than that though to toward "
    "unlike versus vs when whereas where which while with".split()
)
_AFTER_NAME = re.compile(
    r"['’]s\b|[)\]:,;]|\s{1,3}(?:and|or|but|can|could|did|had|may|never|only|also|should|will|would|"
    r"(?!series\b)[a-z]{1,20}(?<![sui])s)\b|\s{1,3}(?:is|was|has|does)\b|[.!?]?\s{0,3}\Z"
)
_ENUMERATION = re.compile(r"\([A-Z](?:, ?(?:and |or )?[A-Z])+\)")
"""`(A, C, D)`: choices of the request, not sides."""
_WORD_BEFORE = re.compile(r"([^\W\d_]{1,20})[ *_]{1,3}\Z")


def _names_vaguely(masked: str, grammar: _Grammar) -> bool:
    """Whether a side is named, but only in a form that the prompt did not define."""
    if grammar.undefined.search(masked):
        return True
    if grammar.letter is None:
        return False
    masked = _ENUMERATION.sub("", masked)
    for match in grammar.letter.finditer(masked):
        word = _WORD_BEFORE.search(masked[max(0, match.start() - 24) : match.start()])
        if word:
            # `Vitamin A`, `Plan B`: a letter that specifies the noun before it is no name.
            if word[1].casefold() in _BEFORE_NAME:
                return True
        elif match[0] != "A" or _AFTER_NAME.match(masked, match.end()):
            # Opening a sentence, `A` may be the article.
            return True
    return False
