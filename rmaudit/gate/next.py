"""What to do after a decision: the exact command, from how the run and its baseline were made."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rmaudit.errors import InputError
from rmaudit.gate.decide import NO_BASELINE, NO_BOUND, REPEATED
from rmaudit.gate.decision import Decision, RuleResult, Step
from rmaudit.gate.evidence import approximate_reader, differing, unqualified_judge
from rmaudit.gate.policy import Policy, shipped_policies
from rmaudit.resources import folder
from rmaudit.run.directory import MANIFEST, RunDir
from rmaudit.run.manifest import RunManifest

MODEL_IN_USE = "MODEL_IN_USE"
LARGER_SET = "LARGER_SET"
OTHER_JUDGE = "openai:MODEL@BASE_URL"
_ASKED = ("--profile", "--prompt")
_SAMPLED = 0.7
"""A temperature at which samples differ, where the run's answers came without one."""
_MOST_RUNS = 200
"""So many of the newest folders beside a run are looked at for a baseline."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a gate was asked to decide; manifests as read, paths as they can be typed again."""

    policy: Policy
    run: Path
    manifest: RunManifest
    baseline: Path | None = None
    baseline_manifest: RunManifest | None = None
    waivers: Path | None = None

    @property
    def policy_spec(self) -> str:
        """The policy as `--policy` takes it."""
        file = Path(self.policy.file)
        shipped = file.parent == folder("checklists") / "policies"
        return file.stem if shipped and file.stem in shipped_policies() else str(file)

    def gate(self, *, run: Path | str | None = None, baseline: Path | str | None = None) -> str:
        """The command that decides again."""
        words = ["rmaudit", "gate", _typed(run or self.run), "--policy", self.policy_spec]
        known = baseline or self.baseline
        words += ["--baseline", _typed(known)] if known else []
        words += ["--waivers", _typed(self.waivers)] if self.waivers else []
        return shlex.join(words)

    def beside(self, name: str) -> Path:
        """A folder beside the run that is not there yet."""
        place = self.run.resolve().parent / name
        numbered = (place.with_name(f"{name}-{k}") for k in range(2, 1000))
        return next((path for path in (place, *numbered) if not path.exists()), place)

    def scan(
        self,
        target: RunManifest | None,
        out: Path,
        *,
        limit: int | None = None,
        sets: Sequence[str] = (),
        judge: str = "",
    ) -> str:
        """The command that scans a target as the run was scanned, but for what is given.

        target: that of a run, with the options that it needs; None for the model in use.
        """
        words = _options(self.manifest)
        if limit is not None:
            words = [*_without(words, "--limit"), "--limit", str(limit)]
        if sets:
            words = _without(_without(_without(words, "--set"), "--family"), "--limit")
            words += [word for one in sets for word in ("--set", one)]
        if judge:
            words = [*_without(words, "--judge"), "--judge", judge]
        spec = MODEL_IN_USE if target is None else target.target.spec
        words = [*_typed_of(self.manifest, target), *_drawn(words, self.manifest, target)]
        return shlex.join(["rmaudit", "scan", spec, *words, "--out", _typed(out)])


def next_steps(decision: Decision, asked: Asked) -> tuple[Step, ...]:
    """The steps after a decision, the first one first."""
    shown = f"rmaudit report {_quoted(asked.run)} --html"
    report = Step("its record, to read and to keep:", shown)
    open_ = [
        rule
        for rule in decision.rules
        if rule.level == "error" and rule.status == "INCONCLUSIVE" and not rule.waived
    ]
    if decision.verdict == "INVALID":
        return tuple(_mended(decision, asked))
    if any(rule.effect == "FAIL" and rule.status == "FAIL" for rule in decision.rules):
        return (
            Step("the items behind it:", shown),
            *_baseline(open_, asked),
            Step("once the model has changed, scan it and decide again:", asked.gate(run="RUN")),
        )
    if decision.verdict == "PASS":
        command = asked.gate(run="NEXT_RUN", baseline=asked.run)
        later = Step("the next model, with this run as its baseline:", command)
        more = _more(decision, open_, asked)
        kept = [later] if asked.policy.relative else []
        return (report, *kept, *more)
    found = [*_baseline(open_, asked), *_more(decision, open_, asked)]
    return tuple(found) or (report,)


