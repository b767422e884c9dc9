"""The seal of a finished run: a hash of its manifest, which holds the hashes of all other files.

It detects accidents and stale files: what is edited, lost or mixed after the end of a run shows.
It does not stop a forger, who can make the seal as well.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

SEAL = "seal"
SEALED_FROM = 4
"""The schema version since which finished runs have a seal."""


def seal_of(record: Mapping[str, Any]) -> str:
    """sha256 of a JSON record without its seal, whatever its spacing and order of keys."""
    content = {name: value for name, value in record.items() if name != SEAL}
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def sealed(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with its seal."""
    return {**record, SEAL: seal_of(record)}
