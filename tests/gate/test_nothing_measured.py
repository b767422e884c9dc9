"""What was not measured never passes, whatever a policy says of undecided rules."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.gate_runs import Cli, decided, edit, make, policy, rule
from support.report_runs import boxed, faithful, vague

from rmaudit.checklists.schema import Item
from rmaudit.config import ScanConfig
from rmaudit.run.directory import RunDir
from rmaudit.scan.plan import make_plan
from rmaudit.scan.scan import scan
from rmaudit.terminal.screen import Silent

SOFT = {"on_inconclusive": "warn"}

JUDGED = "--set synth:5:40:slogan --judge builtin"


def praising(item: Item, order: str) -> str:
    """Right verdicts, each for praise that names nothing."""
    side = item.label.upper()
    return boxed(
        item, order, [f"Response {side} is clear and complete.", f"Response {side} is engaging."]
    )


def relative(**fields: object) -> str:
    return rule("rc", 0.03, kind="relative", **fields)


# ------------------------------------------------------------------ the forgotten baseline


@pytest.mark.slow
def test_pr_without_baseline_is_undecided_and_says_how_to_get_one(cli: Cli) -> None:
    run = make(name="good")
    done = cli("gate", run.path, "--policy", "pr")
    assert done.code == 4, done.out
    assert "INCONCLUSIVE: 6 of 11 rules are not shown (no baseline: accuracy-kept" in done.out
    assert f"rmaudit scan MODEL_IN_USE {JUDGED} --out baseline" in done.out
    assert "rmaudit gate run-good --policy pr --baseline baseline" in done.out


@pytest.mark.slow
def test_the_praising_model_does_not_pass_pr(cli: Cli) -> None:
    """Without a baseline, with its own run, with a copy, and with too few items."""
    run, used = make(praising, "praising"), make(name="used")
    few = make(praising, "few", limit=20)
    copy = RunDir(run.path.with_name("copy"))
    shutil.copytree(run.path, copy.path)
    for one, more in (
        (run, ()),
        (run, ("--baseline", run.path)),
        (run, ("--baseline", copy.path)),
        (run, ("--baseline", used.path)),
        (few, ()),
    ):
        done = cli("gate", one.path, "--policy", "pr", *more)
        assert done.code in (3, 4), (more, done.out)
    # What is above lists is held against a run on the same items only.
    assert cli("gate", few.path, "--policy", "pr", "--baseline", used.path).code == 5


def test_forgotten_baseline_next_to_one_rule_that_holds(cli: Cli) -> None:
    found = decided(cli, make(praising), policy(rule("accuracy", 0.5), relative(**SOFT)))
    assert (found["verdict"], found["exit_code"]) == ("INCONCLUSIVE", 4)
    assert found["rules"][1]["unmeasured"] == "no baseline"


# ------------------------------------------------------------------------ each kind of it


@pytest.mark.parametrize("soft", ["warn", "pass"])
@pytest.mark.parametrize(
    ("fields", "cause"),
    [({"min_n": 1000}, "too few observations"), ({"min_reasons": 5000}, "too few observations")],
)
def test_too_few_is_never_softened(cli: Cli, soft: str, fields: dict[str, int], cause: str) -> None:
    """The second rule holds, so nothing but the first keeps the run from passing."""
    rules = policy(rule("rc", 0.5, on_inconclusive=soft, **fields), rule("f_rc@0.25", 0.5))
    found = decided(cli, make(), rules)
    assert [one["status"] for one in found["rules"]] == ["INCONCLUSIVE", "PASS"]
    assert (found["exit_code"], found["rules"][0]["unmeasured"]) == (4, cause)


def test_too_few_groups_for_a_bound(cli: Cli) -> None:
    run = make(spec="synth:5:1:slogan")
    found = decided(cli, run, policy(rule("accuracy", 0.5, **SOFT)))
    assert found["exit_code"] == 4, found


def other_lines(name: str, out: str) -> RunDir:
    """The same recorded answers with their lines turned around: another file, another digest."""
    lines = Path(f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    Path(f"{out}.jsonl").write_text("\n".join(reversed(lines)) + "\n", encoding="utf-8")
    config = ScanConfig(
        target=f"replay:{out}.jsonl",
        sets=("synth:5:40:slogan",),
        judge="builtin",
        out=Path(f"run-{out}"),
    )
    return scan(make_plan(config), Silent()).run


@pytest.mark.slow
def test_baseline_that_repeats_the_run(cli: Cli) -> None:
    run = make()
    again = other_lines("model", "again")
    assert again.manifest().target.digest != run.manifest().target.digest
    smaller = make(faithful, "smaller", limit=30)
    rules = policy(relative(**SOFT), rule("accuracy", 0.5), rule("rc", 0.5, id="rc-floor"))
    for baseline in (run, again, smaller):
        found = decided(cli, run, rules, "--baseline", baseline.path)
        assert found["exit_code"] == 4, baseline.path
        assert found["rules"][0]["unmeasured"] == "the baseline repeats the run"
        assert "the same answers of the same model" in found["rules"][0]["sentence"]


@pytest.mark.slow
def test_a_trained_model_that_says_the_same_was_measured(cli: Cli) -> None:
    """Another model's digest, and no recorded answers: a change of nothing is a result."""
    run, other = make(), make(name="other")

    def trained(one: RunDir, digest: str) -> None:
        manifest = one.manifest()
        manifest.target.digest = manifest.identity.target = digest
        manifest.engine.name = manifest.identity.engine = "transformers"
        one.write_manifest(manifest)

    trained(run, "a" * 64)
    trained(other, "b" * 64)
    wide = policy(rule("rc", 0.08, kind="relative"))
    found = decided(cli, run, wide, "--baseline", other.path)
    assert found["verdict"] == "PASS", found["sentence"]
    trained(other, "a" * 64)
    assert decided(cli, run, wide, "--baseline", other.path)["exit_code"] == 4


