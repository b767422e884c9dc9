"""What plays another role than the verdict: captions, reports, earlier and nested verdicts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmaudit.parsing.parse import parse_pairwise
from rmaudit.parsing.sides import Names
from rmaudit.records import Judgment

REASONS = "1. Response A gives 1969 as the year.\n2. Response B omits the price.\n"
FORMS = [
    ("[[A]]", "[[B]]"),
    ("\\boxed{A>B}", "\\boxed{B>A}"),
    ("\\boxed{A}", "\\boxed{B}"),
    ("[[A>>B]]", "[[B>>A]]"),
    ("<answer>A</answer>", "<answer>B</answer>"),
    ('{"winner": "A"}', '{"winner": "B"}'),
]
ROLES = [
    "Rejected: {}",
    "Style: {}",
    "Loser: {}",
    "Runner-up: {}",
    "For tone alone: {}",
    "In terms of format: {}",
    "Baseline verdict: {}",
    "Initial verdict: {}",
    "Draft: {}",
    "Length only: {}",
    "Tone -> {}",
    "Other judges: {}",
    "Swap order verdict: {}",
    "Confidence in {}: low",
    "Weaker response: {}",
    "The worse response is {}",
    "The style winner is {}",
    "Style goes to {}",
    "A careless judge would say {}.",
    "A judge who only counts words picks {}.",
    "The user might expect {}.",
    "Response B itself says {}.",
    "Response B claims {} and I ignore that.",
    "I do not say {}.",
    "Rejected:\n{}",
    "Verdict on style: {}",
    "Winner on length: {}",
]
SPOKEN = ["My earlier verdict was {}.", "I first leaned to {}.", "Before that I chose {}."]


def parse(text: str, **options: object) -> Judgment:
    return parse_pairwise(text, finish_reason="stop", max_reasons=9, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("role", ROLES + SPOKEN)
@pytest.mark.parametrize(("right", "other"), FORMS)
def test_a_form_in_another_role_is_no_verdict(role: str, right: str, other: str) -> None:
    after = parse(f"{REASONS}\n{right}\n{role.format(other)}")
    assert (after.verdict, "conflict" in after.flags) == ("a", False)
    alone = parse(f"{REASONS}\n{role.format(other)}")
    assert (alone.verdict, alone.outcome) == (None, "unparsed")


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet=st.characters(categories=["Ll"], max_codepoint=122), min_size=3, max_size=9),
    st.sampled_from(FORMS),
)
def test_an_unknown_caption_never_decides(word: str, forms: tuple[str, str]) -> None:
    """The rule keeps no list of roles: whatever a caption says, only known ones announce."""
    if word in KNOWN:
        return
    judgment = parse(f"{REASONS}\n{forms[0]}\n{word.capitalize()}: {forms[1]}")
    assert judgment.verdict == "a"


KNOWN = frozenset(
    "verdict judgment judgement decision winner preference choice conclusion answer result rating "
    "ranking evaluation assessment output selection vote pick label json sure here ok tie draw "
    "equal same both neither overall finally thus hence therefore was is are be has must it "
    "urteil entscheidung fazit ergebnis veredicto verdetto conclusion decision".split()
)


ANNOUNCED = [
    "My final verdict is: {}",
    "**Final verdict:** {}",
    "Therefore, my verdict is {}.",
    "So, {}",
    "Overall: {}",
    "Based on the comparison above, {}",
    "The better response is {}",
    "Response A is better: {}",
    "My final verdict is: Response A is slightly better: {}",
    "### Verdict\n\n{}",
    "I choose {}.",
    "It is not close: {}",
    "{} because the year is right.",
    "{} is my final verdict.",
    "{} - the year is right.",
    "Thus Response A is the better one, {}.",
    "My verdict on a line of its own:\n{}",
    "<verdict>{}</verdict>",
    "Fazit: {}",
]


@pytest.mark.parametrize("words", ANNOUNCED)
@pytest.mark.parametrize("form", ["[[A]]", "\\boxed{A>B}", "[[A>>B]]"])
def test_what_announces_a_verdict(words: str, form: str) -> None:
    judgment = parse(f"{REASONS}\n{words.format(form)}")
    assert (judgment.verdict, judgment.flags, len(judgment.reasons)) == ("a", (), 2)


@pytest.mark.parametrize(
    ("text", "verdict", "flags"),
    [
        ('{"winner":"A","breakdown":{"accuracy":{"winner":"A"},"style":{"winner":"B"}}}', "a", ()),
        ('[{"winner":"A"},{"winner":"B"},{"winner":"B"}]', None, ("conflict",)),
        ('[{"winner":"A"}]', "a", ()),
        ('{"style":{"winner":"B"}}', None, ()),
        ('{"overall":{"winner":"A"},"style":{"winner":"B"}}', "a", ()),
        ('{"result": {"final_verdict": "A"}}', "a", ()),
        ('{"verdict":"B","final_verdict":"A"}', "a", ()),
        ('{"winner":"A","verdict":"B"}', None, ("conflict",)),
        ('{"rejected":"B","chosen":"A"}', "a", ()),
        ('{"style_winner":"B","winner":"A"}', "a", ()),
        ('{"initial_verdict":"B"}', None, ()),
    ],
)
def test_the_shallowest_and_most_final_key_of_json(
    text: str, verdict: str | None, flags: tuple[str, ...]
) -> None:
    judgment = parse(text)
    assert judgment.verdict == verdict
    assert tuple(flag for flag in judgment.flags if flag != "no_reasons") == flags


@pytest.mark.parametrize(
    "text",
    [
        '{"winner":"A","why":"Response B omits the price."}',
        '{"winner":"A","feedback":"Response B omits the price."}',
        '{"winner":"A","critique":"Response B omits the price."}',
        '{"winner":"A","weaknesses":{"B":["omits the price"]}}',
        '{"winner":"A","reasons":{"B":{"cons":["omits the price"]}}}',
        '{"winner":"A","analysis":{"Response B":{"weaknesses":"omits the price"}}}',
    ],
)
def test_reasons_under_the_keys_that_people_use(text: str) -> None:
    judgment = parse(text)
    assert [
        (r.text.removeprefix("Response B ").rstrip("."), r.about) for r in judgment.reasons
    ] == [("omits the price", "b")]
    assert judgment.flags == ()


def test_long_texts_beside_the_reasons_are_reported_and_short_ones_are_not() -> None:
    """What stands under known keys counts; a long text elsewhere is flagged, an echo is not."""
    answer = {
        "winner": "A",
        "reason": "Response B names 9.",
        "prompt": "Name a prime between eight and twelve, and say in a sentence why it is one.",
        "tone": "Both are plain enough.",
    }
    plain = parse(json.dumps(answer))
    assert "unread_texts" not in plain.flags
    more = answer | {"on_b": "It names nine, which is three times three, and so gives no prime."}
    found = parse(json.dumps(more))
    assert [reason.text for reason in found.reasons] == ["Response B names 9."]
    assert found.flags == ("unread_texts",)
    listed = {"winner": "A", "reasons": [more["on_b"], more["on_b"] + " Twice."]}
    assert parse(json.dumps(listed)).flags == ()


def test_texts_under_unknown_keys_are_read_and_reported() -> None:
    judgment = parse('{"winner":"A","zzz":"Response B omits the price, which is asked for."}')
    assert len(judgment.reasons) == 1
    assert judgment.flags == ("unknown_keys",)
    assert parse('{"winner":"A","question":"Which of the two names the price?"}').reasons == ()


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("Response B says 1959 instead of 1969. Verdict: [[A]]", 1),
        ("**Response B says 1959 instead of 1969.**\n[[A]]", 1),
        ("Response B says 1959 instead of 1969: [[A]]", 1),
        ("Verdict: [[A]]", 0),
    ],
)
def test_a_reason_before_the_verdict_on_its_line_is_no_heading(text: str, reasons: int) -> None:
    judgment = parse(text)
    assert (judgment.verdict, len(judgment.reasons)) == ("a", reasons)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (f"{REASONS}so the answer is \\boxed{{B}}. Response A picks B; Response B picks C.", None),
        ("2+2 is 4, so the answer is \\boxed{B}. Response A picks B.\n\n[[A]]", "a"),
        ("2 and 2 is 4.\n\n\\boxed{B}\n\nResponse A picks B.\n\n\\boxed{A}", "a"),
        ("2 and 2 is 4.\n\n<answer>B</answer>\n\nResponse A picks B.\n\n[[A]]", "a"),
    ],
)
def test_the_own_solution_of_the_request_is_no_verdict(text: str, verdict: str | None) -> None:
    judgment = parse(text)
    assert (judgment.verdict, "conflict" in judgment.flags) == (verdict, False)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("综上所述，最终结论：A", "a"),
        ('Verdict: "B"', "b"),
        ("<better>B</better>", "b"),
        ("判定：一样好", "tie"),
        ('"My final verdict is Assistant B is significantly better: [[B>>A]]".', "b"),
        ('Therefore, "My final verdict is Assistant B is better: [[B>A]]".', "b"),
    ],
)
def test_plain_verdicts_are_read(text: str, verdict: str) -> None:
    assert parse(f"{REASONS}\n{text}", names=Names(("Response", "Assistant"))).verdict == verdict


OPEN = (
    "<think> <thinking> <thought> <thoughts> <reasoning> <scratchpad> <reflection> [THINK] ◁think▷ "
    "<|begin_of_thought|> <|START_THINKING|> <|channel|>analysis<|message|> <seed:think> <unused94>"
).split()
CLOSE = (
    "</think> </thinking> </thought> </thoughts> </reasoning> </scratchpad> </reflection> [/THINK] "
    "◁/think▷ <|end_of_thought|> <|END_THINKING|> <|channel|>final<|message|> </seed:think> "
    "<unused95>"
).split()


@pytest.mark.parametrize(("opens", "closes"), list(zip(OPEN, CLOSE, strict=True)))
def test_drafts_in_the_thinking_of_every_family_never_count(opens: str, closes: str) -> None:
    for case in (str, str.upper) if opens[0] == "<" and opens[1] != "|" else (str,):
        left, right = case(opens), case(closes)
        draft = parse(f"{left}\n{REASONS}[[B]]")
        assert (draft.verdict, draft.outcome) == (None, "truncated")
        answered = parse(f"{left}\ndraft [[B]]{right}\n{REASONS}[[A]]")
        assert (answered.verdict, answered.flags, len(answered.reasons)) == ("a", (), 2)
    # Marks inside thinking do not end it.
    nested = parse(f"{opens}\n<inner_monologue>x</inner_monologue>\n[[B]]")
    assert nested.verdict is None
