"""A judge at an endpoint, read by the log-probabilities of its first token (a stand-in server)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command_line import Done
from support.fault_server import FaultServer

from rmaudit.checklists.sets import load_set
from rmaudit.engines.first_token import log_odds
from rmaudit.run.directory import RunDir
from rmaudit.run.files import SCORES, VERDICTS

Cli = Callable[..., Done]
SET = "synth:3:8:slogan"
ITEMS = load_set(SET).items
PAIR = "{request}\n\nA: {first}\n\nB: {second}\n\nWhich is better? One letter."
LOVES_FIRST = 0.7
"""So much the stand-in leans to what is shown first, whatever it is."""
YES_NO = """
name = "yes-no"
adapter = "gen-pointwise"
prompt = "messages"
prompt_source = "user"
temperature = 0.0
top_p = 1.0
top_k = 0
max_tokens = 8

[[messages]]
role = "user"
text = "{request}\\n\\n{response}\\n\\nIs it good? Yes or No."

[verdict]
forms = ["line"]

[scale]
low = 0
high = 1
kind = "rating"
tie = 0.0
reading = "log_odds"
words = { Yes = 1, No = 0 }
"""


def worth(response: str) -> float:
    """What the stand-in thinks of a response."""
    return (len(response) * 7919 % 1000) / 100


def of_pair(prompt: str) -> list[tuple[str, float]]:
    for item in ITEMS:
        a, b = prompt.find(item.response_a), prompt.find(item.response_b)
        if min(a, b) >= 0:
            margin = worth(item.response_a) - worth(item.response_b)
            margin = (margin if a < b else -margin) + LOVES_FIRST
            first, second = -math.log1p(math.exp(-margin)), -math.log1p(math.exp(margin))
            return sorted([("A", first), (" B", second), ("The", -12.0)], key=lambda one: -one[1])
    return [("The", -0.1)]


def margin(item: str) -> float:
    found = next(one for one in ITEMS if one.id == item)
    return worth(found.response_a) - worth(found.response_b)


def prompt_file(folder: Path, text: str) -> Path:
    path = folder / "prompt.txt"
    path.write_text(text)
    return path


def test_a_pair_has_its_margin_in_each_order(cli: Cli, tmp_path: Path) -> None:
    path = prompt_file(tmp_path, PAIR)
    options = ("--set", SET, "--rm-type", "first-token", "--prompt", path, "--out", "run")
    with FaultServer(tops=of_pair) as server:
        done = cli("scan", server.target, *options)
        assert done.code == 0, done.err
        assert len(server.bodies) == 16
    for body in server.bodies:
        assert (body["logprobs"], body["top_logprobs"], body["max_tokens"]) == (True, 20, 1)
    run = RunDir.open(tmp_path / "run")
    scores = {(row.key.item, row.key.order): row.score for row in run.rows(SCORES)}
    assert len(scores) == 16
    for (item, order), score in scores.items():
        lean = LOVES_FIRST if order == "ab" else -LOVES_FIRST
        assert score == pytest.approx(margin(item) + lean)
    verdicts = {(r.key.item, r.key.order): r.judgment.verdict for r in run.rows(VERDICTS)}
    assert verdicts == {key: "a" if score > 0 else "b" for key, score in scores.items()}
    metrics = json.loads((run.path / "metrics.json").read_text())["metrics"]
    differ = sum(verdicts[item.id, "ab"] != verdicts[item.id, "ba"] for item in ITEMS)
    assert metrics["order_consistency"]["value"] == pytest.approx(1 - differ / 8)
    assert metrics["rc"]["value"] is None
    manifest = run.manifest()
    assert manifest.rm_type == "first-token-pair"
    assert manifest.engine.as_dict()["labels"] == ["A", "B"]
    assert len(manifest.prompts) == 1


def test_a_label_out_of_sight_is_missing_not_low(cli: Cli, tmp_path: Path) -> None:
    lost = ITEMS[0]

    def tops(prompt: str) -> list[tuple[str, float]]:
        found = of_pair(prompt)
        return [one for one in found if "B" not in one[0]] if lost.response_a in prompt else found

    path = prompt_file(tmp_path, PAIR)
    options = ("--set", SET, "--rm-type", "first-token", "--prompt", path)
    with FaultServer(tops=tops) as server:
        done = cli("scan", server.target, *options, "--out", "run")
        assert done.code == 0, done.err
        assert "2 of 16 responses have no score: 'B' is not among the 2 likeliest" in done.err
        server.tops = of_pair
        before = len(server.bodies)
        done = cli("scan", server.target, *options, "--out", "run", "--resume")
        assert done.code == 0, done.err
        assert len(server.bodies) == before + 2
        run = tmp_path / "run"
        assert len(list(RunDir.open(run).rows(SCORES))) == 16
        server.tops = None
        done = cli("scan", server.target, *options, "--out", "none")
    assert done.code == 1
    assert "bad answer: no log-probabilities" in done.err


def test_single_responses_by_two_words(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "yes-no.toml").write_text(YES_NO)

    def tops(prompt: str) -> list[tuple[str, float]]:
        good = worth(prompt) - 5
        chances = {"Yes": good - 0.5, " yes": good - 1.5, "No": -2.0}
        total = math.log(sum(map(math.exp, chances.values())))
        return [(token, chance - total) for token, chance in chances.items()]

    options = ("--rm-type", "first-token", "--profile", "yes-no.toml")
    with FaultServer(tops=tops) as server:
        done = cli("scan", server.target, "--set", SET, *options, "--out", "run", "--no-probe")
    assert done.code == 0, done.err
    run = RunDir.open(tmp_path / "run")
    scores = {row.key: row.score for row in run.rows(SCORES)}
    asked = {body["messages"][0]["content"] for body in server.bodies}
    assert len(asked) >= len({one.response_a for one in ITEMS} | {one.response_b for one in ITEMS})
    for row in run.rows(VERDICTS):
        a, b = (
            next(s for k, s in scores.items() if (k.item, k.slot) == (row.key.item, side)
                 and k.variant == "base") for side in "ab"
        )  # fmt: skip
        assert row.judgment.verdict == ("a" if a > b else "b" if b > a else "tie")
    prompt = f"{ITEMS[0].prompt[0].content}\n\n{ITEMS[0].response_a}\n\nIs it good? Yes or No."
    good = worth(prompt) - 5
    expected = math.log(math.exp(good - 0.5) + math.exp(good - 1.5)) + 2.0
    found = next(
        s for k, s in scores.items() if (k.item, k.slot, k.variant) == (ITEMS[0].id, "a", "base")
    )
    assert found == pytest.approx(expected)
    assert run.manifest().rm_type == "first-token-rating"
    metrics = json.loads((run.path / "metrics.json").read_text())["metrics"]
    assert metrics["order_consistency"]["value"] is None


def test_without_a_prompt_for_the_label_alone_it_is_refused(cli: Cli, tmp_path: Path) -> None:
    with FaultServer(tops=of_pair) as server:
        done = cli("scan", server.target, "--set", SET, "--rm-type", "first-token")
        assert done.code == 2
        assert "--prompt FILE" in done.err
        path = prompt_file(tmp_path, PAIR)
        options = ("--rm-type", "first-token", "--prompt", path, "--max-tokens", "9")
        done = cli("scan", server.target, "--set", SET, *options)
    assert done.code == 2
    assert "leave --max-tokens out" in done.err
    assert not server.bodies


def test_log_odds_by_hand() -> None:
    half, quarter = math.log(0.5), math.log(0.25)
    assert log_odds([("A", half), ("B", quarter)], ("A", "B")) == pytest.approx(math.log(2))
    # Two spellings of A: .25 + .25 against .5.
    tokens = [(" A", quarter), ("A", quarter), ("\u0120B", half)]
    assert log_odds(tokens, ("A", "B")) == pytest.approx(0)
    assert "'B' is not among the 1" in str(log_odds([("A", half)], ("A", "B")))
    assert "'B' is not" in str(log_odds([("A", half), ("b", half)], ("A", "B")))
    assert "'B' is not" in str(log_odds([("A", half), ("B", -9999.0)], ("A", "B")))
    assert "'A' is not" in str(log_odds([("A", math.nan), ("B", half)], ("A", "B")))
    assert log_odds([("yes", half), ("NO", half)], ("Yes", "No")) == 0.0
    assert "'Yes'" in str(log_odds([("Yesterday", half), ("No", half)], ("Yes", "No")))


chances = st.floats(-50, 0, allow_nan=False)


@given(first=chances, second=chances, rest=st.lists(st.tuples(st.text(max_size=3), chances)))
def test_other_tokens_change_nothing(
    first: float, second: float, rest: list[tuple[str, float]]
) -> None:
    others = [(f"x{token}", chance) for token, chance in rest]
    found = log_odds([*others, ("B", second), ("A", first)], ("A", "B"))
    assert found == pytest.approx(first - second)
    turned = log_odds([("A", first), *others, ("B", second)], ("B", "A"))
    assert turned == pytest.approx(second - first)
