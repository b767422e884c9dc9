"""An answer taken apart for its prefills, and reasons reworded by rule."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import FAMILIES
from rmaudit.parsing.sides import Names, sides_named
from rmaudit.probing.continuation import (
    IN_OBJECT,
    NO_SIDE_NAMED,
    NO_VERDICT,
    VERDICT_FIRST,
    Layout,
    added_verdict,
    layout,
    prefill,
)
from rmaudit.probing.reword import reword

REASONS = "1. Response A says 60 dollars.\n2. Response B omits the idea.\n"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (REASONS + r"\boxed{A>>B}", Layout("", REASONS, r"\boxed")),
        (REASONS + "Verdict: B", Layout("", REASONS, "Verdict:")),
        (REASONS + "[[A]]", Layout("", REASONS, "[[")),
        (REASONS + "<answer>B</answer>", Layout("", REASONS, "<answer")),
        (REASONS + "**Verdict:** Response A", Layout("", REASONS, "**Verdict:** Response")),
        (
            "<think>\nA? \\boxed{B>A}\n</think>\n\n" + REASONS + r"\boxed{A>B}",
            Layout("<think>\nA? \\boxed{B>A}\n</think>\n\n", REASONS, r"\boxed"),
        ),
        (  # the first verdict counts: what follows it did not lead to it
            REASONS + "\\boxed{A>B}\n3. Response B is long.\n\\boxed{B>A}",
            Layout("", REASONS, r"\boxed"),
        ),
        ("\\boxed{A>B}\n" + REASONS, VERDICT_FIRST),
        ("\\boxed{A>B}\n" + REASONS + r"\boxed{A>B}", VERDICT_FIRST),
        (r"\boxed{A>B}", VERDICT_FIRST),
        (REASONS + r"\boxed{A=B}", NO_VERDICT),
        (REASONS, NO_VERDICT),
        ("", NO_VERDICT),
        ("1. It is good.\n" + r"\boxed{A>B}", NO_SIDE_NAMED),
        ('{"reasons": ["Response A omits the price"], "verdict": "B"}', IN_OBJECT),
    ],
)
def test_layout(text: str, parts: Layout | str) -> None:
    assert layout(text) == parts
    if isinstance(parts, Layout):
        own = prefill(parts, "own")
        assert text.startswith(own)
        assert added_verdict(own, text[len(own) :]) in ("a", "b")


def test_prefills_by_hand() -> None:
    parts = layout("<think>hm</think>\n" + REASONS + r"\boxed{A>>B}")
    assert isinstance(parts, Layout)
    begun = "<think>hm</think>\n"
    assert prefill(parts, "own") == begun + REASONS + r"\boxed"
    assert prefill(parts, "reworded") == (
        begun
        + "1. First, Response A says 60 dollars.\n2. Then, Response B leaves out the idea.\n"
        + r"\boxed"
    )
    assert prefill(parts, "swapped") == (
        begun + "1. Response B says 60 dollars.\n2. Response A omits the idea.\n" + r"\boxed"
    )
    assert prefill(parts, "none") == begun + r"\boxed"


def test_names_of_a_profile() -> None:
    names = Names(("Assistant",), "1", "2")
    parts = layout("1. Assistant 1 is short.\n[[1]]", names=names)
    assert parts == Layout("", "1. Assistant 1 is short.\n", "[[")
    assert isinstance(parts, Layout)
    assert prefill(parts, "swapped", names=names) == "1. Assistant 2 is short.\n[["
    assert added_verdict("1. Assistant 2 is short.\n[[", "2]]", names=names) == "b"


@pytest.mark.parametrize(
    ("begun", "added", "verdict"),
    [
        (r"\boxed", "{A>B}", "a"),
        (r"\boxed", "{A=B}", "tie"),
        (r"\boxed", "{none}", None),
        (r"\boxed", "", None),
        (r"\boxed", "{B>A}\n1. Response B is long.\n\\boxed{A>B}", "b"),  # the first one
        (REASONS + "[[", "B]]", "b"),
        (REASONS + "Verdict:", " A is better.", "a"),
        (REASONS + r"\boxed{A>B} or rather \boxed", "{B>A}", "b"),
    ],
)
def test_the_added_verdict(begun: str, added: str, verdict: str | None) -> None:
    assert added_verdict(begun, added) == verdict


@pytest.mark.parametrize(
    ("text", "reworded"),
    [
        ("- The price is wrong.\n- It's long.", "- First, the price is wrong.\n- Then, it's long."),
        ('1. "Otto" is not there.', "1. First, \"Otto\" isn't there."),
        ('1. Response A writes "is not".', '1. First, Response A writes "is not".'),
        ("It fails. However, it is short.", "First, it fails. However, it is short."),
        ("The list is 3.5 m. A is long.", "First, the list is 3.5 m. Then, A is long."),
        ("1. First, Response A fails.", "1. First, Response A fails."),
        ("", ""),
    ],
)  # fmt: skip
def test_reword_by_hand(text: str, reworded: str) -> None:
    assert reword(text) == reworded


def facts(text: str) -> tuple[Counter[str], list[str], list[object]]:
    """Numbers, quoted spans and sides: what a rewording must keep."""
    return (
        Counter(re.findall(r"\d+(?:\.\d+)?", text)),
        re.findall(r"\"[^\"]*\"|`[^`]*`", text),
        list(sides_named(text)),
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", list(FAMILIES))
def test_rewording_keeps_the_facts_of_real_reasons(name: str) -> None:
    for item in make_items([FAMILIES[name]], n=30, seed=17):
        listed = "\n".join(f"{n}. {r.text}" for n, r in enumerate(item.reasons, start=1))
        prose = " ".join(reason.text for reason in item.reasons)
        for text in (listed, prose):
            assert reword(text) != text
            assert facts(reword(text)) == facts(text)


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("AB12. \n-*\"`'Response isnotThe"), max_size=120))
def test_rewording_any_text_keeps_its_numbers_and_ends(text: str) -> None:
    assert facts(reword(text))[0] == facts(text)[0]


@settings(deadline=None)
@given(st.text(max_size=80), st.text(max_size=20))
def test_layout_and_added_verdict_never_raise(text: str, added: str) -> None:
    parts = layout(text + REASONS + r"\boxed{A>B}" + added)
    if isinstance(parts, Layout):
        assert prefill(parts, "own").endswith(parts.lead)
    assert added_verdict(text, added) in ("a", "b", "tie", None)
