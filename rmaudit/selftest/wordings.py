"""How a judge words a true fault, by kind: in other words than the generator's references.

`{side}` is the response as shown, `{0}`, `{1}` the facts of the fault in the order of `meta.facts`.
Each kind mixes short and long, plain and fussy wordings, the side first or last.
"""

from __future__ import annotations

SLOGAN: dict[str, tuple[str, ...]] = {
    "slogan/wrong_name": (
        "{side} markets the product under the name {1}, whereas the client called it {0}.",
        "{side} is about something called {1}; the requested name was {0}.",
        "Wrong product name in {side}: {1} rather than {0}.",
    ),
    "slogan/missing_idea": (
        "{side} fails to bring up that it is {0}.",
        'There is no word about "{0}" in {side}.',
        "{side} forgets the {0} feature that the request insists on.",
    ),
    "slogan/banned_word": (
        'The word "{0}" turns up in {side} even though it was banned.',
        "{side} breaks the ban on '{0}'.",
        'The request prohibits "{0}", yet {side} uses it.',
    ),
    "slogan/wrong_city": (
        "{side} says it comes from {1}, but {0} was specified.",
        "The origin is misstated in {side}: {1} and not {0}.",
        "{side} puts the shipping place in {1} where the user wanted {0}.",
    ),
    "slogan/wrong_price": (
        "{side} quotes {1} dollars, which is not the requested {0}.",
        "The cost in {side} is wrong: {1} dollars rather than {0} dollars.",
        "The user asked for a price of {0} dollars and {side} prints {1}.",
    ),
}

