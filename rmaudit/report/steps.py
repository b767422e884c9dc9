"""The command that comes after a verdict, with the paths of this run in it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from rmaudit.gate.decision import Decision
from rmaudit.report.data import RunData
from rmaudit.run.manifest import RunManifest

_SYNTH = re.compile(r"synth:(\d+)((?::.*)?)")


def next_command(
    one: RunData, decision: Decision | None, *, baseline: Path | None, worst: str
) -> str:
    """What a reader can run next, '' where nothing is. Words in capitals are to be filled in.

    Args:
        one: the run.
        decision: of its gate, None where it was not gated.
        baseline: the run that the page compares with.
        worst: the item that fails most.
    """
    run, manifest = shown_path(one.run.path), one.manifest
    against = shlex.quote(shown_path(baseline)) if baseline is not None else "BASELINE"
    if decision is None:
        policy = "release"
        if not manifest.gives_reasons:
            policy = "score-only"
        elif manifest.judge.approximate or manifest.judge.unqualified:
            policy = "pr"  # release takes no approximate judge
        return f"rmaudit gate {shlex.quote(run)} --policy {policy} --baseline {against}"
    if decision.verdict == "FAIL":
        if is_checkpoint(manifest) and manifest.gives_reasons:
            return f"rmaudit fix {shlex.quote(run)} --train {_other_set(manifest)}"
        return f"rmaudit show {shlex.quote(run)} {shlex.quote(worst)}" if worst else ""
    # The first step that is not to read this page.
    commands = (step.command for step in decision.next)
    return next((one for one in commands if one and not one.startswith("rmaudit report ")), "")


def scan_again(manifest: RunManifest) -> str:
    """The command that makes a run anew; a set of one's own is named by its card."""
    words = ["rmaudit", "scan", manifest.target.spec]
    return shlex.join([*words, *(word for one in manifest.sets for word in ("--set", one.name))])


def shown_path(path: Path) -> str:
    """A path as a reader would type it: below the working directory without its beginning."""
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return str(path)


def is_checkpoint(manifest: RunManifest) -> bool:
    """Whether the target is a model that can be trained."""
    return "architecture" in manifest.target.as_dict()


def _other_set(manifest: RunManifest) -> str:
    """A set to train on that shares no item with this run, where a generator makes one."""
    found = _SYNTH.fullmatch(manifest.sets[0].name) if len(manifest.sets) == 1 else None
    return "SET" if found is None else shlex.quote(f"synth:{int(found[1]) + 1}{found[2]}")
