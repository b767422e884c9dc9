"""Words as the embedded judge compares them: case-folded stems, amounts in one spelling."""

from __future__ import annotations

from functools import lru_cache

import regex
import snowballstemmer

from rmaudit.embedded.amounts import plain_amounts
from rmaudit.embedded.lexicon import ABROAD, GENERIC, STOP, SYNONYMS, UNITS
from rmaudit.embedded.lexicon import CAUSES as CAUSE_WORDS
from rmaudit.embedded.lexicon import CODE_TOPICS as CODE_WORDS
from rmaudit.text.normalise import normalise

TOKEN = regex.compile(
    r"\d{1,4}(?:-\d{1,2}){2,}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|(?:(?<![\w)\]-])[-−])?\d+(?:[.,:]\d+)*|#\w+|\p{Han}"
    r"|[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*(?:['’]s\b)?"
)
_STEMMER = snowballstemmer.stemmer("english")
_SYNONYM: dict[str, str] = {}


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The English stem; synonyms share the first of their group; an identifier stays whole."""
    if "_" in word:
        return word
    stemmed: str = str(_STEMMER.stemWord(word.removesuffix("'s").removesuffix("’s")))
    return _SYNONYM.get(stemmed, stemmed)


for _group in (*SYNONYMS, *ABROAD):
    _stems = [str(_STEMMER.stemWord(_word)) for _word in _group.split()]
    _SYNONYM.update({_other: _stems[0] for _other in _stems if _other not in _SYNONYM})
stem.cache_clear()

UNIT_STEMS = frozenset(stem(word) for word in UNITS)
CODE_TOPICS = frozenset(stem(word) for word in CODE_WORDS)
CAUSES = tuple(frozenset(map(stem, group.split())) for group in CAUSE_WORDS)
GENERIC_STEMS = frozenset(stem(word) for word in GENERIC)


def prepared(text: str) -> str:
    """The text normalised, with its amounts in one spelling."""
    return plain_amounts(normalise(text))


def tokens(text: str) -> list[str]:
    """All tokens of a prepared text in order, numbers as numbers."""
    return [number(t) if is_number(t) else t.casefold() for t in TOKEN.findall(text)]


def words(text: str) -> list[str]:
    """Numbers and stems of a prepared text in order, without stop words."""
    found = []
    for token in TOKEN.findall(text):
        if is_number(token):
            found.append(number(token))
        else:
            word = token.casefold()
            if word not in STOP:
                found.append(stem(word))
    return found


def is_number(token: str) -> bool:
    """Whether a token is a number, date or time."""
    return token[0].isdigit() or token[0] in "-−"


@lru_cache(maxsize=1 << 14)
def number(token: str) -> str:
    """`1,200` and `1200.0` are one number; dates and times stay."""
    token = token.replace("−", "-")
    if ":" in token or "-" in token[1:] or "/" in token or token.count(".") > 1:
        return token.removeprefix("0")
    plain = regex.sub(r",(?=\d{3}(?:\D|$))", "", token).replace(",", ".")
    try:
        return f"{float(plain):.10g}"
    except ValueError:
        return str(plain)
