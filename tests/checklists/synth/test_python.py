"""Family `python`: bugs that do not interfere, reasons that quote what the code really returns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.synth_properties import check_same_bytes, coincidence

from rmaudit.checklists.checks import Check, run_check, run_checks
from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth import python_words as words
from rmaudit.checklists.synth.base import Fault
from rmaudit.checklists.synth.build import make_items
from rmaudit.checklists.synth.python_code import FAMILY, FEWEST, MOST, ROUTINES, PythonTask, draw
from rmaudit.checklists.synth.python_routines import CallCase, Names, Routine
from rmaudit.judge_check.no_read_baselines import surface_accuracy

SEEDS = st.integers(0, 2**32)
IDS = [routine.stems[0] for routine in ROUTINES]


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return make_items([FAMILY], n=600, seed=11)


def outcome(source: str, expression: str) -> object:
    """The value of the expression after the code ran, or the class of what it raises."""
    namespace: dict[str, object] = {}
    exec(source, namespace)
    try:
        return eval(expression, namespace)
    except Exception as error:
        return type(error)


def same(found: object, expected: object) -> bool:
    """Equal down to the type, so that 2 is not 2.0."""
    return found is expected if isinstance(expected, type) else repr(found) == repr(expected)


def function_source(routine: Routine, body: int, buggy: frozenset[str], names: Names) -> str:
    parameters, code = routine.source(body, buggy, names)
    lines = [f"def {names['f']}({parameters}) -> {routine.returns}:", *code.splitlines()]
    return "\n    ".join(lines)


def drawn(routine: Routine, seed: int) -> tuple[Names, dict[str, CallCase]]:
    """Names, with the other name of the parameter at odd seeds, and one case a bug."""
    rng = Random(seed)
    names = routine.names(rng)
    if seed % 2:
        names["p"] = names["other"]
    return names, {bug.hole: bug.case(rng, names) for bug in routine.bugs}


def subsets(holes: list[str]) -> Iterator[frozenset[str]]:
    for size in range(len(holes) + 1):
        yield from map(frozenset, combinations(holes, size))


@pytest.mark.parametrize("routine", ROUTINES, ids=IDS)
def test_bugs_of_one_function_do_not_interfere(routine: Routine) -> None:
    """Under every set of bugs, each case comes out as its own bug says."""
    holes = [bug.hole for bug in routine.bugs] + ([routine.ban.hole] if routine.ban else [])
    for seed in range(4):
        names, cases = drawn(routine, seed)
        example = routine.example(Random(seed), names)
        assert not same(example.right, example.wrong)
        for body in range(len(routine.bodies)):
            for buggy in subsets(holes):
                source = function_source(routine, body, buggy, names)
                for hole, case in cases.items():
                    expected = case.wrong if hole in buggy else case.right
                    expression = case.expression(names["f"])
                    assert same(outcome(source, expression), expected), (source, case)
                    passed = outcome(source, case.test(names["f"])) is True
                    assert passed is (hole not in buggy), (source, case)
                assert outcome(source, example.test(names["f"])) is True, (source, example)


@pytest.mark.parametrize("routine", ROUTINES, ids=IDS)
def test_names_and_fillings(routine: Routine) -> None:
    pool = {stem.format(n=noun) for stem in routine.stems for noun in routine.nouns}
    assert len(pool) >= 12
    assert len(routine.params or routine.nouns) >= 12
    assert routine.returns != routine.wrong_returns
    assert len(routine.bodies) >= 2
    assert 1 <= len(routine.bugs) <= 3
    for bug in routine.bugs:
        assert len(bug.good) == len(bug.bad) == len(routine.bodies)
        assert not set(bug.good) & set(bug.bad)


def test_there_is_enough_to_ask_for() -> None:
    kinds = {bug.kind for routine in ROUTINES for bug in routine.bugs}
    assert len(ROUTINES) >= 14
    assert len(kinds) >= 8
    assert len({stem for routine in ROUTINES for stem in routine.stems}) == sum(
        len(routine.stems) for routine in ROUTINES
    )


def chosen_faults(faults: list[Fault], rng: Random) -> list[tuple[Fault, ...]]:
    """None, each alone, some pairs, and all of them."""
    pairs = list(combinations(faults, 2))
    return [(), *combinations(faults, 1), *rng.sample(pairs, min(6, len(pairs))), tuple(faults)]


@pytest.mark.slow
def test_faults_fail_exactly_their_own_checks() -> None:
    pairs: list[tuple[Check, str]] = []
    expected: list[bool] = []
    for seed in range(8):
        rng = Random(seed)
        task = draw(rng)
        faults = list(task.faults(rng))
        assert len({fault.slot for fault in faults}) == len(faults)
        assert len({str(check) for check in task.requirements}) == len(task.requirements)
        for chosen in chosen_faults(faults, rng):
            text = task.render(chosen, rng.getrandbits(32))
            broken = [fault.check for fault in chosen]
            for check in task.requirements:
                pairs.append((check, text))
                expected.append(check not in broken)
    for (check, text), met, wanted in zip(pairs, run_checks(pairs), expected, strict=True):
        assert met is wanted, (check, text)


@pytest.mark.slow
def test_styles_change_no_check() -> None:
    pairs: list[tuple[Check, str]] = []
    for seed in range(100, 104):
        rng = Random(seed)
        task = draw(rng)
        texts = {task.render((), rng.getrandbits(32)) for _ in range(8)}
        assert len(texts) > 4
        pairs += [(check, text) for text in sorted(texts) for check in task.requirements]
    for (check, text), met in zip(pairs, run_checks(pairs), strict=True):
        assert met, (check, text)


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_wordings_name_side_and_facts(seed: int) -> None:
    rng = Random(seed)
    for fault in draw(rng).faults(rng):
        assert len(set(fault.wordings)) >= 3
        assert 1 <= fault.weight <= 3
        for wording in fault.wordings:
            assert wording.count("{side}") == 1
            text = wording.format(side="Response A")
            assert "$" not in text
            assert text[0].isupper()
            assert text.endswith(".")
            assert all(fact in text for fact in fault.facts), (text, fault.facts)


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_prompt_states_the_requirements(seed: int) -> None:
    task = draw(Random(seed))
    assert isinstance(task, PythonTask)
    assert FEWEST <= len(task.functions) <= MOST
    assert "$" not in task.prompt
    assert f"{task.constant[0]} = {task.constant[1]}" in task.prompt
    for function in task.functions:
        names, routine = function.names, function.routine
        assert f"`{names['f']}(" in task.prompt
        assert f"{names['p']}: " in task.prompt
        assert f"-> {routine.returns}`" in task.prompt
        if routine.ban:
            assert f"`{routine.ban.builtin}`" in task.prompt
    if task.timed:
        assert f"`{task.timed.name}` runs" in task.prompt


@pytest.mark.slow
def test_items_are_proved(items: list[Item]) -> None:
    """Reasons fail, their repairs pass them and no other, controls change nothing."""
    pairs: list[tuple[Check, str]] = []
    expected: list[bool] = []
    for item in items[:40]:
        assert Item.model_validate_json(item.model_dump_json()) == item
        for reason in item.reasons:
            assert reason.check is not None
            assert reason.about in ("a", "b")
            edits = [(item.response(reason.about), False)]
            for repair in item.repairs or ():
                edits += [(repair.text, reason.id in repair.fixes)] * (
                    repair.response == reason.about
                )
            for control in item.controls or ():
                edits += [(control.text, False)] * (control.response == reason.about)
            for text, met in edits:
                pairs.append((reason.check, text))
                expected.append(met)
    for (check, text), met, wanted in zip(pairs, run_checks(pairs), expected, strict=True):
        assert met is wanted, (check, text)


@pytest.mark.slow
def test_all_kinds_appear_and_none_in_most_items(items: list[Item]) -> None:
    found = [kind for item in items for kind in set(item.meta["kinds"].values())]
    bugs = {bug.kind for routine in ROUTINES for bug in routine.bugs}
    assert set(found) == bugs | set(words.KINDS)
    assert all(found.count(kind) < 0.5 * len(items) for kind in set(found))


@pytest.mark.slow
def test_no_clue_outside_of_the_faults(items: list[Item]) -> None:
    accuracy = surface_accuracy(items, seed=1)
    assert accuracy is not None
    assert accuracy <= 0.60
    assert coincidence(items) < 0.04


@pytest.mark.slow
def test_same_seed_same_bytes() -> None:
    check_same_bytes(FAMILY, "rmaudit.checklists.synth.python_code")


def test_many_checks_agree_with_one_by_one() -> None:
    tests: Check = {"kind": "python_tests", "tests": ["twice(2) == 4"]}
    right = "```python\ndef twice(x):\n    print(x)\n    return 2 * x\n```"
    pairs: list[tuple[Check, str]] = [
        (tests, right),
        ({"kind": "contains", "value": "twice"}, right),
        (tests, right.replace("2 *", "3 *")),
        (tests, "```python\nraise SystemExit(3)\n```"),
        (tests, "```python\ndef twice(:\n```"),
        (tests, "```python\nimport os\nos.kill(os.getpid(), 9)\n```"),
        ({"kind": "python_tests", "tests": ["1 == 1"]}, ""),
    ]
    found = run_checks(pairs)
    assert found == [run_check(check, response) for check, response in pairs]
    assert found == [True, True, False, False, False, False, True]
