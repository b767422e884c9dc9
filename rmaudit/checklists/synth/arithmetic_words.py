"""The wording of the arithmetic family: requests, ways to set out a solution, reasons by kind."""

from __future__ import annotations

from typing import NamedTuple

from rmaudit.checklists.synth.base import pick_style

NAMES = (
    "Priya", "Marta", "Kofi", "Elena", "Jonas", "Amara", "Diego", "Hanna", "Yusuf", "Clara",
    "Mateo", "Ingrid", "Tariq", "Leila", "Oskar", "Bianca", "Rafael", "Noemi", "Samir", "Greta",
    "Anton", "Farida", "Milan", "Ines", "Pavel", "Chiara", "Dmitri", "Salma", "Henrik", "Lucia",
)  # fmt: skip
MINUTES = (5, 10, 15, 20, 30, 40, 45, 50)
TIMES = tuple(f"{hour}:{minute:02d}" for hour in range(8, 21) for minute in MINUTES)

ASKS = (
    'Show the working for each part, and end each part with a line of the form "Answer (a): …". '
    "Address the reply to {name}, and close with a reminder that {reminder}.",
    'Please give the steps of every part and finish it with a line such as "Answer (a): …". The '
    "reply goes to {name}, so greet {name} by name, and remind {name} at the end that {reminder}.",
    "Write the solution as a message to {name}: a short greeting, the working of each part with "
    'its result on a line "Answer (a): …", and a last sentence that says that {reminder}.',
)
RULE_ASK = "State the rule used in words as well."

OPENINGS = (
    "Hi {name}, here is the working for each part.",
    "Hello {name}! Below you find all the steps.",
    "Dear {name}, these are the results with their working.",
    "{name}, I went through the questions one by one.",
)
HEADINGS = ("({letter})", "**({letter}) {What}**", "Part ({letter}): {what}", "**Part ({letter})**")
GIVENS = ("", "", "Given: {given}.", "We have {given}.", "Data: {given}.")
RULES = ("Rule: {subject} is {rule}.", "In words: {subject} is {rule}.", "{Subject} is {rule}.")
STEPS = (
    "- {Name}: {step}",
    "The {name} is {step}.",
    "{step} ({name})",
    "{number}. {Name}: {step}",
    "* {step} → {name}",
)
CLOSINGS = (
    "One more thing: {reminder}.",
    "And please remember that {reminder}.",
    "Just as a reminder, {reminder}.",
    "Do not forget that {reminder}.",
)


class MessageLayout(NamedTuple):
    """How one message is set out; `given` may be empty."""

    opening: str
    heading: str
    given: str
    rule: str
    step: str
    closing: str


def pick_layout(style: int) -> MessageLayout:
    """The layout of a style."""
    rng = pick_style(style, "layout")
    return MessageLayout(*map(rng.choice, (OPENINGS, HEADINGS, GIVENS, RULES, STEPS, CLOSINGS)))


class ErrorKind(NamedTuple):
    """A kind of fault. facts: the fields that every wording names."""

    weight: int
    facts: tuple[str, ...]
    wordings: tuple[str, ...]


