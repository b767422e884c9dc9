"""How well a judge decides whether reasons are true of the responses, where that is known.

    precision   of the reasons that it calls so, the share that are
    recall      of the reasons that are so, the share that it calls so

A line of known truth may say of a reason what its claim is; else a kind stands for it whose reasons
are so by what the kind means. Praise, halves and remarks beside the point may be either: they are
not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rmaudit.judge_check.figures import Figure, share
from rmaudit.judge_check.truth import KnownCase
from rmaudit.judging.metajudge_answer import Claims
from rmaudit.records import Key
from rmaudit.taxonomy import CLAIMS

OF_KIND = {
    "true": "true",
    "extra_true": "true",
    "wrong_side": "false",
    "wrong_value": "false",
    "opposite": "false",
    "both": "false",
    "vague": "undecidable",
}
"""What the reasons of these kinds claim."""
_NAMES = {value: name for name, value in CLAIMS.items()}


def known_claims(case: KnownCase) -> list[str]:
    """Of each reason of a list what its claim is, '' where that is not known."""
    told = case.claims or (None,) * len(case.kinds)
    return [claim or OF_KIND.get(kind, "") for claim, kind in zip(told, case.kinds, strict=True)]


def by_claim(
    cases: Sequence[KnownCase], decided: Mapping[Key, Claims]
) -> Iterator[tuple[str, dict[str, Figure], int]]:
    """Each claim with precision and recall over lists, and how many reasons are so.

    Args:
        cases: known truth.
        decided: the judge's claims of each case; lists of which it decided none are left out.
    """
    pairs = [
        [
            (real, _NAMES[told])
            for real, told in zip(known_claims(case), decided.get(case.key) or (), strict=False)
            if real
        ]
        for case in cases
    ]
    if not any(pairs):
        return
    for name in CLAIMS:
        right = [sum(real == told == name for real, told in one) for one in pairs]
        given = [sum(told == name for _, told in one) for one in pairs]
        there = [sum(real == name for real, _ in one) for one in pairs]
        yield name, {"precision": share(right, given), "recall": share(right, there)}, sum(there)
