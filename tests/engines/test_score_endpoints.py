"""Endpoints that score, against stand-ins with their reply shapes: every score is its row's own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.random_model import byte_tokenizer
from support.score_server import ScoreServer, conversations, score_of, sigmoid

from rmaudit.checklists.sets import load_set
from rmaudit.engines import endpoint_scorer
from rmaudit.engines.activation import not_raw
from rmaudit.engines.chat import Chat
from rmaudit.engines.endpoint_scorer import EndpointScorer
from rmaudit.engines.score_replies import (
    read_classify,
    read_pooling,
)
from rmaudit.engines.score_routes import route_of
from rmaudit.engines.scores import Scored, ScoreRequest
from rmaudit.engines.tokenizer import load_tokenizer
from rmaudit.errors import InputError, RmauditError
from rmaudit.records import Key
from rmaudit.scan.score_requests import score_requests

KINDS = ("classify", "pooling", "sglang", "get-reward")
REQUESTS = score_requests(load_set("synth:3:9:slogan").items, edited=False)
PLAIN = {"role": "user", "content": "Name a river."}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokenizer with a chat template that writes one BOS."""
    path = tmp_path_factory.mktemp("tokenizer")
    byte_tokenizer().save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def sent_as(folder: Path) -> Callable[[str, ScoreRequest], str]:
    """What the stand-in must have been sent of a conversation, worked out apart."""
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)

    def text(kind: str, request: ScoreRequest) -> str:
        rendered = str(tokenizer.apply_chat_template(list(request.messages), tokenize=False))
        ids = tokenizer(rendered, add_special_tokens=False)["input_ids"]
        # This tokenizer adds no BOS of its own, so that it has to stand in a text.
        return "".join(map(chr, ids)) if kind in ("classify", "pooling") else rendered

    return text