def wordier(item: Item, order: str) -> str:
    return f"I compare both responses.\n{faithful(item, order)}"


@pytest.mark.slow
def test_a_second_run_of_a_checkpoint_is_a_repeat_in_other_words(cli: Cli) -> None:
    """Sampled anew, the words differ and the model does not; at an endpoint nobody knows."""
    run, other = make(), make(wordier, "other")
    wide = policy(rule("rc", 0.08, kind="relative"))

    def served(engine: str, second: float = 0.7, **target: object) -> int:
        for one, temperature in ((run, 0.7), (other, second)):
            manifest = one.manifest()
            facts = manifest.adding({"engine": {"name": engine, "why": "a test"}})
            facts.target = manifest.target.adding({"digest": "a" * 64, **target})
            facts.sampling = manifest.sampling.adding({"temperature": temperature})
            asked = {"target": facts.target.digest, "engine": engine, "temperature": temperature}
            facts = facts.adding({"identity": facts.identity.adding(asked).as_dict()})
            one.write_manifest(facts)
        return int(decided(cli, run, wide, "--baseline", other.path)["exit_code"])

    assert served("openai") == 0
    assert served("transformers", digest_kind="content") == 4
    assert served("transformers", second=0.0, digest_kind="content") == 0


def test_a_warning_without_baseline_decides_nothing(cli: Cli) -> None:
    found = decided(cli, make(), policy(rule("rc", 0.5, id="floor"), relative(level="warn")))
    assert found["verdict"] == "PASS"


# --------------------------------------------------------------------- what a pass rests on


def test_a_pass_rests_on_a_rule_about_reasons(cli: Cli) -> None:
    """20 of 40 against 0.6 is open, and may be; then nothing about reasons is shown."""

    def half(item: Item, order: str) -> str:
        return (faithful if int(item.id[-1]) % 2 else vague)(item, order)

    run = make(half, "half")
    open_ = rule("rc", 0.55, **SOFT)
    found = decided(cli, run, policy(rule("accuracy", 0.5), open_))
    assert [one["status"] for one in found["rules"]] == ["PASS", "INCONCLUSIVE"]
    assert found["exit_code"] == 4
    assert "no rule about reasons is shown to hold" in found["sentence"]
    held = rule("f_rc@0.25", 0.2)
    assert decided(cli, run, policy(rule("accuracy", 0.5), open_, held))["exit_code"] == 0


