r"""Finds what has the form of a verdict: `\boxed{...}`, `[[...]]`, `<answer>...</answer>`, lines.

Only where such a form stands and what is in it; whether it is meant, and for what, is the business
of `verdicts` and `statements`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rmaudit.parsing.grammar import Form


class Container(NamedTuple):
    """Something in the form of a verdict at [start, end); `outer` is the container around it."""

    start: int
    end: int
    content: str
    form: Form
    name: str = ""
    outer: tuple[int, int] | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Where it stands in the answer, with the container around it."""
        return self.outer or (self.start, self.end)


_BOX = re.compile(r"(?:boxed|fbox|(?<=\x08)oxed)\s{0,3}\{")
_BRACKETS = re.compile(r"\[\s{0,3}\[([^\[\]\n]{1,400})\]\s{0,3}\]")
_BRACKET = re.compile(r"(?<!\[)\[([^\[\]\n]{1,60})\](?!\]|\()")
USUAL_TAGS = (
    *("answer", "verdict", "preference", "choice", "winner", "judgment", "judgement", "decision"),
    *("result", "better", "best", "preferred", "better_response", "preferred_response"),
    *("final_answer", "final_verdict", "final_decision", "final_judgment", "conclusion"),
)
_BRACE = re.compile(r"[{}]")
_LONGEST_BOX, _LONGEST_TAG, _DEEPEST = 300, 400, 5


def containers(answer: str, *, tags: Sequence[str] = (), single: bool = False) -> list[Container]:
    """Every box, pair of brackets and tag, in order; single brackets only where asked for.

    Args:
        answer: the folded answer.
        tags: names of tags; empty for `USUAL_TAGS`.
        single: whether `[A]` is a form.
    """
    found = sorted(_containers(answer, tuple(tags), single), key=lambda one: (one[0], -one[1]))
    nested: list[Container] = []
    around: list[Container] = []
    for one in found:
        while around and around[-1].end < one.end:
            around.pop()
        if around and around[0].content.strip(_BLANK) == answer[one.start : one.end].strip(_BLANK):
            one = one._replace(outer=around[0].place)
        nested.append(one)
        around.append(one)
    return nested


_BLANK = " \n\t*_$`\\"


def boxed(text: str) -> bool:
    """Whether a text holds a box or brackets."""
    return bool(_BOX.search(text) or _BRACKETS.search(text))


def _containers(answer: str, tags: tuple[str, ...], single: bool) -> Iterator[Container]:
    for match in _BOX.finditer(answer):
        end = _closing_brace(answer, match.end())
        if end is not None:
            start = match.start()
            while start > 0 and match.start() - start < 4 and answer[start - 1] in "\\\x08":
                start -= 1
            yield Container(start, end + 1, answer[match.end() : end], "box")
    for match in _BRACKETS.finditer(answer):
        yield Container(match.start(), match.end(), match[1], "brackets")
    opening, closing = _tag_patterns(tags)
    for match in opening.finditer(answer):
        ended = closing.search(answer, match.end(), match.end() + _LONGEST_TAG)
        name = match[1].casefold()
        if ended is not None and ended[0] == f"</{ended[1]}>" and ended[1].casefold() == name:
            content = answer[match.end() : ended.start()]
            yield Container(match.start(), ended.end(), content, "tag", name)
    if single:
        for match in _BRACKET.finditer(answer):
            yield Container(match.start(), match.end(), match[1], "bracket")


