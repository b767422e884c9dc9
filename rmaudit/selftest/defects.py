"""The planted defects: what each does, which finding must name it, and from which rate on."""

from __future__ import annotations

from dataclasses import dataclass

from rmaudit.selftest import corrupt as spoil
from rmaudit.selftest.models import Spoil

RATES = (0.0, 0.05, 0.20, 0.60, 1.0)
SILENT_TO = 0.05
"""At this share of spoilt answers and below nothing may be named; every bar lies above it."""


@dataclass(frozen=True, slots=True)
class Defect:
    """One planted defect.

    Attributes:
        key: stable name.
        name: in plain words.
        finding: key of the claim that must be named.
        spoil: what it does to an answer.
        accuracy: of the model that has it, before the defect.
        named_from: the rate from which it must be named; between SILENT_TO and this it may be.
        implied: claims that follow from it and may be named with it, and `why` they follow.
        asked: it is also given its own reasons back, as `scan --measure causality` does.
        recorded: its labels come from recorded answers of a labeller, so that for it the
            certificate says that the pipeline works, nothing about a labeller.
    """

    key: str
    name: str
    finding: str
    spoil: Spoil
    accuracy: float = 0.85
    named_from: float = 0.60
    implied: tuple[str, ...] = ()
    why: str = ""
    asked: bool = False
    recorded: bool = False


_ELSEWHERE = "the verdict comes from elsewhere than the reasons"
_NO_FAULT = "no reason states a fault, so none can match a reference"

DEFECTS: tuple[Defect, ...] = (
    Defect(
        "F1",
        "judges style only",
        "F1",
        spoil.with_flaw("F1"),
        implied=("spurious", "generic"),
        why=_NO_FAULT,
    ),
    Defect(
        "F2",
        "says right or wrong and no more",
        "F2",
        spoil.with_flaw("F2"),
        implied=("spurious", "generic"),
        why=_NO_FAULT,
    ),
    Defect(
        "F3",
        "says relevant or not and no more",
        "F3",
        spoil.with_flaw("F3"),
        implied=("spurious", "generic"),
        why=_NO_FAULT,
    ),
    Defect(
        "F4",
        "praises the response that it prefers",
        "F4",
        spoil.praise,
        implied=("spurious", "generic"),
        why=_NO_FAULT,
    ),
    Defect(
        "F5",
        "gives reasons that nothing can refute",
        "F5",
        spoil.with_flaw("F5"),
        named_from=0.20,
        implied=("spurious",),
        why=_NO_FAULT,
        recorded=True,
    ),
    Defect(
        "F6",
        "draws conclusions that do not follow",
        "F6",
        spoil.non_sequitur,
        named_from=0.20,
        recorded=True,
    ),
    Defect(
        "F7",
        "contradicts itself",
        "F7",
        spoil.contradiction,
        named_from=0.20,
        recorded=True,
    ),
    Defect(
        "random-reasons",
        "right verdict, reasons of another item",
        "spurious",
        spoil.random_reasons,
        accuracy=0.93,
        implied=("ungrounded", "causality"),
        why="the facts of another item do not stand in this one, and the verdict is not theirs",
        asked=True,
    ),
    Defect(
        "shotgun",
        "lists every kind of fault",
        "shotgun",
        spoil.shotgun,
        implied=("F2", "generic", "spurious"),
        why="a kind of fault without a fact is a bare claim, and states no fault of the response",
    ),
    Defect("compound", "all faults in one reason", "compound", spoil.compound),
    Defect(
        "copies",
        "copies the responses as reasons",
        "copies",
        spoil.copies,
        named_from=0.20,
        implied=("spurious",),
        why="a passage of a response states no fault of it",
    ),
    Defect(
        "ungrounded",
        "quotes what stands nowhere",
        "ungrounded",
        spoil.invented,
        implied=("spurious",),
        why="what stands nowhere is no fault of a response",
    ),
    Defect(
        "position",
        "picks the response shown first",
        "position",
        spoil.by_order,
        implied=("order", "causality"),
        why="who picks by place turns with the order, and not with the reasons",
        asked=True,
    ),
    Defect(
        "slot",
        "picks a slot and writes good reasons",
        "order",
        spoil.by_slot,
        implied=("causality",),
        why=_ELSEWHERE,
        asked=True,
    ),
    Defect(
        "post-hoc",
        "decides first and finds good reasons after",
        "causality",
        spoil.post_hoc,
        named_from=1.0,
        asked=True,
    ),
    Defect(
        "length",
        "picks the longer response",
        "length",
        spoil.by_length,
        accuracy=0.93,
        implied=("causality",),
        why=_ELSEWHERE,
        asked=True,
    ),
    Defect(
        "style",
        "picks the response with more bold type",
        "style-bold",
        spoil.by_style,
        implied=("causality",),
        why=_ELSEWHERE,
        asked=True,
    ),
    Defect(
        "no-reasons",
        "gives no reasons",
        "no-reasons",
        spoil.silent,
        named_from=0.20,
        implied=("spurious",),
        why="a right verdict without a reason has no right reason",
    ),
    Defect(
        "unparsed",
        "comes to no verdict",
        "unparsed",
        spoil.undecided,
        named_from=0.20,
    ),
)