def _baseline(open_: Sequence[RuleResult], asked: Asked) -> Iterator[Step]:
    """How to get a baseline, where rules lack one."""
    causes = {rule.unmeasured for rule in open_}
    if not causes & {NO_BASELINE, REPEATED}:
        return
    what = "a baseline" if NO_BASELINE in causes else "another baseline"
    known = _comparable(asked)
    if known is not None:
        path, manifest = known
        yield Step(
            f"if the model in use is {manifest.target.name}, the newest run here that can be "
            "compared with:",
            asked.gate(baseline=path),
        )
        what = "else"
    out = asked.beside("baseline")
    yield Step(
        f"{what}: scan the model in use in the same way, and decide again:",
        asked.scan(None, out),
    )
    yield Step("", asked.gate(baseline=out))


def _more(decision: Decision, open_: Sequence[RuleResult], asked: Asked) -> Iterator[Step]:
    """How many more items, and the command that scans them."""
    manifest, before = asked.manifest, asked.baseline_manifest
    whole = [rule for rule in open_ if rule.unmeasured == NO_BOUND]
    wanting = [rule for rule in open_ if rule.further is not None and rule.n]
    if whole and manifest.stopping == "sequential":
        yield Step(
            f"{_ids(whole)}: scan the whole set, without --until-decided:",
            asked.scan(manifest, asked.beside("whole")),
        )
        return
    if not wanting:
        stuck = [rule for rule in open_ if not rule.unmeasured]
        if stuck:
            yield Step(f"{_ids(stuck)}: the value lies on its limit; more items will not decide it")
        return
    items = manifest.n_items
    needed = max(
        math.ceil(items * (1 + (rule.further or 0) / rule.n) - 1e-9)
        if rule.kind != "relative"
        else _shared(rule, asked) + math.ceil(_per_item(rule, asked) * (rule.further or 0))
        for rule in wanting
    )
    needed = max(needed, 1)
    held = sum(one.items for one in manifest.sets)
    sets = [LARGER_SET] if needed > held else []
    more = max(needed - items, 0)
    why = f"about {more:,} more items decide {_ids(wanting)}, if the values stay"
    if not more:
        why = f"the baseline has too few of the run's items for {_ids(wanting)}"
    if sets:
        why += f"; the set has {held:,} in all, so name one of {needed:,} or more"
    run, base = asked.run, asked.baseline
    steps = []
    if more:
        run = asked.beside("more")
        limit = None if sets else needed
        steps.append(asked.scan(manifest, run, limit=limit, sets=sets))
    if before is not None and (sets or before.n_items < needed):
        base = asked.beside("more-baseline")
        limit = None if sets else needed
        steps.append(asked.scan(before, base, limit=limit, sets=sets))
    steps.append(asked.gate(run=run, baseline=base))
    if manifest.engine.name == "replay" and more:
        why += "; record its answers to them first"
    yield Step(why + ":", steps[0])
    for command in steps[1:]:
        yield Step("", command)


def _shared(rule: RuleResult, asked: Asked) -> int:
    """How many items a relative rule was measured on."""
    before = asked.baseline_manifest
    own = asked.manifest.n_items
    return own if before is None else min(own, before.n_items)


def _per_item(rule: RuleResult, asked: Asked) -> float:
    """Items for each observation of a relative rule."""
    return _shared(rule, asked) / rule.n


