"""Waivers: a named person lets one rule pass for a time, within a bound."""

from __future__ import annotations

import datetime
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rmaudit.errors import InputError
from rmaudit.gate.policy import Name, Places, Policy, Rule, first_problem
from rmaudit.text.toml import read_toml


class Waiver(BaseModel):
    """One waiver.

    Attributes:
        rule: id of the rule.
        owner: who answers for it.
        reason: why the release may go on.
        expires: the last day on which it counts.
        bound: the worst value (of a relative rule: difference) that it tolerates.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    rule: Name
    owner: Name
    reason: Name
    expires: datetime.date
    bound: float = Field(allow_inf_nan=False)

    def covers(self, rule: Rule, value: float) -> bool:
        """Whether a value is no worse than the bound."""
        if rule.direction == "min":
            return value >= self.bound
        return abs(value) <= self.bound if rule.direction == "abs" else value <= self.bound

    def expired(self, today: datetime.date) -> bool:
        """Whether its last day is over."""
        return today > self.expires


class WaiverFile(BaseModel):
    """The file as written."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    waivers: Annotated[list[Waiver], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Waivers:
    """The waivers of a file, by rule."""

    by_rule: dict[str, Waiver]
    file: str = ""
    sha256: str = ""


NO_WAIVERS = Waivers({})


def load_waivers(path: Path, policy: Policy) -> Waivers:
    """The waivers of a file for this policy.

    Raises:
        InputError: the file cannot be read, a key is not known, or a waiver names a rule that is
            not in the policy, is named twice, or is an integrity rule, which nobody can waive.
    """
    try:
        text = path.read_bytes().decode("utf-8")
        data = read_toml(text)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}", "give a TOML file of waivers") from error
    places = Places(text, "waivers")
    hint = "a waiver has rule, owner, reason, expires (a date, 2026-01-31) and bound"
    try:
        found = WaiverFile.model_validate(data).waivers
    except ValidationError as error:
        location, what = first_problem(error)
        field, line = str(location[-1]), places.key(str(location[-1]))
        if len(location) > 1 and isinstance(location[1], int):
            line = places.rule(location[1], field)
        raise InputError(f"{path}, line {line}, field {field}: {what}", hint) from error
    rules = {rule.id: rule for rule in policy.rules}
    by_rule: dict[str, Waiver] = {}
    for number, waiver in enumerate(found):
        rule, what = rules.get(waiver.rule), ""
        if rule is None:
            what = f"the policy {policy.name} has no rule '{waiver.rule}'"
        elif rule.kind == "integrity":
            what = f"'{waiver.rule}' is an integrity rule: evidence that is no evidence stays so"
        elif waiver.rule in by_rule:
            what = f"the rule '{waiver.rule}' is waived twice"
        if what:
            place = f"{path}, line {places.rule(number, 'rule')}, field rule"
            raise InputError(f"{place}: {what}", f"rules: {', '.join(rules)}")
        by_rule[waiver.rule] = waiver
    return Waivers(by_rule, str(path), hashlib.sha256(text.encode()).hexdigest())
