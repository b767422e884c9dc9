"""The report as one HTML file: nothing loaded, all text from data as text.

Model answers are untrusted. Every value is escaped, control characters are shown as �, and a
content security policy allows the one stylesheet and the one script by their hashes and nothing
else. The script holds no data: it sorts and filters what stands in the page.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import jinja2

from rmaudit import __version__
from rmaudit.errors import InputError
from rmaudit.escaping import plain
from rmaudit.report.plot import HEIGHT, PAD, WIDTH
from rmaudit.report.repair import RepairView, read_repair, runs_of
from rmaudit.report.sections import PLANE
from rmaudit.report.view import ReportView, report_view
from rmaudit.resources import folder
from rmaudit.run.directory import RunDir
from rmaudit.run.disk import write_atomic

_UNIT = re.compile(r"(?<=\d) (?=%|points?\b)")
TEMPLATE, STYLESHEET, SCRIPT = "report.html.j2", "report.css", "report.js"


def write_html(
    runs: Sequence[RunDir],
    out: Path,
    *,
    baseline: RunDir | None = None,
    with_text: bool = True,
    repair: RepairView | None = None,
) -> Path:
    """Writes the report of one or more runs, whole or not at all, and returns its path.

    `baseline` is what deltas are against; without `with_text` no prompt, response or answer is in
    the page.

    Raises:
        InputError: a run is unfinished or damaged, or the folder of `out` is not there.
        RmauditError: the disk.
    """
    if not out.parent.is_dir():
        raise InputError(f"no folder {out.parent}", "make it, or name another file with --out")
    view = report_view(runs, baseline=baseline, with_text=with_text, repair=repair)
    write_atomic(out, render(view))
    return out


def write_repair(folder: Path, out: Path, *, with_text: bool = True) -> Path:
    """The same of a finished repair: what changed first, then both runs."""
    runs = runs_of(folder)
    repair = read_repair(folder, with_text=with_text)
    return write_html(runs, out, with_text=with_text, repair=repair)


def render(view: ReportView) -> str:
    """The page; the same bytes for the same view."""
    templates = folder("templates") / "report"
    style = (templates / STYLESHEET).read_text(encoding="utf-8")
    script = (templates / SCRIPT).read_text(encoding="utf-8")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.globals.update(
        axis={"width": WIDTH, "height": HEIGHT, "pad": PAD}, side=PLANE, several=False
    )
    environment.filters["kept"] = _kept
    return environment.get_template(TEMPLATE).render(
        view=view,
        version=__version__,
        style=style,
        style_hash=_csp_hash(style),
        script=script,
        script_hash=_csp_hash(script),
    )


def _shown(value: object) -> object:
    """What the page shows of a value; markup of our own templates passes as it is."""
    if type(value) is str:
        return plain(value.replace("\r\n", "\n"))
    return value


def _kept(text: str) -> str:
    """A text whose numbers keep their units on the same line."""
    return _UNIT.sub("\u00a0", text)


def _csp_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
