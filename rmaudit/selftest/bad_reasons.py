"""Reasons that say nothing of use, by flaw (taxonomy of arXiv 2602.04649), and other bad habits.

`{side}` is the response as shown. F4, F6 and F7 are made from the facts of an item, so their
lists hold frames: `{fact}` is a fact, `{fault}` a true fault.
"""

from __future__ import annotations

FLAWED: dict[str, list[str]] = {
    "F1": [
        "The formatting of {side} is cluttered.",
        "{side} has a stiff and formal tone.",
        "{side} is longer than it needs to be and the layout suffers.",
        "The paragraphs of {side} are not pleasant to look at.",
        "{side} could use nicer formatting.",
        "The style of {side} feels flat.",
        "{side} is wordy.",
        "{side} reads less smoothly, with a choppy rhythm.",
        "The tone of {side} is not friendly enough.",
        "{side} lacks polish in its presentation.",
    ],
    "F2": [
        "{side} is less accurate.",
        "{side} is not correct.",
        "{side} contains mistakes.",
        "The content of {side} is wrong in places.",
        "{side} is of lower quality and less correct.",
        "There are several errors in {side}.",
        "{side} has accuracy problems.",
        "{side} gets things wrong.",
        "Overall {side} is less reliable and less correct.",
        "{side} is inaccurate.",
    ],
    "F3": [
        "{side} is less relevant to the request.",
        "{side} does not really follow the instructions.",
        "{side} does not answer what the user asked.",
        "{side} is less helpful to the user.",
        "{side} misses the point of the request.",
        "{side} does not fully address the task.",
        "{side} follows the prompt less closely.",
        "{side} is off topic in places.",
        "{side} ignores some of what was requested.",
        "{side} meets fewer of the user's needs.",
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
