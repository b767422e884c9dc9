"""The vLLM engine on a small random model: the same answers as transformers, streams, restarts."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest
from support.random_model import TEMPLATE, save_random_model

from rmaudit.engines.base import Engine, Request, Sampling
from rmaudit.engines.transformers import TransformersEngine
from rmaudit.engines.vllm import VllmEngine
from rmaudit.errors import InputError
from rmaudit.records import Generation, Key

pytest.importorskip("vllm")
pytestmark = [pytest.mark.vllm, pytest.mark.filterwarnings("ignore")]  # not our code

SCHEMA = {
    "type": "object",
    "properties": {
        "scores": {"type": "array", "items": {"enum": [0, 1, 2]}, "minItems": 2, "maxItems": 3},
        "why": {"type": "string", "maxLength": 8},
    },
    "required": ["scores", "why"],
    "additionalProperties": False,
}
WORD = {"enum": ["yes", "no"]}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_random_model(tmp_path_factory.mktemp("random_model"), hidden_size=64, spread=0.2)


@pytest.fixture(scope="module")
def engine(model: Path) -> Iterator[VllmEngine]:
    engine = VllmEngine(model, context=512, max_model_len=512)
    yield engine
    engine.close()


def asked(*texts: str, schema: dict[str, object] | None = None, first: int = 0) -> list[Request]:
    return [
        Request(Key(f"i{n}"), ({"role": "user", "content": text},), seed=n, schema=schema)
        for n, text in enumerate(texts, start=first)
    ]


def run(engine: Engine, wanted: Sequence[Request], sampling: Sampling) -> dict[str, Generation]:
    return {g.key.item: g for g in engine.complete(wanted, sampling)}


def test_same_ids_and_same_greedy_answers_as_transformers(model: Path, engine: VllmEngine) -> None:
    texts = [f"prompt {n} " + "lorem </s> ipsum"[: n % 17] * (n % 5) for n in range(120)]
    other = TransformersEngine(model, context=512)
    sampling = Sampling(max_tokens=24)
    ours, theirs = run(engine, asked(*texts), sampling), run(other, asked(*texts), sampling)
    assert engine._codec is not None
    for request in asked(*texts):
        ids = list(engine._codec.encode(request).ids)
        assert ids == other._load().chat.encode(request.messages)
        assert ids.count(1) == 1
    differing = {
        key: (ours[key].text, theirs[key].text)
        for key in theirs
        if ours[key].text != theirs[key].text
    }
    print(f"{len(differing)} of {len(texts)} differ: {differing}")
    assert len(differing) <= len(texts) / 100
    for key in theirs.keys() - differing.keys():
        for field in ("finish_reason", "tokens_in", "tokens_out", "error"):
            assert getattr(ours[key], field) == getattr(theirs[key], field)
    assert {g.finish_reason for g in ours.values()} == {"stop", "length"}
    assert not any("</s>" in g.text for g in ours.values() if g.finish_reason == "stop")
    facts = engine.describe()
    assert facts["dtype"] == "float32" or facts["device"] != "cpu"
    assert (facts["context"], facts["max_model_len"], facts["max_tokens"]) == (512, 512, 24)
    assert {"vllm", "torch", "transformers", "device_name"} <= facts.keys()


def test_seeds_belong_to_the_request_not_to_the_batch(engine: VllmEngine) -> None:
    sampling = Sampling(temperature=0.9, top_p=0.9, top_k=50, max_tokens=12)
    texts = ["a", "a longer prompt", "short", "one more prompt of some length", "b"]
    together = run(engine, asked(*texts), sampling)
    alone = {
        f"i{n}": run(engine, asked(text, first=n), sampling)[f"i{n}"]
        for n, text in enumerate(texts)
    }
    assert {k: g.text for k, g in alone.items()} == {k: g.text for k, g in together.items()}
    hot = run(engine, asked(*["same"] * 6), Sampling(temperature=1.5, max_tokens=12))
    assert len({g.text for g in hot.values()}) > 1
    greedy = run(engine, asked("same"), Sampling(max_tokens=12))["i0"].text
    one = run(engine, asked(*["same"] * 3), Sampling(temperature=1.5, top_k=1, max_tokens=12))
    assert {g.text for g in one.values()} == {greedy}


def test_schema_gives_json_of_that_form(engine: VllmEngine) -> None:
    found = run(engine, asked("judge", "this", schema=SCHEMA), Sampling(1.0, max_tokens=200))
    for generation in found.values():
        assert generation.finish_reason == "stop"
        # Not strict: the grammar lets raw control characters into strings.
        answer = json.loads(generation.text, strict=False)
        assert answer.keys() == {"scores", "why"}
        assert set(answer["scores"]) <= {0, 1, 2}
        assert 2 <= len(answer["scores"]) <= 3


def test_a_schema_that_is_refused_costs_its_own_request_only(engine: VllmEngine) -> None:
    wanted = [*asked("fine"), *asked("bad", schema={"type": "no such type"}, first=1)]
    found = run(engine, wanted, Sampling(max_tokens=4))
    assert found["i0"].error is None
    assert found["i1"].finish_reason == "error"
    assert str(found["i1"].error).startswith("vLLM refuses it: ")


def test_too_long_is_counted_and_never_cut(engine: VllmEngine) -> None:
    found = run(engine, asked("short", "x" * 2000), Sampling(max_tokens=4))
    assert (found["i1"].error, found["i1"].text, found["i1"].tokens_in) == ("too_long", "", 2003)
    assert found["i0"].error is None


def test_where_nothing_fits_no_engine_is_started(model: Path) -> None:
    engine = VllmEngine(model, context=64)
    found = run(engine, asked("x" * 80), Sampling(max_tokens=1000))
    assert found["i0"].error == "too_long"
    assert engine.describe()["max_tokens"] == 32
    assert engine._llm is None


def test_completions_come_as_they_finish(engine: VllmEngine) -> None:
    """A one-word answer is handed over while the long ones are still being written."""
    wanted = [*asked(*["go on"] * 5), *asked("one word", schema=WORD, first=5)]
    completions = engine.complete(wanted, Sampling(1.2, max_tokens=300))
    first = next(completions)
    assert first.key.item == "i5"
    assert json.loads(first.text) in WORD["enum"]
    assert engine._llm.llm_engine.has_unfinished_requests()
    assert {g.key.item for g in completions} == {f"i{n}" for n in range(5)}


def test_a_stream_is_read_while_work_goes_on(engine: VllmEngine) -> None:
    """The last request is known only once the first has been answered."""
    answered: list[str] = []

    def stream() -> Iterator[Request]:
        yield asked("one word", schema=WORD)[0]
        yield from asked(*["go on"] * 3, first=1)
        while not answered:
            time.sleep(0.01)
        yield asked("last", first=4)[0]

    for generation in engine.complete(stream(), Sampling(1.2, max_tokens=200)):
        answered.append(generation.key.item)
    assert answered[0] == "i0"
    assert sorted(answered) == [f"i{n}" for n in range(5)]


def test_leaving_early_leaves_nothing_behind(engine: VllmEngine) -> None:
    completions = engine.complete(asked(*["x"] * 20), Sampling(max_tokens=300))
    next(completions)
    completions.close()  # type: ignore[attr-defined]  # a generator
    found = run(engine, asked("y", first=100), Sampling(max_tokens=4))
    assert found.keys() == {"i100"}
    assert not engine._llm.llm_engine.has_unfinished_requests()


def test_length_is_that_of_the_data_and_grows_with_it(model: Path) -> None:
    engine = VllmEngine(model, context=512)
    run(engine, asked("abc", "abcdef", "x" * 600), Sampling(max_tokens=10))
    assert engine.describe()["max_model_len"] == 6 + 3 + 10  # <s>, <|user|>, <|assistant|>
    first = engine._llm
    run(engine, asked("abc"), Sampling(max_tokens=10))
    assert engine._llm is first
    run(engine, asked("x" * 60), Sampling(max_tokens=10))
    assert engine.describe()["max_model_len"] == 73
    assert len(list(engine.complete(iter(asked("x" * 70)), Sampling(max_tokens=10)))) == 1
    engine.close()
    list(engine.complete(iter(asked("x" * 70)), Sampling(max_tokens=10)))
    assert engine.describe()["max_model_len"] == 512  # all that memory holds
    engine.close()
    engine.close()


def test_thinking_that_the_template_opens_belongs_to_the_answer(
    model: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(model, copy)
    (copy / "chat_template.jinja").write_text(TEMPLATE + "<think>\n")
    engine = VllmEngine(copy, context=512)
    found = run(engine, [*asked("hi"), *asked("hi", schema=WORD, first=1)], Sampling(max_tokens=4))
    engine.close()
    assert found["i0"].text.startswith("<think>\n")
    assert found["i1"].tokens_out == 4  # free text, not the word that would keep it from thinking


def test_end_tokens_of_the_generation_config_stop(model: Path, tmp_path: Path) -> None:
    """Every byte of this alphabet ends an answer: each is empty."""
    copy = tmp_path / "copy"
    shutil.copytree(model, copy)
    settings = json.loads((copy / "generation_config.json").read_text())
    ends = {"eos_token_id": list(range(261)), "temperature": 1.9, "repetition_penalty": 5.0}
    (copy / "generation_config.json").write_text(json.dumps(settings | ends))
    engine = VllmEngine(copy, context=512)
    found = run(engine, asked("hi"), Sampling(max_tokens=4))["i0"]
    engine.close()
    assert (found.text, found.finish_reason, found.tokens_out) == ("", "stop", 0)


def test_start_errors_say_why_and_what_to_do(model: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="above the model's context of 512"):
        VllmEngine(model, context=512, max_model_len=513)
    copy = tmp_path / "copy"
    shutil.copytree(model, copy)
    settings = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps(settings | {"architectures": ["FooForCausalLM"]}))
    with pytest.raises(InputError, match=r"\['FooForCausalLM'\] are not supported") as told:
        run(VllmEngine(copy, context=512), asked("hi"), Sampling(max_tokens=4))
    assert "--engine transformers" in told.value.hint
    assert "Supported architectures" not in told.value.message
    engine = VllmEngine(model, context=512, gpu_memory_utilization=1e-6)
    with pytest.raises(InputError, match="memory") as told:
        run(engine, asked("hi"), Sampling(max_tokens=4))
    assert "--max-model-len" in told.value.hint
    assert "--gpu-memory-utilization" in told.value.hint
    engine = VllmEngine(model, context=512)
    with pytest.raises(InputError, match="refuses the sampling: temperature must be in"):
        run(engine, asked("hi"), Sampling(temperature=3.0, max_tokens=4))
    engine.close()


def test_stdout_is_the_caller_s_own_and_a_second_engine_starts(model: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(f"""
            import os, sys
            from pathlib import Path
            from rmaudit.engines.base import Request, Sampling
            from rmaudit.engines.vllm import VllmEngine
            from rmaudit.records import Key

            print("before")
            for number in range(2):
                engine = VllmEngine(Path({str(model)!r}), context=512)
                request = Request(Key("i"), ({{"role": "user", "content": "hi"}},), seed=1)
                for generation in engine.complete([request], Sampling(max_tokens=5)):
                    print("answer", number)
                engine.close()
                os.write(1, b"closed\\n")
            print("after")
            """)
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=600, check=True
    )
    assert sorted(done.stdout.split("\n")) == sorted(
        ["", "before", "answer 0", "closed", "answer 1", "closed", "after"]
    )
    assert "Loading" not in done.stderr


@pytest.mark.slow
def test_scan_that_loses_its_engine_is_resumed(model: Path, tmp_path: Path) -> None:
    """kill -9 of the engine's process: exit 1 with the rows so far; --resume does the rest."""
    copy = tmp_path / "copy"
    shutil.copytree(model, copy)
    settings = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps(settings | {"max_position_embeddings": 4096}))
    words = [sys.executable, "-m", "rmaudit", "scan", str(copy), "--set", "synth:1:40:slogan"]
    words += [
        "--max-tokens",
        "300",
        "--engine",
        "vllm",
        "--no-probe",
        "--temperature",
        "0.8",
        "--out",
        "run",
    ]
    rows = tmp_path / "run" / "generations.jsonl"
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as scan:
        while scan.poll() is None and not (rows.is_file() and rows.stat().st_size):
            time.sleep(0.01)
        assert scan.poll() is None, scan.communicate()
        worker = next(
            child
            for child in psutil.Process(scan.pid).children()
            if "spawn_main" in str(child.cmdline())
        )
        worker.send_signal(signal.SIGKILL)
        _, told = scan.communicate(timeout=300)
    assert scan.returncode == 1, told
    assert "every engine process stopped; the last one said: ended with exit code -9" in told
    before = rows.read_text().splitlines()
    assert 0 < len(before) < 80
    done = subprocess.run(
        [*words, "--resume"], capture_output=True, text=True, cwd=tmp_path, timeout=600
    )
    assert done.returncode == 0, done.stderr
    after = [json.loads(line) for line in rows.read_text().splitlines()]
    assert [json.dumps(row, ensure_ascii=False) for row in after[: len(before)]] == before
    assert len({(row["item"], row["order"]) for row in after}) == len(after) == 80
    engine = json.loads((tmp_path / "run" / "manifest.json").read_text())["engine"]
    assert engine["name"] == "vllm"
    assert (engine["tensor_parallel"], engine["data_parallel"]) == (1, 1)
    assert engine["max_tokens"] == 300
