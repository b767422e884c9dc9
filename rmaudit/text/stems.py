"""How many of a text's words another text uses too: stems in common, whatever their order.

It says in which wording something is told again, not whether it is: a judge that compares words
finds what shares most stems with a reference, and loses what shares few.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from rmaudit.text.function_words import FUNCTION_WORDS
from rmaudit.text.normalise import normalise

if TYPE_CHECKING:
    from snowballstemmer.basestemmer import BaseStemmer

ENGLISH = "en"
STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""Snowball's algorithms by ISO 639-1; which of them there are depends on its version."""

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}"
_WORD = regex.compile(
    # Scripts that put no space between words count by the character.
    rf"[{_UNSPACED}]|\d+(?:[.,:]\d+)*|[[\p{{L}}\p{{M}}]--[{_UNSPACED}]]+",
    regex.V1,
)
_SIDE = regex.compile(
    r"\b(?i:response|assistant|answer|model|reply|option|antwort|réponse|respuesta|risposta|resposta)"
    r"s?\s+[AB]\b"
)
"""A name of one of the two responses: it says which, and nothing of it."""


def stems(text: str, language: str = ENGLISH) -> frozenset[str]:
    """The stems of a text's words, without function words, single letters and names of sides.

    Args:
        text: in any script; numbers count as words.
        language: ISO 639-1, with or without a region (`pt`, `pt-BR`). Of a language that Snowball
            does not know, words stay whole; English function words are left out in every language.
    """
    code = regex.split(r"[-_]", language.strip().casefold(), maxsplit=1)[0]
    idle = FUNCTION_WORDS[ENGLISH] | FUNCTION_WORDS.get(code, frozenset())
    found = set()
    for word in _WORD.findall(_SIDE.sub(" ", normalise(text))):
        plain = word.casefold()
        if plain not in idle and not (len(plain) == 1 and regex.match(r"\p{Latin}", plain)):
            found.add(_stem(plain, code))
    return frozenset(found)


def shared_stems(reference: str, text: str, language: str = ENGLISH) -> float | None:
    """The share of a reference's stems that a text has too, 0 to 1; None where it has none.

    Args:
        reference: whose stems are the whole.
        text: that is compared with it.
        language: of both.
    """
    wanted = stems(reference, language)
    return len(wanted & stems(text, language)) / len(wanted) if wanted else None


@lru_cache(maxsize=1 << 15)
def _stem(word: str, code: str) -> str:
    stemmer = _stemmer(code)
    return word if stemmer is None else str(stemmer.stemWord(word))


@lru_cache(maxsize=64)
def _stemmer(code: str) -> BaseStemmer | None:
    import snowballstemmer

    name = STEMMERS.get(code)
    return snowballstemmer.stemmer(name) if name in snowballstemmer.algorithms() else None
