"""One verdict from the verdicts of single criteria, by the rule that the grammar declares."""

from __future__ import annotations

from rmaudit.parsing.grammar import Criteria, Scale, numbers_in
from rmaudit.parsing.json_paths import at_path
from rmaudit.parsing.sides import Names
from rmaudit.parsing.verdict_grammar import Label, read_label
from rmaudit.text.masking import fold

_MOST = 200
_MUCH = 1.0
"""A mean lead beyond this is much better: on scales of criteria 1 is slightly better, 2 clearly."""


def decide(value: object, rule: Criteria, scale: Scale | None, names: Names) -> Label | None:
    """The verdict of all criteria together, None where one of them cannot be read.

    With a scale of kind `rating` the entries hold scores of one response, and their mean counts.
    """
    entries = at_path(value, rule.path)
    if not isinstance(entries, list) or not 0 < len(entries) <= _MOST:
        return None
    leads = [_lead(entry, rule, scale, names) for entry in entries]
    if any(lead is None for lead in leads):
        return None
    kinds = [_word(at_path(entry, rule.weight)) for entry in entries]
    counted = [
        (lead, _weight(kind, rule))
        for lead, kind in zip(leads, kinds, strict=True)
        if lead is not None
    ]
    if scale is not None:
        total = sum(weight for _, weight in counted)
        if total <= 0:
            return None
        return scale.label((sum(lead * weight for lead, weight in counted) / total,))
    vetoes = [
        (lead, 1.0)
        for (lead, _), kind in zip(counted, kinds, strict=True)
        if lead and kind in rule.veto
    ]
    counted = vetoes or [(lead, weight) for lead, weight in counted if lead]
    lead = sum(one * weight for one, weight in counted)
    if not lead:
        return Label("tie", 0, True)
    mean = abs(lead) / sum(weight for _, weight in counted)
    return Label("a" if lead > 0 else "b", 2 if mean > _MUCH else 1, True)


def _lead(entry: object, rule: Criteria, scale: Scale | None, names: Names) -> float | None:
    """How far the side shown first is ahead by one criterion; of a rating, the score."""
    number = None
    if rule.score:
        number = _number(at_path(entry, rule.score), scale)
        if number is None:
            return None
    if not rule.verdict:
        return number
    said = _word(at_path(entry, rule.verdict))
    if said in (word.casefold() for word in rule.ties):
        return 0.0
    label = read_label(fold(said).text, names=names) if said else None
    if label is None:
        return None
    size = 1.0 if number is None else abs(number)
    return {"a": size, "b": -size, "tie": 0.0}[label.verdict]


def _weight(kind: str, rule: Criteria) -> float:
    known = {word.casefold(): weight for word, weight in rule.weights}
    return known.get(kind, rule.other)


def _word(value: object) -> str:
    return value.strip().casefold() if isinstance(value, str) else ""


def _number(value: object, scale: Scale | None) -> float | None:
    if scale is not None and isinstance(value, str | bool):
        numbers = scale.read(str(value))
    elif isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    else:
        numbers = (float(value),) if not isinstance(value, str) else numbers_in(value)
    return numbers[0] if len(numbers) == 1 else None
