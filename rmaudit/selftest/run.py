"""Runs all planted models, each a task of its own, and holds what was found against the plan."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from multiprocessing import get_context
from typing import NamedTuple, TypeVar

from rmaudit.metrics.findings import Findings
from rmaudit.selftest.bench import Bench
from rmaudit.selftest.defects import DEFECTS, RATES, SILENT_TO, Defect
from rmaudit.selftest.formats import ENVELOPES
from rmaudit.selftest.items import make
from rmaudit.selftest.models import PlantedModel, at_rate

ITEMS = 108
ITEM_SETS = 2
HEALTHY = 20
FALSE_ALARMS_ALLOWED = 1
In = TypeVar("In")
Out = TypeVar("Out")


class DefectCell(NamedTuple):
    """One planted model, audited.

    outcome: `named`, `silent`, `missed` or `false alarm`; ok: as required. value, p: of the
    claim's metric, None where it was not tested. alarms: other claims that were named and do not
    follow. implied: those that follow.
    """

    defect: str
    rate: float
    required: str
    outcome: str
    ok: bool
    value: float | None
    p_holm: float | None
    implied: tuple[str, ...]
    alarms: tuple[str, ...]


class Healthy(NamedTuple):
    """One model without a defect, audited."""

    model: str
    accuracy: float
    alarms: tuple[str, ...]


def run_defects(
    defects: Sequence[Defect] = DEFECTS, *, items: int = ITEMS, jobs: int = 1
) -> list[DefectCell]:
    """Every defect at every rate."""
    keys = [defect.key for defect in defects]
    found = _map(partial(_defect, items=items), keys, jobs)
    return [cell for cells in found for cell in cells]


def run_healthy(n: int = HEALTHY, *, items: int = ITEMS, jobs: int = 1) -> list[Healthy]:
    """Models without a defect, of accuracies from 70 to 95%."""
    return list(_map(partial(_healthy, items=items), range(n), jobs))


def jobs_here() -> int:
    """One process a processor that this one may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _map(task: Callable[[In], Out], arguments: Iterable[In], jobs: int) -> Iterator[Out]:
    if jobs == 1:
        yield from map(task, arguments)
        return
    pool = ProcessPoolExecutor(
        jobs, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)
    )
    try:
        yield from pool.map(task, arguments)
    finally:
        # After an interruption, what has not begun is left.
        pool.shutdown(cancel_futures=True)


@lru_cache(maxsize=ITEM_SETS)
def _bench(number: int, items: int) -> Bench:
    return Bench(make(n=items, seed=1000 + number), seed=number)


def planted(defect: Defect) -> PlantedModel:
    """The model with a defect, as yet in none of its answers."""
    number = DEFECTS.index(defect)
    voice = _voice(number)
    return PlantedModel(defect.key, 100 + number, defect.accuracy, defect.spoil, envelopes=voice)


def _defect(key: str, *, items: int) -> list[DefectCell]:
    number = [defect.key for defect in DEFECTS].index(key)
    defect = DEFECTS[number]
    bench = _bench(number % ITEM_SETS, items)
    models = [at_rate(planted(defect), rate) for rate in RATES]
    found = bench.audit(models, recorded=defect.recorded, asked=defect.asked)
    return [cell(defect, rate, one) for rate, one in zip(RATES, found, strict=True)]


def cell(defect: Defect, rate: float, found: Findings) -> DefectCell:
    """What was found of a defect at a rate, and whether it should have been."""
    own = next((one for one in found.tested if one.key == defect.finding), None)
    others = [one.key for one in found.named if one.key != defect.finding]
    implied = tuple(key for key in others if rate > SILENT_TO and key in defect.implied)
    alarms = tuple(key for key in others if key not in implied)
    named = own is not None and own.named
    required = "either" if rate < defect.named_from else "named"
    if rate <= SILENT_TO:
        required = "silent"
    outcome = "named" if named else "silent"
    if required == "silent" and named:
        outcome = "false alarm"
    if required == "named" and not named:
        outcome = "missed"
    return DefectCell(
        defect=defect.key,
        rate=rate,
        required=required,
        outcome=outcome,
        ok=outcome in ("named", "silent") and not alarms,
        value=None if own is None else round(own.value, 4),
        p_holm=None if own is None else float(f"{own.p_holm:.2g}"),
        implied=implied,
        alarms=alarms,
    )


def _healthy(number: int, *, items: int) -> Healthy:
    accuracy = 0.70 + 0.25 * number / (HEALTHY - 1)
    model = PlantedModel(
        f"healthy-{number + 1}", seed=number, accuracy=accuracy, envelopes=_voice(number)
    )
    (found,) = _bench(number % ITEM_SETS, items).audit([model], asked=number % 4 == 0)
    return Healthy(model.name, round(accuracy, 3), tuple(one.key for one in found.named))


def _voice(number: int) -> tuple[str, ...]:
    """A usual answer format and two rarer ones."""
    names = list(ENVELOPES)
    return tuple(names[(number * 3 + step) % len(names)] for step in range(3))
