"""Answers given as JSON: an overall verdict, reasons, or both, under the keys that models use.

Of several verdicts in one value the shallowest counts, and among those of one depth the one under
the most final key. A verdict under a key that names an aspect (`style`, `breakdown`) is nested: it
is none. Texts under keys that nobody knows are read as reasons where no other key holds any, else
long ones are counted as unread: never passed over in silence.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from rmaudit.parsing.sides import Names
from rmaudit.parsing.verdict_grammar import Label, read_label
from rmaudit.records import About
from rmaudit.text.json_values import json_values
from rmaudit.text.masking import fold


class JsonReason(NamedTuple):
    """A reason as the value holds it, and the side that the value gives for it."""

    text: str
    side: About


class JsonAnswer(NamedTuple):
    """A JSON value that holds a verdict or reasons, at [start, end) of the answer.

    labels: the verdicts that count; those of different sides contradict each other.
    unknown: the reasons stood under keys that are not known to hold any.
    unread: beside the reasons that were read, long texts stand under other keys.
    """

    start: int
    end: int
    labels: tuple[Label, ...]
    claims: tuple[JsonReason, ...]
    value: object
    unknown: bool = False
    unread: bool = False


_VERDICT_KEYS = frozenset(
    "verdict winner choice preference preferred preferredresponse preferredanswer better "
    "betterresponse betteranswer bestanswer best bestresponse decision judgment judgement label "
    "score selected selection chosen conclusion winningresponse preferredassistant "
    "结论 判定 更好的回答 胜者 更优的回答".split()
)
_FINAL = ("final", "overall", "最终")
_WRAPPERS = frozenset(
    "result results output response answer final overall evaluation assessment comparison data "
    "json object".split()
)
"""Keys whose value is the whole answer once more; any other key names a part of it."""
_REASON_KEYS = frozenset(
    "reason reasons rationale rationales reasoning justification justifications explanation "
    "explanations analysis why feedback critique critiques comment comments strengths weaknesses "
    "pros cons faults flaws issues problems differences evidence thought thoughts notes argument "
    "arguments comparison evaluation assessment summary 理由 原因 分析 解释 评价 优点 缺点".split()
)
_TEXT_KEYS = frozenset("text reason description point explanation rationale claim fault".split())
_SIDE_KEYS = frozenset("about response side target name".split())
_ECHO_KEYS = frozenset(
    "request prompt question query instruction input context conversation task criteria rubric "
    "principle principles format schema".split()
)
"""Keys under which a value repeats what the model was given."""
_DEEPEST = 6
_SENTENCE = 4
"""So many words under an unknown key are a text that may hold reasons."""
_LONG = 10
"""So many are a text that should not be passed over without a word."""
_NOT_A_KEY_LETTER = re.compile(r"[\W_]+")
_WORDS = re.compile(r"[一-鿿ぁ-ヿ]|\w+")


def json_answers(text: str, *, names: Names, whole: bool = False) -> list[JsonAnswer]:
    """Every JSON object, or array of objects, in `text` that holds a verdict or reasons.

    whole: any of them, since the caller knows other keys for the verdict.
    """
    answers = []
    for found in json_values(text):
        if not isinstance(found.value, dict) and not _objects(found.value):
            continue
        labels = _verdicts(found.value, names)
        claims, unknown, unread = _reasons(found.value, names), False, False
        if labels or whole:
            others = _other_texts(found.value, names)
            unknown = bool(others) and not claims
            unread = bool(claims) and _more_than(others, claims)
            claims = claims or others
        if labels or claims or whole:
            place = found.start, found.end
            answers.append(JsonAnswer(*place, labels, tuple(claims), found.value, unknown, unread))
    return answers


def _objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _verdicts(value: object, names: Names) -> tuple[Label, ...]:
    """The verdicts of the shallowest level that has any, under its most final keys."""
    level = list(value) if isinstance(value, list) else [value]
    for _ in range(_DEEPEST):
        ranked: list[tuple[int, Label]] = []
        below: list[object] = []
        for one in level:
            if not isinstance(one, dict):
                continue
            for name, inner in one.items():
                key, rank = _rank(name)
                if isinstance(inner, int) and not isinstance(inner, bool) and key != "score":
                    inner = str(inner)[:4]  # `Response 1` may be named by its number
                if isinstance(inner, str):
                    label = read_label(fold(inner).text, names=names) if rank else None
                    ranked += [(rank, label)] if label else []
                elif rank or key in _WRAPPERS:
                    below.append(inner)
        if ranked:
            top = max(rank for rank, _ in ranked)
            return tuple(label for rank, label in ranked if rank == top)
        level = below
    return ()


def _rank(name: str) -> tuple[str, Literal[0, 1, 2]]:
    """The key in plain letters, and how final a verdict under it is: 0 is none."""
    key = plain_key(name)
    final = next((word for word in _FINAL if key.startswith(word) and key != word), "")
    if key.removeprefix(final) not in _VERDICT_KEYS:
        return key, 0
    return key, 2 if final else 1


def _reasons(value: object, names: Names) -> list[JsonReason]:
    """Texts under keys of reasons, in order, wherever in the value they stand."""
    claims: list[JsonReason] = []
    waiting: deque[tuple[object, int]] = deque([(value, 0)])
    while waiting:
        inner, depth = waiting.popleft()
        if depth > _DEEPEST:
            continue
        if isinstance(inner, list):
            waiting += [(one, depth + 1) for one in inner if isinstance(one, dict)]
        elif isinstance(inner, dict):
            for name, under in inner.items():
                key = plain_key(name)
                if key in _REASON_KEYS and (read := _claims(under, None, names, depth=0)):
                    claims += read
                elif not isinstance(under, str):
                    waiting.append((under, depth + 1))
    return claims


def _claims(value: object, side: About, names: Names, *, depth: int) -> list[JsonReason]:
    """Reasons under a key: a text, a list, objects with a text, or any of them by response."""
    if isinstance(value, str):
        return [JsonReason(value, side)] if value.strip() else []
    if depth > _DEEPEST:
        return []
    if isinstance(value, list):
        return [claim for inner in value for claim in _claims(inner, side, names, depth=depth + 1)]
    if not isinstance(value, dict):
        return []
    keyed = {plain_key(name): inner for name, inner in value.items()}
    named = next((keyed[key] for key in keyed if key in _SIDE_KEYS), None)
    if isinstance(named, str):
        side = _side(named, names) or side
    texts = [keyed[key] for key in keyed if key in _TEXT_KEYS]
    if texts:
        return _claims(texts[0], side, names, depth=depth + 1)
    return [
        claim
        for name, inner in value.items()
        if isinstance(inner, str | list | dict) and not _rank(name)[1]
        for claim in _claims(inner, _side(name, names) or side, names, depth=depth + 1)
    ]


def _says_something(text: str, names: Names) -> bool:
    return bool(text.strip()) and read_label(fold(text).text, names=names) is None


def _other_texts(value: object, names: Names) -> list[JsonReason]:
    """Texts of several words under keys that are not known, without what repeats the prompt."""
    return [JsonReason(text, side) for text, side in _texts(value, None, names, 0)]


def _more_than(others: Sequence[JsonReason], read: Sequence[JsonReason]) -> bool:
    """Whether a long text is among the others that was not read."""
    known = {reason.text for reason in read}
    return any(
        one.text not in known and len(_WORDS.findall(one.text[:400])) >= _LONG for one in others
    )


def _texts(value: object, side: About, names: Names, depth: int) -> Iterator[tuple[str, About]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        if len(_WORDS.findall(value[:400])) >= _SENTENCE and _says_something(value, names):
            yield value, side
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, side, names, depth + 1)
    elif isinstance(value, dict):
        for name, inner in value.items():
            if plain_key(name) not in _ECHO_KEYS:
                yield from _texts(inner, _side(name, names) or side, names, depth + 1)


def _side(name: str, names: Names) -> About:
    """Here a bare letter is a side: the structure says that it names one."""
    label = read_label(fold(name).text.replace("_", " "), names=names)
    if label is None or label.graded:
        return None
    return "both" if label.verdict == "tie" else label.verdict


def plain_key(name: str) -> str:
    """A key without case, spaces and punctuation: `Final_Verdict` as `finalverdict`."""
    return _NOT_A_KEY_LETTER.sub("", fold(name).text).casefold()
