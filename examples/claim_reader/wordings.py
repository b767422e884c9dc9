"""True faults of generated items in other words, from `written`.

A set has two tables: `close` keeps the key facts and changes the syntax, `free` is how a model that
judges writes (hedges, passives, detours). Templates stand under a kind of fault, or under a group
of kinds (`pair`, `ban`, `count`) with `{noun}` for what the kind is about.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.checklists.schema import Item, Reason
from rmaudit.parsing.sides import reason_about
from rmaudit.records import ModelReason

TAUGHT = ("slogan", "ad-copy", "formats", "arithmetic", "python")
"""Families that the authors worded; the others taught nothing."""
FOLDER = Path(__file__).parent / "written"
SIDES = {"a": "Response A", "b": "Response B"}
NOUNS = {
    "pair": {
        "wrong_name": "name",
        "wrong_price": "price",
        "wrong_city": "city",
        "wrong_discount": "discount",
        "wrong_code": "voucher code",
        "wrong_date": "end date",
        "wrong_place": "city",
        "missing_phrase": "phrase",
        "wrong_audience": "audience",
        "wrong_colour": "colour",
        "wrong_opening": "headline",
        "wrong_call_to_action": "call to action",
        "wrong_heading": "heading",
        "wrong_last_line": "last line",
        "wrong_amount": "figure",
        "missing_item": "entry",
        "wrong_first_bullet": "first bullet",
        "wrong_bold": "bold entry",
        "wrong_value": 'value of "{key}"',
        "wrong_number": 'value of "{key}"',
        "wrong_date_json": 'date of "{key}"',
        "date_format": 'form of "{key}"',
        "missing_key": "key",
        "wrong_flag": 'value of "{key}"',
        "wrong_first_line": "first line",
        "wrong_unit": "unit of {part}",
        "misstated_rule": "rule",
        "wrong_addressee": "name of the addressee",
        "wrong_time": "time",
        "wrong_annotation": "return type of `{f}`",
        "wrong_parameter": "parameter of `{f}`",
        "wrong_constant": "value of `{f}`",
        "wrong_example": "result of `{call}`",
        "wrong_complexity": "running time of `{f}`",
    },
    "ban": {
        "banned_word": "word",
        "names_rival": "competitor",
        "forbidden_promise": "promise",
        "forbidden_hashtag": "hashtag",
        "forbidden_item": "entry",
        "forbidden_word": "word",
        "forbidden_key": "key",
        "forbidden_call": "builtin",
        "reader_addressed": "phrase",
        "exclamation_mark": "phrase",
    },
    "count": {
        "too_many_bullets": "bullet points",
        "too_few_bullets": "bullet points",
        "too_many_lines": "lines",
        "too_few_lines": "lines",
        "array_too_long": 'entries in "{key}"',
        "array_too_short": 'entries in "{key}"',
    },
}
QUOTED = frozenset(
    "missing_idea missing_phrase wrong_opening wrong_call_to_action wrong_heading wrong_last_line "
    "wrong_amount missing_item wrong_first_bullet wrong_bold wrong_value missing_key "
    "wrong_first_line misstated_rule banned_word forbidden_item forbidden_word forbidden_key "
    "reader_addressed".split()
)
IN_CODE = frozenset("wrong_annotation wrong_parameter forbidden_call".split())
TEXT_KINDS = frozenset(
    "missing_docstring wrong_annotation wrong_parameter forbidden_call missing_call wrong_constant "
    "wrong_example wrong_complexity".split()
)


class Wording(NamedTuple):
    """A reference in other words: the number of the reference, the template, the reason."""

    ref: int
    template: str
    reason: ModelReason


@lru_cache
def templates(name: str) -> dict[str, dict[str, list[str]]]:
    """The tables of one file."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def wordings(item: Item, name: str, table: str) -> Iterator[Wording]:
    """Every reference of an item in every wording of a table, its side read off the text."""
    found = templates(name)[table]
    for ref, reason in enumerate(item.reasons):
        kind, fields = kind_of(item, reason), fields_of(item, reason)
        for template in found.get(kind) or found.get(group_of(kind), ()):
            text = filled(template, kind, fields)
            yield Wording(ref, template, ModelReason(text, reason_about(text)[0]))


