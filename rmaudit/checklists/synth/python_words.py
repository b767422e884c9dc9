"""The wording of the `python` family: requests, remarks around the code, reasons by kind."""

from __future__ import annotations

from typing import NamedTuple

from rmaudit.checklists.synth.base import worded

CONTEXTS = (
    "a bike rental", "a recipe app", "a library catalogue", "a chess club", "a weather station",
    "a flower shop", "a hiking blog", "a dance school", "a repair café", "a board game shop",
    "a choir", "a city museum", "an aquarium", "a running club", "a tea shop", "a film festival",
)  # fmt: skip
CONSTANTS = (
    "MAX_ROWS", "PAGE_SIZE", "MAX_RETRIES", "CACHE_SIZE", "MAX_USERS", "POLL_SECONDS", "MAX_ITEMS",
    "BATCH_SIZE", "MIN_LENGTH", "BUFFER_SIZE", "MAX_DEPTH", "QUEUE_LIMIT", "MAX_UPLOADS", "TIMEOUT",
)  # fmt: skip

# What the prompt says before the list of functions, and after it.
REQUESTS = (
    "Write a small Python module for {context} with these functions:",
    "I need a Python module for {context}. It should have these functions:",
    "Please write one Python module for {context} that defines the following functions:",
)
STYLE_ASKS = (
    "Keep the names and type hints as given, write a docstring for every function, and define the "
    "constant `{constant}` at the top of the module.",
    "The module starts with the constant `{constant}`. Every function needs a docstring, and names "
    "and type hints must be exactly those above.",
    "Use these signatures unchanged, add a docstring to each function, and put the constant "
    "`{constant}` first.",
)
EXAMPLE_ASKS = (
    "Below the code, state what `{call}` returns{complexity}.",
    "After the code, tell me what `{call}` returns{complexity}.",
)
COMPLEXITY_ASK = ", and in what time `{f}` runs for an input of length n"

OPENINGS = (
    "Here is the module:",
    "Sure, this module has all the functions you asked for:",
    "This should do what you need:",
    "The module below defines everything on your list.",
)
# What stands above the constant; with a blank line in between where it is a docstring.
HEADERS = (
    "",
    "",
    '"""Helpers for {context}."""\n\n',
    '"""Functions used by {context}."""\n\n',
    "# Shared with the rest of the code.\n",
    "# --- Settings -----------------------\n",
)
EXAMPLES = (
    "For example, `{call}` returns `{result}`.",
    "With this code, `{call}` returns `{result}`.",
    "As an example: `{call}` returns `{result}`.",
    "You can check that `{call}` returns `{result}`.",
)
COMPLEXITIES = (
    "`{f}` runs in {order} time.",
    "The function `{f}` runs in {order} time for an input of length n.",
    "As for speed, `{f}` runs in {order} time.",
)

# What every response says of its code besides, each in words of its own: true of any module here.
NOTES: tuple[tuple[str, ...], ...] = (
    worded(
        "nothing beyond the standard library",
        ("The module needs", "All of it uses", "The code asks for"),
        ("so far", "at all", "in this version"),
    ),
    worded(
        "in a single file",
        ("Everything stands", "The code is kept", "All functions live"),
        ("for now", "on purpose", "as before"),
    ),
    worded(
        "at module level",
        ("Each function is defined", "The constant stands", "All names are bound"),
        ("as usual", "throughout", "in plain sight"),
    ),
    worded(
        "no prints or logging",
        ("There are", "The functions have", "I put in"),
        ("anywhere", "for the moment", "by design"),
    ),
    worded(
        "from any other module",
        ("The functions can be imported", "It can be used", "Each part is easy to call"),
        ("later on", "without setup", "right away"),
    ),
)
FEWEST_NOTES, MOST_NOTES = 2, 4

# Reasons about an executed bug. `{fault}` is what `{side}` does, `{clause}` the same as a clause,
# `{outcome}` says what a call returns and what it should.
BUGS = (
    "{side} {fault}: {outcome}.",
    "In {side}, {clause}, so {outcome}.",
    "Running {side} shows that {outcome}, because {clause}.",
    "{side} has a bug in `{f}`: {clause}, and {outcome}.",
    "Because {clause} in {side}, {outcome}.",
)


class BugKind(NamedTuple):
    """A kind of fault that is read off the text. facts: the fields that every wording names."""

    weight: int
    facts: tuple[str, ...]
    wordings: tuple[str, ...]


KINDS: dict[str, BugKind] = {
    "missing_docstring": BugKind(1, ("f",), (
        "{side} puts the docstring of `{f}` above its `def` line, so the function has none.",
        "In {side}, the function `{f}` has no docstring, only a string in front of it.",
        "A docstring inside of `{f}` is missing from {side}, although each function needs one.",
    )),
    "wrong_annotation": BugKind(1, ("f", "wrong"), (
        "{side} annotates the result of `{f}` as `{wrong}` instead of `{right}`.",
        "The return type of `{f}` in {side} is given as `{wrong}`, but the request says `{right}`.",
        "In {side}, `{f}` claims to return `{wrong}` where `{right}` was asked for.",
    )),
    "wrong_parameter": BugKind(2, ("f", "wrong", "right"), (
        "{side} names the parameter of `{f}` `{wrong}` instead of `{right}`.",
        "The signature of `{f}` is changed in {side}: `{right}` has become `{wrong}`.",
        "In {side}, calling `{f}` with `{right}=` fails, since the parameter is called `{wrong}`.",
    )),
    "forbidden_call": BugKind(2, ("f", "builtin"), (
        "{side} calls `{builtin}` in `{f}`, which the request rules out.",
        "In {side}, `{f}` relies on `{builtin}` although that is forbidden.",
        "The call of `{builtin}` in `{f}` of {side} is against the request.",
    )),
    "missing_call": BugKind(2, ("f", "builtin"), (
        "{side} adds up in a loop in `{f}` instead of using `{builtin}` as asked.",
        "In {side}, `{f}` has a loop of its own where `{builtin}` was required.",
        "The builtin `{builtin}` is never used by `{f}` in {side}, contrary to the request.",
    )),
    "wrong_constant": BugKind(1, ("name", "wrong", "right"), (
        "{side} sets `{name}` to {wrong} instead of {right}.",
        "The constant `{name}` should be {right}, but it is {wrong} in {side}.",
        "In {side}, `{name}` has the value {wrong} where {right} was asked for.",
    )),
    "wrong_example": BugKind(2, ("call", "wrong", "right"), (
        "{side} claims that `{call}` returns {wrong}, but the right result is {right}.",
        "The stated result of `{call}` is {wrong} in {side}; it should be {right}.",
        "In {side}, the text below the code gets `{call}` wrong: {wrong} instead of {right}.",
    )),
    "wrong_complexity": BugKind(2, ("f", "wrong", "right"), (
        "{side} says that `{f}` runs in {wrong} time, but it takes {right}.",
        "The running time of `{f}` is given as {wrong} in {side} instead of {right}.",
        "In {side}, `{f}` is said to be {wrong}, while {right} would be correct.",
    )),
}  # fmt: skip
WRONG_ORDERS = {
    "O(1)": ("O(n)", "O(log n)", "O(n²)"),
    "O(n)": ("O(1)", "O(log n)", "O(n²)"),
    "O(n log n)": ("O(n)", "O(log n)", "O(n²)"),
}
