"""What every family of program-made items must keep, as functions for the tests of each family."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations
from random import Random

from rmaudit.checklists.checks import Check, run_check
from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth.base import Family, Fault, Task
from rmaudit.checklists.synth.build import make_items

DUMP = """
from rmaudit.checklists.synth.build import make_items
from {module} import FAMILY
print("\\n".join(item.model_dump_json() for item in make_items([FAMILY], n=20, seed=5)))
"""


def failing(task: Task, text: str) -> list[Check]:
    """The requirements that the text does not meet."""
    return [check for check in task.requirements if not run_check(check, text)]


def check_faults(task: Task, rng: Random) -> None:
    """No fault, every fault alone and every pair fail exactly their own checks."""
    faults = task.faults(rng)
    assert len({fault.slot for fault in faults}) == len(faults)
    assert len(task.requirements) == len({str(check) for check in task.requirements})
    for chosen in [(), *combinations(faults, 1), *combinations(faults, 2)]:
        text = task.render(chosen, rng.getrandbits(32))
        broken = [fault.check for fault in chosen]
        assert sorted(map(str, failing(task, text))) == sorted(map(str, broken)), (chosen, text)


def check_wordings(fault: Fault) -> None:
    """Each wording names the side and what is specific to the item."""
    assert len(set(fault.wordings)) >= 3
    assert 1 <= fault.weight <= 3
    for wording in fault.wordings:
        assert wording.count("{side}") == 1, wording
        text = wording.format(side="Response A")
        assert "{" not in text, text
        assert text[0].isupper() or text[0] == '"', text
        assert text.rstrip('"')[-1] in ".!?", text
        assert any(fact in text for fact in fault.facts), (text, fault.facts)


def check_styles(task: Task, rng: Random) -> None:
    """Styles differ in wording and agree on every check."""
    texts = {task.render((), rng.getrandbits(32)) for _ in range(12)}
    assert len(texts) > 6
    assert not any(failing(task, text) for text in texts)


def check_items(items: list[Item]) -> None:
    """Every reason is proved, and nothing but the mended requirement changes."""
    for item in items:
        assert Item.model_validate_json(item.model_dump_json()) == item
        checks = {reason.id: reason.check for reason in item.reasons}
        for repair in item.repairs or []:
            (fixed,) = repair.fixes
            for reason in item.reasons:
                if reason.about == repair.response and reason.check is not None:
                    assert run_check(reason.check, repair.text) is (reason.id == fixed)
                    assert not run_check(reason.check, item.response(repair.response))
        for control in item.controls or []:
            assert control.text != item.response(control.response)
            for reason in item.reasons:
                if reason.about == control.response:
                    assert not run_check(checks[reason.id] or {}, control.text)


def coincidence(items: list[Item]) -> float:
    """Share of reasons that another item repeats: same side, same kind, a fact in common."""
    hits = total = 0
    for item, other in zip(items, items[7:] + items[:7], strict=True):
        for reason in item.reasons:
            total += 1
            hits += any(
                theirs.about == reason.about
                and other.meta["kinds"][theirs.id] == item.meta["kinds"][reason.id]
                and bool(set(other.meta["facts"][theirs.id]) & set(item.meta["facts"][reason.id]))
                for theirs in other.reasons
            )
    return hits / total


def check_same_bytes(family: Family, module: str) -> None:
    """Neither the process nor its hash seed matters."""
    here = "\n".join(item.model_dump_json() for item in make_items([family], n=20, seed=5))
    done = subprocess.run(
        [sys.executable, "-c", DUMP.format(module=module)],
        env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.strip() == here
