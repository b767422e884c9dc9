"""A text is taken out of a file by a fact about where it stands, and nothing of the file is run."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.models.take import Take, take

WORDS = st.text(st.characters(exclude_categories=("Cs",)))
SOURCE = '''
import os
HEAD = "You judge. "
TAIL: str = ("Say "
             "which.")
BOTH = HEAD + TAIL + "\\n"
LATER = "first"
LATER = "second"
CONF = {"system": HEAD, "user": {"text": "ask {q}"}}
TALK = Conversation(system="sys", prompt=TAIL)
LOOP = LOOP + "x"
BUILT = os.getenv("HOME")
FORMED = f"{HEAD}!"
TRIMMED = """
 words
""".strip()

class Judge(Base):
    def __init__(self):
        text = (
            "inside"
        )
        super().__init__(text)
'''


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("HEAD", "You judge. "),
        ("TAIL", "Say which."),
        ("BOTH", "You judge. Say which.\n"),
        ("LATER", "second"),
        ("CONF.system", "You judge. "),
        ("CONF.user.text", "ask {q}"),
        ("TALK.system", "sys"),
        ("TALK.prompt", "Say which."),
        ("TRIMMED", "words"),
        ("Judge.__init__.text", "inside"),
    ],
)
def test_a_constant_by_its_name(name: str, text: str) -> None:
    assert take(SOURCE, Take(python=name)) == text


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("NONE", "it has no NONE"),
        ("CONF.user.other", "no other"),
        ("CONF", "is no constant text"),
        ("Judge", "Judge is no text there"),
        ("LOOP", "too many parts, or of itself"),
        ("BUILT", "is no constant text"),
        ("FORMED", "is no constant text"),
    ],
)
def test_what_is_no_constant_is_not_run(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        take(SOURCE, Take(python=name))


@pytest.mark.parametrize("text", ["def (", "x = \0", "(" * 100_000, "x = " + "-" * 100_000 + "1"])
def test_what_is_no_python(text: str) -> None:
    with pytest.raises(ValueError, match=r"no Python that can be read|no x"):
        take(text, Take(python="x"))


def test_other_ways() -> None:
    page = "a\n```python\nP = 'p {x}'\n```\n```\nplain\n```\n"
    assert take(page, Take(fence=2)) == "plain\n"
    assert take(page, Take(fence=1, python="P")) == "p {x}"
    with pytest.raises(ValueError, match="has 2 fenced blocks, and not 3"):
        take(page, Take(fence=3))
    assert take('{"a": [{"b": "text"}]}', Take(json="a.0.b")) == "text"
    assert take('{"b": "one"}\n{"b": "two"}\n', Take(json="1.b")) == "two"
    for path in ("2.b", "0.c", "0"):
        with pytest.raises(ValueError, match=f"nothing at {path}|{path} is no text"):
            take('{"b": "one"}\n{"b": "two"}\n', Take(json=path))
    with pytest.raises(ValueError, match="neither JSON nor JSON lines"):
        take("b: one", Take(json="b"))
    assert take('key: "a\\nb"\nmore', Take(between=('key: "', '"\n'), quoted=True)) == "a\nb"
    assert take("k: |\n  a\n    b\n", Take(between=("k: |\n", ""), dedent=True)) == "a\n  b\n"
    with pytest.raises(ValueError, match="does not hold"):
        take("k: a", Take(between=("k: ", "\n")))
    with pytest.raises(ValueError, match="not the inside of a string"):
        take('"\\x"', Take(between=('"', '"'), quoted=True))
    assert take("all of it", Take(whole=True)) == "all of it"


@pytest.mark.parametrize("fields", [{}, {"python": "a", "json": "b"}, {"fence": 1, "json": "b"}])
def test_one_way_is_said(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"one of python|only python"):
        Take.model_validate(fields)


@given(WORDS, WORDS)
def test_any_constant_comes_out_as_python_and_json_have_it(text: str, other: str) -> None:
    assert take(f"A = {other!r}\nB = A + {text!r}\n", Take(python="B")) == other + text
    assert take(json.dumps({"a": [other, text]}), Take(json="a.1")) == text
