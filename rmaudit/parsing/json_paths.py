"""Reads the verdict of a JSON answer under the keys that a grammar names."""

from __future__ import annotations

from rmaudit.parsing.grammar import Grammar, Scale
from rmaudit.parsing.json_answers import plain_key
from rmaudit.parsing.sides import DEFAULT_NAMES, Names
from rmaudit.parsing.verdict_grammar import Label, read_label
from rmaudit.text.masking import fold


def labels_at(
    value: object, grammar: Grammar, *, names: Names = DEFAULT_NAMES
) -> tuple[Label, ...]:
    """The verdict under the grammar's keys; empty where the value does not hold them.

    A pair of scores needs both keys. Of other grammars the first key that holds a verdict counts.
    """
    scale = grammar.scale
    if scale is not None and scale.kind == "pair":
        numbers = [_number(at_path(value, path), scale) for path in grammar.keys[:2]]
        known = tuple(number for number in numbers if number is not None)
        label = scale.label(known) if len(known) == 2 else None
        return (label,) if label else ()
    for path in grammar.keys:
        inner = at_path(value, path)
        if scale is not None:
            number = _number(inner, scale)
            label = None if number is None else scale.label((number,))
        else:
            label = read_label(fold(str(inner)).text, names=names) if _plain(inner) else None
        if label:
            return (label,)
    return ()


EACH = "*"


def at_path(value: object, path: str) -> object:
    """What stands under a path of keys (`overall.ranking`); None where there is nothing.

    Keys are the same in any case and without spaces or punctuation; a list of one value is that
    value; `*` stands for each value of a list.
    """
    if not path:
        return None
    for key in path.split("."):
        if key == EACH:
            rest = path.rpartition(f"{EACH}.")[2]
            return [at_path(one, rest) for one in value] if isinstance(value, list) else None
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if not isinstance(value, dict):
            return None
        keyed = {plain_key(name): inner for name, inner in value.items()}
        value = keyed.get(plain_key(key))
    return value


def _plain(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) < 200


def _number(value: object, scale: Scale) -> float | None:
    if scale.words:
        value = str(value) if isinstance(value, str | bool) else None
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    numbers = scale.read(value) if isinstance(value, str) else ()
    return numbers[0] if len(numbers) == 1 else None
