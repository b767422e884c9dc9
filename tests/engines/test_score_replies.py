"""Replies of endpoints that score: read into finite numbers by index, or refused."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.engines.completions import Incomplete
from rmaudit.engines.score_replies import (
    Reader,
    read_classify,
    read_get_reward,
    read_pooling,
    read_sglang,
)

READERS: dict[str, Reader] = {
    "classify": read_classify,
    "pooling": read_pooling,
    "sglang": read_sglang,
    "get-reward": read_get_reward,
}
KINDS = tuple(READERS)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["data", "index", "probs", "embedding", "rewards", "meta_info", "usage"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(value=values, kind=st.sampled_from(KINDS))
def test_any_reply_is_read_or_refused(value: Any, kind: str) -> None:
    try:
        found = READERS[kind](json.dumps(value).encode())
    except Incomplete:
        return
    for result in found.results:
        assert (result.score is None) != (result.error is None)
        assert result.score is None or (type(result.score) is float and math.isfinite(result.score))


@given(order=st.permutations(range(5)))
def test_index_decides_not_the_place(order: list[int]) -> None:
    data = [{"index": place, "probs": [float(place) - 2]} for place in order]
    found = read_classify(json.dumps({"data": data}).encode())
    assert [one.score for one in found.results] == [-2.0, -1.0, 0.0, 1.0, 2.0]


@given(body=st.binary(max_size=40), kind=st.sampled_from(KINDS))
def test_bytes_are_refused(body: bytes, kind: str) -> None:
    with pytest.raises(Incomplete, match=r"^bad answer: "):
        READERS[kind](body)
