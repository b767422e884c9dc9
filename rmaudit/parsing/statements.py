r"""How a verdict form stands in an answer: whether the answer gives it, or only writes it.

A verdict is given where it stands on its own, or after words that announce an overall verdict. In
a sentence of another kind it is given only at an end of the answer, and only where the sentence is
the judge's own conclusion in the present tense. What another caption stands over (`Rejected:`,
`Style:`), what a sentence goes on about (`Response B claims [[B]] and I ignore that`), what was
said before (`My earlier verdict was [[B]]`) plays another role, whatever its words: no list of
roles is kept, only of what announces a verdict.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from rmaudit.parsing.sides import Names, sides_named
from rmaudit.parsing.verdict_grammar import Label, read_label

Standing = Literal["given", "concluded", "mentioned"]

_REACH = 240
_MARKUP = " \t*_`#$~>|\"“”'‘’(["
_BULLET = re.compile(r"(?:[-+•]|\d{1,2}[.)])[ \t]")
_CLAUSE = re.compile(r"[.!?;](?=\s)|[。!?;](?=\S)|\n|(?:\]\]|\}|</\w{1,20}>)(?=\s)")

_NOUN = (
    r"(?:verdict|judge?ment|decision|winner|preference|choice|conclusion|answer|result|rating|"
    r"ranking|evaluation|assessment|output|selection|vote|pick|label|"
    r"urteil|entscheidung|fazit|ergebnis|veredicto|conclusi[oó]n|decisi[oó]n|d[ée]cision|verdetto|"
    r"(?:preferred|better|best|superior|winning|chosen|stronger)[ \t]"
    r"(?:response|answer|one|option|output|assistant|model|candidate|completion|reply))"
)
_CJK_NOUN = (
    r"(?:我的)?(?:最终|最后)?的?(?:结论|判定|判断|裁决|裁定|决定|选择|胜者|赢家|评判|答案|评价|结果|"
    r"(?:更好|更优)的(?:回答|回复|答案|响应))"
)
_CONNECTIVE = (
    r"(?:(?:so|thus|hence|therefore|overall|finally|ultimately|consequently|accordingly|altogether|"
    r"in (?:conclusion|summary|short|total|the end)|to (?:conclude|summari[sz]e|sum up)|"
    r"all (?:in all|things considered)|on balance|or rather|rather|actually|"
    r"综上所述|综上|总之|因此|所以|"
    r"(?:based on|given|considering|after|weighing|with)(?:[ \t][\w'’-]{1,20}){1,8})[,:]?"
    r"[ \t]{0,2})"
)
_FINAL = r"(?:(?:final|overall|ultimate|definitive|own|clear)[ \t]{1,2}){0,2}"
_ANNOUNCED = re.compile(
    rf"{_CONNECTIVE}{{0,2}}(?:here[ \t](?:is|comes)[ \t]|this[ \t]is[ \t]|and[ \t])?"
    rf"(?:(?:my|the|our|this|your)[ \t]{{1,2}})?{_FINAL}(?:{_NOUN}|{_CJK_NOUN})"
    r"(?:[ \t](?:in|of|for)[ \t](?:this|the)[ \t]\w{1,12})?"
    r"[ \t*_]{0,4}(?:[:=\-–—]|"
    r"(?:is|are|would be|goes to|must be|has to be|remains|as follows|是|为)[ \t*_]{0,4}[:=]?)?"
    r"[ \t]{0,3}(?:that[ \t])?(?P<said>[^:]{0,80}?)[ \t]{0,3}[:\-–—=,.]{0,2}",
    re.IGNORECASE,
)
CONNECTIVES = re.compile(rf"{_CONNECTIVE}{{1,2}}[,:]?", re.IGNORECASE)
_SOLUTION_NOUN = re.compile(r"(?:answer|result|output|答案|结果)\W*(?:is|:|=|是|为)?\W*\Z", re.I)

# What may follow a verdict in its clause: its end, a remark apart, a reason, or what it is called.
_FOLLOWS = re.compile(
    r"[ \t*_`$~|\"”'’)\]}\\]{0,12}(?:\Z|[.。!?;:；：(（\[<—–-]|"
    r"[,，]?[ \t]{0,3}(?:"
    r"(?:because|since|as|due|given|over|by|for|with|based|meaning|indicating)\b|"
    rf"(?:is|would be)[ \t](?:my|the|our)[ \t]{_FINAL}{_NOUN}|因为|由于))",
    re.IGNORECASE,
)
# After a verdict that opens its line a new sentence may follow without a full stop.
_FOLLOWS_AT_START = re.compile(r"[ \t*_`$~|\"”'’)\]}\\,，]{0,12}[A-Z0-9一-鿿]")
_OWN = re.compile(r"\b(?:i|we|my|our)\b|我", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:was|were|had(?! to\b)|been|used to)\b"
    r"|\b(?:i|we)\b(?:[ \t]\w{1,14}){0,2}?[ \t](?:did|said|gave|chose|thought|went|"
    r"(?<!am )(?<!is )(?<!are )(?<!be )(?<!have )[a-z]{3,14}(?<!ne)ed)\b|之前|先前|曾",
    re.IGNORECASE,
)
_VERB = re.compile(r"\b(?:is|are|am|was|were|be|has|have|must|would|i|we|it|['’]s)\b|是", re.I)
_LAST_PART = re.compile(
    r"(?:[,;:，；：—–]|\b(?:but|so|and|then|hence|thus|therefore)\b|但|所以)\W*\Z", re.I
)


class Stand(NamedTuple):
    """How a verdict stands in an answer, and where the words begin that belong to it alone."""

    kind: Standing
    begin: int


def standing(answer: str, start: int, end: int, label: Label, *, bare: bool, names: Names) -> Stand:
    """How the verdict `label` at [start, end) of the answer stands there.

    bare: it is a single letter in a form in which solutions of a request are given as well.
    """
    before, alone = _before(answer, start)
    after = answer[end : end + 80].split("\n", 1)[0]
    if not _closed(after, begins_line=alone and not before):
        return Stand("mentioned", start)
    if not before or CONNECTIVES.fullmatch(before):
        return Stand("given", start)
    if _says_the_same(before, label, names):
        return Stand("given", _clause_start(answer, start, before))
    if announcing := _announcing(before, label, bare=bare, names=names):
        return Stand("given", _clause_start(answer, start, announcing))
    if bare and _SOLUTION_NOUN.search(before):
        return Stand("mentioned", start)
    if not _concludes(before, label, names):
        return Stand("mentioned", start)
    return Stand("concluded", len(answer[:start].rstrip(" \t*_:：—–-,")))


def object_stands(answer: str, start: int, end: int, *, names: Names) -> bool:
    """Whether a JSON value at [start, end) is given as the answer, not talked about."""
    before, _ = _before(answer, start)
    after = answer[end : end + 80].split("\n", 1)[0]
    if not (_closed(after, begins_line=True) or after[:1] == "`"):
        return False
    announced = _ANNOUNCED.fullmatch(before)
    if not before or CONNECTIVES.fullmatch(before) or (announced and not announced["said"].strip()):
        return True
    told = sides_named(before, names=names) or _PAST.search(before)
    return bool(_INTRODUCES.match(before)) and not told


_INTRODUCES = re.compile(
    r"(?:sure|certainly|ok(?:ay)?|here|below|the following|this is|json|i|we|my|our|this)\b", re.I
)


def _clause_start(answer: str, start: int, words: str) -> int:
    found = answer.rfind(words, max(0, start - 2 * _REACH), start)
    return found if found >= 0 else start


def announces(text: str, label: Label, *, names: Names) -> bool:
    """Whether words before a verdict announce it as the overall one."""
    return bool(_announcing(text.strip(_MARKUP), label, bare=False, names=names))


def _before(answer: str, start: int) -> tuple[str, bool]:
    """The words of the verdict's clause before it, and whether no other clause stands before it."""
    line = max(answer.rfind("\n", 0, start) + 1, start - _REACH)
    text = answer[line:start]
    breaks = [match.end() for match in _CLAUSE.finditer(text)]
    clause = text[breaks[-1] :] if breaks else text
    clause = clause.strip(_MARKUP)
    if not clause and not breaks:
        clause = _caption_above(answer, line)
    if bullet := _BULLET.match(clause):
        clause = clause[bullet.end() :].strip(_MARKUP)
    return ("" if _BULLET.fullmatch(f"{clause} ") else clause), not breaks