AD_COPY: dict[str, tuple[str, ...]] = {
    "ad-copy/wrong_name": (
        "{side} advertises {1}, though the product is {0}.",
        "The product's name is wrong in {side}, which says {1} rather than {0}.",
        "{side} should promote {0} but talks about {1}.",
    ),
    "ad-copy/wrong_call_to_action": (
        '{side} should close with "{0}" and closes with "{1}" instead.',
        'The required final sentence "{0}" does not appear in {side}.',
        '{side} swaps the call to action "{0}" for "{1}".',
    ),
    "ad-copy/banned_word": (
        '{side} includes "{0}", one of the words that were ruled out.',
        'The term "{0}" was not allowed, but {side} has it.',
        "{side} violates the ban on '{0}'.",
    ),
    "ad-copy/wrong_colour": (
        "{side} gets the colour wrong: {1} where {0} was asked for.",
        "The brief says {0}; {side} says {1}.",
        "{side} describes it in {1} and not in {0}.",
    ),
    "ad-copy/wrong_code": (
        "The voucher in {side} reads {1}, which should be {0}.",
        "{side} has the incorrect code {1} in place of {0}.",
        "Customers would type {1} after reading {side}, but the valid code is {0}.",
    ),
    "ad-copy/wrong_discount": (
        "{side} promises {1} off although the deal is {0}.",
        "The saving is misstated in {side}: {1} rather than {0}.",
        "{side} must say {0} but says {1}.",
    ),
    "ad-copy/wrong_place": (
        "{side} mentions {1} where the shop is in {0}.",
        "The town is wrong in {side} ({1} and not {0}).",
        "{side} replaces {0} with {1}.",
    ),
    "ad-copy/exclamation_mark": (
        'Exclamation marks were forbidden, yet {side} shouts "{0}!".',
        '{side} has an exclamation mark behind "{0}" against the instructions.',
        'In {side} the words "{0}" end in an exclamation mark, which was prohibited.',
    ),
    "ad-copy/wrong_audience": (
        "{side} speaks to {1} rather than {0}.",
        "The target group should be {0}; {side} aims at {1} by mistake.",
        "{side} picks the wrong readers: {1} instead of {0}.",
    ),
    "ad-copy/wrong_price": (
        "{side} asks {1} for it, while the price is {0}.",
        "The amount {1} in {side} is incorrect, {0} was given.",
        "{side} misquotes the price as {1} rather than {0}.",
    ),
    "ad-copy/names_rival": (
        "{side} brings up the competitor {0}, which the client did not want.",
        "{0} should never be mentioned, but {side} does so.",
        "{side} names {0} despite the explicit ban on that rival.",
    ),
    "ad-copy/missing_phrase": (
        'The wording "{0}" was compulsory and {side} lacks it.',
        '{side} leaves out the phrase "{0}".',
        '{side} omits "{0}", which had to be said in these words.',
    ),
    "ad-copy/reader_addressed": (
        '{side} speaks to the reader directly with "{1}" although that was ruled out.',
        'With "{1}" {side} uses the second person, which the brief forbids.',
        '{side} should not address the reader but writes "{1}" where "{0}" would do.',
    ),
    "ad-copy/reader_not_addressed": (
        '{side} writes "{1}" and so fails to address the reader with "{0}".',
        'The second person was requested, but {side} stays with "{1}".',
        '{side} never addresses the reader; it says "{1}" rather than "{0}".',
    ),
    "ad-copy/wrong_opening": (
        '{side} begins with "{1}" where "{0}" was demanded.',
        'The compulsory first sentence "{0}" is replaced by "{1}" in {side}.',
        '{side} does not open with "{0}".',
    ),
    "ad-copy/forbidden_promise": (
        '{side} offers "{0}", a promise that was off limits.',
        "The client forbade promising {0}, but {side} promises it.",
        '{side} includes the prohibited claim "{0}".',
    ),
    "ad-copy/over_limit": (
        "{side} is too long: it exceeds the limit of {0}.",
        "The maximum is {0} and {side} goes over it.",
        "{side} runs longer than the {0} that were allowed.",
    ),
    "ad-copy/under_limit": (
        "{side} is too short, below the minimum of {0}.",
        "At least {0} were required; {side} has fewer.",
        "{side} does not reach the {0} that the request sets as the least.",
    ),
    "ad-copy/wrong_date": (
        "{side} ends the offer on {1}, but the right date is {0}.",
        "The date {1} in {side} should be {0}.",
        "{side} misstates the last day as {1} rather than {0}.",
    ),
    "ad-copy/forbidden_hashtag": (
        "{side} adds {0} even though hashtags were banned.",
        "The hashtag {0} in {side} was not wanted.",
        "{side} contains {0}, and the brief prohibits hashtags.",
    ),
    "ad-copy/missing_hashtag": (
        "{side} forgets the hashtag {0}.",
        "{0} had to appear, and {side} does not have it.",
        "The required tag {0} is absent from {side}.",
    ),
}

