"""The floors of the package: a room imports lower floors only, and AGENTS.md draws the same list.

Every import counts: at the top, inside a function, under TYPE_CHECKING, relative, and by a string
that names a module. Rooms are the folders and modules directly under `rmaudit/`; folders inside a
room have floors of their own, so that no ring hides there either.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import rmaudit

ROOT = Path(rmaudit.__file__).parent
ROOT_FILES = 12
LINES = 400

FLOORS = (
    "errors escaping progress records text versions",
    "encoding engines grounding parsing resources taxonomy",
    "checklists config embedded",
    "metrics nulls prompts truth",
    "models run",
    "compare gate judging recordings",
    "labelling probing",
    "scan selftest",
    "report",
    "fix",
    "terminal",
    "judge_check",
    "cli",
    "__main__",
)
"""From the lowest to the highest; rooms of one floor do not know each other."""

INNER_FLOORS = {
    "checklists": (
        "schema",
        "cross_check",
        "checks controls load references rulers",
        "describe prove save synth",
        "curate importers",
        "sets",
    ),
    "fix": (
        "card data side_by_side verdict",
        "reward",
        "training",
        "options source",
        "choices",
        "plan",
        "export folder scans",
        "launch record",
        "prompt_arm run",
    ),
    "gate": (
        "decision policy",
        "evidence lint record waivers wording",
        "emit measured precheck",
        "calibrate decide",
        "next",
        "run stop",
    ),
    "scan": (
        "handover judge smoke_items target",
        "endpoint_target shard measures sampling",
        "plan",
        "ceiling_stage cost grading null_stage recorded_decisions",
        "doctor label_stage match_stage verdict_stage",
        "graders reword_stage smoke_probe",
        "probe_stage",
        "scan",
        "redraw",
        "merge_runs remarks",
    ),
}
"""The same inside rooms that hold folders, or steps that follow each other."""

BY_STRING = re.compile(r"rmaudit(?:\.[a-z_]\w*)+")


def module_of(path: Path) -> str:
    parts = [rmaudit.__name__, *path.relative_to(ROOT).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(ROOT.rglob("*.py"))}


def imported(module: str, text: str, *, package: bool) -> Iterator[str]:
    """Modules of rmaudit that a source imports, in whatever way."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.split(".")[: None if package and node.level == 1 else -1]
                above = above[: len(above) - max(node.level - 1 - package, 0)]
                base = ".".join([*above, *([base] if base else [])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield full if full in MODULES else base
        elif isinstance(node, ast.Constant) and BY_STRING.fullmatch(str(node.value)):
            yield str(node.value)


@cache
def arrows() -> tuple[tuple[str, str], ...]:
    """(importer, imported), both modules of rmaudit."""
    return tuple(_arrows())


def _arrows() -> Iterator[tuple[str, str]]:
    for module, path in MODULES.items():
        package = path.name == "__init__.py"
        for name in imported(module, path.read_text(encoding="utf-8"), package=package):
            known = next((n for n in shortened(name) if n in MODULES), None)
            if known is not None and known != module:
                yield module, known


def shortened(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:size]) for size in range(len(parts), 0, -1))


def room_of(module: str, depth: int) -> str | None:
    """The room at a depth: 1 directly under `rmaudit`, 2 inside a room."""
    parts = module.split(".")
    return parts[depth] if len(parts) > depth else None


def height(floors: tuple[str, ...]) -> dict[str, int]:
    return {room: floor for floor, rooms in enumerate(floors) for room in rooms.split()}


def climbing(floors: tuple[str, ...], pairs: Iterable[tuple[str, str]], depth: int) -> list[str]:
    """Arrows that do not point down."""
    floor = height(floors)
    found = []
    for module, other in pairs:
        ours, theirs = room_of(module, depth), room_of(other, depth)
        if ours is None or theirs is None or ours == theirs:
            continue
        if floor.get(ours, -1) <= floor.get(theirs, -1):
            found.append(f"{module} imports {other}")
    return sorted(set(found))


def rooms_under(folder: Path) -> set[str]:
    entries = [path for path in folder.iterdir() if path.suffix == ".py" or path.is_dir()]
    return {path.stem for path in entries} - {"__init__", "__pycache__", "_data"}


