"""Every family on a tiny checkpoint of its architecture: detection, chat template, token ids.

The weights are random, so nothing is said of what a model of the family answers.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.family_models import FAMILY_MODELS, FamilyModel, architecture, save_family_model
from support.packages import needs

from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.engines.base import Request, Sampling
from rmaudit.engines.codec import Codec
from rmaudit.engines.transformers import TransformersEngine
from rmaudit.models.checkpoint import read_checkpoint
from rmaudit.models.families import families
from rmaudit.models.profiles import Profile, load_profile
from rmaudit.records import Key

pytestmark = [needs("torch", "transformers"), pytest.mark.model, pytest.mark.slow]
ITEM = load_set("synth:3:1:slogan").items[0]
LOADED = [
    next(one for one in FAMILY_MODELS if one.kind == kind)
    for kind in dict.fromkeys(one.kind for one in FAMILY_MODELS)
]


def asked(profile: Profile, item: Item = ITEM) -> tuple[dict[str, str], ...]:
    if profile.pointwise:
        return profile.render_alone(item, "b", max_reasons=5).messages
    return profile.render(item, order="ab", max_reasons=5).messages


def test_no_family_is_left_out() -> None:
    assert {one.title for one in FAMILY_MODELS} == {one.title for one in families()}


@pytest.mark.parametrize("family", FAMILY_MODELS, ids=lambda family: family.folder)
def test_a_checkpoint_of_the_family(family: FamilyModel, tmp_path: Path) -> None:
    path = save_family_model(tmp_path, family)
    found = read_checkpoint(path)
    assert architecture(path) == f"{family.kind}ForCausalLM"
    assert found.profile == family.profile
    assert family.title in found.why
    codec = Codec(path)
    profile = load_profile(found.profile)
    messages = asked(profile)
    ids = list(codec.encode(Request(Key("x"), messages, 0)).ids)
    assert ids.count(1) == family.has_bos
    if family.has_bos:
        assert ids[0] == 1
    text = codec.trainer_tokenizer().decode(ids)
    for shown in messages:
        assert shown["content"].strip() in text
    other = ITEM.response_a
    assert (other in text) != profile.pointwise
    opened = "think" in family.template or family.template in ("pair roles", "principle")
    assert codec.chat.opening == ("<think>\n" if opened else "")


@pytest.mark.parametrize("family", LOADED, ids=lambda family: family.kind)
def test_its_architecture_answers(family: FamilyModel, tmp_path: Path) -> None:
    path = save_family_model(tmp_path, family)
    engine = TransformersEngine(path, context=8192)
    messages = asked(load_profile(family.profile))
    (answer,) = engine.complete([Request(Key("x"), messages, 0)], Sampling(max_tokens=3))
    engine.close()
    assert answer.error is None
    assert answer.tokens_out in (1, 2, 3)
