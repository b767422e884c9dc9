"""The appendix: how to read the numbers, what they cannot say, and how the run was made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rmaudit.metrics.conflicts import conflicts
from rmaudit.metrics.headlines import stopped_sentence
from rmaudit.metrics.registry import limits
from rmaudit.models.prompt_text import OF_USER, PUBLISHED
from rmaudit.prompts import NOT_TRAINED_ON, not_trained_on
from rmaudit.report.answers import SHOWN_FIRST
from rmaudit.report.data import RunData
from rmaudit.run.graders import NOT_MEASURED
from rmaudit.run.manifest import RunManifest
from rmaudit.run.ordinary import recall_sentence

READING = (
    "An item's value is the mean over its orders and samples; a metric is the mean over items. "
    "Order consistency, first-position bias and readable answers count each answer, or pair of "
    "orders, once.",
    "The 95 % interval tells how far the number could move with other items like these. It comes "
    "from resampling groups of items, or is exact where every group gives the same value. It does "
    "not cover errors of the judge or of the references.",
    "An answer without a readable verdict is wrong, and one without readable reasons has rationale "
    "consistency 0. Where the model did not answer, or the judge failed, the answer is left out "
    "and counted; worst and best say what the number would be had all of those gone one way.",
)
APPROXIMATE = (
    "A judge without a model (builtin, lexical) compares text and approximates: it can miss a "
    "fault that is worded freely, "
    "and credit one that only shares its facts. Take small differences with care."
)
UNQUALIFIED = (
    "A judge that is not qualified scored too many pairs wrongly on ordinary items when it was "
    "checked: rationale metrics that rest on it can be off either way."
)
UNMEASURED = (
    "A judge that is not measured was never put to ordinary items with known truth: how far "
    "rationale metrics that rest on it are off is not known."
)
PROGRAM = (
    "Program-made items have simple faults that are known in advance. They show whether reasons "
    "can be trusted at all; they do not rank models in general."
)
BY_MODEL = "References written by a model hold what that model sees, and share its blind spots."


class Setting(NamedTuple):
    """One fact of the manifests; a single value where all runs share it."""

    name: str
    values: tuple[str, ...]


class Method(NamedTuple):
    """The appendix."""

    reading: tuple[str, ...]
    limits: tuple[str, ...]
    settings: tuple[Setting, ...]


def method(runs: Sequence[RunData]) -> Method:
    """How to read the numbers, what they cannot say, and the facts of the manifests."""
    return Method(
        reading=READING,
        limits=tuple(_limits([one.manifest for one in runs])),
        settings=_settings([_settings_of(one.manifest) for one in runs]),
    )


def warnings(runs: Sequence[RunData]) -> tuple[str, ...]:
    """What a reader should know before reading any number."""
    found = list(_comparison([one.manifest for one in runs]))
    for one in runs:
        which = f"Run {one.number}, {one.name}: " if len(runs) > 1 else ""
        found += [which + text if which else text[0].upper() + text[1:] for text in _of_run(one)]
    return tuple(found)


def _of_run(one: RunData) -> Iterator[str]:
    manifest = one.manifest
    told = one.integrity.line(one.run)
    if told:
        yield f"{told}."
    if manifest.sequential is not None:
        text = stopped_sentence(manifest.sequential.as_dict())
        yield text[0].lower() + text[1:]
    if disagree := conflicts(one.results.values()).warning:
        yield f"{disagree}."
    rows = [row for result in one.results.values() for row in result.rows]
    for source, who in (("target:", "the model gave no answer"), ("judge:", "the judge failed")):
        failed = sum((row.failure or "").startswith(source) for row in rows)
        if failed:
            yield f"{who} in {failed:,} of {len(rows):,} cases, which are left out."
    for part in manifest.sets:
        if part.skipped_lines:
            yield f"{part.skipped_lines:,} bad lines of the set {part.name} were left out."
        if part.stale_card:
            yield f"the card of the set {part.name} was written for other items."
    if told := recall_sentence(manifest):
        yield f"{told}."
    if manifest.references and manifest.references.sentence:
        yield f"{manifest.references.sentence}."
    if manifest.neutralised_delimiters:
        yield (
            f"{manifest.neutralised_delimiters:,} prompt delimiters inside the items were "
            "neutralised."
        )


def _comparison(manifests: Sequence[RunManifest]) -> Iterator[str]:
    """What keeps runs from being compared: anything but the target that differs."""
    first, *others = (manifest.identity for manifest in manifests)
    differing = {name for other in others for name in first.differences(other)}
    differ = [
        name.replace("_", " ") for name in first.names() if name != "target" and name in differing
    ]
    if differ:
        yield f"These runs differ in more than the model ({', '.join(differ)}): compare with care."


def _limits(manifests: Sequence[RunManifest]) -> Iterator[str]:
    origins = {origin for manifest in manifests for origin in manifest.reference_origins}
    yield from limits()
    if any(manifest.judge.approximate for manifest in manifests):
        yield APPROXIMATE
    if any(manifest.judge.unqualified for manifest in manifests):
        yield UNQUALIFIED
    if any(manifest.judge_standing == NOT_MEASURED for manifest in manifests):
        yield UNMEASURED
    for told in dict.fromkeys(filter(None, (manifest.weak_labels for manifest in manifests))):
        yield f"{told[0].upper()}{told[1:]}."
    if "program" in origins:
        yield PROGRAM
    if any(origin.startswith("model:") for origin in origins):
        yield BY_MODEL


def _settings_of(manifest: RunManifest) -> dict[str, str]:
    target, engine = manifest.target, manifest.engine
    return {
        "tool": f"rmaudit {manifest.tool_version}",
        "target": target.spec,
        "target sha256": target.digest,
        "target facts": _flat(target.others("spec", "name", "digest")),
        "kind": f"{manifest.rm_type} ({manifest.rm_type_why})",
        "sets": "; ".join(
            f"{part.name} {part.version}, {part.items:,} items, origin {part.origin}, "
            f"sha256 {part.sha256}"
            for part in manifest.sets
        ),
        "items used": f"{manifest.n_items:,}",
        "references by": ", ".join(manifest.reference_origins),
        "judge": _flat(manifest.judge.as_dict()),
        "judge view": manifest.judge_view,
        "prompts sha256": _flat(manifest.prompts),
        "reference visible to the model": manifest.saw_references,
        "most reasons read": str(manifest.max_reasons),
        "orders": ", ".join(SHOWN_FIRST[order] for order in manifest.orders),
        "samples": str(manifest.samples),
        "verdicts": _verdicts(manifest),
        "seeds": _flat(manifest.seeds.as_dict()),
        "profile": _profile(manifest),
        "sampling": _flat(manifest.sampling.as_dict()),
        "engine": f"{engine.name} ({engine.why})",
        "engine facts": _flat(engine.others("name", "why")),
        "stopping": manifest.stopping,
        "started": manifest.started,
        "finished": str(manifest.finished),
    }


def _verdicts(manifest: RunManifest) -> str:
    """Whose reading of recorded answers counts, '' where a model ran."""
    if manifest.verdicts == "recorded":
        return "as recorded with the answers"
    differ, compared = manifest.recorded_differences, manifest.recorded_compared
    if differ is None:
        return ""
    return f"as read here; {differ:,} of {compared:,} differ from the recorded decisions"


def _settings(runs: Sequence[Mapping[str, str]]) -> tuple[Setting, ...]:
    """One line a fact; facts that say nothing in any run are left out."""
    settings = []
    for name in runs[0]:
        values = tuple(one[name] for one in runs)
        if any(values):
            settings.append(Setting(name, values[:1] if len(set(values)) == 1 else values))
    return tuple(settings)


def _flat(fields: Mapping[str, Any]) -> str:
    """`name value, name value`, with the fields of an inner object in its place."""
    return ", ".join(_pairs(fields))


def _pairs(fields: Mapping[str, Any]) -> Iterable[str]:
    for name, value in fields.items():
        if isinstance(value, Mapping):
            yield from _pairs(value)
        else:
            yield f"{name} {_text(value)}"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _profile(manifest: RunManifest) -> str:
    """The profile, and what a reader has to know of its prompt."""
    if not_trained_on(manifest.prompts):
        return f"{manifest.profile} (another prompt: {NOT_TRAINED_ON})"
    for name, whose in ((PUBLISHED, "its published prompt"), (OF_USER, "a prompt of the user's")):
        if name in manifest.prompts:
            return f"{manifest.profile} ({whose}, SHA-256 {manifest.prompts[name][:12]})"
    return manifest.profile
