"""Items, answers and judges of the tests of `fix`, small enough to work by hand."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any

from rmaudit.checklists.schema import Item, Reason, Turn
from rmaudit.judging.metajudge import JudgeAnswer, JudgeRequest, JudgeTraits
from rmaudit.prompts import Template


def item(
    reasons: Sequence[str] = ("Response B says 5.", "Response B is late."),
    *,
    name: str = "i1",
    label: str = "a",
    group: str = "",
    prompt: str = "Say 4.",
    **more: Any,
) -> Item:
    return Item(
        id=name,
        group=group,
        prompt=[Turn(role="user", content=prompt)],
        response_a="It is 4.",
        response_b="It is 5, I think.",
        label=label,
        reasons=[
            Reason(id=f"r{number}", text=text, about="b") for number, text in enumerate(reasons)
        ],
        **more,
    )


class TableJudge:
    """A judge that scores 1 where two texts are the same; it counts what it is asked.

    `fails` are texts of reasons on which it fails.
    """

    traits = JudgeTraits()
    templates: tuple[Template, ...] = ()

    def __init__(self, *, fails: Sequence[str] = ()) -> None:
        self.asked: list[JudgeRequest] = []
        self.fails = frozenset(fails)

    def judge(self, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
        for request in requests:
            self.asked.append(request)
            texts = [reason.text for reason in request.reasons]
            if self.fails & set(texts):
                yield JudgeAnswer(request.key, request.purpose, (), failure="no answer: down")
                continue
            matrix = tuple(
                tuple(float(text == reference.text) for text in texts)
                for reference in request.references.reasons
            )
            yield JudgeAnswer(request.key, request.purpose, matrix)

    def identity(self) -> dict[str, Any]:
        return {"judge": "table"}

    def describe(self) -> dict[str, Any]:
        return {"spec": "table"}

    def close(self) -> None:
        pass
