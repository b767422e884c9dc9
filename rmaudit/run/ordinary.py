"""Runs whose reasons the embedded judge read against references that no program made.

It finds only a part of the right reasons there, so what it does not find accuses no model. Wherever
a metric is named beside such a run, `fair_words` decides how.
"""

from __future__ import annotations

from collections.abc import Iterable

from rmaudit import embedded
from rmaudit.embedded import PROGRAM
from rmaudit.run.manifest import RunManifest

_FIGURES = {
    embedded.NAME: embedded.measured,
    embedded.lexical.NAME: embedded.lexical.measured,
}
"""The embedded judges, each with what it reached on ordinary items."""
ACCUSED = "right for the wrong reasons"
NOT_FOUND = "right, no right reason found"
_FAIR = {
    ACCUSED: NOT_FOUND,
    ACCUSED.capitalize(): NOT_FOUND.capitalize(),
    "without a right reason": "in which no right reason was found",
    "but no reason matches": "but the judge matched no reason",
}
"""Words that accuse a model of what the judge did not find, each with those that do not."""


def reads_ordinary(manifest: RunManifest) -> bool:
    """Whether the embedded judge scored reasons against references that no program made."""
    origins = manifest.reference_origins
    return manifest.judge.spec in _FIGURES and any(origin != PROGRAM for origin in origins)


def recall_sentence(manifest: RunManifest) -> str:
    """What such a judge finds, '' of a run that it does not hold for."""
    if not reads_ordinary(manifest):
        return ""
    found = _FIGURES[manifest.judge.spec]()
    shares = " / ".join(f"{100 * one.recall:.0f}" for one in found.values())
    right = " / ".join(f"{100 * one.precision:.0f}" for one in found.values())
    return (
        f"the {manifest.judge.spec} judge finds {shares} % of right reasons on ordinary items, "
        f"worded like the reference / as a judge writes / freely, and {right} % of what it finds "
        "is right: "
        "rationale consistency is too low by what it misses, which says nothing of the model"
    )


def recall_sentences(manifests: Iterable[RunManifest]) -> list[str]:
    """What the judge of several runs finds, said once."""
    return list(dict.fromkeys(filter(None, map(recall_sentence, manifests))))


def fair_words(text: str, *, misses: bool) -> str:
    """The name of a metric, or a sentence with one, as it may stand beside runs of such a judge.

    `misses`: whether a run that is spoken of `reads_ordinary`.
    """
    if misses:
        for accusing, fair in _FAIR.items():
            text = text.replace(accusing, fair)
    return text
