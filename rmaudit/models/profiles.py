"""Profiles: how a family of models is prompted and sampled. Data in `templates/profiles/*.toml`."""

from __future__ import annotations

import tomllib

from pydantic import BaseModel, ConfigDict

from rmaudit.engines.base import Sampling
from rmaudit.errors import InputError
from rmaudit.resources import folder


class Profile(BaseModel):
    """One profile; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    prompt: str
    temperature: float
    top_p: float
    top_k: int
    max_tokens: int

    @property
    def sampling(self) -> Sampling:
        """The sampling settings of the profile."""
        return Sampling(self.temperature, self.top_p, self.top_k, self.max_tokens)


def load_profile(name: str) -> Profile:
    """The named profile.

    Raises:
        InputError: there is none of that name.
    """
    path = folder("templates") / "profiles" / f"{name}.toml"
    if not path.is_file():
        names = sorted(file.stem for file in path.parent.glob("*.toml"))
        raise InputError(f"no profile '{name}'", f"profiles: {', '.join(names)}")
    return Profile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
