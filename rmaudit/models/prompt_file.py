"""`--prompt FILE`: a user's prompt, as plain text or as TOML with messages."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rmaudit.errors import InputError
from rmaudit.models.prompt_text import (
    NEEDED,
    OUR_NAMES,
    Braces,
    Message,
    Messages,
    Place,
    canonical,
    check,
)
from rmaudit.text.toml import read_toml

PLACES = ", ".join(f"{{{place}}}" for place in NEEDED)
HINT = (
    f"a prompt has the places {PLACES}; a TOML file may call them otherwise: "
    'places = { question = "request" }'
)


class PromptFile(BaseModel):
    """A prompt in TOML: `[[messages]]` with role and text, and what its places are called.

    `places` are its own names of them; `braces` how it writes them, see `prompt_text.Braces`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    messages: Annotated[Messages, Field(min_length=1, max_length=8)]
    places: dict[str, Place] = {}
    braces: Braces = "plain"

    @property
    def canonical(self) -> Messages:
        """Its messages with our names of the places; raises ValueError where they are no prompt."""
        names = self.places or OUR_NAMES
        own = tuple(
            Message(role=one.role, text=canonical(one.text, names, self.braces))
            for one in self.messages
        )
        check(own)
        return own


def prompt_toml(messages: Messages) -> str:
    """The messages as a file that `read_prompt` reads."""
    import tomli_w

    return tomli_w.dumps({"messages": [one.model_dump() for one in messages]})


def read_prompt(path: Path) -> Messages:
    """The messages of a user's file; plain text is one message of the user.

    The line end at the end of a plain file is not part of its text, as editors add it.

    Raises:
        InputError: it cannot be read, or is no prompt about a pair.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}", "name a file of text") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no UTF-8 text: {error}", "save it as UTF-8") from error
    try:
        if path.suffix == ".toml":
            return PromptFile.model_validate(read_toml(text)).canonical
        plain = (Message(role="user", text=text.removesuffix("\n")),)
        check(plain)
        return plain
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: {error}", "mend the TOML at this place") from error
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in detail["loc"]) or "text"
        raise InputError(
            f"{path}, {where}: {detail['msg']}",
            f"fields: {', '.join(PromptFile.model_fields)}; of a message: role, text",
        ) from error
    except ValueError as error:
        raise InputError(f"{path}: {error}", HINT) from error
