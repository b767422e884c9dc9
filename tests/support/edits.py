"""What was tried on the files of a finished run: each edit, and what each command does then."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.run.directory import RunDir, sha256_of
from rmaudit.run.seal import sealed
from support.command_line import Done
from support.damage import WHOLE, fresh, places, spoil
from support.gate_runs import policy, rule
from support.report_runs import faithful, run_set, vague

Cli = Callable[..., Done]
Change = Callable[[Path], object]
SPEC = "synth:3:4:slogan"
ITEM = "slogan-3-00000"
RECORD = "manifest.json"
ROWS = (
    "generations.jsonl", "verdicts.jsonl", "matches.jsonl", "flaws.jsonl", "nulls.jsonl",
    "results.jsonl", "checklist/items.jsonl",
)  # fmt: skip
OTHERS = ("metrics.json", "checklist/card.toml")
WORDS = ("changed", "contradictory", "damaged", "stale", "unfinished")


class Edit(NamedTuple):
    """One edit of one file of a run."""

    name: str
    file: str
    change: Change


# ------------------------------------------------------------------------ a value in a file


def another(value: object) -> object:
    """A value of the same type that says something else."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return {"a": "b", "b": "a"}.get(value, value + "x")
    return "x" if value is None else [] if value else None


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def first_of(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    return json.loads(text.splitlines()[0] if path.suffix == ".jsonl" else text)


def field_edits(run: Path, file: str) -> Iterator[Edit]:
    """Each field of a record (of rows: of the first) given another value, and left out."""
    data = first_of(run / file)
    for path in places(data):
        told = ".".join(map(str, path))
        value = another(at(data, path))
        yield Edit(f"{told} changed", file, lambda r, p=path, v=value: spoil(r / file, p, v))
        yield Edit(f"{told} left out", file, lambda r, p=path: spoil(r / file, p, None, drop=True))


# ---------------------------------------------------------------------------- rows and bytes


def row_removed(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[1:]))


def row_twice(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[0]]))


def row_changed(path: Path) -> None:
    """Whatever the first line says of an answer says the other."""
    found = next(
        where
        for where in places(first_of(path))
        if isinstance(value := at(first_of(path), where), str | int | float)
        and another(value) != value
        and where[-1] not in ("item", "variant", "slot", "order", "sample", "id")
    )
    spoil(path, found, another(at(first_of(path), found)))


def row_of_another_item(path: Path) -> None:
    name = "id" if path.name == "items.jsonl" else "item"
    spoil(path, (name,), "slogan-3-99999")


def last_byte_gone(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-2])


def windows_lines(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def byte_order_mark(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())


def other_encoding(path: Path) -> None:
    path.write_bytes(path.read_text(encoding="utf-8").encode("utf-16"))


def blank_line(path: Path) -> None:
    path.write_bytes(b"\n" + path.read_bytes())


def duplicated_key(path: Path) -> None:
    """A key twice in one object: readers of JSON take the last in silence."""
    text = path.read_text(encoding="utf-8")
    key = next(iter(first_of(path)))
    path.write_text(text.replace("{", "{" + f'"{key}": "x", ', 1), encoding="utf-8")


def huge_number(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("{", '{"x": ' + "9" * 5000 + ", ", 1), encoding="utf-8")


def number_that_is_none(path: Path, word: str) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("{", '{"x": ' + word + ", ", 1), encoding="utf-8")


def half_a_character(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("{", '{"x": "\\ud800", ', 1), encoding="utf-8")


def a_link_to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def a_link_to_itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


ROW_EDITS = (row_removed, row_twice, row_changed, row_of_another_item, blank_line)
BYTE_EDITS: dict[str, Callable[[Path], object]] = {
    **{one.__name__: one for one in (
        last_byte_gone, windows_lines, byte_order_mark, other_encoding, duplicated_key,
        huge_number, half_a_character, a_link_to_nothing, a_link_to_itself,
    )},
    "NaN": partial(number_that_is_none, word="NaN"),
    "Infinity": partial(number_that_is_none, word="-Infinity"),
    **WHOLE,
}  # fmt: skip
JSON_ONLY = (duplicated_key, huge_number, half_a_character, *(
    BYTE_EDITS[name] for name in ("NaN", "Infinity")
))  # fmt: skip


