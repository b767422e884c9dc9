"""The planted model through vLLM and through transformers: the same verdicts.

Apart from test_vllm.py, whose engine stays up: one process holds one vLLM engine at a time.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rmaudit.checklists.sets import load_set
from rmaudit.engines.base import Engine, Request, Sampling
from rmaudit.engines.transformers import TransformersEngine
from rmaudit.engines.vllm import VllmEngine
from rmaudit.models.checkpoint import read_checkpoint
from rmaudit.parsing.parse import parse_pairwise
from rmaudit.prompts import pairwise
from rmaudit.records import Key

pytest.importorskip("vllm")
pytestmark = [pytest.mark.vllm, pytest.mark.filterwarnings("ignore")]  # not our code

PLANTED = Path(__file__).parents[2] / "examples" / "tiny_genrm" / "grounded"


def test_same_verdicts_as_transformers() -> None:
    items = load_set("synth:11:60:slogan").items
    wanted = [
        Request(Key(item.id, order=order), pairwise(item, order=order, max_reasons=5).messages, 0)
        for item in items
        for order in ("ab", "ba")
    ]
    context = read_checkpoint(PLANTED).context
    engines: list[Engine] = [
        VllmEngine(PLANTED, context=context), TransformersEngine(PLANTED, context=context)
    ]  # fmt: skip
    verdicts = []
    for engine in engines:
        found = {g.key: g for g in engine.complete(wanted, Sampling(max_tokens=200))}
        verdicts.append(
            [parse_pairwise(found[r.key].text, finish_reason=found[r.key].finish_reason,
                            max_reasons=5).verdict for r in wanted]
        )  # fmt: skip
        engine.close()
    same = sum(a == b for a, b in zip(*verdicts, strict=True))
    assert same >= 0.99 * len(wanted), f"{len(wanted) - same} of {len(wanted)} differ"
    assert verdicts[0].count(None) < len(wanted) / 4


def test_both_go_on_alike_from_a_given_beginning() -> None:
    """Prompt, reasons and the opening of the verdict are given; only the verdict is added."""
    context = read_checkpoint(PLANTED).context
    given = (
        "1. Response A names Otto, not Juno.\n\\boxed",
        "1. Response B says 3 dollars.\n",
        "\\",
    )
    wanted = [
        Request(
            Key(item.id, sample=number),
            pairwise(item, order="ab", max_reasons=5).messages,
            0,
            prefill=prefill,
        )
        for item in load_set("synth:11:20:slogan").items
        for number, prefill in enumerate(given)
    ]
    engines: list[Engine] = [
        VllmEngine(PLANTED, context=context), TransformersEngine(PLANTED, context=context)
    ]  # fmt: skip
    added = []
    for engine in engines:
        found = {g.key: g.text for g in engine.complete(wanted, Sampling(max_tokens=8))}
        added.append([found[request.key] for request in wanted])
        engine.close()
    same = sum(one == other for one, other in zip(*added, strict=True))
    assert same >= 0.98 * len(wanted), f"{len(wanted) - same} of {len(wanted)} differ"
    assert all(text.startswith("{") for text in added[0][:: len(given)])
