"""Reasons in clauses: side, praise or blame, kind of fault, denial."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.growth import check_linear

from rmaudit.embedded.clauses import clauses
from rmaudit.embedded.facts import said
from rmaudit.embedded.faults import faults_of, split
from rmaudit.embedded.judge import matrix
from rmaudit.embedded.reading import Context, read
from rmaudit.metrics.matching import GRID
from rmaudit.records import About, ModelReason


def blamed(text: str, about: About = None) -> dict[str, str]:
    """What is said against each response."""
    found = {}
    for clause in clauses(text, about):
        if clause.about and not clause.merit and not clause.denies:
            found[clause.about] = found.get(clause.about, "") + clause.text
    return found


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("Response B prints the correct price, whereas Response A has 60.", {"a"}),
        ("Response A greets Tariq properly, but Response B opens with Hi Ines.", {"b"}),
        ("Response B has the right city, Lima.", set()),
        ("Response B wisely stays clear of the banned word.", set()),
        ("Response A manages without the word premium, as asked.", set()),
        ("Response A does not stay within 60 words as asked.", {"a"}),
        ("Both Response A and Response B lack the price.", {"both"}),
        ("Neither Response A nor Response B names Tern.", {"both"}),
        ("It fails in Response A and in Response B.", {"both"}),
        ("Response A is longer than Response B.", {"a"}),
        ("Signed as Ada in Response A and as Ben in Response B.", {"a", "b"}),
        ("This is true of Response A as well as of Response B.", {"both"}),
        ("Response A does not forget the price.", set()),
        ("There is nothing wrong with the price in Response A.", set()),
        ("Response A does not contain the forbidden word.", set()),
        ("Response A was told to avoid the word, but uses it.", {"a"}),
        ("The price is as it should be in Response A.", set()),
        ("Response A turns the 270 km into metres correctly.", set()),
        ("Response A joins pairs that merely touch, as it should.", set()),
        ("Response A copes with an empty list and returns None.", set()),
        ("Response A obeys the ban on jokes.", set()),
        ("Response A handles ties correctly, which many forget.", set()),
        ("Despite its missing commas, Response A meets the limit.", set()),
        ("Response A subtracts in part (b), where it should add.", {"a"}),
        ("Response A sets the best value to 0.", {"a"}),
        ("Response A does not follow the rule to leave out jokes.", {"a"}),
    ],
)
def test_who_is_blamed(text: str, sides: set[str]) -> None:
    assert set(blamed(text)) == sides


def test_each_side_gets_its_own_words() -> None:
    text = "The ferry leaves at 17:20, yet Response A says 13:45 and Response B says 20:40."
    reading = read(text, "both")
    first, second = reading.against("a"), reading.against("b")
    assert first is not None
    assert second is not None
    assert {"17:20", "13:45"} <= first.words
    assert "20:40" not in first.words
    assert {"17:20", "20:40"} <= second.words


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Response A passes over the price in silence.", "missing"),
        ("The price goes unmentioned in Response A.", "missing"),
        ("Tea was to be left out, and Response A lists it all the same.", "extra"),
        ("Response A botches the price.", "wrong"),
        ("Response A swaps the digits of the price.", "wrong"),
        ("Response A cannot keep to 50 words.", "long"),
        ("Response A is 10 words shy of the minimum.", "short"),
        ("In Response A fehlt der Preis.", "missing"),
        ("Response A écrit 60 au lieu de 45.", "wrong"),
    ],
)
def test_kinds_of_fault(text: str, kind: str) -> None:
    assert any(kind in clause.claims for clause in clauses(text, None))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Please give the price in Response A.", "missing"),
        ("Name the price next time; Response A does not.", "missing"),
        ("Take the discount off in part (b)! Response A forgot.", "wrong"),
        ("Round up in part (b)! Response A stops at 18.", "wrong"),
        ("Do not use slang in Response A.", "extra"),
        ("Never mention the rival in Response A.", "extra"),
        ("The order to leave out jokes is one that Response A does not follow.", "wrong"),
    ],
)
def test_commands_are_complaints(text: str, kind: str) -> None:
    assert kind in {claim for clause in clauses(text, "a") for claim in clause.claims}


def test_a_noun_is_no_command() -> None:
    assert all(not clause.claims for clause in clauses("Name and price are there.", "a"))


def test_names_in_code_claim_nothing() -> None:
    (clause,) = clauses("Response A runs shift_reply twice_over here.", None)
    assert not clause.claims


@pytest.mark.parametrize(
    "text",
    [
        "Response A ends on the motto, which Response B does not.",
        "Response A ends on the motto, unlike Response B.",
        "Unlike Response B, Response A ends on the motto.",
    ],
)
def test_a_denial_takes_its_content_from_its_neighbour(text: str) -> None:
    spoken = read(text, "a").against("b")
    assert spoken is not None
    assert "motto" in spoken.words
    assert spoken.claims == {"missing"}


def test_facts_of_code_dates_and_places() -> None:
    text = "In part (c), `top([3, 5], 2)` gives [5] instead of [5, 3] on 4 May, not 8:30."
    found = {(one.kind, *sorted(one.tokens)) for one in said(text).facts}
    assert {
        ("place", "part c"),
        ("name", "top"),
        ("example", "2", "3", "5"),
        ("example", "5"),
        ("example", "3", "5"),
        ("name", "4", "may"),
        ("number", "8:30"),
    } <= found


def test_the_item_says_which_part_a_fact_plays() -> None:
    """Found in the faulted response, expected by the request, or everywhere and no help."""
    context = Context.of(
        "Write about the mug in Oslo.", "The mug is sold in Kyoto.", "The mug is sold in Oslo."
    )
    (fault,) = faults_of([("Response A sells the mug in Kyoto instead of Oslo.", "a")], context)
    roles = {next(iter(fact.tokens)): fact for fact in fault.facts}
    assert roles["kyoto"].role == "found"
    assert roles["oslo"].role == "expected"
    assert roles["oslo"].weight < roles["kyoto"].weight
    assert not roles["mug"].telling


def test_a_reference_that_joins_faults_is_scored_by_halves() -> None:
    joint = 'Response A uses "cheap"; and the price of 45 is missing from Response A.'
    assert len(split(joint)) == 2
    assert len(split("Response A has a bug: nothing is checked, and `f(3)` returns 4.")) == 1
    both = 'Response A uses "cheap", and it leaves out the price of 45.'
    halves = [ModelReason('Response A uses the word "cheap", which is forbidden.', "a")]
    halves += [ModelReason("Response A leaves out the price of 45.", "a"), ModelReason(both, "a")]
    (row,) = matrix([(joint, "a")], halves, Context())
    assert row[:2] == (0.5, 0.5)
    assert row[2] >= 0.75


def test_a_value_of_two_faults_counts_for_the_one_that_is_meant() -> None:
    """Both references name the lantern: the reason speaks of the first bullet alone."""
    references: list[tuple[str, About]] = [
        ('The first bullet should be "paper map", but in Response A it is "gas lantern".', "a"),
        ('The bold entry should be "wool socks", but Response A marks "gas lantern".', "a"),
    ]
    context = Context.of(
        'Put "paper map" first and set "wool socks" in bold.',
        "- **gas lantern**\n- wool socks\n- paper map",
        "- paper map\n- **wool socks**",
    )
    text = "Response A starts with the gas lantern instead of the paper map."
    first, second = matrix(references, [ModelReason(text, "a")], context)
    assert first[0] >= 0.75
    assert second[0] <= 0.25


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.text(max_size=60), min_size=1, max_size=3),
    st.lists(st.text(max_size=200), min_size=1, max_size=3),
    st.sampled_from(["a", "b", "both", None]),
)
def test_any_text_is_scored_on_the_grid(
    references: list[str], reasons: list[str], about: About
) -> None:
    context = Context.of("request", *((references + reasons)[:2]))
    found = matrix(
        [(text, about) for text in references], [ModelReason(t, about) for t in reasons], context
    )
    assert len(found) == len(references)
    assert all(len(row) == len(reasons) for row in found)
    assert {score for row in found for score in row} <= set(GRID)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        *("(", "f(", "[", '"', "one hundred and ", "Response A and ", "leaves a b c d e f "),
        *("where the a b c d e f ", "asked for a b c d e f g h i ", "1-", "a", "but, "),
    ],
)
def test_hostile_texts_take_linear_time(unit: str) -> None:
    said = [("Response A omits 45.", "a")]
    check_linear(
        lambda text: matrix(said, [ModelReason(text, "a")], Context.of("x", text, "y")), unit
    )
