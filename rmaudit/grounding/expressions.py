"""The expressions behind `grounding`: quotes, numbers in their forms, and cues around them.

All take time linear in the text, since reasons may be hostile.
"""

from __future__ import annotations

import re

from rmaudit.grounding.figures import UNITS

CODE = re.compile(r"`{1,3}([^`]{1,400})`{1,3}")
QUOTE = re.compile(
    r"\"([^\"]{1,400})\"|“([^“”]{1,400})”|„([^“”„]{1,400})[“”]"
    r"|«([^«»]{1,400})»|「([^「」]{1,400})」|『([^『』]{1,400})』"
    r"|‘([^‘’]{1,400}(?:’\w[^‘’]{0,400})?)’(?!\w)"
    r"|(?<![\w'])'([^']{1,400}(?:(?<=\w)'\w[^']{0,400})?)'(?!\w)"
)
ELLIPSIS = re.compile(r"\s*(?:\[\s*\.{3}\s*\]|\.{3,})\s*")  # after NFKC, which spells … out

SIDE = re.compile(
    r"\b(?:response|assistant|answer|candidate|model|output|option|reply|completion)s?\s"
    r"(?:(?P<a>[aA]|1)|(?P<b>[bB]|2))(?!\w|[.,]\d)(?:['’]s\b)?",
    re.IGNORECASE,
)
"""A response by its name; its letter or number is no claim."""

RATING = re.compile(
    r"(?<![\w.,/])\d{1,3}(?:\.\d{1,3})?\s?(?:/|out of)\s?(?:5|10|100)(?!\w|[.,/]\d)"
)
"""A grade that the model gives; no evidence, unless the texts hold it."""

COMPOSITE = re.compile(r"(?<![\w.,])\d+(?:[-:/]\d+)+(?!\w)|(?<![\w.,])\d+(?:\.\d+){2,}(?!\w)")
"""A date, a time, a version: one thing of several numbers."""

DATA = re.compile(r"[\[{](?:[^\[\]{}]|[\[{][^\[\]{}]{0,80}[\]}]){0,200}[\]}]")
"""Brackets, perhaps with others inside: data, as code is quoted without quotation marks."""

TIMES = re.compile(
    r"(?<![\w.,])(?:(?P<digits>\d{1,6})|(?P<word>[a-z]{3,9}))\s(?:separate\s|different\s)?times\b"
    r"|\b(?P<adverb>once|twice|thrice)\b",
    re.IGNORECASE,
)
UNIT = re.compile(
    r"(?:[\s-](?!(?:is|was|are|in|of|and|or|to|as|for|at|by)\b)[^\W\d]{1,20})?[\s-](?:"
    + "|".join(f"(?P<u{k}>{unit.names})" for k, unit in enumerate(UNITS))
    + r")(?!\w)",
    re.IGNORECASE,
)
"""What follows a number that counts: `5 bullets`, `90-character`, `three short sentences`."""

_MEASURES = (
    "euros|dollars|pounds|cents|francs|rupees|percents?|grams|kilos|kilograms|tons|tonnes|ounces"
    "|metres|meters|kilomet(?:re|er)s|miles|inches|feet|litres|liters|gallons|seconds|minutes|hours"
    "|days|weeks|months|years|degrees|watts|volts|bytes"
)
NOUN = re.compile(
    r"[\s-](?:[^\W\d]{2,20}[\s-]){0,2}?"
    rf"(?!(?:is|was|as|its|this|{_MEASURES})\b)[^\W\d]{{2,20}}s\b",
    re.IGNORECASE,
)
"""A plural: the number before it may be a count of things that no program knows, no measure."""

PLACE = re.compile(
    r"\b(?:line|step|paragraph|section|bullet|item|point|sentence|entry|number|no\.|part)\s#?\Z",
    re.IGNORECASE,
)
BOUND = re.compile(
    r"\b(?:(?P<over>more than|over|above|exceed(?:s|ing)?|beyond|at least)"
    r"|(?P<under>less than|fewer than|under|below|at most|within|up to)"
    r"|(?P<about>about|around|roughly|approximately|nearly|almost))\s\Z",
    re.IGNORECASE,
)

SEGMENT = re.compile(
    r"[,;:()!?](?!\d)|\.(?=\s|\Z)|\s-{1,2}\s|—"
    r"|\b(?=(?:but|while|whereas|although|though|yet|where|because|so|instead|rather|and)\b)",
    re.IGNORECASE,
)
"""Where the part of a sentence ends that a cue speaks for."""

NORM = re.compile(
    r"\b(?:should|would|must|ought|could|expect\w*|suppos\w*|instead of|rather than|actual\w*"
    r"|in fact|is (?:the )?(?:correct|right|true)|(?:correct|right|true|real|proper|better)"
    r" (?:\w{1,20} )?(?:is|was|answer|value|result|term|word|option|total|name|formula|number"
    r"|choice)|i|my|we|our|own|needs?|needed|requir\w*|return\w*|prints?|outputs?|evaluat\w*"
    r"|yields?|rais\w*)\b|\A\W*(?:although|though|where)\b",
    re.IGNORECASE,
)
"""What is said to be so outside of the texts: as it should be, or by the model's own work."""

ARITHMETIC = re.compile(r"\d\W{0,3}[-+×÷*/=]\W{0,3}\d")
"""The model's own sum."""

ABSENT = re.compile(
    r"\b(?:miss\w*|lack\w*|omit\w*|absen\w*|without|never|no|not|nor|neither|fail\w*|forg[eo]t\w*"
    r"|ignor\w*|skip\w*|left out|leav\w*|drops?|dropped|nowhere|avoid\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
"""What is quoted is said not to be there."""