def on(file: str, change: Callable[[Path], object]) -> Change:
    return lambda run: change(run / file)


def with_its_hash(file: str, change: Callable[[Path], object]) -> Change:
    """The row edited and its hash in the manifest with it; the seal is of before."""

    def both(run: Path) -> None:
        change(run / file)
        data = json.loads((run / RECORD).read_text())
        hashes = data["row_hashes"] if file in data["row_hashes"] else data["file_hashes"]
        hashes[file] = sha256_of(run / file)
        (run / RECORD).write_text(json.dumps(data))

    return both


def file_edits() -> Iterator[Edit]:
    """Edits of whole files and of rows."""
    for file in ROWS:
        for one in ROW_EDITS:
            yield Edit(one.__name__, file, on(file, one))
        yield Edit("row_changed with its hash", file, with_its_hash(file, row_changed))
    for file in (RECORD, *OTHERS, *ROWS):
        for name, change in BYTE_EDITS.items():
            if not (file.endswith(".toml") and change in JSON_ONLY):
                yield Edit(name, file, on(file, change))


def same_after(run: Path, edited: Path) -> bool:
    """Whether a file says what it said: every byte, or of manifest.json all but its line ends."""
    files = [path.relative_to(run) for path in run.rglob("*") if path.is_file()]
    return all((edited / one).is_file() and says(edited / one) == says(run / one) for one in files)


def says(path: Path) -> bytes:
    data = path.read_bytes()
    return data.replace(b"\r\n", b"\n") if path.name == RECORD else data


# ------------------------------------------------------------------------ what commands do


def evidence_runs(cli: Cli) -> tuple[Path, Path]:
    """A run that was gated and another, with a policy and one that compares with a baseline."""
    policy(rule("accuracy", 0.01), rule("rc", 0.01))
    paired = rule("rc", 0.5, kind="relative")
    policy(rule("accuracy", 0.01), paired, name="paired.toml")
    found = run_set(faithful, spec=SPEC).path, run_set(vague, "other", spec=SPEC).path
    assert cli("gate", found[0], "--policy", "policy.toml").code == 0
    return found


def commands(run: Path, other: Path) -> dict[str, tuple[object, ...]]:
    """Each command that reads a finished run."""
    return {
        "gate": ("gate", run, "--policy", "policy.toml"),
        "report": ("report", run, "--html", "--out", "page.html"),
        "compare": ("compare", other, run),
        "show": ("show", run, ITEM),
        "merge-runs": ("merge-runs", other, run, "--out", "merged"),
        "fix": ("fix", run, "--train", "synth:4:4"),
        "as baseline": ("gate", other, "--policy", "paired.toml", "--baseline", run),
        "scan --resume": (
            "scan", "replay:model.jsonl", "--set", SPEC, "--judge", "builtin", "--out", run,
            "--resume",
        ),
    }  # fmt: skip


REFUSING = ("merge-runs", "fix")
"""Commands that build on a run: they refuse what is no evidence."""


class Outcome(NamedTuple):
    """What a command did: its exit code, the first line it printed, and what is wrong with it."""

    code: int
    line: str
    fault: str


def outcome(cli: Cli, name: str, words: tuple[object, ...], run: Path) -> Outcome:
    """Runs a command on a run that was edited, and judges what it did."""
    done = cli(*words)
    said = done.out + done.err
    line = next((line for line in (done.out if done.code != 2 else done.err).splitlines()), "")
    fault = ""
    if "met a bug" in said or "Traceback" in said:
        fault = "a bug"
    elif done.code in (1, 2) and not ("error: " in done.err and "hint: " in done.err):
        fault = "no error with a hint"
    elif done.code not in (0, 1, 2, 3, 4, 5):
        fault = "no exit code of ours"
    elif name in ("gate", "as baseline", "then gate") and done.code not in (2, 5):
        fault = "passes or decides"
    elif name in REFUSING and done.code != 2:
        fault = "builds on it"
    elif name not in ("scan --resume",) and not called(line, run):
        fault = "the first line does not say it"
    return Outcome(done.code, line, fault)


