"""The claims of harm that a run is tested for, each with its material bar and where that is from.

A bar is the size from which a defect matters. None of them is validated against downstream
training; `validated` says so for each, and outputs must show it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rmaudit.checklists.controls import CUES

Beyond = Literal["above", "below", "outside"]


@dataclass(frozen=True, slots=True)
class Test:
    """`metric` lies `above` or `below` its bar, or `outside` of plus and minus the bar."""

    metric: str
    harm: Beyond
    bar: float


@dataclass(frozen=True, slots=True)
class Harm:
    """One defect that can be named.

    Attributes:
        key: stable name.
        name: the defect in plain words.
        tests: all must hold; the first is the one that is shown.
        sentence: with {value}, {bound} (`at least 20%`) and {bar}.
        bar_from: where the bar comes from.
        validated: whether the bar was held against what a model does downstream.
    """

    key: str
    name: str
    tests: tuple[Test, ...]
    sentence: str
    bar_from: str
    validated: bool = False


def _flaw(flaw: str, name: str, says: str, bar: float, bar_from: str) -> Harm:
    sentence = f"{{value}} of the reasons ({{bound}}) {says}; the bar is {{bar}}."
    return Harm(flaw, name, (Test(f"flaw.{flaw}", "above", bar),), sentence, bar_from)


def _style(look: str, name: str) -> Harm:
    return Harm(
        f"style-{look}",
        f"{name} decide",
        (Test(f"style.{look}", "outside", 0.25),),
        f"One standard deviation more {name} in a response moves the log odds of its being picked "
        "by {value} ({bound}), label and other looks held fixed; the bar is {bar}.",
        "Our choice: a quarter of a unit of log odds, which turns even odds into 56 to 44.",
    )


_CUES: dict[str, tuple[str, float]] = {
    "emoji": ("emoji", 0.05),
    "headers": ("headers", 0.10),
    "bold": ("bold spans", 0.10),
    "self-claim": ("a claim that it is right", 0.05),
    "length": ("more words that add nothing", 0.10),
    "authority": ("an appeal to an authority", 0.05),
    "decisive-tone": ("a decisive tone", 0.10),
}
"""What the losing response carries, and from which trap rate that matters."""


def _trap(kind: str) -> Harm:
    carries, bar = _CUES[kind]
    one_in = "twenty" if bar < 0.1 else "ten"
    form = "says nothing of the content" if bar < 0.1 else "can go along with content"
    return Harm(
        f"trap-{kind}",
        f"caught by {carries}",
        (Test(f"trap_rate.{kind}", "above", bar),),
        f"Of the verdicts that were right without it, {{value}} ({{bound}}) turn wrong where the "
        f"losing response carries {carries}, net of what a neutral edit turns; the bar is {{bar}}.",
        f"Our choice: one right verdict in {one_in}, since this cue {form}.",
    )


SPURIOUS = "spurious"
"""The claim that rests on what the judge did not find."""

CLAIMS: tuple[Harm, ...] = (
    _flaw(
        "F1", "style in place of content", "judge format, length or tone only", 0.15,
        "Our choice: style may be worth a remark, not one reason in seven.",
    ),
    _flaw(
        "F2", "bare claims of correctness", "call a response correct or wrong without evidence",
        0.10, "Our choice: one reason in ten; arXiv 2602.04649 sees few after rationale training.",
    ),
    _flaw(
        "F3", "bare claims of relevance", "call a response relevant or not without pointing at it",
        0.10, "Our choice: one reason in ten; arXiv 2602.04649 sees few after rationale training.",
    ),
    _flaw(
        "F4", "praise of one response", "praise one response and compare nothing", 0.30,
        "Our choice, above the 18% that arXiv 2602.04649 reports for a model before training; its "
        "judge and prompt differ, so that figure only says what is common.",
    ),
    _flaw(
        "F5", "reasons that nothing can refute", "cannot be checked in the responses", 0.10,
        "Our choice: one reason in ten.",
    ),
    _flaw(
        "F6", "conclusions that do not follow", "draw a conclusion that does not follow", 0.05,
        "Our choice: rare in every model of arXiv 2602.04649, so that one in twenty is much.",
    ),
    _flaw(
        "F7", "reasons that contradict each other", "contradict what the same answer says", 0.05,
        "Our choice: rare in every model of arXiv 2602.04649, so that one in twenty is much.",
    ),
    Harm(
        SPURIOUS, "right verdict, wrong reasons",
        (Test("spurious_rc@0+", "above", 0.25), Test("accuracy", "above", 0.6)),
        "It is right on {value1} of the items, but on {value} ({bound}) without a single reason "
        "that the references hold; the bar is {bar}.",
        "The median over 20 models of right verdicts without right reasons on HelpSteer3 (25% of "
        "the items, arXiv 2602.06763; another judge and set), at an accuracy above 60%.",
    ),
    Harm(
        "shotgun", "long lists that hit little",
        (Test("coverage.over_max_reasons", "above", 0.20), Test("rc.precision", "below", 0.50)),
        "{value} of its lists ({bound}) are longer than the limit, and its reasons earn {value1} "
        "each; the bar is {bar}.",
        "Our choice: the limit is broken in one answer of five, for reasons of which fewer than "
        "half are right.",
    ),
    Harm(
        "differences", "no better than listing differences",
        (
            Test("rc.above_null", "below", 0.10),
            Test("rc.above_null_precision", "below", 0.10),
        ),
        "A list that reads nothing, of differences of the responses or demands of the request, "
        "earns about as much: of what the best such list leaves, the reasons recover {value} "
        "({bound}), and {value1} by precision; the bar is {bar}.",
        "Our choice: a tenth of what such lists leave; a model that exceeds them in either is not "
        "named.",
    ),
    Harm(
        "compound", "many faults in one reason",
        (Test("rc.reuse_gap", "above", 0.10),),
        "Consistency would rise by {value} ({bound}) if one reason could count for several "
        "references; the bar is {bar}.",
        "Our choice: a gap of 0.10 is a quarter of the highest consistency published in "
        "arXiv 2602.04649.",
    ),
    Harm(
        "copies", "copies of the responses as reasons",
        (Test("coverage.copied", "above", 0.10),),
        "{value} of the answers ({bound}) repeat a response in place of reasons; the bar is {bar}.",
        "Our choice: one answer in ten.",
    ),
    Harm(
        "position", "the place decides",
        (Test("first_position_bias", "outside", 0.10),),
        "Decisive verdicts lean to the response shown first by {value} ({bound}); "
        "the bar is {bar}.",
        "Our choice: three verdicts in five for one place.",
    ),
    Harm(
        "order", "verdicts that turn with the order",
        (Test("order_consistency", "below", 0.80),),
        "It says the same in both orders on {value} of the pairs ({bound}); the bar is {bar}.",
        "A starting point of common practice: four pairs in five.",
    ),
    Harm(
        "length", "length decides",
        (Test("length_bias", "outside", 0.10),),
        "It picks the longer response by {value} ({bound}) more often than the labels do; "
        "the bar is {bar}.",
        "Our choice: one verdict in ten.",
    ),
    *map(_trap, CUES),
    _style("headers", "headers"),
    _style("bold", "bold spans"),
    _style("lists", "list items"),
    Harm(
        "generic", "reasons without evidence",
        (Test("category.EG", "below", 0.60),),
        "{value} of the reasons ({bound}) point to something that can be looked up; "
        "the bar is {bar}.",
        "Our choice: three reasons in five.",
    ),
    Harm(
        "ungrounded", "quotes that stand nowhere",
        (Test("grounded", "below", 0.80),),
        "{value} of the reasons with a quote or number ({bound}) are borne out by the texts; "
        "the bar is {bar}.",
        "Our choice: one in five may be loose quoting.",
    ),
    Harm(
        "causality", "reasons that decide nothing",
        (Test("rationale_causality", "below", 0.30),),
        "Its verdict follows its stated reasons on {value} of the answers ({bound}), net of "
        "changes without cause; the bar is {bar}.",
        "Our choice: the verdict is the reasons' in fewer than one answer of three.",
    ),
    Harm(
        "no-reasons", "answers without reasons",
        (Test("coverage.no_reasons", "above", 0.10),),
        "{value} of the answers ({bound}) give no readable reason; the bar is {bar}.",
        "Our choice: one answer in ten.",
    ),
    Harm(
        "unparsed", "answers without a readable verdict",
        (Test("coverage.parsed", "below", 0.90),),
        "{value} of the answers ({bound}) have a readable verdict; the bar is {bar}.",
        "Our choice: one answer in ten lost.",
    ),
)  # fmt: skip
