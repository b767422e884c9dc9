"""A release policy: rules on metrics, read from TOML. `checklists/README.md` documents it.

Refused with file, line and field: a key or metric that is not known, a threshold outside of what
its metric can be, a rule that lacks its threshold or margin.
"""

from __future__ import annotations

import difflib
import hashlib
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from rmaudit.errors import InputError
from rmaudit.metrics.registry import REGISTRY
from rmaudit.metrics.spec import ABOUT_OUTCOME, ABOUT_REASONS, MetricSpec
from rmaudit.resources import folder
from rmaudit.text.toml import read_toml

Kind = Literal["absolute", "relative", "integrity"]
Bound = Literal["min", "max", "abs"]
Level = Literal["error", "warn"]
OnInconclusive = Literal["inconclusive", "fail", "warn", "pass"]
Subject = Literal["reasons", "outcome", ""]
Name = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]

UNKNOWN = "unknown key"
_USUAL: dict[str, Bound] = {"higher": "min", "lower": "max", "zero": "abs"}


class Rule(BaseModel):
    """One requirement.

    Attributes:
        id: its name, unique in the policy.
        metric: a key of metrics.json.
        slice: a domain; None for the whole run.
        kind: `absolute` bounds the metric, `relative` bounds its change against a baseline,
            `integrity` asks whether this run is evidence at all and looks at the value alone.
        direction: `min`: at least, `max`: at most, `abs`: at most in either direction. Default:
            what the metric's direction of improvement calls for.
        threshold: of absolute and integrity rules.
        margin: of relative rules, the loss that is tolerated; negative: the gain that is required.
        level: `warn` is shown and never decides.
        confidence: one-sided level of the bound.
        min_n: observations below which nothing is decided.
        min_reasons: reasons of the model below which nothing is decided.
        on_inconclusive: what an undecided rule does: leave the gate `inconclusive`, `fail` it, or
            let it `pass`, with `warn` said aloud.
        why: one sentence on where the threshold comes from.
        validated: whether the threshold was checked against what it is to prevent.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    id: Name
    metric: Name
    slice: Name | None = None
    kind: Kind = "absolute"
    direction: Bound
    threshold: float | None = Field(default=None, allow_inf_nan=False)
    margin: float | None = Field(default=None, allow_inf_nan=False)
    level: Level = "error"
    confidence: float = Field(default=0.95, gt=0.5, lt=1)
    min_n: int = Field(default=1, ge=1)
    min_reasons: int = Field(default=0, ge=0)
    on_inconclusive: OnInconclusive = "inconclusive"
    why: str = ""
    validated: bool = False

    @property
    def spec(self) -> MetricSpec:
        """The metric in the registry."""
        return REGISTRY[self.metric]

    @property
    def limit(self) -> float:
        """The threshold; of a relative rule the least (`min`) or greatest allowed difference."""
        if self.kind != "relative":
            return self.threshold or 0.0
        margin = self.margin or 0.0
        return -margin if self.direction == "min" else margin

    @property
    def subject(self) -> Subject:
        """What a pass of the rule speaks for: the model's reasons, its outcome or neither.

        Neither, where only the value of this run is looked at (integrity), where the metric is one
        of the items and not of the model, and where the rule asks for what is worse or for nothing.
        """
        better = self.spec.better
        if self.kind == "integrity" or better == "none" or self.never_refuses:
            return ""
        if self.direction == {"higher": "max", "lower": "min"}.get(better):
            return ""
        if self.spec.topic in ABOUT_REASONS:
            return "reasons"
        return "outcome" if self.spec.topic in ABOUT_OUTCOME else ""

    @property
    def never_refuses(self) -> bool:
        """Whether no value of the metric is beyond the limit."""
        low, high = self.range
        return {
            "min": self.limit <= low,
            "max": self.limit >= high,
            "abs": self.limit >= max(abs(low), abs(high)),
        }[self.direction]

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest value that the measured number can take."""
        low, high = self.spec.bounds
        return (low - high, high - low) if self.kind == "relative" else (low, high)


