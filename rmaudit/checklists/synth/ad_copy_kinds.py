"""Sentences of the family `ad-copy`: how a brief asks, how an ad states, how a reason blames.

Keys are slots; `a+b` is one sentence for two slots. In wordings `{right}` is what the brief
demands or forbids and `{wrong}` is what the response says.
"""

from __future__ import annotations

from rmaudit.checklists.synth.base import worded
from rmaudit.checklists.synth.rules import FaultKind

PROMPTS = (
    "Write ad copy for {name}, {product}.",
    "We are launching {name}, {product}, and need an advertisement.",
    "Draft a piece of advertising copy for {product} called {name}.",
    "Our client sells {product} named {name}. Write the ad.",
    "I need a few lines of advertising for {name}, {product}.",
    "Please write the text of a magazine ad for {name}, which is {product}.",
)  # fmt: skip
OPENINGS = (
    "Meet {name}, the {word} {product}.", "{name} is the {word} {product}.",
    "This is {name}, the {word} {product}.", "Say hello to {name}, the {word} {product}.",
    "The {word} {product} is here, and its name is {name}.",
)  # fmt: skip
LINES: dict[str, tuple[str, ...]] = {
    "price": worded(
        "{price}", ("The price is", "It costs", "Take it home for"),
        ("in every shop", "this season", "and not a cent more"),
    ),
    "discount": worded(
        "{discount} off", ("Launch week takes", "Early buyers get", "The first order has"),
        ("the full price", "as a welcome", "at the till"),
    ),
    "code": worded(
        "{code}", ("At checkout, enter", "The code to type is", "Remember the word"),
        ("before paying", "with every order", "in capital letters"),
    ),
    "date": worded(
        "{date}", ("The launch offer runs until", "The offer ends on", "The last day is"),
        ("at closing time", "and not later", "in every branch"),
    ),
    "place": worded(
        "{place}", ("It is on sale in", "Shops stock it in", "{name} is on display in"),
        ("from this week", "at several counters", "before anywhere else"),
    ),
    "idea": worded(
        "{idea}", ("It is", "This {product} is", "Above all, it is"),
        ("from the first day", "and stays that way", "by design"),
    ),
    "second_idea": worded(
        "{second_idea}", ("What is more, it is", "Naturally, it is", "{name} is also"),
        ("without any effort", "as announced", "every single day"),
    ),
    "audience": worded(
        "{audience}", ("{name} was made for", "Every detail was drawn for", "Here is news for"),
        ("and their friends", "in all seasons", "with little time"),
    ),
    "colour": worded(
        "{colour}", ("It comes in", "Choose it in", "This season it wears"),
        ("from top to bottom", "with a matt finish", "and little else"),
    ),
    "rival": worded(
        "{rival} {product},", ("Unlike the", "Next to the", "Put beside the"),
        ("it keeps things simple", "it does more for less", "it looks fresh"),
    ),
    "promise": worded(
        "{promise}", ("Every order comes with", "Each one ships with", "Online orders include"),
        ("as a rule", "on request", "from day one"),
    ),
    "tag": worded(
        "{tag}", ("Share the first try with", "Share a picture with", "Mark the first day with"),
        ("this week", "over coffee", "right away"),
    ),
    "voice": worded(
        "{voice}", ("It settles into", "It suits", "It was made to go with"),
        ("without fuss", "and asks for little", "rather well"),
    ),
    "price+date": (
        "It costs {price} until {date}.", "The price stays at {price} until {date}.",
        "Take it home for {price} before the offer ends on {date}.",
    ),
    "price+place": ("Pick one up in {place} for {price}.", "In {place} it is on sale for {price}."),
    "discount+code": (
        "The code {code} takes {discount} off.", "Enter {code} at checkout and save {discount}.",
    ),
    "discount+date": ("Save {discount} until {date}.", "There is {discount} off until {date}."),
    "idea+second_idea": ("It is {idea} and {second_idea}.", "It is {second_idea}, and {idea} too."),
    "idea+audience": (
        "Made for {audience}, it is {idea}.", "For {audience} it had to be {idea}, and it is.",
    ),
    "place+date": (
        "Until {date} it is on show in {place}.", "The launch offer in {place} runs until {date}.",
    ),
}  # fmt: skip
ASKS: dict[str, tuple[str, ...]] = {
    "price": (
        "State the price, {right}.", "Mention that it costs {right}.",
        "The price to print is {right}.",
    ),
    "discount": (
        "Announce the launch discount of {right}.", "Mention the discount: {right} off.",
        "Say that there is {right} off.",
    ),
    "code": (
        "Include the voucher code {right}.", "Give the checkout code {right}.",
        "Readers must find the code {right} in it.",
    ),
    "date": (
        "Say that the offer ends on {right}.", "Give {right} as the last day of the offer.",
        "The offer runs until {right}; say so.",
    ),
    "place": (
        "Say that it is sold in {right}.", "Name {right} as the city where it is on sale.",
        "Mention that it can be found in {right}.",
    ),
    "idea": (
        'Work in the phrase "{right}".', 'Say in these words that it is "{right}".',
        'One selling point must appear verbatim: "{right}".',
    ),
    "second_idea": (
        'Also use the words "{right}".', 'Describe it as "{right}", word for word.',
        'The copy has to contain "{right}".',
    ),
    "audience": (
        "Name the people it is for: {right}.", 'Use the words "{right}" for the audience.',
        'Address it to a clear audience and call them "{right}".',
    ),
    "colour": (
        'Name the colour "{right}".', "Mention that it comes in {right}.",
        "The colour on sale is {right}; say so.",
    ),
    "headline": (
        'Open with the line "{right}"', 'The first sentence must be "{right}"',
        'Start with exactly this headline: "{right}"',
    ),
    "call": (
        'End with the call to action "{right}"', 'The last sentence must be "{right}"',
        'Close with exactly these words: "{right}"',
    ),
    "word": (
        'Do not use the word "{right}".', 'Avoid the word "{right}".',
        'The word "{right}" is off limits.',
    ),
    "rival": (
        "Do not name our competitor {right}.", "Leave the rival brand {right} out of it.",
        "Never mention {right}, a competitor.",
    ),
    "promise": (
        "Do not promise {right}; we cannot offer it.",
        "Legal has ruled out any mention of {right}.", "Say nothing about {right}.",
    ),
    "cry": (
        'Work in the words "{right}", but use no exclamation marks anywhere.',
        'Use the phrase "{right}" and not a single exclamation mark.',
        'Early on, say "{right}"; exclamation marks are not allowed.',
    ),
    "tag": (
        "Include the hashtag {right}.", "Put the hashtag {right} into the text.",
        "Use our campaign hashtag {right}.",
    ),
    "no_tag": (
        "Do not use any hashtag.", "No hashtags, please.", "Leave out hashtags of any kind.",
    ),
    "you": (
        'Say that it suits the reader\'s {right}, and address the reader as "you" or "your".',
        'Speak to the reader directly, with "you" or "your", and say that it suits their {right}.',
        'Mention the reader\'s {right} in the second person ("you", "your").',
    ),
    "no_you": (
        'Say that it suits the {right}, but never write "you" or "your".',
        'Say that it goes with the {right}, without addressing the reader as "you" or "your".',
        'Mention the {right}, and avoid the second person ("you", "your") throughout.',
    ),
}  # fmt: skip
KINDS: dict[str, FaultKind] = {
    "name": FaultKind("wrong_name", 3, (
        "{side} calls the {product} {wrong} instead of {right}.",
        "The {product} is named {right}, but {side} advertises {wrong}.",
        "{side} gets the name wrong: it writes {wrong} where the brief says {right}.",
        "The name {right} never appears in {side}, which sells {wrong}.",
    )),
    "price": FaultKind("wrong_price", 3, (
        "{side} gives the price as {wrong} instead of {right}.",
        "The price should be {right}, but {side} states {wrong}.",
        "A price of {wrong} is printed in {side}; the brief sets {right}.",
        "{side} never states the price of {right}; it charges {wrong}.",
    )),
    "discount": FaultKind("wrong_discount", 3, (
        "{side} offers {wrong} off although the discount is {right}.",
        "The discount is {right}, yet {side} advertises {wrong}.",
        "In {side} the discount of {right} has become {wrong}.",
        "{side} states a discount of {wrong} instead of {right}.",
    )),
    "code": FaultKind("wrong_code", 3, (
        "{side} prints the code {wrong} instead of {right}.",
        "The voucher code is {right}, but {side} gives {wrong}.",
        "With {wrong} in {side} where {right} belongs, the code would not work.",
        "The code {right} is missing from {side}, which has {wrong}.",
    )),
    "date": FaultKind("wrong_date", 2, (
        "{side} says that the offer ends on {wrong} instead of {right}.",
        "The offer ends on {right}, but {side} gives {wrong}.",
        "In {side} the deadline is {wrong}, although the brief sets {right}.",
        "{side} moves the end of the offer from {right} to {wrong}.",
    )),
    "place": FaultKind("wrong_place", 2, (
        "{side} places the sale in {wrong} instead of {right}.",
        "It is sold in {right}, but {side} sends people to {wrong}.",
        "The city {right} is not mentioned in {side}; {wrong} stands there.",
        "{side} names {wrong} as the city, although the brief says {right}.",
    )),
    "idea": FaultKind("missing_phrase", 2, (
        '{side} leaves out the required phrase "{right}" and says "{wrong}".',
        'The words "{right}" had to appear, but {side} has "{wrong}" instead.',
        'The selling point "{right}" is missing from {side}.',
        '{side} never says "{right}", as the brief demands.',
    )),
    "second_idea": FaultKind("missing_phrase", 2, (
        '{side} leaves out the required phrase "{right}" and says "{wrong}".',
        'The words "{right}" had to appear, but {side} has "{wrong}" instead.',
        'The selling point "{right}" is missing from {side}.',
        '{side} never says "{right}", as the brief demands.',
    )),
    "audience": FaultKind("wrong_audience", 1, (
        "{side} is written for {wrong} instead of {right}.",
        "The audience was {right}, but {side} names {wrong}.",
        'In {side} the words "{right}" are missing; the ad turns to {wrong}.',
        "{side} addresses {wrong}, although the brief is for {right}.",
    )),
    "colour": FaultKind("wrong_colour", 1, (
        "{side} gives the colour as {wrong} instead of {right}.",
        "The colour should be {right}, and {side} says {wrong}.",
        "In {side} it comes in {wrong}; the brief asks for {right}.",
        "{side} does not mention {right}; its colour is {wrong}.",
    )),
    "headline": FaultKind("wrong_opening", 2, (
        '{side} does not open with "{right}"',
        '{side} starts with "{wrong}" where the brief wants "{right}"',
        'The first sentence of {side} is "{wrong}" although "{right}" was required.',
        'The required opening "{right}" is missing from {side}.',
    )),
    "call": FaultKind("wrong_call_to_action", 2, (
        '{side} does not end with the call to action "{right}"',
        '{side} closes with "{wrong}" where the brief wants "{right}"',
        'The last sentence of {side} is "{wrong}" although "{right}" was required.',
        'The call to action "{right}" is missing from the end of {side}.',
    )),
    "word": FaultKind("banned_word", 1, (
        '{side} uses the forbidden word "{right}".',
        'The word "{right}" was ruled out, yet it appears in {side}.',
        '{side} contains "{right}", which the brief does not allow.',
        'In {side} the product is called "{right}" against the brief.',
    )),
    "rival": FaultKind("names_rival", 2, (
        "{side} names the competitor {right}.",
        "The brief keeps {right} out of the ad, but {side} mentions it.",
        "{side} compares the product with {right}, a rival that must not be named.",
        "The rival brand {right} appears in {side} although it was excluded.",
    )),
    "promise": FaultKind("forbidden_promise", 3, (
        "{side} promises {right}, which the brief rules out.",
        "Nothing was to be said about {right}, but {side} offers it.",
        "An offer of {right} appears in {side} against the brief.",
        '{side} tells customers that they get "{right}", although that is not allowed.',
    )),
    "cry": FaultKind("exclamation_mark", 1, (
        '{side} puts an exclamation mark after "{right}".',
        'The exclamation mark in "{right}!" breaks the brief for {side}.',
        '{side} writes "{right}!" although exclamation marks are not allowed.',
        'No exclamation mark was allowed, but {side} has one in "{right}!"',
    )),
    "tag": FaultKind("missing_hashtag", 1, (
        "{side} leaves out the hashtag {right}.", "The hashtag {right} is missing from {side}.",
        "The brief asks for {right}, but {side} does not include it.",
        "{side} speaks of {wrong} where the hashtag {right} should stand.",
    )),
    "no_tag": FaultKind("forbidden_hashtag", 1, (
        "{side} uses the hashtag {right} although hashtags are not allowed.",
        "The hashtag {right} in {side} breaks the brief.",
        "No hashtags were wanted, yet {side} includes {right}.",
        "{side} contains {right}, a hashtag, against the request.",
    )),
    "you": FaultKind("reader_not_addressed", 1, (
        '{side} never says "you" or "your": it speaks of "{wrong}".',
        'With "{wrong}" instead of "{right}", the reader is not addressed in {side}.',
        'The reader should be addressed directly, but {side} writes "{wrong}".',
        '{side} has "{wrong}" where the brief asks for the second person.',
    )),
    "no_you": FaultKind("reader_addressed", 1, (
        '{side} addresses the reader with "{wrong}", which the brief rules out.',
        'The words "{wrong}" in {side} break the ban on "you" and "your".',
        'The second person was to be avoided, but {side} writes "{wrong}".',
        '{side} says "{wrong}" instead of "{right}" and so speaks to the reader.',
    )),
}  # fmt: skip
