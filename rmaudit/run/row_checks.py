"""What the row files of a run must be to each other: each key once, and none without its cause.

    requests asked for -> generations -> verdicts -> matches, labels, probes -> results

Read when a run is sealed, and again wherever the seal is missing or broken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from rmaudit.checklists.schema import Item
from rmaudit.records import ANSWERED, Key, MatchSet
from rmaudit.run.files import (
    CEILINGS,
    FLAWS,
    GENERATIONS,
    MATCHES,
    NULL_LISTS,
    PROBES,
    RESULTS,
    SCORES,
    VERDICTS,
    RowFile,
)
from rmaudit.run.halves import answered_pairs, pairs_of
from rmaudit.run.manifest import RunManifest
from rmaudit.run.rows import MatchRow

R = TypeVar("R")


class RowSource(Protocol):
    """Where rows are read from: a run directory."""

    def rows(self, file: RowFile[R]) -> Iterator[R]:
        """Rows of a file."""
        ...

    def has(self, file: RowFile[Any]) -> bool:
        """Whether a row file is there."""
        ...


def row_contradictions(
    run: RowSource, items: Sequence[Item], manifest: RunManifest
) -> Iterator[str]:
    """Each contradiction, as a sentence without its end.

    Args:
        run: the row files.
        items: all that the run was planned with, in its order.
        manifest: of the run.

    Raises:
        InputError: a row file is damaged.
    """
    yield from _kind(run, manifest)
    said: dict[Key, tuple[int, bool]] = {}
    verdicts: list[Key] = []
    for row in run.rows(VERDICTS):
        verdicts.append(row.key)
        answered = row.judgment.outcome in ANSWERED
        said[row.key] = len(row.judgment.reasons), answered
    yield from _once(VERDICTS, verdicts)
    yield from _asked_for(said, items, manifest)
    yield from _keyed(run, said)
    yield from _shapes(run, said, {item.id: len(item.reasons) for item in items})
    counted = [item.id for item in items[: manifest.n_items]]
    results = [row.item for row in run.rows(RESULTS)]
    if results != counted:
        yield from _once(RESULTS, results)
        yield f"{RESULTS.name} is of other items than the run"


def strange_rows(run: RowSource, items: Sequence[Item], manifest: RunManifest) -> Iterator[str]:
    """What no start of a scan leaves, however far it came; what is not there yet is no fault.

    Args:
        run: the row files.
        items: all that the run is planned with.
        manifest: of the run.

    Raises:
        InputError: a row file is damaged.
    """
    said: dict[Key, tuple[int, bool]] = {}
    known = {item.id for item in items}
    for row in run.rows(VERDICTS):
        said[row.key] = len(row.judgment.reasons), row.judgment.outcome in ANSWERED
    yield from _strange(said, known, manifest)
    for file, key_of in _KEYS:
        keys = [(key_of(row), row.key.item) for row in run.rows(file)]
        yield from _once(file, (key for key, _ in keys))
        other = next((item for _, item in keys if item not in known), None)
        if other is not None:
            yield f"{file.name} has a row of '{other}', which is no item of the run"
    yield from _shapes(run, said, {item.id: len(item.reasons) for item in items})


def _kind(run: RowSource, manifest: RunManifest) -> Iterator[str]:
    """A model that gives scores has scores, any other has answers."""
    wanted, other = (GENERATIONS, SCORES) if manifest.gives_reasons else (SCORES, GENERATIONS)
    if run.has(other):
        yield f"rm_type is {manifest.rm_type}, and {other.name} is there"
    if not run.has(wanted):
        yield f"rm_type is {manifest.rm_type}, and {wanted.name} is not there"


def _once(file: RowFile[Any], keys: Iterable[Hashable]) -> Iterator[str]:
    twice = [key for key, count in Counter(keys).items() if count > 1]
    if twice:
        yield f"{file.name} has {len(twice):,} rows more than once, the first {_name(twice[0])}"


def _asked_for(
    said: dict[Key, tuple[int, bool]], items: Sequence[Item], manifest: RunManifest
) -> Iterator[str]:
    """Every item in every order and sample has a verdict, and nothing else has one."""
    known = {item.id for item in items}
    wanted = {
        Key(item.id, order=order, sample=sample)
        for item in items[: manifest.n_items]
        for order in manifest.orders
        for sample in range(manifest.samples)
    }
    missing = len(wanted - said.keys())
    if missing:
        yield f"{VERDICTS.name} lacks {missing:,} of {len(wanted):,} rows that were asked for"
    yield from _strange(said, known, manifest)


def _strange(
    said: dict[Key, tuple[int, bool]], known: set[str], manifest: RunManifest
) -> Iterator[str]:
    """A verdict that nobody asked for."""
    for key, (reasons, _) in said.items():
        if key.item not in known:
            yield f"{VERDICTS.name} has a row of '{key.item}', which is no item of the run"
            return
        if key.order not in manifest.orders or key.sample >= manifest.samples:
            yield f"{VERDICTS.name} has a row that was not asked for, {_name(key)}"
            return
        if reasons > manifest.max_reasons:
            yield f"{VERDICTS.name} has {reasons} reasons in {_name(key)}, more than max_reasons"
            return


def _keyed(run: RowSource, said: dict[Key, tuple[int, bool]]) -> Iterator[str]:
    """Each key once, and of verdicts that are there."""
    if run.has(GENERATIONS):
        keys = [row.key for row in run.rows(GENERATIONS)]
        yield from _once(GENERATIONS, keys)
        if not set(pairs_of(keys)) == answered_pairs(keys) == said.keys():
            yield f"{GENERATIONS.name} and {VERDICTS.name} are of different answers"
    of_verdicts: tuple[tuple[RowFile[Any], Callable[[Any], Hashable], bool], ...] = (
        (MATCHES, _key, True),
        (FLAWS, _key, True),
        (PROBES, lambda row: row.asked, True),
        (SCORES, _key, False),
        (CEILINGS, _key, False),
        (NULL_LISTS, _key, False),
    )
    items = {key.item for key in said}
    for file, key_of, of_verdict in of_verdicts:
        keys_of, strange = [], 0
        for row in run.rows(file):
            keys_of.append(key_of(row))
            strange += row.key not in said if of_verdict else row.key.item not in items
        yield from _once(file, keys_of)
        if strange:
            yield f"{file.name} has {strange:,} rows without a verdict in {VERDICTS.name}"


def _shapes(
    run: RowSource, said: dict[Key, tuple[int, bool]], references: dict[str, int]
) -> Iterator[str]:
    """Matrices are references x reasons, and labels one a reason."""
    for match in run.rows(MATCHES):
        if match.key not in said or match.key.item not in references:
            continue
        what = _matrix_fault(match, references, said[match.key][0])
        if what:
            yield f"{MATCHES.name} has {what} in {_name(match.key)}"
            break
    for label in run.rows(FLAWS):
        found = label.labels
        if label.key in said and found.failure is None and len(found.labels) != said[label.key][0]:
            yield f"{FLAWS.name} has {len(found.labels)} labels in {_name(label.key)}, of another "
            "number of reasons"
            break
    for null in run.rows(NULL_LISTS):
        of_item = references.get(null.key.item)
        if null.matches.failure is None and of_item is not None:
            what = _fault(null.matches, of_item, len(null.reasons))
            if what:
                yield f"{NULL_LISTS.name} has {what} in {_name(null.key)}"
                break


def _matrix_fault(row: MatchRow, references: dict[str, int], reasons: int) -> str:
    if row.matches.failure is None:
        what = _fault(row.matches, references[row.key.item], reasons)
        if what:
            return what
    if row.chance is not None:
        of_other = references.get(row.chance_item or "")
        if of_other is None:
            return "chance of an item that is not there"
        return _not_shaped(row.chance, of_other, reasons)
    return ""


def _fault(found: MatchSet, n: int, m: int) -> str:
    """What is wrong with a matrix and its assignment, '' where nothing is."""
    what = _not_shaped(found.matrix, n, m)
    if what:
        return what
    if found.claims is not None and len(found.claims) != m:
        return "claims of another number of reasons"
    for ref, reason, score in found.edges:
        inside = 0 <= ref < n and 0 <= reason < m
        if not inside or abs(found.matrix[ref][reason] - score) > 1e-9:
            return "an assignment that its matrix does not have"
    pairs = [(ref, reason) for ref, reason, _ in found.edges]
    for side in zip(*pairs, strict=True):
        if len(set(side)) < len(side):
            return "an assignment that is not one to one"
    return ""


def _not_shaped(matrix: Sequence[Sequence[float]], n: int, m: int) -> str:
    if len(matrix) == n and all(len(row) == m for row in matrix):
        off = any(not 0 <= score <= 1 or 4 * score % 1 for row in matrix for score in row)
        return "a score off the grid of quarters" if off else ""
    return f"a matrix that is not {n} references x {m} reasons"


def _key(row: Any) -> Key:
    key: Key = row.key
    return key


_KEYS: tuple[tuple[RowFile[Any], Callable[[Any], Hashable]], ...] = (
    (GENERATIONS, _key),
    (SCORES, _key),
    (VERDICTS, _key),
    (MATCHES, _key),
    (FLAWS, _key),
    (PROBES, lambda row: row.asked),
    (CEILINGS, _key),
    (NULL_LISTS, _key),
)
"""Files of rows, and what is there once."""


def _name(key: Hashable) -> str:
    return "/".join(map(str, key)) if isinstance(key, tuple) else str(key)
