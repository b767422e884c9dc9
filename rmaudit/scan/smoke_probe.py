"""Before a scan: does this checkpoint answer our prompt in a form that can be read at all?

The model is asked four obvious pairs in both orders. A profile that does not fit shows here, after
eight answers and not after a whole set of unreadable ones. Nothing of it enters a metric.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from rmaudit.engines.base import Request, request_seed
from rmaudit.engines.choose import LOCAL_ENGINES
from rmaudit.errors import InputError
from rmaudit.parsing.parse import parse_pairwise
from rmaudit.parsing.sides import to_item
from rmaudit.progress import Progress
from rmaudit.records import Key
from rmaudit.run.directory import RunDir
from rmaudit.run.files import GENERATIONS
from rmaudit.run.manifest import RunManifest
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.smoke_items import smoke_items

ORDERS: tuple[Literal["ab", "ba"], ...] = ("ab", "ba")
REFUSE_BELOW, WARN_BELOW = 0.5, 0.9
"""Shares of readable answers."""
READABLE = ("ok", "tie")


@dataclass(frozen=True, slots=True)
class SmokeResult:
    """What came back.

    readable: answers with a verdict, of `asked`. agree: pairs with the same verdict in both orders,
    of `pairs` that had one in both. right: verdicts for the obviously better response.
    """

    asked: int
    readable: int
    pairs: int
    agree: int
    right: int

    @property
    def share(self) -> float:
        """Readable answers of all."""
        return self.readable / self.asked

    @property
    def sentence(self) -> str:
        """The counts in words."""
        return (
            f"{self.readable} of {self.asked} answers to obvious pairs are readable, {self.right} "
            f"of those right; {self.agree} of {self.pairs} pairs the same in both orders"
        )


def smoke_probe(plan: ScanPlan, run: RunDir, progress: Progress, manifest: RunManifest) -> None:
    """Asks a checkpoint the obvious pairs and records the counts in the manifest.

    Not where answers are recorded, at an endpoint, with --no-probe, or where a start before this
    one has got answers already.

    Raises:
        InputError: fewer than half of the answers can be read.
    """
    if not plan.config.probe or plan.target.engine.name not in LOCAL_ENGINES:
        return
    if next(iter(run.rows(GENERATIONS)), None) is not None:
        return
    found = _ask(plan)
    manifest.target = manifest.target.adding({"probe": asdict(found)})
    if found.share < REFUSE_BELOW:
        raise InputError(
            f"{plan.target.spec} does not answer in a form that can be read: {found.sentence}",
            "choose another prompt with --profile, or give more room with --max-tokens; "
            "--no-probe --resume scans it all the same",
        )
    if found.share < WARN_BELOW:
        progress.note(f"warning  probe: {found.sentence}: is the profile the right one?")
    elif found.agree < found.pairs:
        progress.note(f"warning  probe: {found.sentence}")


def _ask(plan: ScanPlan) -> SmokeResult:
    items = {item.id: item for item in smoke_items()}
    requests = []
    for item in items.values():
        for order in ORDERS:
            key = Key(item.id, order=order)
            prompt = plan.target.profile.render(
                item, order=order, max_reasons=plan.config.max_reasons
            )
            requests.append(Request(key, prompt.messages, request_seed(plan.config.seed, key)))
    verdicts: dict[str, list[str]] = {}
    right = 0
    # As a stream: an engine that sizes itself by a list would be too short for the set after it.
    for answer in plan.target.engine.complete(iter(requests), plan.sampling):
        if answer.finish_reason == "error":
            continue
        item = items[answer.key.item]
        shown = (item.response_a, item.response_b)
        judgment = parse_pairwise(
            answer.text,
            finish_reason=answer.finish_reason,
            max_reasons=plan.config.max_reasons,
            responses=shown if answer.key.order == "ab" else shown[::-1],
            names=plan.target.names,
            grammar=plan.target.reads,
        )
        judgment = to_item(judgment, order=answer.key.order, names=plan.target.names)
        if judgment.outcome in READABLE and judgment.verdict is not None:
            verdicts.setdefault(item.id, []).append(judgment.verdict)
            right += judgment.verdict == item.label
    both = [said for said in verdicts.values() if len(said) == len(ORDERS)]
    return SmokeResult(
        asked=len(requests),
        readable=sum(map(len, verdicts.values())),
        pairs=len(both),
        agree=sum(len(set(said)) == 1 for said in both),
        right=right,
    )
