"""Sets made from sets: no leak between parts, seeded samples, near duplicates, what changed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.command_line import Done

from rmaudit.checklists.curate.diff import diff
from rmaudit.checklists.curate.duplicates import contamination, duplicates, near_requests
from rmaudit.checklists.curate.part import families
from rmaudit.checklists.curate.sample import sample
from rmaudit.checklists.curate.split import split
from rmaudit.checklists.curate.stats import statistics
from rmaudit.checklists.load import ChecklistSet, content_hash
from rmaudit.checklists.save import save
from rmaudit.checklists.schema import Item, SetCard
from rmaudit.checklists.sets import load_set
from rmaudit.errors import InputError

Cli = Callable[..., Done]
WORDS = (
    "amber birch cedar delta ember fjord grove heath inlet jetty knoll ledge marsh north orbit "
    "prairie quarry ridge slope tundra upland valley willow xylem yonder zephyr"
).split()


def text(k: int, length: int = 30) -> str:
    """A text of its own for each k."""
    return " ".join(WORDS[(k * 7 + n * (k % 5 + 2)) % len(WORDS)] + str(k) for n in range(length))


def item(k: int, **fields: Any) -> Item:
    prompt = fields.pop("prompt", text(k))
    made = {
        "id": f"i{k}", "prompt": [{"role": "user", "content": prompt}],
        "response_a": text(1000 + k), "response_b": text(2000 + k), "label": "a",
    }  # fmt: skip
    return Item.model_validate(made | fields)


def whole(items: list[Item]) -> ChecklistSet:
    sha256 = content_hash(items)
    return ChecklistSet(SetCard(name="own", licence="MIT"), tuple(items), sha256)


def test_what_belongs_together() -> None:
    items = [
        item(0, group="g"), item(1, group="g"), item(2, prompt=text(1).upper() + " "),
        item(3, tuple={"id": "t", "rank": 0}), item(4, tuple={"id": "t", "rank": 1}),
        item(5), item(6, variant_of="i5"), item(7),
    ]  # fmt: skip
    found = [[one.id for one in family] for family in families(items)]
    assert found == [["i0", "i1", "i2"], ["i3", "i4"], ["i5", "i6"], ["i7"]]
    assert len(families(items, also=[(7, 0)])) == 3


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 9), min_size=30, max_size=60), st.integers(0, 5))
def test_no_group_and_no_request_in_two_parts(groups: list[int], seed: int) -> None:
    items = [item(k, group=f"g{one}") for k, one in enumerate(groups)]
    try:
        made = split(whole(items), {"train": 1, "test": 1}, seed=seed)
    except InputError:  # all of so few groups fell on one side
        return
    sides = [{one.cluster for one in part.items} for part in made.parts]
    assert not sides[0] & sides[1]
    assert Counter(one.id for part in made.parts for one in part.items) == Counter(
        one.id for one in items
    )


def test_a_split_is_seeded_and_new_items_move_none() -> None:
    items = [item(k) for k in range(300)]
    made = split(whole(items), {"train": 0.8, "test": 0.2}, seed=3)
    train = made.parts[0]
    assert 220 <= len(train.items) <= 260
    assert [one.id for one in train.items] == sorted(
        (one.id for one in train.items), key=lambda name: int(name[1:])
    )
    assert train.card.name == "own-train"
    assert train.card.licence == "MIT"
    assert "part train (share 0.8, seed 3) of own" in train.card.origin
    assert train.card.sha256 == content_hash(train.items)
    more = split(
        whole([*items, *(item(k) for k in range(300, 350))]), {"train": 4, "test": 1}, seed=3
    )
    assert {one.id for one in train.items} <= {one.id for one in more.parts[0].items}
    other = split(whole(items), {"train": 0.8, "test": 0.2}, seed=4)
    assert other.parts[0].items != train.items
    with pytest.raises(InputError, match="gets no item"):
        split(whole(items[:1]), {"train": 0.8, "test": 0.2}, seed=0)


def test_requests_that_are_nearly_the_same_stay_in_one_part() -> None:
    near = [item(k, prompt=f"{text(7, 60)} {'please' * (k % 2)}") for k in range(40)]
    items = [*near, *(item(100 + k) for k in range(40))]
    assert near_requests(items).pairs == ((0, 1),)
    made = split(whole(items), {"x": 0.5, "y": 0.5}, seed=1)
    assert made.families == 41
    assert made.largest == 40
    assert {one.id for one in near} <= {one.id for one in made.parts[0].items} or {
        one.id for one in near
    } <= {one.id for one in made.parts[1].items}


def test_samples() -> None:
    items = [item(k, domain="code" if k < 10 else "stem", label="ab"[k % 2]) for k in range(40)]
    found = sample(whole(items), strata=["domain"], n=12, seed=1)
    assert [tuple(one) for one in found.strata] == [("code", 10, 3, 3), ("stem", 30, 9, 9)]
    each = sample(whole(items), strata=["domain"], each=12, seed=1)
    assert [(one.name, one.wanted, one.drawn) for one in each.strata] == [
        ("code", 12, 10), ("stem", 12, 12),
    ]  # fmt: skip
    fewer = sample(whole(items), strata=["domain"], each=5, seed=1)
    assert {one.id for one in fewer.items.items} <= {one.id for one in each.items.items}
    both = sample(whole(items), strata=["domain", "label"], each=2)
    assert [one.name for one in both.strata] == ["code / a", "code / b", "stem / a", "stem / b"]
    assert len(sample(whole(items), n=40).items.items) == 40
    for wrong, what in (
        ({"n": 41}, "fewer than 41"), ({}, "needs --n or --each"),
        ({"n": 1, "strata": ["colour"]}, "no stratum 'colour'"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=what):
            sample(whole(items), **wrong)  # type: ignore[arg-type]


def test_near_duplicates() -> None:
    """Alike: case and space, the responses exchanged, a word more. Not: another number."""
    base = item(1)
    a, b, prompt = base.response_a, base.response_b, base.prompt[0].content
    items = [
        base,
        item(2, prompt=prompt.upper(), response_a=f"  {a}", response_b=b),
        item(3, prompt=prompt, response_a=b, response_b=a, label="b"),
        item(4, prompt=prompt, response_a=a, response_b=f"{b} amber"),
        item(5, prompt=prompt, response_a=a.replace("1001", "1002"), response_b=b),
        item(6),
    ]
    found = duplicates(items)
    assert [(one.item, one.of) for one in found.found] == [("i2", "i1"), ("i3", "i1"), ("i4", "i1")]
    assert found.found[0].similarity == 1
    assert 0.9 <= found.found[2].similarity < 1
    assert (found.by_design, found.left_out) == (0, 0)
    tuples = [one.model_copy(update={"tuple": {"id": "t"}}) for one in items]
    tuples = [Item.model_validate(items[k].model_dump() | {"tuple": {"id": "t", "rank": k}})
              for k in range(4)]  # fmt: skip
    found = duplicates(tuples)
    assert found.found == ()
    assert found.by_design == 6


def test_contamination() -> None:
    mine = [item(k) for k in range(6)]
    theirs = [
        item(50, prompt=mine[1].prompt[0].content + " amber"),
        item(51, prompt=mine[2].prompt[0].content.title(), response_a=mine[2].response_b,
             response_b=mine[2].response_a),
        item(52, prompt=mine[3].prompt[0].content.replace("3", "9")),
        *(item(60 + k, prompt=text(99)) for k in range(30)),
    ]  # fmt: skip
    found = contamination(mine, theirs)
    assert [(one.item, one.of, one.pair) for one in found.found] == [
        ("i1", "i50", False), ("i2", "i51", True),
    ]  # fmt: skip
    assert contamination(mine, []).found == ()


def test_what_changed() -> None:
    old = [item(k) for k in range(5)]
    new = [
        old[0], item(1, label="b", domain="code"), item(2),
        old[3].model_copy(update={"id": "again"}), item(9),
    ]  # fmt: skip
    found = diff(whole(old), whole(new))
    assert found.same == 2
    assert [(one.id, one.fields) for one in found.changed] == [("i1", ("domain", "label"))]
    assert found.added == ("i9",)
    assert found.removed == ("i4",)
    assert [tuple(one) for one in found.renamed] == [("i3", "again")]
    assert found.card == {}
    assert found.lines()[0] == "2 items the same, 1 changed, 1 added, 1 removed, 1 under another id"
    same = diff(whole(old), whole(old))
    assert (same.same, same.changed, same.added, same.removed) == (5, (), (), ())


def test_statistics_by_hand() -> None:
    reasons = [
        {"id": "r1", "text": "Wrong.", "about": "a"},
        {"id": "r2", "text": "Off.", "about": "b"},
    ]
    items = [
        item(0, prompt="abcd", response_a="x", response_b="yyy", group="g", reasons=reasons),
        item(1, prompt="ab", response_a="x" * 4, response_b="z" * 4, group="g", domain="code",
             label="tie", licence="MIT"),
    ]  # fmt: skip
    told = statistics(items)
    assert (told["items"], told["groups"], told["independent"]) == (2, 1, 1)
    assert told["labels"] == {"a": 1, "tie": 1}
    assert (told["reasons"], told["with_reasons"], told["reasons_per_item"]) == (2, 1, 2.0)
    assert told["reasons_about"] == {"a": 1, "b": 1}
    assert told["request_chars"]["mean"] == 3
    assert told["response_chars"]["mean"] == 3
    assert told["response_chars"]["largest"] == 4
    assert told["reason_chars"]["mean"] == 5
    assert told["licences"] == {"MIT": 1, "not stated": 1}
    assert told["domains"]["code"]["reasons_per_item"] is None
    assert told["domains"]["code"]["reason_chars"] is None


def test_the_commands(cli: Cli, tmp_path: Path) -> None:
    items = [item(k, domain=("code", "stem")[k % 2]) for k in range(60)]
    items.append(item(60, prompt=items[0].prompt[0].content, response_a=items[0].response_a,
                      response_b=items[0].response_b + " amber"))  # fmt: skip
    save(whole(items), tmp_path / "own")
    done = cli("checklist", "split", "own", "--out", "parts", "--part", "a=1", "--part", "b=1")
    assert done.code == 0, done.err
    assert "60 families of items" in done.out
    sizes = [len(load_set(f"parts/{name}").items) for name in "ab"]
    assert sum(sizes) == 61
    for name in "ab":
        assert not load_set(f"parts/{name}").stale_card
    assert (
        cli("checklist", "split", "own", "--out", "parts", "--part", "a=1", "--part", "b=1").code
        == 2
    )
    assert cli("checklist", "split", "own", "--out", "p", "--part", "a").code == 2
    done = cli("checklist", "dedupe", "own", "--out", "clean", "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert [one["item"] for one in told["duplicates"]] == ["i60"]
    assert len(load_set("clean").items) == 60
    done = cli("checklist", "dedupe", "parts/a", "--against", "own")
    assert f"own (61 items) holds the requests of {sizes[0]} items (100.0 %)" in done.out
    training = [{"prompt": text(3), "chosen": "x", "rejected": "y"}, {"prompt": 1}]
    Path("train.jsonl").write_text("".join(json.dumps(one) + "\n" for one in training[:1]))
    done = cli("checklist", "dedupe", "clean", "--against", "train.jsonl", "--out", "unseen")
    assert done.code == 0, done.err
    assert "train.jsonl (1 items) holds the requests of 1 items (1.7 %), of 0 with both" in done.out
    assert "i3" not in {one.id for one in load_set("unseen").items}
    done = cli("checklist", "sample", "clean", "--strata", "domain", "--each", "4", "--out", "few")
    assert done.code == 0, done.err
    assert Counter(one.domain for one in load_set("few").items) == {"code": 4, "stem": 4}
    done = cli("checklist", "diff", "own", "clean", "--json")
    assert json.loads(done.out)["removed"] == ["i60"]
    assert "60 items the same" in cli("checklist", "diff", "own", "clean").out
    done = cli("checklist", "stats", "few")
    assert "items     8 in 8 groups, 8 independent" in done.out
    assert json.loads(cli("checklist", "stats", "few", "--json").out)["items"] == 8
