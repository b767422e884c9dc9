"""The measures that need further calls: what each would cost, and why it may not apply.

They are off by default. `scan --measure NAME` asks for them, and their calls are counted before
anything starts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rmaudit.checklists.controls import traps
from rmaudit.checklists.schema import Item
from rmaudit.config import ScanConfig
from rmaudit.engines.base import Sampling
from rmaudit.judging.metajudge import Judge
from rmaudit.judging.replay import ReplayJudge
from rmaudit.run.probe_facts import CONTROL
from rmaudit.scan.target import Target
from rmaudit.taxonomy import CONDITIONS, MEASURES

CONTINUED = Sampling(temperature=0.0, max_tokens=64)
"""Only a verdict is to be added, the likeliest one: conditions differ in the reasons alone."""


ALONE = "the target judges each response alone, and this asks about a pair"


class Measure(NamedTuple):
    """A measure that was asked for: model calls at most, and why it does not apply, else ''.

    calls: of the target, each with `max_tokens` of answer at most. judge_calls: of the judge.
    """

    name: str
    why: str = ""
    calls: int = 0
    judge_calls: int = 0
    max_tokens: int = 0


def plan_measures(
    config: ScanConfig,
    target: Target,
    items: Sequence[Item],
    judge: Judge,
    *,
    orders: int,
    sampling: Sampling,
) -> tuple[Measure, ...]:
    """The measures asked for, in the order of MEASURES.

    Args:
        config: names them.
        target: who is asked.
        items: of the run.
        judge: who infers a winner from reasons.
        orders: in how many orders each pair is shown. Only sample 0 is probed.
        sampling: of the target's answers.
    """
    asked = _Asked(target, items, judge, orders, sampling)
    return tuple(_PLANNED[name](asked) for name in MEASURES if name in config.measures)


class _Asked(NamedTuple):
    target: Target
    items: Sequence[Item]
    judge: Judge
    orders: int
    sampling: Sampling

    @property
    def no_reasons(self) -> str:
        return "" if self.target.gives_reasons else "the target gives no reasons"


def _causality(asked: _Asked) -> Measure:
    name, engine = "causality", asked.target.engine
    if asked.no_reasons:
        return Measure(name, asked.no_reasons)
    if asked.target.recording is not None:
        return Measure(name, "recorded answers cannot be continued")
    if asked.target.pointwise:
        return Measure(name, ALONE)
    if not engine.continues:
        return Measure(
            name,
            "the endpoint is not known to go on from a given beginning of an answer; vLLM and "
            "SGLang servers are",
        )
    answers = len(asked.items) * asked.orders
    return Measure(
        name,
        calls=len(CONDITIONS) * answers,
        judge_calls=answers if rewords(asked.judge) else 0,
        max_tokens=CONTINUED.max_tokens,
    )


def rewords(judge: Judge) -> bool:
    """Whether the judge's model rewords reasons: one at an endpoint, since the target is loaded."""
    return judge.traits.calls and judge.traits.at_endpoint


def _consistency(asked: _Asked) -> Measure:
    name = "verdict-consistency"
    if asked.no_reasons:
        return Measure(name, asked.no_reasons)
    if isinstance(asked.judge, ReplayJudge):
        return Measure(name, "recorded matches do not tell a winner")
    calls = len(asked.items) * asked.orders if asked.judge.traits.calls else 0
    return Measure(name, judge_calls=calls)


def _specification(asked: _Asked) -> Measure:
    name = "specification"
    if asked.target.recording is not None or not asked.target.gives_reasons:
        return Measure(name, "only a model that is prompted can be given the references")
    if asked.target.pointwise:
        return Measure(name, ALONE)
    specified = sum(bool(item.reasons) and item.label != "tie" for item in asked.items)
    if not specified:
        return Measure(name, "no item labelled a or b has reference reasons")
    calls = specified * asked.orders
    return Measure(name, calls=calls, max_tokens=asked.sampling.max_tokens)


def _traps(asked: _Asked) -> Measure:
    name, recording = "traps", asked.target.recording
    if asked.no_reasons:
        return Measure(name, "single scores of edited responses are not taken")
    if asked.target.pointwise:
        return Measure(name, ALONE)
    controls = sum(
        len({control for trap in traps(item) for control in (trap.cue, trap.neutral)})
        for item in asked.items
    )
    if not controls:
        return Measure(name, "no item has a cue and a neutral edit of like length as controls")
    if recording is not None:
        held = any(key.variant.startswith(CONTROL) for key in recording.generations)
        why = "" if held else "the recorded answers hold none to controls"
        return Measure(name, why)
    calls = controls * asked.orders
    return Measure(name, calls=calls, max_tokens=asked.sampling.max_tokens)


_PLANNED: dict[str, Callable[[_Asked], Measure]] = {
    "causality": _causality,
    "verdict-consistency": _consistency,
    "specification": _specification,
    "traps": _traps,
}
