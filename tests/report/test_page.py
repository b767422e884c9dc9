from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest
from support.report_runs import (
    SET,
    Page,
    boxed,
    faithful,
    page_of,
    run_items,
    run_set,
    slogans,
    unreadable,
    vague,
)

from rmaudit.checklists.schema import Item
from rmaudit.config import ScanConfig
from rmaudit.metrics.registry import REGISTRY
from rmaudit.records import MatchSet
from rmaudit.report.html import render, write_html
from rmaudit.report.view import report_view
from rmaudit.run.directory import METRICS, RunDir
from rmaudit.run.files import MATCHES
from rmaudit.scan.plan import make_plan
from rmaudit.scan.scan import scan
from rmaudit.terminal.screen import Silent

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "{{7*7}} {% raw %}",
    "turned \u202eround, \x1b[31mred\x1b[0m and \x00",
    "</style></details></pre><a href='https://example.org/' style='color:red'>x</a>",
    "lone \ud800 half",
)


# The items.


def test_the_worst_items_come_first_and_the_rest_is_counted() -> None:
    items = slogans()

    def answers(item: Item, order: str) -> str:
        if item.id == items[7].id:
            return vague(item, order)
        if item.id == items[2].id and order == "ba":
            return vague(item, order)
        if item.id == items[5].id:
            return boxed(item, order, [], right=False)
        return faithful(item, order)

    run = run_set(answers)
    whole = report_view([run]).evidence
    # Twice right for the wrong reasons, then once, then the lowest rc (0, but wrong).
    assert [item.id for item in whole.items[:3]] == [items[7].id, items[2].id, items[5].id]
    assert [item.spurious for item in whole.items[:3]] == [True, True, False]
    assert (len(whole.items), whole.failing_left_out, whole.others_left_out) == (12, 0, 0)
    view = report_view([run], budget=24_000)
    assert {items[7].id, items[2].id, items[5].id} <= {item.id for item in view.evidence.items}
    shown = len(view.evidence.items)
    assert 3 < shown < 12
    assert (view.evidence.failing_left_out, view.evidence.others_left_out) == (0, 12 - shown)
    page = Page(render(view))
    assert f"{shown} of 12 items shown" in page.text
    assert f"0 failing and {12 - shown} other items" in page.text
    found = [tag for tag, attrs in page.tags if (attrs.get("id") or "").startswith("item-")]
    assert len(found) == shown


def test_an_item_shows_matched_missed_and_unmatched_reasons() -> None:
    def answers(item: Item, order: str) -> str:
        return boxed(item, order, ["Response A has a fine tone.", item.reasons[0].text])

    item = slogans()[0]
    view = report_view([run_set(answers, spec="synth:3:1:slogan")])
    ab, ba = view.evidence.items[0].runs[0].answers
    for answer in (ab, ba):
        assert [pair.reference for pair in answer.pairings] == [r.text for r in item.reasons]
        assert answer.pairings[0].said.text == item.reasons[0].text  # also in `ba`
        assert answer.pairings[0].score == "1.00"
        assert answer.pairings[0].state == "matched"
        assert {pair.state for pair in answer.pairings[1:]} == {"missed"}
        assert [one.text for one in answer.unmatched] == ["Response A has a fine tone."]
        assert answer.matched == f"1 of {len(item.reasons)} reference reasons matched"
        assert (answer.verdict, answer.grade) == (f"Picks Response {item.label.upper()}", "right")
    assert (ab.swapped, ba.swapped) == (False, True)
    assert "Response B has a fine tone." in ba.raw  # the raw answer keeps the names as shown
    assert "As it was shown" in page_of(RunDir.open(Path("run-model"))).text


def test_the_preferred_response_is_told_in_words() -> None:
    item = slogans()[0]
    page = page_of(run_set(faithful, spec="synth:3:1:slogan"))
    other = {"a": "B", "b": "A"}[item.label]
    said = page.all("h4")
    strength = f", strength {item.strength} of 3"
    assert f"Response {item.label.upper()} · preferred{strength}" in said
    assert f"Response {other} · not preferred" in said


def test_outcomes_and_flags_are_told_in_words() -> None:
    def answers(item: Item, order: str) -> str | None:
        kinds = {0: unreadable, 1: lambda i, o: boxed(i, o, [r.text for r in i.reasons] * 3)}
        if items.index(item) == 2:
            return None
        return kinds.get(items.index(item), faithful)(item, order)

    items = slogans(4)
    text = page_of(run_set(answers, spec="synth:3:4:slogan")).text
    assert "The answer holds no verdict that can be read." in text
    assert "It gave more reasons than it was asked for; the list was cut." in text
    assert "The engine gave no answer." in text
    assert "No verdict: wrong" in text
    assert "No answer: not counted" in text


def test_a_judge_that_failed_is_told_and_its_rows_are_left_out() -> None:
    run = run_set(faithful)
    rows = list(run.rows(MATCHES))
    rows[0] = rows[0]._replace(matches=MatchSet((), (), failure="answer cut"), chance=None)
    run.write_rows(MATCHES, rows)
    config = ScanConfig(
        target="replay:model.jsonl", sets=(SET,), judge="builtin", out=run.path, resume=True
    )
    page = page_of(scan(make_plan(config), Silent()).run)
    assert "The judge failed on it: answer cut." in page.text
    assert "The judge failed in 1 of 24 cases" in page.text
    assert "23 answers, one for each item, order and sample; 1 left out" in page.text


