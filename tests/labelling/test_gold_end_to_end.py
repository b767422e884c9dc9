"""L-Acc, S-Corr and F-Score with a model as labeller: 60 items whose verdicts are known.

The labeller is a stand-in server that knows what it is to say of each item:

    items   verdict   the labeller's gold verdict            of the paper
    0-29    right     correct                                C = 30
    30-44   right     incorrect                              I = 15
    45-48   right     an answer that cannot be read, twice   f = 4
    49-58   wrong     correct (49-53) or incorrect           10
    59      none: the target gave no answer
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import answer, write_replay
from support.command_line import Done
from support.judge_server import asked, entries, judge_server

Cli = Callable[..., Done]
N = 60


def items(path: Path) -> Path:
    rows = [
        {
            "id": f"q{k}",
            "domain": "stem",
            "prompt": [{"role": "user", "content": f"Question {k}: what is {k} plus {k}?"}],
            "response_a": f"It is {2 * k}.",
            "response_b": f"It is {2 * k + 1}.",
            "label": "a",
            "gold_judgment": {
                "text": f"Twice {k} is {2 * k}, so Response B is wrong by one.",
                "origin": "human",
            },
        }
        for k in range(N)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def answers(path: Path) -> Path:
    return write_replay(
        path,
        (
            {
                "item": f"q{k}",
                "order": "ab",
                "text": answer(
                    [f"Response B adds {k} and {k} wrongly.", "Response A is short."],
                    "B>A" if 49 <= k <= 58 else "A>B",
                ),
            }
            for k in range(N - 1)
        ),
    )


def labeller(prompt: str) -> str:
    if "Name one colour" in prompt:
        return '{"colour": "green"}'
    found = re.search(r"Question (\d+):", prompt)
    assert found is not None
    number = int(found[1])
    if 45 <= number <= 48:
        return "I would rather not say."
    assert f"Twice {number} is" in prompt
    labels = [
        {"s": place, "category": "EG", "flaws": ["F5"] if number % 4 == 0 and place == 1 else []}
        for place, _ in enumerate(entries(prompt, "S"), start=1)
    ]
    gold = "correct" if number < 30 or 49 <= number <= 53 else "incorrect"
    return json.dumps({"labels": labels, "decisive": ["the sum"], "gold": gold})


@pytest.fixture
def measured(cli: Cli, tmp_path: Path) -> dict[str, Any]:
    set_, said = items(tmp_path / "items.jsonl"), answers(tmp_path / "said.jsonl")
    words = ("scan", f"replay:{said}", "--set", set_, "--orders", "ab", "--judge", "builtin")
    with judge_server(labeller) as server:
        done = cli(*words, "--labeler", server.target, "--out", "run")
        assert done.code == 0, done.err
        # One call an answer, and once more for the four that could not be read.
        assert len(asked(server)) == 59 + 4
    found: dict[str, Any] = json.loads((tmp_path / "run" / "metrics.json").read_text())
    return found["metrics"]


@pytest.mark.slow
def test_the_papers_numbers_by_hand(measured: dict[str, Any]) -> None:
    """59 items are answered, 49 rightly; one more is lost, and four right ones have no verdict."""
    l_acc, f_score, s_corr = (measured[name] for name in ("l_acc", "f_score", "s_corr"))
    assert l_acc["value"] == pytest.approx((30 + 15 + 4) / 59)
    assert (l_acc["n"], l_acc["n_excluded"]) == (59, 1)
    assert (l_acc["worst"], l_acc["best"]) == pytest.approx((49 / 60, 50 / 60))
    # f stays in the denominator, as a right verdict that is not shown to be for right reasons.
    assert f_score["value"] == pytest.approx(30 / 59)
    assert f_score["n_excluded"] == 1 + 4
    assert (f_score["worst"], f_score["best"]) == pytest.approx((30 / 60, 35 / 60))
    # Of right verdicts with a gold verdict; the wrong verdicts of 49-53 earn nothing by theirs.
    assert s_corr["value"] == pytest.approx(15 / (30 + 15))
    assert (s_corr["worst"], s_corr["best"]) == pytest.approx((20 / 50, 15 / 50))
    assert f_score["value"] + measured["spurious_mass"]["value"] == pytest.approx(45 / 59)


@pytest.mark.slow
def test_flaws_of_the_same_answers_by_hand(measured: dict[str, Any]) -> None:
    """Of 55 labelled answers, two reasons each, those of 0, 4, ... 56 but 48 have an F5: 14."""
    f5 = measured["flaw.F5"]
    assert f5["value"] == pytest.approx(14 / 110)
    assert measured["flaw.F1"]["value"] == 0.0
    assert measured["category.EG"]["value"] == 1.0
    assert f5["n_excluded"] == 5
