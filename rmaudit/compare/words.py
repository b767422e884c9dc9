"""A comparison in words and cells, for the terminal; no layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rmaudit.compare.pair import Judged, PairComparison, SharedItems, headline
from rmaudit.metrics.formats import show, show_change, show_change_interval
from rmaudit.metrics.registry import REGISTRY, family_of, label_of, shown_in
from rmaudit.records import Metric
from rmaudit.run.ordinary import fair_words


class Row(NamedTuple):
    """One metric of a comparison."""

    label: str
    first: str
    second: str
    change: str
    interval: str
    p: str
    word: str


def label(name: str, *, misses: bool = False) -> str:
    """A metric in plain words, its key where it has none; `misses` as of `fair_words`."""
    return fair_words(label_of(name), misses=misses)


def phrase(name: str, *, misses: bool = False) -> str:
    """A metric as a part of a sentence."""
    own = REGISTRY[name].phrase if name in REGISTRY else ""
    return fair_words(own or label_of(name), misses=misses)


def sized(text: str, of_sizes: bool) -> str:
    """The label of a change; where sizes are compared, signs left aside, it says so."""
    return f"{text}, by size" if of_sizes else text


def overall_rows(pair: PairComparison, *, every: bool) -> list[Row]:
    """The claims that have a value in a run and the flaws that changed, or all that was tested."""
    if every:
        return [
            _row(name, name, one) for name, one in pair.overall.items() if one.change.p is not None
        ]
    return [
        _row(label(name, misses=pair.misses), name, pair.overall[name])
        for name in (*headline(pair.overall), *changed_flaws(pair))
        if pair.overall[name].change.first is not None
        or pair.overall[name].change.second is not None
    ]


def changed_flaws(pair: PairComparison) -> list[str]:
    """Flaws whose rate changed; no claims, so corrected after Benjamini and Hochberg."""
    return [
        name
        for name, one in pair.overall.items()
        if family_of(name) and one.word in ("better", "worse")
    ]


def curve_columns(steps: Sequence[Mapping[str, Metric]], *, misses: bool) -> list[tuple[str, str]]:
    """Metrics of a curve that have room on a terminal, with short names.

    Of the flaws, the one whose rate moves most.
    """
    found = [
        name
        for name in shown_in("training_curve")
        if not family_of(name) and any(_value(one, name) is not None for one in steps)
    ]
    flaws = [name for name in steps[0] if family_of(name)]

    def moved(name: str) -> float:
        values = [value for one in steps if (value := _value(one, name)) is not None]
        return max(values) - min(values) if values else 0.0

    most = max(flaws, key=moved, default=None)
    columns = [(name, REGISTRY[name].short or label(name, misses=misses)) for name in found]
    if most is not None and moved(most) > 0:
        columns.append((most, REGISTRY[most].short or label(most)))
    return columns


def _value(metrics: Mapping[str, Metric], name: str) -> float | None:
    return metrics[name].value if name in metrics else None


def curve_cell(metric: Metric) -> str:
    """A share and its interval in percent, in as few columns as can be."""
    if metric.value is None:
        return "n/a"
    if metric.low is None or metric.high is None:
        return f"{100 * metric.value:.1f}"
    return f"{100 * metric.value:.1f} ({100 * metric.low:.0f}–{100 * metric.high:.0f})"


def domain_rows(pair: PairComparison) -> list[Row]:
    """Accuracy and reasons by domain."""
    return [
        _row(f"{domain}: {label(name, misses=pair.misses)}", name, found[name])
        for domain, found in sorted(pair.slices.items())
        for name in shown_in("core")
        if name in found and found[name].change.p is not None
    ]


def _row(text: str, name: str, one: Judged) -> Row:
    change = one.change
    interval = change.interval()
    return Row(
        label=sized(text, change.size),
        first=show(name, change.first),
        second=show(name, change.second),
        change="" if change.difference is None else points(name, change.difference),
        interval="" if interval is None else span(name, interval),
        p="" if one.adjusted is None else p_text(one.adjusted),
        word=one.word,
    )


def points(name: str, difference: float) -> str:
    """A difference with its sign, in percentage points or the metric's own unit."""
    return show_change(name, difference)


def span(name: str, interval: tuple[float, float]) -> str:
    """The interval of a difference, without its unit."""
    return show_change_interval(name, *interval)


def p_text(p: float) -> str:
    """A p-value as short as it can be told."""
    return "<0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def items_text(shared: SharedItems) -> str:
    """How many items are compared, and how many are left out and why."""
    out = [
        f"{count:,} {why}"
        for count, why in (
            (shared.only_first, "only in the first"),
            (shared.only_second, "only in the second"),
            (shared.differing, "with the same id but other content"),
        )
        if count
    ]
    text = f"{len(shared.ids):,} in both"
    if out:
        text += f"; left out: {', '.join(out)}"
    if shared.orders:
        text += f"; order {', '.join(shared.orders)} only, since one run has no other"
    return text


def verdict(pair: PairComparison) -> str:
    """What the second run is against the first, over the claims."""
    said: dict[str, list[str]] = {}
    for name in headline(pair.overall):
        said.setdefault(pair.overall[name].word, []).append(phrase(name, misses=pair.misses))
    parts = [f"{word} in {_list(said[word])}" for word in ("worse", "better") if word in said]
    if not parts:
        return "No difference is shown, which is not a proof that there is none."
    sentence = f"The second run is {'; '.join(parts)}."
    if "no difference shown" in said:
        sentence += f" No difference is shown in {_list(said['no difference shown'])}."
    return sentence


def reasons_apart(pair: PairComparison) -> str:
    """Said where reasons changed and verdicts did not; '' elsewhere."""
    accuracy, rc = (pair.overall.get(name) for name in ("accuracy", "rc"))
    if accuracy is None or rc is None or accuracy.word != "no difference shown":
        return ""
    if rc.word not in ("better", "worse"):
        return ""
    return f"Accuracy does not tell these runs apart; their reasons do, {rc.word} in the second."


def left_out_text(pair: PairComparison) -> list[str]:
    """Claims whose comparison lacks items that a run failed on, and what those could do to it."""
    lines = []
    for name in headline(pair.overall):
        change = pair.overall[name].change
        if not change.left_out:
            continue
        text = (
            f"{label(name, misses=pair.misses)}: {change.left_out:,} "
            f"{'item is' if change.left_out == 1 else 'items are'} left out, where a run has no "
            "answer or the judge failed"
        )
        if change.least is not None and change.greatest is not None:
            ends = span(name, (change.least, change.greatest))
            text += f"; whatever they hold, the change is within {ends}"
        lines.append(text)
    return lines


def barred_text(metrics: tuple[str, ...], why: str) -> str:
    """Which metrics are not compared, the first few by name."""
    shown = ", ".join(metrics[:4]) + (f" and {len(metrics) - 4} more" if len(metrics) > 4 else "")
    return f"not compared: {shown}, since {why}"


def _list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
