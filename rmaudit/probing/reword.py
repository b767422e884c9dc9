"""A rewording by rule: connectives, and phrases that can stand for each other.

It stands where no model rewords the reasons (`reword_model`), and changes few words: order,
numbers, quotations and the names of the responses stay. How many is measured with the verdicts.
"""

from __future__ import annotations

import re

from rmaudit.text.masking import FILL, mask_quoted

_FIRST, _NEXT = "First, ", "Then, "
POINT = re.compile(r"^[ \t]*(?:\(?\d{1,3}[.):]|[-*+•])[ \t]+", re.MULTILINE)
_SENTENCE = re.compile(rf"(?:\A|\n[ \t]*\n|(?<=[.!?][ \n]))[ \t\n]*(?=[A-Z{FILL}])")
_LOWERED = re.compile(
    r"(?:The|It|Its|This|That|These|Those|There|In|On|At|For|With|While|Although|Both|Neither|An"
    r"|Because|When|As|No|Not|Some|Only|Another)\b"
)
_CONNECTED = re.compile(
    r"(?:First|Second|Third|Then|Next|Also|Finally|However|Moreover|Furthermore|Additionally|But|And"
    r"|So|Thus|Therefore|Hence|Yet|Overall|In (?:addition|contrast|conclusion|summary))\b|[`~|#]"
)
_SAME = {
    "instead of": "rather than",
    "rather than": "instead of",
    "does not": "doesn't",
    "do not": "don't",
    "did not": "didn't",
    "is not": "isn't",
    "are not": "aren't",
    "doesn't": "does not",
    "don't": "do not",
    "isn't": "is not",
    "whereas": "while",
    "because": "since",
    "although": "even though",
    "leaves out": "omits",
    "omits": "leaves out",
    "for example": "for instance",
    "for instance": "for example",
}
_PHRASE = re.compile(rf"\b(?:{'|'.join(map(re.escape, _SAME))})\b")


def reword(text: str) -> str:
    """The reasons in other words: the points of a list, or else the sentences, get connectives.

    Phrases are replaced by others of the same meaning; quotations and code are left alone.
    """
    masked = mask_quoted(text)
    starts = [match.end() for match in POINT.finditer(masked)]
    starts = starts or [match.end() for match in _SENTENCE.finditer(masked)]
    edits = [(match.start(), match.end(), _SAME[match[0]]) for match in _PHRASE.finditer(masked)]
    for number, start in enumerate(starts):
        if text[start:].strip() and not _CONNECTED.match(text, start):
            lowered = _LOWERED.match(text, start)
            word = lowered[0] if lowered else ""
            edits.append((start, start + len(word), (_NEXT if number else _FIRST) + word.lower()))
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