def _caption_above(answer: str, line: int) -> str:
    """The line right above, where it is a caption of the line that begins at `line`."""
    above = answer[max(0, line - 1 - _LONGEST_CAPTION) : max(0, line - 1)].rpartition("\n")[2]
    above = above.strip(" \t*_`#")
    short = len(above) < _LONGEST_CAPTION and len(above.split()) <= _CAPTION_WORDS
    return above if short and above.endswith((":", "：")) and not _VERB.search(above) else ""


_LONGEST_CAPTION, _CAPTION_WORDS = 60, 4


def _closed(after: str, *, begins_line: bool) -> bool:
    if _FOLLOWS.match(after):
        return True
    return begins_line and bool(_FOLLOWS_AT_START.match(after))


def _announcing(before: str, label: Label, *, bare: bool, names: Names) -> str:
    """The words that announce an overall verdict, an empty text where none do."""
    for part in dict.fromkeys((before, re.split(r"[,，]\s*", before)[-1])):
        match = _ANNOUNCED.fullmatch(part)
        if match is None or (bare and _SOLUTION_NOUN.search(part)):
            continue
        said = match["said"].strip()
        if not said or _says_the_same(said, label, names):
            return part
    return ""


def _says_the_same(said: str, label: Label, names: Names) -> bool:
    if lead := CONNECTIVES.match(said):
        said = said[lead.end() :]
    first = re.split(r"[,，]", said, maxsplit=1)[0]
    for words in (said, first):
        read = read_label(words.strip(" ,.:;-–—"), names=names)
        if read is not None:
            return read.verdict == label.verdict
    return False


def _concludes(before: str, label: Label, names: Names) -> bool:
    """Whether the clause is the judge's own conclusion, in the present tense."""
    if _PAST.search(before):
        return False
    caption = before.rstrip().endswith((":", "："))
    blames = bool(set(sides_named(before, names=names)) - {label.verdict, "both"})
    if caption and not (blames or _VERB.search(before)):
        return False  # a caption that announces something else: `Style:`
    words = before.rstrip(" :：,，")
    if _says_the_same(words, label, names) or _says_the_same(_last_clause(words), label, names):
        return True
    if _OWN.search(before):
        return True
    return bool(_LAST_PART.search(before)) and not _speaks_for(before, label, names)


def _last_clause(words: str) -> str:
    return re.split(r"[,，;；]\s*(?:so|thus|hence|but|and)?\s*|\bso\s", words)[-1]


def _speaks_for(before: str, label: Label, names: Names) -> bool:
    """Whether the only side that the clause names is the one it decides for: it may be quoted."""
    sides = set(sides_named(before, names=names))
    return sides == {label.verdict}
