"""Loads checklist sets: by name, folder, items file or `synth:SEED[:N[:FAMILY,...]]`.

Bad input is reported with file, line, field and remedy before any model is loaded.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from rmaudit.checklists.cross_check import CrossCheck, LineProblem
from rmaudit.checklists.schema import Item, SetCard, lean
from rmaudit.errors import InputError
from rmaudit.text.json_values import each_key_once
from rmaudit.text.toml import read_toml

ITEMS_FILE = "items.jsonl"
CARD_FILE = "card.toml"
SHOWN_PROBLEMS = 5
UNLABELLED = "is null; what nobody has judged goes into a file for scan --rollouts"


class ItemPlace(NamedTuple):
    """A line of an items file, counted from 1; line 0 of '' where an item comes from no file."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class ChecklistSet:
    """Items in file order with their card.

    `skipped` counts lines that `skip_bad` left out. `places` say where each item stands; they are
    empty for a set that comes from no file.
    """

    card: SetCard
    items: tuple[Item, ...]
    sha256: str
    skipped: tuple[LineProblem, ...] = ()
    places: tuple[ItemPlace, ...] = ()

    @property
    def place_of(self) -> dict[str, ItemPlace]:
        """Where each item stands, by its id."""
        return {item.id: place for item, place in zip(self.items, self.places, strict=False)}

    @property
    def stale_card(self) -> bool:
        """Whether the card names another content hash than the items have."""
        return bool(self.card.sha256) and self.card.sha256 != self.sha256


def content_hash(items: Iterable[Item]) -> str:
    """sha256 over the items' content in order, whatever the spacing or key order of the file."""
    digest = hashlib.sha256()
    for item in items:
        digest.update(dump_item(item, sort=True).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def dump_item(item: Item, *, sort: bool = False) -> str:
    """One line of items.jsonl, without the fields that are at their default."""
    content = item.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(content, ensure_ascii=False, sort_keys=sort)


def load_card(directory: Path) -> SetCard:
    """The card of a set folder; a folder without one gets a card with its name alone."""
    path = directory / CARD_FILE
    if not path.is_file():
        return SetCard(name=directory.name)
    try:
        return SetCard.model_validate(read_toml(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}", "mend the TOML") from error
    except ValidationError as error:
        field, what = first_fault(error)
        raise InputError(f"{path}, field {field}: {what}", "mend this field") from error


def load_file(path: Path, *, card: SetCard, skip_bad: bool = False) -> ChecklistSet:
    """Reads and validates an items file."""
    found, problems = _read_lines(path)
    bare = [number for number, item in found if item.label is None]
    problems += [LineProblem(str(path), number, "label", UNLABELLED) for number in bare]
    found = [(number, item) for number, item in found if item.label is not None]
    return checked_set(found, problems, file=str(path), card=card, skip_bad=skip_bad)


def load_items(path: Path) -> tuple[Item, ...]:
    """The items of a file alone, where nobody asks for the set that they make.

    Raises:
        InputError: the file cannot be read, or a line of it is bad.
    """
    kept, _ = _checked(*_read_lines(path), file=str(path), skip_bad=False)
    return tuple(item for _, item in kept)


def _read_lines(path: Path) -> tuple[list[tuple[int, Item]], list[LineProblem]]:
    """The items by line, and what is wrong with the other lines."""
    found: list[tuple[int, Item]] = []
    problems: list[LineProblem] = []
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    item = _parse_line(line.removesuffix(b"\n"), str(path), number)
                    if isinstance(item, Item):
                        found.append((number, item))
                    else:
                        problems.append(item)
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror}", "give a file of items, or restore this one"
        ) from error
    return found, problems


def checked_set(
    found: Sequence[tuple[int, Item]],
    problems: Sequence[LineProblem],
    *,
    file: str,
    card: SetCard,
    skip_bad: bool,
) -> ChecklistSet:
    """The items of a file as a set, after the checks that no line alone can make.

    Args:
        found: items by line.
        problems: what is wrong with the other lines.
        file: how errors name the file.
        card: the card of the set.
        skip_bad: leave bad lines out, and count them in `skipped`.

    Raises:
        InputError: a line is bad and `skip_bad` is off, or no item is left.
    """
    kept, problems = _checked(found, problems, file=file, skip_bad=skip_bad)
    lines, items = zip(*kept, strict=True)
    places = tuple(ItemPlace(file, line) for line in lines)
    return ChecklistSet(card, items, content_hash(items), tuple(problems), places)


