"""Checks: requirements on a response that a program can execute.

A check states the requirement, e.g. `{"kind": "max_chars", "value": 90}`. A reason is proved when
the response that it is about fails its check and the mended response passes.

Checks run code and regular expressions that come from data: regular expressions under a time
limit, Python in a subprocess with limits of time and memory. That contains accidents; it is not
a sandbox.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import regex

from rmaudit.checklists.run_code import run_programs
from rmaudit.checklists.run_sql import query, statement
from rmaudit.errors import InputError, RmauditError

REGEX_SECONDS = 1.0

Check = dict[str, Any]

_NUMBER = regex.compile(r"(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_BULLET = regex.compile(r"^[ \t]*[-*•][ \t]+\S", regex.MULTILINE)
_FENCE = regex.compile(r"```(?:python|py|json|sql)?[ \t]*\n(.*?)```", regex.DOTALL)


def run_check(check: Check, response: str) -> bool:
    """Whether `response` meets the requirement.

    Raises:
        InputError: the kind is unknown or an argument is missing or of the wrong type.
        RmauditError: the check itself could not be run to its end.
    """
    kind = check.get("kind")
    handler = KINDS.get(kind) if isinstance(kind, str) else None
    if handler is None:
        raise InputError(f"unknown check kind {kind!r}", "known kinds: " + ", ".join(sorted(KINDS)))
    arguments = {name: value for name, value in check.items() if name != "kind"}
    try:
        return handler(response, **arguments)
    except TypeError as error:
        raise InputError(f"check {kind}: {error}", "see checklists/README.md, Checks") from error
    except TimeoutError as error:
        raise RmauditError(
            f"check {kind} ran longer than {REGEX_SECONDS:g} s", "use a simpler regular expression"
        ) from error


def fenced(response: str) -> str:
    """The body of the first code fence, or the whole text where there is none."""
    found = _FENCE.search(response)
    return found.group(1) if found else response


def _max_chars(response: str, *, value: int) -> bool:
    return len(response) <= value


def _min_chars(response: str, *, value: int) -> bool:
    return len(response) >= value


def _max_words(response: str, *, value: int) -> bool:
    return len(response.split()) <= value


def _min_words(response: str, *, value: int) -> bool:
    return len(response.split()) >= value


def _contains(response: str, *, value: str, ignore_case: bool = False) -> bool:
    """Whole-word where the value starts with a letter or digit."""
    if ignore_case and not (value.isascii() and response.isascii()):
        return _words(value).search(response, timeout=REGEX_SECONDS) is not None
    if ignore_case:
        value, response = value.lower(), response.lower()
    if not value[:1].isalnum():
        return value in response
    start = response.find(value)
    while start >= 0:
        end = start + len(value)
        if not (_in_word(response[start - 1 : start]) or _in_word(response[end : end + 1])):
            return True
        start = response.find(value, start + 1)
    return False


@lru_cache(maxsize=4096)
def _in_word(character: str) -> bool:
    return regex.match(r"\w", character) is not None


@lru_cache(maxsize=4096)
def _words(value: str) -> regex.Pattern[str]:
    pattern = rf"(?<!\w){regex.escape(value)}(?!\w)" if value[:1].isalnum() else regex.escape(value)
    return regex.compile(pattern, flags=regex.IGNORECASE)


def _together(response: str, *, values: list[str]) -> bool:
    """All values stand as whole words in one sentence, or in one line."""
    if not values or not all(values):
        raise InputError("check together: it has no values", "values are one text or more")
    first = values[0]
    place = response.find(first)
    while place >= 0:
        begin = max(response.rfind(stop, 0, place) for stop in ("\n", ". ", "? ", "! "))
        ends = [response.find(stop, place + len(first)) for stop in ("\n", ". ", "? ", "! ")]
        sentence = response[begin + 1 : min((end for end in ends if end >= 0), default=None)]
        if all(_stands(sentence, value) for value in values):
            return True
        place = response.find(first, place + 1)
    return False


def _stands(text: str, value: str) -> bool:
    """Whether a value stands in a text with no letter or digit of a word beside it."""
    start = text.find(value)
    while start >= 0:
        if not (_in_word(text[start - 1 : start]) or _in_word(text[start + len(value) :][:1])):
            return True
        start = text.find(value, start + 1)
    return False


def _lacks(response: str, *, value: str, ignore_case: bool = True) -> bool:
    return not _contains(response, value=value, ignore_case=ignore_case)


def _regex(response: str, *, value: str) -> bool:
    try:
        return regex.search(value, response, timeout=REGEX_SECONDS) is not None
    except regex.error as error:
        raise InputError(f"check regex: {error}", "mend the pattern") from error


def _bullet_count(response: str, *, value: int) -> bool:
    return len(_BULLET.findall(response)) == value


def _line_count(response: str, *, value: int) -> bool:
    return sum(1 for line in response.splitlines() if line.strip()) == value


def _starts_with(response: str, *, value: str) -> bool:
    return response.lstrip().startswith(value)


def _ends_with(response: str, *, value: str) -> bool:
    return response.rstrip().endswith(value)


def _number_equals(response: str, *, value: float, after: str = "") -> bool:
    """The last number of the text (after the last `after`, where given) equals `value`."""
    if after:
        _, found, response = response.rpartition(after)
        if not found:
            return False
    numbers = _NUMBER.findall(response)
    return bool(numbers) and math.isclose(float(numbers[-1].replace(",", "")), value, abs_tol=1e-9)


def _parsed(response: str) -> Any:
    try:
        return json.loads(fenced(response))
    except (ValueError, RecursionError):
        return None


def _json_valid(response: str) -> bool:
    return _parsed(response) is not None


def _json_has_key(response: str, *, value: str) -> bool:
    parsed = _parsed(response)
    return isinstance(parsed, dict) and value in parsed


def _json_lacks_key(response: str, *, value: str) -> bool:
    parsed = _parsed(response)
    return isinstance(parsed, dict) and value not in parsed


def _json_type(response: str, *, key: str, value: str) -> bool:
    """`value` is a JSON type name; true and false are no numbers."""
    parsed = _parsed(response)
    if not isinstance(parsed, dict) or key not in parsed:
        return False
    found = parsed[key]
    types: dict[str, bool] = {
        "string": isinstance(found, str),
        "number": isinstance(found, (int, float)) and not isinstance(found, bool),
        "boolean": isinstance(found, bool),
        "array": isinstance(found, list),
        "object": isinstance(found, dict),
        "null": found is None,
    }
    if value not in types:
        raise InputError(f"check json_type: unknown type {value!r}", "use " + ", ".join(types))
    return types[value]


def _json_equals(response: str, *, key: str, value: Any) -> bool:
    parsed = _parsed(response)
    if not isinstance(parsed, dict) or key not in parsed:
        return False
    return bool(type(parsed[key]) is type(value) and parsed[key] == value)


def _json_length(response: str, *, key: str, value: int) -> bool:
    """The array under `key` has exactly `value` entries."""
    parsed = _parsed(response)
    found = parsed.get(key) if isinstance(parsed, dict) else None
    return isinstance(found, list) and len(found) == value


def _python_tests(response: str, *, tests: list[str]) -> bool:
    """All `tests`, Python expressions, are true after the code of the response ran."""
    return run_programs([_tested(response, tests)])[0]


def _sql_rows(response: str, *, label: str, setup: str, rows: list[list[str]]) -> bool:
    """The query under the comment `label` returns exactly these rows, in this order."""
    sql = statement(fenced(response), label)
    found = query(setup, sql) if sql else None
    return found is not None and [list(row) for row in found] == rows


def _tested(response: str, tests: list[str]) -> str:
    return fenced(response) + "\n" + "".join(f"assert ({test})\n" for test in tests)


def run_checks(pairs: Sequence[tuple[Check, str]]) -> list[bool]:
    """`run_check` for many checks with their responses, faster where many of them run code."""
    programs = {
        i: _tested(response, check["tests"])
        for i, (check, response) in enumerate(pairs)
        if check.get("kind") == "python_tests" and check.keys() == {"kind", "tests"}
    }
    passed = dict(zip(programs, run_programs(list(programs.values())), strict=True))
    return [
        passed[i] if i in passed else run_check(check, response)
        for i, (check, response) in enumerate(pairs)
    ]


KINDS: dict[str, Callable[..., bool]] = {
    "max_chars": _max_chars,
    "min_chars": _min_chars,
    "max_words": _max_words,
    "min_words": _min_words,
    "contains": _contains,
    "together": _together,
    "lacks": _lacks,
    "regex": _regex,
    "bullet_count": _bullet_count,
    "line_count": _line_count,
    "starts_with": _starts_with,
    "ends_with": _ends_with,
    "number_equals": _number_equals,
    "json_valid": _json_valid,
    "json_has_key": _json_has_key,
    "json_lacks_key": _json_lacks_key,
    "json_type": _json_type,
    "json_equals": _json_equals,
    "json_length": _json_length,
    "python_tests": _python_tests,
    "sql_rows": _sql_rows,
}
