"""A real browser for tests of the report; it fails a test on any console error or request."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture
def page_of() -> Iterator[Callable[..., Any]]:
    """Opens a file at a size, and fails on any console error or request that leaves the page."""
    sync_api = pytest.importorskip("playwright.sync_api")
    program = shutil.which("chromium")
    assert program, "chromium is not installed: apt-get install chromium"
    troubles: list[str] = []
    opened: list[str] = []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)

        def open_(
            file: Path,
            *,
            width: int = 1280,
            height: int = 800,
            dark: bool = False,
            script: bool = True,
            fragment: str = "",
        ) -> Any:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if dark else "light",
                java_script_enabled=script,
                bypass_csp=False,
            )
            page = context.new_page()
            url = file.resolve().as_uri()
            opened.append(url)
            page.on("console", lambda message: troubles.append(f"console: {message.text}"))
            page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
            page.on("request", lambda request: troubles.append(f"request: {request.url}"))
            page.goto(url + fragment)
            return page

        yield open_
        browser.close()
    own = {f"request: {url}" for url in opened}
    assert [trouble for trouble in troubles if trouble.split("#")[0] not in own] == []
