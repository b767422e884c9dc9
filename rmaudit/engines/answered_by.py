"""Whether the model that a server says it used is the one that was asked for."""

from __future__ import annotations

import re

_SNAPSHOT = re.compile(r"(?:[-@](?:\d{4}-\d{2}-\d{2}|\d{3,8})|[-:]latest)+")


def same_model(asked: str, said: str, known: tuple[str, ...] = ()) -> bool:
    """Whether `said` names the model `asked`, or a snapshot of it.

    Servers leave out the owner (`org/m` is `m`), add where it comes from (`models/m`), and name
    the snapshot that an alias stands for (`m-2024-08-06`, `m-0613` and `m:latest` are `m`). Who
    asks for a snapshot wants that one.

    Args:
        asked: the model of the request.
        said: the `model` of the answer.
        known: other names of it: what the server lists and loads under the name that was asked.
    """
    answer = _plain(said)
    return any(_names(_plain(name), answer) for name in (asked, *known))


def _names(asked: str, said: str) -> bool:
    if "/" not in asked or "/" not in said:
        asked, said = asked.rpartition("/")[2], said.rpartition("/")[2]
    alias = asked.removesuffix("-latest").removesuffix(":latest")
    return said in (asked, alias) or bool(
        said.startswith(alias) and _SNAPSHOT.fullmatch(said, len(alias))
    )


def _plain(name: str) -> str:
    return name.strip().rstrip("/").lower().removeprefix("models/")