@pytest.fixture(autouse=True, scope="module")
def one_chat_a_folder() -> Iterator[None]:
    """A tokenizer and the process of its template, once for all tests."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(endpoint_scorer, "load_tokenizer", cache(load_tokenizer))
        patched.setattr(endpoint_scorer, "Chat", cache(Chat))
        yield


def scored(server: ScoreServer, requests: list[ScoreRequest] = REQUESTS, **options: Any) -> Any:
    engine = EndpointScorer(server.target, **{"max_retries": 2, "batch_size": 4} | options)
    found: dict[Key, Scored] = {}
    for one in engine.score(requests):
        assert one.key not in found
        found[one.key] = one
    assert found.keys() == {request.key for request in requests}
    return engine, found


@pytest.mark.parametrize("kind", KINDS)
def test_each_row_has_the_score_of_its_own_conversation(
    kind: str, folder: Path, sent_as: Callable[[str, ScoreRequest], str]
) -> None:
    with ScoreServer(kind) as server:
        engine, found = scored(server, tokenizer=folder)
    for request in REQUESTS:
        assert found[request.key].score == score_of(sent_as(kind, request))
        assert found[request.key].error is None
        assert found[request.key].tokens == len(sent_as("classify", request))
    assert engine.name == kind
    facts = engine.describe()
    assert facts["rendered_by"] == str(folder)
    assert facts["urls"] == [server.url + engine.route.path]


BODIES = {
    "classify": {"model", "input", "use_activation"},
    "pooling": {"model", "input", "use_activation", "task"},
    "sglang": {"model", "text"},
    "get-reward": {"query", "prompts"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_sent(kind: str, folder: Path) -> None:
    with ScoreServer(kind) as server:
        scored(server, tokenizer=folder)
    for body in server.bodies:
        assert body.keys() == BODIES[kind]
        assert body.get("task", "token_classify") == "token_classify"
        assert len(conversations(body)) <= 4
    if kind in ("classify", "pooling"):
        switches = [body["use_activation"] for body in server.bodies]
        assert switches == [False] * 4 + [True] * 4 + [False] * 5  # probes, then 18 rows by 4
    if kind == "get-reward":
        assert sorted(len(body["prompts"]) for body in server.bodies)[-5:] == [2, 4, 4, 4, 4]


@pytest.mark.parametrize("kind", ["classify", "pooling"])
def test_the_server_renders_where_no_tokenizer_is_named(kind: str) -> None:
    with ScoreServer(kind) as server:
        engine, found = scored(server)
    body = {"messages": REQUESTS[0].messages}
    assert found[REQUESTS[0].key].score == score_of(conversations(body)[0])
    assert engine.describe()["rendered_by"] == "the server"
    last = server.bodies[-1]
    assert last["add_generation_prompt"] is last["add_special_tokens"] is False
    assert last["messages"][-1]["role"] == "assistant"


TRANSIENT = ("429 Retry-After", "503 html", "500", "error as success", "empty", "half", "silent")


@pytest.mark.parametrize("name", TRANSIENT)
@pytest.mark.parametrize("kind", ["classify", "sglang"])
def test_what_passes_costs_nothing(kind: str, name: str, folder: Path) -> None:
    with ScoreServer(kind) as server:
        _, whole = scored(server, tokenizer=folder)
    first = REQUESTS[0].messages[0]["content"]
    with ScoreServer(
        kind,
        fault=lambda texts, nth: (
            name if nth == 0 and len(texts) > 1 and first in texts[0] else None
        ),
    ) as server:
        _, found = scored(server, tokenizer=folder, timeout=0.4 if name == "silent" else 9.0)
    assert found == whole


INDEXED = [(kind, name) for kind in KINDS[:2] for name in ("turned", "index twice")]
COUNTED = [(kind, name) for kind in KINDS for name in ("one short", "one more")]


@pytest.mark.parametrize(("kind", "name"), [*INDEXED, *COUNTED])
def test_a_reply_whose_results_cannot_be_told_apart_is_asked_one_by_one(
    kind: str, name: str, folder: Path, sent_as: Callable[[str, ScoreRequest], str]
) -> None:
    with ScoreServer(kind, fault=lambda texts, nth: name if len(texts) > 1 else None) as server:
        _, found = scored(server, tokenizer=folder, max_retries=0, concurrency=6)
    assert server.faults[name] == 5
    assert server.most_at_once <= 6
    for request in REQUESTS:
        assert found[request.key].score == score_of(sent_as(kind, request))


@pytest.mark.parametrize("name", ["null", "NaN", "infinite", "text", "true"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_number_costs_its_own_row_only(kind: str, name: str, folder: Path) -> None:
    with ScoreServer(kind) as server:
        _, whole = scored(server, tokenizer=folder)
    with ScoreServer(kind, fault=lambda texts, nth: name if len(texts) > 1 else None) as server:
        _, found = scored(server, tokenizer=folder)
    lost = [request.key for number, request in enumerate(REQUESTS) if number % 4 == 0]
    for key, one in found.items():
        if key in lost:
            assert one.score is None
            assert str(one.error).startswith("bad answer: no ")
        else:
            assert one == whole[key]


def test_a_conversation_that_breaks_the_server_costs_no_other_its_score(folder: Path) -> None:
    poison = REQUESTS[5].messages[-1]["content"]
    with ScoreServer("get-reward") as server:
        _, whole = scored(server, tokenizer=folder)
    with ScoreServer(
        "get-reward",
        fault=lambda texts, nth: "500" if any(poison in text for text in texts) else None,
    ) as server:
        _, found = scored(server, tokenizer=folder, max_retries=0)
    assert found.pop(REQUESTS[5].key).error == "InternalServerError 500"
    assert found == {key: one for key, one in whole.items() if key != REQUESTS[5].key}


def test_too_long_by_the_server_and_by_the_context(folder: Path) -> None:
    answer = {"role": "assistant", "content": "x" * 900}
    long = [*REQUESTS, ScoreRequest(Key("long"), (PLAIN, answer))]
    with ScoreServer("classify", most=700) as server:
        _, found = scored(server, long)
        assert found[Key("long")].error == "too_long"
        _, alike = scored(server, long, tokenizer=folder)
        assert alike[Key("long")].error == "too_long"
    with ScoreServer("classify", context=700) as server:
        engine, here = scored(server, long, tokenizer=folder)
    assert engine.context == 700
    assert here[Key("long")] == Scored(Key("long"), None, 3 + 900 + 13, "too_long")
    assert not any(len(text) > 700 for body in server.bodies for text in conversations(body))
    assert sum(one.score is None for one in here.values()) == 1


# ------------------------------------------------------------------------ numbers without meaning


@pytest.mark.parametrize("kind", ["classify", "pooling"])
@pytest.mark.parametrize("saturated", [False, True])
def test_a_server_that_always_applies_an_activation_is_refused(kind: str, saturated: bool) -> None:
    shift = 1000 if saturated else 0
    with (
        ScoreServer(kind, activates=lambda raw, asked: sigmoid(raw + shift)) as server,
        pytest.raises(InputError, match="no raw scores of 4 probes") as refused,
    ):
        scored(server)
    assert "use_activation" in str(refused.value.hint)
    assert len(server.bodies) == 8  # probes alone


@pytest.mark.parametrize("kind", ["sglang", "get-reward"])
def test_without_a_switch_scores_between_0_and_1_are_refused(kind: str, folder: Path) -> None:
    with ScoreServer(kind, scores=lambda text: sigmoid(score_of(text))) as server:
        with pytest.raises(InputError, match="all between 0 and 1"):
            scored(server, tokenizer=folder)
        engine, found = scored(server, tokenizer=folder, checks=False)
    assert all(0 < one.score < 1 for one in found.values())
    assert engine.describe()["raw_by_probes"] is False


def test_a_server_without_activation_is_taken() -> None:
    with ScoreServer("classify", activates=lambda raw, asked: raw) as server:
        scored(server)
    assert not_raw([-3.0, 0.2], [-3.0, 0.2]) == ""
    assert not_raw([0.7, 0.2], [0.7, 0.2])
    assert not_raw([1.0, 1.0], [1.0, 1.0])
    assert not_raw([3.0, 2.0], [3.5, 2.0])
    assert not_raw([30.0, -40.0, 0.1], [1.0, 0.0, 0.525]) == ""
    assert not_raw([12.0, 0.5]) == ""


def test_a_server_that_cuts_is_refused(folder: Path) -> None:
    with ScoreServer("get-reward", scores=lambda text: score_of(text[:250])) as server:
        with pytest.raises(InputError, match=r"cuts long conversations: .* of 2"):
            scored(server, tokenizer=folder)
        _, found = scored(server, tokenizer=folder, context=220)
    assert sum(one.score is None for one in found.values()) > 2
    with ScoreServer("get-reward", scores=lambda text: float(text.count("Turin") + 2)) as server:
        scored(server, tokenizer=folder)  # it is blind to such words wherever they stand


def test_several_numbers_and_other_servers_are_refused() -> None:
    with ScoreServer("sglang") as server:
        engine = EndpointScorer(server.target.replace("sglang:", "pooling:"), max_retries=0)
        with pytest.raises(InputError, match="gave a probe no score: NotFoundError 404") as refused:
            list(engine.score(REQUESTS))
    assert "--runner pooling" in str(refused.value.hint)
    body = json.dumps({"data": [{"index": 0, "probs": [0.1, 0.9]}]}).encode()
    assert "2 numbers where a reward model gives one" in str(read_classify(body).results[0].error)
    rows = json.dumps({"data": [{"index": 0, "data": [0.1, 0.9]}]}).encode()
    assert read_pooling(rows).results[0].score is None  # tokens or a vector: not guessed


def test_rows_of_other_tokens_are_no_scores(folder: Path) -> None:
    """A pooler of steps or chunks: its last row need not be the last token's."""

    def short(handler: Any, body: dict[str, Any], texts: list[str]) -> None:
        whole = handler.whole(body, texts)
        for one in whole["data"]:
            del one["data"][0]
        handler.send(200, whole)

    from support import score_server

    score_server.FAULTS["fewer rows"] = short
    with ScoreServer("pooling", fault=lambda texts, nth: "fewer rows") as server:
        with pytest.raises(InputError, match=r"numbers of \d+ of \d+ tokens"):
            scored(server, tokenizer=folder)
        _, found = scored(server, tokenizer=folder, checks=False)
    assert all("rows of" in str(one.error) and one.score is None for one in found.values())


