"""Renderings of a decision for machines: they say what it says, whatever text is in it."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import pytest
from support.decisions import HOSTILE, decision

from rmaudit.gate.emit.github import commands, summary
from rmaudit.gate.emit.junit import junit
from rmaudit.gate.emit.sarif import MOST, ItemFinding, ItemRule, sarif

GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / ".npm/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
RULES = (ItemRule("item/F4", "praises one side only", "states a merit of one response"),)
FINDINGS = [ItemFinding("item/F4", "copy-0001", 3, "2 of its reasons: praises one side only (F4)")]


def as_sarif(text: str = "plain") -> str:
    findings = [one._replace(text=one.text + text) for one in FINDINGS]
    return sarif(
        decision(text), items_file="runs/my run/items.jsonl", item_rules=RULES, findings=findings
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gate.xml", junit(decision())),
        ("gate.sarif", as_sarif()),
        ("gate.md", summary(decision())),
        ("gate.txt", "\n".join(commands(decision())) + "\n"),
    ],
)
def test_golden(name: str, text: str) -> None:
    # To renew after a change that is meant: write `text` to the file and read the difference.
    assert text == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["plain", HOSTILE])
def test_junit_counts_what_blocks(text: str) -> None:
    suite = ET.fromstring(junit(decision(text)))[0]
    assert (
        suite.get("tests"),
        suite.get("failures"),
        suite.get("errors"),
        suite.get("skipped"),
    ) == (
        "7",
        "2",
        "2",
        "2",
    )
    cases = {case.get("name", ""): case for case in suite.iter("testcase")}
    assert cases["passes: rc"].find("failure") is None
    failure = cases["fails: rc"].find("failure")
    assert failure is not None
    assert failure.get("type") == "FAIL"
    undecided = cases["undecided: rc"].find("failure")
    assert undecided is not None
    assert undecided.get("type") == "INCONCLUSIVE"
    assert cases["waived: rc"].find("skipped") is not None
    assert cases["warns: rc"].get("classname") == "rmaudit.code"


@pytest.mark.parametrize("text", ["plain", HOSTILE])
def test_sarif_is_valid_and_says_pass_fail_open(text: str) -> None:
    document = json.loads(as_sarif(text))
    if not SCHEMA.is_file():
        pytest.fail("the SARIF schema is not there: make setup fetches it")
    jsonschema.Draft7Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(document)
    (run,) = document["runs"]
    kinds = {result["ruleId"]: (result["kind"], result["level"]) for result in run["results"]}
    assert kinds == {
        "gate/passes": ("pass", "none"),
        "gate/fails": ("fail", "error"),
        "gate/undecided": ("open", "none"),
        "gate/broken": ("fail", "error"),
        "gate/waived": ("fail", "error"),
        "gate/warns": ("fail", "warning"),
        "item/F4": ("fail", "note"),
    }
    (waived,) = [one for one in run["results"] if "suppressions" in one]
    assert waived["ruleId"] == "gate/waived"
    place = run["results"][-1]["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] == 3
    assert place["artifactLocation"]["uri"] == "runs/my%20run/items.jsonl"


def test_sarif_says_how_many_items_it_leaves_out() -> None:
    many = [ItemFinding("item/F4", f"i{n}", n, "x") for n in range(1, MOST + 8)]
    run = json.loads(sarif(decision(), items_file="i", item_rules=RULES, findings=many))["runs"][0]
    assert run["properties"]["itemResultsLeftOut"] == 7
    assert len(run["results"]) == MOST + 6


def test_no_text_can_begin_or_end_a_workflow_command() -> None:
    told = list(commands(decision(HOSTILE)))
    assert [line.split(" ", 1)[0] for line in told] == [
        "::error",
        "::error",
        "::error",
        "::notice",
        "::warning",
        "::error",
        "::error",
    ]
    assert all("\n" not in line and "\r" not in line and "\x1b" not in line for line in told)
    # The title ends at the first `::` after it; none of the text can make one inside the title.
    assert all(
        line.count("::error") + line.count("::notice") + line.count("::warning") >= 1
        for line in told
    )
    assert "file=policies/my release.toml,line=12,title=rmaudit FAIL%3A fails::too low" in told[0]


def test_no_text_marks_up_the_summary() -> None:
    text = summary(decision(HOSTILE))
    assert "<script" not in text
    assert not re.search(r"(?<!\\)\]\(", text)
    assert "@everyone" not in text
    assert "\x1b" not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 6
    assert {row.replace("\\|", "").count("|") for row in rows} == {6}