KINDS: dict[str, ErrorKind] = {
    "wrong_operand": ErrorKind(3, ("used", "given", "got"), (
        "In {part}, {side} calculates with {used} and gets {got}; the problem says {given}.",
        "{side} has {used} in place of {given}, so its answer to {part} is {got}, not {right}.",
        "The number {given} is miscopied as {used} in {part} of {side}, which gives {got}.",
        "Part ({letter}) of {side} turns the given {given} into {used} and ends up with {got}.",
    )),
    "arithmetic_slip": ErrorKind(3, ("expression", "bad", "good"), (
        "{side} miscalculates in {part}: {expression} is {good}, not {bad}.",
        'The line "{expression} = {bad}" in {part} of {side} is wrong, since the result is {good}.',
        "In {side}, {expression} is given as {bad} although it is {good}, which spoils {part}.",
        "An arithmetic slip ruins {what} in {side}: {expression} comes to {good} and not to {bad}.",
    )),
    "wrong_operation": ErrorKind(3, ("bad", "got"), (
        "{side} works out {bad} in {part} where {good} is needed, so {what} becomes {got}.",
        'In {part}, "{bad}" is the wrong calculation; {side} gets {got} instead of {right}.',
        "Because {side} computes {bad} rather than {good}, its answer to {part} is {got}.",
        "{What} comes out as {got} in {side}, since {bad} is calculated and not {good}.",
    )),
    "wrong_conversion": ErrorKind(3, ("bad", "got"), (
        "{side} converts wrongly in {part}: {bad} should be {good}, and the answer {got} is off.",
        'The conversion "{bad}" in {part} of {side} is wrong, so {what} becomes {got}.',
        "Units are converted with {bad} in {side}, which gives {got} for {part}, not {right}.",
    )),
    "skipped_condition": ErrorKind(3, ("note", "got"), (
        "{side} ignores {note} in {part} and answers {got} instead of {right}.",
        "In {part}, {side} leaves out {note}, so the result is {got} where {right} is correct.",
        "{What} is wrong in {side}: it says {got} because it leaves {note} out of account.",
        "Nothing in {part} of {side} accounts for {note}; {got} should be {right}.",
    )),
    "applied_twice": ErrorKind(3, ("note", "got"), (
        "{side} counts {note} twice in {part} and answers {got} instead of {right}.",
        "Counting {note} twice, {side} arrives at {got} in {part}.",
        "{What} is {got} in {side}, with {note} counted twice; {right} would be correct.",
    )),
    "other_question": ErrorKind(3, ("note", "got"), (
        "In {part} the question is about {what}, but {side} answers with {note}, {got}.",
        "{side} stops at {note} in {part} and gives {got}, although {what} is {right}.",
        "Asked for {what}, {side} reports {note} ({got} instead of {right}).",
        "What {side} gives as the answer to {part}, {got}, is {note} and not {what}.",
    )),
    "wrong_rounding": ErrorKind(2, ("exact", "got"), (
        "{side} rounds {exact} down to {got} in {part}, although {right} are needed.",
        "In {part}, {exact} has to be rounded up, but {side} settles for {got}.",
        "Part ({letter}) of {side} ends with {got}: {exact} is rounded down, so one is missing.",
    )),
    "wrong_final": ErrorKind(3, ("got", "right"), (
        "The working of {part} in {side} reaches {right}, yet its answer line says {got}.",
        "{side} miscopies its own result in {part}: {right} becomes {got} on the answer line.",
        "In {part}, the answer line of {side} reads {got}, although the steps lead to {right}.",
    )),
    "wrong_unit": ErrorKind(2, ("part", "wrong", "unit"), (
        "{side} gives its answer to {part} in {wrong} instead of {unit}.",
        "In {part}, the result of {side} has the wrong unit: {wrong} and not {unit}.",
        "The unit of {what} is {unit}, but {side} writes {wrong} in {part}.",
    )),
    "misstated_rule": ErrorKind(2, ("wrong", "rule"), (
        "{side} misstates the rule in {part}: it says {wrong} instead of {rule}.",
        'The rule given in {part} of {side} is "{wrong}", but it should be {rule}.',
        "According to {side}, {subject} is {wrong}; in fact it is {rule}.",
    )),
    "wrong_name": ErrorKind(1, ("wrong", "name"), (
        "{side} is addressed to {wrong} instead of {name}.",
        "The reply should go to {name}, but {side} greets {wrong}.",
        "{name} is called {wrong} in {side}.",
    )),
    "wrong_time": ErrorKind(1, ("wrong", "time"), (
        "The reminder in {side} says {wrong}, but {time} is the right time.",
        "{side} closes with the wrong time, {wrong} instead of {time}.",
        "The closing reminder of {side} misquotes {time} as {wrong}.",
    )),
}  # fmt: skip
