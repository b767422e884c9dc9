"""Rollouts: prompts with several answers of one policy, most of which nobody has judged.

    {"prompt": [{"role": "user", "content": "..."}], "responses": ["...", "...", ...]}

One JSON object a line; a prompt that is a text is one turn of the user. `id` (default
`rollout-LINE`), `domain` and `labels` may stand beside: a number for each response, the higher the
better. A prompt becomes a tuple of candidates, and pairs of them the items of a set, whose label is
null where the file says nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field, ValidationError, field_validator, model_validator

from rmaudit.checklists.cross_check import LineProblem
from rmaudit.checklists.load import (
    ChecklistSet,
    ItemPlace,
    content_hash,
    first_fault,
    problem_sentence,
)
from rmaudit.checklists.schema import Item, Label, SetCard, Strict, Text, TupleRef, Turn
from rmaudit.errors import InputError
from rmaudit.text.json_values import each_key_once

FEWEST = 2


class Rollout(Strict):
    """One prompt and what the policy answered; equal answers count as often as they are there."""

    prompt: Annotated[list[Turn], Field(min_length=1)]
    responses: Annotated[list[Text], Field(min_length=FEWEST)]
    id: Text | None = None
    domain: Text = "general"
    labels: list[Annotated[float, Field(allow_inf_nan=False, strict=False)]] | None = None

    @field_validator("prompt", mode="before")
    @classmethod
    def _one_turn(cls, value: object) -> object:
        return [{"role": "user", "content": value}] if isinstance(value, str) else value

    @model_validator(mode="after")
    def _one_label_each(self) -> Rollout:
        if self.labels is not None and len(self.labels) != len(self.responses):
            raise ValueError(f"{len(self.labels)} labels for {len(self.responses)} responses")
        known: dict[str, float] = {}
        for text, label in zip(self.responses, self.labels or (), strict=False):
            if known.setdefault(text.strip(), label) != label:
                raise ValueError("two equal responses have different labels")
        return self


class PlacedRollout(NamedTuple):
    """A rollout, its name and its line in the file."""

    name: str
    line: int
    rollout: Rollout


class Rollouts(NamedTuple):
    """The good lines of a file, and what is wrong with those that were left out."""

    path: Path
    placed: tuple[PlacedRollout, ...]
    skipped: tuple[LineProblem, ...]


def read_rollouts(path: Path, *, skip_bad: bool = False) -> Rollouts:
    """Reads a file of rollouts.

    Raises:
        InputError: it cannot be read, a line is bad and `skip_bad` is off, or none is left.
    """
    placed: dict[str, PlacedRollout] = {}
    problems: list[LineProblem] = []
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        found = _parse(line, str(path), number)
        if isinstance(found, LineProblem):
            problems.append(found)
            continue
        name = found.id or f"rollout-{number}"
        if name in placed:
            what = f"'{name}' is already on line {placed[name].line}"
            problems.append(LineProblem(str(path), number, "id", what))
        else:
            placed[name] = PlacedRollout(name, number, found)
    if problems and not skip_bad:
        raise InputError(
            problem_sentence(problems), "mend these lines, or leave them out with --skip-bad"
        )
    if not placed:
        raise InputError(
            f"{path} holds no rollouts",
            'one JSON object a line: {"prompt": [{"role": "user", "content": "..."}], '
            '"responses": ["...", "..."]}',
        )
    return Rollouts(path, tuple(placed.values()), tuple(problems))


def rollout_set(
    rollouts: Rollouts, *, limit: int | None, seed: int, most: int | None
) -> ChecklistSet:
    """Pairs of the responses of each prompt, as a set.

    Args:
        rollouts: as read.
        limit: prompts at most, drawn by the seed.
        seed: of the drawing.
        most: so many different responses of a prompt are compared at most, drawn by the seed, each
            with each; None: every response stands in a pair, which is what a model needs that gives
            each response a score.
    """
    chosen = sorted(rollouts.placed, key=lambda one: _digest(f"{seed}/{one.name}"))[:limit]
    found = [(one, item) for one in chosen for item in _items(one, seed=seed, most=most)]
    items = tuple(item for _, item in found)
    places = tuple(ItemPlace(str(rollouts.path), one.line) for one, _ in found)
    card = SetCard(
        name=rollouts.path.stem,
        origin="rollouts",
        purpose="How far the scores of a reward model spread over the answers of one policy.",
        not_for="Accuracy, unless the file has labels; rationale metrics.",
    )
    return ChecklistSet(card, items, content_hash(items), rollouts.skipped, places)


def copies_of(item: Item) -> tuple[int, int]:
    """How often the policy gave each response of an item that `rollout_set` made; else once."""
    made = item.meta.get("rollout")
    if not isinstance(made, dict):
        return 1, 1
    counts = [made.get(name) for name in ("copies_a", "copies_b")]
    a, b = (n if isinstance(n, int) and n > 0 else 1 for n in counts)
    return a, b


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as lines:
            yield from lines
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror}", "give a file of rollouts, one JSON a line"
        ) from error


def _parse(line: bytes, file: str, number: int) -> Rollout | LineProblem:
    try:
        json.loads(line, object_pairs_hook=each_key_once)
    except UnicodeDecodeError:
        return LineProblem(file, number, "", "is not UTF-8")
    except (ValueError, RecursionError) as error:
        return LineProblem(file, number, "", f"is not a JSON object ({error})")
    try:
        return Rollout.model_validate_json(line)
    except ValidationError as error:
        field, what = first_fault(error)
        if error.errors()[0]["type"] == "extra_forbidden":
            what = "unknown key; keys are prompt, responses, id, domain, labels"
        return LineProblem(file, number, field, what)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _items(one: PlacedRollout, *, seed: int, most: int | None) -> Iterator[Item]:
    """Pairs of different texts, in seeded order; of a text with itself where there is only one."""
    rollout = one.rollout
    places: dict[str, list[int]] = {}
    for place, text in enumerate(rollout.responses):
        places.setdefault(text.strip(), []).append(place)
    firsts = [found[0] for found in places.values()]
    firsts.sort(key=lambda place: _digest(f"{seed}/{one.name}/{rollout.responses[place]}"))
    copies = {found[0]: len(found) for found in places.values()}
    for a, b in _pairs(firsts, most):
        yield Item(
            id=f"{one.name}/{a}-{b}",
            group=one.name,
            domain=rollout.domain,
            prompt=rollout.prompt,
            response_a=rollout.responses[a],
            response_b=rollout.responses[b],
            label=_label(rollout.labels, a, b),
            tuple=TupleRef(id=one.name, rank=b),
            meta={"rollout": {"a": a, "b": b, "copies_a": copies[a], "copies_b": copies[b]}},
        )


def _pairs(places: Sequence[int], most: int | None) -> list[tuple[int, int]]:
    if len(places) == 1:
        return [(places[0], places[0])]
    if most is not None:
        return list(combinations(places[:most], 2))
    pairs = list(zip(places[::2], places[1::2], strict=False))
    return [*pairs, *([(places[-1], places[0])] if len(places) % 2 else [])]


def _label(labels: Sequence[float] | None, a: int, b: int) -> Label | None:
    if labels is None or a == b:
        return None
    if labels[a] == labels[b]:
        return "tie"
    return "a" if labels[a] > labels[b] else "b"