def test_every_room_has_a_floor() -> None:
    assert set(height(FLOORS)) == rooms_under(ROOT)
    for room, floors in INNER_FLOORS.items():
        used = {room_of(module, 2) for pair in arrows() for module in pair
                if room_of(module, 1) == room} - {None}  # fmt: skip
        assert set(height(floors)) >= {
            name for name in used if (ROOT / room / str(name)).is_dir()
        }, room


def test_a_package_imports_lower_floors_only() -> None:
    assert climbing(FLOORS, arrows(), 1) == []


def test_no_ring_inside_a_room() -> None:
    rooms = {room_of(module, 1) for module in MODULES} - {None}
    for room in sorted(map(str, rooms)):
        inside = [
            (module, other)
            for module, other in arrows()
            if room_of(module, 1) == room_of(other, 1) == room
        ]
        assert rings(inside) == [], room
        if room in INNER_FLOORS:
            floor = height(INNER_FLOORS[room])
            known = [pair for pair in inside if all(room_of(one, 2) in floor for one in pair)]
            assert climbing(INNER_FLOORS[room], known, 2) == []


def rings(pairs: list[tuple[str, str]]) -> list[str]:
    """Rooms inside a room (folders count as one) that reach themselves."""
    to: dict[str, set[str]] = defaultdict(set)
    for module, other in pairs:
        ours, theirs = room_of(module, 2), room_of(other, 2)
        if ours and theirs and ours != theirs:
            to[ours].add(theirs)
    reached = {room: set(found) for room, found in to.items()}
    for middle in list(reached):
        for room in reached:
            if middle in reached[room]:
                reached[room] |= reached.get(middle, set())
    return sorted(room for room, found in reached.items() if room in found)


def test_what_is_in_a_room_is_used_through_its_front_door() -> None:
    """The embedded judge stands behind one interface: nobody imports its parts."""
    parts = [
        f"{module} imports {other}"
        for module, other in arrows()
        if other.startswith("rmaudit.embedded.") and room_of(module, 1) != "embedded"
    ]
    assert parts == []


def test_sizes() -> None:
    assert len(list(ROOT.glob("*.py"))) <= ROOT_FILES
    folders = (ROOT, ROOT.parent / "tests", ROOT.parent / "benchmarks", ROOT.parent / "examples")
    long = {
        str(path): lines
        for folder in folders
        for path in folder.rglob("*.py")
        if (lines := path.read_text(encoding="utf-8").count("\n")) > LINES
    }
    assert long == {}


def test_a_class_name_means_one_thing() -> None:
    places = defaultdict(list)
    for module, path in MODULES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_agents_draws_the_same_floors() -> None:
    text = (ROOT.parent / "AGENTS.md").read_text(encoding="utf-8")
    drawn = re.findall(r"^    floor +(\d+)  (.+)$", text, flags=re.MULTILINE)
    assert [rooms.strip() for _, rooms in drawn] == list(FLOORS)
    assert [int(number) for number, _ in drawn] == list(range(len(FLOORS)))


def test_the_reader_of_imports_sees_each_kind() -> None:
    source = (
        "import rmaudit.records\n"
        "from rmaudit.scan import plan\n"
        "from . import errors\n"
        "from ..run.rows import Row\n"
        "def f():\n    from rmaudit.gate.policy import load_policy\n"
        'NAME = "rmaudit.fix.plan"\n'
    )
    found = set(imported("rmaudit.scan.scan", source, package=False))
    assert found >= {
        "rmaudit.records",
        "rmaudit.scan.plan",
        "rmaudit.scan",
        "rmaudit.run.rows",
        "rmaudit.gate.policy",
        "rmaudit.fix.plan",
    }
    upward = climbing(FLOORS, [("rmaudit.metrics.audit", "rmaudit.scan.plan")], 1)
    assert upward == ["rmaudit.metrics.audit imports rmaudit.scan.plan"]
    ring = [("rmaudit.fix.plan", "rmaudit.fix.run"), ("rmaudit.fix.run", "rmaudit.fix.plan")]
    assert rings(ring) == ["plan", "run"]
