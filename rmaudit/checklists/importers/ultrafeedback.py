"""UltraFeedback (arXiv 2310.01377): four completions of a prompt, rated by a model in four aspects.

    source, instruction, models, completions [{model, response, annotations {aspect: {Rating,
    Rationale}}, overall_score, fine-grained_score, critique}]

A pair is labelled by `overall_score`. Where the mean of the fine-grained ratings prefers the other
completion, nothing says which of them is right: such a pair is left out and counted. In the first
release about two thousand completions with an overall score of 1 stood as 10.
"""

from __future__ import annotations

from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple

from rmaudit.checklists.importers.fields import (
    BadField,
    Row,
    number_of,
    objects_field,
    optional_text,
    text_field,
    turns_field,
)
from rmaudit.checklists.importers.kind import ImportContext, SetKind, content_id
from rmaudit.checklists.schema import Item, SetCard
from rmaudit.records import Side

WRITER = "model:gpt-4"
LOW, TOP = 2, 10
"""Ratings of at most 2 do not go with an overall score of 10 (the fault of the first release)."""


class _Rated(NamedTuple):
    """One completion; `overall` and `fine` (mean of the aspects) are None where not given."""

    text: str
    model: str
    overall: float | None
    fine: float | None
    said: str


def _items(row: Row, context: ImportContext) -> list[Item]:
    prompt = turns_field(row, "instruction")
    given = objects_field(row, "completions")
    found = [_rated(one, f"completions[{k}]") for k, one in enumerate(given) if not _blank(one)]
    context.count("completions without text, left out", len(given) - len(found))
    context.count("completions without an overall_score", sum(one.overall is None for one in found))
    context.count(
        "completions without fine-grained ratings", sum(one.fine is None for one in found)
    )
    context.count(
        f"completions with overall_score {TOP} and a mean rating of {LOW} or less",
        sum(one.overall == TOP and one.fine is not None and one.fine <= LOW for one in found),
    )
    name = content_id(prompt, *(one.text for one in found))
    items = []
    for i, j in combinations(range(len(found)), 2):
        item = _pair(f"{name}/{i}-{j}", found[i], found[j], context, prompt)
        if item is not None:
            source = optional_text(row, "source")
            made = {"group": name, "source": "ultrafeedback" + (f"/{source}" if source else "")}
            items.append(item.model_copy(update=made))
    return items


def _pair(
    name: str, one: _Rated, two: _Rated, context: ImportContext, prompt: list[dict[str, str]]
) -> Item | None:
    if one.text == two.text:
        context.count("pairs of two equal texts, left out")
        return None
    if one.overall is None or two.overall is None:
        context.count("pairs without two overall scores, left out")
        return None
    overall = one.overall - two.overall
    if one.fine is None or two.fine is None:
        context.count("pairs whose label no fine-grained ratings could be held against")
    elif overall * (one.fine - two.fine) < 0:
        context.count("pairs whose overall and fine-grained scores conflict, left out")
        return None
    elif not overall and one.fine != two.fine:
        context.count("pairs equal by overall_score, a tie, whose fine-grained ratings differ")
    better, worse = (one, two) if overall >= 0 else (two, one)
    side = context.side_of_chosen(name)
    a, b = (better, worse) if side == "a" else (worse, better)
    text = "\n\n".join(part for part in (_judgment("a", a), _judgment("b", b)) if part)
    context.count("pairs without any rationale", not text)
    tuple_id = name.rpartition("/")[0]
    return context.placed(
        name,
        better.text,
        worse.text,
        tie=overall == 0,
        prompt=prompt,
        tuple={"id": tuple_id, "rank": int(name.rpartition("-")[2])},
        gold_judgment={"text": text, "origin": WRITER} if text else None,
        reference_origin=WRITER,
        meta={"model_a": a.model, "model_b": b.model, "scores": {"a": a.overall, "b": b.overall}},
    )


def _rated(one: dict[str, Any], where: str) -> _Rated:
    try:
        text, model = text_field(one, "response"), optional_text(one, "model") or ""
        critique = optional_text(one, "critique")
    except BadField as error:
        raise BadField(f"{where}.{error.field}", error.what) from error
    ratings, said = [], []
    annotations = one.get("annotations")
    for aspect, given in annotations.items() if isinstance(annotations, dict) else ():
        if not isinstance(given, dict):
            continue
        rating = _number(given.get("Rating"))
        if rating is not None:
            ratings.append(rating)
        for key in ("Rationale", "Rationale For Rating"):
            prose = given.get(key)
            if isinstance(prose, str) and prose.strip():
                shown = "not rated" if rating is None else f"{rating:g} of 5"
                said.append(f"{aspect.replace('_', ' ')} ({shown}): {prose.strip()}")
    if critique:
        said.append(f"critique: {critique.strip()}")
    fine = fmean(ratings) if ratings else _number(one.get("fine-grained_score"))
    return _Rated(text, model, _number(one.get("overall_score")), fine, "\n".join(said))


def _blank(one: dict[str, Any]) -> bool:
    """Whether a model answered nothing: no fault of the row, whose other pairs stay."""
    text = one.get("response")
    return isinstance(text, str) and not text.strip()


def _number(value: object) -> float | None:
    """A score; files hold ratings as text, and N/A where the aspect does not apply."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    return number_of(value)


def _judgment(side: Side, one: _Rated) -> str:
    return f"Response {side.upper()}\n{one.said}" if one.said else ""


KIND = SetKind(
    "ultrafeedback",
    SetCard(
        name="ultrafeedback",
        licence="MIT",
        origin="UltraFeedback (arXiv 2310.01377), rated by GPT-4, imported",
        purpose="Pairs with a model's ratings and rationales as gold judgment.",
        not_for="What people prefer, or what they reason: a model wrote both.",
    ),
    frozenset({"instruction", "completions"}),
    _items,
)
