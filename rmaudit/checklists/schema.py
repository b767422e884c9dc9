"""Schema 1 of a checklist item: one preference pair with the human's reasons, one fault each.

`checklists/README.md` documents every field for users. Unknown keys are refused, except inside
`meta`, which is free.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)

SCHEMA_VERSION = 1

Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
Label = Literal["a", "b", "tie"]


class Strict(BaseModel):
    """Immutable, and refuses keys that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Turn(Strict):
    """One message of the prompt."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str


class Reason(Strict):
    """One atomic reason: a single fault, the side that has it, and how to prove it."""

    id: Text
    text: Text
    about: Literal["a", "b", "both"] | None = None
    weight: float | None = Field(default=None, gt=0)
    check: dict[str, Any] | None = None

    @field_validator("check")
    @classmethod
    def _check_has_kind(cls, check: dict[str, Any] | None) -> dict[str, Any] | None:
        if check is not None and not isinstance(check.get("kind"), str):
            raise ValueError("a check needs a text field 'kind'")
        return check


class GoldJudgment(Strict):
    """A reference judgment in prose."""

    text: Text
    origin: Text


class Annotator(Strict):
    """What one annotator said."""

    label: Label
    rationale: str | None = None
    reasons: list[Reason] = []


class Repair(Strict):
    """`response` ('a' or 'b') with the faults `fixes` mended and nothing else changed."""

    fixes: Annotated[list[str], Field(min_length=1)]
    response: Literal["a", "b"]
    text: Text


class Control(Strict):
    """An edit of `response` that must not matter, or a cue that must not win."""

    response: Literal["a", "b"]
    text: Text
    kind: Text


class TupleRef(Strict):
    """Membership in a best-of-n tuple."""

    id: Text
    rank: int


class Item(Strict):
    """One preference pair with its checklist."""

    id: Text
    group: str = ""
    domain: Text = "general"
    prompt: Annotated[list[Turn], Field(min_length=1)]
    response_a: Text
    response_b: Text
    label: Label | None
    strength: Annotated[int, Field(ge=1, le=3)] | None = None
    reasons: list[Reason] = []
    gold_judgment: GoldJudgment | None = None
    annotators: list[Annotator] | None = None
    repairs: list[Repair] | None = None
    controls: list[Control] | None = None
    variant_of: str | None = None
    style_a: str | None = None
    style_b: str | None = None
    tuple: TupleRef | None = None
    reference_origin: Annotated[str, StringConstraints(pattern=r"^(human|program|model:.+)$")] = (
        "human"
    )
    source: str | None = None
    licence: str | None = None
    meta: dict[str, Any] = {}

    @model_validator(mode="after")
    def _consistent(self) -> Item:
        ids = [r.id for r in self.reasons]
        if len(set(ids)) != len(ids):
            raise ValueError("two reasons share one id")
        for repair in self.repairs or ():
            for fixed in repair.fixes:
                if fixed not in ids:
                    raise ValueError(f"a repair fixes the reason '{fixed}', which is not there")
        for reason in self.reasons:
            if reason.check is not None and reason.about not in ("a", "b"):
                raise ValueError(f"reason '{reason.id}' has a check, so 'about' must be a or b")
        return self

    @property
    def cluster(self) -> str:
        """The unit of resampling: `group`, by default the item itself."""
        return self.group or self.id

    @property
    def family(self) -> str:
        """The generator family of a program-made item, '' for others."""
        family = self.meta.get("family", "")
        return family if isinstance(family, str) else ""

    def response(self, side: Literal["a", "b"]) -> str:
        """The text of response a or b."""
        return self.response_a if side == "a" else self.response_b


_GIVEN: set[str] = set()


def lean(item: Item) -> Item:
    """The item without pydantic's records of which fields were given, a quarter of its memory.

    Nothing asks for them: what is at its default is told by its value.
    """
    for part in (item, *item.prompt, *item.reasons):
        object.__setattr__(part, "__pydantic_fields_set__", _GIVEN)
    return item


class Baselines(BaseModel):
    """No-read baselines: what a model scores that reads nothing (see `synth.baselines`)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    shotgun_rc: float | None = None
    surface_accuracy: float | None = None
    label_a_share: float | None = None
    n: int = 0
    shipped_shotgun_rc: float | None = None
    shipped_surface_accuracy: float | None = None
    shipped_label_a_share: float | None = None


class SetCard(BaseModel):
    """card.toml: what a set is, what it is for, and what it is not.

    differences: places in which the two responses of an item differ, on average.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Text
    version: str = "0"
    licence: str = "unknown"
    origin: str = "unknown"
    sha256: str = ""
    purpose: str = ""
    not_for: str = ""
    differences: float | None = None
    baselines: Baselines | None = None
