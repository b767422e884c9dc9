"""`rmaudit profile fetch` from a server on loopback and from a folder: all of it, or nothing.

The files are written here, and a profile is given a table of where they stand; the addresses of
the real repositories are only looked at, never asked.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from support.command_line import Done

from rmaudit.checklists.sets import load_set
from rmaudit.errors import InputError
from rmaudit.models import profiles, published
from rmaudit.models.profiles import load_profile, read_profile, shipped_profiles
from rmaudit.models.prompt_text import digest_of
from rmaudit.models.source import SourceTable
from rmaudit.prompts import NOT_TRAINED_ON, OWN_WORDS
from rmaudit.resources import folder

Cli = Callable[..., Done]
NAME = "rrm"
FILES = {
    "code/prompts.py": 'HEAD = "Judge. "\nASK = HEAD + "{q}\\n1: {a}\\n2: {b}\\nAs {{x}}."\n',
    "data/head.json": '{"system": "You are fair."}',
}
ITEM = load_set("synth:3:1:slogan").items[0]


def table(files: dict[str, str] = FILES, **more: Any) -> SourceTable:
    fields: dict[str, Any] = {
        "repository": "github:someone/something",
        "commit": "0" * 40,
        "files": {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()},
        "prompt": "0" * 64,
        "messages": [
            {"role": "system", "take": [{"path": "data/head.json", "json": "system"}]},
            {
                "role": "user",
                "take": [{"path": "code/prompts.py", "python": "ASK"}],
                "places": {"q": "request", "a": "first", "b": "second"},
                "braces": "format",
            },
        ],
    } | more
    found = SourceTable.model_validate(fields)
    if "prompt" in more:
        return found
    return found.model_copy(update={"prompt": digest_of(found.read(FILES))})


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> Callable[[SourceTable], None]:
    """Gives the profile another table of where its prompt stands."""

    def give(made: SourceTable) -> None:
        asked = read_profile(NAME)

        def read(name: str) -> profiles.Profile:
            return asked.model_copy(update={"source": made}) if name == NAME else original(name)

        monkeypatch.setattr(profiles, "read_profile", read)

    original = profiles.read_profile
    return give


class Files(BaseHTTPRequestHandler):
    """Serves FILES below /mirror/, where /moved/ leads; /slow/ waits until the test is over."""

    over = Event()

    def do_GET(self) -> None:
        _, where, path = self.path.split("/", 2)
        text = FILES.get(path)
        if where == "slow":
            self.over.wait(20)
        if where == "moved":
            self.send_response(302)
            self.send_header("Location", f"/mirror/{path}")
            self.end_headers()
        elif where == "mirror" and text is not None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(text.encode())
        elif where == "other":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"something else")
        elif where == "cut":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"x")
        elif where != "slow":
            self.send_error(404)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    Files.over.clear()
    running = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    running.daemon_threads = True
    thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{running.server_address[1]}"
    Files.over.set()
    running.shutdown()
    running.server_close()
    thread.join()


@pytest.mark.parametrize("where", ["mirror", "mirror/", "moved"])
def test_the_profile_asks_by_what_was_fetched(
    cli: Cli, source: Callable[[SourceTable], None], server: str, where: str
) -> None:
    source(table())
    assert load_profile(NAME).prompt == OWN_WORDS
    refused = cli("profile", "fetch", NAME, "--from", f"{server}/{where}")
    assert (refused.code, "--yes" in refused.err) == (2, True)
    assert not published.kept_at(NAME).exists()
    done = cli("profile", "fetch", NAME, "--from", f"{server}/{where}", "--yes")
    assert done.code == 0, done.err
    assert f"{where.rstrip('/')}/code/prompts.py" in done.out
    profile = load_profile(NAME)
    assert (profile.prompt_source, profile.caution) == ("fetched", "")
    system, user = profile.render(ITEM, order="ba", max_reasons=5).messages
    assert system == {"role": "system", "content": "You are fair."}
    assert user["content"] == (
        f"Judge. {ITEM.prompt[0].content}\n1: {ITEM.response_b}\n2: {ITEM.response_a}\nAs {{x}}."
    )
    assert profile.reads == read_profile(NAME).reads
    listed = cli("profile", "list").out
    assert next(x for x in listed.splitlines() if x.startswith(f"{NAME} ")).endswith("fetched")
    assert "You are fair." in cli("profile", "show", NAME).out


def test_from_a_folder(cli: Cli, source: Callable[[SourceTable], None], tmp_path: Path) -> None:
    source(table())
    for path, text in FILES.items():
        (tmp_path / "copy" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "copy" / path).write_text(text)
    done = cli("profile", "fetch", NAME, "--from", tmp_path / "copy", "--yes")
    assert done.code == 0, done.err
    assert load_profile(NAME).prompt_source == "fetched"
    published.kept_at(NAME).write_text(published.kept_at(NAME).read_text().replace("fair", "kind"))
    with pytest.raises(InputError, match="is not the prompt that profile rrm knows") as raised:
        load_profile(NAME)
    assert "fetch rrm fetches it again" in raised.value.hint
    published.kept_at(NAME).write_text("{")
    with pytest.raises(InputError, match="no messages"):
        load_profile(NAME)
    again = cli("profile", "fetch", NAME, "--from", tmp_path / "copy", "--yes")
    assert again.code == 0, again.err
    assert load_profile(NAME).prompt_source == "fetched"


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("nowhere", "HTTP 404"),
        ("other", "is another file: SHA-256 "),
        ("slow", "no answer within 0.2 s"),
        ("cut", "cannot fetch"),
    ],
)
def test_what_fails_keeps_nothing(
    cli: Cli,
    source: Callable[[SourceTable], None],
    server: str,
    monkeypatch: pytest.MonkeyPatch,
    where: str,
    message: str,
) -> None:
    monkeypatch.setattr(published, "TIMEOUT", 0.2)
    source(table())
    done = cli("profile", "fetch", NAME, "--from", f"{server}/{where}", "--yes")
    assert done.code == 1
    assert message in done.err
    assert len(done.err.strip().splitlines()) == 2
    assert not published.kept_at(NAME).exists()
    assert load_profile(NAME).caution == NOT_TRAINED_ON


def test_nobody_listens_and_a_folder_that_is_not_there(
    cli: Cli, source: Callable[[SourceTable], None], tmp_path: Path
) -> None:
    source(table())
    for base in ("http://127.0.0.1:9", str(tmp_path / "none")):
        done = cli("profile", "fetch", NAME, "--from", base, "--yes")
        assert (done.code, len(done.err.strip().splitlines())) == (1, 2)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"prompt": "1" * 64}, "is not the prompt that it knows"),
        (
            {"messages": [{"role": "user", "take": [{"path": "code/prompts.py", "python": "NO"}]}]},
            "cannot be taken out: code/prompts.py: it has no NO",
        ),
        (
            {
                "messages": [
                    {"role": "user", "take": [{"path": "data/head.json", "json": "system"}]}
                ]
            },
            "cannot be taken out: it has no place {request}",
        ),
    ],
)
def test_what_cannot_be_taken_out(
    cli: Cli,
    source: Callable[[SourceTable], None],
    server: str,
    more: dict[str, Any],
    message: str,
) -> None:
    source(table(**({"prompt": "1" * 64} | more)))
    done = cli("profile", "fetch", NAME, "--from", f"{server}/mirror", "--yes")
    assert (done.code, message in done.err) == (1, True), done.err
    assert not published.kept_at(NAME).exists()


def test_profiles_without_a_file_to_fetch(cli: Cli) -> None:
    done = cli("profile", "fetch", "rrm", "--yes")
    assert done.code == 2
    assert "huggingface.co/Reward-Reasoning/RRM-7B, README.md" in done.err
    assert "names no published prompt" in cli("profile", "fetch", "generic", "--yes").err
    assert cli("profile", "fetch", "nobody", "--yes").code == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"path": "README.md"},
        {"messages": []},
        {"commit": "main"},
        {"files": {"../x": "0" * 64}},
        {"files": {"code/prompts.py": "1"}},
        {"repository": "https://example.org/x"},
        {"url": "https://example.org/x"},
    ],
)
def test_what_a_source_may_not_say(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        table(**fields)


def test_sources_are_facts_and_no_two_prompts_are_one() -> None:
    """Each family in our words says where its own stands; no profile that ships holds its words."""
    prompts: dict[str, str] = {}
    for name in shipped_profiles():
        profile = read_profile(name)
        assert not profile.messages, name
        assert (profile.prompt_source == "own_words") == (profile.source is not None), name
        if profile.source is None or not profile.source.fetchable:
            continue
        assert profile.source.prompt is not None
        assert prompts.setdefault(profile.source.prompt, name) == name
        origins = published.origins(profile.source, None)
        assert all(one.address.startswith(profile.source.base) for one in origins)
        assert profile.source.commit in profile.source.base
    assert len(prompts) >= 17


def test_our_words_in_a_source_are_few() -> None:
    """What joins the parts, and what a published prompt leaves to its user; no prompt."""
    told = {}
    for name in shipped_profiles():
        text = (folder("templates") / "profiles" / f"{name}.toml").read_text(encoding="utf-8")
        source = tomllib.loads(text).get("source", {})
        words = json.dumps(source.get("messages", []), ensure_ascii=False)
        told[name] = sum(map(len, _words(json.loads(words))))
    assert max(told.values()) <= 80, told


def _words(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "words":
                yield value
            yield from _words(value)
    elif isinstance(node, list):
        for one in node:
            yield from _words(one)
