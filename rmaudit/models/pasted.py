"""Pasted answers, and what a profile takes of them: the check that a profile reads its family.

A file of answers is TOML (`[[answer]]` tables with `text` and, if known, `finish` and what is
expected), JSON lines with the same keys, or plain text with a line of `=====` between answers.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rmaudit.errors import InputError
from rmaudit.models.profiles import Profile
from rmaudit.parsing.parse import Parsed, parse_with_form
from rmaudit.records import Verdict
from rmaudit.text.toml import read_toml

_BETWEEN = re.compile(r"^={5,}[ \t]*$", re.MULTILINE)
MOST_REASONS = 50


class Pasted(BaseModel):
    """One answer, as the model wrote it.

    kind: what it is an example of. verdict: expected, `a` is the response shown first and `none` no
    verdict. rating: the score expected where one response is judged alone, `none` no score.
    strength, reasons (how many), about (their sides, `-` for none), flags: expected.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    kind: str = ""
    finish: Literal["stop", "length"] = "stop"
    verdict: Literal["a", "b", "tie", "none"] | None = None
    rating: float | Literal["none"] | None = None
    strength: Annotated[int, Field(ge=0, le=2)] | None = None
    reasons: Annotated[int, Field(ge=0)] | None = None
    about: tuple[Literal["a", "b", "both", "-"], ...] | None = None
    flags: tuple[str, ...] | None = None


class Taken(NamedTuple):
    """An answer, what the profile takes of it, and what differs from what was expected.

    alone: it is about one response, and no verdict on a pair.
    """

    answer: Pasted
    parsed: Parsed
    differs: tuple[str, ...]
    alone: bool = False


def read_pasted(path: Path) -> list[Pasted]:
    """The answers of a file.

    Raises:
        InputError: it cannot be read or holds none.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", "name a file of answers") from error
    try:
        rows = _rows(path, text)
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"{path}: {error}", "correct the file at this place") from error
    found = []
    for number, row in enumerate(rows, start=1):
        try:
            found.append(Pasted.model_validate(row))
        except ValidationError as error:
            detail = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in detail["loc"])
            raise InputError(
                f"{path}, answer {number}, {where}: {detail['msg']}",
                f"fields: {', '.join(Pasted.model_fields)}",
            ) from error
    if not found:
        raise InputError(f"{path} holds no answer", "paste one, or several with ===== between")
    return found


def _rows(path: Path, text: str) -> list[Any]:
    if path.suffix == ".toml":
        return list(read_toml(text).get("answer", []))
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return [{"text": part.strip("\n")} for part in _BETWEEN.split(text) if part.strip()]


def take(profile: Profile, answer: Pasted) -> Taken:
    """What a profile takes of an answer, as a scan would."""
    parsed = parse_with_form(
        answer.text,
        finish_reason=answer.finish,
        max_reasons=MOST_REASONS,
        names=profile.called,
        grammar=profile.reads,
    )
    return Taken(answer, parsed, tuple(_differences(answer, parsed)), profile.pointwise)


def _differences(answer: Pasted, parsed: Parsed) -> list[str]:
    judgment = parsed.judgment
    verdict: Verdict | Literal["none"] = judgment.verdict or "none"
    found = {
        "verdict": (answer.verdict, verdict),
        "rating": (answer.rating, "none" if parsed.rating is None else parsed.rating),
        "strength": (answer.strength, judgment.strength),
        "reasons": (answer.reasons, len(judgment.reasons)),
        "about": (answer.about, tuple(reason.about or "-" for reason in judgment.reasons)),
        "flags": (answer.flags, judgment.flags),
    }
    return [
        f"{name} {_told(read)}, expected {_told(expected)}"
        for name, (expected, read) in found.items()
        if expected is not None and expected != read
    ]


def _told(value: object) -> str:
    return (", ".join(value) or "none") if isinstance(value, tuple) else str(value)