class PolicyFile(BaseModel):
    """The file as written."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Name
    purpose: str = ""
    allow_builtin_judge: bool = False
    require_complete_weights: bool = False
    require_trained_prompt: bool = False
    rules: Annotated[list[Rule], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy that can be applied, and the file it came from.

    allow_builtin_judge: rules may rest on the embedded judge, which is approximate, or on a model
    that is not qualified as a judge.
    require_complete_weights: the run must say that every weight which the model's config asks for
    was there, in its shape; an endpoint and recorded answers cannot say so.
    require_trained_prompt: a family of reward models must have been asked by its published prompt,
    not by ours in its place: with another prompt it is another judge.
    """

    name: str
    purpose: str
    allow_builtin_judge: bool
    rules: tuple[Rule, ...]
    file: str
    sha256: str
    lines: tuple[int, ...]
    require_complete_weights: bool = False
    require_trained_prompt: bool = False

    @property
    def relative(self) -> bool:
        """Whether any rule needs a baseline."""
        return any(rule.kind == "relative" for rule in self.rules)

    @property
    def subject(self) -> Subject:
        """What a pass has to rest on: reasons where any rule that decides is about them."""
        about = {rule.subject for rule in self.rules if rule.level == "error"}
        return "reasons" if "reasons" in about else "outcome" if "outcome" in about else ""


def shipped_policies() -> list[str]:
    """Names of the policies that ship with rmaudit."""
    return sorted(path.stem for path in (folder("checklists") / "policies").glob("*.toml"))


def load_policy(spec: str) -> Policy:
    """A policy by its name or file.

    Raises:
        InputError: there is none, or it cannot be applied.
    """
    path = Path(spec)
    if not path.suffix and not path.is_file():
        path = folder("checklists") / "policies" / f"{spec}.toml"
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError as error:
        raise InputError(
            f"no policy '{spec}'", f"give a TOML file or one of: {', '.join(shipped_policies())}"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", "give a TOML file in UTF-8") from error
    return parse_policy(text, file=str(path))


def parse_policy(text: str, *, file: str) -> Policy:
    """A policy from the text of its file.

    Raises:
        InputError: it cannot be applied; file, line and field are named.
    """
    try:
        data = read_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file}: {error}", "mend the TOML at this place") from error
    places = Places(text)
    try:
        parsed = PolicyFile.model_validate(_with_directions(data))
    except ValidationError as error:
        raise _refusal(error, data, places, file) from error
    seen: set[str] = set()
    for number, rule in enumerate(parsed.rules):
        fault = _fault(rule, seen)
        if fault is not None:
            field, what, hint = fault
            place = f"{file}, line {places.rule(number, field)}, rule '{rule.id}', field {field}"
            raise InputError(f"{place}: {what}", hint)
        seen.add(rule.id)
        lacks = _without_floor(rule, parsed.rules)
        if lacks:
            place = f"{file}, line {places.rule(number, 'metric')}, rule '{rule.id}', field metric"
            raise InputError(f"{place}: {lacks}", f'add a rule with metric = "{rule.spec.floor}"')
    if not any(rule.level == "error" for rule in parsed.rules):
        raise InputError(
            f"{file}: no rule has level error, so nothing can be refused",
            'give the rules that matter level = "error"',
        )
    return Policy(
        name=parsed.name,
        purpose=parsed.purpose,
        allow_builtin_judge=parsed.allow_builtin_judge,
        rules=tuple(parsed.rules),
        file=file,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        lines=tuple(places.rule(number, "id") for number in range(len(parsed.rules))),
        require_complete_weights=parsed.require_complete_weights,
        require_trained_prompt=parsed.require_trained_prompt,
    )


def _with_directions(data: dict[str, Any]) -> dict[str, Any]:
    """The rules with the direction that their metric calls for, where none is given."""
    rules = data.get("rules")
    if not isinstance(rules, list):
        return data
    filled = []
    for rule in rules:
        if isinstance(rule, dict) and "direction" not in rule:
            spec = REGISTRY.get(str(rule.get("metric")))
            # A metric that is not known is refused as such later.
            usual = _USUAL.get(spec.better) if spec is not None else "min"
            if usual == "abs" and rule.get("kind") == "relative":
                usual = "max"  # the distance from zero is what may not grow
            rule = {**rule, "direction": usual} if usual else rule
        filled.append(rule)
    return {**data, "rules": filled}


