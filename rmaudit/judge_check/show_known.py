"""A judge on known truth of one's own, as lines of tables for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rmaudit.judge_check.known import KnownFigures, KnownPlan
from rmaudit.judge_check.show import Section, claim_section, number, who

Found = Mapping[str, Any]

OVERALL = {
    "precision": "precision of pairs scored 0.5 or more",
    "recall": "recall of pairs worth 0.5 or more",
    "r_items": "rc of a list: correlation",
    "bias": "rc of a list: judged - true",
}
WIDEST = 24
WHOLE = {"wording": "wording", "language": "language", "kind": "kind of item"}


def known_facts(plan: KnownPlan, path: Path) -> dict[str, str]:
    """What will be asked, and what it costs."""
    items = len({case.item.id for case in plan.split.cases})
    return {
        "judge": who(plan.judge.describe()),
        "known": f"{path}, {len(plan.split.cases)} lists on {items} items",
        "cost": plan.estimate if plan.calls else "no model calls",
    }


def known_sections(found: Found) -> list[Section]:
    """Tables of the figures of `strata.measure`, those that there are."""
    strata = found["strata"]
    made = [_overall(found), _stems(found)]
    made += [_whole(strata.get(name, {}), title) for name, title in WHOLE.items()]
    made += [_reasons(strata.get("reason", {})), claim_section(strata.get("claim", {}))]
    return [section for section in made if section.rows]


def failed_line(measured: KnownFigures) -> str:
    """How many lists the judge failed on, '' where on none."""
    failed = measured.failed
    asked = failed + measured.figures["overall"]["n"]
    return f"the judge failed on {failed} of {asked} lists: they are left out" if failed else ""


def known_closing(found: Found, out: Path | None) -> list[str]:
    """Lines under the tables, what they sum up to last."""
    overall = found["overall"]
    lines = ["intervals of all strata: --json"]
    if out is not None:
        lines.append(f"figures  {out}")
    told = ", ".join(
        f"{name} {number(overall[key], sign=key == 'bias')}"
        for key, name in (
            ("precision", "precision"),
            ("recall", "recall"),
            ("r_items", "r"),
            ("bias", "bias"),
        )
    )
    return [*lines, f"{told} on {overall['n']} lists"]


def _overall(found: Found) -> Section:
    spans = found["intervals"]["overall"]
    rows = [
        (what, number(found["overall"][key], sign=key == "bias"), span(spans[key], key == "bias"))
        for key, what in OVERALL.items()
    ]
    return Section((f"{found['overall']['n']} lists", "value", "95 % interval"), rows)


def _stems(found: Found) -> Section:
    spans = found["intervals"]["strata"].get("stems", {})
    rows = [
        (band, number(one["recall"]), span(spans[band]["recall"]), str(one["n"]))
        for band, one in found["strata"].get("stems", {}).items()
    ]
    return Section(("by share of common stems", "recall", "95 % interval", "pairs"), rows)


def _whole(strata: Found, title: str) -> Section:
    rows = [
        (
            short(name),
            number(one["precision"]),
            number(one["recall"]),
            number(one["r_items"]),
            number(one["bias"], sign=True),
            str(one["n"]),
        )
        for name, one in strata.items()
    ]
    return Section((f"by {title}", "precision", "recall", "r", "bias", "lists"), rows)


def _reasons(strata: Found) -> Section:
    """The best score of a reason, on average: near misses should stay where the truth is."""
    rows = [
        (
            short(kind),
            number(one["judged"]),
            number(one["true"]),
            number(one["recall"]),
            str(one["n"]),
        )
        for kind, one in strata.items()
    ]
    return Section(("by kind of reason", "best score", "true", "recall", "reasons"), rows)


def short(name: str) -> str:
    """A name of a file's author, no wider than its column."""
    return name if len(name) <= WIDEST else f"{name[: WIDEST - 3]}..."


def span(ends: Sequence[float] | None, sign: bool = False) -> str:
    """An interval, or what stands for none."""
    if ends is None:
        return "n/a"
    return f"{number(ends[0], sign=sign)} to {number(ends[1], sign=sign)}"