def test_text_that_spells_a_control_token_is_never_one(folder: Path) -> None:
    asked = [ScoreRequest(Key("x"), (PLAIN, {"role": "assistant", "content": "a <|user|> b"}))]
    with ScoreServer("sglang") as server:
        _, found = scored(server, asked, tokenizer=folder)
    assert found[Key("x")].error == "no text is read as these tokens: it spells a control token"
    with ScoreServer("classify") as server:
        _, found = scored(server, asked, tokenizer=folder)
    assert found[Key("x")].score is not None


def test_a_bos_is_sent_once(folder: Path, tmp_path: Path) -> None:
    """Where the server's tokenizer writes one, the text has none."""
    import transformers
    from tokenizers import processors

    tokenizer = byte_tokenizer()
    request = ScoreRequest(Key("x"), (PLAIN, {"role": "assistant", "content": "Po."}))
    for name, adds in (("plain", False), ("adds", True)):
        if adds:
            tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
                single="<s> $A", pair=None, special_tokens=[("<s>", 1)]
            )
        tokenizer.save_pretrained(tmp_path / name)
        read = transformers.AutoTokenizer.from_pretrained(tmp_path / name)
        chat = Chat(read, tmp_path / name, opens=False)
        ids = chat.encode(request.messages)
        text = chat.as_text(request.messages, ids, adds_bos=True)
        assert text is not None
        assert text.startswith("<s>") is not adds
        assert read(text)["input_ids"] == ids
        kept = chat.as_text(request.messages, ids, adds_bos=False)
        assert str(kept).startswith("<s><|user|>")