def _checked(
    found: Sequence[tuple[int, Item]],
    problems: Sequence[LineProblem],
    *,
    file: str,
    skip_bad: bool,
) -> tuple[list[tuple[int, Item]], list[LineProblem]]:
    """The items that are left, and all that is wrong with the others; see `checked_set`."""
    kept, clashes = _cross_check(found, file)
    problems = sorted([*problems, *clashes], key=lambda problem: problem.line)
    if problems and not skip_bad:
        raise InputError(
            problem_sentence(problems), "mend these lines, or leave them out with --skip-bad"
        )
    if not kept:
        raise InputError(
            f"{file} holds no items", "one JSON object a line: see checklists/README.md"
        )
    return kept, problems


def subset(items: Sequence[Item], *, limit: int | None, seed: int) -> tuple[Item, ...]:
    """The items in seeded order of their groups, the first `limit` of them.

    A smaller limit gives a prefix of a larger one, and the order does not depend on file order.
    """

    def place(item: Item) -> tuple[str, str]:
        return hashlib.sha256(f"{seed}/{item.cluster}".encode()).hexdigest(), item.id

    return tuple(sorted(items, key=place)[:limit])


def combine(sets: Sequence[ChecklistSet]) -> ChecklistSet:
    """Several sets as one; with more than one, ids and groups get the set's name in front."""
    if len(sets) == 1:
        return sets[0]
    items: list[Item] = []
    for one in sets:
        for item in one.items:
            name = f"{one.card.name}/"
            items.append(
                item.model_copy(update={"id": name + item.id, "group": name + item.cluster})
            )
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            raise InputError(f"the id '{item.id}' comes twice", "name each --set once")
        seen.add(item.id)
    names = "+".join(one.card.name for one in sets)
    skipped = tuple(problem for one in sets for problem in one.skipped)
    places = tuple(
        place for one in sets for place in one.places or [ItemPlace("", 0)] * len(one.items)
    )
    return ChecklistSet(SetCard(name=names), tuple(items), content_hash(items), skipped, places)


def _parse_line(line: bytes, file: str, number: int) -> Item | LineProblem:
    try:
        data = json.loads(line, object_pairs_hook=each_key_once)
    except UnicodeDecodeError:
        return LineProblem(file, number, "", "is not UTF-8")
    except (ValueError, RecursionError) as error:
        return LineProblem(file, number, "", f"is not a JSON object ({error})")
    try:
        return lean(Item.model_validate_json(line))
    except ValidationError as error:
        field, what = first_fault(error)
        name = f" (item '{data['id']}')" if isinstance(data, dict) and "id" in data else ""
        return LineProblem(file, number, field, what + name)


def first_fault(error: ValidationError) -> tuple[str, str]:
    """Field and message of the first problem, in words that say what to do."""
    detail = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in detail["loc"])
    what = detail["msg"].removeprefix("Value error, ")
    if detail["type"] == "extra_forbidden":
        what = "unknown key; only `meta` is free"
    elif detail["type"] == "missing":
        what = "is missing"
    elif detail["type"] in ("string_too_short", "string_pattern_mismatch"):
        what = "is empty" if not str(detail["input"]).strip() else what
    return field, what


def _cross_check(
    found: Sequence[tuple[int, Item]], file: str
) -> tuple[list[tuple[int, Item]], list[LineProblem]]:
    """The items that are left, and what no line shows alone."""
    check = CrossCheck(file)
    first: list[tuple[int, Item]] = []
    problems: list[LineProblem] = []
    for number, item in found:
        problem = check.add(number, item)
        if problem is None:
            first.append((number, item))
        else:
            problems.append(problem)
    clashing = check.contradictions()
    kept = [(number, item) for number, item in first if item.id not in clashing]
    return kept, [*problems, *clashing.values()]


def problem_sentence(problems: Sequence[LineProblem]) -> str:
    """The first few problems, a line each, and how many more there are."""
    shown = "\n       ".join(str(problem) for problem in problems[:SHOWN_PROBLEMS])
    more = len(problems) - SHOWN_PROBLEMS
    return shown + (f"\n       and {more} more" if more > 0 else "")