# Method.


def test_the_appendix_defines_each_number_and_names_the_run() -> None:
    run = run_set(faithful)
    page, manifest = page_of(run), run.manifest()
    defined = page.all("section")
    found = run.read_json(METRICS)["metrics"]
    measured = [name for name, metric in found.items() if metric["value"] is not None]
    assert len(measured) > 40
    for name in measured:
        assert any(name in text and REGISTRY[name].definition in text for text in defined)
    settings = page.all("dl", "settings")[0]
    for part in (
        manifest.prompts["generic_pairwise"],
        manifest.sets[0].sha256,
        manifest.target.digest,
        f"rmaudit {manifest.tool_version}",
        "temperature 0.0",
        "replay (the target is a file of recorded answers)",
        "run 0, bootstrap 0, chance 0",
    ):
        assert part in settings
    assert "A judge without a model (builtin, lexical) compares text and approximates" in page.text
    assert "they do not rank models in general" in page.text
    assert page.all("span", "approximate") == ["approximate"]
    assert "program-made" in page.all("span", "badge")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"status": "interrupted"}, "its scan did not end (status interrupted)"),
        ({"row_hashes": {}}, "generations.jsonl was added since the run ended"),
        ({"neutralised_delimiters": 2}, "2 prompt delimiters inside the items were neutralised"),
    ],
)
def test_warnings_stand_above_the_numbers(change: dict[str, object], told: str) -> None:
    run = run_set(faithful)
    run.write_json("manifest.json", run.read_json("manifest.json") | change)
    assert told in page_of(run).all("ul", "warnings")[0]


def test_left_out_lines_and_a_stale_card_are_warned_of() -> None:
    run = run_set(faithful)
    manifest = run.manifest()
    manifest.sets[0] = manifest.sets[0].adding({"skipped_lines": 3, "stale_card": True})
    run.write_manifest(manifest)
    told = page_of(run).all("ul", "warnings")[0]
    assert f"3 bad lines of the set {SET} were left out." in told.capitalize()[0] + told[1:]
    assert f"card of the set {SET} was written for other items." in told


# Safety.


def hostile_run() -> RunDir:
    evil = " ".join(HOSTILE[:5])
    items = [
        item.model_copy(
            update={
                "id": f"{number} {HOSTILE[1]}",
                "domain": HOSTILE[0],
                "response_a": f"{item.response_a} {evil}",
                "prompt": [item.prompt[0].model_copy(update={"content": evil})],
                "reasons": [
                    reason.model_copy(update={"text": f"{reason.text} {HOSTILE[number % 5]}"})
                    for reason in item.reasons
                ],
            }
        )
        for number, item in enumerate(slogans(6))
    ]

    def answers(item: Item, order: str) -> str:
        return boxed(item, order, [f"{item.reasons[0].text} {HOSTILE[5]}", *HOSTILE])

    return run_items(answers, items, "<img src=x onerror=alert(3)> {{7*7}}")


def test_nothing_of_the_data_becomes_markup() -> None:
    run = hostile_run()
    page = page_of(run)
    names = {tag for tag, _ in page.tags}
    assert not names & {"img", "link", "iframe", "object", "base", "form"}
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert [tag for tag, _ in page.tags].count("input") == 1
    links = [attrs.get("href") or attrs.get("src") or "#" for _, attrs in page.tags]
    assert {link[0] for link in links} == {"#"}
    attributes = {name for _, attrs in page.tags for name in attrs}
    assert "style" not in attributes
    assert not [name for name in attributes if name.startswith("on")]
    for evil in HOSTILE[:2]:
        assert evil in page.text
    assert "{{7*7}} {% raw %}" in page.text
    assert "<img src=x onerror=alert(3)> {{7*7}}" in page.text
    assert "turned \ufffdround, \ufffd[31mred\ufffd[0m and \ufffd" in page.text
    assert "lone \ufffd half" in page.text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", page.text)


def test_the_policy_allows_the_one_stylesheet_by_its_hash() -> None:
    run_set(faithful)
    write_html([RunDir.open(Path("run-model"))], Path("r.html"))
    html = Path("r.html").read_text(encoding="utf-8")
    page = Page(html)
    policy = next(
        attrs["content"] or ""
        for tag, attrs in page.tags
        if attrs.get("http-equiv") == "Content-Security-Policy"
    )
    styles = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert len(styles) == 1
    digest = base64.b64encode(hashlib.sha256(styles[0].encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'")
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    assert len(scripts) == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"url\(|@import|https?:", html)


def test_the_page_is_the_same_bytes_each_time() -> None:
    runs = [run_set(vague, "one"), run_set(faithful, "two")]
    first = write_html(runs, Path("a.html")).read_bytes()
    assert write_html([RunDir.open(run.path) for run in runs], Path("b.html")).read_bytes() == first
    numbers = re.findall(r' (?:d|cx|transform)="([^"]*)"', first.decode())
    assert numbers
    assert not re.findall(r"\d\.\d\d", " ".join(numbers))
