"""Published prompts: fetched from where their authors keep them, kept beside the user's settings.

What a profile says of one are facts, hashes among them, so nothing but the very files counts; what
is kept is checked against the profile each time it is read.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from pydantic import TypeAdapter, ValidationError

from rmaudit.errors import InputError, RmauditError
from rmaudit.models.prompt_text import Messages, digest_of
from rmaudit.models.source import SourceTable

TIMEOUT = 30.0
MOST = 8 << 20
"""Bytes of one file."""
STAYS = "nothing was kept; --prompt FILE takes a prompt of your own"
_MESSAGES: TypeAdapter[Messages] = TypeAdapter(Messages)


def settings_folder() -> Path:
    """`$RMAUDIT_CONFIG`, else `rmaudit` in the user's folder of settings."""
    if own := os.environ.get("RMAUDIT_CONFIG"):
        return Path(own)
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "rmaudit"


def kept_at(name: str) -> Path:
    """Where the published prompt of a profile is kept once it was fetched."""
    return settings_folder() / "prompts" / f"{name}.json"


def kept(name: str, source: SourceTable) -> Messages | None:
    """The published prompt of a profile, None where it was not fetched.

    Raises:
        InputError: what is kept there is another prompt than the profile knows.
    """
    path = kept_at(name)
    if not path.is_file():
        return None
    hint = f"rmaudit profile fetch {name} fetches it again; or delete the file"
    try:
        messages = _MESSAGES.validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        what = error.strerror if isinstance(error, OSError) else "no messages"
        raise InputError(f"{path} cannot be read: {what}", hint) from error
    if digest_of(messages) != source.prompt:
        raise InputError(f"{path} is not the prompt that profile {name} knows", hint)
    return messages


class Origin(NamedTuple):
    """One file of a published prompt, and where it is read."""

    path: str
    address: str
    sha256: str


def origins(source: SourceTable, base: str | None) -> list[Origin]:
    """The files of a prompt; below `base`, a folder or an address, where it is given."""
    below = source.base if base is None else base.rstrip("/") + "/"
    remote = below.startswith(("http://", "https://"))
    return [
        Origin(path, below + (quote(path) if remote else path), digest)
        for path, digest in source.files.items()
    ]


def fetch(name: str, source: SourceTable, found: list[Origin]) -> Path:
    """Reads the files, checks them, takes the prompt out and keeps it; all of it or nothing.

    Raises:
        RmauditError: a file cannot be had, is another one, or does not hold the prompt.
    """
    texts = {one.path: _text(one) for one in found}
    try:
        messages = source.read(texts)
    except ValueError as error:
        raise RmauditError(
            f"the prompt of profile {name} cannot be taken out: {error}", STAYS
        ) from error
    if digest_of(messages) != source.prompt:
        raise RmauditError(
            f"what was taken out for profile {name} is not the prompt that it knows", STAYS
        )
    path = kept_at(name)
    text = json.dumps([one.model_dump() for one in messages], ensure_ascii=False, indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}.part")
        partial.write_text(f"{text}\n", encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise RmauditError(
            f"cannot write {path}: {error.strerror}", "set RMAUDIT_CONFIG to a folder that can be"
        ) from error
    return path


def _text(one: Origin) -> str:
    remote = one.address.startswith(("http://", "https://"))
    data = (_download if remote else _copy)(one)
    digest = hashlib.sha256(data).hexdigest()
    if digest != one.sha256:
        raise RmauditError(
            f"{one.address} is another file: SHA-256 {digest[:12]}…, and not {one.sha256[:12]}…",
            "nothing was kept; give the repository at the commit that the profile names",
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RmauditError(f"{one.address} is no text: {error}", STAYS) from error


def _copy(one: Origin) -> bytes:
    try:
        with open(one.address, "rb") as file:
            return _within(file.read, one)
    except OSError as error:
        raise RmauditError(
            f"cannot read {one.address}: {error.strerror}",
            "--from is the folder or address that the repository's paths lie below",
        ) from error


def _download(one: Origin) -> bytes:
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    request = Request(one.address, headers={"User-Agent": "rmaudit"})
    try:
        with urlopen(request, timeout=TIMEOUT) as answer:  # what it leads to is checked by its hash
            data = _within(answer.read, one)
            if answer.length:  # a read of some bytes does not say that fewer came
                raise HTTPException("the answer was cut off")
            return data
    except HTTPError as error:
        told = f"HTTP {error.code} {error.reason}"
    except TimeoutError:
        told = f"no answer within {TIMEOUT:g} s"
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        timed_out = isinstance(reason, TimeoutError)
        told = f"no answer within {TIMEOUT:g} s" if timed_out else str(reason) or repr(reason)
    raise RmauditError(
        f"cannot fetch {one.address}: {told}",
        "nothing was kept; try again, or give a copy of the repository: --from DIR|URL",
    )


def _within(read: Callable[[int], bytes], one: Origin) -> bytes:
    data = read(MOST + 1)
    if len(data) > MOST:
        raise RmauditError(f"{one.address} is larger than {MOST >> 20} MiB", STAYS)
    return data
