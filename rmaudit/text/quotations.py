"""What stands in quotation marks or code marks."""

from __future__ import annotations

import regex

QUOTED = regex.compile(
    r"\"([^\"]{1,200})\"|“([^”]{1,200})”|`([^`]{1,200})`|«([^»]{1,200})»|「([^」]{1,200})」"
    r"|(?<![\w'])'([^']{1,200})'(?!\w)|‘([^’]{1,200})’(?!\w)"
)


def quotations(text: str) -> list[str]:
    """What stands in quotation marks or code marks in a reason."""
    return [match[match.lastindex] for match in QUOTED.finditer(text) if match.lastindex]
