"""What a label of a public set says, in the coordinates of the item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from rmaudit.checklists.importers.fields import BadField, number_of
from rmaudit.checklists.schema import Label

Scale = Literal["negative-is-a", "positive-is-a"]
SCALES: tuple[Scale, ...] = ("negative-is-a", "positive-is-a")
MOST = 3

_NAMES = ("response", "model", "assistant", "answer", "completion", "output")
_WORDS: dict[str, Label] = {
    **dict.fromkeys(("a", "[[a]]", "a>b", "a>>b"), "a"),
    **dict.fromkeys(("b", "[[b]]", "b>a", "b>>a"), "b"),
    **{f"{name}{gap}{end}": "a" for name in _NAMES for gap in ("", " ", "_") for end in "a1"},
    **{f"{name}{gap}{end}": "b" for name in _NAMES for gap in ("", " ", "_") for end in "b2"},
    **dict.fromkeys(("tie", "a=b", "[[c]]", "tie (bothbad)", "both_bad", "both bad"), "tie"),
}


class Preference(NamedTuple):
    """A label, and how much better: 1 slightly to 3 much, None where that is not said."""

    label: Label
    strength: int | None = None


class LabelValues(NamedTuple):
    """What the user says that values of a label mean; they go before everything else."""

    a: Sequence[str] = ()
    b: Sequence[str] = ()
    tie: Sequence[str] = ()

    def find(self, value: object) -> Label | None:
        """The label of a value, None where it is not among them."""
        text = str(value).strip()
        if text in self.a:
            return "a"
        if text in self.b:
            return "b"
        return "tie" if text in self.tie else None

    @property
    def given(self) -> bool:
        """Whether there are any."""
        return bool(self.a or self.b or self.tie)


NO_VALUES = LabelValues()


def by_word(value: object, name: str) -> Preference:
    """A label in words: A, response_1, model_a, A>B, tie and their like.

    Raises:
        BadField: it is none of them. A bare number is none: nothing says what it counts.
    """
    label = _WORDS.get(value.strip().casefold()) if isinstance(value, str) else None
    if label is None:
        raise BadField(name, "must be a label such as A, B, tie, response_1, model_a or A>B")
    return Preference(label)


def by_scale(value: object, name: str, scale: Scale) -> Preference:
    """A preference from -3 to 3, 0 for a tie.

    Raises:
        BadField: it is no number of that range.
    """
    number = number_of(value)
    if number is None or abs(number) > MOST:
        raise BadField(name, f"must be a number from -{MOST} to {MOST}")
    if number == 0:
        return Preference("tie")
    a = (number < 0) == (scale == "negative-is-a")
    whole = number == int(number)
    return Preference("a" if a else "b", abs(int(number)) if whole else None)
