"""Labels that a labeller knows too badly: no headline, no finding and no rule rests on them."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import answer, swap_names, write_replay
from support.command_line import Done
from support.gate_runs import decided, policy, rule
from support.judge_server import judge_server

from rmaudit.checklists.sets import load_set
from rmaudit.gate.policy import load_policy
from rmaudit.gate.precheck import foresee
from rmaudit.judge_check.labels import load_cases
from rmaudit.resources import folder
from rmaudit.run.directory import RunDir
from rmaudit.run.graders import LabelerFacts
from rmaudit.taxonomy import CATEGORY_NAMES, FLAW_NAMES

Cli = Callable[..., Done]
SPEC = "synth:3:60:slogan"


def facts(**measured: tuple[float | None, float]) -> LabelerFacts:
    scores = {name: {"precision": p, "recall": r, "n": 9} for name, (p, r) in measured.items()}
    return LabelerFacts(spec="model", tests=list(measured), measured=scores)  # type: ignore[arg-type]


def test_the_bar_by_hand() -> None:
    known = facts(F1=(0.8, 0.8), F2=(0.79, 1.0), F3=(1.0, 0.79), F4=(None, 0.0), EG=(0.9, 0.9))
    assert known.weak == ["F2", "F3", "F4"]
    assert known.unfit("flaw.F1") == known.unfit("category.EG") == known.unfit("rc") == ""
    assert known.unfit("flaw.F2") == (
        "the labeller model is below 0.8 on unseen reasons in F2 (precision 0.79, recall 1.00)"
    )
    assert "precision n/a" in known.unfit("flaw.F4")
    assert known.unfit("flaw.any") == "", "it rests on F1"
    assert "F2" in facts(F2=(0.1, 0.1), EG=(1.0, 1.0)).unfit("flaw.any"), "no flaw is left"
    assert LabelerFacts(spec="model").unfit("flaw.F2") == "", "not measured is not below"


def test_the_unseen_reasons_are_many_and_no_others() -> None:
    cases = load_cases("unseen")
    assert len(cases) >= 150
    assert len({case.item.id for case in cases}) == 16
    held = Counter(label for case in cases for label in case.has - case.open)
    assert all(held[label] >= 10 for label in (*CATEGORY_NAMES, *FLAW_NAMES)), held
    near = Counter(label for case in cases for label in case.near)
    assert all(near[label] >= 5 for label in FLAW_NAMES), near
    texts = {}
    for batch in ("planted", "held_out", "unseen"):
        with (folder("templates") / "labels" / f"{batch}.csv").open(encoding="utf-8") as file:
            rows = csv.DictReader(file, delimiter="|", quoting=csv.QUOTE_NONE)
            texts[batch] = [row["reason"] for row in rows]
    assert len(set(texts["unseen"])) == len(texts["unseen"])
    assert not {*texts["unseen"]} & {*texts["planted"], *texts["held_out"]}


@pytest.fixture(scope="module")
def folder_of_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose every reason is of style (F1), recorded."""
    rows = []
    for item in load_set(SPEC).items:
        reasons = ["Response A is shorter.", "The formatting of Response B is nicer."]
        better = "A>B" if item.label == "a" else "B>A"
        rows.append({"item": item.id, "order": "ab", "text": answer(reasons, better)})
        turned = [swap_names(reason) for reason in reasons]
        other = {"A>B": "B>A", "B>A": "A>B"}[better]
        rows.append({"item": item.id, "order": "ba", "text": answer(turned, other)})
    return write_replay(tmp_path_factory.mktemp("said") / "said.jsonl", rows)


def scanned(cli: Cli, replay: Path, *more: str) -> Done:
    words = ("scan", f"replay:{replay}", "--set", SPEC, "--judge", "builtin", "--out", "run")
    done = cli(*words, *more)
    assert done.code == 0, done.err
    return done


@pytest.mark.slow
def test_nothing_rests_on_a_label_below_the_bar(cli: Cli, folder_of_run: Path) -> None:
    """The builtin labeller: F1, F3 and CG are below .8; F2 and F4 are not."""
    done = scanned(cli, folder_of_run)
    manifest = RunDir(Path("run")).manifest()
    assert manifest.labeler is not None
    assert set(manifest.labeler.weak) == {"CG", "F1", "F3"}
    metrics = json.loads(Path("run/metrics.json").read_text())["metrics"]
    assert metrics["flaw.F1"]["value"] >= 0.5, "it is measured, and kept"
    told = " ".join(done.out.split())
    assert "judges style" not in told
    assert "F1 style only" not in told
    assert "builtin is below 0.8 on unseen reasons in CG" in told
    rules = [rule(f"flaw.{kind}", 0.9, direction="max") for kind in ("F1", "F2", "any")]
    rules += [rule("category.CG", 0.9, direction="max"), rule("category.EG", 0.1, direction="min")]
    found = decided(cli, RunDir(Path("run")), policy(*rules, builtin=True))
    status = [one["status"] for one in found["rules"]]
    assert status[0] == status[3] == "INVALID"
    assert "INVALID" not in (status[1], status[2], status[4])
    assert metrics["flaw.any"]["value"] == 0.0, "F1 is no flaw that it counts"
    assert found["rules"][0]["sentence"].endswith("nothing is decided by it")
    warned = list(foresee(load_policy(str(policy(*rules))), manifest, has_baseline=False))
    assert any("name another model with --labeler" in one for one in warned)
    cli("gate", "run", "--policy", "pr", "--sarif", "out.sarif")
    items = {
        one["ruleId"] for one in json.loads(Path("out.sarif").read_text())["runs"][0]["results"]
    }
    assert "item/F1" not in items
    assert cli("report", "run", "--html", "--out", "page.html").code == 0
    page = Path("page.html").read_text()
    assert "style in place of content" not in page.split("<h2>")[0]
    assert "in CG (precision" in page
    assert "flaw.F1" not in cli("report", "run", "--model-card").out


@pytest.mark.slow
def test_a_model_is_held_to_what_its_card_says_of_its_labels(cli: Cli, folder_of_run: Path) -> None:
    """The stand-in gives no CG and no flaw but F4: of these it finds none."""
    with judge_server() as server:
        more = ("--labeler", server.target)
        scanned(cli, folder_of_run, *more)
        before: Any = json.loads(Path("run/manifest.json").read_text())["labeler"]
        assert "measured" not in before
        done = cli("judge", "check", server.target, "--set", "synth:3:8:slogan", "--limit", "1")
        assert done.code == 0, done.err
        words = ("scan", f"replay:{folder_of_run}", "--set", SPEC, "--judge", "builtin")
        assert cli(*words, *more, "--out", "again").code == 0
    labeler = RunDir(Path("again")).manifest().labeler
    assert labeler is not None
    assert labeler.measured is not None
    assert labeler.measured["F1"].recall == 0.0
    assert {"CG", "F1", "F2", "F3", "F5", "F6", "F7"} <= set(labeler.weak)
