"""Small tables for tests: items and rows written as keyword arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from rmaudit.checklists.schema import Item as ChecklistItem
from rmaudit.metrics.facts import RowFacts
from rmaudit.metrics.null_scores import NO_NULLS, NullsMeasured
from rmaudit.metrics.scores import RowKey, RowScores
from rmaudit.metrics.table import Table, build_table
from rmaudit.records import ANSWERED, ItemResult, Order, Outcome, RowResult, Verdict


@dataclass(frozen=True)
class Row:
    result: RowResult
    scores: RowScores


@dataclass(frozen=True)
class Item:
    result: ItemResult
    rows: tuple[Row, ...]


def row(
    verdict: Verdict = "a",
    *,
    order: Order = "ab",
    sample: int = 0,
    outcome: Outcome | None = None,
    rc: float | None = None,
    ap: float | None = None,
    n: int = 4,
    m: int = 5,
    flags: tuple[str, ...] = (),
    judge_failed: bool = False,
    **scores: float,
) -> Row:
    """One row. `outcome` follows the verdict; n references, m reasons; `scores`: RowScores."""
    outcome = outcome or ("unparsed" if verdict is None else "tie" if verdict == "tie" else "ok")
    silent = outcome not in ANSWERED
    failure = "target: no answer" if silent else "judge: cut" if judge_failed else None
    result = RowResult(
        order=order,
        sample=sample,
        outcome=outcome,
        verdict=None if silent else verdict,
        correct=None,
        rc=rc,
        ap=ap,
        n_reasons=0 if silent else m,
        n_refs=n,
        flags=flags,
        failure=failure,
    )
    failed = bool(scores.pop("chance_failed", False))
    return Row(result, RowScores(**scores, chance_failed=failed))


def no_answer(**keys: object) -> Row:
    """A row where the target did not answer."""
    return row(None, outcome="error", **keys)  # type: ignore[arg-type]


def item(
    name: str,
    *rows: Row,
    label: Literal["a", "b", "tie"] | None = "a",
    group: str | None = None,
    domain: str = "general",
) -> Item:
    results = tuple(r.result for r in rows)
    return Item(ItemResult(name, group or name, domain, label, results), rows)


def table(
    *items: Item,
    max_reasons: int = 5,
    texts: Iterable[ChecklistItem] = (),
    facts: Mapping[RowKey, RowFacts] | None = None,
    nulls: NullsMeasured = NO_NULLS,
) -> Table:
    scores = {
        (i.result.item, r.result.order, r.result.sample): r.scores for i in items for r in i.rows
    }
    return build_table(
        [i.result for i in items],
        scores,
        max_reasons=max_reasons,
        items=texts,
        row_facts=facts,
        nulls=nulls,
    )


def pair(name: str, a: str, b: str, **fields: object) -> ChecklistItem:
    """The texts of an item; its label stands in the result."""
    turns = [{"role": "user", "content": "Say it."}]
    shown = {"id": name, "prompt": turns, "response_a": a, "response_b": b, "label": "a"}
    return ChecklistItem.model_validate(shown | fields)


def one_row_items(*rows: Row, **keys: str) -> list[Item]:
    """Items i0, i1, ... of one row each."""
    return [item(f"i{k}", r, **keys) for k, r in enumerate(rows)]  # type: ignore[arg-type]