def group_of(kind: str) -> str:
    """The group of kinds whose templates fit, '' for none."""
    return next((group for group, nouns in NOUNS.items() if kind in nouns), "")


def filled(template: str, kind: str, fields: dict[str, str]) -> str:
    """A template with the fields of a fault; values are quoted where the kind wants it."""
    noun = NOUNS.get(group_of(kind), {}).get(kind, "entry")
    text = template.replace("{noun}", noun)
    marks = '"' if kind in QUOTED else "`" if kind in IN_CODE else ""
    shown = dict(fields)
    for name in ("right", "wrong"):
        if fields.get(name) and f'"{{{name}}}"' not in text and f"`{{{name}}}`" not in text:
            shown[name] = f"{marks}{fields[name]}{marks}"
    return text.format(**shown)


def kind_of(item: Item, reason: Reason) -> str:
    """The kind of a fault, as the templates know it."""
    kind = str(item.meta["kinds"][reason.id])
    if item.family == "python" and kind not in TEXT_KINDS:
        return "bug"
    if item.family == "formats" and kind == "wrong_date":
        return "wrong_date_json"
    if item.family == "arithmetic" and kind == "wrong_name":
        return "wrong_addressee"
    return kind


def fields_of(item: Item, reason: Reason) -> dict[str, str]:
    """What templates may name, read off the item; `right` and `wrong` are the values at issue."""
    assert reason.about in ("a", "b")
    facts = [str(fact) for fact in item.meta["facts"][reason.id]]
    check = reason.check or {}
    fields = {"side": SIDES[reason.about], "other": SIDES["b" if reason.about == "a" else "a"]}
    kind = kind_of(item, reason)
    first, last = facts[0], facts[-1]
    if item.family == "arithmetic":
        return fields | _of_part(item, reason, kind, facts)
    if item.family == "python":
        fields |= {"f": first, "call": first, "wrong": facts[min(1, len(facts) - 1)], "right": last}
        if kind == "wrong_annotation":
            found = re.search(r"-> (.*):\Z", str(check["value"]).replace("\\", ""))
            assert found
            fields["right"] = found[1]
        return fields
    if kind in ("number_as_string", "string_as_number"):
        return fields | {"key": first, "value": last}
    if kind == "wrong_flag":
        right = check["value"]
        return fields | {"key": first, "right": json.dumps(right), "wrong": json.dumps(not right)}
    if kind.startswith("array"):
        return fields | {"key": first, "wrong": last, "right": str(check["value"])}
    fields |= {"right": first, "wrong": last, "cry": first, "key": str(check.get("key", ""))}
    if kind == "missing_idea":
        fields["wrong"] = ""
    if kind.endswith("_limit"):
        fields["unit"] = "words" if str(check["kind"]).endswith("words") else "characters"
    return fields


def _of_part(item: Item, reason: Reason, kind: str, facts: list[str]) -> dict[str, str]:
    assert reason.about in ("a", "b")
    if kind in ("wrong_addressee", "wrong_time", "misstated_rule"):
        return {"wrong": facts[0], "right": facts[1]}
    check = str((reason.check or {})["value"]).replace("\\", "")
    letter = re.findall(r"Answer \(([a-f])\)", check)[0]
    repair = next(one.text for one in item.repairs or () if one.fixes == [reason.id])
    answers = [
        re.findall(rf"(?m)^Answer \({letter}\): (.*?)\s*$", text)[0]
        for text in (item.response(reason.about), repair)
    ]
    fields = {"part": f"part ({letter})", "wrong": answers[0], "right": answers[1]}
    named: dict[str, dict[str, Any]] = {
        "wrong_unit": {"wrong": facts[1], "right": facts[-1]},
        "wrong_operand": {"used": facts[0], "given": facts[1]},
        "arithmetic_slip": {"expr": facts[0], "bad": facts[1], "good": facts[-1]},
        "wrong_operation": {"bad": facts[0]},
        "wrong_conversion": {"bad": facts[0]},
        "wrong_rounding": {"exact": facts[0]},
    }
    return fields | named.get(kind, {"note": facts[0]})
