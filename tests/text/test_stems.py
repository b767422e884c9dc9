"""Stems in common: counts by hand, and laws on any texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.text.stems import STEMMERS, shared_stems, stems

TEXTS = st.text(max_size=80)
LANGUAGES = st.sampled_from(["en", "de", "fr", "zh", "xx", "pt-BR", ""])


def test_stems_by_hand() -> None:
    """Function words, single letters and names of sides are left out; numbers and names stay."""
    text = "Response A doesn't keep the ordering of 1,200 items in dict_keys; Vitamin C is missing."
    assert stems(text) == {"keep", "order", "1,200", "item", "dict", "key", "vitamin", "miss"}


@pytest.mark.parametrize(
    ("reference", "text", "language", "share"),
    [
        ("Response A gives the wrong year, 1912.", "The year 1912 is wrong in A.", "en", 3 / 4),
        ("It omits the dosage.", "Never says how much to take.", "en", 0.0),
        ("The loops are nested.", "Nested loop, looping nests.", "en", 1.0),
        ("Der Satz nennt falsche Zahlen.", "Die Zahl im Satz ist falsch.", "de", 3 / 4),
        ("Manque des règles d'accord.", "La règle de l'accord manque.", "fr", 1.0),
        ("漏掉了日期", "没有日期", "zh", 2 / 5),
        ("It is not there.", "Nothing to share.", "en", None),
    ],
)
def test_shares_by_hand(reference: str, text: str, language: str, share: float | None) -> None:
    assert shared_stems(reference, text, language) == share


@given(TEXTS, TEXTS, LANGUAGES)
def test_a_share_is_one(reference: str, text: str, language: str) -> None:
    share = shared_stems(reference, text, language)
    assert (share is None) == (not stems(reference, language))
    assert share is None or 0 <= share <= 1
    assert shared_stems(reference, f"{text} {reference}", language) in (1.0, None)
    assert stems(f"the {text} of it, by Response B", language) == stems(text, language)


def test_the_algorithms_are_those_of_snowball() -> None:
    import snowballstemmer

    assert len(set(STEMMERS.values()) & set(snowballstemmer.algorithms())) >= 25
