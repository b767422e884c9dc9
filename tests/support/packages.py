"""Tests of packages that an install may lack."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def needs(*names: str) -> pytest.MarkDecorator:
    """Skips where a package is missing. Unlike `importorskip` it imports none.

    Each process of a parallel run collects every file: an import of torch at the top of one costs
    two seconds in all of them.
    """
    missing = [name for name in names if find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")
