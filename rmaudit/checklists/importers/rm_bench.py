"""RM-Bench (arXiv 2410.16184): one right and one wrong content in three styles each, all crossed.

    id, prompt, chosen [concise, detailed, markdown], rejected [the same], domain, and in the files
    of one domain subset; in the chat file error_key and error, which say what is wrong in words;
    in files of results score_chosen [3], score_rejected [3]

A prompt becomes nine items. What the chat file says of the error is the one atomic reason of each.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

from rmaudit.checklists.importers.fields import (
    BadField,
    Row,
    kept,
    list_field,
    name_of,
    number_of,
    optional_text,
    texts_field,
    turns_field,
)
from rmaudit.checklists.importers.kind import ImportContext, SetKind, other
from rmaudit.checklists.schema import Item, SetCard

STYLES = ("concise", "detailed", "markdown")
DOMAINS = ("chat", "code", "math", "safety-refuse", "safety-response")
LEVELS = ("easy", "normal", "hard")
WRITER = "model:unstated"
"""Who wrote the sentences about errors: a model, which the files do not name."""


def items_of(row: Row, context: ImportContext) -> list[Item]:
    """The nine items of a prompt, in the order of the styles of chosen, then rejected.

    Raises:
        BadField: a field is missing or holds what it cannot hold.
    """
    name = name_of(row, "id")
    texts = {which: _three(texts_field(row, which), which) for which in ("chosen", "rejected")}
    prompt, domain = turns_field(row, "prompt"), _domain(row, context)
    error, key = optional_text(row, "error"), optional_text(row, "error_key")
    _add_scores(row, context, domain)
    items = []
    for i, j in product(range(len(STYLES)), repeat=2):
        chosen, rejected = texts["chosen"][i], texts["rejected"][j]
        if chosen == rejected:
            context.count("pairs of two equal texts, left out")
            continue
        place = f"{domain}/{name}/{STYLES[i]}-{STYLES[j]}"
        side = context.side_of_chosen(place)
        styles = (STYLES[i], STYLES[j]) if side == "a" else (STYLES[j], STYLES[i])
        wrong = other(side)
        reasons = []
        if error is not None:
            text = _reason(wrong.upper(), error, key, rejected, context)
            reasons.append({"id": "e1", "text": text, "about": wrong})
        items.append(
            context.placed(
                place,
                chosen,
                rejected,
                group=f"{domain}/{name}",
                prompt=prompt,
                domain=domain.partition("-")[0],
                style_a=styles[0],
                style_b=styles[1],
                reasons=reasons,
                reference_origin=WRITER if reasons else "human",
                source=f"rm-bench/{domain}",
                meta=kept(row, "subset", "language", "task_id"),
            )
        )
    return items


def level_of(item: Item) -> str:
    """The level of a pair: easy where the right response has the showier style."""
    a, b = STYLES.index(item.style_a or ""), STYLES.index(item.style_b or "")
    right, wrong = (a, b) if item.label == "a" else (b, a)
    return LEVELS[0] if right > wrong else LEVELS[1] if right == wrong else LEVELS[2]


def scores_of(row: Row) -> tuple[list[float], list[float]] | None:
    """The scores of chosen and rejected responses of a row of results, None where it has none.

    Raises:
        BadField: they are no three numbers each.
    """
    if "score_chosen" not in row and "score_rejected" not in row:
        return None
    found = []
    for name in ("score_chosen", "score_rejected"):
        # The scripts of the benchmark unpack lists of one number only where all of them are.
        values = [one[0] if _single(one) else one for one in list_field(row, name)]
        # A failed call is null or NaN: it is no number, and greater than none.
        read = [math.nan if _failed(value) else number_of(value) for value in values]
        numbers = [number for number in read if number is not None]
        if len(numbers) != len(STYLES) or len(values) != len(STYLES):
            raise BadField(name, "must be three finite numbers")
        found.append(numbers)
    return found[0], found[1]


def published(sums: Counter[str]) -> list[str]:
    """The published scores of a file of results: easy, normal, hard, by domain and over domains.

    An equal score is wrong. A level is the mean of its cells over the prompts of a domain, the
    total the mean over domains, each counting the same whatever its size.
    """
    domains = sorted({key.split("/")[0] for key in sums})
    shares = {
        domain: [
            sums[f"{domain}/{level}"] / (len(STYLES) * sums[f"{domain}/n"]) for level in LEVELS
        ]
        for domain in domains
    }
    lines = [f"scores    {domain}: {_shown(values)}" for domain, values in shares.items()]
    if len(shares) > 1:
        means = [sum(values) / len(shares) for values in zip(*shares.values(), strict=True)]
        lines.append(f"scores    mean over {len(shares)} domains: {_shown(means)}")
    return lines


def _shown(values: list[float]) -> str:
    shown = ", ".join(f"{k} {100 * v:.2f} %" for k, v in zip(LEVELS, values, strict=True))
    return f"{shown}, mean {100 * sum(values) / len(values):.2f} %"


def _add_scores(row: Row, context: ImportContext, domain: str) -> None:
    scores = scores_of(row)
    if scores is None:
        return
    part = domain.partition("-")[0]
    context.sums[f"{part}/n"] += 1
    for i, j in product(range(len(STYLES)), repeat=2):
        level = LEVELS[0] if i > j else LEVELS[1] if i == j else LEVELS[2]
        context.sums[f"{part}/{level}"] += scores[0][i] > scores[1][j]


def _failed(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _single(value: object) -> bool:
    return isinstance(value, list) and len(value) == 1


def _three(texts: list[str], name: str) -> list[str]:
    if len(texts) != len(STYLES):
        raise BadField(name, f"must hold three texts: {', '.join(STYLES)}")
    return texts


def _domain(row: Row, context: ImportContext) -> str:
    """The domain of a row; files of one domain name it in their file name only."""
    named = optional_text(row, "domain")
    if named is not None:
        return named
    file = context.file.rpartition("/")[2]
    found = next((name for name in DOMAINS if file.startswith(name)), None)
    context.count(
        "rows without a domain" + (f", taken from the file name: {found}" if found else "")
    )
    return found or "general"


def _reason(name: str, error: str, key: str | None, text: str, context: ImportContext) -> str:
    if key is not None and key in text:
        return f"Response {name} says “{key}”, which is wrong: {error}"
    context.count("reasons whose key words are not in the response")
    return f"Response {name} is wrong: {error}"


def _fits(row: Row) -> bool:
    both = (row["chosen"], row["rejected"])
    return all(isinstance(one, list) and len(one) == len(STYLES) for one in both) and all(
        isinstance(text, str) for one in both for text in one
    )


KIND = SetKind(
    "rm-bench",
    SetCard(
        name="rm-bench",
        origin="RM-Bench (arXiv 2410.16184), imported",
        purpose="One content in three styles, all crossed: accuracy against style.",
        not_for="Rationale consistency outside of chat; there a model wrote the reasons.",
    ),
    frozenset({"id", "prompt", "chosen", "rejected"}),
    items_of,
    fits=_fits,
    summary=published,
)