def test_without_rules_about_reasons_it_rests_on_outcome(cli: Cli) -> None:
    found = decided(cli, make(), policy(rule("accuracy", 0.8), rule("coverage.parsed", 0.5)))
    assert found["verdict"] == "PASS"
    found = decided(
        cli, make(name="b"), policy(rule("accuracy", 0.99, **SOFT), rule("coverage.parsed", 0.5))
    )
    assert found["exit_code"] == 4
    assert "no rule about outcome is shown to hold" in found["sentence"]


def test_what_says_nothing_of_the_model_is_no_rule_about_reasons(cli: Cli) -> None:
    """The length ceiling is of the set; an upper bound on rc asks for what is worse."""
    of_set = rule("rc.length_ceiling", 0.1, direction="min")
    rules = policy(of_set, rule("rc", 0.9, direction="max"), rule("accuracy", 0.5))
    found = decided(cli, make(praising), rules)
    assert [one["subject"] for one in found["rules"]] == ["", "", "outcome"]


def test_what_was_not_measured_cannot_be_waived(cli: Cli) -> None:
    Path("waivers.toml").write_text(
        '[[waivers]]\nrule = "rc"\nowner = "Ada"\nreason = "soon"\n'
        "expires = 2999-01-01\nbound = 0.0\n"
    )
    rules = policy(rule("accuracy", 0.5), rule("rc", 0.5, min_n=1000))
    found = decided(cli, make(), rules, "--waivers", "waivers.toml")
    assert found["exit_code"] == 4
    assert "cannot be waived" in found["rules"][1]["waiver"]["why"]


# ------------------------------------------------------------- policies that cannot refuse


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ([rule("rc", 0.0), rule("accuracy", 0.5)], "line 5, rule 'rc': it can never block"),
        ([rule("accuracy", 0.5), rule("flaw.F4", 1.0)], "rule 'flaw.F4': it can never block"),
        ([rule("rc", 1.0, kind="relative")], "a change of rc is never beyond -1"),
        ([rule("coverage.error", 0.1, kind="integrity")], "no rule of level error bounds"),
        ([rule("coverage.parsed", 0.9)], "no rule of level error bounds"),
        ([rule("rc", 0.9, direction="max")], "no rule of level error bounds"),
    ],
)
def test_a_policy_that_cannot_refuse_is_refused(cli: Cli, rules: list[str], said: str) -> None:
    run, file = make(praising), policy(*rules)
    linted = cli("policy", "lint", file)
    assert linted.code == 2
    assert said in linted.out
    done = cli("gate", run.path, "--policy", file)
    assert done.code == 2
    assert said in done.err
    assert not (run.path / "gate.json").exists()
    done = cli("scan", "replay:model.jsonl", "--policy", file, "--set", "synth:5:40:slogan")
    assert done.code == 2
    assert [path.name for path in Path("runs").glob("*") if path.name != "latest"] == []


def test_a_warning_that_cannot_block_is_found_and_applied(cli: Cli) -> None:
    file = policy(rule("accuracy", 0.5), rule("rc", 0.0, level="warn"))
    assert cli("policy", "lint", file).code == 2
    assert "a pass rests on verdicts alone" not in cli("policy", "lint", file).out
    assert cli("gate", make().path, "--policy", file).code == 0
    file = policy(rule("accuracy", 0.5), rule("rc", 0.3, level="warn"))
    assert "remark: rules about reasons are of level warn" in cli("policy", "lint", file).out


# ---------------------------------------------------------------------------- what is next


def steps(found: dict[str, object]) -> str:
    told = found["next"]
    assert isinstance(told, list)
    return "\n".join(f"{one['why']} {one['command']}" for one in told)


