"""From the row files of a run to its table of metrics, for whoever measures: scan, gate, compare.

No model and no judge is called; the same files give the same table.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.metrics.labels import RowLabels
from rmaudit.metrics.scores import RowKey
from rmaudit.metrics.table import Table, build_table
from rmaudit.records import ItemResult, LabelSet
from rmaudit.run.annotators import ceilings, panels
from rmaudit.run.directory import RunDir
from rmaudit.run.files import CEILINGS, FLAWS, MATCHES, NULL_LISTS, PROBES, SCORES, VERDICTS
from rmaudit.run.manifest import NullFacts, RunManifest
from rmaudit.run.null_rows import nulls_measured
from rmaudit.run.probe_facts import probe_facts
from rmaudit.run.results import chance_partners, item_results
from rmaudit.run.row_facts import row_facts
from rmaudit.run.rows import LabelRow, MatchRow, NullRow, ProbeRow, ScoreRow, VerdictRow
from rmaudit.run.standings import Standings, Wordless, standings
from rmaudit.taxonomy import ALONE

NO_MEASURES: Mapping[str, str] = MappingProxyType({})


class TableSettings(NamedTuple):
    """What a run's table depends on beside its rows and items.

    Attributes:
        seed: of the run.
        max_reasons: length at which lists of reasons were cut.
        gives_reasons: False for a score-only model.
        chance_items: `rc.chance` was measured on so many items at most; None for all.
        labeler: who labelled the reasons, in a word; None where they were not labelled.
        weak: labels that the labeller knows too badly.
        measures: the measures with calls of their own that were asked for, each with why it does
            not apply or ''.
        chance_drawn: items that `rc.chance` was measured on, where the run cannot tell by itself:
            one that was merged, whose parts drew apart.
        used: only the first so many items count, in a run that stopped early; None for all.
        nulls: on which items lists that read nothing were scored; None of a run that knew none.
        lower_is_better: of two scores.
        grounded: what quotes and numbers of the reasons rest on is read; else it is as in a run
            whose items are not at hand.
        alone: each response was judged alone, so that nothing is shown first.
    """

    seed: int
    max_reasons: int
    gives_reasons: bool
    chance_items: int | None
    labeler: str | None = None
    weak: frozenset[str] = frozenset()
    measures: Mapping[str, str] = NO_MEASURES
    chance_drawn: frozenset[str] | None = None
    used: int | None = None
    nulls: NullFacts | None = None
    lower_is_better: bool = False
    grounded: bool = True
    alone: bool = False


def settings_of(manifest: RunManifest) -> TableSettings:
    """The settings of a run that is there, or planned."""
    drawn, labeler, stopped = manifest.chance_drawn, manifest.labeler, manifest.sequential
    return TableSettings(
        seed=manifest.seeds.run,
        max_reasons=manifest.max_reasons,
        gives_reasons=manifest.gives_reasons,
        chance_items=manifest.chance_items,
        # `builtin`, `vllm`, ...: who the labeller is, without its model.
        labeler=None if labeler is None else labeler.spec.partition(":")[0],
        weak=frozenset(() if labeler is None else labeler.weak),
        measures=manifest.measures,
        chance_drawn=None if drawn is None else frozenset(drawn),
        used=None if stopped is None else stopped.items_used,
        nulls=manifest.nulls,
        lower_is_better=manifest.target.lower_is_better,
        alone=manifest.rm_type in ALONE,
    )


def run_table(
    run: RunDir, items: Sequence[Item], settings: TableSettings
) -> tuple[list[ItemResult], Table]:
    """The results of a run, and their table. Row files are read as streams.

    Args:
        run: its directory.
        items: all items that the run was planned with, in its order.
        settings: of the run.

    Raises:
        InputError: a row file is damaged.
    """
    known = {item.id: item for item in items[: settings.used]}
    verdicts: list[VerdictRow] = []
    wordless = Wordless()

    def read() -> Iterator[VerdictRow]:
        for row in run.rows(VERDICTS):
            item = known.get(row.key.item)
            if item is not None:
                verdicts.append(wordless(row, item.id))
                yield row

    if settings.gives_reasons and settings.grounded:
        stand = dict(standings(read(), known))
    else:
        stand = {}
        deque(read(), maxlen=0)
    return table_of_rows(
        items,
        verdicts,
        run.rows(MATCHES),
        run.rows(SCORES),
        settings,
        labels=run.rows(FLAWS),
        annotated=run.rows(CEILINGS),
        nulls=run.rows(NULL_LISTS),
        probes=run.rows(PROBES),
        stand=stand,
    )


def table_of_rows(
    items: Sequence[Item],
    verdicts: Sequence[VerdictRow],
    matches: Iterable[MatchRow],
    scores: Iterable[ScoreRow],
    settings: TableSettings,
    *,
    labels: Iterable[LabelRow] = (),
    annotated: Iterable[MatchRow] = (),
    nulls: Iterable[NullRow] = (),
    probes: Iterable[ProbeRow] = (),
    stand: Mapping[RowKey, Standings] | None = None,
) -> tuple[list[ItemResult], Table]:
    """The same from rows at hand.

    `verdicts` are those of the items that count, `annotated` the rows of ceilings.jsonl, `nulls`
    those of nulls.jsonl, `stand` what was read of the reasons whose words `verdicts` lack.
    """
    counted = items[: settings.used]
    if stand is None:
        asked = settings.gives_reasons and settings.grounded
        stand = dict(standings(verdicts, {item.id: item for item in counted})) if asked else {}
    results, matched = item_results(
        counted,
        verdicts,
        matches,
        chance_drawn=(
            chance_partners(items, seed=settings.seed, most=settings.chance_items)
            if settings.chance_drawn is None
            else settings.chance_drawn
        ),
        gives_reasons=settings.gives_reasons,
    )
    facts = row_facts(
        counted,
        verdicts,
        scores,
        gives_reasons=settings.gives_reasons,
        ceilings=ceilings(panels(counted), annotated),
        lower_is_better=settings.lower_is_better,
        stand=stand,
    )
    found = row_labels(
        counted,
        results,
        labels,
        asked=settings.labeler is not None and settings.gives_reasons,
        weak=settings.weak,
    )
    probed = probe_facts(counted, verdicts, probes, settings.measures)
    return results, build_table(
        results,
        matched,
        max_reasons=settings.max_reasons,
        items=counted,
        row_facts=facts,
        row_labels=found,
        probes=probed.facts,
        not_measured=probed.not_measured,
        labeler=settings.labeler or "",
        alone=settings.alone,
        nulls=nulls_measured(counted, nulls, settings.nulls, seed=settings.seed),
    )


def row_labels(
    items: Sequence[Item],
    results: Sequence[ItemResult],
    labels: Iterable[LabelRow],
    *,
    asked: bool,
    weak: frozenset[str] = frozenset(),
) -> dict[RowKey, RowLabels]:
    """The labels of each row; `asked`: rows should have some; `weak`: labels known too badly."""
    alike: dict[LabelSet, LabelSet] = {}
    found = {}
    for row in labels:
        if row.key.variant == "base":
            said = row.labels if row.labels.raw is None else replace(row.labels, raw=None)
            place = row.key.item, row.key.order, row.key.sample
            found[place] = alike.setdefault(said, said)
    gold = {item.id for item in items if item.gold_judgment is not None}
    return {
        key: RowLabels(found.get(key), asked, result.item in gold, weak)
        for result in results
        for key in ((result.item, row.order, row.sample) for row in result.rows)
    }
