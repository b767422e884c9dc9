from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rmaudit.parsing.parse import parse_pairwise
from rmaudit.parsing.reasons import list_reasons
from rmaudit.parsing.sides import DEFAULT_NAMES
from rmaudit.text.masking import FILL, fold, mask_quoted
from rmaudit.text.sentences import sentences

CLOSE = "\n\\boxed{A>B}"


def reasons(text: str) -> list[tuple[str, str | None]]:
    judgment = parse_pairwise(text, finish_reason="stop", max_reasons=9)
    return [(reason.text, reason.about) for reason in judgment.reasons]


A_B = [("Response A gives 1969", "a"), ("Response B omits it", "b")]
SIDED = [("wrong year", "a"), ("no price", "a"), ("is short", "b")]

# Every spelling of the same list.
SAME_LIST = [
    "1. Response A gives 1969\n2. Response B omits it",
    "1) Response A gives 1969\n2) Response B omits it",
    "(1) Response A gives 1969\n(2) Response B omits it",
    "[1] Response A gives 1969\n[2] Response B omits it",
    "1、Response A gives 1969\n2、Response B omits it",
    "１．Response A gives 1969\n２．Response B omits it",
    "① Response A gives 1969\n② Response B omits it",
    "1.Response A gives 1969\n2.Response B omits it",
    "Reason 1: Response A gives 1969\nReason 2: Response B omits it",
    "- Response A gives 1969\n- Response B omits it",
    "* Response A gives 1969\n* Response B omits it",
    "• Response A gives 1969\n• Response B omits it",
    "  1. Response A gives 1969\n  2. Response B omits it",
    "1. **Response A** gives 1969\n2. **Response B** omits it",
    "**1.** Response A gives 1969\n**2.** Response B omits it",
    "1. Response A gives 1969\n1. Response B omits it",
    "1. Response A\n   gives 1969\n2. Response B\nomits it",
    "1. Response A gives 1969\n\n2. Response B omits it\n",
    "1. Response A gives 1969\r\n2. Response B omits it\r\n",
    "Reasons: 1. Response A gives 1969; 2. Response B omits it",
    "Here are my reasons:\n1. Response A gives 1969\n2. Response B omits it",
    "1. Response A gives 1969\n2. Response B omits it\n3. Final verdict:",
    "1. Response A gives 1969\n2. Response B omits it\nTherefore, Response A is better.",
    "1. Response A gives 1969\n2. Response B omits it\n\nOverall, the first is right.",
    "<reasons>\n1. Response A gives 1969\n2. Response B omits it\n</reasons>",
    "My answer:\n1. Add 2.\n2. Halve.\nReasons:\n1. Response A gives 1969\n2. Response B omits it",
]

# Every spelling of bullets that get their side from a heading.
UNDER_HEADINGS = [
    "**Response A:**\n- wrong year\n- no price\n\n**Response B:**\n- is short",
    "### Response A\n- wrong year\n- no price\n### Response B\n- is short",
    "Response A:\n1. wrong year\n2. no price\nResponse B:\n1. is short",
    "Response A\n- wrong year\n- no price\nResponse B\n- is short",
    "Weaknesses of Response A:\n* wrong year\n* no price\n\nStrengths of Response B:\n* is short",
    "1. **Response A:**\n   - wrong year\n   - no price\n2. **Response B:**\n   - is short",
]


@pytest.mark.parametrize("text", SAME_LIST)
def test_spellings_of_a_list(text: str) -> None:
    found = reasons(text + CLOSE)
    assert [(text.strip(";"), about) for text, about in found] == A_B


@pytest.mark.parametrize("text", UNDER_HEADINGS)
def test_headings_give_the_side_that_a_bullet_lacks(text: str) -> None:
    assert reasons(text + CLOSE) == SIDED


def test_a_bullet_that_names_a_side_keeps_it() -> None:
    text = "**Response A:**\n- longer than Response B\n- Response B is right\n" + CLOSE
    assert [about for _, about in reasons(text)] == ["a", "b"]


def test_a_heading_with_a_bare_letter_is_ambiguous() -> None:
    judgment = parse_pairwise("**B:**\n- omits it" + CLOSE, finish_reason="stop", max_reasons=5)
    assert judgment.flags == ("ambiguous_side",)


def test_nested_points_belong_to_their_parent() -> None:
    text = "1. Accuracy:\n   - Response A is right\n   - so is Response B\n2. Response B is long"
    assert reasons(text + CLOSE) == [
        ("Accuracy: Response A is right so is Response B", "a"),
        ("Response B is long", "b"),
    ]
    level = "1. Accuracy:\n- Response A is right\n- so is Response B\n2. Response B is long"
    assert reasons(level + CLOSE) == reasons(text + CLOSE)


def test_sections_and_paragraphs_belong_to_their_number() -> None:
    text = "### 1. Accuracy\n\nResponse A gives 3.5.\n\nThat is right.\n\n"
    text += "### 2. Length\nResponse B is long"
    assert reasons(text + "\n\n### Verdict" + CLOSE) == [
        ("Accuracy Response A gives 3.5. That is right.", "a"),
        ("Length Response B is long", "b"),
    ]
    text = "1. Response A omits it.\n\nIt costs 5 euros.\n\n2. Response B is long"
    assert reasons(text + CLOSE) == [
        ("Response A omits it. It costs 5 euros.", "a"),
        ("Response B is long", "b"),
    ]


