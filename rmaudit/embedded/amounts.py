"""Numbers, ordinals, times, money and shares in one spelling, so that equal amounts read the same.

`sixty-seven dollars and twenty cents`, `$67.20` and `67.2 dollars` become `67.2 dollars`;
`half past eight` becomes `8:30`, `the 5th` becomes `the 5`, `a dozen` becomes `12`. Of `one` and
`first` to `third` only compounds count: alone they are words more often than amounts.
"""

from __future__ import annotations

import re

from rmaudit.embedded.amounts_foreign import without_foreign_amounts
from rmaudit.embedded.lexicon import MONTHS

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
_DOZEN = re.compile(r"\b(half )?(?:an?|one) dozen\b|\b(half)[ -]dozen\b", re.IGNORECASE)
_HALF_HOUR = re.compile(r"\bhalf an hour\b|\b(?:a )?half-hour\b", re.IGNORECASE)
_DAY_HALF = (
    r"(?:\s?(?P<half>[ap]\.?m\b\.?)|(?: o['’]clock)?"
    r" (?:in the (?P<part>morning|afternoon|evening)|at (?P<night>night)))"
)
_PAST = re.compile(
    rf"(?<!from )\b(half|quarter|\d{{1,2}})(?: minutes)? (past|to) (\d{{1,2}})\b(?!:){_DAY_HALF}?"
    r"(?P<ends>(?=\s*(?:[.,;:!?)]|\Z|(?:instead|rather|when|where|while|but|not|and|is|was|as|for|in"
    r"|in response)\b)))?",
    re.IGNORECASE,
)
_TWELVE = re.compile(rf"\b(\d{{1,2}})(?:[:.](\d\d))?{_DAY_HALF}", re.IGNORECASE)
_HOUR = re.compile(r"\b(\d{1,2}) o['’]clock\b", re.IGNORECASE)
_MONEY = re.compile(r"([$£€])\s?(\d[\d,]*(?:\.\d+)?)")
_CURRENCY = {"$": "dollars", "£": "pounds", "€": "euros"}
_CENTS = re.compile(
    r"\b(\d+) (dollars?|pounds?|euros?) (?:(?:and )?(\d{1,2}) (?:cents?|pence|p)\b"
    r"|(\d\d)\b(?! (?!is|was|as|has)\w+s\b)(?!:))"
)
_HOURS = re.compile(
    r"\b(\d+|an?) hours? and (?:(\d+) minutes|a (half|quarter))\b"
    r"|\b(\d+|an?) and a (half|quarter) hours?\b",
    re.IGNORECASE,
)
_MONTH = re.compile(
    r"\b(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?(?= \d)"
    r"|(?<=\d )(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?",
    re.IGNORECASE,
)
_MONTHS = {name[:3]: name.title() for name in MONTHS}
_SLASHED = re.compile(r"(?<![\d/.])(\d{1,2})/(\d{1,2})(?![\d/])")
_DAYS = (
    (re.compile(r"\bnew year['’]s day\b", re.IGNORECASE), "1 January"),
    (re.compile(r"\bnew year['’]s eve\b", re.IGNORECASE), "31 December"),
    (re.compile(r"\bchristmas eve\b", re.IGNORECASE), "24 December"),
    (re.compile(r"\bchristmas day\b", re.IGNORECASE), "25 December"),
    (re.compile(r"\b(?:at|by|until|till|from|before|after) noon\b", re.IGNORECASE), "at 12:00"),
    (re.compile(r"\b(?:at|by|until|till|from|before|after) midnight\b", re.IGNORECASE), "at 0:00"),
    (re.compile(r"\bthree[- ]quarters of an hour\b", re.IGNORECASE), "45 minutes"),
    (re.compile(r"\ba quarter of an hour\b", re.IGNORECASE), "15 minutes"),
    (re.compile(r"\btwo times(?: over)?\b(?! (?:\d|the|an?|as)\b)", re.IGNORECASE), "twice"),
    (re.compile(r"\b(?:at|for) half the price\b|\bhalf off\b", re.IGNORECASE), "50 percent off"),
    (re.compile(r"\b(?:nought|nil)\b", re.IGNORECASE), "0"),
)
"""Days, hours and shares that have a name."""
_SHARE = re.compile(r"(?<=\d)\s?%|\bper\s?cent\b")
_SQUARE = re.compile(r"\bsquare (?:met(?:re|er)s?)\b|m²")
_WORD = re.compile(r"\w+")
_NAMED = frozenset(
    {"year", "christmas", "noon", "midnight", "third", "quarter", "quarters", "half", "times"}
    | {"nought", "nil"}
)
_OTHERS = frozenset(
    (
        "dozen single percent cent past square dollar dollars euro euros pound pounds hour hours "
        "point thirds fifths eighths tenths clock morning afternoon evening night jan feb mar apr "
        "jun jul aug sep sept oct nov dec"
    ).split()
)
_SPELLED = frozenset(_VALUES) | _NAMED | _OTHERS
_FRACTIONS = frozenset(
    "half third thirds quarter quarters fifth fifths eighth eighths tenth tenths".split()
)
_SIGNS = re.compile(r"[$£€%²]|\d(?:st|nd|rd|th|\s?[apAP]\.?[mM])\b|\d/\d")
"""Words, or signs, without which a text has no amount in another spelling: quick to look for."""
_SHARES = re.compile(
    r"(?<![\w-])(?P<times>an?|one|two|three|four|five|seven|\d) "
    r"(?P<part>thirds?|quarters?|fifths?|eighths?|tenths?)(?= (?:off|of|less|more)\b)"
    r"(?! of an hour)",
    re.IGNORECASE,
)
_PARTS = {"third": 3, "quarter": 4, "fifth": 5, "eighth": 8, "tenth": 10}
_POINT = re.compile(r"\b(one|\d+) point ((?:\d )*\d+)\b", re.IGNORECASE)
_AND_A_HALF = re.compile(r"\b(\d+) and (a half|a quarter|three[- ]quarters|3[- ]quarters)\b")
_HALVES = {"a half": ".5", "a quarter": ".25"}


