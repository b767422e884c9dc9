"""Finds the files that ship beside the code: `templates/` and `checklists/`.

In a wheel they lie in `rmaudit/_data/`; in a checkout at its top. A folder beside the package is
taken only where a `pyproject.toml` stands with it, so that a stray `site-packages/templates` of
another package is never used.
"""

from __future__ import annotations

from pathlib import Path

from rmaudit.errors import RmauditError

_PACKAGE = Path(__file__).parent


def folder(name: str) -> Path:
    """The folder `templates` or `checklists`.

    Raises:
        RmauditError: it is in neither place, so the installation is broken.
    """
    installed = _PACKAGE / "_data" / name
    if installed.is_dir():
        return installed
    checkout = _PACKAGE.parent / name
    if checkout.is_dir() and (_PACKAGE.parent / "pyproject.toml").is_file():
        return checkout
    raise RmauditError(
        f"the folder '{name}' of rmaudit is missing", "install rmaudit again: its files are damaged"
    )