def test_code_in_a_point_is_no_list() -> None:
    text = "1. Response A fails:\n```python\n- x\n1. y\n```\n2. Response B runs"
    assert [about for _, about in reasons(text + CLOSE)] == ["a", "b"]


def test_duplicates_and_order_are_the_models() -> None:
    text = "1. second\n2. first\n3. second" + CLOSE
    assert [text for text, _ in reasons(text)] == ["second", "first", "second"]


def test_list_after_the_verdict() -> None:
    assert reasons("\\boxed{A>B}\n\n1. Response A gives 1969\n2. Response B omits it") == A_B
    assert reasons("Response A is better.\\boxed{A>B}\n- Response A gives 1969") == A_B[:1]


def test_a_list_beats_prose_before_and_after_it() -> None:
    text = "Let me compare.\nBoth are long.\n\n1. Response A gives 1969\n2. Response B omits it\n\n"
    assert reasons(text + "Response A is the one to trust here.\n" + CLOSE) == A_B


def test_prose_that_compares_beats_a_list_that_solves_the_request() -> None:
    text = (
        "To solve it:\n1. Add 2.\n2. Halve.\n\nResponse A gives 1969. Response B omits it.\n"
        + CLOSE
    )
    assert reasons(text) == [("Response A gives 1969.", "a"), ("Response B omits it.", "b")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Response A costs 3.5 euros. Response B is free.", 2),
        ("Response A uses e.g. Tokyo and i.e. Kyoto, vs. Response B. It is wrong.", 2),
        ('Response A says "It is. Really." twice. Response B does not!', 2),
        ("See Fig. 3 in Response A. See no. 4 in Response B? Yes.", 3),
        ("The U.S. Capitol is in Response A. the end", 1),
        ("Response A给出了1969年。Response B没有！", 2),
        ("1. Response A is long", 1),
        ("", 0),
    ],
)
def test_sentences(text: str, expected: int) -> None:
    found = sentences(text)
    assert len(found) == expected
    assert "".join("".join(found).split()) == "".join(text.split())


def test_prose_without_lead_ins_and_verdicts() -> None:
    text = (
        "Here are my reasons: Response A gives 1969. I will compare them now. "
        "Response B omits it.\n\n"
        "| A | B |\n|---|---|\n\nOverall, Response A is better than Response B.\n\n"
        "So my final verdict is"
    )
    assert reasons(text + CLOSE) == [("Response A gives 1969.", "a"), ("Response B omits it.", "b")]


def test_prose_without_a_verdict_gives_no_reasons() -> None:
    assert reasons("Response A gives 1969. Response B omits it.") == []


def test_bold_goes_and_exponents_stay() -> None:
    text = "1. **Power**: Response A says `2**3` is x**2" + CLOSE
    assert reasons(text) == [("Power: Response A says `2**3` is x**2", "a")]


def test_reasons_keep_the_models_characters() -> None:
    text = "1. Ｒｅｓｐｏｎｓｅ Ａ says “½ … ①” and 👩\u200d🚀" + CLOSE
    assert reasons(text) == [("Ｒｅｓｐｏｎｓｅ Ａ says “½ … ①” and 👩\u200d🚀", "a")]


def test_a_cut_list_loses_only_the_point_that_is_cut() -> None:
    def cut(text: str) -> list[str]:
        return [reason.text for reason in list_reasons(text, names=DEFAULT_NAMES, cut=True)]

    assert cut("1. one\n2. two\n3. thr") == ["one", "two"]
    assert cut("1. one\n2. two\n") == ["one", "two"]
    assert cut("1. one\n2. two\n\nOver") == ["one", "two"]
    assert cut("1. o") == []


@settings(max_examples=100)
@given(
    st.lists(st.from_regex(r"[a-z]{2,8}( [a-z]{2,8}){0,5}", fullmatch=True), min_size=1, max_size=7)
)
@example(["so"])
def test_a_written_list_is_read_back(texts: list[str]) -> None:
    numbered = "\n".join(f"{i}. {text}" for i, text in enumerate(texts, 1))
    bulleted = "\n".join(f"- {text}" for text in texts)
    for written in (numbered, bulleted):
        assert [text for text, _ in reasons(written + "\n" + CLOSE)] == texts


@settings(max_examples=300)
@given(st.text(alphabet=st.sampled_from("aA\u200b＞》\"'`“”「」\n>~ \r\0é"), max_size=60))
def test_folding_and_masking_keep_positions(text: str) -> None:
    folded = fold(text)
    assert len(folded.origin) == len(folded.text) + 1
    assert folded.origin[-1] == len(text)
    assert all(fold(text[i]).text == c for i, c in zip(folded.origin, folded.text, strict=False))
    masked = mask_quoted(folded.text)
    assert len(masked) == len(folded.text)
    assert all(m in (c, FILL) for m, c in zip(masked, folded.text, strict=True))
