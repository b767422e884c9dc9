"""Sentences of the family `formats`: how a request asks, and how a reason blames.

Keys are slots of a list or roles of a JSON field. In wordings `{right}` is what the request demands
or forbids and `{wrong}` is what the response has; with JSON either may be the key, see `JSON_ASKS`.
"""

from __future__ import annotations

from rmaudit.checklists.synth.rules import FaultKind

Asks = dict[str, tuple[str, ...]]

LIST_PROMPTS = (
    "Write {a_title} for {purpose} as a bulleted list.",
    "I need {a_title} for {purpose}, with one bullet point per entry.",
    "Please put together {a_title} for {purpose}. Use bullet points.",
    "Make {a_title} for {purpose} in bullet points.",
    "Draft {a_title} for {purpose}: a line of introduction, then bullet points.",
)  # fmt: skip
HEADINGS = (
    "{title}: {place}", "# {title}: {place}", "{title} ({place})", "{title}, {place} edition",
)  # fmt: skip
INTROS = (
    "This {word} {title} is for {purpose}.", "Below is the {word} {title} for {purpose}.",
    "Here is our {word} {title} for {purpose}.", "For {purpose}, use this {word} {title}.",
)  # fmt: skip
LAST_LINES = (
    "Questions go to {person}.", "Last checked by {person}.", "Put together by {person}.",
    "Please send changes to {person}.",
)  # fmt: skip
LIST_ASKS: Asks = {
    "heading": (
        'The first line must read "{right}".', 'Start with the heading "{right}".',
        'Put "{right}" on the first line, exactly like that.',
    ),
    "last": (
        'The last line must read "{right}"', 'End with the line "{right}"',
        'Finish with exactly this sentence: "{right}"',
    ),
    "amount": (
        'Include the line "{right}".', 'One line has to state "{right}".',
        'After the bullets, write "{right}".',
    ),
    "item": (
        'The entry "{right}" has to be there.', 'Make sure that "{right}" is on it.',
        'Do not forget "{right}".',
    ),
    "second_item": ('Include "{right}".', 'Also list "{right}".', 'It has to contain "{right}".'),
    "third_item": (
        'Another must is "{right}".', 'We also need "{right}" on it.', 'Add "{right}" too.',
    ),
    "taboo": (
        'Do not list "{right}".', 'Leave out "{right}".', 'The entry "{right}" must not appear.',
    ),
    "word": (
        'Do not use the word "{right}".', 'Avoid the word "{right}".',
        'The word "{right}" must not appear.',
    ),
    "first": (
        'The first bullet must be "{right}".', 'Let the bullets begin with "{right}".',
        'Put "{right}" at the top of the bullets.',
    ),
    "bold": (
        'Set "{right}" in bold with double asterisks, and nothing else.',
        'The only bold entry (**...**) is "{right}".',
        'Mark "{right}" in bold (**...**), no other entry.',
    ),
    "bullets": (
        "Use exactly {right} bullet points.", "The number of bullet points must be {right}.",
        "Write {right} bullet points, no more and no fewer.",
    ),
    "lines": (
        "The whole reply has exactly {right} lines, blank ones not counted.",
        "Write {right} lines in all, not counting blank lines.",
        "Without blank lines, the reply must be {right} lines long.",
    ),
}  # fmt: skip
MISSING_ITEM = FaultKind("missing_item", 2, (
    '{side} leaves out the required entry "{right}".',
    'The entry "{right}" is missing from {side}; "{wrong}" stands there instead.',
    '"{right}" had to be listed, but {side} has "{wrong}" in its place.',
    '{side} never lists "{right}", which the request demands.',
))  # fmt: skip
LIST_KINDS: dict[str, FaultKind] = {
    "heading": FaultKind("wrong_heading", 2, (
        '{side} starts with "{wrong}" instead of "{right}".',
        'The first line should read "{right}", but {side} has "{wrong}".',
        'The required heading "{right}" is missing from {side}.',
        'In {side} the heading is "{wrong}", although "{right}" was asked for.',
    )),
    "last": FaultKind("wrong_last_line", 1, (
        '{side} ends with "{wrong}" where "{right}" was required.',
        'The last line should be "{right}" but in {side} it is "{wrong}"',
        '{side} does not end with the line "{right}"',
        'The closing line "{right}" is missing from {side}.',
    )),
    "amount": FaultKind("wrong_amount", 3, (
        '{side} states "{wrong}" instead of "{right}".',
        'The request says "{right}", but {side} has "{wrong}".',
        'In {side} the figure is wrong: "{wrong}" where "{right}" belongs.',
        'The line "{right}" is missing from {side}, which gives "{wrong}".',
    )),
    "item": MISSING_ITEM,
    "second_item": MISSING_ITEM,
    "third_item": MISSING_ITEM,
    "taboo": FaultKind("forbidden_item", 3, (
        '{side} lists "{right}", which had to be left out.',
        'The entry "{right}" was ruled out, yet it stands in {side}.',
        '{side} contains the forbidden entry "{right}".',
        'Although the request excludes "{right}", it appears in {side}.',
    )),
    "word": FaultKind("forbidden_word", 1, (
        '{side} uses the forbidden word "{right}".',
        'The word "{right}" was ruled out, yet it appears in {side}.',
        '{side} contains "{right}", a word that the request does not allow.',
        'The ban on the word "{right}" is ignored in {side}.',
    )),
    "first": FaultKind("wrong_first_bullet", 1, (
        'The bullets of {side} begin with "{wrong}" instead of "{right}".',
        '{side} puts "{wrong}" at the top, where "{right}" should be.',
        'The first bullet should be "{right}", but in {side} it is "{wrong}".',
        '{side} does not have "{right}" as its first bullet.',
    )),
    "bold": FaultKind("wrong_bold", 1, (
        '{side} sets "{wrong}" in bold instead of "{right}".',
        'The bold entry should be "{right}", but {side} marks "{wrong}".',
        '"{right}" is not in bold in {side}; "{wrong}" is.',
        'In {side} the entry "{right}" lacks the bold type that was asked for.',
    )),
}  # fmt: skip
TOO_MANY_BULLETS = FaultKind("too_many_bullets", 2, (
    "{side} has {wrong} bullet points instead of {right}.",
    "Exactly {right} bullet points were asked for, but {side} lists {wrong}.",
    "With {wrong} bullet points, {side} has more than the {right} required.",
    "The request wants {right} bullets; {side} goes up to {wrong}.",
))  # fmt: skip
TOO_FEW_BULLETS = FaultKind("too_few_bullets", 2, (
    "{side} has only {wrong} bullet points instead of {right}.",
    "Exactly {right} bullet points were asked for, but {side} stops at {wrong}.",
    "With {wrong} bullet points, {side} has fewer than the {right} required.",
    "The request wants {right} bullets; {side} offers just {wrong}.",
))  # fmt: skip
TOO_MANY_LINES = FaultKind("too_many_lines", 2, (
    "{side} has {wrong} lines instead of {right}.",
    "Exactly {right} lines were asked for, but {side} runs to {wrong}.",
    "With {wrong} lines, {side} has more than the {right} required.",
    "The request wants {right} lines; {side} takes {wrong}.",
))  # fmt: skip
TOO_FEW_LINES = FaultKind("too_few_lines", 2, (
    "{side} has only {wrong} lines instead of {right}.",
    "Exactly {right} lines were asked for, but {side} stops at {wrong}.",
    "With {wrong} lines, {side} has fewer than the {right} required.",
    "The request wants {right} lines; {side} fills just {wrong}.",
))  # fmt: skip