def called(line: str, run: Path) -> bool:
    """Whether a line calls the run what it is, or names a file of it that cannot be read."""
    wrong = any(f"{word.upper()} RUN {run}" in line for word in WORDS)
    return wrong or (line.startswith("error: ") and run.name in line)


def outcomes(cli: Cli, run: Path, other: Path, *, only: tuple[str, ...] = ()) -> dict[str, Outcome]:
    """All commands on an edited run; the last one is a resume, after which it is gated again."""
    found = {}
    for name, words in commands(run, other).items():
        if only and name not in only:
            continue
        found[name] = outcome(cli, name, words, run)
        shutil.rmtree("merged", ignore_errors=True)
    if not only:
        found["then gate"] = outcome(cli, "gate", commands(run, other)["gate"], run)
    return found


# ------------------------------------------------------------------------- the known limit


def forged(run: Path, better: Path) -> None:
    """Rows of a better model in the place of a run's own, and each hash and the seal made anew."""
    for name in (*ROWS, "metrics.json"):
        shutil.copy(better / name, run / name)
    record = RunDir(run)
    data = record.read_json(RECORD)
    data["row_hashes"] = record.hashes()
    data["file_hashes"] = record.other_hashes()
    (run / RECORD).write_text(json.dumps(sealed(data)))


# --------------------------------------------------------------------- decisions and baselines


class Case(NamedTuple):
    """Something tried on a decision or a baseline: what the last command has to end with."""

    name: str
    prepare: Callable[[Cli, Path, Path], tuple[object, ...]]
    codes: tuple[int, ...]
    says: str = ""


def _gate(run: Path, *more: object) -> tuple[object, ...]:
    return ("gate", run, "--policy", "paired.toml", *more)


def _copy(run: Path) -> Path:
    return fresh(run, Path("copy"))


def _with_seed(cli: Cli, run: Path, other: Path) -> tuple[object, ...]:
    """The same recorded answers under another seed."""
    words = "--set", SPEC, "--judge", "builtin", "--seed", "7", "--out", "again"
    assert cli("scan", "replay:model.jsonl", *words).code == 0
    return _gate(run, "--baseline", "again")


def _after(change: Callable[[Path], object]) -> Callable[[Cli, Path, Path], tuple[object, ...]]:
    def prepare(cli: Cli, run: Path, other: Path) -> tuple[object, ...]:
        assert cli(*_gate(run, "--baseline", other)).code in (0, 3, 4)
        change(run)
        return ("report", run, "--md")

    return prepare


def _decided_otherwise(path: Path) -> None:
    data = json.loads(path.read_text())
    data["verdict"] = "FAIL" if data["verdict"] == "PASS" else "PASS"
    path.write_text(json.dumps(data))


CASES = (
    Case("no baseline", lambda cli, run, other: _gate(run), (4,), "no baseline"),
    Case("the run is its own baseline", lambda cli, run, other: _gate(run, "--baseline", run),
         (4,), "the same answers of the same model"),
    Case("the baseline is a copy", lambda cli, run, other: _gate(run, "--baseline", _copy(run)),
         (4,), "the same answers of the same model"),
    Case("the baseline repeats it, another seed", _with_seed,
         (4,), "the same answers of the same model"),
    Case("gate.json: another verdict",
         _after(lambda run: _decided_otherwise(run / "gate.json")), (0,), "gate.json was edited"),
    Case("policy edited after the decision",
         _after(lambda run: Path("paired.toml").write_text(
             Path("paired.toml").read_text().replace("0.01", "0.02"))),
         (0,), "the policy was changed since the decision"),
    Case("baseline edited after the decision",
         _after(lambda run: row_removed(Path("run-other/verdicts.jsonl"))),
         (0,), "the baseline was changed since the decision"),
    Case("run edited after the decision", _after(lambda run: row_removed(run / "verdicts.jsonl")),
         (0,), "CONTRADICTORY RUN"),
    Case("gate.json cut off", _after(lambda run: WHOLE["cut"](run / "gate.json")),
         (0,), "gate.json is damaged"),
    Case("gate.json is a folder", _after(lambda run: WHOLE["a_folder"](run / "gate.json")),
         (0,), "Not gated"),
)  # fmt: skip
