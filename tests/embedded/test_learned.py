"""The learned judge: marks of sides, its head against torch, and what the shipped one says."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.embedded import Context, measured, score_matrix
from rmaudit.embedded.learned.judge import LEVELS, LearnedJudge, level, most
from rmaudit.embedded.learned.texts import FEATURES, apart, features, text_of
from rmaudit.encoding.wordpiece import WordPiece
from rmaudit.parsing.sides import reason_about
from rmaudit.records import About, ModelReason
from rmaudit.resources import folder

SIDES: tuple[About, ...] = ("a", "b", "both", None)
CITY: tuple[str, About] = "Response A has the wrong city: Seoul instead of Lima.", "a"


def scores(reference: tuple[str, About], *reasons: tuple[str, About]) -> tuple[float, ...]:
    said = [ModelReason(*one) for one in reasons]
    return score_matrix([reference], said, Context(), origin="human")[0]


@pytest.mark.parametrize(
    ("text", "about", "marked"),
    [
        ("Response A omits it.", "a", "[unused1] : [unused1] omits it."),
        ("Response B omits it.", "b", "[unused1] : [unused1] omits it."),
        ("Unlike Response A, it omits it.", "b", "[unused1] : Unlike [unused2] , it omits it."),
        ("It omits it.", None, "[unused3] : It omits it."),
        ("Vitamin A is left out.", "b", "[unused1] : Vitamin A is left out."),
    ],
)
def test_a_text_is_marked_as_seen_from_its_own_side(text: str, about: About, marked: str) -> None:
    assert text_of(text, about).marked == marked


def test_a_text_and_its_mirror_image_are_one_text() -> None:
    first, second = (
        text_of("Response A says 5, not 7.", "a"),
        text_of("Response B says 5, not 7.", "b"),
    )
    assert (first.marked, first.stems, first.numbers) == (
        second.marked,
        second.stems,
        second.numbers,
    )


def test_features_by_hand() -> None:
    reference = text_of("Response A says 1,000 metres instead of 1200.", "a")
    reason = text_of("Response A says 1000 metre.", "a")
    found = features(reference, reason)
    # Stems: say 1 000 metr instead 1200 [six], and say 1000 metr [three]; two in common.
    assert found[:5] == [1, 0, 0, 0, 0]
    assert found[5:8] == pytest.approx([2 / 6, 2 / 3, np.log(3)])
    # Numbers: 1000 and 1200 against 1000.
    assert found[8:12] == [1, 0.5, 0, 0]


@given(st.text(max_size=60), st.sampled_from(SIDES), st.text(max_size=60), st.sampled_from(SIDES))
def test_features_of_any_pair(one: str, own: About, other: str, said: About) -> None:
    pair = text_of(one, own), text_of(other, said)
    found = features(*pair)
    assert len(found) == FEATURES
    assert np.isfinite(found).all()
    assert apart(*pair) == (found[3] == 1)


def test_levels_are_a_grid_that_rises() -> None:
    assert [level(share) for share in (0.0, *(least for least, _ in reversed(LEVELS)), 1.0)] == [
        0.0, 0.25, 0.5, 0.75, 1.0, 1.0,
    ]  # fmt: skip


@pytest.mark.model
def test_the_head_in_numpy_is_the_one_that_was_trained(tmp_path: Path) -> None:
    import torch
    from embedded_judge.lessons import Sheet
    from embedded_judge.net import Net
    from embedded_judge.train import batch, save
    from transformers import BertConfig, BertModel

    from rmaudit.embedded.learned.judge import LONGEST, loaded

    torch.manual_seed(5)
    words = "[PAD] [UNK] [CLS] [SEP] [unused1] [unused2] : a b c d e f g".split()
    config = BertConfig(
        vocab_size=len(words), hidden_size=24, num_hidden_layers=2, num_attention_heads=12,
        intermediate_size=32, max_position_embeddings=LONGEST,
    )  # fmt: skip
    net = Net(BertModel(config)).eval()
    rng = Random(2)
    texts: list[tuple[str, About]] = [
        (" ".join(rng.choices(words[7:], k=rng.randint(1, 9))), "a") for _ in range(5)
    ]
    sheet = Sheet(texts[:2], [(*one, "x/true") for one in texts[2:]], [[0.0] * 3] * 2)
    rows, pairs, _, _ = batch([sheet], WordPiece(words))
    with torch.no_grad():
        wanted, _ = net(rows, pairs)
    save(net, words, tmp_path / "judge.npz")
    judge: LearnedJudge = loaded(tmp_path / "judge.npz")
    found = judge.shares([text_of(*one) for one in texts[:2]], [text_of(*one) for one in texts[2:]])
    # The file holds int8 and float16.
    assert np.array(found).ravel() == pytest.approx(wanted.numpy(), abs=0.03)


def test_no_list_is_no_score() -> None:
    assert score_matrix([], [ModelReason("x", "a")], Context(), origin="human") == ()
    assert score_matrix([CITY], [], Context(), origin="human") == ((),)


def test_a_program_made_reference_is_read_by_rules() -> None:
    import rmaudit.embedded.judge as rules

    said = [ModelReason("Response A says Seoul where Lima was needed.", "a")]
    assert score_matrix([CITY], said, Context()) == rules.matrix([CITY], said, Context())


def test_the_other_side_earns_nothing() -> None:
    assert scores(CITY, ("Response B has the wrong city: Seoul instead of Lima.", "b")) == (0.0,)


def test_a_score_does_not_depend_on_the_letter_of_the_side() -> None:
    one = scores(CITY, ("The city in Response A ought to be Lima and not Seoul.", "a"))
    mirror: tuple[str, About] = "Response B has the wrong city: Seoul instead of Lima.", "b"
    assert one == scores(mirror, ("The city in Response B ought to be Lima and not Seoul.", "b"))


@pytest.mark.parametrize(
    ("reference", "text", "right"),
    [
        (CITY[0], "Response A: Lima, Seoul.", False),
        (CITY[0], 'Response A says "Seoul" where Response B says "Lima".', False),
        (CITY[0], "Response A says Seoul and Response B says Lima; both are fine.", False),
        (CITY[0], "Response A correctly has the city Seoul instead of Lima.", False),
        (CITY[0], "Response A is better because it says Seoul instead of Lima.", False),
        (CITY[0], "It is not true that Response A has the wrong city.", False),
        (CITY[0], "Response A names Seoul although the city should be Lima.", True),
        (CITY[0], "The city in Response A is Seoul, not Lima.", True),
        ("Response A contains the banned word premium.", "The word premium is forbidden.", False),
        (
            "Response A contains the banned word premium.",
            'Response A does not contain "premium".',
            False,
        ),
        ("Response A gives no actual Go code.", "Response A does not include any Go code.", True),
        (
            "Response A never suggests seeking medical care.",
            "Response A does not advise seeing a doctor.",
            True,
        ),
    ],
)
def test_claims_and_not_words_are_paid(reference: str, text: str, *, right: bool) -> None:
    (score,) = scores((reference, "a"), (text, reason_about(text)[0]))
    assert score >= 0.75 if right else score <= 0.25


def test_what_is_known_by_code_bounds_a_score() -> None:
    reference: tuple[str, About] = "Response A gives 14 days instead of 30.", "a"
    text = "Response A gives {} days."
    other, own = (ModelReason(text.format(days), "a") for days in (12, 14))
    pairs = [(text_of(*reference), text_of(one.text, one.about)) for one in (other, own)]
    assert [most(*pair) for pair in pairs] == [0.0, 1.0]
    assert most(pairs[0][0], text_of("It gives 14 days.", None)) == 0.25


def test_a_reference_states_itself() -> None:
    assert scores(CITY, CITY) == (1.0,)


def test_a_copied_passage_is_no_reason() -> None:
    passage = "The capital of Peru is Seoul, a town that was founded long ago by the river."
    context = Context.of("Name the capital.", passage, "Lima.")
    said = [ModelReason(passage, "a")]
    assert score_matrix([(passage, "a")], said, context, origin="human") == ((0.0,),)


def test_what_measures_it_trains_nothing() -> None:
    from embedded_judge.lessons import WRITTEN

    trained = WRITTEN.joinpath("lists.jsonl").read_text(encoding="utf-8").splitlines()
    measuring = (folder("checklists") / "known_truth" / "written.jsonl").read_text(encoding="utf-8")
    authors = {json.loads(line)["item"]["meta"]["author"] for line in trained}
    others = {json.loads(line)["item"]["meta"]["author"] for line in measuring.splitlines()}
    assert authors & others == set()


def test_the_measured_recall_falls_with_the_words_in_common() -> None:
    found = measured()
    assert list(found) == ["same", "judge", "free"]
    assert found["same"].recall > found["judge"].recall > found["free"].recall > 0


def test_a_reference_turned_over_or_with_only_other_numbers_earns_nothing() -> None:
    said = scores(
        ("Response A says 5 of 7 places.", "a"),
        ("It is not true that Response A says 5 of 7 places.", "a"),
        ("Response A says 6 of 8 places.", "a"),
        ("Response A says 5 of 7 places.", "a"),
    )
    assert said == (0.0, 0.0, 1.0)
