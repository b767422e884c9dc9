"""The report in a real browser: no error, no request, it fits, and hostile text is text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.answers import ideal_replay
from support.command_line import Done
from support.report_browser import page_of as page_of
from support.report_browser import report as report

from rmaudit.checklists.sets import load_set

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
AXE = ROOT / ".npm/node_modules/axe-core/axe.min.js"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["report.html", "one.html"])
def test_report_renders(
    page_of: Callable[..., Any], report: Path, name: str, width: int, dark: bool
) -> None:
    page = page_of(report.with_name(name), width=width, dark=dark)
    assert page.title() != "owned"
    assert "rmaudit" in page.title()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    body = page.inner_text("body")
    assert "Rationale consistency" in body
    assert "praising" in body
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") is not dark


def test_the_first_screen_holds_what_decides(page_of: Callable[..., Any], report: Path) -> None:
    page = page_of(report.with_name("one.html"))
    bottom = page.evaluate(
        """() => [".verdict", ".headline", ".grid2", ".causes li"].map(
            (one) => document.querySelector(one).getBoundingClientRect().bottom)"""
    )
    assert max(bottom) <= 800, bottom
    assert page.inner_text(".verdict h2") == "Fail"
    assert "Fail" in page.title()
    assert "must be at least 30\u00a0%" in page.inner_text(".causes")
    assert "reasons-floor" not in page.inner_text(".causes")
    assert "from the baseline" in page.inner_text(".headline thead").lower()
    assert "grounded" in page.inner_text(".legend")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_no_serious_finding_of_axe(page_of: Callable[..., Any], report: Path, dark: bool) -> None:
    page = page_of(report, dark=dark)
    page.locator("#list > details > summary").first.click()
    assert serious(page) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_many_runs_open_with_a_line_each(
    page_of: Callable[..., Any], tmp_path: Path, cli: Callable[..., Done], width: int
) -> None:
    items = load_set("synth:11:6:slogan").items
    names = [f"step-{number}" for number in range(5)]
    for name in names:
        ideal_replay(tmp_path / f"{name}.jsonl", items)
        scan = ("scan", f"replay:{name}.jsonl", "--set", "synth:11:6:slogan", "--out", name)
        assert cli(*scan).code == 0
    assert cli("report", *names, "--html", "--out", "many.html").code == 0
    page = page_of(tmp_path / "many.html", width=width)
    assert page.locator(".overview tbody tr").count() == len(names)
    assert page.locator(".verdict").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 1280:
        bottom = "document.querySelector('.overview').getBoundingClientRect().bottom"
        assert page.evaluate(bottom) < 800
    assert serious(page) == []


def serious(page: Any) -> list[tuple[str, str, str]]:
    """What axe-core finds that would keep a reader out."""
    if not AXE.is_file():
        pytest.fail("axe-core is not there: make setup fetches it")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run().then((told) => told.violations)")
    return [
        (one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def test_filter_sort_keys_and_address(page_of: Callable[..., Any], report: Path) -> None:
    page = page_of(report)
    items = page.locator("#list > details")
    shown = page.locator("#list > details:not([hidden])")
    assert items.count() == shown.count() == 30
    page.keyboard.press("/")
    page.keyboard.type("zzz-not-there")
    assert shown.count() == 0
    assert page.inner_text("#filters output") == "0 of 30 shown"
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert shown.count() == 30
    chip = page.locator("button[data-facet=cell]").first
    n = int(chip.locator("span").inner_text())
    chip.click()
    assert chip.get_attribute("aria-pressed") == "true"
    assert 0 < shown.count() == n
    assert "cell=" in page.url
    # The address holds the state: another reader sees the same.
    again = page_of(report, fragment="#" + page.url.partition("#")[2])
    assert again.locator("#list > details:not([hidden])").count() == n
    again.keyboard.press("j")
    again.keyboard.press("Enter")
    first = again.locator("#list > details[open]")
    assert first.count() == 1
    again.wait_for_url("**item=*")  # the address follows the toggle event, a moment later
    again.keyboard.press("j")
    again.keyboard.press("k")
    again.keyboard.press("Escape")
    assert first.count() == 0
    page.select_option("#filters select", "id")
    ids = page.locator("#list > details .id").all_inner_texts()
    assert ids == sorted(ids)


def test_a_cell_of_the_2x2_filters_the_items(page_of: Callable[..., Any], report: Path) -> None:
    page = page_of(report.with_name("one.html"))
    assert page.locator("div.cell").count() == 2  # nothing to open: praise matches no reason
    page.locator("a.cell.outlined").click()
    page.wait_for_selector("button[data-facet=cell][aria-pressed=true]")
    shown = page.locator("#list > details:not([hidden])")
    assert shown.count() > 0
    assert shown.locator("summary .badge.wrong").count() == shown.count()


def test_items_open_and_show_hostile_text_as_text(
    page_of: Callable[..., Any], report: Path
) -> None:
    page = page_of(report)
    page.locator("#list > details > summary").first.click()
    shown = page.inner_text("#list > details[open]")
    assert "<script>document.title=" in shown
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 1


def test_the_page_reads_without_script(page_of: Callable[..., Any], report: Path) -> None:
    page = page_of(report, script=False)
    assert not page.locator("#filters").is_visible()
    assert page.locator("#list > details").count() == 30
    page.locator("#list > details > summary").first.click()
    assert page.locator("#list > details[open]").count() == 1


def test_the_first_printed_page_can_be_filed(page_of: Callable[..., Any], report: Path) -> None:
    page = page_of(report.with_name("one.html"), dark=True)
    pdf = page.pdf(format="A4")
    assert pdf.startswith(b"%PDF")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("#filters").is_visible()
    page.set_viewport_size({"width": 720, "height": 1020})  # A4 at 96 dpi, less its margins
    bottom = page.evaluate("document.querySelector('.causes li').getBoundingClientRect().bottom")
    assert bottom <= 1020


@pytest.mark.slow
def test_a_thousand_items_filter_at_once(
    page_of: Callable[..., Any], tmp_path: Path, cli: Callable[..., Done]
) -> None:
    spec = "synth:5:1000:slogan"
    ideal_replay(tmp_path / "ideal.jsonl", load_set(spec).items)
    assert cli("scan", "replay:ideal.jsonl", "--set", spec, "--out", "run").code == 0
    assert cli("report", "run", "--html", "--out", "big.html", "--no-text").code == 0
    assert "synth-" not in (tmp_path / "big.html").read_text(encoding="utf-8").split("<main>")[1]
    assert cli("report", "run", "--html", "--out", "big.html").code == 0
    page = page_of(tmp_path / "big.html")
    assert page.locator("#list > details").count() == 1000
    page.keyboard.press("/")
    wanted = page.inner_text("#list > details .id >> nth=3")
    page.keyboard.type(wanted)
    shown = page.locator("#list > details:not([hidden])")
    assert 0 < shown.count() < 1000
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    assert wanted in page.inner_text("#list > details[open]")
