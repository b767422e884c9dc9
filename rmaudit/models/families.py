"""Which family of generative reward models a checkpoint is of, by local files only."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from rmaudit.models.profiles import is_shipped, read_profile
from rmaudit.models.readme import front_matter
from rmaudit.prompts import GENERIC_PAIRWISE
from rmaudit.resources import folder

FILE = "families.toml"
TRAINED_AS = "rmaudit_profile"
"""What a model card of `rmaudit fix` says: the profile on whose prompt it was trained."""


class ModelFamily(BaseModel):
    """One entry of `templates/families.toml`; its head says what the fields mean."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    profile: str
    name: str | None = None
    roles: Annotated[tuple[str, ...], Field(min_length=1)] | None = None


@cache
def families() -> tuple[ModelFamily, ...]:
    """All of them, in the order in which they are tried."""
    text = (folder("templates") / FILE).read_text(encoding="utf-8")
    return tuple(ModelFamily.model_validate(entry) for entry in tomllib.loads(text)["family"])


def family_of(
    path: Path, config: Mapping[str, Any], template: str
) -> tuple[ModelFamily, str] | tuple[None, str]:
    """The first family that fits, and by what; (None, '') where none does."""
    names = list(_names(path, config))
    for family in families():
        if family.roles is not None:
            if all(_knows_role(template, role) for role in family.roles):
                return family, f"its chat template knows the roles {', '.join(family.roles)}"
            continue
        for where, name in names:
            if family.name is not None and re.search(family.name, name, re.IGNORECASE):
                return family, f"{where} {name}"
    return None, ""


def trained_by_fix(path: Path) -> str:
    """The profile by whose generic prompt `rmaudit fix` trained this checkpoint, '' for none.

    Its base may be of a family, and is no longer what the published prompt was for.
    """
    for name in front_matter(path).get(TRAINED_AS, []):
        if is_shipped(name) and read_profile(name).prompt == GENERIC_PAIRWISE:
            return name
    return ""


def _knows_role(template: str, role: str) -> bool:
    """Whether the template names the role as a string of its own."""
    return re.search(rf"(['\"]){re.escape(role)}\1", template) is not None


def _names(path: Path, config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What the checkpoint and its base are called, each with where it says so."""
    yield "its folder is called", path.resolve().name
    for part in path.resolve().parts:
        if part.startswith("models--"):  # the cache of a hub names the model above a hash
            yield "its folder is called", part.rpartition("--")[2]
    said = config.get("_name_or_path")
    if isinstance(said, str) and said:
        yield "config.json names", said[:200]
    for base in front_matter(path).get("base_model", []):
        yield "README.md names the base", base[:200]
