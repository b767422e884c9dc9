"""Family `sql`: twelve questions on a small table, a query each; the queries are executed.

Every fault is one clause of one query, and changes what that query returns on the given table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from rmaudit.checklists.checks import Check
from rmaudit.checklists.run_sql import query
from rmaudit.checklists.synth.base import Family, Fault, near_order, pick_style

QUESTIONS = 12
ROWS = 14


class SqlTable(NamedTuple):
    """A table: name, its label, group and place columns with their values, its two numbers."""

    table: str
    label: str
    labels: tuple[str, ...]
    group: str
    groups: tuple[str, ...]
    place: str
    places: tuple[str, ...]
    size: str
    year: str


_CODES = tuple(f"{letter}{number}" for letter in "KLMNPR" for number in (12, 27, 35, 48, 51, 66))
TOPICS = (
    SqlTable("trips", "bus", _CODES, "kind", ("school", "city", "night", "coast"), "depot",
          ("North", "South", "Harbour"), "seats", "built"),
    SqlTable("books", "shelf", _CODES, "genre", ("crime", "poetry", "travel", "history"), "branch",
          ("Main", "East", "Park"), "pages", "printed"),
    SqlTable("plots", "plot", _CODES, "crop", ("beans", "barley", "onions", "flax"), "farm",
          ("Upper", "Lower", "Mill"), "metres", "leased"),
    SqlTable("parts", "bin", _CODES, "metal", ("steel", "brass", "copper", "zinc"), "hall",
          ("One", "Two", "Three"), "grams", "stocked"),
)  # fmt: skip
PROMPTS = (
    "Below is a table as SQLite sees it. Answer each question with one query. Write the label of "
    "the question as a comment line above its query and end each query with a semicolon.",
    "Write one SQLite query for each of the questions below the table. Above each query stands a "
    "comment line with the label; every query ends with a semicolon.",
    "Here is a small table, and questions on it. I need a query for each, for SQLite, under a "
    "comment with its label and closed by a semicolon.",
)
OPENINGS = (
    "Here is a query for each question.", "The queries follow, one for each label.",
    "Below stands what was asked for.", "All queries run on the table as it is given.",
)  # fmt: skip
REMARKS = (
    "as asked", "one value", "no join needed", "small table", "plain", "see the table", "one pass",
    "short", "by the book", "checked", "read only", "no index needed",
)  # fmt: skip
WORDINGS = (
    "{side} writes `{wrong}` in {label} instead of `{right}`.",
    "The query {label} needs `{right}`, but {side} has `{wrong}`.",
    "In {label} of {side} stands `{wrong}` where `{right}` belongs.",
    "For {label} the clause should be `{right}`, but {side} uses `{wrong}`.",
)


Row = tuple[str, str, str, int, int]


class SqlQuestion(NamedTuple):
    """A question: its words, its query around the clause at issue, and that clause, right or wrong.

    form: the query with `{clause}` in it.
    """

    ask: str
    form: str
    right: str
    wrong: tuple[str, ...]
    kind: str
    weight: int


@dataclass(frozen=True, slots=True)
class SqlPart:
    """A question with its label and its check."""

    label: str
    question: SqlQuestion
    check: Check


@dataclass(frozen=True, slots=True)
class SqlTask:
    """A table with questions."""

    parts: tuple[SqlPart, ...]
    prompt: str

    @property
    def requirements(self) -> Sequence[Check]:
        """One a question: what its query returns."""
        return tuple(part.check for part in self.parts)

    def faults(self, rng: Random) -> Sequence[Fault]:
        """One a question."""
        return tuple(_fault(part, rng) for part in self.parts)

    def render(self, faults: Sequence[Fault], style: int) -> str:
        """A fenced block of queries in a near order, in the style's own case and remarks."""
        rng = pick_style(style, "sql")
        wrong = {fault.slot: str(fault.value) for fault in faults}
        lines = []
        for part in self.parts:
            clause = wrong.get(part.label, part.question.right)
            sql = part.question.form.format(clause=clause)
            if rng.random() < 0.5:
                for word in ("select", "from", "where", "order by", "limit", "group by"):
                    sql = sql.replace(f"{word} ", f"{word.upper()} ")
            if rng.random() < 0.5:
                sql = sql.replace(" FROM ", "\nFROM ").replace(" from ", "\nfrom ")
            remark = f" ({rng.choice(REMARKS)})" if rng.random() < 0.7 else ""
            lines.append(f"-- {part.label}{remark}\n{sql};")
        keys = near_order(len(lines), rng)
        ordered = [line for _, line in sorted(zip(keys, lines, strict=True))]
        return f"{rng.choice(OPENINGS)}\n\n```sql\n" + "\n\n".join(ordered) + "\n```"


def _fault(part: SqlPart, rng: Random) -> Fault:
    question = part.question
    wrong = rng.choice(question.wrong)
    words = {"side": "{side}", "label": part.label, "right": question.right, "wrong": wrong}
    return Fault(
        slot=part.label,
        kind=question.kind,
        weight=question.weight,
        check=part.check,
        facts=(part.label, question.right, wrong),
        wordings=tuple(wording.format(**words) for wording in WORDINGS),
        value=wrong,
    )


