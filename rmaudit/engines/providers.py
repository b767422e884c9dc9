"""What servers say, and what it means: the table `providers.toml`, looked up by code, then words.

Pure but for reading the table, once.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict

TABLE = Path(__file__).with_name("providers.toml")
_WORDS_TO_LOOK_AT = 4000

Means = Literal["filtered", "too_long", "option", "value", "quota", "busy", "unknown"]
"""What an error says, the weightiest first where its codes say several things.

    filtered  the provider keeps the answer back
    too_long  the prompt does not fit the context
    option    an option of the request is not supported
    value     an option has a value that it cannot have
    quota     the account has no money left: waiting does not help
    busy      the server has no room now: waiting helps
    unknown   the HTTP status has to do
"""
Finish = Literal["stop", "length", "filtered", "tool_calls", "broken"]


def _lower(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.lower() for name in names)


def _compiled(pattern: str) -> str:
    re.compile(pattern)
    return pattern


Names = Annotated[tuple[str, ...], AfterValidator(_lower)]
Pattern = Annotated[str, AfterValidator(_compiled)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Finish(_Strict):
    length: Names
    filtered: Names
    tool_calls: Names
    broken: Names


class _Code(_Strict):
    means: Means
    names: Names


class _Words(_Strict):
    """`tokens` finds the length of a prompt that is too long, in its first group that took part."""

    provider: str
    means: Means
    pattern: Pattern
    tokens: Pattern | None = None


class _Table(_Strict):
    finish: _Finish
    code: tuple[_Code, ...]
    words: tuple[_Words, ...]


class Told(NamedTuple):
    """What an error means; `tokens` is the length of the prompt where it is told."""

    means: Means
    tokens: int | None = None


@cache
def _table() -> _Table:
    return _Table.model_validate(tomllib.loads(TABLE.read_text(encoding="utf-8")))


@cache
def _by_code() -> dict[str, Means]:
    return {name: code.means for code in _table().code for name in code.names}


@cache
def _finishes() -> dict[str, Finish]:
    table = _table().finish
    kinds: tuple[tuple[Finish, Names], ...] = (
        ("length", table.length),
        ("filtered", table.filtered),
        ("tool_calls", table.tool_calls),
        ("broken", table.broken),
    )
    return {name: kind for kind, names in kinds for name in names}


def finish_of(reason: str | None) -> Finish:
    """What a server's finish reason means; an unknown one, and none, is an answer that ended.

    Gateways add a detail after a colon: `content_filter: SAFETY`.
    """
    name = (reason or "").partition(":")[0].strip().lower()
    return _finishes().get(name, "stop")


def is_known(code: str) -> bool:
    """Whether the table says what an error code means."""
    return code.lower() in _by_code()


def meaning_of(status: int, codes: Iterable[str], message: str) -> Told:
    """What an error of this HTTP status means, by its codes, else by its words.

    Words count only where the request itself was refused (status 4xx), since a broken server can
    say anything; and what a code says is never overruled by words.
    """
    known = {_by_code()[code.lower()] for code in codes if is_known(code)}
    said = message[:_WORDS_TO_LOOK_AT]
    for means in get_args(Means):
        if means in known:
            return Told(means, _tokens(said) if means == "too_long" else None)
    if 400 <= status < 500:
        for words in _table().words:
            if re.search(words.pattern, said, re.IGNORECASE):
                return Told(words.means, _tokens(said) if words.means == "too_long" else None)
    return Told("unknown")


def _tokens(said: str) -> int | None:
    """The number of prompt tokens that an error tells."""
    for words in _table().words:
        found = re.search(words.tokens, said, re.IGNORECASE) if words.tokens else None
        if found:
            return next(int(group) for group in found.groups() if group is not None)
    return None
