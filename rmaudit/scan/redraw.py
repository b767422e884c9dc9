"""`rc.chance` of a merged run: drawn among all items, as in a run of the whole.

Only a judge that runs without a model can be asked anew for nothing; its matrices are the same
whenever it is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Literal

from rmaudit import embedded
from rmaudit.checklists.schema import Item
from rmaudit.config import ScanConfig
from rmaudit.judging.metajudge import Judge, JudgeRequest
from rmaudit.run.directory import RunDir
from rmaudit.run.files import MATCHES, VERDICTS
from rmaudit.run.manifest import RunManifest
from rmaudit.run.results import chance_partners
from rmaudit.scan.judge import make_judge
from rmaudit.truth import score as truth

WITHOUT_A_MODEL = (embedded.NAME, embedded.lexical.NAME, truth.NAME)


def judge_without_model(manifest: RunManifest) -> Judge | None:
    """The judge of a run where it asks no model and still judges as it did then, else None."""
    if manifest.judge.spec not in WITHOUT_A_MODEL or not manifest.gives_reasons:
        return None
    view: Literal["full", "lists"] = "lists" if manifest.judge_view == "lists" else "full"
    judge = make_judge(ScanConfig(target="", judge=manifest.judge.spec, judge_view=view))
    then = manifest.identity.as_dict()
    return judge if judge.identity().items() <= then.items() else None


def redraw_chance(run: RunDir, items: Sequence[Item], manifest: RunManifest, judge: Judge) -> None:
    """Gives every row of matches.jsonl the chance matrix that a run of all items would have.

    Args:
        run: the merged run, with its rows.
        items: of the run, in its order.
        manifest: of the run.
        judge: of `judge_without_model`.

    Raises:
        RmauditError: the judge or the disk failed.
    """
    partners = chance_partners(items, seed=manifest.seeds.run, most=judge.traits.chance_items)
    known = {item.id: item for item in items}
    reasons = {row.key: row.judgment.reasons for row in run.rows(VERDICTS)}
    rows = {row.key: row for row in run.rows(MATCHES)}
    changed = [
        row
        for row in rows.values()
        if row.chance_item != (partner.id if (partner := partners.get(row.key.item)) else None)
    ]
    requests = [
        JudgeRequest(row.key, known[row.key.item], partners[row.key.item], said, "chance")
        for row in changed
        if row.key.item in partners and (said := reasons.get(row.key)) is not None
    ]
    rows |= {
        row.key: row._replace(chance_item=None, chance=None, chance_raw=None, chance_failure=None)
        for row in changed
    }
    with closing(judge.judge(requests)) as answers:
        for answer in answers:
            rows[answer.key] = rows[answer.key]._replace(
                chance_item=partners[answer.key.item].id,
                chance=answer.matrix if answer.failure is None else None,
                chance_raw=answer.raw,
                chance_failure=answer.failure,
            )
    judge.close()
    run.write_rows(MATCHES, rows.values())
