"""Known truth: pairs of a reference and a reason that were written with their right score.

`checklists/known_truth/README.md` documents the file. A reason's side is read off its text, as a
scan does, so that the figures hold for what a scan measures.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.judging.metajudge import JudgeRequest, Matrix
from rmaudit.metrics.agreement import ItemAgreement, PairAgreement, item_agreement, pair_agreement
from rmaudit.metrics.scores import score_matrices
from rmaudit.parsing.sides import reason_about
from rmaudit.records import Key, ModelReason
from rmaudit.resources import folder

SPLITS = {"dev": "pairs.jsonl", "heldout": "heldout.jsonl"}
LEAST_PRECISION = LEAST_RECALL = LEAST_R = 0.9
MOST_BIAS = 0.03


@dataclass(frozen=True, slots=True)
class KnownCase:
    """One item with a model's reasons and the true matrix, [n references, m reasons]."""

    item: Item
    reasons: tuple[ModelReason, ...]
    kinds: tuple[str, ...]
    matrix: Matrix

    @property
    def key(self) -> Key:
        """Its place among the answers of a check."""
        return Key(self.item.id, "check:truth")

    def request(self) -> JudgeRequest:
        """What the judge is asked."""
        return JudgeRequest(self.key, self.item, self.item, self.reasons)


class KnownSplit(NamedTuple):
    """The cases of one split and the hash of its file."""

    name: str
    sha256: str
    cases: tuple[KnownCase, ...]


class TruthResult(NamedTuple):
    """How a judge does on cases; `kinds`: n, and mean best cell of a reason, true and judged."""

    pairs: PairAgreement
    rc: ItemAgreement
    kinds: dict[str, tuple[int, float, float]]

    @property
    def ok(self) -> bool:
        """Whether all four bars are met."""
        return all(self.met.values())

    @property
    def met(self) -> dict[str, bool]:
        """Which bars are met; a number that is undefined meets none."""
        pairs, rc = self.pairs, self.rc
        return {
            "precision": pairs.precision is not None and pairs.precision >= LEAST_PRECISION,
            "recall": pairs.recall is not None and pairs.recall >= LEAST_RECALL,
            "r": rc.r is not None and rc.r >= LEAST_R,
            "bias": rc.bias is not None and abs(rc.bias) <= MOST_BIAS,
        }


def shipped() -> list[KnownSplit]:
    """The splits that ship with rmaudit."""
    directory = folder("checklists") / "known_truth"
    return [
        load_split(name, directory / file)
        for name, file in SPLITS.items()
        if (directory / file).is_file()
    ]


def load_split(name: str, path: Path) -> KnownSplit:
    """The cases of a file.

    Raises:
        InputError: the file cannot be read, or a line is not what README.md says.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    cases = []
    for number, line in enumerate(data.splitlines(), start=1):
        if line.strip():
            try:
                cases.append(_case(json.loads(line)))
            except (ValueError, KeyError, TypeError, ValidationError) as error:
                told = str(error).splitlines()[0]
                raise InputError(f"{path}, line {number}: {told}", "mend this line") from error
    return KnownSplit(name, hashlib.sha256(data).hexdigest(), tuple(cases))


def _case(row: Mapping[str, Any]) -> KnownCase:
    item = Item.model_validate(row["item"])
    texts = [str(reason["text"]) for reason in row["reasons"]]
    matrix = tuple(tuple(float(score) for score in line) for line in row["matrix"])
    if len(matrix) != len(item.reasons) or any(len(line) != len(texts) for line in matrix):
        raise ValueError("the matrix does not fit the references and reasons")
    return KnownCase(
        item,
        tuple(ModelReason(text, *reason_about(text)) for text in texts),
        tuple(str(reason.get("kind", "")) for reason in row["reasons"]),
        matrix,
    )


def compare(cases: Sequence[KnownCase], judged: Mapping[Key, Matrix]) -> TruthResult:
    """The judge's matrices against the truth; cases that it failed on are left out."""
    seen = [case for case in cases if case.key in judged]
    found = [judged[case.key] for case in seen]
    truth_rc = [scores.rc for scores in score_matrices([case.matrix for case in seen])]
    judged_rc = [scores.rc for scores in score_matrices(found)]
    kinds: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for case, matrix in zip(seen, found, strict=True):
        for column, kind in enumerate(case.kinds):
            best = tuple(max(row[column] for row in one) for one in (case.matrix, matrix))
            kinds[kind].append((best[0], best[1]))
    return TruthResult(
        pair_agreement(_cells(case.matrix for case in seen), _cells(found)),
        item_agreement(truth_rc, judged_rc),
        {
            kind: (len(both), _mean([true for true, _ in both]), _mean([said for _, said in both]))
            for kind, both in sorted(kinds.items())
        },
    )


def by_domain(cases: Sequence[KnownCase], judged: Mapping[Key, Matrix]) -> dict[str, TruthResult]:
    """`compare` for each domain."""
    return {
        domain: compare([case for case in cases if case.item.domain == domain], judged)
        for domain in sorted({case.item.domain for case in cases})
    }


def _cells(matrices: Iterable[Matrix]) -> list[float]:
    return [score for matrix in matrices for row in matrix for score in row]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
