"""No-read baselines of a set: what a model scores that reads neither the request nor a response.

`shotgun` lists the five most frequent fault kinds of the domain, worded with facts of another
item; `surface` guesses the label from length, digits, bullets and punctuation. A set on which
either does well rewards listing or looks, not reading.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from rmaudit.checklists.load import ChecklistSet
from rmaudit.checklists.schema import Baselines, Item, Reason
from rmaudit.checklists.synth.base import Family
from rmaudit.checklists.synth.build import make_items
from rmaudit.embedded import Context, score_matrix
from rmaudit.metrics.matching import match
from rmaudit.prompts import flatten
from rmaudit.records import ModelReason

BASELINE_ITEMS = 1000
SHOTS = 5
FOLDS = 5
RIDGE = 1.0
BARS = {"shotgun_rc": 0.25, "surface_accuracy": 0.60, "label_a_share": (0.48, 0.52)}

FloatArray = npt.NDArray[np.float64]


class Measured(NamedTuple):
    """Baselines of some items; `shotgun_rc` is None where no fault kinds are known."""

    shotgun_rc: float | None
    surface_accuracy: float | None
    label_a_share: float


def measure(items: Sequence[Item], *, seed: int) -> Measured:
    """All three; accuracies over items labelled a or b."""
    decided = [item for item in items if item.label != "tie"]
    share = sum(item.label == "a" for item in decided) / len(decided)
    return Measured(
        shotgun_rc=shotgun_rc(items, seed=seed),
        surface_accuracy=surface_accuracy(decided, seed=seed),
        label_a_share=round(share, 4),
    )


def with_baselines(made: ChecklistSet, families: Sequence[Family], *, seed: int) -> ChecklistSet:
    """The set with its no-read baselines: on 1,000 items of its generator, and on itself."""
    generator = measure(make_items(families, n=BASELINE_ITEMS, seed=seed), seed=seed)
    shipped = measure(made.items, seed=seed)
    baselines = Baselines(
        shotgun_rc=generator.shotgun_rc,
        surface_accuracy=generator.surface_accuracy,
        label_a_share=generator.label_a_share,
        n=BASELINE_ITEMS,
        shipped_shotgun_rc=shipped.shotgun_rc,
        shipped_surface_accuracy=shipped.surface_accuracy,
        shipped_label_a_share=shipped.label_a_share,
    )
    card = made.card.model_copy(update={"baselines": baselines})
    return ChecklistSet(card, made.items, made.sha256)


def shotgun_rc(items: Sequence[Item], *, seed: int) -> float | None:
    """Mean share of the references that the same five kinds would match, by the builtin judge."""
    by_domain: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        if item.reasons and "kinds" in item.meta:
            by_domain[item.domain].append(item)
    values = []
    for domain, members in sorted(by_domain.items()):
        kinds = Counter(kind for item in members for kind in item.meta["kinds"].values())
        frequent = sorted(kinds, key=lambda kind: (-kinds[kind], kind))[:SHOTS]
        holders = {
            kind: [item for item in members if kind in item.meta["kinds"].values()]
            for kind in frequent
        }
        rng = Random(f"shotgun/{seed}/{domain}")
        values += [_fire(item, holders, rng) for item in members]
    return round(sum(values) / len(values), 4) if values else None


def _fire(item: Item, holders: dict[str, list[Item]], rng: Random) -> float:
    shots: list[ModelReason] = []
    for kind, having in holders.items():
        others = [other for other in having if other is not item]
        if others:
            reason = _reason_of_kind(rng.choice(others), kind)
            shots.append(ModelReason(reason.text, reason.about))
    context = Context.of(flatten(item.prompt), item.response_a, item.response_b)
    references = [(reason.text, reason.about) for reason in item.reasons]
    scores = score_matrix(references, shots, context, origin=item.reference_origin)
    edges = match(scores, n_refs=len(item.reasons), n_reasons=len(shots))
    return sum(edge.score for edge in edges) / len(item.reasons)


def _reason_of_kind(item: Item, kind: str) -> Reason:
    return next(reason for reason in item.reasons if item.meta["kinds"][reason.id] == kind)


def surface_accuracy(items: Sequence[Item], *, seed: int) -> float | None:
    """Out-of-fold accuracy of a ridge logistic regression of label a on surface differences.

    Five folds, whole groups in one fold; None below 50 items.
    """
    if len(items) < 50:
        return None
    x = np.array([_surface(item.response_a) for item in items])
    x -= np.array([_surface(item.response_b) for item in items])
    x /= np.where(x.std(axis=0) > 0, x.std(axis=0), 1.0)
    y = np.array([item.label == "a" for item in items], dtype=np.float64)
    groups = sorted({item.cluster for item in items})
    Random(f"surface/{seed}").shuffle(groups)
    fold_of = {group: number % FOLDS for number, group in enumerate(groups)}
    folds = np.array([fold_of[item.cluster] for item in items])
    right = 0
    for fold in range(FOLDS):
        train, test = folds != fold, folds == fold
        weights = _fit_logistic(x[train], y[train])
        right += int(np.sum((_with_constant(x[test]) @ weights > 0) == (y[test] == 1)))
    return round(right / len(items), 4)


def _surface(text: str) -> list[float]:
    lines = text.splitlines()
    return [
        float(len(text)),
        float(len(text.split())),
        float(sum(character.isdigit() for character in text)),
        float(sum(line.lstrip()[:2] in ("- ", "* ", "• ") for line in lines)),
        float(sum(not character.isalnum() and not character.isspace() for character in text)),
        float(len(lines)),
    ]


def _with_constant(x: FloatArray) -> FloatArray:
    return np.hstack([x, np.ones((len(x), 1))])


def _fit_logistic(x: FloatArray, y: FloatArray) -> FloatArray:
    design = _with_constant(x)

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        margins = design @ weights
        value = float(np.sum(np.logaddexp(0.0, margins) - y * margins))
        gradient = design.T @ (1.0 / (1.0 + np.exp(-margins)) - y)
        penalty = weights.copy()
        penalty[-1] = 0.0
        return value + 0.5 * RIDGE * float(penalty @ penalty), gradient + RIDGE * penalty

    fitted = minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B")
    return np.asarray(fitted.x, dtype=np.float64)
