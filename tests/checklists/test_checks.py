"""Every check kind on a text that meets it and one that does not; limits; bad checks."""

from __future__ import annotations

import pytest

from rmaudit.checklists.checks import KINDS, run_check
from rmaudit.checklists.run_code import run_programs
from rmaudit.checklists.run_sql import query
from rmaudit.errors import InputError, RmauditError

OBJECT = '{"name": "Luma", "price": 45, "tags": ["a"], "on": true}'
TABLE = "create table t (n integer); insert into t values (1), (2), (3);"
CASES: list[tuple[dict[str, object], str, str]] = [
    ({"kind": "max_chars", "value": 5}, "12345", "123456"),
    ({"kind": "min_chars", "value": 5}, "12345", "1234"),
    ({"kind": "max_words", "value": 2}, "two words", "now three words"),
    ({"kind": "min_words", "value": 2}, "two words", "one"),
    ({"kind": "contains", "value": "Luma"}, "Meet Luma, a lamp.", "Meet Lumas."),
    ({"kind": "contains", "value": "45 dollars"}, "for 45 dollars.", "for 145 dollars."),
    ({"kind": "contains", "value": "#sale"}, "now #sale", "now sale"),
    ({"kind": "lacks", "value": "cheap"}, "cheaper is fine", "so Cheap!"),
    (
        {"kind": "together", "values": ["Tolva", "9 km"]},
        "Short. The Tolva, they say, has 9 km. Long.",
        "The Tolva is long. It has 9 km. The Tolvas have 9 km! The Tolva has 39 km.",
    ),
    ({"kind": "regex", "value": r"^\d+$"}, "12", "x12"),
    ({"kind": "bullet_count", "value": 2}, "- one\n* two", "- one\n-two"),
    ({"kind": "line_count", "value": 2}, "one\n\ntwo\n", "one"),
    ({"kind": "starts_with", "value": "Dear"}, "  Dear all", "To Dear"),
    ({"kind": "ends_with", "value": "end."}, "the end.\n", "the end. Or not"),
    ({"kind": "number_equals", "value": 1200}, "in all 1,200 apples", "in all 1,201"),
    ({"kind": "number_equals", "value": 7, "after": "Answer:"}, "8 Answer: 7", "7 Answer: none"),
    ({"kind": "json_valid"}, f"```json\n{OBJECT}\n```", "{'a': 1}"),
    ({"kind": "json_has_key", "value": "name"}, OBJECT, '{"names": 1}'),
    ({"kind": "json_lacks_key", "value": "id"}, OBJECT, '{"id": 1}'),
    ({"kind": "json_type", "key": "price", "value": "number"}, OBJECT, '{"price": "45"}'),
    ({"kind": "json_type", "key": "on", "value": "boolean"}, OBJECT, '{"on": 1}'),
    ({"kind": "json_equals", "key": "price", "value": 45}, OBJECT, '{"price": 46}'),
    ({"kind": "json_length", "key": "tags", "value": 1}, OBJECT, '{"tags": "a"}'),
    (
        {"kind": "sql_rows", "label": "q1", "setup": TABLE, "rows": [["2"]]},
        "```sql\n-- q10\nselect 3;\n-- q1 (short)\nSELECT count(*)\nFROM t WHERE n > 1;\n```",
        "-- q1\nselect count(*) from t where n >= 1;",
    ),
    (
        {"kind": "python_tests", "tests": ["double(2) == 4", "double(0) == 0"]},
        "```python\ndef double(x):\n    return 2 * x\n```",
        "```python\ndef double(x):\n    return x ** 2 + 1\n```",
    ),
]


@pytest.mark.parametrize(("check", "good", "bad"), CASES, ids=lambda case: str(case)[:40])
def test_each_kind(check: dict[str, object], good: str, bad: str) -> None:
    assert run_check(check, good) is True
    assert run_check(check, bad) is False


def test_every_kind_is_tested() -> None:
    assert {check["kind"] for check, _, _ in CASES} == set(KINDS)


def test_true_is_no_number() -> None:
    assert not run_check({"kind": "json_type", "key": "on", "value": "number"}, OBJECT)


def test_unknown_kind_and_arguments_are_named() -> None:
    with pytest.raises(InputError, match="unknown check kind 'max_char'"):
        run_check({"kind": "max_char", "value": 1}, "x")
    with pytest.raises(InputError, match="max_chars"):
        run_check({"kind": "max_chars", "values": 1}, "x")
    with pytest.raises(InputError, match="regex"):
        run_check({"kind": "regex", "value": "("}, "x")


@pytest.mark.slow
def test_hostile_regex_ends() -> None:
    with pytest.raises(RmauditError, match="longer than"):
        run_check({"kind": "regex", "value": r"^(a|a)*$"}, "a" * 5000 + "b")


@pytest.mark.slow
def test_programs_that_never_end_or_leave_early_fail_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rmaudit.checklists.run_code.SECONDS", 1)
    programs = [
        "print(1)",
        "while True:\n    pass",
        "x = bytearray(8 << 30)",
        "import sys\nsys.exit(0)",
        "import os\nos._exit(0)",
        "1 / 0",
        "def broken(:",
        "y = 2",
    ]
    assert run_programs(programs) == [True, *[False] * 6, True]
    assert run_programs([]) == []


@pytest.mark.parametrize(
    "sql",
    [
        "insert into t values (4)",
        "drop table t",
        "attach 'other.db' as other",
        "pragma user_version = 3",
        "select 1; select 2",
        "select load_extension('x')",
        "select zeroblob(100000000)",
        "with recursive c(n) as (select 1 union all select n + 1 from c) select count(*) from c",
        "select n from nowhere",
        "\x00",
        "",
    ],
)
def test_a_query_that_does_more_than_read_gives_nothing(sql: str) -> None:
    assert query(TABLE, sql) is None or query(TABLE, sql) == ()
    assert query(TABLE, "select sum(n) from t") == (("6",),)
