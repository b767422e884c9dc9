"""Claims at scale: true faults in other words are paid, texts that claim none or lie are not.

A few items each; `benchmarks/truth_claims.py` prints the same by family and kind, on more items.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest
from claim_reader.hostile import hostile, sided
from claim_reader.wordings import TAUGHT, templates, wordings
from hypothesis import given, settings
from hypothesis import strategies as st

from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import choose
from rmaudit.parsing.sides import swap_names
from rmaudit.records import ModelReason
from rmaudit.truth.score import decide, matrix

BARS = {"close": 0.9, "free": 0.75}
ITEMS = make_items(choose(TAUGHT), n=5, seed=83)
MORE = make_items(choose(TAUGHT), n=20, seed=89)


@pytest.mark.parametrize("name", ["first", "eighth"])
def test_true_faults_in_other_words_are_paid(name: str) -> None:
    assert _missed(ITEMS, name) == {}


@pytest.mark.slow
def test_true_faults_in_the_words_of_another_author_are_paid() -> None:
    """Of a set that trained nothing; what it measured is in benchmarks/README.md."""
    assert _missed(MORE, "unseen") == {}


def _missed(items: list[Item], name: str) -> dict[str, float]:
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for table in BARS.keys() & templates(name):
        for item in items:
            made = list(wordings(item, name, table))
            found = matrix(item, [one.reason for one in made])
            scores[table] += [found[one.ref][at] for at, one in enumerate(made)]
    means = {table: sum(values) / len(values) for table, values in scores.items()}
    return {table: mean for table, mean in means.items() if mean < BARS[table]}


@pytest.mark.parametrize("family", TAUGHT)
def test_hostile_texts_earn_next_to_nothing(family: str) -> None:
    found = _paid([one for one in ITEMS if one.family == family], "first")
    assert sum(found) <= 0.03 * len(found)


@pytest.mark.slow
def test_hostile_texts_of_another_author_earn_little() -> None:
    """The same for what claims no fault."""
    found = _paid(MORE[:10], "unseen")
    assert sum(found) <= 0.06 * len(found)


def _paid(items: list[Item], author: str) -> list[float]:
    paid: list[float] = []
    for item in items:
        found = matrix(item, [one.reason for one in hostile(item, author)])
        paid += map(max, zip(*found, strict=True))
    return paid


@pytest.mark.parametrize("denial", ["It is not true that {}", "Nobody can say that {}", "No, {}"])
def test_a_denied_reference_earns_nothing(denial: str) -> None:
    for item in ITEMS:
        told = [sided(denial.format(reason.text)) for reason in item.reasons]
        assert not any(map(any, matrix(item, told))), item.id


def test_the_same_fault_laid_to_the_other_side_earns_nothing_unless_it_has_it_too() -> None:
    for item in MORE:
        checks = {(reason.about, str(reason.check)) for reason in item.reasons}
        for reason in item.reasons:
            other = "b" if reason.about == "a" else "a"
            if (other, str(reason.check)) not in checks:
                told = [ModelReason(swap_names(reason.text), other)]
                assert not any(map(any, matrix(item, told))), reason.text


def test_a_template_is_paid_only_where_it_is_true() -> None:
    """Filled from the request alone, about either response."""
    for item in (one for one in MORE if one.family == "slogan"):
        for reason in item.reasons:
            check = reason.check or {}
            value = str(check["value"]).removesuffix(" dollars")
            for side in ("a", "b"):
                name = f"Response {side.upper()}"
                lacks = check["kind"] == "contains"
                claim = "does not mention" if lacks else "uses the forbidden word"
                told = [ModelReason(f'{name} {claim} "{value}".', side)]
                true = (value not in item.response(side)) == lacks
                found = decide(item, told)
                assert found.claims == (true,), (told, item.response(side))
                assert true or not any(map(any, found.matrix))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(3, 25))
def test_words_drawn_at_random_earn_next_to_nothing(seed: int, length: int) -> None:
    rng = Random(seed)
    item = rng.choice(ITEMS)
    words = " ".join(turn.content for turn in item.prompt).split()
    text = f"Response {rng.choice('AB')} {' '.join(rng.choices(words, k=length))}."
    found = matrix(item, [sided(text)])
    assert sum(map(sum, found)) <= 1, text


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.sampled_from(["a", "b", "both", None]))
def test_any_text_gives_scores_on_the_grid(text: str, about: str | None) -> None:
    item = ITEMS[0]
    found = decide(item, [ModelReason(text, about)])  # type: ignore[arg-type]
    assert {cell for row in found.matrix for cell in row} <= {0, 0.25, 0.5, 0.75, 1}
