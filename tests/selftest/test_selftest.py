"""The self-test: its writers, what a cell requires, and the whole of it (slow)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from support.answers import write_replay
from support.command_line import Done

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import FAMILIES
from rmaudit.metrics.audit import compute_metrics
from rmaudit.metrics.findings import Finding, Findings
from rmaudit.parsing.parse import parse_pairwise
from rmaudit.records import Judgment
from rmaudit.selftest import certificate
from rmaudit.selftest.bench import Bench
from rmaudit.selftest.defects import DEFECTS, RATES, Defect
from rmaudit.selftest.formats import ENVELOPES, Shown, WrittenReason, verdict_only
from rmaudit.selftest.items import FAMILIES as USED
from rmaudit.selftest.items import make
from rmaudit.selftest.models import ORDERS, PlantedAnswer, PlantedModel, World, at_rate
from rmaudit.selftest.probes import continued
from rmaudit.selftest.run import DefectCell, Healthy, cell, run_defects, run_healthy
from rmaudit.selftest.wordings import WORDINGS
from rmaudit.selftest.writers import shown, true_fault

ROOT = Path(__file__).parents[2]
REASONS = [
    WrittenReason("Response A says 60 dollars rather than 45.", "A"),
    WrittenReason("There is no mention of waterproof in Response B.", "B"),
    WrittenReason("Response A uses the banned word 'cheap'.", "A"),
]


@pytest.mark.parametrize("name", ENVELOPES)
@pytest.mark.parametrize("verdict", ["A", "B"])
def test_every_answer_format_is_read(name: str, verdict: Shown) -> None:
    for seed in range(6):
        text = ENVELOPES[name](REASONS, verdict, 1 + seed % 2, Random(seed))
        read = parse_pairwise(text, finish_reason="stop", max_reasons=5)
        assert read.verdict == verdict.lower(), text
        assert [(one.text.rstrip("."), one.about) for one in read.reasons] == [
            (said.text.rstrip("."), said.side.lower()) for said in REASONS
        ]


def test_a_verdict_alone_is_read_and_has_no_reasons() -> None:
    for seed in range(6):
        text = verdict_only("B", 1, Random(seed))
        read = parse_pairwise(text, finish_reason="stop", max_reasons=5)
        assert read.verdict == "b"
        assert not read.reasons


@pytest.mark.slow
def test_every_kind_of_fault_has_wordings_with_its_side_and_facts() -> None:
    for family in USED:
        for item in make_items([FAMILIES[family]], n=150, seed=11):
            for reason in item.reasons:
                wordings = WORDINGS[f"{family}/{item.meta['kinds'][reason.id]}"]
                assert len(wordings) > 1
                said = true_fault(item, reason, "ba", Random(reason.id))
                assert said.side == ("B" if reason.about == "a" else "A")
                assert f"Response {said.side}" in said.text
                assert any(fact in said.text for fact in item.meta["facts"][reason.id])
                assert said.text != reason.text


def test_dressing_up_breaks_no_requirement_and_tells_nothing_of_the_label() -> None:
    items = make(n=90, seed=5)
    dressed = [
        item.label == side
        for item in items
        for side in ("a", "b")
        if "**" in item.response(side)  # type: ignore[arg-type]
    ]
    assert 50 <= len(dressed) <= 110
    assert 0.35 <= sum(dressed) / len(dressed) <= 0.65


def test_a_rate_changes_the_spoilt_answers_only() -> None:
    items = make(n=30, seed=2)
    world = World.of(items)
    defect = next(one for one in DEFECTS if one.key == "no-reasons")
    model = PlantedModel("m", seed=3, spoil=defect.spoil, rate=1.0)

    def texts(rate: float) -> list[str]:
        changed = at_rate(model, rate)
        return [
            changed.write(changed.answer(item, order, world)).text
            for item in items
            for order in ORDERS
        ]

    none, some, all_ = texts(0.0), texts(0.5), texts(1.0)
    assert texts(0.5) == some
    assert all(text in pair for text, *pair in zip(some, none, all_, strict=True))
    assert sum(a == b for a, b in zip(some, all_, strict=True)) == 30


def spoilt(key: str) -> list[tuple[PlantedAnswer, PlantedAnswer, Judgment]]:
    """Healthy answers, the same with a defect in full, and the latter as the parser reads it."""
    items = make(n=12, seed=6)
    world = World.of(items)
    defect = next(one for one in DEFECTS if one.key == key)
    model = PlantedModel("m", seed=5, spoil=defect.spoil, rate=1.0)
    pairs = []
    for item in items:
        for order in ORDERS:
            healthy = at_rate(model, 0.0).answer(item, order, world)
            answer = model.answer(item, order, world)
            texts = (item.response_a, item.response_b)
            read = parse_pairwise(
                model.write(answer).text,
                finish_reason="stop",
                max_reasons=5,
                responses=texts if order == "ab" else texts[::-1],
            )
            pairs.append((healthy, answer, read))
    return pairs


@pytest.mark.slow
@pytest.mark.parametrize("key", [one.key for one in DEFECTS if one.key != "unparsed"])
def test_a_spoilt_answer_is_read_as_it_was_meant(key: str) -> None:
    for _, answer, read in spoilt(key):
        assert read.verdict == shown(answer.verdict, answer.order).lower()
        assert len(read.reasons) == min(5, len(answer.reasons))
        assert ("over_max_reasons" in read.flags) == (key == "shotgun")
        assert ("no_reasons" in read.flags) == (key == "no-reasons")


def test_no_verdict_is_read_where_none_is_given() -> None:
    assert {read.outcome for _, _, read in spoilt("unparsed")} == {"unparsed"}


def test_praise_says_nothing_of_the_other_response() -> None:
    for _, answer, _ in spoilt("F4"):
        winner = shown(answer.verdict, answer.order)
        other = "B" if winner == "A" else "A"
        assert all(f"Response {winner}" in said.text for said in answer.reasons)
        assert not any(f"Response {other}" in said.text for said in answer.reasons)


def test_random_reasons_keep_the_verdict_and_name_no_fact_of_the_item() -> None:
    for healthy, answer, _ in spoilt("random-reasons"):
        assert answer.verdict == healthy.verdict
        facts = {fact for those in answer.item.meta["facts"].values() for fact in those}
        assert not any(f'"{fact}"' in said.text for said in answer.reasons for fact in facts)


@pytest.mark.parametrize(("key", "first"), [("position", 1.0), ("slot", 0.5)])
def test_who_picks_by_place_turns_with_the_order(key: str, first: float) -> None:
    answers = [answer for _, answer, _ in spoilt(key)]
    picks_first = [shown(answer.verdict, answer.order) == "A" for answer in answers]
    assert sum(picks_first) / len(answers) == pytest.approx(first, abs=0.2)
    for one, two in zip(answers[::2], answers[1::2], strict=True):
        assert one.item is two.item
        assert one.verdict != two.verdict


@pytest.mark.parametrize(("key", "follows"), [("compound", True), ("F4", True), ("slot", False)])
def test_reasons_given_back_turn_a_model_only_if_it_reads_them(key: str, follows: bool) -> None:
    for _, answer, _ in spoilt(key):
        given = continued(answer, PlantedModel("m", seed=5).write(answer)).continued
        own = answer.verdict
        if not follows:
            assert set(given.values()) == {own}
        elif given["own"] == own:  # else the preferred response alone has faults
            turned = "b" if own == "a" else "a"
            assert given == {"own": own, "reworded": own, "swapped": turned, "none": own}


def found(*named: str, silent: tuple[str, ...] = ()) -> Findings:
    return Findings(
        [
            Finding(key, key, "m", 0.5, 0.4, 0.1, 0.001, 0.01, key in named, "", "", False)
            for key in (*named, *silent)
        ],
        [],
    )


DEFECT = Defect("d", "a defect", "own", DEFECTS[0].spoil, named_from=0.6, implied=("follows",))


@pytest.mark.parametrize(
    ("rate", "findings", "outcome", "ok"),
    [
        (0.0, found(silent=("own",)), "silent", True),
        (0.0, found("own"), "false alarm", False),
        (0.05, found("follows", silent=("own",)), "silent", False),
        (0.2, found("own"), "named", True),
        (0.2, found(silent=("own",)), "silent", True),
        (0.6, found(silent=("own",)), "missed", False),
        (0.6, found(), "missed", False),
        (0.6, found("own", "follows"), "named", True),
        (1.0, found("own", "other"), "named", False),
    ],
)
def test_what_a_cell_requires(rate: float, findings: Findings, outcome: str, ok: bool) -> None:
    judged = cell(DEFECT, rate, findings)
    assert (judged.outcome, judged.ok) == (outcome, ok)


@pytest.mark.slow
def test_a_small_part_of_the_self_test() -> None:
    silent = [defect for defect in DEFECTS if defect.key == "no-reasons"]
    cells = run_defects(silent, items=60)
    assert [one.required for one in cells] == ["silent", "silent", "named", "named", "named"]
    assert [one.outcome for one in cells if one.rate != 0.2] == [
        "silent",
        "silent",
        "named",
        "named",
    ]
    assert not any(one.alarms for one in cells)
    assert cells[-1].implied == ("spurious",)
    assert run_healthy(1, items=60)[0].alarms == ()


@pytest.mark.slow
def test_a_model_is_measured_as_by_a_scan_of_its_answers(
    cli: Callable[..., Done], tmp_path: Path
) -> None:
    items = make(n=12, seed=4)
    bench = Bench(items, seed=0)
    model = PlantedModel("m", seed=8, accuracy=0.7, envelopes=("json", "prose"))
    answers = [model.write(answer) for answer in bench.answers(model)]
    (tmp_path / "set.jsonl").write_text("".join(dump_item(one) + "\n" for one in items))
    rows = ({"item": one.key.item, "order": one.key.order, "text": one.text} for one in answers)
    replay = write_replay(tmp_path / "answers.jsonl", rows)
    done = cli(
        "scan", f"replay:{replay}", "--set", "set.jsonl", "--judge", "builtin", "--out", "run"
    )
    assert done.code == 0, done.err
    scanned = json.loads((tmp_path / "run" / "metrics.json").read_text())["metrics"]
    measured = compute_metrics(bench.table(answers))
    for name, metric in measured.items():
        # Who is paired with whom follows the order of the items; the bench scores no other lists.
        if "chance" not in name and "null" not in name:
            assert metric.value == pytest.approx(scanned[name]["value"]), name


def by_hand(*cells: DefectCell, alarms: tuple[str, ...] = ()) -> certificate.Certificate:
    healthy = [Healthy("healthy-1", 0.7, ()), Healthy("healthy-2", 0.95, alarms)]
    return certificate.Certificate(list(cells), healthy)


def test_a_certificate_passes_only_if_every_cell_is_ok_and_few_healthy_models_are_accused() -> None:
    named, silent = (cell(DEFECT, 0.6, one) for one in (found("own"), found(silent=("own",))))
    assert by_hand(named).passed
    assert by_hand(named, alarms=("F1",)).passed
    assert not by_hand(named, alarms=("F1", "F2")).passed
    assert not by_hand(named, silent).passed


def test_a_certificate_reads_as_a_table_with_its_failures_in_words() -> None:
    defect = next(one for one in DEFECTS if one.recorded)
    cells = [cell(defect, rate, found("other", silent=(defect.finding,))) for rate in RATES]
    told = certificate.lines(by_hand(*cells, alarms=("position",)))
    row = next(line for line in told if line.startswith(f"{defect.key}*: {defect.name}"))
    assert row.split()[-6:] == ["silent", "missed", "missed", "missed", "from", "20%"]
    assert f"FALSE ALARM {defect.key} at 60%: other" in told
    assert "FALSE ALARM healthy-2: position" in told
    assert told[-1] == "FAILED"
    written = certificate.to_json(by_hand(*cells))
    assert not written["passed"]
    assert defect.key in written["recorded"]


def test_the_certificate_is_void_after_one_score_or_another_version(
    cli: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = certificate.shipped()
    assert shipped["passed"]
    probes = dict(shipped["behaviour"])
    assert len(probes) == 39 + 371 + 6 * len(DEFECTS)
    monkeypatch.setattr(certificate, "behaviour", lambda: probes)
    assert certificate.void(shipped) == ""
    done = cli("selftest", "--check")
    assert (done.code, done.out.split(":")[0]) == (0, "the shipped certificate holds")
    assert "0.0.9" in certificate.void(shipped | {"tool_version": "0.0.9"})
    name = next(iter(probes))
    probes[name] = probes[name].replace("0", "1", 1)
    assert f"1 of {len(probes)} probes are scored otherwise here" in certificate.void(shipped)
    assert name in certificate.void(shipped)
    done = cli("selftest", "--check", "--json")
    assert (done.code, json.loads(done.out)["holds"]) == (1, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "holds"),
    [
        ("from __future__", "# another comment\nfrom __future__", True),
        ("return 0.5 if shown or", "return 0.75 if shown or", False),
    ],
)
def test_a_comment_keeps_the_certificate_and_a_changed_score_voids_it(
    tmp_path: Path, old: str, new: str, holds: bool
) -> None:
    package = Path(shutil.copytree(ROOT / "rmaudit", tmp_path / "rmaudit"))
    for data in ("checklists", "templates", "pyproject.toml"):
        (tmp_path / data).symlink_to(ROOT / data)
    path = package / "embedded" / "judge.py"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "rmaudit", "selftest", "--check", "--json"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert json.loads(done.stdout)["holds"] is holds, done.stderr
    assert done.returncode == (0 if holds else 1)


@pytest.mark.slow
def test_the_shipped_certificate_is_what_the_self_test_finds(
    cli: Callable[..., Done], tmp_path: Path
) -> None:
    done = cli("selftest", "--jobs", "2", "--out", "fresh.json")
    assert done.code == 0, done.out
    assert done.out.rstrip().endswith("passed")
    shipped = certificate.shipped()
    assert not certificate.void(shipped), "rmaudit selftest --out rmaudit/selftest/certificate.json"
    fresh = json.loads((tmp_path / "fresh.json").read_text())
    for new, old in zip(fresh.pop("cells"), shipped.pop("cells"), strict=True):
        for number in ("value", "p_holm"):  # the last digits are the platform's
            assert new.pop(number) == pytest.approx(old.pop(number), rel=0.05, abs=1e-3)
        assert new == old
    assert fresh == shipped
