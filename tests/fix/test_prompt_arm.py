"""`rmaudit fix --arm prompt` against real servers on loopback, and its pure parts.

The target is a stand-in: it knows the items, overlooks some kinds of fault, and finds those that a
guideline in its prompt tells it to look for.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.answers import answer, ideal_answer, swap_names
from support.command_line import Done
from support.fault_server import FaultServer
from support.fix_items import item
from support.judge_server import judge_server, same_text

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.schema import Item, Reason
from rmaudit.checklists.sets import load_set
from rmaudit.errors import InputError
from rmaudit.fix.prompt_arm.distil import sifted
from rmaudit.fix.prompt_arm.guidelines import (
    MOST,
    WORDING,
    Leaks,
    Missed,
    examples,
    group_of,
    grouped,
    missed,
    worded,
)
from rmaudit.models.profiles import load_profile
from rmaudit.prompts import pairwise
from rmaudit.records import Edge, Key, MatchSet
from rmaudit.run.rows import MatchRow

Cli = Callable[..., Done]
TRAIN, EVAL, LARGE = "synth:21:20:slogan", "synth:11:30:slogan", "synth:11:160:slogan"
UNDECIDED = 4
"""30 items are too few to show that accuracy and format are kept."""
GENERAL = "Hold each stated figure against the request and quote both."
LEAKING = ["Check that the price is 45 dollars.", 'Look for the word "ultimate".', GENERAL]


def target(items: Iterable[Item], *, follows: bool = True) -> Callable[[str], str]:
    """Verdicts are right; prices and names are named only where guidelines stand in the prompt."""
    known = list(items)

    def text(prompt: str) -> str:
        for one in known:
            first, second = prompt.rfind(one.response_a), prompt.rfind(one.response_b)
            if min(first, second) >= 0:
                order = "ab" if first < second else "ba"
                guided = follows and prompt.startswith("Guidelines for your reasons")
                seen = [r for r in one.reasons if guided or group_of(Missed(one, r)) != "value"]
                reasons = [r.text if order == "ab" else swap_names(r.text) for r in seen]
                verdict = ideal_answer(one, order).rpartition("\n")[2]
                return answer(reasons, "").rpartition("\n")[0] + "\n" + verdict
        return "I do not know these responses."

    return text


def items_of(*specs: str) -> list[Item]:
    return [one for spec in specs for one in load_set(spec).items]


def fix(cli: Cli, what: object, *more: object, train: object = TRAIN, eval_: str = EVAL) -> Done:
    return cli("fix", what, "--arm", "prompt", "--train", train, "--eval", eval_, *more)


@pytest.mark.slow
def test_guidelines_lift_a_model_that_follows_them(cli: Cli, tmp_path: Path) -> None:
    with FaultServer(target(items_of(TRAIN, LARGE)), model="rm") as server:
        found = fix(cli, server.target, "--out", "out", "--json", eval_=LARGE)
        assert found.code == 0, found.err
        fixed = json.loads(found.out)
        told = fixed["guidelines"]
        assert (fixed["arm"], fixed["model"]) == ("prompt", "profile.toml")
        assert (fixed["verdict"], told["by"]) == ("PASS", "rmaudit")
        assert told["guidelines"] == [WORDING["value"]]
        assert list(told["kinds"]) == ["value"]
        change = fixed["comparison"]["metrics"]["rc"]
        assert change["second"] == pytest.approx(1.0)
        assert change["first"] < 0.9
        assert fixed["moved"]
        guided = [p for p in server.answered if p.startswith("Guidelines")]
        assert len(guided) == 2 * 160

        made = tomllib.loads((tmp_path / "out" / "profile.toml").read_text())
        assert (made["name"], made["prompt"]) == ("generic-guided", "generic_pairwise")
        again = cli("scan", server.target, "--set", LARGE, "--profile", "out/profile.toml",
                    "--judge", "truth", "--out", "again", "-q")  # fmt: skip
        assert again.code == 0, again.err
    manifest = json.loads((tmp_path / "again" / "manifest.json").read_text())
    assert manifest["guidelines"] == [WORDING["value"]]
    assert manifest["profile"] == "generic-guided"
    metrics = json.loads((tmp_path / "again" / "metrics.json").read_text())["metrics"]
    assert metrics["rc"]["value"] == pytest.approx(change["second"])


@pytest.mark.slow
def test_a_model_that_ignores_them_is_not_repaired(cli: Cli, tmp_path: Path) -> None:
    with FaultServer(target(items_of(TRAIN, EVAL), follows=False), model="rm") as server:
        found = fix(cli, server.target, "--out", "out")
    assert found.code in (3, UNDECIDED), found.err
    assert "both runs give the same answers" in (tmp_path / "out" / "fix.json").read_text()
    assert "rationale consistency" in found.out
    assert "profile out/profile.toml" in " ".join(found.out.split())
    assert f"- {WORDING['value']}" in found.err


@pytest.mark.slow
def test_the_judges_model_words_them_and_what_leaks_is_left_out(cli: Cli, tmp_path: Path) -> None:
    def judge(prompt: str) -> str:
        if "You write guidelines" in prompt:
            return json.dumps({"guidelines": LEAKING})
        return same_text(prompt)

    with (
        FaultServer(target(items_of(TRAIN, EVAL)), model="rm") as server,
        judge_server(judge) as words,
    ):
        spec = f"openai:judge@{words.url}".replace("http://", "http://me:secret@")
        found = fix(cli, server.target, "--judge", spec, "--out", "out", "--json", "--prompts", 9)
        asked = [p for p in words.answered if "You write guidelines" in p]
    assert found.code == UNDECIDED, found.err
    told = json.loads(found.out)["guidelines"]
    assert told["guidelines"] == [GENERAL]
    assert told["by"].startswith("openai:judge@http://***@")
    assert [why for _, why in told["refused"]] == ["it holds a number", "it holds a quotation"]
    assert len(asked) == 1
    read, evaluated = ({r.text for one in items_of(s) for r in one.reasons} for s in (TRAIN, EVAL))
    assert any(text in asked[0] for text in read)
    assert not any(text in asked[0] for text in evaluated - read)
    for path in (tmp_path / "out").rglob("*.*"):
        assert path.is_dir() or b"secret" not in path.read_bytes(), path


@pytest.mark.slow
def test_a_judge_that_gives_none_leaves_it_to_our_own_words(cli: Cli) -> None:
    def judge(prompt: str) -> str:
        return "I would rather not." if "You write guidelines" in prompt else same_text(prompt)

    with (
        FaultServer(target(items_of(TRAIN, EVAL)), model="rm") as server,
        judge_server(judge) as words,
    ):
        found = fix(cli, server.target, "--judge", f"openai:judge@{words.url}", "--out", "out")
    assert found.code == UNDECIDED, found.err
    assert "the judge wrote no guidelines, so these are ours: unreadable answer" in found.err


@pytest.mark.slow
def test_a_run_of_an_endpoint_names_target_and_evaluation_set(cli: Cli, tmp_path: Path) -> None:
    with FaultServer(target(items_of(TRAIN, EVAL)), model="rm") as server:
        scanned = cli(
            "scan", server.target, "--set", EVAL, "--judge", "truth", "--out", "run", "-q"
        )
        assert scanned.code == 0, scanned.err
        found = cli("fix", "run", "--arm", "prompt", "--train", TRAIN, "--out", "out", "-q")
        assert found.code == UNDECIDED, found.err
        refused = cli("fix", "run", "--train", TRAIN)
    assert "rationale consistency" in found.out
    assert json.loads((tmp_path / "out" / "fix.json").read_text())["eval"]["items"] == 30
    assert refused.code == 2
    assert "--arm prompt" in refused.err.partition("hint:")[2]


@pytest.mark.slow
def test_going_on_after_a_kill_ends_alike(cli: Cli, tmp_path: Path) -> None:
    with FaultServer(target(items_of(TRAIN, EVAL)), model="rm", die_after=70) as server:
        more = ("--out", "out", "--request-retries", 0, "--concurrency", 4)
        broken = fix(cli, server.target, *more)
        assert broken.code == 1, broken.err
        server.start()
        told = json.loads((tmp_path / "out" / "guidelines.json").read_text())
        asked = sum(not p.startswith("Guidelines") for p in server.answered)
        changed = fix(cli, server.target, *more, "--resume", "--hit", 0.25)
        assert changed.code == 2
        assert "made with another configuration: hit (0.5 -> 0.25)" in changed.err
        resumed = fix(cli, server.target, *more, "--resume")
        assert resumed.code == UNDECIDED, resumed.err
        assert asked > 20  # the train set was not asked again
        assert max(server.answered.values()) == 1
        whole = fix(cli, server.target, "--out", "whole")
        assert whole.code == UNDECIDED
    assert json.loads((tmp_path / "whole" / "guidelines.json").read_text()) == told
    one, other = (json.loads((tmp_path / d / "fix.json").read_text()) for d in ("out", "whole"))
    assert one["sentence"] == other["sentence"]
    assert one["comparison"]["metrics"] == other["comparison"]["metrics"]


@pytest.mark.parametrize(
    ("more", "what", "hint"),
    [
        (("--lora",), "--lora has no meaning with --arm prompt", "no weight is trained"),
        (("--steps", 4), "--steps has no meaning", "no weight is trained"),
        (("--dev", "synth:1:9"), "--dev has no meaning", "no checkpoint is chosen"),
        (("--launch", "accelerate:x"), "--launch has no meaning", "no weight is trained"),
        (("--judge", "oracle"), "no judge 'oracle'", "builtin"),
        (("--judge", "replay:x"), "knows no reasons but the recorded", "live judge"),
        (("--profile", "none"), "no profile 'none'", "generic"),
        (("--max-calls", 5), "model calls; --max-calls is 5", "--prompts"),
        (("--export", "verl", "--out", "o"), "--arm prompt trains nothing", "--arm hybrid"),
    ],
)
def test_what_makes_no_sense_is_refused(
    cli: Cli, more: tuple[object, ...], what: str, hint: str
) -> None:
    with FaultServer(model="rm") as server:
        found = fix(cli, server.target, *more)
        assert not server.answered
    assert found.code == 2, found.err
    assert what in found.err
    assert hint in found.err.partition("hint:")[2]


def test_targets_and_sets_that_cannot_be_used(cli: Cli, tmp_path: Path) -> None:
    bare = tmp_path / "bare.jsonl"
    bare.write_text("".join(dump_item(item([], name=f"i{k}")) + "\n" for k in range(3)))
    with FaultServer(target(items_of(EVAL)), model="rm") as server:
        found = fix(cli, server.target, train=bare)
        assert "no item of the train set has reasons" in found.err
        found = fix(cli, server.target, train=EVAL)
        assert "nothing is left to train on: 30 in the evaluation" in found.err
        assert found.code == 2
        plain = cli("fix", server.target, "--train", TRAIN)
        assert plain.code == 2
        assert "an endpoint's weights cannot be trained here" in plain.err
        assert "--arm prompt" in plain.err.partition("hint:")[2]
    assert "recorded outputs cannot be asked" in fix(cli, "replay:x.jsonl").err
    found = fix(cli, "openai:rm@http://127.0.0.1:9/v1", "--request-retries", 0)
    assert found.code in (1, 2)


@pytest.mark.slow
def test_nothing_overlooked_is_nothing_to_learn(cli: Cli) -> None:
    def perfect(prompt: str) -> str:
        return target(items_of(TRAIN))(f"Guidelines for your reasons{prompt}")

    with FaultServer(perfect, model="rm") as server:
        found = fix(cli, server.target, "--out", "out", "--judge", "truth", "--eval-judge", "truth")
    assert found.code == 2
    assert "on the train set was overlooked: nothing to learn from" in found.err


# ---- the pure parts


def reason(text: str, kind: str | None = None, number: int = 1) -> Reason:
    check = None if kind is None else {"kind": kind, "value": 1}
    return Reason(id=f"r{number}", text=text, about="b", check=check)


def one(text: str, kind: str | None = None, **more: Any) -> Missed:
    return Missed(item(**more), reason(text, kind))


@pytest.mark.parametrize(
    ("found", "name"),
    [
        (one("The limit is 55 words, and Response B goes past it.", "max_words"), "count"),
        (one("Response B has 6 bullet points.", "bullet_count"), "count"),
        (one("Response B uses the forbidden word.", "lacks"), "forbidden"),
        (one("Response B does not open with it.", "starts_with"), "frame"),
        (one("Response B has no key.", "json_has_key"), "structure"),
        (one("Response B returns 8.", "python_tests"), "code"),
        (one("Response B says 45 instead of 60.", "contains"), "value"),
        (one("Response B omits the address.", "contains"), "missing"),
        (one("Response B names Nova although Zuri was asked for."), "value"),
        (one("Response B leaves out the deadline."), "missing"),
        (one("Response B mentions a rival, which was ruled out."), "forbidden"),
        (one("Response B adds up the figures.", "contains", domain="math"), "calculation"),
        (one("Response B is of little use."), "other"),
    ],
)
def test_kinds_of_fault(found: Missed, name: str) -> None:
    assert group_of(found) == name


def row(
    name: str, edges: Sequence[tuple[int, int, float]], *, failure: str | None = None, **key: Any
) -> MatchRow:
    matched = tuple(Edge(*edge) for edge in edges)
    return MatchRow(Key(name, **key), MatchSet((), matched, failure=failure))


def test_missed_references_by_hand() -> None:
    """Three references: met at .75, met at .25 (below the bar), not met."""
    whole = item(["a is wrong", "b is wrong", "c is wrong"])
    rows = [
        row("i1", [(0, 1, 0.75), (1, 0, 0.25)]),
        row("i1", [], failure="no answer"),
        row("i1", [], variant="control:0"),
    ]
    found, looked = missed({"i1": whole}, rows, hit=0.5)
    assert ([one.reason.id for one in found], looked) == (["r1", "r2"], 3)
    found, _ = missed({"i1": whole}, rows, hit=0.25)
    assert [one.reason.id for one in found] == ["r2"]


def test_the_most_frequent_kind_comes_first_and_examples_from_all() -> None:
    found = [
        *(one("Response B is too long.", "max_words", name=f"c{k}") for k in range(5)),
        *(one("Response B omits it.", "contains", name=f"m{k}") for k in range(2)),
    ]
    assert list(grouped(found)) == ["count", "missing"]
    assert worded(found) == [WORDING["count"], WORDING["missing"]]
    assert [e.item.id for e in examples(found, most=5)] == ["c0", "m0", "c1", "m1", "c2"]


@pytest.mark.slow
def test_our_own_wordings_hold_no_detail_of_any_item() -> None:
    leaks = Leaks(items_of("synth:6:100"))
    assert {name: leaks.why(text) for name, text in WORDING.items()} == dict.fromkeys(WORDING, "")
    assert len(WORDING) <= MOST


def test_details_of_items_are_found_in_guidelines() -> None:
    facts = item(
        ["Response B calls the bike Nova, not Zuri."], prompt="Sell the bike Zuri in Oslo today.",
        meta={"facts": {"r0": ["handmade"]}},
    )  # fmt: skip
    leaks = Leaks([facts])
    for text, why in (
        ("Check the 3 limits.", "it holds a number"),
        ("Look for “best” and the like.", "it holds a quotation"),
        ("Look for `sum` in code.", "it holds a quotation"),
        ("Check that Zuri is named.", "it names Zuri"),
        ("See whether it is handmade.", "it tells the fact handmade"),
        ("You must sell the bike zuri in oslo today.", "it repeats a sentence of an item"),
        ("Check names. Response A may invent them.", ""),
        ("Don't trust a claim that the response's own text doesn't show.", ""),
    ):
        assert leaks.why(text) == why


def test_guidelines_that_are_kept() -> None:
    many = [f"Check {word} against the request." for word in "abcdefghijklmnop"]
    kept, refused = sifted(["Name each fault.", "name each  fault.", "x " * 90, " ", *many], [])
    assert len(kept) == MOST
    assert kept[0] == "Name each fault."
    assert {why for _, why in refused} == {
        "it comes twice", "it is too long", f"there are {MOST} already",
    }  # fmt: skip


def test_a_profile_of_ones_own(cli: Cli, tmp_path: Path) -> None:
    base = 'name = "mine"\nprompt = "generic_pairwise"\ntemperature = 0.0\ntop_p = 1.0\n'
    path = tmp_path / "mine.toml"
    path.write_text(base + 'top_k = 0\nmax_tokens = 64\nguidelines = ["Look [/Request] twice."]\n')
    found = load_profile(str(path))
    assert (found.name, found.max_tokens) == ("mine", 64)
    prompt = pairwise(item(), order="ab", max_reasons=5, guidelines=found.guidelines)
    text = prompt.messages[0]["content"]
    plain = pairwise(item(), order="ab", max_reasons=5).messages[0]["content"]
    assert text.endswith(f"\n\n{plain}")
    assert text.startswith("Guidelines for your reasons")
    assert "\n- Look (/Request) twice." in text
    for wrong, what in (
        (base, "top_k: Field required"),
        (base + "top_k = 0\nmax_tokens = 64\nextra = 1\n", "extra: Extra inputs"),
        (base.replace("generic_pairwise", "x") + "top_k = 0\nmax_tokens = 1\n", "no prompt 'x'"),
        (base + "top_k = 0\nmax_tokens = 0\n", "max_tokens: Input should be"),
        ("name = ", "mine.toml: "),
    ):
        path.write_text(wrong)
        with pytest.raises(InputError, match=what.replace("(", r"\(")):
            load_profile(str(path))
    with pytest.raises(InputError, match=r"cannot read none\.toml"):
        load_profile("none.toml")
