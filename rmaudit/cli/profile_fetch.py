"""`rmaudit profile fetch`: the published prompt of a family, from where its authors keep it."""

from __future__ import annotations

from typing import Annotated

import typer


def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A profile's name.")],
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="DIR|URL",
            help="A copy of the authors' repository: what its paths lie below. Default: the "
            "address of the repository, at the commit that the profile names.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Fetch without asking.")] = False,
) -> None:
    """Get a profile's published prompt; scans by the profile ask it from then on."""
    from rmaudit.errors import InputError
    from rmaudit.escaping import plain
    from rmaudit.models import published
    from rmaudit.models.profiles import is_shipped, read_profile
    from rmaudit.terminal.ask import confirmed

    profile = read_profile(name)
    source = profile.source
    if not is_shipped(name) or source is None:
        raise InputError(
            f"profile {profile.name} names no published prompt: its prompt is {profile.whose}",
            "rmaudit profile list shows those that do",
        )
    if not source.fetchable:
        raise InputError(
            f"the prompt of profile {name} is not fetched: no file of it is known by its hash",
            f"it stands in {source.page}; give it with --prompt FILE",
        )
    found = published.origins(source, from_)
    for one in found:
        print(plain(f"{one.address}\n  SHA-256 {one.sha256}"))
    if source.note:
        print(source.note)
    print(plain(f"kept in {published.kept_at(name)}"))
    confirmed("Fetch it?", yes=yes, otherwise="not fetched")
    published.fetch(name, source, found)
    print(f"profile {name} asks by its published prompt now")
