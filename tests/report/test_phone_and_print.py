"""Phone, print and links of a report in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.report_browser import page_of as page_of
from support.report_browser import report as report

from rmaudit.__main__ import run

pytestmark = pytest.mark.browser

PAGES = ["one.html", "report.html", "filed.html"]
CARDS = """() => [...document.querySelectorAll("table tbody tr")]
    .filter((row) => row.checkVisibility())
    .map((row) => ({
        text: row.innerText,
        card: getComputedStyle(row).display === "block"
            && getComputedStyle(row).borderTopWidth !== "0px",
        named: [...row.querySelectorAll("th")].some((one) => one.checkVisibility()),
        cells: [...row.querySelectorAll("td")]
            .filter((cell) => cell.checkVisibility())
            .map((cell) => getComputedStyle(cell, "::before").content),
        wide: Math.max(...[...row.querySelectorAll("td, th")]
            .map((c) => c.scrollWidth - c.clientWidth)),
        slim: Math.min(...[...row.querySelectorAll("td")]
            .filter((c) => c.checkVisibility()).map((c) => c.clientWidth)),
    }))"""
OVERLAPS = """() => {
    const found = [];
    for (const row of document.querySelectorAll("table tr")) {
        const boxes = [...row.children].filter((c) => c.checkVisibility()).map((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return [range.getBoundingClientRect(), cell.innerText];
        });
        for (let k = 0; k + 1 < boxes.length; k++) {
            const [[a, one], [b, two]] = [boxes[k], boxes[k + 1]];
            if (one && two && a.width && b.width && a.right > b.left + 1 && a.bottom > b.top + 1
                && b.bottom > a.top + 1) found.push([one, two]);
        }
    }
    return found;
}"""


SAYS = "(said) => document.querySelector('#filters output').textContent === said"


@pytest.fixture(scope="module")
def pages(report: Path) -> Path:
    """The pages of `report`, and one without texts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(report.parent)
        words = ["report", "praising", "--baseline", "grounded", "--html", "--no-text"]
        assert run([*words, "--out", "filed.html"]) == 0
    return report.parent


def opened(page: Any) -> Any:
    """The page with everything that can be opened open."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    return page


@pytest.mark.parametrize(("name", "dark"), [*((name, False) for name in PAGES), ("one.html", True)])
def test_a_phone_shows_every_row_as_a_card_with_labels(
    page_of: Callable[..., Any], pages: Path, name: str, dark: bool
) -> None:
    page = opened(page_of(pages / name, width=390, height=844, dark=dark))
    rows = page.evaluate(CARDS)
    assert len(rows) > 60
    for row in rows:
        assert row["card"], row
        assert row["named"], row
        assert all(re.fullmatch(r'"[^"]+"', label) for label in row["cells"]), row
        assert row["slim"] > 200, row  # no value in a column of single letters
        assert row["wide"] <= 1, row
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("name", PAGES)
def test_nothing_overlaps_and_nothing_scrolls_sideways(
    page_of: Callable[..., Any], pages: Path, name: str
) -> None:
    page = page_of(pages / name)
    for width in (360, 700, 800, 1101, 1280, 1600):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if width > 760:
            assert page.evaluate(OVERLAPS) == [], width


def test_a_record_for_filing_takes_at_most_four_pages(
    page_of: Callable[..., Any], pages: Path
) -> None:
    page = page_of(pages / "filed.html")
    pdf = page.pdf(format="A4")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 4
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1020})
    assert page.evaluate("document.documentElement.scrollWidth") <= 718
    assert page.evaluate(OVERLAPS) == []


@pytest.mark.parametrize("name", ["one.html", "report.html"])
def test_each_link_opens_as_many_items_as_it_says(
    page_of: Callable[..., Any], pages: Path, name: str
) -> None:
    page = page_of(pages / name)
    links = page.eval_on_selector_all(
        "a[href^='#']", "(all) => all.map((one) => [one.getAttribute('href'), one.innerText])"
    )
    assert len(links) > 8
    findings = page.locator(".findings li")
    assert findings.count() > 2
    assert page.locator(".findings li a.items").count() == findings.count()
    shown = page.locator("#list > details:not([hidden])")
    for href, text in links:
        count = re.search(r"([\d,]+)(?: of [\d,]+)? items?", text)
        assert count, text
        page.evaluate("(href) => { location.hash = href; }", href)
        said = f"{count[1]} of 30 shown"
        page.wait_for_function(SAYS, arg=said, timeout=5000)
        assert shown.count() == int(count[1]) > 0


def test_each_of_several_runs_opens_its_own_items(page_of: Callable[..., Any], pages: Path) -> None:
    page = page_of(pages / "report.html")
    # `grounded` has nothing to open; the link of `praising` names its run.
    (link,) = page.locator(".verdict .next a").all()
    assert "run=2" in link.get_attribute("href")
    link.click()
    page.wait_for_selector("button[data-run='2'][aria-pressed=true]")
    assert "run=2" in page.url
    page.locator("button[data-run='1']").click()
    # Of `grounded` no item is right for the wrong reasons.
    assert page.inner_text("#filters output") == "0 of 30 shown"
    chip = page.locator("button[data-facet=cell][value='right, no reason matched'] span")
    assert chip.inner_text() == "0"
    page.keyboard.press("Escape")
    assert page.locator("#list > details:not([hidden])").count() == 30


def test_an_address_with_names_of_the_language_breaks_nothing(
    page_of: Callable[..., Any], pages: Path
) -> None:
    page = page_of(pages / "one.html")
    for name in ("constructor", "__proto__", "toString", "nothing"):
        address = f"#sort={name}&{name}=1&run={name}&item={name}&q="
        page.evaluate("(address) => { location.hash = address; }", address)
        page.wait_for_function(SAYS, arg="30 of 30 shown", timeout=5000)
        assert page.input_value("#filters select") == "worst"