def _mended(decision: Decision, asked: Asked) -> Iterator[Step]:
    """How to get evidence that counts."""
    manifest, before = asked.manifest, asked.baseline_manifest
    broken = [rule for rule in decision.rules if rule.status == "INVALID" and rule.level == "error"]
    if decision.problems:
        out = asked.beside("again")
        yield Step("scan again:", asked.scan(manifest, out))
        yield Step("", asked.gate(run=out))
        return
    if not asked.policy.allow_builtin_judge and any(
        approximate_reader(rule.metric, manifest) or unqualified_judge(rule.metric, manifest)
        for rule in broken
    ):
        out = asked.beside("judged")
        yield Step(
            "let a model judge the reasons, of the baseline as well:",
            asked.scan(manifest, out, judge=OTHER_JUDGE),
        )
        yield Step("", asked.gate(run=out))
        return
    other = [
        rule
        for rule in broken
        if rule.kind == "relative"
        and before is not None
        and differing(manifest, before, rule.metric)
    ]
    if other and before is not None:
        only_items = all(differing(manifest, before, rule.metric) == ["items"] for rule in other)
        if only_items and manifest.n_items < before.n_items:
            out = asked.beside("more")
            yield Step(
                "scan the items of the baseline:",
                asked.scan(manifest, out, limit=before.n_items),
            )
            yield Step("", asked.gate(run=out))
            return
        out = asked.beside("baseline")
        yield Step(
            "scan the model of the baseline as this run was scanned:",
            asked.scan(before, out),
        )
        yield Step("", asked.gate(baseline=out))
        return
    if any(rule.kind == "integrity" for rule in broken):
        yield Step(
            "ask again what was not answered:",
            f"{asked.scan(manifest, asked.run)} --resume",
        )
        yield Step("", asked.gate())
        return
    yield Step(
        f"{_ids(broken)}: measured by no part of this run; see what it did measure:",
        f"rmaudit report {_quoted(asked.run)} --html",
    )


def _comparable(asked: Asked) -> tuple[Path, RunManifest] | None:
    """The newest finished run beside this one that every relative rule could be held against."""
    rules = [rule for rule in asked.policy.rules if rule.kind == "relative"]
    here = asked.run.resolve()
    given = None if asked.baseline is None else asked.baseline.resolve()
    found = [path for path in here.parent.glob(f"*/{MANIFEST}") if not path.parent.is_symlink()]
    for place in sorted(found, key=_written, reverse=True)[:_MOST_RUNS]:
        path = place.parent
        if path in (here, given):
            continue
        try:
            other = RunDir.open(path).manifest()
        except (InputError, OSError, RecursionError):  # not this run's fault
            continue
        same = other.target.digest == asked.manifest.target.digest
        same = same and other.guidelines == asked.manifest.guidelines
        if other.status != "finished" or same:
            continue
        if not any(differing(asked.manifest, other, rule.metric) for rule in rules):
            return path, other
    return None


def _written(path: Path) -> float:
    """When a file was written, 0 where it cannot be seen."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _options(manifest: RunManifest) -> list[str]:
    """The options that decide what a scan measures, as typed; of older runs, as far as known."""
    if manifest.options is not None:
        return list(manifest.options)
    words = [word for one in manifest.sets for word in ("--set", one.name)]
    if manifest.identity.limit is not None:
        words += ["--limit", str(manifest.identity.limit)]
    words += ["--orders", "ab"] if manifest.orders == ["ab"] else []
    return [*words, "--judge", manifest.judge.spec]


def _typed_of(run: RunManifest, target: RunManifest | None) -> list[str]:
    """The options that belong to a target; the model in use is asked as the run was."""
    if target is None:
        kept = _ASKED if run.gives_reasons else ()
        typed = iter(run.target.typed or ())
        return [one for word in typed if word in kept for one in (word, next(typed, ""))]
    if target.target.typed is not None:
        return list(target.target.typed)
    return ["--lower-is-better"] if target.target.lower_is_better else []


def _drawn(words: list[str], run: RunManifest, target: RunManifest | None) -> list[str]:
    """With a temperature where several samples of another target than the run's need one."""
    known = target is not None and (
        target is run or target.engine.name == "replay" or bool(target.sampling.temperature)
    )
    if known or "--samples" not in words or "--temperature" in words:
        return words
    drawn = run.sampling.temperature or _SAMPLED
    return [*words, "--temperature", f"{drawn:g}"]


def _without(words: Sequence[str], option: str) -> list[str]:
    """The words without an option and its value, wherever it stands."""
    left: list[str] = []
    skip = False
    for word in words:
        if not skip and word != option:
            left.append(word)
        skip = word == option
    return left


def _ids(rules: Sequence[RuleResult]) -> str:
    ids = [rule.id for rule in rules]
    return ", ".join(ids[:3]) + (f" and {len(ids) - 3} more" if len(ids) > 3 else "")


def _quoted(path: Path) -> str:
    return shlex.quote(_typed(path))


def _typed(path: Path | str) -> str:
    """A path as short as it can be typed from here."""
    if isinstance(path, str):
        return path
    near = os.path.relpath(path)
    return str(path) if near.startswith("..") else near
