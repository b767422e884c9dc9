"""The openai engine against a real `vllm serve` on loopback, killed and started again."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.random_model import save_random_model
from support.vllm_server import CONTEXT, Serve

from rmaudit.checklists.sets import load_set
from rmaudit.engines.base import Request, Sampling
from rmaudit.engines.openai import OpenAIEngine
from rmaudit.engines.transformers import TransformersEngine
from rmaudit.prompts import pairwise
from rmaudit.records import Key

pytest.importorskip("vllm")
pytestmark = [pytest.mark.vllm, pytest.mark.slow]

PLANTED = Path(__file__).parents[2] / "examples" / "tiny_genrm" / "grounded"
SPEC = "synth:3:12:slogan"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    folder = tmp_path_factory.mktemp("serve")
    served = Serve(
        save_random_model(folder / "model", context=CONTEXT, hidden_size=64), folder / "log"
    )
    yield served
    served.kill()


def scan(server: Serve, out: str, *more: str) -> list[str]:
    words = ["scan", f"openai:tiny@{server.url}", "--set", SPEC, "--out", out, *more]
    return [sys.executable, "-m", "rmaudit", *words, "--max-tokens", "96", "--request-retries", "1"]


def rows(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "generations.jsonl").read_text().splitlines()]


def test_what_a_real_server_tells_and_takes(server: Serve) -> None:
    engine = OpenAIEngine("tiny", (server.url,))
    (served,) = engine.connect()
    assert served.card is not None
    assert served.card.root == str(server.model)
    assert engine.context == CONTEXT
    long = Request(Key("long"), ({"role": "user", "content": "x" * 4000},), seed=1)
    short = Request(Key("short"), ({"role": "user", "content": "hello"},), seed=1)
    sampling = Sampling(temperature=0.7, top_p=0.9, max_tokens=200)
    found = {one.key.item: one for one in engine.complete([long, short], sampling)}
    assert found["long"].error == "too_long"
    assert found["long"].tokens_in == 4003  # BOS, 4000 bytes, two role marks
    assert found["short"].tokens_in == 8
    assert found["short"].finish_reason in ("stop", "length")
    assert engine.describe()["not_sent"] == []
    assert engine.describe()["budget_option"] == "max_tokens"


def test_structured_output_is_the_servers_own(server: Serve) -> None:
    """A model of random weights writes JSON only where the decoder is made to."""
    schema = {
        "type": "object",
        "properties": {"verdict": {"type": "string", "enum": ["A", "B"]}},
        "required": ["verdict"],
        "additionalProperties": False,
    }
    engine = OpenAIEngine("tiny", (server.url,))
    wanted = [
        Request(Key(f"i{n}"), ({"role": "user", "content": f"Which? {n}"},), n, schema)
        for n in range(4)
    ]
    found = list(engine.complete(wanted, Sampling(max_tokens=64)))
    assert engine.describe()["structured_output"] == "json_schema"
    assert all(one.text.lstrip().startswith("{") for one in found)


def test_server_killed_in_the_middle(server: Serve, tmp_path: Path) -> None:
    whole = subprocess.run(
        scan(server, "whole"), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert whole.returncode == 0, whole.stderr
    run, clean = tmp_path / "run", tmp_path / "whole"
    with (tmp_path / "stderr").open("wb") as stderr:
        process = subprocess.Popen(
            scan(server, "run", "--concurrency", "2"),
            cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=stderr,
        )  # fmt: skip
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and process.poll() is None:
            file = run / "generations.jsonl"
            if file.is_file() and file.read_bytes().count(b"\n") >= 6:
                break
            time.sleep(0.005)
        server.kill()
        assert process.wait(60) == 1, (tmp_path / "stderr").read_text()
    assert "no endpoint answers any more" in (tmp_path / "stderr").read_text()
    kept = (run / "generations.jsonl").read_bytes()
    assert 6 <= kept.count(b"\n") < 24
    assert b"abort" not in kept
    server.start()
    done = subprocess.run(
        scan(server, "run", "--concurrency", "2", "--resume"),
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (run / "generations.jsonl").read_bytes().startswith(kept)
    found, wanted = (
        sorted((row["item"], row["order"]) for row in rows(one)) for one in (run, clean)
    )
    assert found == wanted
    assert len(set(found)) == len(found) == 24
    assert all(row["error"] is None for row in rows(run))
    manifest = json.loads((run / "manifest.json").read_text())
    assert manifest["engine"]["served"][0]["max_model_len"] == CONTEXT


def test_a_real_server_goes_on_from_a_given_beginning(tmp_path: Path) -> None:
    """As the engine in this process does, though the template ends the assistant's turn."""
    items = load_set("synth:11:8:slogan").items
    begun = ("1. Response A names Otto, not Juno.\n\\boxed", "1. Response B says 3 dollars.\n")
    wanted = [
        Request(
            Key(item.id, sample=number),
            pairwise(item, order="ab", max_reasons=5).messages,
            0,
            prefill=prefill,
        )
        for item in items
        for number, prefill in enumerate(begun)
    ]
    sampling = Sampling(max_tokens=8)
    server = Serve(PLANTED, tmp_path / "log")
    try:
        remote = OpenAIEngine("tiny", (server.url,))
        remote.connect()
        assert remote.continues
        added = {one.key: one.text for one in remote.complete(wanted, sampling)}
    finally:
        server.kill()
    local = TransformersEngine(PLANTED, context=remote.context)
    same = [one.text == added[one.key] for one in local.complete(wanted, sampling)]
    assert sum(same) >= len(same) - 1, added
    assert all(added[request.key].startswith("{") for request in wanted[::2])
