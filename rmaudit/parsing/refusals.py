"""Whether a model declines to judge, told from short texts that open with a known formula."""

from __future__ import annotations

import re

_SHORT = 600
_HELP = (
    r"(?:help|assist|comply|fulfil|engage|provide|participate|evaluate|compare|judge|continue|do|"
    r"answer|support|discuss|create|generate|rate|respond|process|choose|determine)"
)
_UNABLE = r"(?:can['’]?t|cannot|can not|won['’]?t|will not|am unable|am not able|must decline)"
_REFUSAL = re.compile(
    r"\W{0,4}(?:"
    r"(?:(?:i['’]?m|i am) (?:very |really |so )?(?:sorry|afraid)|sorry|apologies|i apologi[sz]e|"
    rf"unfortunately)\b[^\n]{{0,80}}?\b(?:{_UNABLE}|unable|not able|decline)\b"
    rf"|(?:as an? (?:ai|language model|assistant)[^\n]{{0,80}}?)?i (?:{_UNABLE}|decline|refuse)"
    rf"(?: to)? (?:\w{{1,12}}ly )?{_HELP}\b"
    rf"|i['’]m (?:unable|not able|not comfortable)\b[^\n]{{0,20}}?\b{_HELP}"
    r"|(?:很?抱歉|对不起|不好意思|我)[^\n]{0,20}(?:无法|不能|拒绝)"
    r")",
    re.IGNORECASE,
)


def refuses(answer: str) -> bool:
    """Whether a text without verdict and reasons declines; only short ones are taken for it."""
    return len(answer) <= _SHORT and bool(_REFUSAL.match(answer.strip()))
