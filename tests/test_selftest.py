"""The self-test: its writers, what a cell requires, and the whole of it (slow)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from conftest import Done, write_replay

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.families import FAMILIES
from rmaudit.findings import Finding, Findings
from rmaudit.judging.parsing import parse_pairwise
from rmaudit.metrics.audit import compute_metrics
from rmaudit.selftest import certificate
from rmaudit.selftest.bench import Bench
from rmaudit.selftest.defects import DEFECTS, Defect
from rmaudit.selftest.envelopes import ENVELOPES, Said, Shown, verdict_only
from rmaudit.selftest.items import FAMILIES as USED
from rmaudit.selftest.items import make
from rmaudit.selftest.models import ORDERS, PlantedModel, World, at_rate
from rmaudit.selftest.run import cell, run_defects, run_healthy
from rmaudit.selftest.wordings import WORDINGS
from rmaudit.selftest.writers import true_fault

REASONS = [
    Said("Response A says 60 dollars rather than 45.", "A"),
    Said("There is no mention of waterproof in Response B.", "B"),
    Said("Response A uses the banned word 'cheap'.", "A"),
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
        if "Ready when you are" in item.response(side)  # type: ignore[arg-type]
    ]
    assert 40 <= len(dressed) <= 85
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
    spoilt = sum(a == b for a, b in zip(some, all_, strict=True))
    assert 15 <= spoilt <= 45


def found(*named: str, silent: tuple[str, ...] = ()) -> Findings:
    return Findings(
        [
            Finding(key, key, "m", 0.5, 0.4, 0.1, 0.001, 0.01, key in named, "")
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


def test_a_model_is_measured_as_by_a_scan_of_its_answers(
    cli: Callable[..., Done], tmp_path: Path
) -> None:
    items = make(n=12, seed=4)
    bench = Bench(items, seed=0)
    answers = bench.write(PlantedModel("m", seed=8, accuracy=0.7, envelopes=("json", "prose")))
    (tmp_path / "set.jsonl").write_text("".join(dump_item(one) + "\n" for one in items))
    rows = ({"item": one.key.item, "order": one.key.order, "text": one.text} for one in answers)
    replay = write_replay(tmp_path / "answers.jsonl", rows)
    done = cli("scan", f"replay:{replay}", "--set", "set.jsonl", "--out", "run")
    assert done.code == 0, done.err
    scanned = json.loads((tmp_path / "run" / "metrics.json").read_text())["metrics"]
    measured = compute_metrics(bench.table(answers))
    for name, metric in measured.items():
        if "chance" not in name:  # who is paired with whom follows the order of the items
            assert metric.value == pytest.approx(scanned[name]["value"]), name


@pytest.mark.slow
def test_the_shipped_certificate_is_what_the_self_test_finds() -> None:
    fresh = certificate.certify(jobs=2)
    shown = "\n".join(certificate.lines(fresh))
    assert fresh.passed, shown
    shipped, current = certificate.shipped()
    assert json.loads(json.dumps(certificate.to_json(fresh))) == shipped, shown
    assert current
