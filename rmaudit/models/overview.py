"""The table of families for people: how each is known, asked and read, and where its prompt is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rmaudit.models.families import ModelFamily, families
from rmaudit.models.profiles import Profile, is_shipped, read_profile, shipped_profiles

HEAD = ("family", "known by", "profile", "verdict", "prompt that ships", "published prompt")


def markdown() -> str:
    """The table as it stands in docs/models.md."""
    lines = [HEAD, tuple("---" for _ in HEAD), *_rows()]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _rows() -> Iterator[Sequence[str]]:
    known = families()
    for family in known:
        if is_shipped(family.profile):
            yield family.title, _known_by(family), *_asked(read_profile(family.profile))
        else:
            yield family.title, _known_by(family), "none yet", "", "ours, for any model", ""
    told = {family.profile for family in known}
    for name in shipped_profiles():
        if name not in told:
            profile = read_profile(name)
            yield profile.family or "any model", "`--profile`", *_asked(profile)


def _known_by(family: ModelFamily) -> str:
    if family.roles is not None:
        return f"chat roles {', '.join(family.roles)}"
    pattern = (family.name or "").replace("|", "\\|")
    return f"name `{pattern}`"


def _asked(profile: Profile) -> Sequence[str]:
    forms = " or ".join(profile.reads.forms) or "any form"
    return (
        f"`{profile.name}`",
        f"{forms}, {profile.adapter}",
        profile.whose,
        _published(profile),
    )


def _published(profile: Profile) -> str:
    if profile.source is None:
        return "in its chat template" if profile.prompt_source == "readme" else ""
    how = "profile fetch" if profile.source.fetchable else "--prompt"
    note = f". {profile.source.note}" if profile.source.note else ""
    return f"`{how}`: {profile.source.page}{note}"
