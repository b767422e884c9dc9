"""`rmaudit merge-runs`: runs of one model on parts of a set, as one run.

The parts must agree in all that decides a result but the items. Their rows are kept; results and
metrics are made anew from all rows. What a part drew among its own items is drawn among all of them
(the items that lend their references for `rc.chance`, and those that lists that read nothing are
scored on), so that the parts give the metrics of the whole. A judge that is a model is not asked
again: there `rc.chance` stays as the parts drew it, which is said.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from rmaudit import __version__
from rmaudit.checklists.load import CARD_FILE, ITEMS_FILE, content_hash, dump_item, subset
from rmaudit.checklists.schema import Item, SetCard
from rmaudit.errors import InputError
from rmaudit.metrics.audit import compute_metrics, compute_slices
from rmaudit.metrics.parts import compute_parts
from rmaudit.run.directory import METRICS, RunDir
from rmaudit.run.disk import disk_errors
from rmaudit.run.files import NULL_LISTS, RESULTS, ROW_FILES
from rmaudit.run.integrity import check_before_seal, refuse_unsound
from rmaudit.run.item import run_items
from rmaudit.run.lock import sole_writer
from rmaudit.run.manifest import Identity, MergedPart, NullFacts, RunManifest
from rmaudit.run.null_rows import null_items
from rmaudit.run.numbers import metrics_json
from rmaudit.run.results import chance_partners
from rmaudit.run.schema import SCHEMA_VERSION
from rmaudit.run.table import run_table, settings_of
from rmaudit.scan.item_source import read_items, reference_facts
from rmaudit.scan.match_stage import judge_counts
from rmaudit.scan.redraw import judge_without_model, redraw_chance

FREE = frozenset({"set", "limit", "shard"})
"""Parts of a run's identity in which the merged runs differ."""


def merge_runs(paths: Sequence[Path], out: Path) -> RunDir:
    """Writes a new run directory with the rows of all runs.

    Raises:
        InputError: fewer than two runs, one that is unfinished, stopped early or no evidence, runs
            that do not agree, an item in two of them, or `out` is there already or being written.
    """
    if len(paths) < 2:
        raise InputError("one run has nothing to be merged with", "rmaudit merge-runs RUN RUN ...")
    runs = [RunDir.open(path) for path in paths]
    manifests = [run.manifest() for run in runs]
    for run, manifest in zip(runs, manifests, strict=True):
        _check(run, manifest, runs[0], manifests[0])
    parts = [run_items(run) for run in runs]
    _check_disjoint(runs, parts)
    RunDir.check_free(out)
    with sole_writer(out):
        return _merged(runs, manifests, parts, out)


def _merged(
    runs: Sequence[RunDir],
    manifests: Sequence[RunManifest],
    parts: Sequence[Sequence[Item]],
    out: Path,
) -> RunDir:
    seed = manifests[0].seeds.run
    items = subset(list(chain.from_iterable(parts)), limit=None, seed=seed)
    merged = RunDir.create(out)
    _copy_texts(runs, merged)
    names = " + ".join(dict.fromkeys(one.name for manifest in manifests for one in manifest.sets))
    _write_items(merged, items, SetCard(name=names))
    manifest = _manifest(runs, manifests, parts, items)
    for file in ROW_FILES:
        if file is not RESULTS and any(run.has(file) for run in runs):
            merged.write_rows(file, chain.from_iterable(run.rows(file) for run in runs))
    if manifest.nulls is not None and manifest.nulls.drawn is None:
        drawn_ = {item.id for item in null_items(items, most=manifest.nulls.items)}
        merged.keep_rows(NULL_LISTS, lambda row: row.key.item in drawn_)
    judge = judge_without_model(manifest)
    if judge is not None:
        redraw_chance(merged, items, manifest, judge)
        manifest.chance_drawn = None
    results, table = run_table(merged, items, settings_of(manifest))
    merged.write_rows(RESULTS, results)
    metrics, slices = compute_metrics(table, seed=seed), compute_slices(table, seed=seed)
    merged.write_json(METRICS, metrics_json(metrics, slices | compute_parts(table, seed=seed)))
    manifest.judge.counts = judge_counts(merged)
    check_before_seal(merged, manifest)
    merged.seal(manifest)
    return merged


