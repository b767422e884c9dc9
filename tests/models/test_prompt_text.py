"""A prompt with places: how it is read, what is refused, and that data are never filled again."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fix_items import item

from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.models.prompt_file import PromptFile, prompt_toml, read_prompt
from rmaudit.models.prompt_text import Message, canonical, fill

PLAIN = 'Ask: {request}\nA: {first}\nB: {second}\nAnswer as {"choice": "A"} or \\boxed{x}.'
TOML = """
braces = "format"
places = { question = "request", answer_a = "first", answer_b = "second" }
[[messages]]
role = "system"
text = "Judge as {{\\"choice\\": 1}}."
[[messages]]
role = "user"
text = "{question}|{answer_a}|{answer_b}"
"""


def pair(prompt: str, first: str, second: str) -> Item:
    one = item()
    turns = [one.prompt[0].model_copy(update={"content": prompt})]
    return one.model_copy(update={"prompt": turns, "response_a": first, "response_b": second})


def test_plain_text_is_one_message_of_the_user(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(f"{PLAIN}\n")
    one = pair("Who?", "{second} {request}", "Bob")
    shown = {"ab": (one.response_a, "Bob"), "ba": ("Bob", one.response_a)}
    for order, (first, second) in shown.items():
        prompt = fill(read_prompt(file), one, order=order, max_reasons=5)  # type: ignore[arg-type]
        told = f'Ask: Who?\nA: {first}\nB: {second}\nAnswer as {{"choice": "A"}} or \\boxed{{x}}.'
        assert prompt.messages == ({"role": "user", "content": told},)


def test_toml_has_its_own_names_of_the_places(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TOML)
    one = pair("Who?", "Ann", "Bob")
    prompt = fill(read_prompt(file), one, order="ab", max_reasons=5, guidelines=["Look  twice."])
    system, user = prompt.messages
    assert system == {"role": "system", "content": 'Judge as {"choice": 1}.'}
    assert user["content"].endswith("- Look twice.\n\nWho?|Ann|Bob")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "{request} {first}", "it has no place {second}"),
        ("a.txt", "{question} {answer_a}", "in braces it has {question}, {answer_a}"),
        ("a.txt", "{request} {second} {first}", "shows {second} before {first}"),
        ("a.txt", "", "text: String should have at least 1 character"),
        ("a.txt", "{request}{first}{second}\0", "zero byte"),
        ("a.toml", "x", "a.toml: "),
        ("a.toml", 'text = "{request}"', "messages: Field required"),
        ("a.toml", TOML.replace('"system"', '"tool"'), "messages.0.role: Input should be"),
        ("a.toml", TOML.replace("{question}", ""), "it has no place {request}"),
        ("a.toml", TOML.replace("{question}", "{question}{rubric}"), "what stands at {rubric}"),
        ("a.toml", TOML.replace('"request"', '"prompt"'), "places.question: Input should be"),
        ("a.toml", TOML.replace("Judge", "{{first}}"), "its own words hold {first}"),
        ("a.toml", TOML + '[[messages]]\nrole = "system"\ntext = "x"', "roles are at most"),
        ("a.toml", TOML + '[judge]\nspec = "openai:x"', "judge: Extra inputs"),
    ],
)
def test_what_is_no_prompt_about_a_pair(tmp_path: Path, name: str, text: str, message: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(InputError) as raised:
        read_prompt(file)
    assert str(file) in raised.value.message
    assert message in raised.value.message
    assert raised.value.hint


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*none"):
        read_prompt(tmp_path / "none")
    (tmp_path / "latin").write_bytes("für {request}".encode("latin-1"))
    with pytest.raises(InputError, match="no UTF-8"):
        read_prompt(tmp_path / "latin")


@pytest.mark.parametrize(
    ("braces", "text"),
    [
        ("plain", "{q}{{a}}{b c}"),
        ("format", "{q}{{{{a}}}}{{b c}}"),
        ("jinja", "{{ q}}{{{a}}}{b c}"),
    ],
)
def test_the_ways_to_write_a_place(braces: str, text: str) -> None:
    """The same words each time, but that in jinja `{{a}}` is a place, and `a` is said to be one."""
    places = {"q": "request", **({"a": "first"} if braces == "jinja" else {})}
    found = canonical(text, places, braces)  # type: ignore[arg-type]
    assert found == ("{request}{{first}}{b c}" if braces == "jinja" else "{request}{{a}}{b c}")


SAFE = st.text(st.characters(exclude_characters="{}\0", exclude_categories=("Cs",)), max_size=40)
DATA = st.text(st.sampled_from("{}firstsecondrequest \\0"), min_size=1, max_size=60)


@given(SAFE, SAFE, SAFE, DATA, DATA, DATA)
def test_data_go_in_as_they_are_and_once(
    one: str, two: str, three: str, request: str, first: str, second: str
) -> None:
    message = Message(role="user", text=f"{one}{{request}}{two}{{first}}{three}{{second}}")
    shown = pair(request, first, second)
    prompt = fill((message,), shown, order="ab", max_reasons=5)
    assert prompt.messages[0]["content"] == f"{one}{request}{two}{first}{three}{second}"


@given(SAFE, st.text(st.sampled_from("{}ab"), max_size=20))
def test_escaped_braces_come_back_as_python_has_them(text: str, braces: str) -> None:
    written = (text + braces).replace("{", "{{").replace("}", "}}") + "{q}"
    assert canonical(written, {"q": "request"}, "format") == written.format(q="{request}")


@given(SAFE, st.text(st.sampled_from("{}\\\"'\n\r\tab"), max_size=20))
def test_a_prompt_that_is_written_down_is_read_again(text: str, odd: str) -> None:
    whole = Message(role="user", text=f"{text}{odd} {{request}}{{first}}{odd}{{second}}")
    system = Message(role="system", text=f"x{odd}{text}")
    told = tomllib.loads(prompt_toml((system, whole)))
    assert PromptFile.model_validate(told).canonical == (system, whole)
