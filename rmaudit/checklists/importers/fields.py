"""Fields of a row by name, each with the error that names it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from rmaudit.checklists.load import dump_item, first_fault
from rmaudit.checklists.schema import Item

Row = Mapping[str, Any]

ROLES = {
    "system": "system", "developer": "system", "user": "user", "human": "user",
    "prompter": "user", "assistant": "assistant", "gpt": "assistant", "model": "assistant",
    "chatbot": "assistant", "bot": "assistant", "tool": "tool", "function": "tool",
}  # fmt: skip
"""What chat files call the four roles of a prompt."""


class BadField(ValueError):
    """A field of a row is missing or holds what it cannot hold."""

    def __init__(self, field: str, what: str) -> None:
        super().__init__(f"field {field}: {what}" if field else what)
        self.field = field
        self.what = what


def field(row: Row, name: str) -> Any:
    """The field of a row.

    Raises:
        BadField: it is missing.
    """
    if name not in row:
        raise BadField(name, "is missing")
    return row[name]


def text_field(row: Row, name: str) -> str:
    """The text of a field.

    Raises:
        BadField: it is missing, no text, or blank.
    """
    return text_of(field(row, name), name)


def text_of(value: object, name: str) -> str:
    """A text that is not blank.

    Raises:
        BadField: it is no text, or blank.
    """
    if not isinstance(value, str):
        raise BadField(name, "must be text")
    if not value.strip():
        raise BadField(name, "is empty")
    return value


def optional_text(row: Row, name: str) -> str | None:
    """The text of a field; None where it is absent, null or blank.

    Raises:
        BadField: it holds something else.
    """
    value = row.get(name)
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    return text_of(value, name)


def list_field(row: Row, name: str) -> list[Any]:
    """The list of a field.

    Raises:
        BadField: it is missing or no list.
    """
    value = field(row, name)
    if not isinstance(value, list):
        raise BadField(name, "must be a list")
    return value


def objects_field(row: Row, name: str) -> list[dict[str, Any]]:
    """The list of objects of a field.

    Raises:
        BadField: it is missing, no list, or holds something else.
    """
    values = list_field(row, name)
    for place, value in enumerate(values):
        if not isinstance(value, dict):
            raise BadField(f"{name}[{place}]", "must be an object")
    return values


def texts_field(row: Row, name: str, *, least: int = 0) -> list[str]:
    """The list of texts of a field.

    Raises:
        BadField: it is missing, no list, too short, or one of them is no text or blank.
    """
    values = [text_of(value, f"{name}[{k}]") for k, value in enumerate(list_field(row, name))]
    if len(values) < least:
        raise BadField(name, f"must hold at least {least} texts")
    return values


def whole_field(row: Row, name: str) -> int:
    """The whole number of a field.

    Raises:
        BadField: it is missing or no whole number.
    """
    value = number_of(field(row, name))
    if value is None or value != int(value):
        raise BadField(name, "must be a whole number")
    return int(value)


def number_of(value: object) -> float | None:
    """A finite number, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def name_of(row: Row, name: str) -> str:
    """An id: a text or a whole number.

    Raises:
        BadField: it is missing or something else.
    """
    value = field(row, name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return text_of(value, name)


def turns_field(row: Row, name: str) -> list[dict[str, str]]:
    """A prompt: a text as one turn of the user, or a list of messages.

    Raises:
        BadField: it is missing, blank, or a message is none.
    """
    value = field(row, name)
    if isinstance(value, str):
        return [{"role": "user", "content": text_of(value, name)}]
    return turns_of(value, name)


def turns_of(value: object, name: str) -> list[dict[str, str]]:
    """Messages `{role, content}` (or `{from, value}`) as the turns of a prompt.

    Raises:
        BadField: it is no list, empty or blank, or a message has no role or no text.
    """
    if not isinstance(value, list) or not value:
        raise BadField(name, "must be a text or a list of messages")
    turns = [_turn(message, f"{name}[{k}]") for k, message in enumerate(value)]
    if not any(turn["content"].strip() for turn in turns):
        raise BadField(name, "is empty")
    return turns


def _turn(message: object, where: str) -> dict[str, str]:
    if not isinstance(message, dict):
        raise BadField(where, "must be a message {role, content}")
    key = "content" if "content" in message else "value"
    role = message.get("role", message.get("from"))
    if not isinstance(role, str) or role.casefold() not in ROLES:
        known = ", ".join(sorted(set(ROLES.values())))
        raise BadField(f"{where}.role", f"must be one of {known}")
    return {"role": ROLES[role.casefold()], "content": _content(message.get(key), f"{where}.{key}")}


def _content(content: object, where: str) -> str:
    """The text of a message, also where it is a list of text parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list) and content:
        parts = [part.get("text") if isinstance(part, dict) else None for part in content]
        if all(isinstance(part, str) for part in parts):
            return "\n".join(str(part) for part in parts)
    raise BadField(where, "must be text")


def kept(row: Row, *names: str) -> dict[str, Any]:
    """These fields of a row for `meta`, those that are there and can be written as JSON."""
    found = {}
    for name in names:
        value = row.get(name)
        if value is not None:
            try:
                found[name] = json.loads(json.dumps(value, allow_nan=False))
            except (TypeError, ValueError, RecursionError):
                found[name] = str(value)
    return found


def make_item(**fields: Any) -> Item:
    """An item of these fields.

    Raises:
        BadField: the schema refuses one of them, or UTF-8 cannot hold one.
    """
    try:
        item = Item(**fields)
        dump_item(item).encode()
    except ValidationError as error:
        raise BadField(*first_fault(error)) from error
    except UnicodeEncodeError as error:
        raise BadField("", "holds half of a surrogate pair, which is no character") from error
    return item
