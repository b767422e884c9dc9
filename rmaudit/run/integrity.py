"""The one integrity check: is a run still what its scan left, and does it agree with itself.

Every command that reads a run asks it, and says what is wrong in the first line that it prints.
Hashes find what was changed; what no hash covers (runs of older schemas, and each run when it is
sealed) is held against itself: keys, shapes, counts, what was asked for.

It detects accidents and stale files, not a forger, who can write hashes as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, Literal, NamedTuple

from rmaudit.checklists.load import CARD_FILE, ITEMS_FILE, content_hash
from rmaudit.errors import EXIT_USAGE, InputError, RmauditError
from rmaudit.run.contradictions import contradictions
from rmaudit.run.directory import MANIFEST, METRICS, RunDir
from rmaudit.run.files import ROW_FILES
from rmaudit.run.item import run_items
from rmaudit.run.manifest import RunManifest
from rmaudit.run.numbers import read_numbers
from rmaudit.run.row_checks import row_contradictions
from rmaudit.run.seal import SEALED_FROM, seal_of

Word = Literal["", "not sealed", "unfinished", "stale", "changed", "contradictory", "damaged"]
_WORST = ("damaged", "contradictory", "changed", "stale")
_SHOWN = 3
AGAIN = "restore the files, or scan again into another --out"


class Integrity(NamedTuple):
    """What the check found.

    Attributes:
        word: what the run is; '' where it is as its scan left it, and `not sealed` where an older
            rmaudit left less to check it by.
        problems: why it is no evidence; none where it is.
        notes: what could not be checked.
    """

    word: Word
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.problems

    def line(self, run: RunDir) -> str:
        """The first line of what is printed of the run; '' where there is nothing to say."""
        if self.sound:
            return f"{run.path} is {self.word}: {'; '.join(self.notes)}" if self.word else ""
        more = len(self.problems) - _SHOWN
        told = "; ".join(self.problems[:_SHOWN]) + (f"; and {more} more" if more > 0 else "")
        return f"{self.word.upper()} RUN {run.path}: {told}"

    def as_dict(self) -> dict[str, Any]:
        """For --json."""
        return {"state": self.word or "sound", "problems": [*self.problems], "notes": [*self.notes]}


SOUND = Integrity("")


class _Problem(NamedTuple):
    word: Word
    what: str


def check(run: RunDir) -> Integrity:
    """Checks a run.

    Raises:
        InputError: it is no run, or its manifest cannot be read.
    """
    manifest = run.manifest()
    if manifest.status != "finished":
        what = f"its scan did not end (status {manifest.status})"
        return Integrity("unfinished", (what,))
    found = [_Problem("changed", what) for what in changes(run)]
    found += [_Problem("changed", f"when it was resumed, {one}") for one in manifest.resumed_over]
    found += [_Problem("contradictory", what) for what in contradictions(manifest)]
    if manifest.saw_references == "yes":
        what = "the model saw the references, so that its reasons are not its own"
        found.append(_Problem("contradictory", what))
    sealed = manifest.schema_version >= SEALED_FROM
    if found or not sealed:
        found += _inside(run, manifest)
    if not found:
        return SOUND if sealed else Integrity("not sealed", (), (_older(manifest),))
    word = next(word for word in _WORST if any(one.word == word for one in found))
    return Integrity(word, tuple(dict.fromkeys(one.what for one in found)))  # type: ignore[arg-type]


def check_before_seal(run: RunDir, manifest: RunManifest) -> None:
    """What a run must be before it is sealed.

    Raises:
        RmauditError: its rows contradict each other; they are kept, and no seal is set.
    """
    items = run_items(run)
    what = next(chain(contradictions(manifest), row_contradictions(run, items, manifest)), "")
    if what:
        raise RmauditError(
            f"{run.path} contradicts itself: {what}",
            "its rows are kept, and it is not called finished; scan into another --out, and report "
            "this if nobody changed the folder",
        )


def changes(run: RunDir) -> list[str]:
    """Files that are not as the run left them, in words; also a manifest that was edited."""
    manifest = run.manifest()
    recorded = dict(manifest.row_hashes or {})
    found = run.hashes()
    problems = []
    names = [file.name for file in ROW_FILES]
    if manifest.schema_version >= SEALED_FROM:
        record = run.read_json(MANIFEST)
        if manifest.seal != seal_of(record):
            problems.append(f"{MANIFEST} was changed since the run ended")
        recorded |= manifest.file_hashes or {}
        found |= run.other_hashes()
        names += [f"checklist/{ITEMS_FILE}", f"checklist/{CARD_FILE}", METRICS]
    for name in dict.fromkeys([*names, *recorded, *found]):
        if recorded.get(name) != found.get(name):
            what = "was added" if name not in recorded else "was changed"
            problems.append(f"{name} {what if name in found else 'is missing'} since the run ended")
    return problems


def _inside(run: RunDir, manifest: RunManifest) -> Iterator[_Problem]:
    """What the files say against each other."""
    try:
        items = run_items(run)
    except InputError as error:
        yield _Problem("damaged", error.message)
        return
    if manifest.items_sha256 not in ("", content_hash(items)):
        what = "the items in checklist/ are not those that the run was made with"
        yield _Problem("changed", what)
    planned = len(items) if manifest.sequential is None else manifest.sequential.items_planned
    if len(items) != planned or manifest.n_items > len(items):
        yield _Problem("contradictory", f"n_items is {manifest.n_items} of {len(items)} items")
    try:
        for what in row_contradictions(run, items, manifest):
            yield _Problem("contradictory", what)
    except InputError as error:
        yield _Problem("damaged", error.message)
    try:
        read_numbers(run)
    except InputError as error:
        yield _Problem("damaged", error.message)


def _older(manifest: RunManifest) -> str:
    return (
        f"it was made by an older rmaudit (schema {manifest.schema_version}), which left no hashes "
        "of its manifest, items, prompts and metrics.json"
    )


def refuse_unsound(run: RunDir) -> Integrity:
    """The check, for what must not build on a run that is no evidence.

    Raises:
        InputError: it is not sound; the message begins as all other outputs on it.
    """
    found = check(run)
    if not found.sound:
        unfinished = found.word == "unfinished"
        hint = f"go on with it: rmaudit scan ... --resume --out {run.path}" if unfinished else AGAIN
        raise InputError(found.line(run), hint)
    return found


class DamagedRun(RmauditError):
    """A run that is known to be unsound could not be read further."""

    exit_code = EXIT_USAGE


@contextmanager
def unsound(runs: Sequence[tuple[RunDir, Integrity]]) -> Iterator[None]:
    """Within, what goes wrong on a run that is not sound is its damage, and no bug.

    Raises:
        DamagedRun: in place of any error that no command foresees.
    """
    try:
        yield
    except RmauditError:
        raise
    except Exception as error:
        bad = [(run, found) for run, found in runs if not found.sound]
        if not bad:
            raise
        raise DamagedRun(
            f"{'; '.join(found.line(run) for run, found in bad)}; what was asked for cannot be "
            f"made of it ({type(error).__name__}: {error})",
            AGAIN,
        ) from error
