"""Two responses that were judged alone, compared: the verdict on a pair from two readings.

Where one of the two has no score, the pair has no verdict: a missing score is not a low one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from rmaudit.parsing.grammar import Scale
from rmaudit.parsing.parse import Parsed
from rmaudit.records import ANSWERED, Judgment, ModelReason, Outcome

_WORST: tuple[Outcome, ...] = (
    *("error", "too_long", "filtered"),
    *("refused", "truncated", "unparsed", "ok", "tie"),
)
"""Of two outcomes the pair has the one that stands first here."""


def compare(a: Parsed, b: Parsed, scale: Scale, *, max_reasons: int) -> Judgment:
    """The judgment of a pair, in item coordinates; the reasons of each answer are about its side.

    Where both lists together are longer than `max_reasons`, each keeps half of the room, and what
    the other leaves of its.
    """
    outcome = min((one.judgment.outcome for one in (a, b)), key=_WORST.index)
    flags = dict.fromkeys((*a.judgment.flags, *b.judgment.flags))
    flags.pop("ambiguous_side", None)
    listed = [_about(a, "a"), _about(b, "b")]
    if outcome not in ANSWERED or outcome == "refused":
        listed = [(), ()]
    kept = _cut(*listed, room=max_reasons)
    if len(kept) < sum(map(len, listed)):
        flags["over_max_reasons"] = None
    if kept:
        flags.pop("no_reasons", None)
    label = None
    if a.rating is not None and b.rating is not None:
        label = scale.between(a.rating, b.rating)
    if label is not None:
        outcome = "tie" if label.verdict == "tie" else "ok"
    elif outcome in ("ok", "tie"):
        outcome = "unparsed"
    return Judgment(
        verdict=label.verdict if label else None,
        outcome=outcome,
        reasons=kept,
        strength=label.strength if label else None,
        flags=tuple(flags),
    )


def _about(parsed: Parsed, side: Literal["a", "b"]) -> tuple[ModelReason, ...]:
    return tuple(replace(reason, about=side, ambiguous=False) for reason in parsed.judgment.reasons)


def _cut(
    a: Sequence[ModelReason], b: Sequence[ModelReason], *, room: int
) -> tuple[ModelReason, ...]:
    half = room // 2
    of_a = min(len(a), max(room - half, room - len(b)))
    return (*a[:of_a], *b[: room - of_a])