@lru_cache(maxsize=64)
def _tag_patterns(tags: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    names = "|".join(re.escape(name) for name in tags or USUAL_TAGS)
    return (
        re.compile(rf"<({names})>", re.IGNORECASE),
        re.compile(rf"</?({names})>", re.IGNORECASE),
    )


def _closing_brace(text: str, start: int) -> int | None:
    depth = 1
    for match in _BRACE.finditer(text, start, start + _LONGEST_BOX):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
        if depth > _DEEPEST:
            break
    return None


class Captioned(NamedTuple):
    """The words after a caption, at [start, end); `caption` is where the caption begins.

    strong: the caption can only announce a verdict. loose: the words run to the end of the line,
    though a label may be followed by more.
    """

    caption: int
    start: int
    end: int
    content: str
    strong: bool
    loose: bool


_LEAD = (
    r"(?:(?:so|thus|hence|therefore|overall|finally|in conclusion|in summary|to conclude),?"
    r"[ \t]{1,3})?(?:(?:my|the|our|this)[ \t]{1,3})?(?:(?:final|overall|ultimate)[ \t]{1,3})?"
)
# A bare letter after `Answer:` may answer the request itself, say a multiple-choice question.
_STRONG = (
    r"(?:verdict|judge?ment|decision|winner|preference|choice|conclusion|"
    r"(?:preferred|better|best)[ \t](?:response|one))"
)
_WEAK = r"(?:(?:(?:preferred|better|best)[ \t])?answer|result|rating|ranking|evaluation|assessment)"
_CJK = (
    r"(?:我的)?(?:最终|最后)?的?(?:结论|判定|判断|裁决|裁定|决定|选择|胜者|赢家|评判|"
    r"(?:更好|更优)的(?:回答|回复|答案|响应))"
)
_AT_START = (
    r"(?:^[ \t]{0,12}(?:[-*+•#]{1,6}[ \t]{1,3}|\d{1,2}[.)][ \t]{1,3})?|(?<=[.!?] )|(?<=[。！？，])"
    r"|(?<=[^\x00-\x7f][,!?;:]))"
)
_CAPTION = re.compile(
    rf"{_AT_START}[*_]{{0,3}}{_LEAD}(?:(?P<strong>{_STRONG}|{_CJK})|{_WEAK})[*_]{{0,3}}"
    r"(?:[ \t]{0,6}(?::|=|\bis\b:?|是|为)(?P<below>[ \t*_]{0,8}\n{1,2})?"
    r"|(?P<heading>[ \t]{0,3}\n{1,2}))"
    r"[ \t*_]{0,8}(?P<value>[^\n]{1,400})",
    re.IGNORECASE | re.MULTILINE,
)
_MAY_START = re.compile(r"\n|[.!?] |[。！？，]|(?<=[^\x00-\x7f])[,!?;:]")


def general_captions(answer: str) -> list[Captioned]:
    """`Verdict: A>B`, `Better response: Response A`, a heading with the verdict below it."""
    found = list[Captioned]()
    end = 0
    for start in [0, *(match.end() for match in _MAY_START.finditer(answer))]:
        if start >= end and (match := _CAPTION.match(answer, start)):
            loose = not (match["heading"] or match["below"])
            value = match.span("value")
            found.append(
                Captioned(match.start(), *value, match["value"], bool(match["strong"]), loose)
            )
            end = match.end()
    return found


def caption_value(text: str) -> str | None:
    """What stands after a general caption that a line begins with; None without one."""
    match = _CAPTION.match(text)
    return match["value"] if match else None


def named_captions(answer: str, captions: Sequence[str]) -> Iterator[Captioned]:
    """What stands after one of these captions, on its line or, where that is empty, the next."""
    for match in _named(tuple(captions)).finditer(answer):
        yield Captioned(match.start(), *match.span("value"), match["value"], True, True)


@lru_cache(maxsize=64)
def _named(captions: tuple[str, ...]) -> re.Pattern[str]:
    texts = "|".join(
        r"[ \t*_]{1,6}".join(re.escape(word) for word in caption.split()) for caption in captions
    )
    return re.compile(
        rf"[*_]{{0,3}}(?:{texts})[ \t*_:：]{{0,8}}(?:\n[ \t*_]{{0,8}}){{0,2}}"
        r"(?P<value>[^\n]{1,400})",
        re.IGNORECASE,
    )


def ends_in_caption(before: str, captions: Sequence[str]) -> bool:
    """Whether a text ends in one of the captions, but for markup and blanks."""
    plain = _plain(before[-200:])
    return any(plain.endswith(_plain(caption)) for caption in captions)


_NO_WORD = re.compile(r"[\s*_:：#$\\]+")


def _plain(text: str) -> str:
    return _NO_WORD.sub("", text).casefold()


def lines_of(answer: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, text) of the first and the last line that are not blank."""
    start = len(answer) - len(answer.lstrip())
    stop = len(answer.rstrip())
    if start >= stop:
        return
    end = answer.find("\n", start, stop)
    end = stop if end < 0 else end
    yield start, end, answer[start:end]
    last = answer.rfind("\n", start, stop) + 1
    if last > end:
        yield last, stop, answer[last:stop]
