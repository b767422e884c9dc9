"""The report in a real browser: no error, no request, it fits, and hostile text is text."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import Done, answer, ideal_replay, write_replay

from rmaudit.checklists.load import load_set

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

SPEC = "synth:11:30:slogan"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture
def page_of(tmp_path: Path) -> Iterator[Callable[..., sync_api.Page]]:
    """Opens a file at a width, and fails on any console error or request that leaves the page."""
    program = shutil.which("chromium")
    assert program, "chromium is not installed: apt-get install chromium"
    troubles: list[str] = []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)

        def open_(file: Path, *, width: int, dark: bool = False) -> sync_api.Page:
            page = browser.new_page(
                viewport={"width": width, "height": 800},
                color_scheme="dark" if dark else "light",
            )
            page.on("console", lambda message: troubles.append(f"console: {message.text}"))
            page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
            page.on("request", lambda request: troubles.append(f"request: {request.url}"))
            page.goto(file.resolve().as_uri())
            return page

        yield open_
        browser.close()
    assert [trouble for trouble in troubles if "report.html" not in trouble] == []


@pytest.fixture
def report(tmp_path: Path, cli: Callable[..., Done]) -> Path:
    """Two runs: perfect reasons, and hostile praise."""
    items = load_set(SPEC).items
    ideal_replay(tmp_path / "grounded.jsonl", items)
    hostile = "Response A is good. <script>document.title='owned'</script><img src=x onerror=1>"
    write_replay(
        tmp_path / "praising.jsonl",
        (
            {"item": item.id, "order": order, "text": answer([hostile], "A>B")}
            for item in items
            for order in ("ab", "ba")
        ),
    )
    for name in ("grounded", "praising"):
        assert cli("scan", f"replay:{name}.jsonl", "--set", SPEC, "--out", name).code == 0
    assert cli("report", "grounded", "praising", "--html", "--out", "report.html").code == 0
    return tmp_path / "report.html"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_report_renders(
    page_of: Callable[..., sync_api.Page], report: Path, width: int, dark: bool
) -> None:
    page = page_of(report, width=width, dark=dark)
    assert page.title() != "owned"
    assert "rmaudit" in page.title()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    body = page.inner_text("body")
    assert "Rationale consistency" in body
    assert "grounded" in body
    assert "praising" in body
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") is not dark


def test_items_open_and_show_hostile_text_as_text(
    page_of: Callable[..., sync_api.Page], report: Path
) -> None:
    page = page_of(report, width=1280)
    page.locator("#items summary, details summary").first.click()
    shown = page.inner_text("details[open]")
    assert "<script>document.title=" in shown
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 0
