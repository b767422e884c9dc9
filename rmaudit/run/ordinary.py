"""Runs whose reasons the embedded judge read against references that no program made.

It finds only a part of the right reasons there, so what it does not find accuses no model.
"""

from __future__ import annotations

from rmaudit.embedded import NAME, PROGRAM, measured
from rmaudit.run.manifest import RunManifest

ACCUSED = "right for the wrong reasons"
NOT_FOUND = "right, no right reason found"


def reads_ordinary(manifest: RunManifest) -> bool:
    """Whether the embedded judge scored reasons against references that no program made."""
    origins = manifest.reference_origins
    return manifest.judge.spec == NAME and any(origin != PROGRAM for origin in origins)


def recall_sentence(manifest: RunManifest) -> str:
    """What such a judge finds, '' of a run that it does not hold for."""
    if not reads_ordinary(manifest):
        return ""
    found = measured()
    shares = " / ".join(f"{100 * one.recall:.0f}" for one in found.values())
    right = " / ".join(f"{100 * one.precision:.0f}" for one in found.values())
    return (
        f"the builtin judge finds {shares} % of right reasons on ordinary items, worded like the "
        f"reference / as a judge writes / freely, and {right} % of what it finds is right: "
        "rationale consistency is too low by what it misses, which says nothing of the model"
    )


def spurious_words(*manifests: RunManifest) -> str:
    """What a right verdict without a matched reason is called beside these runs."""
    return NOT_FOUND if any(map(reads_ordinary, manifests)) else ACCUSED
