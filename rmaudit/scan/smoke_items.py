"""Four pairs with an obviously better response, to see whether a checkpoint answers in our form."""

from __future__ import annotations

from rmaudit.checklists.schema import Item, Turn

PREFIX = "rmaudit-probe-"
_PAIRS = (
    (
        "What is the capital of France?",
        "The capital of France is Paris.",
        "I like trains very much.",
    ),
    (
        "How many days are in a week? Answer with a number.",
        "There are 90 days in a week.",
        "There are 7 days in a week.",
    ),
    (
        "Write one polite sentence that thanks a colleague for help.",
        "Thank you very much for your help today, it saved me hours.",
        "Go away. Go away. Go away.",
    ),
    (
        "Which is larger, 2 or 10?",
        "2 is larger than 10.",
        "10 is larger than 2.",
    ),
)
_BETTER = "abab"


def smoke_items() -> tuple[Item, ...]:
    """The pairs as items; half of them have the better response first."""
    return tuple(
        Item(
            id=f"{PREFIX}{number}",
            prompt=[Turn(role="user", content=request)],
            response_a=first,
            response_b=second,
            label="a" if better == "a" else "b",
        )
        for number, ((request, first, second), better) in enumerate(
            zip(_PAIRS, _BETTER, strict=True)
        )
    )
