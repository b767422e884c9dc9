r"""The grammar of a verdict on its own: what stands in a box, in brackets or after `Verdict:`.

`A>>B`, `B > A`, `A \gg B`, `Response A`, `tie`, `平局` and their like, as a whole and nothing
around it. Where such a label may stand in an answer is the business of `verdicts`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from rmaudit.parsing.sides import Names

_LONGEST = 120


class Label(NamedTuple):
    """A verdict and its strength: 0 tie, 1 better, 2 much better; `graded` if it compares sides.

    rating: the score of a response that is judged alone, which is the one shown first.
    """

    verdict: Literal["a", "b", "tie"]
    strength: int
    graded: bool
    rating: float | None = None


# LaTeX, HTML and Unicode spellings of the comparison signs, the longest first.
_SIGNS = (
    (re.compile(r"\\succ\s?\\succ(?![a-z])|\\gg(?![a-z])|[≫⋙]"), ">>"),
    (re.compile(r"\\prec\s?\\prec(?![a-z])|\\ll(?![a-z])|[≪⋘]"), "<<"),
    (re.compile(r"\\(?:succ|gt)(?![a-z])|&gt;|[≻⟩›]"), ">"),
    (re.compile(r"\\(?:prec|lt)(?![a-z])|&lt;|[≺⟨‹]"), "<"),
    (re.compile(r"\\(?:approx|equiv|sim|simeq)(?![a-z])|[≈≃∼~≡]"), "="),
    (re.compile(r">\s{1,3}>"), ">>"),
    (re.compile(r"<\s{1,3}<"), "<<"),
)
# A JSON string turns the `\b` of an unescaped `\boxed` into a backspace.
_WRAPPING = re.compile(
    r"(?:\\+|\x08)?(?:b?oxed|text|textbf|textsf|mathrm|mathbf|mathsf|texttt)\s?\{"
)
_PADDING = re.compile(r"\\[,;:! ]|[{}$]")
_EDGES = " \t\r\n*_`'\"“”‘’[]()|.,:;!。"

_NOUNS = r"(?:response|answer|assistant|model|option|candidate|chatbot)"
_CJK_NOUNS = r"(?:回答|回复|响应|答案|模型|助手|选项|応答)"
_TIE = re.compile(
    r"(?:it(?:'s| is) )?(?:an? )?(?:tie|tied|draw|equal|toss-?up|same)"
    r"|(?:both (?:are )?|they are )?(?:about )?(?:equal|equally (?:good|bad)|the same|equivalent)"
    r"|both|neither|no preference"
    r"|平局|平手|平|相同|一样好|不相上下|不分上下|难分高下|相当|引き分け|同点"
)
_MUCH = r"(?:much|far|significantly|substantially|considerably|vastly|明显|显著|远远)"
_SOMEWHAT = r"(?:slightly|somewhat|marginally|clearly|a bit|略|稍|稍微|略微)"


def read_label(text: str, *, names: Names) -> Label | None:
    """The verdict that `text` (already folded) spells as a whole, or None.

    A bare side has strength 1; `A<B` reads as `B>A`; `>=` is no verdict.
    """
    if len(text) > _LONGEST:
        return None
    text = plain_label(text)
    relation, side = _grammar(names)
    if match := relation.fullmatch(text):
        left, sign, right = match[1].casefold(), match[2], match[3].casefold()
        if left == right:
            return None
        if sign[0] == "=":
            return Label("tie", 0, True)
        winner = left if sign[0] == ">" else right
        return Label("a" if winner == names.a.casefold() else "b", len(sign), True)
    if match := side.fullmatch(text):
        strength = 2 if match["much"] else 1
        return Label(
            "a" if match["side"].casefold() == names.a.casefold() else "b", strength, False
        )
    return Label("tie", 0, False) if _TIE.fullmatch(text.casefold()) else None


def options(text: str, *, names: Names) -> int:
    """How many different labels `text` offers in a row: two or more are a template, no verdict."""
    if len(text) > 4 * _LONGEST:
        return 0
    labels = set()
    for choice in _SEPARATOR.split(text):
        if choice.strip(_EDGES):
            label = read_label(choice, names=names)
            if label is None:
                break
            labels.add(label[:2])
    return len(labels)


_SEPARATOR = re.compile(r"[|/,;、\n]|\b(?:or|and)\b|或|和")


def plain_label(text: str) -> str:
    """Without LaTeX, markup and padding, with the comparison signs in ASCII."""
    text = _PADDING.sub(" ", _WRAPPING.sub("{", text))
    for sign, plain in _SIGNS:
        text = sign.sub(plain, text)
    return " ".join(text.strip(_EDGES).split())


@lru_cache(maxsize=32)
def _grammar(names: Names) -> tuple[re.Pattern[str], re.Pattern[str]]:
    letter = f"[{re.escape(names.a + names.b)}]"
    noun = rf"(?:(?:the )?(?:{names.noun}|{_NOUNS}) ?|{_CJK_NOUNS} ?)?[\[(*_]{{0,2}}"
    name = rf"{noun}({letter})[\])*_]{{0,2}}"
    relation = re.compile(rf"{name} ?(>>|>|<<|<|==?) ?{name}", re.IGNORECASE)
    side = re.compile(
        rf"{noun}(?P<side>{letter})[\])*_]{{0,2}}"
        rf"(?: ?(?:is |是)?(?:the )?(?:(?P<much>{_MUCH}) ?|{_SOMEWHAT} ?)?"
        r"(?:better|best|stronger|superior|preferred|wins?|winner|更好|更优|更佳|更胜一筹|好|胜出|获胜|胜)"
        r"(?: one| response| answer| overall)?)?",
        re.IGNORECASE,
    )
    return relation, side