# ------------------------------------------------------------------------ targets


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("score:rm@http://127.0.0.1:1", "number without meaning"),
        ("classify:rm@http://127.0.0.1:1/score", "number without meaning"),
        ("classify:rm@http://127.0.0.1:1/v1/score", "number without meaning"),
        ("classify:rm", "names no server"),
        ("classify:@http://127.0.0.1:1", "names no model"),
        ("pooling:rm@127.0.0.1:1", "does not start with http"),
        ("get-reward:", "names no server"),
        ("get-reward:127.0.0.1:1", "cannot be read"),
        ("classify:rm@http://127.0.0.1:1,http://127.0.0.1:1/v1", "comes twice"),
        ("sglang:rm@http://127.0.0.1:1", "--tokenizer|takes rendered text"),
        ("get-reward:http://127.0.0.1:1", "takes rendered text"),
    ],
)
def test_targets_that_cannot_be_asked(spec: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        EndpointScorer(spec)


def test_any_url_of_a_server_names_it() -> None:
    for url in ("", "/v1", "/classify", "/", "/v1/"):
        engine = EndpointScorer(f"classify:org/rm@http://u:secret@127.0.0.1:9{url}")
        assert engine.model == "org/rm"
        assert [one.url for one in engine.endpoints] == ["http://127.0.0.1:9"]
        assert "secret" not in json.dumps(engine.describe())
    assert route_of("openai:x@http://h/v1") is route_of("some/folder") is None


def test_a_server_that_is_not_there_and_one_that_dies() -> None:
    with ScoreServer("classify") as server:
        engine = EndpointScorer(server.target, max_retries=0)
        engine.connect()
    with pytest.raises(InputError, match="no endpoint answers"):
        list(EndpointScorer(server.target).score(REQUESTS))
    with pytest.raises(RmauditError, match="no endpoint answers any more"):
        list(engine.score(REQUESTS))
