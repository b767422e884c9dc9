"""vLLM and heads of two layers: raw scores of the last token, and lengths that grow."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.random_model import save_random_head, save_random_scorer

from rmaudit.checklists.sets import load_set
from rmaudit.engines.scalar_heads import HeadTransformersEngine, HeadVllmEngine
from rmaudit.engines.scalar_vllm import ScalarVllmEngine
from rmaudit.models.checkpoint import read_checkpoint
from rmaudit.scan.score_requests import score_requests

pytest.importorskip("vllm")
pytestmark = [pytest.mark.vllm, pytest.mark.filterwarnings("ignore")]  # not our code


def test_raw_scores_are_those_of_transformers(tmp_path: Path) -> None:
    folder = save_random_head(tmp_path / "rm", "layers")
    head = read_checkpoint(folder).head
    assert head is not None
    assert head.in_vllm
    requests = score_requests(load_set("synth:3:6:slogan").items, edited=False)
    plain = HeadTransformersEngine(folder, head, context=4096, batch_size=1)
    expected = {one.key: one.score for one in plain.score(requests)}
    engine = HeadVllmEngine(folder, context=4096)
    found = {one.key: one.score for one in engine.score(requests)}
    engine.close()
    assert found.keys() == expected.keys()
    for key, score in expected.items():
        assert score is not None
        assert found[key] == pytest.approx(score, abs=1e-5 * (1 + abs(score)))
    assert not all(0 <= (score or 0) <= 1 for score in found.values())


def test_without_a_context_a_longer_conversation_later_is_scored_too(tmp_path: Path) -> None:
    folder = save_random_scorer(tmp_path / "rm")
    requests = score_requests(load_set("synth:3:6:slogan").items, edited=False)
    requests.sort(key=lambda one: sum(len(message["content"]) for message in one.messages))
    engine = ScalarVllmEngine(folder, context=None)
    short, long = (next(engine.score([one])) for one in (requests[0], requests[-1]))
    engine.close()
    assert long.tokens > short.tokens
    assert None not in (short.score, long.score)
