"""Numbers, ordinals, times, money and shares in one spelling, so that equal amounts read the same.

`sixty-seven dollars and twenty cents`, `$67.20` and `67.2 dollars` become `67.2 dollars`;
`half past eight` becomes `8:30`, `the 5th` becomes `the 5`, `a dozen` becomes `12`. Of `one` and
`first` to `third` only compounds count: alone they are words more often than amounts.
"""

from __future__ import annotations

import re

_UNITS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
_SCALES = {"hundred": 100, "thousand": 1000}
_ORDINAL_UNITS = {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
        "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split(),
        start=1,
    )
}
_ORDINAL_TENS = {f"{word[:-1]}ieth": value for word, value in _TENS.items()}
_ORDINALS = _ORDINAL_UNITS | _ORDINAL_TENS
_VALUES = _UNITS | _TENS | _SCALES | _ORDINALS
_ALONE = frozenset({"one", "first", "second", "third"})

_any = "|".join(sorted(_VALUES, key=len, reverse=True))
_RUN = re.compile(
    rf"\b(?:(?:an?|{_any})[\s-])?(?:{_any})(?:(?:[\s-]|\sand\s)(?:{_any})){{0,8}}\b", re.IGNORECASE
)
_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b")
_SINGLE = re.compile(r"\b(?:an?|one) single\b|\bjust one\b|\bonly one\b", re.IGNORECASE)
_DOZEN = re.compile(r"\b(?:an?|one) dozen\b", re.IGNORECASE)
_PAST = re.compile(r"\b(half|quarter|\d{1,2})(?: minutes)? past (\d{1,2})\b", re.IGNORECASE)
_QUARTER_TO = re.compile(r"\bquarter to (\d{1,2})\b", re.IGNORECASE)
_MONEY = re.compile(r"([$£€])\s?(\d[\d,]*(?:\.\d+)?)")
_CURRENCY = {"$": "dollars", "£": "pounds", "€": "euros"}
_CENTS = re.compile(r"\b(\d+) (dollars?|pounds?|euros?) and (\d{1,2}) (?:cents?|pence|p)\b")
_SHARE = re.compile(r"(?<=\d)\s?%|\bper\s?cent\b")
_SQUARE = re.compile(r"\bsquare (?:met(?:re|er)s?)\b|m²")
_SPELLED = re.compile(
    rf"[$£€%²]|\d(?:st|nd|rd|th)\b|dozen|single|one|per ?cent|past|quarter|square|{_any}",
    re.IGNORECASE,
)


def plain_amounts(text: str) -> str:
    """The text with its amounts in one spelling; everything else stays as it is."""
    if not _SPELLED.search(text):
        return text
    text = _RUN.sub(_number, text)
    text = _ORDINAL.sub(r"\1", text)
    text = _DOZEN.sub("12", text)
    text = _SINGLE.sub("only 1", text)
    text = _PAST.sub(_clock, text)
    text = _QUARTER_TO.sub(lambda match: f"{(int(match[1]) - 2) % 12 + 1}:45", text)
    text = _MONEY.sub(lambda match: f"{match[2]} {_CURRENCY[match[1]]}", text)
    text = _CENTS.sub(lambda match: f"{match[1]}.{int(match[3]):02} {match[2]}", text)
    text = _SQUARE.sub("m2", text)
    return str(_SHARE.sub(" percent", text))


def _number(match: re.Match[str]) -> str:
    """The value of a run of number words; runs that are none stay."""
    words = [word for word in re.split(r"[\s-]+", match[0].casefold()) if word != "and"]
    if _ALONE.issuperset(words):
        return str(match[0])
    article = words[0] in ("a", "an")
    if article and not (len(words) > 1 and words[1] in _SCALES):
        lead, _, rest = match[0].partition(" ")
        again = _RUN.fullmatch(rest)
        return f"{lead} {_number(again) if again else rest}"
    values = [1 if word in ("a", "an") else _VALUES[word] for word in words]
    return " ".join(map(str, _sums(values)))


def _sums(values: list[int]) -> list[int]:
    """Values of adjacent number words, added up where they form one number."""
    found: list[int] = []
    total = below = 0
    last = 0
    for value in values:
        if value in (100, 1000) and total + below:
            if value == 100:
                below = max(below, 1) * 100
            else:
                total, below = (total + below) * 1000, 0
        elif last and not (value < last and (last >= 100 or (last >= 20 and value < 10))):
            found.append(total + below)
            total, below = 0, value
        else:
            below += value
        last = value
    return [*found, total + below]


def _clock(match: re.Match[str]) -> str:
    minutes = {"half": 30, "quarter": 15}.get(match[1].casefold())
    return f"{match[2]}:{int(match[1]) if minutes is None else minutes:02}"
