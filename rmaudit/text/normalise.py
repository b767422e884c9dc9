"""Unicode normalisation shared by everything that reads reasons."""

from __future__ import annotations

import unicodedata

import regex

_INVISIBLE = regex.compile(r"\p{Cf}")


def normalise(text: str) -> str:
    """NFKC without format characters (zero-width, direction marks), whitespace collapsed."""
    if not text.isascii():  # ASCII is its own normal form, and has none of these characters
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return " ".join(text.split())
