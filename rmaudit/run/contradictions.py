"""What a manifest says twice and in two ways: of a finished run each is a contradiction.

A run states what it was asked (`identity`), and, for readers, what it did. Both are written from
one plan, so that they can only differ where one of them was edited or mixed with another run's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rmaudit.run.manifest import RunManifest

_ALWAYS = (
    "target", "set", "seed", "orders", "samples", "max_reasons", "verdicts", "judge", "labeler",
    "engine", "profile", "prompt",
)  # fmt: skip
"""What every identity says, of whatever schema."""
_WITHOUT_MODEL = frozenset({"builtin", "lexical"})
"""Judges and labellers that only compare text: approximate, whatever a manifest says of them."""
_NOT_USED = "not used"


def contradictions(manifest: RunManifest) -> Iterator[str]:
    """Each contradiction, as a sentence without its end; none of a run as it was left."""
    identity = manifest.identity
    said = identity.as_dict()
    for name in _ALWAYS:
        if said.get(name) is None:
            yield f"identity has no {name}"
    for name, here, asked in _twice(manifest):
        if asked is not None and here != asked:
            yield f"{name} is {_short(here)}, but {_short(asked)} was asked for"
    if identity.orders == "ab" and manifest.orders != ["ab"]:
        yield f"orders are {', '.join(manifest.orders)}, but ab was asked for"
    if not manifest.orders or len(set(manifest.orders)) < len(manifest.orders):
        yield "orders are empty or come twice"
    for role, facts, asked in (
        ("judge", manifest.judge, identity.judge),
        ("labeler", manifest.labeler, identity.labeler),
    ):
        if facts is None or asked is None:
            continue
        kind = facts.spec.partition(":")[0]
        if asked not in (facts.spec, kind):
            yield f"the {role} is {facts.spec}, but {asked} was asked for"
        if not facts.approximate and {kind, asked} & _WITHOUT_MODEL:
            yield f"the {role} {asked} is called exact, and it is approximate"
    yield from _counts(manifest)


def _twice(manifest: RunManifest) -> list[tuple[str, Any, Any]]:
    """(what, as the manifest tells it, as it was asked for)."""
    identity, sampling = manifest.identity, manifest.sampling
    told = [
        ("the target's digest", manifest.target.digest, identity.target),
        ("the seed", manifest.seeds.run, identity.seed),
        ("samples", manifest.samples, identity.samples),
        ("max_reasons", manifest.max_reasons, identity.max_reasons),
        ("verdicts", manifest.verdicts, identity.verdicts),
        ("the judge's view", manifest.judge_view, identity.judge_view),
        ("the engine", manifest.engine.name, identity.engine),
        ("guidelines", manifest.guidelines or None, identity.guidelines),
    ]
    if manifest.profile != _NOT_USED:
        told += [("the profile", manifest.profile, identity.profile)]
        told += [
            (name, getattr(sampling, name), getattr(identity, name))
            for name in ("temperature", "top_p", "top_k", "max_tokens")
            if getattr(sampling, name) is not None
        ]
    return told


def _counts(manifest: RunManifest) -> Iterator[str]:
    """How many items, and how the run stopped."""
    stopped, identity = manifest.sequential, manifest.identity
    if (manifest.stopping == "sequential") != (stopped is not None):
        yield f"stopping is {manifest.stopping}, and the facts of an early stop say otherwise"
    if (manifest.stopping == "sequential") != (identity.until_decided is not None):
        yield f"stopping is {manifest.stopping}, and what was asked for says otherwise"
    if stopped is not None and manifest.n_items != stopped.items_used:
        yield f"n_items is {manifest.n_items}, and the run stopped after {stopped.items_used}"
    if manifest.n_items < 0 or manifest.samples < 1 or manifest.max_reasons < 1:
        yield "n_items, samples or max_reasons is no count"
    merged = manifest.merged_from
    if merged is not None and sum(part.items for part in merged) != manifest.n_items:
        yield "the merged parts do not add up to n_items"


def _short(value: object) -> str:
    text = str(value)
    return text[:12] if len(text) == 64 else text
