"""Claims at scale: true faults in other words are paid, texts that claim none or lie are not.

`benchmarks/truth_claims.py` prints the same by family and kind, on more items.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.claim_hostile import hostile, sided
from support.claim_wordings import templates, wordings

from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import FAMILIES
from rmaudit.parsing.sides import swap_names
from rmaudit.records import ModelReason
from rmaudit.truth.score import decide, matrix

BARS = {"close": 0.9, "free": 0.7}
"""Of free wordings .75 is asked; some 6 items a family leave this much to chance."""
LEEWAY = 0.02
ITEMS = make_items(list(FAMILIES.values()), n=30, seed=83)


@pytest.mark.parametrize("name", ["first", "second", "third", "fourth", "fifth", "sixth"])
def test_true_faults_in_other_words_are_paid(name: str) -> None:
    for table in templates(name):
        means = _means(ITEMS, name, table)
        assert min(means.values()) >= BARS[table], (table, means)


@pytest.mark.slow
def test_true_faults_in_unseen_words_are_paid() -> None:
    """The set that the judge was not improved on; python stood at .72 when it was first read."""
    items = make_items(list(FAMILIES.values()), n=300, seed=89)
    assert min(_means(items, "unseen", "close").values()) >= BARS["close"]
    assert min(_means(items, "unseen", "free").values()) >= 0.7


def _means(items: list[Item], name: str, table: str) -> dict[str, float]:
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for item in items:
        made = list(wordings(item, name, table))
        found = matrix(item, [one.reason for one in made])
        scores[item.family] += [found[one.ref][at] for at, one in enumerate(made)]
    return {family: sum(values) / len(values) for family, values in scores.items()}


@pytest.mark.parametrize("family", FAMILIES)
def test_hostile_texts_earn_nothing(family: str) -> None:
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for item in [one for one in ITEMS if one.family == family][:3]:
        made = list(hostile(item))
        found = matrix(item, [one.reason for one in made])
        for at, one in enumerate(made):
            scores[one.kind].append(max(row[at] for row in found))
    means = {kind: sum(values) / len(values) for kind, values in scores.items()}
    assert {kind: mean for kind, mean in means.items() if mean > LEEWAY} == {}


@pytest.mark.parametrize("denial", ["It is not true that {}", "Nobody can say that {}", "No, {}"])
def test_a_denied_reference_earns_nothing(denial: str) -> None:
    for item in ITEMS:
        told = [sided(denial.format(reason.text)) for reason in item.reasons]
        assert not any(map(any, matrix(item, told))), item.id


def test_the_same_fault_laid_to_the_other_side_earns_nothing_unless_it_has_it_too() -> None:
    for item in ITEMS:
        checks = {(reason.about, str(reason.check)) for reason in item.reasons}
        for reason in item.reasons:
            other = "b" if reason.about == "a" else "a"
            if (other, str(reason.check)) not in checks:
                told = [ModelReason(swap_names(reason.text), other)]
                assert not any(map(any, matrix(item, told))), reason.text


def test_a_template_is_paid_only_where_it_is_true() -> None:
    """Filled from the request alone, about either response."""
    for item in (one for one in ITEMS if one.family == "slogan"):
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


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(3, 25))
def test_words_drawn_at_random_earn_nothing(seed: int, length: int) -> None:
    rng = Random(seed)
    item = rng.choice(ITEMS)
    words = " ".join(turn.content for turn in item.prompt).split()
    text = f"Response {rng.choice('AB')} {' '.join(rng.choices(words, k=length))}."
    found = matrix(item, [sided(text)])
    assert sum(map(sum, found)) <= 1, text


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), st.sampled_from(["a", "b", "both", None]))
def test_any_text_gives_scores_on_the_grid(text: str, about: str | None) -> None:
    item = ITEMS[0]
    found = decide(item, [ModelReason(text, about)])  # type: ignore[arg-type]
    assert {cell for row in found.matrix for cell in row} <= {0, 0.25, 0.5, 0.75, 1}
    assert len(found.claims) == 1