def draw(rng: Random) -> SqlTask:
    """A table with random rows, and questions whose faults show on it."""
    topic = rng.choice(TOPICS)
    rows = [
        (label, rng.choice(topic.groups), rng.choice(topic.places), rng.randint(12, 95), year)
        for label, year in zip(
            rng.sample(topic.labels, ROWS), rng.choices(range(2009, 2024), k=ROWS), strict=True
        )
    ]
    columns = (topic.label, topic.group, topic.place, topic.size, topic.year)
    types = ("text", "text", "text", "integer", "integer")
    declared = ", ".join(f"{name} {kind}" for name, kind in zip(columns, types, strict=True))
    values = ",\n".join(str(row) for row in rows)
    setup = f"create table {topic.table} ({declared});\ninsert into {topic.table} values\n{values};"
    questions: dict[str, SqlQuestion] = {}
    while len(questions) < QUESTIONS:
        made = MAKERS[len(questions) % len(MAKERS)](topic, rows, rng)
        question = _told_apart(made, setup)
        if question is not None:
            questions.setdefault(question.ask, question)
    ordered = rng.sample(list(questions.values()), QUESTIONS)
    parts = tuple(_part(f"q{at}", one, setup) for at, one in enumerate(ordered, start=1))
    asks = "\n".join(f"{part.label}: {part.question.ask}" for part in parts)
    prompt = f"{rng.choice(PROMPTS)}\n\n```sql\n{setup}\n```\n\n{asks}"
    return SqlTask(parts, prompt)


def _part(label: str, question: SqlQuestion, setup: str) -> SqlPart:
    found = query(setup, question.form.format(clause=question.right)) or ()
    rows = [list(row) for row in found]
    return SqlPart(
        label, question, {"kind": "sql_rows", "label": label, "setup": setup, "rows": rows}
    )


def _told_apart(question: SqlQuestion, setup: str) -> SqlQuestion | None:
    """The question with those wrong clauses alone that return something else; None without any."""
    right = query(setup, question.form.format(clause=question.right))
    wrong = tuple(
        clause
        for clause in question.wrong
        if query(setup, question.form.format(clause=clause)) != right
    )
    return question._replace(wrong=wrong) if right and wrong else None


def _count(topic: SqlTable, rows: Sequence[Row], rng: Random) -> SqlQuestion:
    limit = rng.choice(rows)[3]
    sign, word, other = rng.choice(((">", "more than", ">="), ("<", "fewer than", "<=")))
    return SqlQuestion(
        f"How many {topic.table} have {word} {limit} {topic.size}?",
        f"select count(*) from {topic.table} where {{clause}}",
        f"{topic.size} {sign} {limit}",
        (f"{topic.size} {other} {limit}", f"{topic.year} {sign} {limit}"),
        "wrong_comparison", 2,
    )  # fmt: skip


def _sum(topic: SqlTable, rows: Sequence[Row], rng: Random) -> SqlQuestion:
    group = rng.choice(topic.groups)
    return SqlQuestion(
        f"What is the sum of {topic.size} of the {topic.table} whose {topic.group} is {group}?",
        f"select sum({topic.size}) from {topic.table} where {{clause}}",
        f"{topic.group} = '{group}'",
        tuple(f"{topic.group} = '{other}'" for other in topic.groups if other != group),
        "wrong_value", 2,
    )  # fmt: skip


def _extreme(topic: SqlTable, rows: Sequence[Row], rng: Random) -> SqlQuestion:
    place = rng.choice(topic.places)
    name, word, other = rng.choice((("max", "largest", "min"), ("min", "smallest", "max")))
    return SqlQuestion(
        f"What is the {word} {topic.size} where the {topic.place} is {place}?",
        f"select {{clause}} from {topic.table} where {topic.place} = '{place}'",
        f"{name}({topic.size})",
        (f"{other}({topic.size})", f"{name}({topic.year})"),
        "wrong_function", 3,
    )  # fmt: skip


def _first(topic: SqlTable, rows: Sequence[Row], rng: Random) -> SqlQuestion:
    count = rng.randint(2, 5)
    column, word, way, other = rng.choice(
        (
            (topic.size, f"most {topic.size}", "desc", "asc"),
            (topic.size, f"fewest {topic.size}", "asc", "desc"),
        )
    )
    return SqlQuestion(
        f"Which {count} {topic.table} have the {word}? Give {topic.label}, ties by {topic.label}.",
        f"select {topic.label} from {topic.table} {{clause}}, {topic.label} limit {count}",
        f"order by {column} {way}",
        (f"order by {column} {other}", f"order by {topic.year} {way}"),
        "wrong_order", 2,
    )  # fmt: skip


def _distinct(topic: SqlTable, rows: Sequence[Row], rng: Random) -> SqlQuestion:
    year = rng.choice(rows)[4]
    return SqlQuestion(
        f"How many different values of {topic.group} are there with {topic.year} {year} or later?",
        f"select {{clause}} from {topic.table} where {topic.year} >= {year}",
        f"count(distinct {topic.group})",
        (f"count({topic.group})", f"count(distinct {topic.place})"),
        "wrong_function", 2,
    )  # fmt: skip


def _which(topic: SqlTable, rows: Sequence[Row], rng: Random) -> SqlQuestion:
    low, high = sorted(rng.sample(sorted({row[4] for row in rows}), 2))
    return SqlQuestion(
        f"Which {topic.table} have {topic.year} from {low} to {high}, both included? "
        f"Give {topic.label} in alphabetical order.",
        f"select {topic.label} from {topic.table} where {{clause}} order by {topic.label}",
        f"{topic.year} between {low} and {high}",
        tuple(f"{topic.year} between {a} and {b}" for a, b in ((low + 1, high), (low, high - 1))),
        "wrong_range", 1,
    )  # fmt: skip


MAKERS: tuple[Callable[[SqlTable, Sequence[Row], Random], SqlQuestion], ...] = (
    _count, _sum, _extreme, _first, _distinct, _which,
)  # fmt: skip

FAMILY = Family("sql", "code", draw)
