"""The embedded labeller and the planted cases that measure it."""

from __future__ import annotations

from collections import Counter

import pytest

from rmaudit.judging.builtin import Context
from rmaudit.judging.flaws import DECIDES, NOT_ENGLISH, label_reasons
from rmaudit.judging.label_check import load_cases, score_labels
from rmaudit.judging.prompts import flatten
from rmaudit.label_rows import CATEGORIES, FLAWS
from rmaudit.records import LabelSet, ModelReason

CONTEXT = Context.of(
    "Name the capital of Peru and its height above the sea.",
    "Lima lies about 150 metres above the sea.",
    "The capital is Cusco, high in the Andes.",
)


def labelled(text: str) -> tuple[str | None, tuple[str, ...]]:
    label = label_reasons([ModelReason(text, "a")], CONTEXT).labels[0]
    return label.category, label.flaws


def builtin(batch: str) -> list[LabelSet]:
    found = []
    for case in load_cases(batch):  # type: ignore[arg-type]
        item = case.item
        context = Context.of(flatten(item.prompt), item.response_a, item.response_b)
        found.append(label_reasons(case.reasons, context))
    return found


@pytest.mark.parametrize(
    ("text", "category", "flaws"),
    [
        ("Response A gives 150 metres, Response B no height at all.", "EG", ()),
        ("Response A names Lima.", "EG", ("F4",)),
        ("Response B places the capital in the Andes, which is wrong.", "EG", ()),
        ("Response A is right about the height.", "CG", ("F4",)),
        ("Response A is correct.", "GS", ("F2", "F4")),
        ("Response A is more accurate.", "GS", ("F2",)),
        ("Response A answers the question.", "GS", ("F3", "F4")),
        ("Response A reads well.", "GS", ("F1", "F4")),
        ("Response A is better.", "GS", ()),
    ],
)
def test_labels_of_plain_reasons(text: str, category: str, flaws: tuple[str, ...]) -> None:
    assert labelled(text) == (category, flaws)


def test_a_word_limit_that_the_request_sets_is_content() -> None:
    reason = [ModelReason("Response B is too long.", "b")]
    without = Context.of("Describe Lima.", "A city.", "A large city.")
    with_limit = Context.of("Describe Lima in ten words.", "A city.", "A large city.")
    assert label_reasons(reason, without).labels[0].flaws == ("F1",)
    assert label_reasons(reason, with_limit).labels[0].flaws == ()


def test_it_says_what_it_does_not_test() -> None:
    assert {"F5", "F6", "F7", "gold"}.isdisjoint(DECIDES)


@pytest.mark.parametrize(
    "text",
    ["回答A更准确，因为它给出了高度。", "La respuesta A es más clara y no contiene errores."],
)
def test_reasons_in_another_language_fail(text: str) -> None:
    found = label_reasons(
        [ModelReason("Response A is better.", "a"), ModelReason(text, "a")], CONTEXT
    )
    assert found.failure == NOT_ENGLISH
    assert found.labels == ()


def test_a_quotation_in_another_language_is_evidence() -> None:
    assert labelled("Response A says 'El perro no está en la casa'.")[0] == "EG"


def test_an_answer_without_reasons_has_no_labels() -> None:
    assert label_reasons([], CONTEXT) == LabelSet((), DECIDES)


def test_there_are_enough_planted_cases() -> None:
    has: Counter[str] = Counter()
    near: Counter[str] = Counter()
    for case in load_cases("planted"):
        has.update(case.has)
        near.update(case.near)
    for label in (*CATEGORIES, *FLAWS):
        least = 6 if label in ("F5", "F6", "F7") else 12
        assert has[label] >= least, label
        assert near[label] >= least, label


def test_the_builtin_labeller_knows_what_it_decides() -> None:
    quality = score_labels(load_cases("planted"), builtin("planted"))
    assert quality.failed == 0
    assert [score.label for score in quality.scores] == [*CATEGORIES, "F1", "F2", "F3", "F4"]
    for score in quality.scores:
        assert score.recall >= 0.9, score
        assert (score.precision or 0.0) >= 0.9, score
