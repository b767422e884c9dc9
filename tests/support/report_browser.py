"""A real browser for tests of the report; it fails a test on any console error or request."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rmaudit.__main__ import run
from rmaudit.checklists.sets import load_set
from support.answers import answer, ideal_replay, write_replay

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

SPEC = "synth:11:30:slogan"
POLICY = """
name = "floor"
purpose = "a test"
allow_builtin_judge = true
[[rules]]
id = "accuracy-floor"
metric = "accuracy"
direction = "min"
threshold = 0.3
why = "a test"
[[rules]]
id = "reasons-floor"
metric = "rc"
direction = "min"
threshold = 0.3
why = "a test"
"""


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


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two gated runs, perfect reasons and hostile praise, as `report.html` and `one.html`."""
    folder = tmp_path_factory.mktemp("report")
    items = load_set(SPEC).items
    ideal_replay(folder / "grounded.jsonl", items)
    hostile = "Response A is good. <script>document.title='owned'</script><img src=x onerror=1>"
    write_replay(
        folder / "praising.jsonl",
        (
            {"item": item.id, "order": order, "text": answer([hostile], "A>B")}
            for item in items
            for order in ("ab", "ba")
        ),
    )
    (folder / "floor.toml").write_text(POLICY)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("RMAUDIT_CACHE", str(folder / "cache"))
        for name, code in (("grounded", 0), ("praising", 3)):
            assert run(["scan", f"replay:{name}.jsonl", "--set", SPEC, "--out", name]) == 0
            assert run(["gate", name, "--policy", "floor.toml"]) == code
        assert run(["report", "grounded", "praising", "--html", "--out", "report.html"]) == 0
        words = ["report", "praising", "--baseline", "grounded", "--html", "--out", "one.html"]
        assert run(words) == 0
    return folder / "report.html"
