"""IF-RewardBench (arXiv 2603.04738): constraints, judged for each response by people.

    id, instruction_type, messages, checklist [constraint], constraint_type,
    responses [{response_id, response, labels [1 met, 0 not]}],
    preference_graph [{chosen {response_id}, rejected {response_id}}]

Each preference is an item of the tuple of its instruction. A constraint that a response does not
meet is a reason about it; one that both do not meet is about both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rmaudit.checklists.importers.fields import (
    BadField,
    Row,
    field,
    kept,
    list_field,
    name_of,
    objects_field,
    optional_text,
    text_field,
    texts_field,
    turns_field,
)
from rmaudit.checklists.importers.kind import ImportContext, SetKind, other
from rmaudit.checklists.schema import Item, SetCard


class _Judged(NamedTuple):
    """A response and which constraints it meets."""

    text: str
    met: list[bool]


def _items(row: Row, context: ImportContext) -> list[Item]:
    name = name_of(row, "id")
    checklist = texts_field(row, "checklist", least=1)
    responses = _responses(row, len(checklist))
    prompt = turns_field(row, "messages")
    edges = objects_field(row, "preference_graph")
    context.count("rows without preferences", not edges)
    items = []
    for place, edge in enumerate(edges):
        where = f"preference_graph[{place}]"
        chosen, rejected = (
            _node(edge, which, where, responses) for which in ("chosen", "rejected")
        )
        better, worse = responses[chosen], responses[rejected]
        if better.text == worse.text:
            context.count("pairs of two equal texts, left out")
            continue
        key = f"{name}/{chosen}-{rejected}"
        side = context.side_of_chosen(key)
        judged = {side: better, other(side): worse}
        reasons = _reasons(checklist, judged["a"].met, judged["b"].met)
        context.count("preferences without an unmet constraint", not reasons)
        items.append(
            context.placed(
                key,
                better.text,
                worse.text,
                group=name,
                prompt=prompt,
                domain="instruction-following",
                reasons=reasons,
                tuple={"id": name, "rank": place},
                source=f"if-rewardbench/{optional_text(row, 'instruction_type') or 'unstated'}",
                meta=kept(row, "response_generation_model"),
            )
        )
    return items


def _responses(row: Row, constraints: int) -> dict[str, _Judged]:
    found: dict[str, _Judged] = {}
    for place, one in enumerate(objects_field(row, "responses")):
        where = f"responses[{place}]"
        try:
            key = name_of(one, "response_id") if "response_id" in one else str(place)
            text, labels = text_field(one, "response"), list_field(one, "labels")
        except BadField as error:
            raise BadField(f"{where}.{error.field}", error.what) from error
        if len(labels) != constraints or not all(label in (0, 1) for label in labels):
            raise BadField(f"{where}.labels", "must hold 1 or 0 for each constraint")
        if key in found:
            raise BadField(f"{where}.response_id", f"{key} stands twice")
        found[key] = _Judged(text, [bool(label) for label in labels])
    return found


def _node(edge: dict[str, Any], which: str, where: str, responses: dict[str, _Judged]) -> str:
    node = field(edge, which) if which in edge else None
    key = str(node.get("response_id")) if isinstance(node, dict) else str(node)
    if key not in responses:
        raise BadField(f"{where}.{which}", "names no response of the row")
    return key


def _reasons(checklist: list[str], a: list[bool], b: list[bool]) -> list[dict[str, str]]:
    reasons = []
    for k, (constraint, met_a, met_b) in enumerate(zip(checklist, a, b, strict=True), start=1):
        if met_a and met_b:
            continue
        about = "both" if met_a == met_b else "b" if met_a else "a"
        subject = {
            "a": "Response A does",
            "b": "Response B does",
            "both": "Response A and Response B do",
        }[about]
        text = f"{subject} not meet the constraint: {constraint.strip()}"
        reasons.append({"id": f"c{k}", "text": text, "about": about})
    return reasons


KIND = SetKind(
    "if-rewardbench",
    SetCard(
        name="if-rewardbench",
        origin="IF-RewardBench (arXiv 2603.04738), imported",
        purpose="Instruction following: unmet constraints as reasons with their side.",
        not_for="Faults beyond the constraints of the request. A reason says which constraint is "
        "not met, not where.",
    ),
    frozenset({"messages", "checklist", "responses", "preference_graph"}),
    _items,
)
