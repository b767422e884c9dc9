"""The steps of a repair around training: what each finds and leaves, worked by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.answers import answer, ideal_answer
from support.decisions import decision as any_decision
from support.fix_items import TableJudge, item
from support.report_runs import faithful, run_set, vague

from rmaudit.compare.as_json import pair_json
from rmaudit.compare.pair import compare_pair
from rmaudit.compare.read import read_for_comparison
from rmaudit.engines.base import Sampling
from rmaudit.errors import InputError
from rmaudit.fix.card import card
from rmaudit.fix.data import Prompted
from rmaudit.fix.side_by_side import moved
from rmaudit.fix.training.baseline import ANSWERS, Passed, baseline_pass, chosen
from rmaudit.fix.training.checkpoints import at, config_hash, mark, newest, prune, whole
from rmaudit.fix.training.dev_audit import Auditor
from rmaudit.fix.training.prompt_tokens import Encoded, fitting, request
from rmaudit.fix.verdict import conclude
from rmaudit.gate.decision import Decision, Status
from rmaudit.metrics.paired import Change
from rmaudit.models.profiles import load_profile
from rmaudit.recordings.replay_engine import ReplayEngine
from rmaudit.records import Generation, Key
from rmaudit.run.directory import RunDir
from rmaudit.terminal.screen import Silent

# ---- checkpoints


def test_only_whole_checkpoints_of_the_same_configuration_count(tmp_path: Path) -> None:
    config = config_hash({"lr": 1e-6, "prompts": ["a", "b"]})
    assert newest(tmp_path, config=config) is None
    for step in (2, 10, 4):
        at(tmp_path, step).mkdir()
    at(tmp_path, 12).mkdir()  # a kill came before its mark
    for step in (2, 10, 4):
        mark(tmp_path, step, config=config)
    assert whole(tmp_path) == [2, 4, 10]
    assert newest(tmp_path, config=config) == at(tmp_path, 10)
    with pytest.raises(InputError, match="other settings of training"):
        newest(tmp_path, config=config_hash({"lr": 2e-6, "prompts": ["a", "b"]}))
    prune(tmp_path, {4, 10})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoint-10", "checkpoint-4"]


# ---- the baseline pass


GENERIC = load_profile("generic")
ITEMS = [item(name=f"i{k}", prompt=f"Say {k}.") for k in range(3)]
PROMPTS = [Encoded(Prompted(one, "ab"), [1] * (10 + k)) for k, one in enumerate(ITEMS)]
RIGHT, WRONG = answer(["Response B says 5."], "A>B"), answer(["Response B says 5."], "B>A")


def recorded(*texts: tuple[str, int, str]) -> ReplayEngine:
    keys = [(Key(name, sample=sample), text) for name, sample, text in texts]
    return ReplayEngine({key: Generation(key, text) for key, text in keys})


def passed(engine: ReplayEngine, folder: Path) -> object:
    return baseline_pass(
        PROMPTS,
        engine,
        RunDir(folder),
        samples=2,
        sampling=Sampling(temperature=1.0),
        profile=GENERIC,
        max_reasons=5,
        seed=0,
        progress=Silent(),
    )


def test_prompts_without_a_right_answer_are_left_out_and_counted(tmp_path: Path) -> None:
    engine = recorded(
        ("i0", 0, RIGHT), ("i0", 1, RIGHT),
        ("i1", 0, WRONG), ("i1", 1, RIGHT + " And more."),  # right, but not in the strict form
        ("i2", 0, WRONG), ("i2", 1, RIGHT),
    )  # fmt: skip
    with pytest.raises(InputError, match="only 2 of 3 prompts have a right answer"):
        passed(engine, tmp_path)
    rows = [json.loads(line) for line in (tmp_path / ANSWERS.name).read_text().splitlines()]
    assert len(rows) == 6
    # A second start asks for nothing that is there: an engine that knows nothing does.
    with pytest.raises(InputError, match="only 2 of 3"):
        passed(recorded(), tmp_path)
    assert len((tmp_path / ANSWERS.name).read_text().splitlines()) == 6


def test_what_the_pass_finds() -> None:
    items = [item(name=f"i{k}") for k in range(10)]
    prompts = [Encoded(Prompted(one, "ab"), []) for one in items]
    rights = [8, 8, 0, 1, 2, 3, 4, 5, 6, 7]
    found = chosen(prompts, {(f"i{k}", "ab"): Passed(right, 8) for k, right in enumerate(rights)})
    assert [one.prompted.item.id for one in found.kept] == [f"i{k}" for k in range(10) if k != 2]
    assert (found.never, found.always) == (1, 2)
    assert found.accuracy == pytest.approx(44 / 80)


def test_a_prompt_that_is_too_long_is_left_out_and_never_cut() -> None:
    assert fitting(PROMPTS, most=11) == PROMPTS[:2]


def test_an_engine_is_asked_what_a_scan_would_ask() -> None:
    asked = request(Prompted(ITEMS[0], "ba"), profile=GENERIC, max_reasons=5, sample=3, seed=7)
    assert asked.key == Key("i0", "base", "pair", "ba", 3)
    again = request(Prompted(ITEMS[0], "ba"), profile=GENERIC, max_reasons=5, sample=4, seed=7)
    assert asked.seed != again.seed
    assert "at most 5" in asked.messages[0]["content"]


# ---- the look at the development items


def test_a_look_by_hand() -> None:
    # Two items with the references "Response B says 5." and "Response B is late.", label a.
    items = (item(name="i0"), item(name="i1"))
    both = ["Response B says 5.", "Response B is late."]
    texts = {
        ("i0", "ab"): ideal_answer(items[0], "ab"),  # right, rc 1
        ("i0", "ba"): answer(["Response A says 5."], "B>A"),  # right, since B is shown a; rc 1/2
        ("i1", "ab"): answer(["Response A is clear and polished."], "B>A"),  # wrong, rc 0
        ("i1", "ba"): "I cannot say.",  # no verdict: wrong, rc 0
    }  # fmt: skip
    engine = ReplayEngine(
        {
            Key(name, order=order): Generation(Key(name, order=order), text)  # type: ignore[arg-type]
            for (name, order), text in texts.items()
        }
    )
    auditor = Auditor(items, TableJudge(), TableJudge(fails=both[:1]), GENERIC, 5, 64)
    found = auditor.look(engine, 20)
    assert (found.step, found.accuracy) == (20, 0.5)
    assert found.rc_train == pytest.approx((0.75 + 0.0) / 2)
    # The other judge fails on both answers to i0: what is left is i1.
    assert found.rc_eval == 0.0
    # Four reasons: two hold the number 5, one is praise of one side.
    assert (found.grounded, found.praise) == (0.5, 0.25)


def test_a_look_counts_as_praise_what_the_scan_counts() -> None:
    # No word of merit: it is praise only where it speaks of the response that the verdict prefers.
    one, text = item(), "Response A does what the request asks."
    keys = [Key(one.id, order="ab"), Key(one.id, order="ba")]
    engine = ReplayEngine({key: Generation(key, answer([text], "A>B")) for key in keys})
    assert Auditor((one,), TableJudge(), None, GENERIC, 5, 64).look(engine, 0).praise == 1.0


def test_a_judge_that_fails_on_everything_has_no_number() -> None:
    one = item()
    engine = ReplayEngine(
        {
            Key(one.id, order=order): Generation(Key(one.id, order=order), ideal_answer(one, order))
            for order in ("ab", "ba")
        }
    )
    failing = TableJudge(fails=[reason.text for reason in one.reasons])
    found = Auditor((one,), failing, None, GENERIC, 5, 64).look(engine, 0)
    assert (found.accuracy, found.rc_train, found.rc_eval) == (1.0, None, None)


# ---- the verdict


def decided(status: Status, name: str = "repair") -> Decision:
    fields = {"verdict": status, "sentence": f"{name} says so", "policy": {"name": name}}
    base = any_decision()
    return Decision(**{f: fields.get(f, getattr(base, f)) for f in Decision.__dataclass_fields__})


class Gain:
    """Evidence of a difference of .3."""

    value = 0.3

    def bound(self, side: str, confidence: float) -> float:
        return 0.2 if side == "lower" else 0.4

    def p_value(self, limit: float, alternative: str) -> float:
        return 0.001


def change(key: str, before: float, after: float) -> Change:
    gain = Gain()
    gain.value = after - before
    return Change(key, before, after, False, gain, 0.001, "sign-flip", 40, 0)


def test_repaired_only_if_every_policy_says_so_and_the_reasons_are_better() -> None:
    better = {"rc": change("rc", 0.2, 0.5), "accuracy": change("accuracy", 0.9, 0.9)}
    common = {"strict": False, "judge": "truth", "same_judge": False}
    found = conclude([decided("PASS")], better, **common)  # type: ignore[arg-type]
    assert (found.status, found.exit_code) == ("PASS", 0)
    assert found.sentence == (
        "repaired; rationale consistency 20.0% to 50.0% (+20.0 to +40.0 points); "
        "accuracy 90.0% to 90.0% (+20.0 to +40.0 points); judged by truth"
    )
    for statuses, status, code in (
        (("PASS", "FAIL"), "FAIL", 3),
        (("INCONCLUSIVE", "PASS"), "INCONCLUSIVE", 4),
        (("FAIL", "INVALID"), "INVALID", 5),
        (("INCONCLUSIVE", "FAIL"), "FAIL", 3),
    ):
        found = conclude([decided(s) for s in statuses], better, **common)  # type: ignore[arg-type]
        assert (found.status, found.exit_code) == (status, code)
    same = {"rc": change("rc", 0.2, 0.2)}
    found = conclude([decided("PASS")], same, **common)  # type: ignore[arg-type]
    assert found.status == "FAIL"
    assert "no better than before" in found.sentence


def test_the_judge_of_training_cannot_settle_a_strict_policy() -> None:
    better = {"rc": change("rc", 0.2, 0.5)}
    for strict, status in ((True, "INCONCLUSIVE"), (False, "PASS")):
        found = conclude(
            [decided("PASS"), decided("PASS", "release")],
            better,
            strict=strict,
            judge="openai:j",
            same_judge=True,
        )
        assert found.status == status
        assert found.sentence.endswith("judged by openai:j, which also judged training")


# ---- before and after


def test_the_rows_that_changed_stand_side_by_side_and_in_the_card() -> None:
    before, after = run_set(vague, "before"), run_set(faithful, "after")
    pair = compare_pair(*(
        read_for_comparison(run.path, number=k) for k, run in enumerate((before, after), start=1)
    ))  # fmt: skip
    rows = moved(before, after, most=5)
    assert len(rows) == 5
    first = rows[0]
    assert first["before"]["rc"] == 0.0
    assert first["after"]["rc"] == 1.0
    assert first["before"]["reasons"][0].endswith("is clearer and more engaging.")
    assert moved(before, before) == []
    fixed = {
        "checkpoint": {"name": "tiny|model", "planted": True},
        "arm": "hybrid",
        "tool_version": "0",
        "comparison": pair_json(pair),
        "eval_judge": "truth",
        "same_judge": False,
        "sentence": "repaired; <b>",
        "eval": {"name": "synth:3", "items": 12},
        "decisions": [
            {"policy": "repair", "verdict": "PASS", "sentence": "PASS: every rule holds"}
        ],
        "training": {"prompts": 20, "step": 8, "chosen_step": 6, "stopped": "it parts"},
        "train": {"sets": ["synth:7"]},
        "judge": "builtin",
        "table": [{"name": "clip", "value": "1", "published": "2", "note": "a | b"}],
        "attacks": [{"name": "copies", "reward": None, "n": 0}],
    }
    text = card(fixed, GENERIC)
    assert text.startswith('---\nbase_model: "tiny|model"\n')
    assert "# tiny/model, reasons trained" in text
    assert "<b>" not in text
    line = next(line for line in text.splitlines() if line.startswith("| rationale consistency |"))
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[1:4] == ["0.0 %", "100.0 %", "+100.0 pt"]
    assert "- policy `repair`: PASS: every rule holds" in text
    assert "not known" in text
    assert "| clip | 1 | 2 | a / b |" in text
