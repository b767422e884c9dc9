"""A sheet on which a person scores reasons without seeing the judge's scores, and its way back.

Whole answers are drawn, every pair of each, since rc needs the full matrix. The judge's scores
stand in a key file beside the sheet, never in it.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.escaping import plain
from rmaudit.judging.metajudge import Matrix
from rmaudit.judging.metajudge_prompt import sided_references
from rmaudit.metrics.matching import GRID
from rmaudit.prompts import flatten
from rmaudit.records import About, Key, ModelReason
from rmaudit.run.directory import RunDir
from rmaudit.run.disk import write_atomic
from rmaudit.run.files import MATCHES, VERDICTS
from rmaudit.run.item import run_items

KEY_VERSION = 1
COLUMNS = (
    "pair", "item", "request", "response_a", "response_b",
    "reference_about", "reference", "reason_about", "reason", "score",
)  # fmt: skip
_SIDES: dict[About, str] = {"a": "Response A", "b": "Response B", "both": "both", None: ""}
_FORMULA = "=+-@\t\r\n＝＋－＠"


class Drawn(NamedTuple):
    """One answer that a person scores in full."""

    key: Key
    item: Item
    reasons: tuple[ModelReason, ...]
    matrix: Matrix


class Checked(NamedTuple):
    """A sheet that came back.

    Attributes:
        judged: the judge's matrix of each answer that was scored in full.
        human: the person's.
        incomplete: answers with a pair that has no score; they are left out.
    """

    judged: dict[Key, Matrix]
    human: dict[Key, Matrix]
    incomplete: int


def export(path: Path, run_path: Path, *, n: int, seed: int) -> tuple[int, int, Path]:
    """Writes the sheet and its key.

    Args:
        path: of the sheet; `.jsonl` gives JSON lines, anything else CSV.
        run_path: the run that answers are drawn from.
        n: answers are drawn until they have so many pairs.
        seed: of the draw and of the order of pairs.

    Returns:
        Pairs and answers on the sheet, and where the key is.

    Raises:
        InputError: a file is there already, or the run has nothing to score.
    """
    key_path = _key_path(path)
    for one in (path, key_path):
        if one.exists():
            raise InputError(f"{one} is there already", "name another file")
    if not path.parent.is_dir():
        raise InputError(f"no folder {path.parent}", "make it, or name another file")
    run = RunDir.open(run_path)
    drawn = draw(answers(run), n=n, seed=seed)
    if not drawn:
        raise InputError(f"{run_path} has no judged reasons", "scan a set with references first")
    rows, pairs = _rows(drawn, seed)
    write_atomic(path, _jsonl(rows) if path.suffix == ".jsonl" else _csv(rows))
    key = {
        "schema_version": KEY_VERSION,
        "run": run.path.name,
        "matches": _judged_hash(run),
        "seed": seed,
        "pairs": pairs,
    }
    write_atomic(key_path, json.dumps(key, indent=1) + "\n")
    return len(rows), len(drawn), key_path


def answers(run: RunDir) -> list[Drawn]:
    """The answers of a run that its judge has scored: base rows with reasons and references."""
    items = {item.id: item for item in run_items(run)}
    reasons = {row.key: row.judgment.reasons for row in run.rows(VERDICTS)}
    return [
        Drawn(row.key, items[row.key.item], reasons[row.key], row.matches.matrix)
        for row in run.rows(MATCHES)
        if row.key.variant == "base" and row.matches.failure is None and reasons.get(row.key)
    ]


def draw(among: Sequence[Drawn], *, n: int, seed: int) -> list[Drawn]:
    """Answers in random order, one of each group before a second of any, until n pairs."""
    rng = Random(f"spot-check/{seed}")
    shuffled = sorted(among, key=lambda one: one.key)
    rng.shuffle(shuffled)
    times: dict[str, int] = {}
    rounds = []
    for one in shuffled:
        times[one.item.cluster] = times.get(one.item.cluster, 0) + 1
        rounds.append(times[one.item.cluster])
    order = sorted(range(len(shuffled)), key=lambda k: rounds[k])
    drawn, pairs = [], 0
    for k in order:
        if pairs >= n:
            break
        drawn.append(shuffled[k])
        pairs += len(shuffled[k].matrix) * len(shuffled[k].reasons)
    return drawn


def read_back(path: Path, run: RunDir) -> Checked:
    """The scores that a person wrote into the sheet.

    Raises:
        InputError: the sheet or its key cannot be read, a score is off the grid, or the run's
            judge has answered anew since.
    """
    key = _read_key(_key_path(path))
    if key["matches"] != _judged_hash(run):
        raise InputError(
            f"{path} was made for other judge answers than {run.path} holds",
            "name the run that it was exported from",
        )
    scores = _scores(path, key["pairs"])
    judged: dict[Key, Matrix] = {}
    human: dict[Key, Matrix] = {}
    incomplete = 0
    cells: dict[Key, list[tuple[int, int, float, float | None]]] = {}
    for name, pair in key["pairs"].items():
        key_ = Key(*(pair[part] for part in Key._fields))
        place = cells.setdefault(key_, [])
        place.append((pair["ref"], pair["reason"], pair["judge"], scores.get(name)))
    for row, found in cells.items():
        said = _matrix({(ref, reason): score for ref, reason, _, score in found})
        if said is None:
            incomplete += 1
            continue
        human[row] = said
        judged[row] = _matrix({(ref, reason): score for ref, reason, score, _ in found}) or ()
    if not human:
        raise InputError(
            f"{path} has no answer with a score for each of its pairs",
            "write 0, 0.25, 0.5, 0.75 or 1 into the column score",
        )
    return Checked(judged, human, incomplete)


def _rows(drawn: Sequence[Drawn], seed: int) -> tuple[list[dict[str, str]], dict[str, Any]]:
    rng = Random(f"spot-check/{seed}/pairs")
    rows: list[dict[str, str]] = []
    pairs: dict[str, Any] = {}
    for one in drawn:
        references = sided_references(one.item)
        cells = [(i, j) for i in range(len(references)) for j in range(len(one.reasons))]
        rng.shuffle(cells)
        for i, j in cells:
            name = f"p{len(rows) + 1:04}"
            (reference, about), reason = references[i], one.reasons[j]
            values = (
                name, one.item.id, flatten(one.item.prompt),
                one.item.response_a, one.item.response_b,
                _SIDES[about], reference, _SIDES[reason.about], reason.text, "",
            )  # fmt: skip
            rows.append(dict(zip(COLUMNS, values, strict=True)))
            pairs[name] = {**one.key._asdict(), "ref": i, "reason": j, "judge": one.matrix[i][j]}
    return rows, pairs


def safe_cell(text: str) -> str:
    """A cell that no spreadsheet takes for a formula, without control characters."""
    cleaned = plain(text)
    return f"'{cleaned}" if cleaned.lstrip(" \u00a0")[:1] in tuple(_FORMULA) else cleaned


def _csv(rows: Iterable[Mapping[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: safe_cell(value) for name, value in row.items()} for row in rows)
    return "\ufeff" + text.getvalue()  # without the mark, Excel reads UTF-8 as another encoding


def _jsonl(rows: Iterable[Mapping[str, str]]) -> str:
    return "".join(json.dumps({**row, "score": None}) + "\n" for row in rows)


def _scores(path: Path, pairs: Mapping[str, Any]) -> dict[str, float]:
    """Score by pair; pairs without one are left out."""
    found: dict[str, float] = {}
    for number, row in _lines(path):
        name, score = row.get("pair"), row.get("score")
        if name not in pairs:
            raise InputError(f"{path}, line {number}: no pair '{name}'", "keep the column pair")
        if score is None or not str(score).strip():
            continue
        try:
            value = float(str(score).strip().replace(",", "."))
        except ValueError:
            value = -1.0
        if value not in GRID:
            raise InputError(
                f"{path}, line {number}, field score: '{score}'", "write 0, 0.25, 0.5, 0.75 or 1"
            )
        if found.setdefault(str(name), value) != value:
            raise InputError(f"{path}, line {number}: the pair '{name}' comes twice", "keep one")
    return found


def _lines(path: Path) -> list[tuple[int, dict[str, Any]]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", "save the sheet as UTF-8") from error
    if path.suffix == ".jsonl":
        try:
            rows = [(k, json.loads(line)) for k, line in enumerate(text.splitlines(), 1) if line]
        except ValueError as error:
            raise InputError(f"{path} is damaged: {error}", "mend the line") from error
        return [(k, row if isinstance(row, dict) else {}) for k, row in rows]
    # Spreadsheets of some countries save with semicolons.
    delimiter = (
        ";" if text.split("\n", 1)[0].count(";") > text.split("\n", 1)[0].count(",") else ","
    )
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    if not {"pair", "score"} <= set(reader.fieldnames or ()):
        raise InputError(f"{path} lacks the column pair or score", "keep the header line")
    return [(k, dict(row)) for k, row in enumerate(reader, start=2)]


def _matrix(cells: Mapping[tuple[int, int], float | None]) -> Matrix | None:
    """The full matrix; None where a score is missing."""
    n, m = (1 + max(place[axis] for place in cells) for axis in (0, 1))
    values = [[cells.get((i, j)) for j in range(m)] for i in range(n)]
    if any(value is None for row in values for value in row):
        return None
    return tuple(tuple(float(value or 0.0) for value in row) for row in values)


def _key_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.key.json")


def _read_key(path: Path) -> dict[str, Any]:
    try:
        key = json.loads(path.read_text(encoding="utf-8"))
        if key["schema_version"] == KEY_VERSION and isinstance(key["pairs"], dict):
            return dict(key)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"cannot read {path}: {error}", "keep the key file beside the sheet"
        ) from error
    raise InputError(f"{path} is no key of this version of rmaudit", "export the sheet again")


def _judged_hash(run: RunDir) -> str:
    """Hash of the judge's matrices, whatever was added beside them."""
    digest = hashlib.sha256()
    for row in run.rows(MATCHES):
        digest.update(json.dumps([row.key, row.matches.matrix]).encode())
    return digest.hexdigest()
