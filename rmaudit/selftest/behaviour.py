"""What the certificate rests on, as scores: of the embedded judge and labeller on fixed texts.

Two installations whose scores are all alike name the same defects, whatever their source looks
like; a rule, a weight or a parser that changes one of them voids the certificate. The texts are the
lists of the known truth on which a judge is improved, and what planted models answer about a few
items.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from rmaudit.checklists.schema import Item
from rmaudit.judging.metajudge import BuiltinJudge, JudgeRequest
from rmaudit.labelling.protocol import BuiltinLabeler, LabelRequest
from rmaudit.parsing.parse import parse_pairwise
from rmaudit.parsing.sides import reason_about, to_item
from rmaudit.records import Key, ModelReason, Verdict
from rmaudit.resources import folder
from rmaudit.selftest.defects import DEFECTS
from rmaudit.selftest.items import make
from rmaudit.selftest.models import MOST_REASONS, ORDERS, World, at_rate
from rmaudit.selftest.run import planted

LISTS = ("pairs.jsonl", "earlier.jsonl")
ITEMS = 6
SEED = 999
Behaviour = dict[str, str]
"""By the name of a probe: the scores of its matrix in quarters, a row a reference; the labels."""


def behaviour() -> Behaviour:
    """The scores of this installation."""
    return dict([*_scored(_written()), *_scored(_answered())])


def differing(one: Mapping[str, str], two: Mapping[str, str]) -> list[str]:
    """The probes whose scores are not the same."""
    return [name for name in sorted({*one, *two}) if one.get(name) != two.get(name)]


def _scored(requests: Iterable[tuple[JudgeRequest, Verdict]]) -> Iterator[tuple[str, str]]:
    judge, labeler = BuiltinJudge(), BuiltinLabeler()
    for request, verdict in requests:
        key, reasons = request.key, request.reasons
        (match,) = judge.judge([request])
        (given,) = labeler.label([LabelRequest(key, request.item, reasons, verdict)])
        rows = "/".join("".join(f"{4 * score:.0f}" for score in row) for row in match.matrix)
        labels = " ".join(
            "+".join((one.category or "-", *one.flaws)) for one in given.labels.labels
        )
        name = ":".join(part for part in (key.item, key.variant, key.order) if part)
        yield name, f"{verdict or '-'} {rows} {labels}"


def _written() -> Iterator[tuple[JudgeRequest, Verdict]]:
    """Reasons that authors wrote, as any model may word them."""
    place = folder("checklists") / "known_truth"
    lines = [line for file in LISTS for line in (place / file).read_bytes().splitlines()]
    for row in map(json.loads, lines):
        item = Item.model_validate(row["item"])
        reasons = tuple(
            ModelReason(one["text"], reason_about(one["text"])[0] or one["about"])
            for one in row["reasons"]
        )
        yield JudgeRequest(Key(item.id, "written"), item, item, reasons), item.label


def _answered() -> Iterator[tuple[JudgeRequest, Verdict]]:
    """What each planted model says, read as a scan reads it."""
    items = make(n=ITEMS, seed=SEED)
    world = World.of(items)
    for defect in DEFECTS:
        model = at_rate(planted(defect), 1.0)
        for place, item in enumerate(items):
            order = ORDERS[place % len(ORDERS)]
            generation = model.write(model.answer(item, order, world))
            shown = (item.response_a, item.response_b)
            read = parse_pairwise(
                generation.text,
                finish_reason=generation.finish_reason,
                max_reasons=MOST_REASONS,
                responses=shown if order == "ab" else shown[::-1],
            )
            judged = to_item(read, order=order)
            key = Key(item.id, f"planted-{defect.key}", order=order)
            yield JudgeRequest(key, item, item, judged.reasons), judged.verdict
