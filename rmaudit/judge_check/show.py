"""A judge card as lines of tables for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.judge_check.plan import CheckPlan
from rmaudit.judge_check.qualify import LEAST_ITEMS
from rmaudit.run.graders import NOT_QUALIFIED

Card = Mapping[str, Any]


class Section(NamedTuple):
    """A table: its columns and rows."""

    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def plan_lines(plan: CheckPlan) -> dict[str, str]:
    """What will be asked, and what it costs."""
    lines = {"judge": who(plan.judge.describe())}
    if plan.second is not None:
        lines["second"] = who(plan.second.describe())
    if plan.checklist is not None:
        lines["set"] = f"{plan.checklist.card.name}, {len(plan.probes)} requests of null tests"
    for split in plan.splits:
        lines[split.name] = f"known truth, {len(split.cases)} items"
    if plan.written is not None:
        items = len({case.item.id for case in plan.written.cases})
        lists = len(plan.written.cases)
        lines["written"] = f"{lists} lists on {items} ordinary items, in three wordings"
    if plan.rows:
        lines["run"] = f"{len(plan.rows)} answers of {plan.config.run}"
    lines["cost"] = plan.estimate if plan.calls else "no model calls"
    return lines


def sections(card: Card, *, domains: bool = False) -> list[Section]:
    """The tables of a check, those that it has; `domains` adds one by domain."""
    claims = ((card["written"] or {}).get("strata") or {}).get("claim", {})
    made = [_null_tests(card), _known_truth(card), _written(card), claim_section(claims)]
    made += [_agreement(card), _labels(card)]
    made += [_domains(card)] if domains else []
    return [section for section in made if section.rows]


def closing(card: Card, out: Path | None) -> list[str]:
    """Lines under the tables, the verdict last."""
    lines = []
    if (written := card["written"]) and written["failed"]:
        lines.append(
            f"{written['failed']} of {written['lists']} written lists have no answer; counted as "
            f"not found, recall is {number(written['recall_failed_as_missed'])}"
        )
    if second := card["second"]:
        lines.append(f"second judge: {who(second['judge'])}, {second['failed']} failed")
    if card["failed"]:
        lines.append(f"{card['failed']} of {card['asked']} requests failed and are left out")
    if written and written["qualified"] is None:
        lines.append(
            f"{written['items']} written items are too few to qualify on: {LEAST_ITEMS} at least "
            "(--limit)"
        )
    if out is not None:
        lines.append(f"judge card  {out}")
    return [*lines, verdict(card)]


def spot_lines(spot: Mapping[str, Any]) -> tuple[Section, list[str]]:
    """Agreement of judge and person, and what it does to rc."""
    pairs, rc, metrics = spot["pairs"], spot["rc"], spot["metrics"]
    rows = [
        ("weighted kappa of pairs", number(pairs["kappa"]), str(pairs["n"])),
        ("precision at 0.5", number(pairs["precision"]), str(pairs["n"])),
        ("recall at 0.5", number(pairs["recall"]), str(pairs["n"])),
        ("rc by answer: correlation", number(rc["r"]), str(rc["n"])),
        ("rc by answer: judged - human", number(rc["bias"], sign=True), str(rc["n"])),
    ]
    lines = [f"{key}: {_with_interval(metrics[key])}" for key in ("rc", "rc.corrected")]
    if spot["incomplete"]:
        lines.insert(0, f"{spot['incomplete']} answers lack a score and are left out")
    return Section(("judge against person", "value", "n"), rows), lines


def verdict(card: Card) -> str:
    """One sentence: whether the judge is qualified, how many bars are met, and what is not."""
    return ": ".join([f"{NOT_QUALIFIED} as a judge"] * (card["qualified"] is False) + [_bars(card)])


def _bars(card: Card) -> str:
    bars = {kind: one["ok"] for kind, one in card["null_tests"].items()}
    for name, split in card["known_truth"].items():
        bars |= {f"{name} {bar}": ok for bar, ok in split["met"].items()}
    if not bars:
        return "agreement only; no bar applies"
    missed = [name for name, ok in bars.items() if not ok]
    if not missed:
        return f"all {len(bars)} bars are met"
    return f"{len(bars) - len(missed)} of {len(bars)} bars are met; missed: {', '.join(missed)}"


def _null_tests(card: Card) -> Section:
    rows = [
        (_mark(one["ok"]), one["what"], f"{one['mean']:.3f}", one["bar"], str(one["n"]))
        for one in card["null_tests"].values()
    ]
    return Section(("", "null test", "mean", "bar", "n"), rows)


def _domains(card: Card) -> Section:
    """Means of the null tests, then the known truth, by domain."""
    parts = card["null_tests"]
    names = sorted({name for one in parts.values() for name in one["domains"]})
    rows = [
        (kind, *(number(one["domains"].get(name, {}).get("mean")) for name in names))
        for kind, one in parts.items()
    ]
    for split, known in card["known_truth"].items():
        for key, part in (("precision", "pairs"), ("recall", "pairs"), ("bias", "rc")):
            values = [known["domains"].get(name, {}).get(part, {}).get(key) for name in names]
            rows.append((f"{split} {key}", *map(number, values)))
    return Section(("by domain", *names), rows)


def _known_truth(card: Card) -> Section:
    rows = []
    for name, split in card["known_truth"].items():
        found = {
            "precision": (split["pairs"]["precision"], "pairs scored 0.5 or more: right ones"),
            "recall": (split["pairs"]["recall"], "right pairs: scored 0.5 or more"),
            "r": (split["rc"]["r"], "rc by item: correlation"),
            "bias": (split["rc"]["bias"], "rc: judged - true"),
        }
        for bar, (value, what) in found.items():
            n = split["pairs"]["n"] if bar in ("precision", "recall") else split["rc"]["n"]
            shown = number(value, sign=bar == "bias")
            line = (f"{name}: {what}", shown, split["bars"][bar], str(n))
            rows.append((_mark(split["met"][bar]), *line))
    return Section(("", "known truth", "value", "bar", "n"), rows)


def _written(card: Card) -> Section:
    """Ordinary items: the two bars that qualify a model, then recall by wording."""
    rows: list[tuple[str, ...]] = []
    if written := card["written"]:
        overall, n = written["overall"], str(written["overall"]["n"])
        for bar, told in (("precision", "precision of pairs"), ("recall", "recall of pairs")):
            shown, held = number(overall[bar]), written["bars"][bar]
            rows.append((_mark(written["met"][bar]), told, shown, held, n))
        rows += [
            ("", "rc by list: correlation", number(overall["r_items"]), "", n),
            ("", "rc by list: judged - true", number(overall["bias"], sign=True), "", n),
        ]
        for wording, one in written["strata"].get("wording", {}).items():
            what = f"recall, wording {wording}"
            rows.append(("", what, number(one["recall"]), "", str(one["n"])))
    return Section(("", "ordinary items", "value", "bar", "lists"), rows)


def claim_section(strata: Card) -> Section:
    """How well the judge decides what is true of the responses."""
    rows = [
        (name, number(one["precision"]), number(one["recall"]), str(one["n"]))
        for name, one in strata.items()
    ]
    return Section(("claim of a reason", "precision", "recall", "reasons"), rows)


def _agreement(card: Card) -> Section:
    rows: list[tuple[str, ...]] = []
    if second := card["second"]:
        pairs, rc = second["pairs"], second["rc"]
        rows += [
            ("weighted kappa of pairs", number(pairs["kappa"]), str(pairs["n"])),
            ("rc by item: correlation", number(rc["r"]), str(rc["n"])),
            ("rc by item: second - first", number(rc["bias"], sign=True), str(rc["n"])),
            ("rc by item: RMSE", number(rc["rmse"]), str(rc["n"])),
            ("rc by item: R2", number(rc["r2"]), str(rc["n"])),
        ]
    if repeats := card["repeats"]:
        times = str(repeats["n"])
        rows += [
            ("itself again: weighted kappa", number(repeats["kappa"]), times),
            ("itself again: mean change of rc", number(repeats["rc_mean_difference"]), times),
            ("itself again: answers changed", number(repeats["answers_changed"]), times),
        ]
    return Section(("agreement", "value", "n"), rows)


def _labels(card: Card) -> Section:
    labels = card["labels"] or {"scores": {}}
    rows = [
        (label, number(one["precision"]), number(one["recall"]), str(one["n"]))
        for label, one in labels["scores"].items()
    ]
    return Section((f"labeller {labels.get('labeler', '')}", "precision", "recall", "n"), rows)


def _with_interval(metric: Mapping[str, Any]) -> str:
    if metric["value"] is None:
        return f"n/a, {metric['why']}"
    if metric["low"] is None:
        return number(metric["value"])
    return f"{number(metric['value'])} ({number(metric['low'])} to {number(metric['high'])})"


def who(judge: Mapping[str, Any]) -> str:
    """The SPEC of a judge, with what a reader must know of it."""
    return str(judge["spec"]) + (", approximate" if judge.get("approximate") else "")


def number(value: float | None, *, sign: bool = False) -> str:
    """Three decimals, or what stands for no value."""
    if value is None:
        return "n/a"
    return f"{value:+.3f}" if sign else f"{value:.3f}"


def _mark(ok: bool) -> str:
    return "pass" if ok else "FAIL"
