"""`scan --sensitivity N`: a model that writes verdicts is shown pairs with one response edited.

Of N items every repair and every neutral edit takes the place of the response that it edits. Rows
of theirs go where all rows go, with the variants that scores have: `repair:K` and `control:K`.
"""

from __future__ import annotations

from rmaudit.engines.base import Request, request_seed
from rmaudit.progress import Progress
from rmaudit.records import Key
from rmaudit.run.directory import RunDir
from rmaudit.run.files import GENERATIONS, VERDICTS
from rmaudit.run.sensitivity import edits
from rmaudit.scan.plan import ScanPlan
from rmaudit.scan.sensitivity_plan import NAME, edited_items
from rmaudit.scan.verdict_stage import item_shown, read_verdict


def sensitivity_keys(plan: ScanPlan) -> list[Key]:
    """The keys of all pairs with an edit that the plan asks about."""
    if not any(one.name == NAME and not one.why for one in plan.measures):
        return []
    return [
        Key(item.id, key.variant, "pair", order, sample)
        for item in edited_items(plan.items, plan.config.sensitivity)
        for key, _, _ in edits(item)
        for order in plan.orders
        for sample in range(plan.config.samples)
    ]


def ask_about_edits(plan: ScanPlan, run: RunDir, progress: Progress) -> None:
    """Verdicts on pairs with an edit that are not there yet, each written as it comes.

    Raises:
        RmauditError: the engine or the disk failed; finished rows are kept.
    """
    keys = sensitivity_keys(plan)
    if not keys:
        return
    items = {item.id: item for item in plan.items}
    with run.append(GENERATIONS) as generations, run.append(VERDICTS) as verdicts:
        done = {row.key for row in run.rows(GENERATIONS)}
        missing = [key for key in keys if key not in done]
        progress.begin(NAME, total=len(keys), done=len(keys) - len(missing))
        requests = [
            Request(
                key,
                plan.messages(item_shown(items, key), key.order),
                request_seed(plan.config.seed, key),
            )
            for key in missing
        ]
        for generation in plan.target.engine.complete(requests, plan.sampling):
            generations.write(generation)
            verdicts.write(read_verdict(plan, items, generation))
            progress.step(NAME)
    progress.end(NAME)
