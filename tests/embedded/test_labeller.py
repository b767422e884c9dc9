"""The embedded labeller and the planted cases that measure it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.growth import check_linear

from rmaudit.embedded.judge import Context
from rmaudit.embedded.labeller import DECIDES, NOT_ENGLISH, label_reasons
from rmaudit.judge_check.labels import READERS, Batch, Score, check_labeler, load_cases
from rmaudit.labelling.protocol import BuiltinLabeler, LabelAnswer, LabelRequest
from rmaudit.records import LabelSet, ModelReason, ReasonLabel
from rmaudit.taxonomy import CATEGORY_NAMES, FLAW_NAMES

BATCHES: tuple[Batch, ...] = ("planted", "held_out")

CONTEXT = Context.of(
    "Name the capital of Peru and its height above the sea.",
    "Lima lies about 150 metres above the sea.",
    "The capital is Cusco, high in the Andes.",
)


def labelled(text: str) -> tuple[str | None, tuple[str, ...]]:
    label = label_reasons([ModelReason(text, "a")], CONTEXT).labels[0]
    return label.category, label.flaws


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


def test_a_merit_of_the_preferred_response_needs_no_word_of_praise() -> None:
    reason = [ModelReason("Response A quotes 150 metres.", "a")]
    for verdict, flaws in (("a", ("F4",)), ("b", ())):
        found = label_reasons(reason, CONTEXT, verdict=verdict)  # type: ignore[arg-type]
        assert found.labels[0].flaws == flaws


def test_a_fault_is_no_praise_whatever_the_verdict() -> None:
    reason = [ModelReason("Response A is well written but wrong about Lima.", "a")]
    for verdict in ("a", "b", "tie", None):
        assert label_reasons(reason, CONTEXT, verdict=verdict).labels[0].flaws == ()  # type: ignore[arg-type]


def test_responses_by_other_names() -> None:
    reasons = [
        ModelReason("Assistant 2 is better written.", "b"),
        ModelReason("Answer 1 is clear, answer 2 is vague.", "a"),
        ModelReason("Model B is helpful.", "b"),
    ]
    found = label_reasons(reasons, CONTEXT)
    assert [label.category for label in found.labels] == ["GS", "GS", "GS"]
    assert [label.flaws for label in found.labels] == [("F1",), ("F1",), ("F4",)]


@given(st.lists(st.text(max_size=200), max_size=4))
def test_any_text_gets_one_label_a_reason_or_a_failure(texts: list[str]) -> None:
    found = label_reasons([ModelReason(text) for text in texts], CONTEXT)
    assert len(found.labels) == len(texts) or found.failure == NOT_ENGLISH


@pytest.mark.parametrize("unit", ["wrong ", '"', "the a ", "`x "])
def test_hostile_texts_take_linear_time(unit: str) -> None:
    check_linear(lambda text: label_reasons([ModelReason(text, "a")], CONTEXT), unit)


def test_without_the_item_evidence_is_told_by_its_form() -> None:
    reasons = [
        ModelReason("Response A gives 150 metres.", "a"),
        ModelReason("Response A handles mountains.", "a"),
        ModelReason("Response A is better.", "a"),
    ]
    found = label_reasons(reasons, Context())
    assert [label.category for label in found.labels] == ["EG", "CG", "GS"]


@pytest.mark.parametrize(("batch", "least", "least_read"), [("planted", 12, 6), ("held_out", 9, 1)])
def test_there_are_enough_cases(batch: str, least: int, least_read: int) -> None:
    has: Counter[str] = Counter()
    near: Counter[str] = Counter()
    for case in load_cases(batch):  # type: ignore[arg-type]
        has.update(case.has)
        near.update(case.near)
    for label in (*CATEGORY_NAMES, *FLAW_NAMES):
        enough = least_read if label in READERS else least
        assert has[label] >= enough, label
        assert batch == "held_out" or near[label] >= enough, label


def test_cases_are_told_apart() -> None:
    texts = [(case.item.id, case.reasons) for batch in BATCHES for case in load_cases(batch)]
    assert len(set(texts)) == len(texts)
    scenes = [{case.item.id for case in load_cases(batch)} for batch in BATCHES]
    assert scenes[0].isdisjoint(scenes[1])


@pytest.mark.parametrize("batch", BATCHES)
def test_the_builtin_labeller_knows_what_it_decides(batch: Batch) -> None:
    quality = check_labeler(BuiltinLabeler(), batch)
    assert quality.failed == 0
    assert [score.label for score in quality.scores] == [*CATEGORY_NAMES, "F1", "F2", "F3", "F4"]
    for score in quality.scores:
        assert score.recall >= 0.9, score
        assert (score.precision or 0.0) >= 0.9, score


class Stuck:
    """A labeller that says the same of every reason; it fails on the first case."""

    def __init__(self, label: ReasonLabel, tested: tuple[str, ...]) -> None:
        self.given, self.tested = label, tested

    def label(self, requests: Iterable[LabelRequest]) -> Iterator[LabelAnswer]:
        for number, request in enumerate(requests):
            found = LabelSet((self.given,) * len(request.reasons), self.tested)  # type: ignore[arg-type]
            yield LabelAnswer(request.key, found if number else LabelSet((), failure="cut"))


def test_a_labeller_that_does_not_read_is_found_out() -> None:
    cases = load_cases("held_out")
    stuck = Stuck(ReasonLabel("EG", ("F6",)), ("category", "F6"))
    quality = check_labeler(stuck)  # type: ignore[arg-type]
    scores = {score.label: score for score in quality.scores}
    assert quality.failed == 1
    assert set(scores) == {"EG", "CG", "GS", "F6"}
    # The first case has evidence and is settled; the failure misses it.
    settled = [case for case in cases if case.counts_for("EG")]
    having = [case for case in settled if "EG" in case.has]
    assert cases[0] in having
    assert scores["EG"] == Score(
        "EG",
        positives=len(having),
        near_misses=sum("EG" in case.near for case in settled),
        right=len(having) - 1,
        wrong=len(settled) - len(having),
    )
    assert scores["CG"].precision is None
    assert scores["CG"].recall == 0.0
    # F6 counts on its own cases and near misses alone.
    near = sum("F6" in case.near for case in cases)
    assert scores["F6"].wrong == near - ("F6" in cases[0].near)
