from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.report_runs import (
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
from rmaudit.checklists.sets import load_set
from rmaudit.config import ScanConfig
from rmaudit.errors import InputError
from rmaudit.metrics.formats import show
from rmaudit.records import Metric
from rmaudit.report.html import render, write_html
from rmaudit.report.plot import place, plot
from rmaudit.report.view import ReportView, report_view
from rmaudit.run.directory import METRICS
from rmaudit.run.files import RESULTS
from rmaudit.scan.plan import make_plan
from rmaudit.scan.scan import scan
from rmaudit.terminal.screen import Silent

# Geometry: the axis runs from 8 to 292, so that a share s lies at 8 + 284 s.


def metric(value: float | None, low: float | None, high: float | None, **other: object) -> Metric:
    fields = {"worst": value, "best": value, "n": 12, "n_excluded": 0, "unit": "share"}
    return Metric(value=value, low=low, high=high, **{**fields, **other})


def test_a_share_lies_on_the_axis_and_never_beyond() -> None:
    assert [place(s) for s in (0.0, 0.25, 0.5, 1.0)] == ["8.0", "79.0", "150.0", "292.0"]
    assert [place(s) for s in (-0.4, 1.7)] == ["8.0", "292.0"]
    assert place(1 / 3) == "102.7"  # 8 + 94.666...


def test_a_row_has_dot_whisker_and_mark() -> None:
    drawn = plot("rc", metric(0.5, 0.25, 0.75), marks={"chance": 0.1})
    assert drawn is not None
    assert (drawn.dot, drawn.whisker, drawn.marks) == ("150.0", ("79.0", "221.0"), ("36.4",))
    assert (drawn.bounds, drawn.mark, drawn.tick, drawn.zones) == (None, None, None, ())
    assert drawn.label == "50.0 %, 95 percent interval 25.0 % to 75.0 %"


def test_a_threshold_is_drawn_with_the_side_that_fails() -> None:
    least = plot("rc", metric(0.5, 0.25, 0.75), threshold=0.25, direction="min", baseline=0.75)
    most = plot("s_rc@0+", metric(0.5, 0.25, 0.75), threshold=0.75, direction="max")
    around = plot("first_position_bias", metric(0.0, -0.1, 0.1), threshold=0.1, direction="abs")
    assert least is not None
    assert most is not None
    assert around is not None
    # The axis is 284 wide from 8: a quarter of it is 71.
    assert (least.tick, least.zones, least.baseline) == ("79.0", (("8.0", "71.0"),), "221.0")
    assert (most.tick, most.zones) == ("221.0", (("221.0", "71.0"),))
    assert (around.tick, around.zones) == (None, (("8.0", "113.6"), ("178.4", "113.6")))
    assert least.label.endswith("threshold 25.0 %")


def test_bounds_are_drawn_from_low_to_high_where_something_was_left_out() -> None:
    drawn = plot("s_rc@0+", metric(0.5, None, None, worst=0.75, best=0.25, n_excluded=3))
    assert drawn is not None
    assert drawn.bounds == ("79.0", "221.0")
    assert drawn.whisker is None


def test_a_bias_is_drawn_around_the_middle() -> None:
    drawn = plot("first_position_bias", metric(0.25, -0.25, 0.5))
    assert drawn is not None
    assert (drawn.dot, drawn.whisker, drawn.mark) == ("221.0", ("79.0", "292.0"), "150.0")
    assert not drawn.below


def test_a_value_below_the_axis_says_so() -> None:
    drawn = plot("rc.above_chance", metric(-0.1, -0.2, 0.25))
    assert drawn is not None
    assert (drawn.dot, drawn.whisker, drawn.below) == ("8.0", ("8.0", "79.0"), True)


def test_no_value_is_not_drawn() -> None:
    assert plot("rc", metric(None, None, None)) is None


# The numbers.


def test_headline_numbers_are_those_of_metrics_json() -> None:
    run = run_set(lambda item, order: (faithful if order == "ab" else vague)(item, order))
    numbers = run.read_json(METRICS)["metrics"]
    page = page_of(run)
    view = report_view([run])
    keys = [one.key for one in view.measures]
    assert keys[:3] == ["accuracy", "rc", "s_rc@0+"]
    assert keys[-1] == "coverage.parsed"
    shown = page.all("td", "num")[: len(keys)]
    assert [one.partition(" %")[0] + " %" for one in shown] == [
        show(name, numbers[name]["value"]) for name in keys
    ]
    # 12 items, right in both orders; every second answer gives no reason of the references.
    assert shown[0].startswith("100.0 %")
    assert shown[2].startswith("50.0 %")
    low, high = numbers["rc"]["low"], numbers["rc"]["high"]
    assert shown[1].endswith(f"{100 * low:.1f} – {100 * high:.1f}")
    assert page.all("td", "n")[0] == "12 items"
    assert page.all("td", "n")[len(keys) - 1] == "24 answers"


def test_the_2x2_counts_rows_and_outlines_right_for_the_wrong_reasons() -> None:
    items = slogans()
    wrong = {item.id for item in items[:3]}  # 3 items wrong with matched reasons, in both orders

    def answers(item: Item, order: str) -> str | None:
        if item.id == items[3].id:
            return unreadable(item, order)  # 2 rows wrong without reasons
        if item.id == items[4].id and order == "ba":
            return None  # 1 row without an answer
        if item.id in wrong:
            return boxed(item, order, [reason.text for reason in item.reasons], right=False)
        return faithful(item, order) if order == "ab" else vague(item, order)

    run = run_set(answers)
    # Of 24 rows: 6 wrong and matched, 2 wrong and not, 1 left out, 8 items left: ab faithful (8
    # rows), ba vague (7 rows, one of which is the one without an answer).
    page = page_of(run)
    assert page.all("a", "cell") == [
        "8 right, a reason matched 34.8 % 8 items",
        "7 right, no reason matched 30.4 % 7 items",
        "6 wrong, a reason matched 26.1 % 3 items",
        "2 wrong, no reason matched 8.7 % 1 item",
    ]
    assert page.all("a", "outlined") == ["7 right, no reason matched 30.4 % 7 items"]
    assert "23 answers, one for each item, order and sample; 1 left out" in page.text
    rows = [row for result in run.rows(RESULTS) for row in result.rows]
    assert sum(row.correct is True and row.rc == 0 for row in rows) == 7


def test_what_was_left_out_is_counted_with_its_bounds() -> None:
    items = slogans()
    run = run_set(lambda item, order: None if item.id == items[0].id else faithful(item, order))
    page = page_of(run)
    # 11 of 12 items answered, all right: the 12th may be wrong (11/12 = 91.7 %) or right.
    assert page.all("td", "n")[0] == "11 items 2 left out"
    # The rulers are held against the same 11 items; the best of them stands beside accuracy.
    assert page.all("td", "plot")[0] == (
        "more words of the request alone 77.3 % worst 91.7 % best 100.0 %"
    )
    assert "The model gave no answer in 2 of 24 cases" in page.text
    assert "not recorded" in page.text


def test_each_domain_has_its_own_numbers() -> None:
    items = [
        item.model_copy(update={"domain": ("code", "stem")[number % 2]})
        for number, item in enumerate(slogans())
    ]
    run = run_items(
        lambda item, order: {"code": faithful, "stem": vague}[item.domain](item, order), items
    )
    view = report_view([run])
    assert [domain.name for domain in view.domains] == ["code", "stem"]
    slices = run.read_json(METRICS)["slices"]
    for domain in view.domains:
        for line, key in zip(domain.lines[0], ("accuracy", "rc"), strict=True):
            assert line.value == show(key, slices[domain.name][key]["value"])
            assert line.n == "6 items"
    assert view.domains[1].lines[0][1].value == "0.0 %"


def test_two_runs_stand_side_by_side() -> None:
    runs = [run_set(vague, "outcome-only"), run_set(faithful, "hybrid")]
    page = page_of(*runs)
    numbers = [run.read_json(METRICS)["metrics"] for run in runs]
    keys = [one.key for one in report_view(runs).measures]
    shown = [one.partition(" %")[0] + " %" for one in page.all("td", "num")[: 2 * len(keys)]]
    assert shown == [show(name, one[name]["value"]) for name in keys for one in numbers]
    assert shown[:2] == ["100.0 %", "100.0 %"]
    assert page.all("th", "run")[1:3] == ["1 outcome-only", "2 hybrid"]
    assert page.all("", "outlined") == [
        "24 right, no reason matched 100.0 % 12 items"
    ]  # the other run has none of them
    assert page.all("title") == ["outcome-only vs hybrid · rmaudit"]
    says = page.all("div", "verdicts")[0]
    assert "100 % of those verdicts come without a single reason" in says
    assert "0 % of those verdicts come without a single reason" in says
    for run in runs:
        assert run.manifest().target.digest[:12] in says
    assert "12 of 12 items shown" in page.text
    assert not page.all("ul", "warnings")


def test_runs_that_differ_in_more_than_the_model_are_marked() -> None:
    runs = [run_set(vague, "one"), run_set(vague, "two", spec="synth:4:12:slogan")]
    page = page_of(*runs)
    assert "These runs differ in more than the model (set)" in page.all("ul", "warnings")[0]
    # The sets share ids but not contents: each item is shown apart, with its own run alone.
    assert "24 of 24 items shown" in page.text
    assert {len(item.runs) for item in report_view(runs).evidence.items} == {1}


# Runs without much in them.


def bare(item: Item, **update: object) -> Item:
    return item.model_copy(update={"repairs": None, "controls": None, **update})


def all_of(view: ReportView, key: str) -> list[str]:
    return [line.value for measure in view.measures if measure.key == key for line in measure.lines]


def test_a_run_without_a_readable_answer_renders() -> None:
    run = run_set(unreadable)
    view = report_view([run])
    assert all_of(view, "accuracy") == ["0.0 %"]
    assert all_of(view, "rc") == ["0.0 %"]
    page = page_of(run)
    assert [one[0] for one in page.all("", "cell")] == ["0", "0", "0", "2"]
    assert page.all("a", "cell") == ["24 wrong, no reason matched 100.0 % 12 items"]
    assert any("no right verdict among them" in text for text in page.all("details", "absent"))


def failed(item: Item, order: str) -> dict[str, str]:
    return {"text": "", "finish_reason": "error", "error": "no answer"}


def test_a_run_without_any_answer_renders() -> None:
    view = report_view([run_set(failed)])
    assert all_of(view, "accuracy") == ["n/a"]
    page = Page(render(view))
    assert page.all("", "cell") == []
    assert "not measured: all 24 observations failed" in page.text
    said = "Whether it picks the right response cannot be said: all 24 observations failed."
    assert view.runs[0].banner.sentence == said


def test_a_set_without_references_renders() -> None:
    run = run_items(vague, [bare(item, reasons=[]) for item in slogans(5)])
    view = report_view([run])
    assert all_of(view, "accuracy") == ["100.0 %"]
    assert all_of(view, "rc") == ["n/a"]
    page = Page(render(view))
    assert "not applicable: no item has reference reasons" in page.text
    assert page.all("", "cell") == []
    assert "The item has no reference reasons" in page.text
    assert "Its reasons, not matched" in page.text


def test_one_item_in_one_order_renders() -> None:
    view = report_view([run_set(faithful, spec="synth:3:1:slogan", orders="ab")])
    page = Page(render(view))
    assert "1 of 1 item shown" in page.text
    assert "needs both orders of an item" in page.text
    assert page.all("td", "n")[0] == "1 item"


def test_ties_are_told_as_ties() -> None:
    def answers(item: Item, order: str) -> str:
        return "1. Response A and Response B are equal.\n\n\\boxed{A=B}"

    items = [bare(item, label="tie", strength=None) for item in slogans(3)]
    page = page_of(run_items(answers, items))
    assert "Response A · labelled a tie" in page.all("h4")
    assert "Calls it a tie: right" in page.text
    assert page.all("span", "wrong") == []  # a tie is never right for the wrong reasons


def test_samples_are_told_apart() -> None:
    items = load_set("synth:3:1:slogan").items
    rows = [
        {"item": items[0].id, "order": order, "sample": sample, "text": faithful(items[0], order)}
        for order in ("ab", "ba")
        for sample in (0, 1)
    ]
    Path("two.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    config = ScanConfig(
        target="replay:two.jsonl", sets=("synth:3:1:slogan",), out=Path("run"), samples=2
    )
    view = report_view([scan(make_plan(config), Silent()).run])
    titles = [answer.title for answer in view.evidence.items[0].runs[0].answers]
    assert titles == [
        "Response A shown first, sample 0",
        "Response A shown first, sample 1",
        "Response B shown first, sample 0",
        "Response B shown first, sample 1",
    ]


def test_an_unfinished_run_is_refused_with_what_to_do() -> None:
    run = run_set(faithful)
    (run.path / METRICS).unlink()
    with pytest.raises(InputError, match=METRICS):
        write_html([run], Path("report.html"))
    assert not Path("report.html").exists()


def test_a_run_that_lacks_an_answer_is_refused() -> None:
    run = run_set(faithful)
    (run.path / "generations.jsonl").unlink()
    with pytest.raises(InputError, match=r"generations\.jsonl lacks the row"):
        write_html([run], Path("report.html"))


def test_a_folder_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="no folder nowhere"):
        write_html([run_set(faithful)], Path("nowhere/report.html"))