def _check(run: RunDir, manifest: RunManifest, first: RunDir, other: RunManifest) -> None:
    if manifest.status != "finished":
        raise InputError(
            f"{run.path} is not finished (status {manifest.status})",
            f"finish it first: rmaudit scan {manifest.target.spec} ... --resume --out {run.path}",
        )
    if manifest.stopping != "full":
        raise InputError(
            f"{run.path} is a run that stopped early ({manifest.stopping})",
            "merge full runs: what an early stop decided holds for its own items",
        )
    refuse_unsound(run)
    asked = [sorted(one.measures) for one in (other, manifest)]
    if asked[0] != asked[1]:
        named = " and ".join(", ".join(names) or "none" for names in asked)
        raise InputError(
            f"{first.path} and {run.path} were asked for different measures: {named}",
            "add what is missing: rmaudit scan ... --resume --measure NAME",
        )
    differ = [name for name in other.identity.differences(manifest.identity) if name not in FREE]
    if differ:
        raise InputError(
            f"{first.path} and {run.path} do not agree in {', '.join(differ)}",
            "merge runs of one target with one judge and the same options; others: rmaudit compare",
        )


def _check_disjoint(runs: Sequence[RunDir], parts: Sequence[Sequence[Item]]) -> None:
    home: dict[str, RunDir] = {}
    for run, items in zip(runs, parts, strict=True):
        for item in items:
            if item.id in home:
                raise InputError(
                    f"the item '{item.id}' is in {home[item.id].path} and in {run.path}",
                    "merge runs on parts of a set without overlap",
                )
            home[item.id] = run


def _copy_texts(runs: Sequence[RunDir], merged: RunDir) -> None:
    """The prompts by hash."""
    folder = merged.path / "prompts"
    with disk_errors(folder):
        folder.mkdir(exist_ok=True)
        for run in runs:
            for path in sorted((run.path / "prompts").glob("*.j2")):
                shutil.copyfile(path, folder / path.name)


def _write_items(merged: RunDir, items: Sequence[Item], card: SetCard) -> None:
    import tomli_w

    with disk_errors(merged.path):
        (merged.path / "checklist").mkdir(exist_ok=True)
    merged.write_text(f"checklist/{ITEMS_FILE}", "".join(dump_item(i) + "\n" for i in items))
    text = tomli_w.dumps(card.model_dump(mode="json", exclude_none=True))
    merged.write_text(f"checklist/{CARD_FILE}", text)


def _manifest(
    runs: Sequence[RunDir],
    manifests: Sequence[RunManifest],
    parts: Sequence[Sequence[Item]],
    items: Sequence[Item],
) -> RunManifest:
    """The first run's, with what is of all of them."""
    drawn: set[str] = set()
    for manifest, part in zip(manifests, parts, strict=True):
        settings = settings_of(manifest)
        own = chance_partners(part, seed=settings.seed, most=settings.chance_items)
        drawn |= own.keys() if settings.chance_drawn is None else settings.chance_drawn
    merged = manifests[0].model_copy(deep=True)
    merged.schema_version, merged.tool_version = SCHEMA_VERSION, __version__
    # A part of an older schema says `false` of what nobody knows.
    seen = {one.saw_references for one in manifests}
    merged.reference_visible = "no" if seen == {"no"} else "unknown"
    # Where a measure applies to one part only, the others add nothing to it.
    merged.measures = {
        name: "" if any(not one.measures[name] for one in manifests) else why
        for name, why in merged.measures.items()
    }
    merged.sets = list({one.sha256: one for each in manifests for one in each.sets}.values())
    merged.n_items = len(items)
    merged.items_sha256 = content_hash(items)
    merged.reference_origins = sorted({one for each in manifests for one in each.reference_origins})
    merged.references = reference_facts(read_items(items, {}))
    merged.chance_drawn = sorted(drawn)
    merged.nulls = _nulls([one.nulls for one in manifests], parts)
    merged.neutralised_delimiters = sum(one.neutralised_delimiters for one in manifests)
    whole = {"set": merged.items_sha256, "limit": None}
    merged.identity = Identity.model_validate(merged.identity.others("shard") | whole)
    merged.started = min(one.started for one in manifests)
    merged.finished = max(one.finished or "" for one in manifests)
    merged.merged_from = [
        MergedPart(run=str(run.path), items=len(part), row_hashes=one.row_hashes)
        for run, one, part in zip(runs, manifests, parts, strict=True)
    ]
    return merged


def _nulls(facts: Sequence[NullFacts | None], parts: Sequence[Sequence[Item]]) -> NullFacts | None:
    """On which items lists that read nothing were scored.

    On the first of all items, as in a run of the whole, which are among the first of each part;
    where a part has none or drew otherwise, on those of each part that has them.
    """
    measured = [(one, part) for one, part in zip(facts, parts, strict=True) if one and not one.why]
    if not measured:
        return next((one for one in facts if one is not None), None)
    most = {one.items for one, _ in measured}
    if len(measured) == len(facts) and len(most) == 1 and all(m.drawn is None for m, _ in measured):
        return NullFacts(items=most.pop())
    drawn: set[str] = set()
    for one, part in measured:
        known = {item.id for item in null_items(part, most=one.items)}
        drawn |= known if one.drawn is None else set(one.drawn)
    return NullFacts(items=len(drawn), drawn=sorted(drawn))
