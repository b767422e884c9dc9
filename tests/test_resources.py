"""templates/ and checklists/ are found in a checkout and ship inside the wheel."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rmaudit.resources import folder

ROOT = Path(__file__).parents[1]


def test_checkout_has_no_frozen_copy() -> None:
    assert folder("templates") == ROOT / "templates"
    assert not (ROOT / "rmaudit" / "_data").exists()


@pytest.mark.slow
def test_wheel_holds_the_data_and_works_alone(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "-q", "-w", tmp_path, ROOT]
    subprocess.run(build, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if name.startswith("rmaudit/_data/")}
        archive.extractall(tmp_path / "site")
    wanted = {
        f"rmaudit/_data/{path.relative_to(ROOT)}"
        for name in ("templates", "checklists")
        for path in (ROOT / name).rglob("*")
        if path.is_file()
    }
    assert shipped == wanted
    done = subprocess.run(
        [sys.executable, "-m", "rmaudit", "checklist", "list"],
        cwd=tmp_path / "site", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "starter" in done.stdout
