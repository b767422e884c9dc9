"""docs/endpoints.md: the requests that it shows are those that are sent."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.random_model import byte_tokenizer
from support.score_server import ScoreServer

from rmaudit.engines.endpoint_scorer import EndpointScorer
from rmaudit.engines.score_routes import ROUTES
from rmaudit.engines.scores import ScoreRequest
from rmaudit.records import Key

PAGE = (Path(__file__).parents[2] / "docs" / "endpoints.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"```json body (\S+)( rendered)?\n(.*?)```", PAGE, flags=re.DOTALL)
TURNS = ({"role": "user", "content": "Name a river."}, {"role": "assistant", "content": "Po."})


@pytest.mark.parametrize(("kind", "rendered", "body"), SHOWN)
def test_a_request_is_as_it_stands_there(
    kind: str, rendered: str, body: str, tmp_path: Path
) -> None:
    byte_tokenizer().save_pretrained(tmp_path)
    with ScoreServer(kind) as server:
        engine = EndpointScorer(server.target, tokenizer=tmp_path if rendered else None)
        (found,) = engine.score([ScoreRequest(Key("x"), TURNS)])
    assert found.score is not None
    assert shape(server.bodies[-1]) == shape(json.loads(body))


def shape(value: Any) -> Any:
    """A body with every text of an item, and every list of tokens, made equal."""
    if isinstance(value, dict):
        return {
            name: one if name in ("model", "task", "role") else shape(one)
            for name, one in value.items()
        }
    if isinstance(value, list):
        return "ids" if value and isinstance(value[0], int) else [shape(one) for one in value]
    return "..." if isinstance(value, str) else value


def test_every_kind_stands_there() -> None:
    assert {kind for kind, _, _ in SHOWN} == {one.prefix.rstrip(":") for one in ROUTES}
    for route in ROUTES:
        assert f"`{route.path}`" in PAGE
