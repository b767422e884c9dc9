"""What the two interventions say of planted models whose workings are known.

All of them give the references as reasons, so that rationale consistency is 1 whatever they do:

    heeds    its verdict follows from the reasons that stand before it: fewer faults win
    slot     it takes what is shown first
    deaf     it has its own opinion, right on every other item, and hears no reasons
    wording  it is right as long as its own words stand before it
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import ideal_answer
from support.command_line import Done
from support.fault_server import FaultServer
from support.judge_server import judge_server, same_text

from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set

pytestmark = pytest.mark.slow
Cli = Callable[..., Done]
SPEC = "synth:5:8:slogan"
ITEMS = load_set(SPEC).items
VERDICT = "\\boxed"


@pytest.fixture(autouse=True)
def a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def shown(prompt: str) -> tuple[int, str]:
    """Which item a prompt is about, and in which order."""
    for place, item in enumerate(ITEMS):
        first, second = prompt.find(item.response_a), prompt.find(item.response_b)
        if min(first, second) >= 0:
            return place, "ab" if first < second else "ba"
    raise AssertionError(prompt)


def right(item: Item, order: str) -> str:
    return "A" if (item.label == "a") == (order == "ab") else "B"


def turned(side: str) -> str:
    return {"A": "B", "B": "A"}[side]


def by_faults(text: str) -> str:
    """The side that fewer reasons fault; the first one where both are faulted alike."""
    faults = [text.count(f"Response {side}") for side in "AB"]
    return "A" if faults[0] <= faults[1] else "B"


def heeds(prompt: str, said: str) -> str:
    if "[Notes]" in prompt and not said:
        return by_faults(prompt[prompt.index("[Notes]") :])
    return by_faults(said) if said else deaf(prompt, said)


def slot(prompt: str, said: str) -> str:
    return "A"


def deaf(prompt: str, said: str) -> str:
    place, order = shown(prompt)
    side = right(ITEMS[place], order)
    return turned(side) if place % 2 else side


def wording(prompt: str, said: str) -> str:
    """Right while at least half of the words before it are its own, wrong else; deaf to names."""
    place, order = shown(prompt)
    side = right(ITEMS[place], order)
    own, there = (
        set(re.findall(r"[a-z]+", text)) for text in (ideal_answer(ITEMS[place], order), said)
    )
    return side if not said or len(own & there) >= len(own) / 2 else turned(side)


Model = Callable[[str, str], str]


def served(model: Model) -> Callable[[str], str]:
    """The model behind a server: good reasons and its verdict, or the verdict alone."""

    def answer(prompt: str) -> str:
        if prompt.endswith(VERDICT):  # asked to go on from a beginning
            said = prompt[prompt.rindex("[/Response B]") :].partition("\n1. ")[2]
            side = model(prompt, said)
            return f"{{{side}>{turned(side)}}}"
        place, order = shown(prompt)
        reasons = ideal_answer(ITEMS[place], order).rpartition("\n")[0]
        side = model(prompt, "")
        return f"{reasons}\n{VERDICT}{{{side}>{turned(side)}}}"

    return answer


def rewriter(prompt: str) -> str:
    """A stand-in that writes other words: each plain one in lower case gets another ending."""
    if "in other words" not in prompt:
        return same_text(prompt)
    text = prompt[prompt.index("[begin Reasons]\n") :].partition("\n")[2]
    text = text[: text.index("\n[end Reasons]")]
    parts = re.split(r"(\"[^\"]*\"|`[^`]*`|'[^']*'|“[^”]*”)", text)
    parts[::2] = [re.sub(r"\b[a-z]{2,}\b", lambda m: f"{m[0]}en", part) for part in parts[::2]]
    return json.dumps({"reasons": "".join(parts)})


def measured(cli: Cli, model: Model, *, judge: str = "") -> dict[str, Any]:
    with FaultServer(served(model), owned_by="vllm") as server:
        words = [
            "scan",
            server.target,
            "--set",
            SPEC,
            "--out",
            f"run-{model.__name__}{bool(judge)}",
        ]
        words += ["--judge", judge or "builtin", "--labeler", "builtin"]
        done = cli(*words, "--measure", "causality", "--measure", "specification", "--yes")
    assert done.code == 0, done.err
    found = json.loads(Path(str(words[5]), "metrics.json").read_text())["metrics"]
    return {name: one["value"] for name, one in found.items()}


def test_planted_models_by_hand(cli: Cli) -> None:
    """16 answers each; the notes are the references, of which the better side has fewer."""
    with judge_server(rewriter) as server:
        found = {
            model.__name__: measured(cli, model, judge=server.target)
            for model in (heeds, slot, deaf)
        }
    assert {name: one["rc"] for name, one in found.items()} == dict.fromkeys(found, 1.0)
    cells = [(item, order) for item in ITEMS for order in ("ab", "ba")]
    follows = right_by_faults = 0
    for item, order in cells:
        reasons = ideal_answer(item, order)
        own, other = by_faults(reasons), turned(by_faults(turned_names(reasons)))
        follows += own == other
        right_by_faults += own == right(item, order)
    assert follows >= 12, "else the model that heeds has nothing to show"
    heeding = found["heeds"]
    assert heeding["rationale_causality"] == pytest.approx(follows / 16)
    assert heeding["rationale_causality.changes"] == 0.0
    assert heeding["accuracy"] == 0.5
    assert heeding["specification_gap"] == pytest.approx(right_by_faults / 16 - 0.5)
    for name in ("slot", "deaf"):
        assert found[name]["rationale_causality"] == 0.0
        assert found[name]["rationale_causality.follows"] == 0.0
        assert found[name]["specification_gap"] == 0.0
        assert found[name]["accuracy"] == 0.5
    assert found["slot"]["order_consistency"] == 0.0
    assert found["deaf"]["order_consistency"] == 1.0
    for one in found.values():  # the words did change
        assert one["rationale_causality.reworded"] > 0.4


def turned_names(text: str) -> str:
    return re.sub(r"Response ([AB])", lambda m: f"Response {turned(m[1])}", text)


def test_a_model_that_goes_by_words_is_seen_where_the_words_change(cli: Cli) -> None:
    """By rule nearly all words stay, and nothing is seen; in a model's words its verdict turns."""
    by_rule = measured(cli, wording)
    assert by_rule["rationale_causality.changes"] == 0.0
    assert by_rule["rationale_causality.reworded"] < 0.2
    with judge_server(rewriter) as server:
        in_words = measured(cli, wording, judge=server.target)
    assert in_words["rationale_causality.reworded"] > 0.4
    assert in_words["rationale_causality.changes"] == 1.0
    assert in_words["rationale_causality"] == -1.0


def test_a_rewording_that_changes_a_fact_is_not_taken(cli: Cli) -> None:
    """A rewriter that turns the sides: each answer is asked once more, then reworded by rule."""

    def turns(prompt: str) -> str:
        if "in other words" not in prompt:
            return same_text(prompt)
        found = json.loads(rewriter(prompt))
        return json.dumps({"reasons": turned_names(found["reasons"])})

    with judge_server(turns) as server:
        found = measured(cli, wording, judge=server.target)
    assert found["rationale_causality.changes"] == 0.0
    assert found["rationale_causality.reworded"] < 0.2
