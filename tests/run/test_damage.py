"""No file of a run that is damaged ends in "rmaudit met a bug", and none lets a run pass."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.command_line import Done
from support.damage import VALUES, WHOLE, fresh, places, spoil
from support.gate_runs import policy, rule
from support.report_runs import faithful, run_set, vague
from support.run_samples import FOLDER

Cli = Callable[..., Done]
SPEC = "synth:3:4:slogan"
ITEM = "slogan-3-00000"
FILES = (
    "manifest.json", "metrics.json", "generations.jsonl", "verdicts.jsonl", "matches.jsonl",
    "flaws.jsonl", "nulls.jsonl", "results.jsonl", "checklist/items.jsonl", "checklist/card.toml",
)  # fmt: skip


def commands(run: Path, other: Path) -> Iterator[tuple[object, ...]]:
    """Every command that reads a run; the first is its gate."""
    yield "gate", run, "--policy", "policy.toml"
    yield "show", run, ITEM
    yield "report", run, "--json"
    yield "compare", other, run
    yield "report", run, "--md"
    yield "report", run, "--html", "--out", "report.html"
    yield "report", run, "--model-card"
    yield "merge-runs", other, run, "--out", "merged"
    yield "policy", "calibrate", run
    yield "gate", other, "--policy", "policy.toml", "--baseline", run


def bad(cli: Cli, run: Path, other: Path, *, most: int | None = None) -> Iterator[str]:
    """What a command says that it must not, of a run that is damaged."""
    for number, command in enumerate(list(commands(run, other))[:most]):
        done = cli(*command)
        said = done.out + done.err
        if "met a bug" in said or "Traceback" in said:
            yield f"{command}: {said[:300]}"
        elif done.code == 2 and not ("error: " in done.err and "hint: " in done.err):
            yield f"{command}: exit 2, and no error with a hint"
        elif done.code not in (0, 2, 3, 4, 5):
            yield f"{command}: exit {done.code}"
        elif number == 0 and done.code not in (2, 5):
            yield f"{command}: a damaged run ends with {done.code}"
    shutil.rmtree("merged", ignore_errors=True)


@pytest.fixture
def runs(cli: Cli) -> tuple[Path, Path]:
    policy(rule("accuracy", 0.01), rule("rc", 0.01))
    found = run_set(faithful, spec=SPEC).path, run_set(vague, "other", spec=SPEC).path
    assert cli("gate", found[0], "--policy", "policy.toml").code == 0
    return found


@pytest.mark.parametrize("name", FILES)
def test_some_damage(cli: Cli, runs: tuple[Path, Path], name: str) -> None:
    for damage in ("cut", "deep", "gone"):
        run = fresh(runs[0], Path("spoilt"))
        WHOLE[damage](run / name)
        assert not list(bad(cli, run, runs[1], most=2)), damage


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_all_damage_by_all_commands(cli: Cli, runs: tuple[Path, Path], name: str) -> None:
    for damage, spoil_it in WHOLE.items():
        run = fresh(runs[0], Path("spoilt"))
        before = (run / name).read_bytes()
        spoil_it(run / name)
        if not (run / name).is_file() or (run / name).read_bytes() != before:
            assert not list(bad(cli, run, runs[1])), damage


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in FILES if not name.endswith(".toml")])
def test_values_of_wrong_kinds(cli: Cli, runs: tuple[Path, Path], name: str) -> None:
    """Drawn places of a sealed run; its other files stay as they are."""
    rng, text = random.Random(name), (runs[0] / name).read_text()
    data = json.loads(text.splitlines()[0] if name.endswith("l") else text)
    drawn = rng.sample([(at, value) for at in places(data) for value in VALUES], 12)
    for at, value in drawn:
        run = fresh(runs[0], Path("spoilt"))
        spoil(run / name, at, value)
        if (run / name).read_text() != text:
            assert not list(bad(cli, run, runs[1], most=4)), (at, value)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["manifest.json", "metrics.json", "checklist/items.jsonl"])
def test_files_that_no_hash_covers(cli: Cli, runs: tuple[Path, Path], name: str) -> None:
    """A run of an older schema is not sealed, so that only what is wrong in itself is found."""
    sample = FOLDER / "schema-2" / "lists"
    text = (sample / name).read_text()
    data = json.loads(text.splitlines()[0] if name.endswith("l") else text)
    rng = random.Random(name)
    for at, value in rng.sample([(at, v) for at in places(data) for v in VALUES], 15):
        run = fresh(sample, Path("spoilt"))
        spoil(run / name, at, value)
        told = [one for one in bad(cli, run, runs[1], most=8) if "a damaged run ends" not in one]
        assert not told, (at, value)


def test_a_decision_that_is_damaged_is_void_and_made_anew(
    cli: Cli, runs: tuple[Path, Path]
) -> None:
    for damage in ("cut", "binary", "deep_list", "null", "nothing_in_it", "a_folder"):
        run = fresh(runs[0], Path("spoilt"))
        WHOLE[damage](run / "gate.json")
        told = json.loads(cli("report", run, "--json").out)["runs"][0]
        assert told["gate"] is None, damage
        if damage != "a_folder":
            assert told["gate_void"], damage
            assert cli("gate", run, "--policy", "policy.toml").code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("policy", "lint", "deep.toml"),
        ("checklist", "validate", "set"),
        ("scan", "replay:none.jsonl", "--set", SPEC, "--profile", "deep.toml"),
        ("fix", "none", "--config", "deep.toml"),
    ],
)
def test_files_that_people_write_are_read_or_refused(cli: Cli, words: tuple[str, ...]) -> None:
    deep = f"a = {'[' * 5000}{']' * 5000}\n"
    Path("set").mkdir()
    for path in ("deep.toml", "set/card.toml"):
        Path(path).write_text(deep)
    Path("set/items.jsonl").write_text("{}\n")
    Path("none.jsonl").write_text('{"item": "a", "order": "ab", "text": ""}\n')
    done = cli(*words)
    assert done.code == 2
    assert "nested too deep" in done.err
