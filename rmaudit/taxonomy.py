"""The words that rows and metrics share: categories and flaws of reasons, measures, conditions.

The kinds are those of arXiv 2602.04649; the wording is ours. A language model is told these
definitions, the embedded labeller follows them, reports name them, and the planted cases of
`label_check` measure how well a labeller knows them.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from rmaudit.records import Category, Flaw, Gold, Tested

FIRST_TOKEN = frozenset({"first-token-pair", "first-token-rating"})
"""Kinds of models (`rm_type`) that are prompted, and read by the probabilities of one token."""

REWARD_HEADS = frozenset({"scalar-seqcls", "scalar-tokenhead", "scalar-hf"})
"""Kinds of models that score by a head of their own."""

SCORES_ONLY = REWARD_HEADS | {"score"} | FIRST_TOKEN
"""Kinds of models that give scores and no reasons; `score`: recorded."""

ALONE = REWARD_HEADS | {"first-token-rating", "gen-pointwise"}
"""Kinds of models that are shown one response at a time, so that none is shown first."""


class Meaning(NamedTuple):
    """A category or flaw: its name in a report, and the rule by which it is given."""

    name: str
    rule: str


CATEGORIES: dict[Category, Meaning] = {
    "EG": Meaning(
        "grounded in evidence",
        "points to something that can be looked up in the responses: quoted words, a number, a "
        "name, an example, a place such as a step or a function, or one named thing that is said "
        "or left out there. A mark such as 9/10 is no evidence.",
    ),
    "CG": Meaning(
        "grounded in a criterion",
        "names what this request or this kind of task calls for (a requirement, a topic, units, "
        "edge cases, safety, rhyme), but not where or in what the responses meet or miss it.",
    ),
    "GS": Meaning(
        "generic or about style",
        "could be said of almost any pair: overall quality, being right or wrong, being relevant "
        "or helpful, following instructions, format, length, tone or wording.",
    ),
}

FLAWS: dict[Flaw, Meaning] = {
    "F1": Meaning(
        "judges style only",
        "speaks of format, length, tone, clarity or wording and of nothing that is said. Not "
        "where the request asks for that form: a broken word limit is content.",
    ),
    "F2": Meaning(
        "calls it right or wrong without saying what",
        "says that a response is correct, accurate, wrong or has mistakes, and neither shows nor "
        "names what is right or wrong in it.",
    ),
    "F3": Meaning(
        "calls it relevant without saying how",
        "says that a response is relevant, on topic, answers the question, follows the "
        "instructions or fits the user's needs, or fails to, and points to no content.",
    ),
    "F4": Meaning(
        "praises one side only",
        "states a merit of one response and says nothing of the other: no fault of it, no "
        "contrast, no comparative such as better or clearer.",
    ),
    "F5": Meaning(
        "cannot be checked",
        "rests on what nobody can verify or refute from the responses: what a writer felt or "
        "meant, what some reader would feel, depth or soul.",
    ),
    "F6": Meaning(
        "does not follow",
        "draws a conclusion that does not follow from what it gives as the ground for it.",
    ),
    "F7": Meaning(
        "contradicts another reason",
        "conflicts with another reason of the same list: both cannot be true of the responses.",
    ),
}

CATEGORY_NAMES = tuple(CATEGORIES)
FLAW_NAMES = tuple(FLAWS)
TESTED: tuple[Tested, ...] = get_args(Tested)
"""What a labeller can decide."""
GOLD: tuple[Gold, ...] = get_args(Gold)
"""What a labeller can say of a verdict, held against a gold judgment."""
CLAIMS: dict[str, bool | None] = {"true": True, "false": False, "undecidable": None}
"""What a judge that reads the responses can say of what a reason claims of them."""

MEASURES = ("causality", "verdict-consistency", "specification", "traps")
"""The measures that need calls of their own, by the names of `--measure`."""
NOT_ASKED = "not measured; "
"""What the `why` of a metric begins with whose measure was not asked for."""
Condition = Literal["own", "reworded", "swapped", "none"]
CONDITIONS: tuple[Condition, ...] = ("own", "reworded", "swapped", "none")
"""The reasons that a model is prefilled with, for `rationale_causality`."""
