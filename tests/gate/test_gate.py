"""The gate on real runs over recorded answers: verdicts, exit codes, evidence that is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.gate_runs import Cli, decided, edit, make, only, policy, rule
from support.report_runs import boxed, faithful, vague

from rmaudit.checklists.schema import Item

# -------------------------------------------------------------------------------- verdicts


def test_passes_and_fails(cli: Cli) -> None:
    rules = policy(rule("accuracy", 0.8), rule("rc", 0.5), rule("s_rc@0+", 0.3))
    found = decided(cli, make(), rules)
    assert (found["verdict"], found["exit_code"]) == ("PASS", 0)
    assert found["sentence"] == "PASS: 3 of 3 rules hold"

    found = decided(cli, make(vague, "vague"), rules)
    assert (found["verdict"], found["exit_code"]) == ("FAIL", 3)
    assert [one["status"] for one in found["rules"]] == ["PASS", "FAIL", "FAIL"]
    assert found["sentence"] == "FAIL: 2 of 3 rules are broken (rc, s_rc@0+)"
    assert found["policy"]["name"] == "test"
    assert found["run"]["target"]["name"] == "vague"


def test_bound_by_hand(cli: Cli) -> None:
    """All 40 groups right: the lower bound at 95% is 0.05^(1/40) = 0.9278, the value 1."""
    run = make()
    found = only(decided(cli, run, policy(rule("accuracy", 0.92))))
    assert (found["status"], found["value"]) == ("PASS", 1.0)
    assert found["low"] == pytest.approx(0.05 ** (1 / 40))
    assert found["p_fail"] == 1.0
    found = only(decided(cli, run, policy(rule("accuracy", 0.93))))
    assert found["status"] == "INCONCLUSIVE"
    found = only(decided(cli, run, policy(rule("accuracy", 0.93, confidence=0.9))))
    assert found["status"] == "PASS"  # 0.1^(1/40) = 0.9441
    assert found["low"] == pytest.approx(0.1 ** (1 / 40))


def test_undecided_says_how_many_more(cli: Cli) -> None:
    """Every second item right, all others wrong, on purpose: 20 of 40 against 0.6."""

    def half(item: Item, order: str) -> str:
        return boxed(item, order, ["Response A is fine."], right=int(item.id[-1]) % 2 == 0)

    found = only(decided(cli, make(half, "half"), policy(rule("accuracy", 0.6))))
    assert found["status"] == "INCONCLUSIVE"
    assert found["value"] == 0.5
    # 75 of 142 has an upper bound of .59965, 76 of 142 and 75 of 141 are above .6: of 102 further
    # ones at most 55 may be right, which has a chance of .814; of 101 at most 54, .787.
    assert found["further"] == 102
    assert f"about {found['further']} more would decide it" in found["sentence"]


@pytest.mark.parametrize(
    ("on_inconclusive", "verdict"),
    [("inconclusive", "INCONCLUSIVE"), ("fail", "FAIL"), ("warn", "PASS"), ("pass", "PASS")],
)
def test_on_inconclusive(cli: Cli, on_inconclusive: str, verdict: str) -> None:
    open_ = rule("accuracy", 0.99, on_inconclusive=on_inconclusive)
    found = decided(cli, make(), policy(open_, rule("rc", 0.5)))
    assert found["verdict"] == verdict
    assert [one["status"] for one in found["rules"]] == ["INCONCLUSIVE", "PASS"]
    if verdict == "PASS":
        assert found["sentence"].startswith("PASS (1 undecided)")


def test_warnings_decide_nothing(cli: Cli) -> None:
    rules = policy(rule("accuracy", 0.8), rule("rc", 0.5, level="warn"))
    found = decided(cli, make(vague), rules)
    assert (found["verdict"], found["rules"][1]["status"]) == ("PASS", "FAIL")


def test_too_few(cli: Cli) -> None:
    run = make()
    found = only(decided(cli, run, policy(rule("accuracy", 0.5, min_n=41))))
    assert (found["status"], found["further"]) == ("INCONCLUSIVE", 1)
    reasons = found["n_reasons"]
    for least, status in ((reasons, "PASS"), (reasons + 1, "INCONCLUSIVE")):
        found = only(decided(cli, run, policy(rule("rc", 0.5, min_reasons=least))))
        assert found["status"] == status


@pytest.mark.slow
def test_slices(cli: Cli) -> None:
    run = make(spec="synth:5:40:slogan,formats")
    name = next(iter(run.read_json("metrics.json")["slices"]))
    found = only(decided(cli, run, policy(rule("accuracy", 0.5, slice=name))))
    assert (found["status"], found["n"]) == ("PASS", 20)
    found = only(decided(cli, run, policy(rule("accuracy", 0.5, slice="law"))))
    assert (found["status"], found["sentence"]) == (
        "INVALID",
        "the run has no domain or part 'law'",
    )


def test_both_directions(cli: Cli) -> None:
    def first_slot(item: Item, order: str) -> str:
        return boxed(item, order, [], right=item.label == ("a" if order == "ab" else "b"))

    run = make(first_slot)
    found = only(decided(cli, run, policy(rule("first_position_bias", 0.1))))
    assert (found["status"], found["value"]) == ("FAIL", 0.5)
    found = only(decided(cli, make(name="fair"), policy(rule("first_position_bias", 0.1))))
    assert (found["status"], found["value"]) == ("PASS", 0.0)


# ------------------------------------------------------------------------------- evidence


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda p: edit(p / "verdicts.jsonl", '"verdict": "a"', '"verdict": "b"'), "was changed"),
        (lambda p: edit(p / "results.jsonl", '"rc": 1.0', '"rc": 0.0'), "results.jsonl was chan"),
        (lambda p: (p / "matches.jsonl").unlink(), "matches.jsonl is missing"),
        (lambda p: (p / "scores.jsonl").write_text(""), "scores.jsonl was added"),
        (lambda p: (p / "verdicts.jsonl").write_text("{}\nno json\n"), "was changed"),
        (lambda p: edit(p / "metrics.json", '"value": 1.0', '"value": 0.9'), "metrics.json was"),
        (lambda p: edit(p / "metrics.json", '"value": 1.0', '"value": NaN'), "metrics.json was"),
        (lambda p: (p / "metrics.json").write_text("{"), "metrics.json cannot be read"),
        (lambda p: edit(p / "checklist/items.jsonl", '"label"', '"labels"'), "label: is missing"),
        (lambda p: edit(p / "checklist/items.jsonl", "dollars", "euros"), "are not those"),
    ],
)
def test_evidence_that_is_none(cli: Cli, spoil: Callable[[Path], object], said: str) -> None:
    run = make()
    spoil(run.path)
    found = decided(cli, run, policy(rule("accuracy", 0.8)))
    assert (found["verdict"], found["exit_code"]) == ("INVALID", 5)
    assert said in json.dumps(found["problems"] + [only(found)["sentence"]])


def test_builtin_judge_only_where_allowed(cli: Cli) -> None:
    run = make()
    found = decided(cli, run, policy(rule("accuracy", 0.8), rule("rc", 0.5), builtin=False))
    assert [one["status"] for one in found["rules"]] == ["PASS", "INVALID"]
    assert found["exit_code"] == 5
    assert "builtin judge" in found["rules"][1]["sentence"]


def test_metric_without_a_value(cli: Cli) -> None:
    """Shown in one order only, there is no order consistency: not a pass."""
    found = decided(cli, make(orders="ab"), policy(rule("order_consistency", 0.1)))
    assert found["verdict"] == "INVALID"
    assert "needs both orders" in only(found)["sentence"]


def test_integrity_looks_at_the_run_itself(cli: Cli) -> None:
    """2 of 80 answers are missing: 0.025, whatever a bound would say."""

    def some(item: Item, order: str) -> str | None:
        return None if item.id.endswith("0001") else faithful(item, order)

    run = make(some)
    for limit, status in ((0.025, "PASS"), (0.02, "INVALID")):
        rules = policy(rule("accuracy", 0.5), rule("coverage.error", limit, kind="integrity"))
        found = decided(cli, run, rules)
        assert [one["status"] for one in found["rules"]] == ["PASS", status]
        assert found["rules"][1]["value"] == 0.025
        assert found["exit_code"] == (0 if status == "PASS" else 5)


def test_lost_rows_that_could_turn_it_are_named(cli: Cli) -> None:
    def some(item: Item, order: str) -> str | None:
        return None if int(item.id[-1]) < 3 else faithful(item, order)

    found = only(decided(cli, make(some), policy(rule("accuracy", 0.8))))
    assert found["status"] == "PASS"
    assert "24 were lost, and at worst it is 0.700" in found["sentence"]


def test_unfinished_run_is_refused(cli: Cli) -> None:
    run = make()
    edit(run.path / "manifest.json", '"status": "finished"', '"status": "interrupted"')
    done = cli("gate", run.path, "--policy", policy(rule("accuracy", 0.8)))
    assert done.code == 2
    assert "--resume" in done.err


# -------------------------------------------------------------------------------- waivers


def waivers(name: str = "rc", bound: float = 0.0, expires: str = "2999-01-01") -> Path:
    path = Path("waivers.toml")
    path.write_text(
        f'[[waivers]]\nrule = "{name}"\nowner = "Ada"\nreason = "known, mended in 2.1"\n'
        f"expires = {expires}\nbound = {bound}\n"
    )
    return path


def test_waiver(cli: Cli) -> None:
    run = make(vague)
    rules = policy(rule("accuracy", 0.8), rule("rc", 0.5))
    found = decided(cli, run, rules, "--waivers", waivers())
    assert (found["verdict"], found["exit_code"]) == ("PASS", 0)
    assert found["sentence"] == "PASS (1 waived): 1 of 2 rules hold"
    assert (found["rules"][1]["status"], found["rules"][1]["waived"]) == ("FAIL", True)
    assert found["rules"][1]["waiver"]["owner"] == "Ada"
    done = cli("gate", run.path, "--policy", rules, "--waivers", waivers())
    assert "waiver of Ada until 2999-01-01" in done.out


@pytest.mark.parametrize(
    ("fields", "why"),
    [({"bound": 0.4}, "beyond its bound"), ({"expires": "2020-01-01"}, "expired on 2020-01-01")],
)
def test_waiver_that_does_not_count(cli: Cli, fields: dict[str, Any], why: str) -> None:
    file = waivers(**fields)
    found = decided(cli, make(vague), policy(rule("rc", 0.5)), "--waivers", file)
    assert found["verdict"] == "FAIL"
    assert why in only(found)["waiver"]["why"]


def test_waiver_of_invalid_evidence_does_not_count(cli: Cli) -> None:
    run, rules = make(vague), policy(rule("rc", 0.5), builtin=False)
    found = decided(cli, run, rules, "--waivers", waivers())
    assert (found["verdict"], only(found)["waived"]) == ("INVALID", False)


def test_waivers_that_are_refused(cli: Cli) -> None:
    run = make()
    rules = policy(rule("rc", 0.5), rule("coverage.error", 0.1, kind="integrity"))
    for name, said in (("coverage.error", "integrity rule"), ("rcc", "has no rule 'rcc'")):
        done = cli("gate", run.path, "--policy", rules, "--waivers", waivers(name))
        assert done.code == 2
        assert "waivers.toml, line 2, field rule: " in done.err
        assert said in done.err
    edit(waivers(), "owner", "owners")
    done = cli("gate", run.path, "--policy", rules, "--waivers", "waivers.toml")
    assert done.code == 2
    assert "waivers.toml, line 3, field owners: unknown key" in done.err


# --------------------------------------------------------------------------- the terminal


def test_terminal(cli: Cli) -> None:
    run = make(vague)
    rules = policy(rule("accuracy", 0.8), rule("rc", 0.5, why="Half of the faults."))
    done = cli("gate", run.path, "--policy", rules)
    assert done.code == 3
    assert "gate test: FAIL: 1 of 2 rules is broken (rc)" in done.out
    assert done.out.index("  FAIL") < done.out.index("  PASS")
    assert "why this rule: Half of the faults." in done.out
    assert "…" not in done.out
    done = cli("gate", "--policy", rules, "-q")
    assert done.code in (2, 3)
