"""Cues among the controls leave every requirement as it was; traps pair them with neutral edits."""

from __future__ import annotations

from random import Random

import pytest

from rmaudit.checklists.checks import run_checks
from rmaudit.checklists.controls import CUES, Trap, edited, losing_side, traps
from rmaudit.checklists.schema import Control, Item
from rmaudit.checklists.sets import load_set
from rmaudit.checklists.synth import slogan
from rmaudit.checklists.synth.build import Draft, chosen_edits, make_items
from rmaudit.checklists.synth.families import FAMILIES

EACH = pytest.mark.parametrize("name", list(FAMILIES))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name == "python")) for name in FAMILIES],
)
def test_cues_change_no_requirement_of_a_response_or_of_its_mended_forms(name: str) -> None:
    """All checks are executed, code included, on every edited form."""
    family, seen = FAMILIES[name], set()
    for number in range(8):
        rng = Random(f"{name}/{number}")
        task = family.draw(rng)
        faults = task.faults(rng)
        draft = Draft(task, tuple(rng.sample(list(faults), min(2, len(faults)))), number)
        edits = dict(chosen_edits(family, task, draft, f"i{number}"))
        seen |= edits.keys()
        asked, wanted = [], []
        for edit in edits.values():
            for without in (None, *draft.faults):
                text = edit(draft.text(without=without))
                assert text != draft.text(without=without)
                broken = [fault.check for fault in draft.faults if fault is not without]
                for check in task.requirements:
                    asked.append((check, text))
                    wanted.append(check not in broken)
        assert run_checks(asked) == wanted
    assert seen >= {*CUES, "remark"}


@pytest.mark.slow
@EACH
def test_every_kind_sets_traps_on_the_losing_response(name: str) -> None:
    items = make_items([FAMILIES[name]], n=40, seed=6)
    found = [(item, trap) for item in items for trap in traps(item)]
    for kind in CUES:
        assert sum(trap.kind == kind for _, trap in found) >= 15, kind
    for item, trap in found:
        cue, neutral = (item.controls[n] for n in (trap.cue, trap.neutral))  # type: ignore[index]
        assert cue.kind in CUES
        assert neutral.kind not in CUES
        assert cue.response == neutral.response == losing_side(item)
        before = len(item.response(cue.response))
        added = 0 if cue.kind == "length" else len(cue.text) - before
        assert abs(len(neutral.text) - before - added) <= max(20, added / 2)


def test_cues_leave_the_rest_of_an_item_alone() -> None:
    """Ids, prompts, responses, reasons and repairs do not depend on them."""
    (item,) = make_items([slogan.FAMILY], n=1, seed=2026)
    shipped = load_set("starter").items[0]
    assert shipped == item
    assert item.response_a == "Otto is the handy kettle. It ships from Bern. It costs 95 dollars. It is wooden."  # fmt: skip  # noqa: E501
    assert [control.kind for control in item.controls or ()][:6] == 2 * [
        "paraphrase", "blank-lines", "spaces"
    ]  # fmt: skip


def test_traps_by_hand() -> None:
    def control(kind: str, text: str, response: str = "b") -> Control:
        return Control.model_validate({"response": response, "kind": kind, "text": text})

    item = Item.model_validate(
        {
            "id": "i", "prompt": [{"role": "user", "content": "?"}], "label": "a",
            "response_a": "x" * 100, "response_b": "y" * 100,
        }
    )  # fmt: skip
    controls = [
        control("emoji", "y" * 103),
        control("emoji", "y" * 104),  # the first of a kind counts
        control("bold", "x" * 103, "a"),  # on the winning response: no trap
        control("length", "y" * 200),
        control("authority", "y" * 170),  # 70 longer: a neutral of 35 to 105 would do
        control("self-claim", "y" * 145),
        control("spaces", "y" * 101),
        control("paraphrase", "y" * 95),
        control("remark", "y" * 128),
    ]
    found = traps(item.model_copy(update={"controls": controls}))
    assert found == [Trap("emoji", 0, 6), Trap("self-claim", 5, 8), Trap("length", 3, 6)]
    assert traps(item.model_copy(update={"controls": controls, "label": "tie"})) == []
    assert traps(item) == []
    assert traps(item.model_copy(update={"controls": controls[:1]})) == []
    assert edited(item, controls[0]).response_b == "y" * 103
    assert edited(item, controls[0]).response_a == item.response_a


@pytest.mark.model
def test_slogan_cues_are_in_words_of_the_planted_models() -> None:
    pytest.importorskip("tokenizers")
    from tiny_genrm.tokenizer import new_tokenizer

    tokenizer = new_tokenizer()
    marks = {"emoji": "🎉✨🚀🌟🎈", "headers": "#", "bold": "*"}
    for item in make_items([slogan.FAMILY], n=30, seed=11):
        for control in item.controls or ():
            known = control.text
            for mark in marks.get(control.kind, ""):
                known = known.replace(mark, "")
            ids = tokenizer(known.replace("======", ""))["input_ids"]
            assert tokenizer.unk_token_id not in ids, control
