"""Profiles: how a family of models is prompted and sampled. Data in `templates/profiles/*.toml`.

A file of one's own has the same fields; `rmaudit fix --arm prompt` writes one with guidelines.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from rmaudit.engines.base import Sampling
from rmaudit.errors import InputError
from rmaudit.prompts import GENERIC_PAIRWISE
from rmaudit.resources import folder
from rmaudit.text.toml import read_toml

SUFFIX = ".toml"
MOST_GUIDELINES, LONGEST_GUIDELINE = 20, 400

Guideline = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_GUIDELINE)
]


class Profile(BaseModel):
    """One profile; unknown keys are refused.

    `guidelines` stand before the prompt; they are part of what is audited, as weights are.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    prompt: str
    temperature: Annotated[float, Field(ge=0)]
    top_p: Annotated[float, Field(gt=0, le=1)]
    top_k: Annotated[int, Field(ge=0)]
    max_tokens: Annotated[int, Field(ge=1)]
    guidelines: Annotated[tuple[Guideline, ...], Field(max_length=MOST_GUIDELINES)] = ()

    @property
    def sampling(self) -> Sampling:
        """The sampling settings of the profile."""
        return Sampling(self.temperature, self.top_p, self.top_k, self.max_tokens)


def is_shipped(name: str) -> bool:
    """Whether a profile of that name ships."""
    return (folder("templates") / "profiles" / f"{name}{SUFFIX}").is_file()


def load_profile(name: str) -> Profile:
    """The named profile, or the one in a TOML file.

    Raises:
        InputError: there is none of that name, or the file is no profile.
    """
    shipped = folder("templates") / "profiles"
    own = name.endswith(SUFFIX)
    path = Path(name) if own else shipped / f"{name}{SUFFIX}"
    if not own and not path.is_file():
        names = sorted(file.stem for file in shipped.glob(f"*{SUFFIX}"))
        raise InputError(
            f"no profile '{name}'", f"profiles: {', '.join(names)}; or a file that ends in .toml"
        )
    try:
        found = Profile.model_validate(read_toml(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}", "name a TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}", "mend the TOML at this place") from error
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in detail["loc"])
        raise InputError(
            f"{path}, {where}: {detail['msg']}", f"fields: {', '.join(Profile.model_fields)}"
        ) from error
    if found.prompt != GENERIC_PAIRWISE:
        raise InputError(f"{path}, prompt: no prompt '{found.prompt}'", GENERIC_PAIRWISE)
    return found
