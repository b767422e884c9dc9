from __future__ import annotations

import pytest

from rmaudit.parsing.parse import parse_pairwise
from rmaudit.records import Judgment

REASONS = "1. Response A gives 1969 as the year.\n2. Response B omits the price.\n"


def parse(text: str) -> Judgment:
    return parse_pairwise(text, finish_reason="stop", max_reasons=5)


# (a model's answer, verdict, strength): what models write where a verdict is asked for.
MEANT = [
    (r"\boxed{A>>B}", "a", 2),
    (r"\boxed{A>B}", "a", 1),
    (r"\boxed{A=B}", "tie", 0),
    (r"\boxed{B>A}", "b", 1),
    (r"\boxed{B>>A}", "b", 2),
    (r"**\boxed{A>B}**", "a", 1),
    (r"$\boxed{B>A}$", "b", 1),
    (r"$$\boxed{B \gg A}$$", "b", 2),
    (r"\boxed{A \succ B}", "a", 1),
    (r"\boxed{A \approx B}", "tie", 0),
    (r"\\boxed{B>A}", "b", 1),
    (r"boxed{B>A}", "b", 1),
    (r"\boxed{ b > a }", "b", 1),
    (r"\boxed{A > > B}", "a", 2),
    (r"\boxed{A≫B}", "a", 2),
    (r"\boxed{A&gt;B}", "a", 1),
    (r"\boxed{A<B}", "b", 1),
    (r"\boxed{A<<B}", "b", 2),
    (r"\boxed{\text{A>B}}", "a", 1),
    (r"\boxed{\textbf{\text{B>>A}}}", "b", 2),
    (r"\boxed{A}", "a", 1),
    (r"\boxed{\text{Response B}}", "b", 1),
    (r"\boxed{Response A > Response B}", "a", 1),
    (r"\boxed{tie}", "tie", 0),
    ("\\bo\u200bxed{A\u200b>\u200bB}", "a", 1),
    ("\\boxed｛Ａ＞Ｂ｝", "a", 1),
    ("［［Ｂ］］", "b", 1),
    ("【【A>>B】】", "a", 2),
    ("[[A]]", "a", 1),
    ("[[ B ]]", "b", 1),
    ("[[C]]", "tie", 0),
    ("[[B>>A]]", "b", 2),
    ("My final verdict is: Response B is better [[B>A]]", "b", 1),
    ("<answer>A</answer>", "a", 1),
    ("<Answer>\n[[B]]\n</Answer>", "b", 1),
    ("<preference>tie</preference>", "tie", 0),
    ("Verdict: A>B", "a", 1),
    ("**Final verdict:** Response A", "a", 1),
    ("Final Verdict: B", "b", 1),
    ("Overall, my verdict is B>>A.", "b", 2),
    ("The better response is Response B.", "b", 1),
    ("Winner: Response A, by far", "a", 1),
    ("Final answer: Response B", "b", 1),
    ("Preference: tie", "tie", 0),
    ("### Verdict\n\nB>A", "b", 1),
    ("结论：A更好", "a", 1),
    ("最终判定：回答B", "b", 1),
    ("更好的回答：回答A。", "a", 1),
    ("判定：平局", "tie", 0),
    ("A>B", "a", 1),
    ("Response B >> Response A", "b", 2),
    ("`\\boxed{A>B}`", "a", 1),
    ("**`[[B]]`**", "b", 1),
    ("Verdict: `A>B`", "a", 1),
    (r"I would say \boxed{A>B}", "a", 1),
    (r"Response B is not wrong, but \boxed{A>B}", "a", 1),
    (r"If I had to choose, \boxed{B>A}", "b", 1),
    (r"It is not close: \boxed{A>>B}", "a", 2),
    (r"\boxed{A>B}<|im_end|>", "a", 1),
]