# In JSON `{key}` is the key where it is not a fact itself.
JSON_PROMPTS = (
    "Turn {the_record} described here into one JSON object.", "Return {a_record} as a JSON object.",
    "I need {a_record} as JSON.", "Write {a_record} as a single JSON object.",
    "Please encode {a_record} in JSON.",
)  # fmt: skip
ONLY_JSON = (
    "Reply with the JSON object only.", "Give nothing but the object.",
    "No text around the object, please.",
)  # fmt: skip
JSON_ASKS: Asks = {
    "text": (
        'Set "{key}" to "{right}".', 'The value of "{key}" is "{right}".',
        '"{key}" must read "{right}".',
    ),
    "number": (
        'Set "{key}" to the number {right}.', 'The number under "{key}" is {right}.',
        '"{key}" has the value {right}, a number.',
    ),
    "code": (
        'Set "{key}" to the string "{right}".', '"{key}" holds the string "{right}".',
        '"{key}" must be the string "{right}".',
    ),
    "date": (
        'Set "{key}" to {right}, in the form YYYY-MM-DD.',
        'The date under "{key}" is {right} and keeps this ISO form.',
        'Write "{key}" as the ISO date {right}.',
    ),
    "key": (
        'Store the {label}, {value}, under the key "{right}".',
        'The {label} is {value}; its key must be "{right}".',
        'Use the key "{right}" for the {label}, {value}.',
    ),
    "bare": (
        '"{right}" is {value}; make it a number without quotes.',
        'Give "{right}" as a plain number, {value}, not as a string.',
        'The value of "{right}" has to be the number {value}, unquoted.',
    ),
    "quoted": (
        '"{right}" is "{value}"; make it a string, not a number.',
        'Give "{right}" as a string in quotes, "{value}".',
        'The value of "{right}" has to be a string: "{value}".',
    ),
    "flag": (
        'Set "{right}" to {value}.', 'The value of "{right}" is {value}, a boolean.',
        '"{right}" must be {value}.',
    ),
    "array": (
        '"{right}" is an array of exactly {need} strings of your choice.',
        'Fill "{right}" with an array of {need} fitting strings, not more and not fewer.',
        'Choose exactly {need} strings for the array "{right}".',
    ),
    "extra": (
        'You may add one key of your own, but not "{right}".',
        'One further key is welcome as long as it is not "{right}".',
        'Add a key of your choice; "{right}" is not allowed.',
    ),
    "opening": (
        'Put the line "{right}" first, then the object in a json code block.',
        'Begin with "{right}" on a line of its own and give the object in a json code block below.',
        'Above a json code block with the object, write "{right}".',
    ),
}  # fmt: skip
WRONG_VALUE = FaultKind("wrong_value", 3, (
    '{side} sets "{key}" to "{wrong}" instead of "{right}".',
    'The value of "{key}" should be "{right}", but {side} has "{wrong}".',
    'In {side} the key "{key}" holds "{wrong}"; the request says "{right}".',
    '"{right}" belongs under "{key}", where {side} writes "{wrong}".',
))  # fmt: skip
WRONG_NUMBER = FaultKind("wrong_number", 3, (
    '{side} sets "{key}" to {wrong} instead of {right}.',
    'The number under "{key}" should be {right}, but {side} has {wrong}.',
    'In {side} the key "{key}" holds {wrong}; the request says {right}.',
    '{side} gives {wrong} for "{key}", although {right} was stated.',
))  # fmt: skip
WRONG_DATE = FaultKind("wrong_date", 2, (
    '{side} dates "{key}" to {wrong} instead of {right}.',
    'The date under "{key}" should be {right}, but {side} has {wrong}.',
    'In {side} the key "{key}" holds {wrong}, a wrong date; the request says {right}.',
    '{side} gives the date {wrong} for "{key}", although {right} was stated.',
))  # fmt: skip
DATE_FORMAT = FaultKind("date_format", 1, (
    '{side} writes the date of "{key}" as {wrong} and not as {right}.',
    'The form YYYY-MM-DD is not kept in {side}: it has {wrong} for {right}.',
    'The date {right} appears as {wrong} in {side}, which is not the ISO form.',
    '{side} formats the date wrongly, with {wrong} where {right} was asked for.',
))  # fmt: skip
MISSING_KEY = FaultKind("missing_key", 2, (
    '{side} has no key "{right}"; it calls it "{wrong}".',
    'The key "{right}" is missing from {side}, which uses "{wrong}".',
    'The request names the key "{right}", but {side} writes "{wrong}".',
    '{side} stores the {label} under "{wrong}" instead of "{right}".',
))  # fmt: skip
NUMBER_QUOTED = FaultKind("number_as_string", 2, (
    '{side} gives "{right}" as the string "{wrong}" instead of a number.',
    'The value of "{right}" should be the number {wrong}, but {side} puts it in quotes.',
    'In {side} the {wrong} under "{right}" is quoted, so it is not a number.',
    '{side} wraps {wrong} in quotes, although "{right}" must be a number.',
))  # fmt: skip
STRING_BARE = FaultKind("string_as_number", 2, (
    '{side} gives "{right}" as the number {wrong} instead of a string.',
    'The value of "{right}" should be the string "{wrong}", but {side} leaves out the quotes.',
    'In {side} the {wrong} under "{right}" is unquoted, so it is not a string.',
    '{side} writes {wrong} as a bare number, although "{right}" must be a string.',
))  # fmt: skip
WRONG_FLAG = FaultKind("wrong_flag", 2, (
    '{side} sets "{right}" to {opposite} instead of {value}.',
    'The value of "{right}" should be {value}, but {side} has {opposite}.',
    'In {side} the key "{right}" is {opposite}, although the request says {value}.',
    '{side} gets "{right}" the wrong way round: {opposite} for {value}.',
))  # fmt: skip
ARRAY_TOO_LONG = FaultKind("array_too_long", 2, (
    '{side} fills "{right}" with {wrong} strings instead of {need}.',
    'The array "{right}" should have {need} entries, but {side} gives {wrong}.',
    'In {side} there are {wrong} entries under "{right}", more than the {need} asked for.',
    'Only {need} strings belong in "{right}"; {side} has {wrong}.',
))  # fmt: skip
ARRAY_TOO_SHORT = FaultKind("array_too_short", 2, (
    '{side} fills "{right}" with just {wrong} strings instead of {need}.',
    'The array "{right}" should have {need} entries, but {side} stops at {wrong}.',
    'In {side} there are {wrong} entries under "{right}", fewer than the {need} asked for.',
    'As many as {need} strings belong in "{right}"; {side} has {wrong}.',
))  # fmt: skip
FORBIDDEN_KEY = FaultKind("forbidden_key", 2, (
    '{side} contains the forbidden key "{right}".',
    'The key "{right}" was not allowed, yet {side} adds it.',
    '{side} adds "{right}" to the object against the request.',
    'The extra key of {side} is "{right}", the one that was ruled out.',
))  # fmt: skip
WRONG_OPENING = FaultKind("wrong_first_line", 1, (
    '{side} begins with "{wrong}" instead of "{right}".',
    'The line above the code block should be "{right}", but {side} has "{wrong}".',
    'The first line of {side} reads "{wrong}"; "{right}" was asked for.',
    '{side} does not start with the line "{right}".',
))  # fmt: skip
