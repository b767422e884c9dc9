"""Splits a rationale in free text into atomic reasons by a language model, in the text's order.

The model is shown the sentences with their numbers and says for each reason where it stands, so
that the order is the rationale's whatever the order of the answer, and a reason that stands nowhere
is refused.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from rmaudit.config import ScanConfig
from rmaudit.errors import InputError
from rmaudit.judging.answers import Malformed, after_thinking, only_value
from rmaudit.judging.asker import Asker, Question, Read, Reply
from rmaudit.judging.llm import LlmJudge
from rmaudit.judging.metajudge import Judge
from rmaudit.judging.metajudge_prompt import clean, closed
from rmaudit.prompts import Prompt, Template, load_template, render
from rmaudit.records import Key

NAME = "atomise"
MOST = 40
"""So many reasons at most; a rationale that holds more is cut there, as the list is afterwards."""
LONGEST = 600

Atoms = tuple[str, ...]


class AtomRequest(NamedTuple):
    """The sentences of one answer's rationale, in item coordinates."""

    key: Key
    sentences: tuple[str, ...]


class Atomiser:
    """Asks the judge's model to split rationales."""

    def __init__(self, asker: Asker) -> None:
        self.asker = asker

    @property
    def template(self) -> Template:
        """The prompt, for the run directory."""
        return load_template(NAME)

    def split(
        self, requests: Iterable[AtomRequest]
    ) -> Generator[Reply[AtomRequest, Atoms], None, None]:
        """One reply a request, in any order; its value is None where the model gave no list."""
        with closing(self.asker.ask(map(question, requests))) as replies:
            yield from replies

    def identity(self) -> str:
        """Model and prompt: a resume must not change either."""
        return f"{self.asker.spec} {self.asker.digest} {self.template.sha256}"


def make_atomiser(config: ScanConfig, judge: Judge) -> Atomiser | None:
    """The one that `--atomise` asks for.

    Raises:
        InputError: the judge is no language model.
    """
    if not config.atomise:
        return None
    if not isinstance(judge, LlmJudge):
        raise InputError(
            "--atomise needs a language model as the judge",
            "give --judge vllm:PATH or openai:MODEL@BASE_URL, or leave --atomise out",
        )
    return Atomiser(judge.asker)


def question(request: AtomRequest) -> Question[AtomRequest, Atoms]:
    """What is asked for a rationale."""
    sentences = [" ".join(clean(one)[0].split()) for one in request.sentences]
    content = render(NAME, sentences=sentences)
    prompt = Prompt(({"role": "user", "content": content},), 0)

    def read(text: str) -> Read[Atoms]:
        return Read(read_atoms(text, count=len(sentences)))

    return Question(request, prompt, _schema(len(sentences)), read)


def _schema(count: int) -> dict[str, Any]:
    number = {"type": "integer", "minimum": 1, "maximum": count}
    places = {"type": "array", "minItems": 1, "maxItems": count, "items": number}
    reason = closed({"from": places, "text": {"type": "string", "maxLength": LONGEST}})
    return closed({"reasons": {"type": "array", "maxItems": MOST, "items": reason}})


def read_atoms(text: str, *, count: int) -> Atoms:
    """The reasons of an answer in the order of the sentences that they stand in.

    Raises:
        Malformed: there is no list, or one of its reasons has no text or stands in no sentence.
    """
    found = only_value(after_thinking(text), _list, key="reasons")
    if found is None:
        raise Malformed("it holds no list of reasons")
    placed = [(_first(one, count), _text(one)) for one in found[:MOST]]
    ordered = [text for _, text in sorted(placed, key=lambda one: one[0])]
    return tuple(dict.fromkeys(ordered))


def _list(value: object) -> list[object] | None:
    inner = value.get("reasons") if isinstance(value, dict) else None
    return inner if isinstance(inner, list) else None


def _first(value: object, count: int) -> int:
    places: Sequence[object] = value.get("from", ()) if isinstance(value, dict) else ()
    places = places if isinstance(places, list) else [places]
    numbers = [one for one in places if isinstance(one, int) and not isinstance(one, bool)]
    if not numbers or not all(1 <= one <= count for one in numbers):
        raise Malformed("a reason stands in no sentence of the rationale")
    return min(numbers)


def _text(value: object) -> str:
    text = value.get("text") if isinstance(value, dict) else None
    if not isinstance(text, str) or not any(character.isalnum() for character in text):
        raise Malformed("a reason has no text")
    return " ".join(text.split())
