"""Text from models and data made safe for a terminal."""

from __future__ import annotations

import re

# C0 and C1 controls, DEL, and the characters that turn the writing direction around.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(text: str) -> str:
    """`text` with every control character but newline and tab shown as �."""
    return _CONTROL.sub("\ufffd", text)
