"""`scan --sensitivity N`: do verdicts follow mended faults, of judges whose reasons are known."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.recorded_files import metrics

from rmaudit.checklists.checks import run_check
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.records import Judgment, Key
from rmaudit.run.directory import RunDir
from rmaudit.run.files import GENERATIONS, VERDICTS
from rmaudit.run.rows import VerdictRow
from rmaudit.run.sensitivity import edits, verdict_sensitivities

Cli = Callable[..., Done]
Judge = Callable[[Item, str, str], int]
"""How far it leans to the first of two texts, in steps that are shown up to 2."""

SET = "synth:5:14:slogan"


def faults(item: Item, side: str, text: str) -> int:
    checks = [one.check for one in item.reasons if one.about == side and one.check is not None]
    return sum(not run_check(check, text) for check in checks)


def reader(item: Item, a: str, b: str) -> int:
    return faults(item, "b", b) - faults(item, "a", a)


def letters(item: Item, a: str, b: str) -> int:
    return (len(a) > len(b)) - (len(b) > len(a))


def written(path: Path, judge: Judge, *, slot: bool = False, edited: bool = True) -> Path:
    """Answers to all pairs and edits in both orders; `slot`: the first one shown always wins."""
    lines = []
    for item in load_set(SET).items:
        pairs = [("base", item.response_a, item.response_b)]
        for key, side, text in edits(item) if edited else ():
            both = (text, item.response_b) if side == "a" else (item.response_a, text)
            pairs.append((key.variant, *both))
        for variant, a, b in pairs:
            lean = judge(item, a, b)
            for order in ("ab", "ba"):
                lead = 1 if slot else lean if order == "ab" else -lean
                sign = "=" if not lead else ">>" if abs(lead) > 1 else ">"
                first, second = ("A", "B") if lead >= 0 else ("B", "A")
                text = f"1. Response B is not as asked.\n\\boxed{{{first}{sign}{second}}}"
                lines.append({"item": item.id, "variant": variant, "order": order, "text": text})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def shown_on_two_steps() -> float:
    """The share of single repairs that move a lean between -2 and 2, a mean over items."""
    means = []
    for item in load_set(SET).items:
        before, moved = reader(item, item.response_a, item.response_b), []
        for one in item.repairs or ():
            if len(one.fixes) == 1:
                after = before + (1 if one.response == "a" else -1)
                moved.append(max(-2, min(2, after)) != max(-2, min(2, before)))
        means.append(sum(moved) / len(moved))
    return sum(means) / len(means)


def scanned(cli: Cli, path: Path, n: str = "14") -> Done:
    done = cli("scan", f"replay:{path}", "--set", SET, "--sensitivity", n, "--out", "run")
    assert done.code == 0, done.err
    return done


def test_a_judge_that_reads_faults(cli: Cli, tmp_path: Path) -> None:
    """All that its scale of two steps can show: a lean beyond them moves nothing."""
    scanned(cli, written(tmp_path / "a.jsonl", reader))
    found = metrics(Path("run"))
    value = found["reason_sensitivity"]
    assert value["value"] == pytest.approx(shown_on_two_steps())
    assert 0.5 < value["value"] < 0.9
    assert value["low"] > 0.3
    assert "coarse" in value["why"]
    assert (
        found["sensitivity.monotone"]["why"]
        == "no item has repairs that mend one fault after another"
    )
    slices = json.loads(Path("run/metrics.json").read_text())["slices"]
    assert slices["fault:wrong_price"]["reason_sensitivity"]["value"] > 0.3
    assert cli("gate", "run", "--policy", "pr").code in (3, 4, 5)
    assert cli("report", "run", "--html", "--out", "page.html").code == 0
    assert "Reason sensitivity by fault" in Path("page.html").read_text()
    item = load_set(SET).items[0].id
    assert "repair:0" in cli("show", "run", item).out


@pytest.mark.parametrize(("judge", "slot"), [(letters, False), (reader, True)])
def test_judges_that_read_no_fault(cli: Cli, tmp_path: Path, judge: Judge, slot: bool) -> None:
    scanned(cli, written(tmp_path / "a.jsonl", judge, slot=slot))
    value = metrics(Path("run"))["reason_sensitivity"]
    assert value["low"] <= 0 <= value["high"]


def test_rows_of_edits_are_kept_apart_from_the_verdicts_that_count(
    cli: Cli, tmp_path: Path
) -> None:
    path = written(tmp_path / "a.jsonl", reader)
    scanned(cli, path, "3")
    asked = {row.key.item for row in RunDir.open(Path("run")).rows(VERDICTS)}
    edited = {
        row.key.item
        for row in RunDir.open(Path("run")).rows(GENERATIONS)
        if row.key.variant != "base"
    }
    assert (len(asked), len(edited)) == (14, 3)
    few = metrics(Path("run"))
    assert few["reason_sensitivity"]["value"] is None
    assert "fewer than 40 neutral edits" in few["reason_sensitivity"]["why"]
    without = cli("scan", f"replay:{path}", "--set", SET, "--out", "plain")
    assert without.code == 0
    plain = metrics(Path("plain"))
    for name in ("accuracy", "rc", "order_consistency", "coverage.parsed"):
        assert plain[name] == few[name]
    assert "scan --sensitivity N" in plain["reason_sensitivity"]["why"]
    more = cli(
        "scan", f"replay:{path}", "--set", SET, "--sensitivity", "14", "--out", "plain", "--resume"
    )
    assert more.code == 0, more.err
    assert metrics(Path("plain"))["reason_sensitivity"]["value"] is not None


def test_what_it_costs_is_said_before(cli: Cli, tmp_path: Path) -> None:
    held = written(tmp_path / "a.jsonl", reader, edited=False)
    done = cli("scan", f"replay:{held}", "--set", SET, "--sensitivity", "2", "--dry-run")
    assert "sensitivity does not apply, the recorded answers hold none to repairs" in done.err
    assert cli("scan", f"replay:{held}", "--set", SET, "--sensitivity", "0").code == 2


def test_scores_of_verdicts_by_hand() -> None:
    """a leans by (2 - 1) / 2 before, by (2 + 0) / 2 with its first fault mended: D = 1/2."""
    base = load_set("synth:5:1:slogan").items[0]
    items = [base.model_copy(update={"id": f"i{n}", "domain": "one"}) for n in range(12)]
    rows = []
    for item in items:
        for key, _, _ in edits(item):
            steps = (2, 0) if key.variant == "repair:0" else (2, -1)
            leads = steps if (item.repairs or [])[0].response == "a" else [-x for x in steps]
            rows += [
                _row(item.id, key.variant, o, x) for o, x in zip(("ab", "ba"), leads, strict=True)
            ]
        leads = (2, -1) if (item.repairs or [])[0].response == "a" else (-2, 1)
        rows += [_row(item.id, "base", o, x) for o, x in zip(("ab", "ba"), leads, strict=True)]
    found = verdict_sensitivities(items, rows)["i3"]
    singles = [one for one in base.repairs or () if len(one.fixes) == 1]
    assert found.value == pytest.approx(1 / len(singles))  # only repair:0 moved anything
    lost = [row for row in rows if row.key != Key("i3", "repair:0", order="ba")]
    lost.append(VerdictRow(Key("i3", "repair:0", order="ba"), Judgment(None, "unparsed")))
    assert verdict_sensitivities(items, lost)["i3"].lost
    assert verdict_sensitivities(items, [row for row in rows if row.key.variant == "base"]) == {}


def _row(item: str, variant: str, order: str, lead: int) -> VerdictRow:
    verdict = "tie" if not lead else "a" if lead > 0 else "b"
    key = Key(item, variant, order=order)  # type: ignore[arg-type]
    return VerdictRow(key, Judgment(verdict, "ok", strength=abs(lead)))  # type: ignore[arg-type]
