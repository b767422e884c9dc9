"""How far the instrument can be trusted: the judge's card and the self-test's certificate."""

from __future__ import annotations

import json
from typing import NamedTuple

from rmaudit.report.data import RunData
from rmaudit.selftest.certificate import SHIPPED


class KnownTruthView(NamedTuple):
    """The judge against a split of the known truth: shares and scores as text."""

    split: str
    precision: str
    recall: str
    r: str
    bias: str
    ok: bool


class Null(NamedTuple):
    """One null test: what was put to the judge, and the mean score that it gave."""

    kind: str
    mean: str
    ok: bool


class JudgeQuality(NamedTuple):
    """The judge of a run; `checked` is '' where no card of it is known."""

    number: int
    style: int
    judge: str
    checked: str
    truths: tuple[KnownTruthView, ...]
    nulls: tuple[Null, ...]


class CertificateView(NamedTuple):
    """What the shipped certificate of the self-test says."""

    text: str
    recorded: str


def quality(one: RunData) -> JudgeQuality:
    """The judge of a run, by the card that the run cites."""
    judge = one.manifest.judge
    card = judge.card
    if card is None:
        return JudgeQuality(one.number, one.style, judge.spec, "", (), ())
    outcome = "it passed every bar" if card.ok else "it missed a bar"
    outcome += f"; it is {judge.standing}" if judge.standing else ""
    splits = card.known_truth | ({"ordinary items": card.written} if card.written else {})
    return JudgeQuality(
        one.number,
        one.style,
        judge.spec,
        f"checked {card.made}: {outcome}",
        tuple(
            KnownTruthView(
                split,
                _number(found.precision, ".2f"),
                _number(found.recall, ".2f"),
                _number(found.r, ".2f"),
                _number(found.bias, "+.3f"),
                found.ok,
            )
            for split, found in splits.items()
        ),
        tuple(
            Null(kind, _number(mean, ".2f"), kind not in card.missed)
            for kind, mean in card.null_tests.items()
        ),
    )


def _number(value: float | None, form: str) -> str:
    return "n/a" if value is None else format(value, form)


def certificate() -> CertificateView:
    """The certificate that ships with this version."""
    found = json.loads(SHIPPED.read_text(encoding="utf-8"))
    cells = found["cells"]
    right = sum(bool(cell["ok"]) for cell in cells)
    rates = len({cell["rate"] for cell in cells})
    return CertificateView(
        f"Self-test of rmaudit {found['tool_version']}: {len(found['defects'])} planted defects at "
        f"{rates} rates, {right} of {len(cells)} as required; {found['false_alarms']} false alarms "
        f"on {len(found['healthy'])} healthy models. rmaudit selftest repeats it.",
        "Labels of "
        + ", ".join(found["recorded"])
        + " are recorded there: for these it certifies the pipeline, not a labeller.",
    )
