"""Reasons that say nothing of use, by flaw (taxonomy of arXiv 2602.04649), and other bad habits.

`{side}` is the response as shown. F4, F6 and F7 are made from the facts of an item, so their
lists hold frames: `{fact}` is a fact, `{fault}` a true fault.
"""

from __future__ import annotations

FLAWED: dict[str, list[str]] = {
    "F1": [
        "{side} is harder to read.",
        "The formatting of {side} is messy.",
        "{side} has a stiff, formal tone.",
        "{side} is less well organised.",
        "{side} is more verbose than the other response.",
        "The structure of {side} is less clear.",
        "{side} flows less smoothly.",
        "The style of {side} is not as polished.",
        "{side} uses clumsier phrasing.",
        "The layout of {side} is less pleasant to look at.",
        "{side} sounds less friendly.",
        "{side} could be more concise.",
    ],
    "F2": [
        "{side} is less accurate.",
        "{side} is not correct.",
        "{side} contains errors.",
        "The content of {side} is factually wrong.",
        "{side} gives an incorrect answer.",
        "There are several mistakes in {side}.",
        "{side} has accuracy problems.",
        "{side} gets things wrong.",
        "{side} is overall less correct and less reliable.",
        "{side} is inaccurate.",
        "The information in {side} is false.",
        "{side} is more error-prone.",
    ],
    "F3": [
        "{side} is less relevant to the request.",
        "{side} does not follow the instructions as well.",
        "{side} does not answer what the user asked.",
        "{side} does not meet the user's needs.",
        "{side} misses the point of the question.",
        "{side} does not fully address the prompt.",
        "{side} follows the prompt less closely.",
        "{side} is partly off topic.",
        "{side} fails to satisfy the request.",
        "{side} does not stay focused on the task.",
        "{side} is less aligned with what the user wants.",
        "{side} does not comply with the instructions.",
    ],
    "F5": [
        "Some readers might feel that {side} lacks soul.",
        "One senses that little care went into {side}.",
        "{side} could disappoint somebody somewhere.",
        "An expert would probably like {side} less.",
        "{side} does not have the right spirit.",
        "It is likely that {side} was written in a hurry.",
        "Many people would find {side} forgettable.",
        "{side} may age badly.",
        "There is something about {side} that does not convince.",
        "{side} would perhaps do worse in the long run.",
    ],
}

PRAISE_WITH = (
    '{side} says "{fact}", which is exactly what was asked for.',
    "{side} correctly works in {fact}.",
    '{side} does well to include "{fact}".',
    "With {fact}, {side} follows the brief nicely.",
    "{side} respects the wish for {fact}.",
)
PRAISE_WITHOUT = (
    '{side} is right to avoid "{fact}".',
    "{side} does well to stay clear of {fact}.",
)
PRAISE = [
    "{side} is engaging and makes the reader curious.",
    "{side} gives a vivid and accurate picture.",
    "{side} is complete and well thought out.",
    "{side} is helpful and covers what matters.",
    "{side} shows a good understanding of the request.",
]
NON_SEQUITUR = (
    "{fault} This is why {side} is the more creative of the two.",
    "{fault} Hence {side} is easier to read aloud.",
    "{fault} It follows that {side} deserves to win.",
    "{fault} So the user must be an expert.",
)
CONTRADICTION = (
    "{fault} On this very point {side} is flawless.",
    "{fault} At the same time {side} gets exactly this right.",
    "{fault} Yet nothing of the kind is wrong with {side}.",
)
INVENTED = (
    '{side} says "{quote}", which the request does not allow.',
    'The passage "{quote}" in {side} is incorrect.',
    '{side} claims "{quote}" although nothing of the sort was asked for.',
)
QUOTES = (
    "money back within 41 days",
    "the best of its class since 1987",
    "nine out of ten owners",
    "tested by the harbour police",
    "as seen on Channel Four",
    "a second one for half",
    "approved in Zanzibar",
    "sold out twice in Oslo",
    "the only one with 612 parts",
    "recommended by Captain Brandt",
)
SHOTGUN = [
    "{side} gets the name wrong.",
    "{side} states the wrong price.",
    "{side} leaves out a required point.",
    "{side} uses a forbidden word.",
    "{side} names the wrong place.",
    "{side} exceeds the length limit.",
    "{side} has the wrong date.",
    "{side} misses a required phrase.",
    "{side} starts with the wrong line.",
    "{side} ends with the wrong line.",
    "{side} has a wrong number.",
    "{side} contains something that was not asked for.",
]
