"""The first screen: words, not keys; what follows from the verdict; links that count."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.recorded_files import PAIRS
from support.report_runs import Page, boxed, faithful, page_of, run_set, vague

from rmaudit.checklists.schema import Item
from rmaudit.gate.policy import load_policy, shipped_policies
from rmaudit.metrics.registry import REGISTRY
from rmaudit.report.html import render
from rmaudit.report.view import ReportView, report_view
from rmaudit.run.directory import RunDir

KEYS = [key for key in REGISTRY if not key.isalpha() or key in ("rc", "ap")]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def gated(cli: Callable[..., Done], policy: str = "pr") -> tuple[RunDir, RunDir]:
    """A praising run gated against one with the references as reasons."""
    before, run = (
        run_set(faithful, "before", spec="synth:3:60:slogan"),
        run_set(vague, spec="synth:3:60:slogan"),
    )
    cli("gate", run.path, "--policy", policy, "--baseline", before.path)
    return before, run


def before_the_items(view: ReportView) -> str:
    """The page down to the items: what is said of a run, without any text of its set."""
    html = render(view).partition("<body>")[2]
    return re.sub(r"<[^>]*>", " ", html.partition('<section id="items">')[0])


def test_metric_keys_and_rule_ids_stand_in_the_appendix_alone(
    here: Path, cli: Callable[..., Done]
) -> None:
    before, run = gated(cli)
    view = report_view([run], baseline=before)
    first = before_the_items(view)
    for key in KEYS:
        assert not re.search(rf"(?<![\w.@]){re.escape(key)}(?![\w@]|\.\w)", first), key
    html = render(view)
    _, appendix = html.split('id="appendix"')
    for rule in load_policy("pr").rules:
        if "-" in rule.id:  # the others are words
            assert rule.id not in first
        assert f"<code>{rule.id}</code>" in appendix
        assert f"<code>{rule.metric}</code>" in appendix


def test_the_verdict_says_what_follows_and_what_comes_next(
    here: Path, cli: Callable[..., Done]
) -> None:
    before, run = gated(cli)
    banner = report_view([run], baseline=before).runs[0].banner
    assert banner.consequence == "Do not use it as an RLHF reward."
    day = json.loads((run.path / "gate.json").read_text())["decided"]
    assert banner.policy == f"Policy pr, decided {day} against the baseline before"
    assert banner.tally.startswith("of 11 rules ")
    assert "run-model" in banner.next
    text = page_of(run).text
    assert "Do not use it as an RLHF reward." in text
    assert "may lose at most 3 points: lost 100" in " ".join(text.split())


def test_a_run_without_a_decision_is_not_cleared(here: Path) -> None:
    banner = report_view([run_set(faithful)]).runs[0].banner
    assert "nothing here clears it" in banner.consequence
    assert banner.next == "rmaudit gate run-model --policy pr --baseline BASELINE"
    assert banner.policy == ""


def test_one_idea_has_one_row(here: Path, cli: Callable[..., Done]) -> None:
    before, run = gated(cli)
    measures = report_view([run], baseline=before).measures
    right = [one for one in measures if "wrong reasons" in one.label]
    assert [one.key for one in right] == ["spurious_rc@0+"]  # the policy asks about this one
    assert len({one.label for one in measures}) == len(measures)
    asked = {one.key: [rule.rule for rule in one.lines[0].asked] for one in measures}
    assert asked["rc.above_null"] == ["above-lists", "above-lists-kept"]
    assert [one.key for one in report_view([before]).measures][2] == "s_rc@0+"


def test_links_count_the_items_that_they_lead_to(here: Path, cli: Callable[..., Done]) -> None:
    before, run = gated(cli)
    view = report_view([run, before])
    page = Page(render(view))
    items = [attrs for tag, attrs in page.tags if "data-cell" in attrs]
    for (number, facet, value), link in view.evidence.links.items():
        shown = [
            one for one in items if value in (one[f"data-{facet}-run{number}"] or "").split("\t")
        ]
        assert len(shown) == link.shown == link.total > 0
        assert f"run={number}" in link.href
    texts = page.all("a", "items") + page.all("a", "cell")
    assert texts
    assert all(re.search(r"\b\d[\d,]* items?\b", text) for text in texts)


def test_findings_lead_to_items_that_show_them(here: Path) -> None:
    def answers(item: Item, order: str) -> str:
        """Praise; every third item says the same in both orders of who is first."""
        right = int(item.id[-2:]) % 3 > 0 or order == "ab"
        return boxed(item, order, [f"Response {item.label.upper()} is clearer."], right=right)

    run = run_set(answers, spec="synth:3:60:slogan")
    view = report_view([run])
    assert {"F1", "spurious"} <= {one.key for one in view_findings(run)}
    for finding in view.findings:
        assert 0 < finding.link.shown <= 60
        assert finding.link.href.startswith("#shows=")
    # Filed without texts a finding still names an item of its own.
    filed = report_view([run], with_text=False)
    shown = {one.id: one.facets.shows for one in view.evidence.items}
    for finding in filed.findings:
        assert finding.link.href == ""
        assert finding.name in shown[finding.link.example]
    assert f"such as {filed.findings[0].link.example}" in Page(render(filed)).text


def view_findings(run: RunDir) -> list[object]:
    from rmaudit.metrics.findings import find
    from rmaudit.report.data import read_run

    known = read_run(run, number=1).measured()
    assert known is not None
    return list(find(known.table).named)


def test_items_that_something_refers_to_are_kept_when_a_page_is_full(here: Path) -> None:
    run = run_set(vague, spec="synth:3:60:slogan")
    view = report_view([run], budget=12_000)
    assert 0 < len(view.evidence.items) < 60
    for finding in view.findings:
        assert finding.link.shown > 0
        assert finding.link.words == f"{finding.link.shown} of {finding.link.total} items"


def test_flaw_bars_hold_the_change_from_the_baseline(here: Path, cli: Callable[..., Done]) -> None:
    before, run = gated(cli)
    (bar,) = next(
        one.bars for one in report_view([run], baseline=before).flaws if "F1" in one.label
    )
    assert (bar.value, bar.delta, bar.was) == ("100.0 %", "+100.0 pt", "0.0")
    alone = report_view([run]).flaws
    assert {(bar.delta, bar.was) for one in alone for bar in one.bars} == {("", "")}


def test_judgebench_files_show_their_own_number_first(here: Path, cli: Callable[..., Done]) -> None:
    Path("jb.jsonl").write_text("".join(json.dumps(one) + "\n" for one in PAIRS))
    done = cli("scan", "replay:jb.jsonl", "--out", "run")
    assert done.code == 0
    rows = [line.strip() for line in done.out.splitlines() if "%" in line]
    assert rows[1].startswith("accuracy by JudgeBench's rule")
    view = report_view([RunDir.open(Path("run"))])
    assert [one.key for one in view.measures][:2] == ["accuracy_net_votes", "accuracy"]


def test_contradictory_answers_are_warned_of_with_their_bounds(
    here: Path, cli: Callable[..., Done]
) -> None:
    Path("jb.jsonl").write_text("".join(json.dumps(one) + "\n" for one in PAIRS))
    done = cli("scan", "replay:jb.jsonl", "--out", "run")
    said = "1 of 10 answers (10.0 %) state verdicts that disagree"
    assert said in " ".join(done.err.split())
    (warning,) = [
        text for text in report_view([RunDir.open(Path("run"))]).warnings if "disagree" in text
    ]
    assert warning.startswith(said)
    # It counts for no verdict; read as right it would add 1/10.
    found = re.search(
        r"accuracy is ([\d.]+) %, and lies between ([\d.]+) % and ([\d.]+) %", warning
    )
    assert found
    value, low, high = map(float, found.groups())
    assert (low, high) == (value, pytest.approx(value + 10.0))


@pytest.mark.parametrize("name", shipped_policies())
def test_every_shipped_policy_has_a_rule_on_them(name: str) -> None:
    (rule,) = [rule for rule in load_policy(name).rules if rule.metric == "coverage.conflict"]
    assert rule.direction == "max"
    assert rule.level == "error"
    assert rule.limit <= 0.05