def _fault(rule: Rule, seen: set[str]) -> tuple[str, str, str] | None:
    """(field, what is wrong, what to do) of a rule that cannot be applied."""
    if rule.id in seen:
        return "id", "this id comes twice", "give each rule an id of its own"
    if rule.metric not in REGISTRY:
        near = difflib.get_close_matches(rule.metric, REGISTRY, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"e.g. {', '.join(REGISTRY)[:60]}"
        return "metric", f"no metric '{rule.metric}'", hint
    wanted, other = ("margin", "threshold") if rule.kind == "relative" else ("threshold", "margin")
    if getattr(rule, wanted) is None:
        return wanted, f"a rule of kind {rule.kind} needs a {wanted}", f"add {wanted} = ..."
    if getattr(rule, other) is not None:
        return other, f"a rule of kind {rule.kind} has no {other}", f"leave it out; use {wanted}"
    low, high = rule.range
    if not low <= rule.limit <= high:
        return (
            wanted,
            f"{getattr(rule, wanted):g} is not what {rule.metric} can be: {low:g} to {high:g}",
            "shares and scores are written as 0.25, not 25",
        )
    wanted_max = rule.spec.better == "zero" and rule.direction != "max"
    if rule.kind == "relative" and (rule.direction == "abs" or wanted_max):
        what = "a relative rule is min or max; of a metric that is best at zero, max"
        return "direction", what, "max: the distance from zero may grow by the margin"
    if rule.direction == "abs" and rule.limit < 0:
        return wanted, "a bound on the absolute value is not negative", "give 0 or more"
    return None


def _without_floor(rule: Rule, rules: Sequence[Rule]) -> str:
    """What a rule lacks whose metric rests on a part of the reasons only; '' where nothing."""
    floor = rule.spec.floor
    if not floor or any(
        other.metric == floor
        and other.slice == rule.slice
        and other.kind != "relative"
        and other.direction == "min"
        and (other.level == "error" or rule.level == "warn")
        for other in rules
    ):
        return ""
    return (
        f"{rule.metric} says nothing where {floor} is low, and no rule"
        f"{f' for {rule.slice}' if rule.slice else ''} asks for a least {floor}"
    )


def _refusal(error: ValidationError, data: dict[str, Any], places: Places, file: str) -> InputError:
    """The first problem that the schema found, with its place."""
    location, what = first_problem(error)
    field = str(location[-1])
    known = list((Rule if location[0] == "rules" else PolicyFile).model_fields)
    if len(location) > 1 and isinstance(location[1], int):
        number = location[1]
        name = data["rules"][number].get("id", number + 1)
        field = str(location[2]) if len(location) > 2 else "rules"
        place = f"{file}, line {places.rule(number, field)}, rule '{name}', field {field}"
    else:
        place = f"{file}, line {places.key(field)}, field {field}"
    hint = "see 'Policies' in checklists/README.md"
    if what == UNKNOWN:
        near = difflib.get_close_matches(field, known, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        hint += f"known keys: {', '.join(known)}"
    return InputError(f"{place}: {what}", hint)


def first_problem(error: ValidationError) -> tuple[tuple[int | str, ...], str]:
    """Where a file breaks its schema and how; a key that is not known before one that is missing.

    A key that was written wrong is both, and only the first says what to mend.
    """
    problems = error.errors(include_url=False)
    chosen = next((one for one in problems if one["type"] == "extra_forbidden"), problems[0])
    said = {"extra_forbidden": UNKNOWN, "missing": "is missing"}
    return chosen["loc"], said.get(chosen["type"], chosen["msg"].removeprefix("Value error, "))


class Places:
    """Line numbers of the keys in a file of `[[rules]]` tables; 1 where a key is not found."""

    def __init__(self, text: str, table: str = "rules") -> None:
        self._top: dict[str, int] = {}
        self._tables: list[dict[str, int]] = []
        keys = self._top
        for number, line in enumerate(text.splitlines(), start=1):
            if re.match(rf"\s*\[\[\s*{table}\s*\]\]", line):
                keys = {"": number}
                self._tables.append(keys)
            elif key := re.match(r"""\s*["']?([\w-]+)["']?\s*=""", line):
                keys.setdefault(key[1], number)

    def key(self, field: str) -> int:
        """The line of a key above the first table."""
        return self._top.get(field, 1)

    def rule(self, number: int, field: str) -> int:
        """The line of a key of one table, else of its header."""
        if number >= len(self._tables):
            return self.key("rules")
        table = self._tables[number]
        return table.get(field, table[""])