def plain_amounts(text: str) -> str:
    """The text with its amounts in one spelling; everything else stays as it is."""
    words = frozenset(_WORD.findall(text.lower()))
    text = without_foreign_amounts(text, words)
    if words.isdisjoint(_SPELLED) and not _SIGNS.search(text):
        return text
    if not words.isdisjoint(_FRACTIONS):
        text = _SHARES.sub(_share_of, text)
    if not words.isdisjoint(_NAMED):
        for named, value in _DAYS:
            text = named.sub(value, text)
    if not words.isdisjoint(_VALUES):
        text = _RUN.sub(_number, text)
    text = _ORDINAL.sub(r"\1", text)
    if "point" in words:
        text = _POINT.sub(_decimal, text)
    if "dozen" in words:
        text = _DOZEN.sub(lambda match: "6" if match[1] or match[2] else "12", text)
    if "half" in words:
        text = _HALF_HOUR.sub("30 minutes", text)
    if "one" in words or "single" in words:
        text = _SINGLE.sub("only 1", text)
    text = _PAST.sub(_clock, text)
    text = _TWELVE.sub(_full_hour, text)
    text = _HOUR.sub(r"\1:00", text)
    text = _HOURS.sub(_minutes, text)
    if not words.isdisjoint(_FRACTIONS):
        text = _AND_A_HALF.sub(lambda m: m[1] + _HALVES.get(m[2].casefold(), ".75"), text)
    text = _MONTH.sub(lambda match: _MONTHS[(match[1] or match[2])[:3].casefold()], text)
    text = _SLASHED.sub(_slashed, text)
    text = _MONEY.sub(lambda match: f"{match[2]} {_CURRENCY[match[1]]}", text)
    text = _CENTS.sub(lambda match: f"{match[1]}.{int(match[3] or match[4]):02} {match[2]}", text)
    text = _SQUARE.sub("m2", text)
    return _SHARE.sub(" percent", text) if "%" in text or "cent" in words else text


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
        elif 13 <= total + below <= 20 and last < 21 and 10 <= value < 100 and not total:
            below, total = value, below * 100  # a year: eighteen sixty-nine
        elif last and not (value < last and (last >= 100 or (last >= 20 and value < 10))):
            found.append(total + below)
            total, below = 0, value
        else:
            below += value
        last = value
    return [*found, total + below]


def _share_of(match: re.Match[str]) -> str:
    """`two fifths of` is `40 percent of`; what no whole number of a part is stays."""
    lead = match["times"].casefold()
    times = 1 if lead in ("a", "an", "one") else _UNITS.get(lead) or int(lead)
    part = _PARTS[match["part"].casefold().removesuffix("s")]
    return f"{100 * times // part} percent" if times < part else str(match[0])


def _decimal(match: re.Match[str]) -> str:
    """`80 point 5 7` is `80.57`."""
    whole = "1" if match[1].casefold() == "one" else match[1]
    return f"{whole}.{match[2].replace(' ', '')}"


def _clock(match: re.Match[str]) -> str:
    minutes = {"half": 30, "quarter": 15}.get(match[1].casefold())
    minutes = int(match[1]) if minutes is None else minutes
    if match[2].casefold() == "to" and (
        minutes not in (5, 10, 15, 20, 25)
        or (
            match[1].isdigit()
            and not any(match[name] is not None for name in ("ends", "half", "part", "night"))
        )
    ):
        return str(match[0])
    hour = int(match[3])
    if match[2].casefold() == "to":
        hour, minutes = (hour - 2) % 12 + 1, 60 - minutes
    return f"{_in_the_day(hour, match)}:{minutes:02}"


def _full_hour(match: re.Match[str]) -> str:
    return f"{_in_the_day(int(match[1]), match)}:{match[2] or '00'}"


def _in_the_day(hour: int, match: re.Match[str]) -> int:
    """The hour of 24; in the text of no half of the day, as it is."""
    half = (match["half"] or "").casefold()
    late = half.startswith("p") or (match["part"] or "").casefold() in ("afternoon", "evening")
    early = half.startswith("a") or (match["part"] or "").casefold() == "morning"
    if late or match["night"]:
        return hour + 12 if hour < 12 else hour
    return 0 if early and hour == 12 else hour


def _minutes(match: re.Match[str]) -> str:
    """`an hour and a half` is 90 minutes."""
    hours = match[1] or match[4]
    part = {"half": 30, "quarter": 15}.get((match[3] or match[5] or "").casefold())
    more = int(match[2]) if part is None else part
    return f"{60 * (int(hours) if hours.isdigit() else 1) + more} minutes"


def _slashed(match: re.Match[str]) -> str:
    """A date such as `07/19`; where both can be the month, the first of two digits each is."""
    first, second = int(match[1]), int(match[2])
    if len(match[1]) + len(match[2]) < 4 and max(first, second) <= 12:
        return str(match[0])
    month, day = (first, second) if first <= 12 else (second, first)
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return str(match[0])
    return f"{day} {MONTHS[month - 1].title()}"