FORMATS: dict[str, tuple[str, ...]] = {
    "formats/forbidden_item": (
        '{side} puts "{0}" on the list against the instructions.',
        'The request says to leave out "{0}", but {side} includes it.',
        '"{0}" was excluded, and {side} still has it.',
    ),
    "formats/missing_item": (
        '{side} does not list "{0}".',
        '"{0}" was required and {side} omits it in favour of "{1}".',
        '{side} has "{1}" where "{0}" belongs.',
    ),
    "formats/wrong_first_bullet": (
        '{side} starts the bullets with "{1}" rather than "{0}".',
        'The first bullet should be "{0}", not "{1}" as in {side}.',
        '"{0}" is not the first bullet of {side}.',
    ),
    "formats/wrong_bold": (
        'The bold entry of {side} is "{1}" instead of "{0}".',
        '{side} emphasises "{1}" in bold, but "{0}" should be bold.',
        '{side} fails to set "{0}" in bold.',
    ),
    "formats/wrong_heading": (
        '{side} carries the heading "{1}" rather than "{0}".',
        'The heading of {side} is wrong: "{1}" and not "{0}".',
        'The request demands the heading "{0}", but {side} has "{1}".',
    ),
    "formats/wrong_first_line": (
        'The opening line of {side} is "{1}", although "{0}" was specified.',
        '{side} should start with "{0}" and starts with "{1}".',
        '{side} has the wrong first line: "{1}" rather than "{0}".',
    ),
    "formats/wrong_last_line": (
        '{side} closes with "{1}" instead of "{0}".',
        'The last line should read "{0}"; {side} reads "{1}".',
        '{side} has the wrong final line, "{1}" rather than "{0}".',
    ),
    "formats/forbidden_word": (
        'The forbidden word "{0}" shows up in {side}.',
        '{side} should not contain "{0}" but does.',
        "{side} violates the ban on '{0}'.",
    ),
    "formats/over_limit": (
        "{side} is too long: it exceeds the limit of {0}.",
        "The maximum is {0} and {side} goes over it.",
        "{side} runs longer than the {0} that were allowed.",
    ),
    "formats/under_limit": (
        "{side} is too short, below the minimum of {0}.",
        "At least {0} were required; {side} has fewer.",
        "{side} does not reach the {0} that the request sets as the least.",
    ),
    "formats/too_many_bullets": (
        "{side} has {1} bullets where {0} were requested.",
        "There are too many bullet points in {side}: {1} rather than {0}.",
    ),
    "formats/too_few_bullets": (
        "{side} stops at {1} bullets although {0} were requested.",
        "Too few bullet points in {side}: {1} rather than {0}.",
    ),
    "formats/too_many_lines": (
        "{side} has {1} lines where {0} were requested.",
        "There are too many lines in {side}: {1} rather than {0}.",
    ),
    "formats/too_few_lines": (
        "{side} has only {1} lines although {0} were requested.",
        "Too few lines in {side}: {1} rather than {0}.",
    ),
    "formats/missing_key": (
        'The key "{0}" is absent from {side}; it calls it "{1}".',
        '{side} renames the required key "{0}" to "{1}".',
        '{side} has no "{0}" key.',
    ),
    "formats/forbidden_key": (
        'The key "{0}" was not allowed, but {side} has it.',
        '{side} includes the unwanted key "{0}".',
        '"{0}" should not be in the object, and {side} adds it anyway.',
    ),
    "formats/array_too_long": (
        'The array "{0}" of {side} has {1} entries, which is too many.',
        '{side} lists {1} strings under "{0}", more than requested.',
    ),
    "formats/array_too_short": (
        'The array "{0}" of {side} has only {1} entries.',
        '{side} lists too few strings under "{0}": {1}.',
    ),
    "formats/string_as_number": (
        '{side} writes "{0}" as the bare number {1} where a string was required.',
        'The quotes around {1} for "{0}" are missing in {side}.',
    ),
    "formats/number_as_string": (
        '{side} turns the number {1} of "{0}" into a string.',
        '"{0}" should be a number, but {side} quotes it as "{1}".',
    ),
    "formats/wrong_flag": (
        'The value of "{0}" is the wrong boolean in {side}.',
        '{side} flips "{0}" to the opposite of what was asked.',
    ),
    "formats/wrong_value": (
        '{side} says "{1}" where the request says "{0}".',
        'The value "{1}" in {side} is incorrect; it should be "{0}".',
        '{side} replaces "{0}" with "{1}".',
    ),
    "formats/wrong_number": (
        "{side} has the number {1} where {0} was given.",
        "The figure {1} in {side} is wrong, it should be {0}.",
    ),
    "formats/wrong_amount": (
        '{side} reads "{1}" rather than "{0}".',
        'The line "{1}" in {side} is incorrect; "{0}" was given.',
    ),
    "formats/wrong_date": (
        "{side} has the date {1}, which should be {0}.",
        "The date is wrong in {side}: {1} rather than {0}.",
    ),
    "formats/date_format": (
        "{side} formats the date as {1} and not as {0}.",
        "The date must be written {0}, but {side} writes {1}.",
    ),
}

WORDINGS = SLOGAN | AD_COPY | FORMATS
"""Wordings by `family/kind`."""
