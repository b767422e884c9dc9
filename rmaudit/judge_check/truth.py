"""Known truth: pairs of a reference and a reason that were written with their right score.

`checklists/known_truth/README.md` documents the file. A reason's side is read off its text, as a
scan does, so that the figures hold for what a scan measures; where the text names none, the side
that was written down stands for the heading that a scan would take it from.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rmaudit.checklists.load import subset
from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.judge_check.known_lines import meta_text, read_known
from rmaudit.judging.metajudge import JudgeRequest, Matrix
from rmaudit.metrics.agreement import ItemAgreement, PairAgreement, item_agreement, pair_agreement
from rmaudit.metrics.scores import score_matrices
from rmaudit.records import Key, ModelReason
from rmaudit.resources import folder
from rmaudit.text.stems import ENGLISH

SPLITS = {"dev": "pairs.jsonl", "heldout": "heldout.jsonl"}
LEAST_PRECISION = LEAST_RECALL = LEAST_R = 0.9
MOST_BIAS = 0.03
IN_CHECK = "check:truth"
"""The variant of a case among the requests of a check; a wording comes behind it."""


@dataclass(frozen=True, slots=True)
class KnownCase:
    """One item with a model's reasons and the true matrix, [n references, m reasons].

    wording: of the list, '' where the item has but one. variant: its place among the answers of a
    check, or among recorded answers. claims: what each reason claims, where its author tells.
    """

    item: Item
    reasons: tuple[ModelReason, ...]
    kinds: tuple[str, ...]
    matrix: Matrix
    wording: str = ""
    variant: str = IN_CHECK
    claims: tuple[str | None, ...] = ()

    @property
    def key(self) -> Key:
        """Unique within a file."""
        return Key(self.item.id, self.variant)

    @property
    def language(self) -> str:
        """Of the item, English where `meta.language` does not say."""
        return meta_text(self.item.meta, "language", ENGLISH).strip().lower()

    @property
    def item_kind(self) -> str:
        """`meta.kind`, by default the domain."""
        return meta_text(self.item.meta, "kind", self.item.domain)

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


def load_split(name: str, path: Path, *, recorded: bool = False) -> KnownSplit:
    """The cases of a file, one for each list of reasons.

    Args:
        name: of the split.
        path: of the file.
        recorded: give the keys that rows of a run have, so that recorded answers fit: variant
            `base`, or `wording:NAME` of a list in one of several wordings.

    Raises:
        InputError: the file cannot be read, or a line is not what README.md says.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror}", "name a file of known truth, a line an item"
        ) from error
    alone, worded = ("base", "wording:") if recorded else (IN_CHECK, f"{IN_CHECK}:")
    return KnownSplit(
        name,
        hashlib.sha256(data).hexdigest(),
        tuple(
            KnownCase(
                one.item,
                one.reasons,
                one.kinds,
                one.matrix,
                one.wording,
                f"{worded}{one.wording}" if one.wording else alone,
                one.claims,
            )
            for one in read_known(data, file=str(path))
        ),
    )


def few(split: KnownSplit, *, limit: int | None, seed: int) -> KnownSplit:
    """A seeded part of a split, with all lists of each item of it."""
    items = list({case.item.id: case.item for case in split.cases}.values())
    drawn = {item.id for item in subset(items, limit=limit, seed=seed)}
    return split._replace(cases=tuple(case for case in split.cases if case.item.id in drawn))


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
