"""A real `vllm serve` of reward heads: what it gives is what the model itself gives."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.random_model import byte_tokenizer, save_random_model, save_random_scorer
from support.vllm_server import Serve

from rmaudit.checklists.sets import load_set
from rmaudit.engines.chat import Chat
from rmaudit.engines.endpoint_scorer import EndpointScorer
from rmaudit.engines.first_token import TOP, FirstTokenEngine
from rmaudit.engines.scalar_transformers import ScalarTransformersEngine
from rmaudit.engines.score_routes import SentAs
from rmaudit.engines.scores import ScoreRequest
from rmaudit.engines.tokenizer import load_tokenizer
from rmaudit.errors import InputError
from rmaudit.records import Key
from rmaudit.scan.score_requests import score_requests

pytest.importorskip("vllm")
pytestmark = [pytest.mark.vllm, pytest.mark.slow]

POOLING = ("--runner", "pooling", "--dtype", "float32")
REQUESTS = score_requests(load_set("synth:3:6:slogan").items, edited=False)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_random_scorer(tmp_path_factory.mktemp("scorer") / "rm")


@pytest.fixture(scope="module")
def server(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    served = Serve(model, tmp_path_factory.mktemp("serve") / "log", *POOLING)
    yield served
    served.kill()


@pytest.mark.parametrize("rendered", ["server", "here"])
def test_scores_are_those_of_the_model_itself(server: Serve, model: Path, rendered: str) -> None:
    plain = ScalarTransformersEngine(model, context=4096, batch_size=1)
    expected = {one.key: one.score for one in plain.score(REQUESTS)}
    engine = EndpointScorer(
        f"classify:tiny@{server.url}", tokenizer=model if rendered == "here" else None, batch_size=5
    )
    found = {one.key: one for one in engine.score(REQUESTS)}
    assert found.keys() == expected.keys()
    for key, score in expected.items():
        assert score is not None
        assert found[key].score == pytest.approx(score, abs=1e-5 * (1 + abs(score)))
    tokens = {one.key: one.tokens for one in plain.score(REQUESTS)}
    assert {key: one.tokens for key, one in found.items()} == tokens
    assert engine.context == 4096
    assert not all(0 <= (score or 0) <= 1 for score in expected.values())


def test_what_a_real_server_refuses(server: Serve) -> None:
    long = (
        {"role": "user", "content": "Say it."},
        {"role": "assistant", "content": "y" * 5000},
    )
    asked = [*REQUESTS[:2], ScoreRequest(Key("long"), long)]
    found = {
        one.key.item: one for one in EndpointScorer(f"classify:tiny@{server.url}").score(asked)
    }
    assert found["long"].error == "too_long"
    assert found[REQUESTS[0].key.item].score is not None
    with pytest.raises(InputError, match="gave a probe no score") as refused:
        list(EndpointScorer(f"pooling:tiny@{server.url}").score(asked))
    assert "classify:MODEL@URL" in str(refused.value.hint)
    with pytest.raises(InputError, match="does not serve 'other'"):
        list(EndpointScorer(f"classify:other@{server.url}").score(asked))


def test_a_stale_name_of_the_switch_is_found_out(server: Serve) -> None:
    """With the name that older versions had, a real server refuses nothing, and gives sigmoids."""
    engine = EndpointScorer(f"classify:tiny@{server.url}", checks=False)
    real = engine.route.body

    def stale(model: str, shown: Sequence[SentAs]) -> dict[str, Any]:
        body = real(model, shown)
        del body["use_activation"]
        return body | {"activation": False}

    engine.route = replace(engine.route, body=stale)
    found = [one.score for one in engine.score(REQUESTS)]
    assert all(0 < (score or 0) < 1 for score in found)
    checked = EndpointScorer(f"classify:tiny@{server.url}")
    checked.route = engine.route
    with pytest.raises(InputError, match="the same with and without one, between 0 and 1"):
        list(checked.score(REQUESTS))


def test_a_head_on_every_token(tmp_path: Path) -> None:
    folder = save_random_token_head(tmp_path / "rm")
    requests = REQUESTS[:6]
    expected = [last_token_score(folder, request.messages) for request in requests]
    served = Serve(folder, tmp_path / "log", *POOLING)
    try:
        engine = EndpointScorer(f"pooling:tiny@{served.url}", tokenizer=folder, batch_size=4)
        found = {one.key: one.score for one in engine.score(requests)}
        with pytest.raises(InputError, match="gave a probe no score"):
            list(EndpointScorer(f"classify:tiny@{served.url}").score(requests))
    finally:
        served.kill()
    for request, score in zip(requests, expected, strict=True):
        assert found[request.key] == pytest.approx(score, abs=1e-5 * (1 + abs(score)))
    assert len({round(score, 3) for score in expected}) > 3


def test_the_first_token_of_a_real_server(tmp_path: Path) -> None:
    """Labels are two letters that a model of random weights happens to find likely."""
    import torch
    import transformers

    folder = save_random_model(tmp_path / "model", context=4096, hidden_size=64, spread=0.3)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    plain: Any = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype="float32").eval()
    asked = [({"role": "user", "content": f"Which one, {word}?"},) for word in ("A", "first", "7")]
    expected: list[dict[str, float]] = []
    for messages in asked:
        text = tokenizer.apply_chat_template(
            list(messages), tokenize=False, add_generation_prompt=True
        )
        ids = torch.tensor([tokenizer(text, add_special_tokens=False)["input_ids"]])
        with torch.inference_mode():
            chances = torch.log_softmax(plain(ids).logits[0, -1], dim=-1)
        letters = {c: tokenizer.convert_tokens_to_ids(c) for c in string.ascii_letters}
        top = set(chances.topk(TOP).indices.tolist())
        expected.append({c: float(chances[n]) for c, n in letters.items() if n in top})
    served = Serve(folder, tmp_path / "log", "--dtype", "float32")
    try:
        seen = 0
        for messages, likely in zip(asked, expected, strict=True):
            first, second = [*likely, "A", "B"][:2]
            engine = FirstTokenEngine("tiny", (served.url,))
            engine.labels = (first, second)
            (found,) = engine.score([ScoreRequest(Key("x"), messages)])
            if {first, second} <= likely.keys():
                odds = likely[first] - likely[second]
                assert found.score == pytest.approx(odds, abs=1e-5 * (1 + abs(odds)))
                seen += 1
            engine.labels = (first, "\u00e9")
            (found,) = engine.score([ScoreRequest(Key("x"), messages)])
            assert found.score is None
            assert "likeliest first tokens" in str(found.error)
    finally:
        served.kill()
    assert seen


def save_random_token_head(folder: Path) -> Path:
    """A Qwen2 with a head of two layers on every token, as config.json names it for vLLM."""
    import torch
    import transformers
    from safetensors.torch import save_file

    torch.manual_seed(1)
    tokenizer = byte_tokenizer()
    config = transformers.Qwen2Config(
        vocab_size=len(tokenizer), hidden_size=64, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=4096,
        bos_token_id=1, eos_token_id=2, initializer_range=0.3, tie_word_embeddings=False,
        architectures=["Qwen2ForRewardModel"], num_labels=1,
    )  # fmt: skip
    base = transformers.Qwen2Model(config)
    tensors = {f"model.{name}": tensor.clone() for name, tensor in base.state_dict().items()}
    tensors |= {
        "score.0.weight": torch.randn(64, 64) * 0.3,
        "score.0.bias": torch.randn(64) * 0.3,
        "score.2.weight": torch.randn(1, 64) * 0.3,
        "score.2.bias": torch.randn(1),
    }
    folder.mkdir()
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    config.architectures = ["Qwen2ForRewardModel"]
    config.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def last_token_score(folder: Path, messages: tuple[dict[str, str], ...]) -> float:
    """By transformers and two matrices alone."""
    import torch
    import transformers
    from safetensors.torch import load_file

    tensors = load_file(folder / "model.safetensors")
    config = transformers.Qwen2Config.from_pretrained(folder)
    base: Any = transformers.Qwen2Model(config).eval()
    base.load_state_dict(
        {n.removeprefix("model."): t for n, t in tensors.items() if n.startswith("model.")}
    )
    chat = Chat(load_tokenizer(folder), folder, opens=False)
    with torch.inference_mode():
        ids = torch.tensor([chat.encode(messages)])
        hidden = base(ids).last_hidden_state[0, -1]
        inner = torch.relu(tensors["score.0.weight"] @ hidden + tensors["score.0.bias"])
        return float((tensors["score.2.weight"] @ inner + tensors["score.2.bias"])[0])
