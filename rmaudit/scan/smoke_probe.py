"""Before a scan: does this checkpoint answer our prompt in a form that can be read at all?

The model is asked four obvious pairs in both orders. A profile that does not fit shows here, after
eight answers and not after a whole set of unreadable ones. Nothing of it enters a metric.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from rmaudit.engines.choose import LOCAL_ENGINES
from rmaudit.errors import InputError
from rmaudit.progress import Progress
from rmaudit.run.directory import RunDir
from rmaudit.run.files import GENERATIONS
from rmaudit.run.halves import pairs_of
from rmaudit.run.manifest import RunManifest
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.requests import requests_for
from rmaudit.scan.smoke_items import smoke_items
from rmaudit.scan.verdict_stage import VerdictReader

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
    """Prompts and readings are those of the scan itself."""
    items = {item.id: item for item in smoke_items()}
    reader = VerdictReader(plan, items)
    once = replace(plan.config, samples=1, orders="both")
    requests, _ = requests_for(once, plan.target, tuple(items.values()))
    verdicts: dict[str, list[str]] = {}
    right = 0
    # As a stream: an engine that sizes itself by a list would be too short for the set after it.
    for answer in plan.target.engine.complete(iter(requests), plan.sampling):
        row = reader.take(answer).verdict
        if row is None:
            continue
        judgment = row.judgment
        if judgment.outcome in READABLE and judgment.verdict is not None:
            verdicts.setdefault(answer.key.item, []).append(judgment.verdict)
            right += judgment.verdict == items[answer.key.item].label
    both = [said for said in verdicts.values() if len(said) == 2]
    return SmokeResult(
        asked=len(pairs_of(request.key for request in requests)),
        readable=sum(map(len, verdicts.values())),
        pairs=len(both),
        agree=sum(len(set(said)) == 1 for said in both),
        right=right,
    )
