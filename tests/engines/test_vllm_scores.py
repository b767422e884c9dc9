"""The vLLM engine for reward heads: raw scores, equal to those of the model itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.random_model import save_random_scorer

from rmaudit.checklists.sets import load_set
from rmaudit.engines.scalar_transformers import ScalarTransformersEngine
from rmaudit.engines.scalar_vllm import ScalarVllmEngine
from rmaudit.errors import RmauditError
from rmaudit.scan.score_requests import score_requests

pytest.importorskip("vllm")
pytestmark = [pytest.mark.vllm, pytest.mark.filterwarnings("ignore")]  # not our code


@pytest.mark.parametrize("family", ["llama", "qwen3"])
def test_raw_scores_are_those_of_transformers(tmp_path: Path, family: str) -> None:
    folder = save_random_scorer(tmp_path / "rm", family)
    requests = score_requests(load_set("synth:3:6:slogan").items, edited=False)
    plain = ScalarTransformersEngine(folder, context=4096, batch_size=1)
    expected = {one.key: one.score for one in plain.score(requests)}
    engine = ScalarVllmEngine(folder, context=4096)
    found = {one.key: one.score for one in engine.score(requests)}
    assert found.keys() == expected.keys()
    for key, score in expected.items():
        assert score is not None
        assert found[key] == pytest.approx(score, abs=1e-5 * (1 + abs(score)))
    assert not all(0 <= (score or 0) <= 1 for score in found.values())
    # What would come of a version that applies the sigmoid whatever is asked is refused.
    real = engine._ask
    engine._ask = lambda prompts, *, activate: real(prompts, activate=True)  # type: ignore[method-assign]
    with pytest.raises(RmauditError, match="gives no raw scores"):
        engine._check_raw()
    engine.close()