def test_next_names_how_many_more_and_the_command(cli: Cli) -> None:
    """41 of 40 items asked for; the set has 40, a run on 30 of them can be made larger."""
    found = decided(cli, make(), policy(rule("rc", 0.5, min_n=41)))
    assert "about 1 more items decide rc" in steps(found)
    assert "the set has 40 in all, so name one of 41 or more" in steps(found)
    part = make(name="part", limit=30)
    found = decided(cli, part, policy(rule("rc", 0.5, min_n=35)))
    assert f"rmaudit scan replay:part.jsonl {JUDGED} --limit 35 --out more" in steps(found)
    assert "rmaudit gate more --policy policy.toml" in steps(found)


def test_next_command_runs_and_decides(cli: Cli) -> None:
    part = make(name="part", limit=30)
    found = decided(cli, part, policy(rule("rc", 0.5, min_n=35)))
    for step in found["next"]:
        done = cli(*step["command"].split()[1:])
        assert done.code == 0, done.err
    assert json.loads(Path("more/gate.json").read_text())["rules"][0]["n"] == 35


def test_next_where_the_baseline_is_the_smaller(cli: Cli) -> None:
    run, before = make(), make(vague, "before", limit=20)
    found = decided(cli, run, policy(relative(min_n=30)), "--baseline", before.path)
    assert "the baseline has too few of the run's items" in steps(found)
    told = f"rmaudit scan replay:before.jsonl {JUDGED} --limit 30 --out more-baseline"
    assert told in steps(found)
    assert "rmaudit gate run-model --policy policy.toml --baseline more-baseline" in steps(found)


def test_next_names_a_run_that_can_be_the_baseline(cli: Cli) -> None:
    run = make()
    make(vague, "other")
    make(vague, "oneorder", orders="ab")
    for name, text in (("torn", "{"), ("deep", "[" * 100_000), ("empty", "")):
        Path(name).mkdir()
        Path(name, "manifest.json").write_text(text)
    found = decided(cli, run, policy(relative()))
    assert "if the model in use is other" in steps(found)
    assert "rmaudit gate run-model --policy policy.toml --baseline run-other" in steps(found)


def test_next_after_pass_fail_and_invalid(cli: Cli) -> None:
    run, other = make(), make(vague, "other")
    found = decided(cli, run, policy(rule("rc", 0.5)))
    assert "rmaudit report run-model --html" in steps(found)
    found = decided(cli, other, policy(rule("rc", 0.5)))
    assert "rmaudit report run-other --html" in steps(found)
    found = decided(cli, run, policy(rule("rc", 0.5), builtin=False))
    assert "--judge openai:MODEL@BASE_URL --out judged" in steps(found)
    one = make(vague, "oneorder", orders="ab")
    found = decided(cli, run, policy(relative()), "--baseline", one.path)
    assert found["exit_code"] == 5
    told = f"rmaudit scan replay:oneorder.jsonl {JUDGED} --out baseline"
    assert told in steps(found)
    part = make(name="part", limit=30)
    above = policy(rule("rc.above_null", 0.1, kind="relative"))
    found = decided(cli, part, above, "--baseline", other.path)
    assert found["exit_code"] == 5
    told = f"rmaudit scan replay:part.jsonl {JUDGED} --limit 40 --out more"
    assert told in steps(found)
    edit(run.path / "verdicts.jsonl", '"verdict": "a"', '"verdict": "b"')
    found = decided(cli, run, policy(rule("rc", 0.5)))
    assert "scan again: rmaudit scan replay:model.jsonl" in steps(found)


def test_quiet_is_one_line(cli: Cli) -> None:
    done = cli("gate", make().path, "--policy", policy(rule("rc", 0.5)), "-q")
    assert done.out.count("\n") == 1
    assert done.out.startswith("gate test: PASS")


def test_old_record_is_still_reported(cli: Cli) -> None:
    """A gate.json of a version that knew no next step."""
    run = make()
    decided(cli, run, policy(rule("rc", 0.5)))
    record_ = json.loads((run.path / "gate.json").read_text())
    del record_["next"]
    (run.path / "gate.json").write_text(json.dumps(record_))
    assert cli("report", run.path, "--md", "--out", "r.md").code == 0
