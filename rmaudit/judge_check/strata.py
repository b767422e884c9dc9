"""How a judge does on known truth: overall, and by what the texts are.

    figure      of what
    precision   of the pairs that the judge scores 0.5 or more, the share that the truth does
    recall      of the pairs that the truth scores 0.5 or more, the share that the judge does
    r_items     Pearson's r of the rc of a list, judged and true
    bias        mean of judged - true rc of a list

    stratum     unit                        figures
    stems       true pairs of a band        recall, n
    wording     lists in a wording          all five
    language    lists in a language         all five
    kind        lists on a kind of item     all five
    reason      reasons of a kind           judged and true (mean of the best cell), recall, n
    claim       reasons of a claim          precision, recall, n; of a judge that decides claims

By band there is recall alone: almost every pair that shares few stems is a pair of two different
matters, so that precision there would follow how many of those a file holds, and not the judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rmaudit.judge_check.claims import by_claim
from rmaudit.judge_check.figures import SIGNED, Figure, Shown, correlation, share, shown
from rmaudit.judge_check.truth import KnownCase
from rmaudit.judging.metajudge import Matrix
from rmaudit.judging.metajudge_answer import Claims
from rmaudit.metrics.agreement import SAME
from rmaudit.metrics.scores import score_matrices
from rmaudit.records import Key
from rmaudit.text.stems import shared_stems

OVERALL = "overall"
BANDS = ("under 0.1", "0.1 to 0.5", "0.5 and more")
EDGES = (0.1, 0.5)
NO_STEMS = "none to share"
"""The band of references that have no stem, such as one of function words alone."""
UNNAMED = "not stated"

Name = tuple[str, ...]


class Case(NamedTuple):
    """A case with what the judge said, and rc of both."""

    known: KnownCase
    judged: Matrix
    true_rc: float
    judged_rc: float

    def pairs(self) -> Iterator[tuple[int, int, bool, bool]]:
        """Reference, reason, and whether truth and judge score the pair 0.5 or more."""
        for row, (real, said) in enumerate(zip(self.known.matrix, self.judged, strict=True)):
            for column, (one, two) in enumerate(zip(real, said, strict=True)):
                yield row, column, one >= SAME, two >= SAME


def measure(
    cases: Sequence[KnownCase],
    judged: Mapping[Key, Matrix],
    claims: Mapping[Key, Claims] | None = None,
    *,
    seed: int = 0,
) -> dict[str, Any]:
    """`{"overall": {...}, "strata": {...}, "intervals": {...}}`, numbers or None.

    Args:
        cases: known truth.
        judged: the judge's matrix of each case, by key; cases that it failed on are left out.
        claims: what it says of the truth of each reason, by key.
        seed: of the intervals.

    Returns:
        Under `intervals` the same figures as [low, high], without the counts.
    """
    seen = [case for case in cases if case.key in judged]
    matrices = [judged[case.key] for case in seen]
    rcs = zip(score_matrices([case.matrix for case in seen]), score_matrices(matrices), strict=True)
    found = [
        Case(case, matrix, true.rc, said.rc)
        for case, matrix, (true, said) in zip(seen, matrices, rcs, strict=True)
    ]
    figures, counts = _figures(found)
    for name, of_claim, count in by_claim(seen, claims or {}):
        place = ("strata", "claim", name)
        figures |= {(*place, figure): one for figure, one in of_claim.items()}
        counts[place] = count
    values = shown(figures, [case.item.cluster for case in seen], seed=seed)
    return _as_json(values, counts)


def _figures(cases: Sequence[Case]) -> tuple[dict[Name, Figure], dict[Name, int]]:
    """All figures by place, and the units of each stratum."""
    figures: dict[Name, Figure] = {}
    counts: dict[Name, int] = {}
    for place, part in _groups(cases):
        figures |= {(*place, name): one for name, one in _five(cases, part).items()}
        counts[place] = sum(part)
    for place, recall, count in _by_stems(cases):
        figures[*place, "recall"], counts[place] = recall, count
    for place, of_kind, count in _by_reason(cases):
        figures |= {(*place, name): one for name, one in of_kind.items()}
        counts[place] = count
    return figures, counts


def _groups(cases: Sequence[Case]) -> Iterator[tuple[Name, list[bool]]]:
    """Overall and the strata of whole lists, each with the cases in it."""
    yield (OVERALL,), [True] * len(cases)
    worded = any(case.known.wording for case in cases)
    of: dict[str, Callable[[KnownCase], str]] = {
        "wording": lambda case: case.wording or UNNAMED,
        "language": lambda case: case.language,
        "kind": lambda case: case.item_kind,
    }
    for stratum, name_of in of.items():
        names = [name_of(case.known) for case in cases]
        order = list(dict.fromkeys(names)) if stratum == "wording" else sorted(set(names))
        for name in order if worded or stratum != "wording" else ():
            yield ("strata", stratum, name), [one == name for one in names]


def _five(cases: Sequence[Case], part: Sequence[bool]) -> dict[str, Figure]:
    both, claimed, positive = [0] * len(cases), [0] * len(cases), [0] * len(cases)
    for number, (case, inside) in enumerate(zip(cases, part, strict=True)):
        for _, _, true, said in case.pairs() if inside else ():
            both[number] += true and said
            claimed[number] += said
            positive[number] += true
    used = np.array(part, dtype=np.float64)
    error = used * [case.judged_rc - case.true_rc for case in cases]
    moments = correlation([case.true_rc for case in cases], [case.judged_rc for case in cases])
    return {
        "precision": share(both, claimed),
        "recall": share(both, positive),
        "r_items": moments._replace(columns=moments.columns * used[:, None]),
        "bias": share(error.tolist(), used.tolist(), limits=SIGNED),
    }


def _by_stems(cases: Sequence[Case]) -> Iterator[tuple[Name, Figure, int]]:
    """Recall of the true pairs whose texts share few, some or most stems."""
    found: dict[str, list[tuple[int, bool]]] = {band: [] for band in (*BANDS, NO_STEMS)}
    for number, case in enumerate(cases):
        known = case.known
        for row, column, true, said in case.pairs():
            if true:
                texts = known.item.reasons[row].text, known.reasons[column].text
                found[_band(shared_stems(*texts, known.language))].append((number, said))
    for band, pairs in found.items():
        if pairs or band in BANDS:
            yield ("strata", "stems", band), _share_of(pairs, len(cases)), len(pairs)


def _band(common: float | None) -> str:
    if common is None:
        return NO_STEMS
    return BANDS[sum(common >= edge for edge in EDGES)]


def _by_reason(cases: Sequence[Case]) -> Iterator[tuple[Name, dict[str, Figure], int]]:
    """The best cell of the reasons of a kind, and recall of the pairs that are true."""
    kinds = sorted({kind for case in cases for kind in case.known.kinds if kind})
    for kind in kinds:
        best: list[tuple[int, float, float]] = []
        pairs: list[tuple[int, bool]] = []
        for number, case in enumerate(cases):
            of_kind = {column for column, one in enumerate(case.known.kinds) if one == kind}
            for column in of_kind:
                true, said = (
                    max(row[column] for row in matrix)
                    for matrix in (case.known.matrix, case.judged)
                )
                best.append((number, true, said))
            pairs += [
                (number, said)
                for _, column, true, said in case.pairs()
                if true and column in of_kind
            ]
        figures = {
            "judged": _mean_of([(number, said) for number, _, said in best], len(cases)),
            "true": _mean_of([(number, true) for number, true, _ in best], len(cases)),
            "recall": _share_of(pairs, len(cases)),
        }
        yield ("strata", "reason", kind), figures, len(best)


def _share_of(units: Sequence[tuple[int, bool]], n_cases: int) -> Figure:
    return _mean_of([(number, float(said)) for number, said in units], n_cases)


def _mean_of(units: Sequence[tuple[int, float]], n_cases: int) -> Figure:
    """The mean over units, each of which belongs to a case."""
    num, den = [0.0] * n_cases, [0.0] * n_cases
    for number, value in units:
        num[number] += value
        den[number] += 1
    return share(num, den)


def _as_json(values: Mapping[Name, Shown], counts: Mapping[Name, int]) -> dict[str, Any]:
    found: dict[str, Any] = {OVERALL: {}, "strata": {}, "intervals": {OVERALL: {}, "strata": {}}}
    for name, one in values.items():
        span = None if one.low is None else [one.low, one.high]
        _into(found, name[:-1])[name[-1]] = one.value
        _into(found["intervals"], name[:-1])[name[-1]] = span
    for place, count in counts.items():
        _into(found, place)["n"] = count
    return found


def _into(found: dict[str, Any], place: Sequence[str]) -> dict[str, Any]:
    for part in place:
        found = found.setdefault(part, {})
    return found