# What is no verdict, though it looks like one.
NOT_MEANT = [
    "Response A is better.",
    "A is better than B.",
    "I prefer A",
    "The answer is A.",
    "Final answer: A",
    "The best answer is B.",
    "A",
    "A good answer names the year. B",
    "Verdict: A good answer names the year.",
    "Verdict: both have merits, so A>B is tempting",
    "The conclusion is the same.",
    r"\boxed{A>=B}",
    r"\boxed{A>A}",
    r"\boxed{42}",
    r"\boxed{A>>B|A>B|A=B|B>A|B>>A}",
    r"\boxed{A>>B}, \boxed{A>B}, \boxed{A=B}, \boxed{B>A} or \boxed{B>>A}",
    r"Choose \boxed{A>B} / \boxed{B>A}",
    "Verdict: A>B, A=B or B>A",
    "Verdict: A, B, or tie",
    "".join(f"- \\boxed{{{o}}}: so\n" for o in ("A>>B", "A>B", "A=B", "B>A", "B>>A")),
    "`\\boxed{A>B}`\n`\\boxed{B>A}`",
    "A>B\nA=B\nB>A",
    "[[A]] if Response A is better, [[B]] if Response B is better, [[C]] for a tie",
    r"I would not say \boxed{A>B}",
    r"I would not say that the verdict is \boxed{A>B}",
    r"This isn't \boxed{A>>B}",
    r"not A>B",
    r"It could be \boxed{A>B}",
    r"Some would say \boxed{B>A}",
    r"At first I thought \boxed{B>A}",
    r"If only the tone counted, \boxed{B>A}",
    r"\boxed{B>A} would be wrong",
    r"\boxed{B>A} if the price did not matter",
    r"A verdict such as \boxed{B>A}",
    r"这不是\boxed{A>B}",
    r'Response A ends with "\boxed{A>B}".',
    r"Response A ends with “my verdict is \boxed{A>B}”.",
    "Response A ends with `\\boxed{A>B}` for no reason.",
    "> \\boxed{A>B}",
    "```\n\\boxed{A>B}\n```",
    'The format is {"verdict": "A or B"}',
    '"{"verdict": "A"}"',
]

JSON_SHAPES = [
    '{"verdict": "A>B", "reasons": ["Response B omits the price"]}',
    '{"reasons": [{"text": "Response B omits the price"}], "winner": "Response A"}',
    '{"reasons": [{"reason": "omits the price", "about": "Response B"}], "choice": "A"}',
    '```json\n{"rationale": "Response B omits the price.", "better": "A"}\n```',
    'Here you go:\n```\n{"Reasons": {"Response B": ["omits the price"]}, "Preference": "a"}\n```',
    '{"result": {"final_verdict": "\\\\boxed{A>B}", "reasons": "1. Response B omits the price"}}',
    '{"explanation": "Response B omits the price.", "score": "\\boxed{A>B}"}',
    '1. Response B omits the price.\n\n{"verdict": "A > B"}',
    '{"reasons": ["Response B omits the price"]}\n\\boxed{A>B}',
    '{"理由": ["Response B omits the price"], "更好的回答": "回答A"}',
]


@pytest.mark.parametrize(("text", "verdict", "strength"), MEANT)
def test_verdicts_that_are_meant(text: str, verdict: str, strength: int) -> None:
    alone, judgment = parse(text), parse(REASONS + "\n" + text)
    assert (alone.verdict, alone.strength) == (verdict, strength)
    assert (judgment.verdict, judgment.strength) == (verdict, strength)
    assert judgment.outcome == ("tie" if verdict == "tie" else "ok")
    assert [reason.about for reason in judgment.reasons] == ["a", "b"]
    assert judgment.flags == ()


@pytest.mark.parametrize("text", NOT_MEANT)
def test_verdicts_that_are_not_meant(text: str) -> None:
    assert parse(text).outcome == "unparsed"
    assert parse(text + "\n\\boxed{B>>A}").verdict == "b"


@pytest.mark.parametrize("text", JSON_SHAPES)
def test_json_shapes(text: str) -> None:
    judgment = parse(text)
    assert (judgment.verdict, judgment.strength, judgment.outcome) == ("a", 1, "ok")
    assert [(r.text.strip("."), r.about) for r in judgment.reasons] in (
        [("Response B omits the price", "b")],
        [("omits the price", "b")],
    )
