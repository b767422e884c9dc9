"""The whole report of one small run, letter by letter, so that no change of it goes unseen.

To renew after a change that is meant: RENEW=1 pytest tests/report/test_golden.py, then read the
difference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.command_line import Done
from support.report_runs import boxed, faithful, run_set

from rmaudit.checklists.schema import Item
from rmaudit.report.html import render
from rmaudit.report.quality import CertificateView, JudgeQuality, KnownTruthView, Null
from rmaudit.report.text import markdown
from rmaudit.report.view import ReportView, report_view

GOLDEN = Path(__file__).parent / "golden"
JUDGE = JudgeQuality(
    1,
    1,
    "builtin",
    "checked then: it passed every bar",
    (KnownTruthView("heldout", "0.95", "0.94", "0.93", "+0.010", True),),
    (Null("vague", "0.00", True),),
)
CERTIFICATE = CertificateView(
    "Self-test: 2 planted defects at 5 rates.", "Labels of F5 are recorded."
)
CHANGING = (
    (r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?", "DATE"),
    (r"\b[0-9a-f]{12,64}\b", "HASH"),
    (r"approximate yes, sha256 .*?, rows", "CARD, rows"),
    (r"sha256-[A-Za-z0-9+/=]{44}", "HASH"),
    (r"(<style>).*?(</style>)", r"\1\2"),
    (r"(<script>).*?(</script>)", r"\1\2"),
    (r"\b\d+\.\d+\.\d+\w*\b", "VERSION"),
    (r"(?m)^[ \t]+|[ \t]+$", ""),
)
"""What another day, machine or version changes, and the files that stand beside the template."""


def partly(item: Item, order: str) -> str:
    """Right in one order only, with praise that faults nothing."""
    praise = [f"Response {item.label.upper()} is <b>clearer</b> & more engaging."]
    return boxed(item, order, praise, right=order == "ab")


@pytest.fixture
def view(cli: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ReportView:
    monkeypatch.chdir(tmp_path)
    before = run_set(faithful, "before", spec="synth:3:3:slogan")
    run = run_set(partly, spec="synth:3:3:slogan")
    cli("gate", run.path, "--policy", "pr", "--baseline", before.path)
    found = report_view([run], baseline=before)
    return replace(found, quality=(JUDGE,), certificate=CERTIFICATE)


def same(name: str, text: str) -> None:
    for pattern, instead in CHANGING:
        text = re.sub(pattern, instead, text, flags=re.DOTALL)
    path = GOLDEN / name
    if os.environ.get("RENEW"):
        path.write_text(text + "\n", encoding="utf-8")
    assert text + "\n" == path.read_text(encoding="utf-8")


def test_the_page(view: ReportView) -> None:
    same("report.html", render(view))


def test_markdown(view: ReportView) -> None:
    same("report.md", markdown(view))
