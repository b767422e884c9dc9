"""Policies: what is refused and where it is said to stand, what lint finds, what ships."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import Done
from support.policies import HEAD, parsed, second

from rmaudit.errors import InputError
from rmaudit.gate.lint import findings, remarks
from rmaudit.gate.policy import load_policy, shipped_policies

Cli = Callable[..., Done]


def test_defaults() -> None:
    policy = parsed(second())
    rule = policy.rules[1]
    assert (rule.kind, rule.direction, rule.level) == ("absolute", "min", "error")
    assert (rule.confidence, rule.min_n, rule.validated) == (0.95, 1, False)
    assert policy.allow_builtin_judge is False
    assert policy.lines == (4, 9)


@pytest.mark.parametrize(
    ("metric", "direction"),
    [("rc", "min"), ("s_rc@0+", "max"), ("first_position_bias", "abs")],
)
def test_direction_follows_the_metric(metric: str, direction: str) -> None:
    assert parsed(second(metric=metric)).rules[1].direction == direction


@pytest.mark.parametrize(
    ("fields", "line", "field", "said"),
    [
        ({"treshold": 0.3}, 12, "treshold", "did you mean threshold"),
        ({"metric": "rcc"}, 10, "metric", "did you mean rc"),
        ({"threshold": None}, 8, "threshold", "needs a threshold"),
        ({"threshold": 20}, 11, "threshold", "0.25, not 25"),
        ({"kind": "relative"}, 8, "margin", "needs a margin"),
        ({"kind": "relative", "margin": 0.1}, 11, "threshold", "has no threshold"),
        ({"margin": 0.1}, 12, "margin", "has no margin"),
        ({"kind": "relativ"}, 12, "kind", "relative"),
        ({"direction": "up"}, 12, "direction", "min"),
        ({"confidence": 95}, 12, "confidence", "less than 1"),
        ({"min_n": "200"}, 12, "min_n", "integer"),
        ({"id": "first"}, 9, "id", "comes twice"),
        ({"metric": "rc.length_ceiling"}, 8, "direction", "is missing"),
        (
            {"kind": "relative", "threshold": None, "margin": 0.1, "direction": "abs"},
            13,
            "direction",
            "min or max",
        ),
        ({"on_inconclusive": "shrug"}, 12, "on_inconclusive", "inconclusive"),
    ],
)
def test_refused_with_file_line_field(
    fields: dict[str, object], line: int, field: str, said: str
) -> None:
    with pytest.raises(InputError) as error:
        parsed(second(**fields))
    assert f"p.toml, line {line}, rule '" in error.value.message
    assert f"field {field}:" in error.value.message
    assert said in f"{error.value.message} {error.value.hint}"


def test_refused_above_the_rules() -> None:
    with pytest.raises(InputError, match=r"p\.toml, line 2, field allow_builtin:"):
        parsed(head=HEAD.replace("\n\n", "\nallow_builtin = true\n", 1))
    with pytest.raises(InputError, match="field rules: is missing"):
        parsed(head='name = "x"\n')
    with pytest.raises(InputError, match="at line 1"):
        parsed(head="name = \n")
    with pytest.raises(InputError, match="no rule has level error"):
        parsed(head=HEAD + 'level = "warn"\n')


def test_lint_finds_what_cannot_block_or_points_the_wrong_way() -> None:
    policy = parsed(
        second(threshold=0.0)
        + second(id="third", metric="s_rc@0+", direction="min", threshold=0.4)
        + second(id="fourth", metric="accuracy", threshold=0.7)
    )
    found = list(findings(policy))
    assert len(found) == 3
    assert "line 9, rule 'second': it can never block" in found[0]
    assert "direction min, but s_rc@0+ is better when lower" in found[1]
    assert "asks for the same thing as 'first'" in found[2]
    assert any("no 'why'" in remark for remark in remarks(policy))


@pytest.mark.parametrize("name", shipped_policies())
def test_shipped_policies(name: str) -> None:
    policy = load_policy(name)
    assert list(findings(policy)) == []
    assert list(remarks(policy)) == []
    assert policy.name == name
    assert not any(rule.validated for rule in policy.rules)  # none has been, and none says so


def test_lint_command(cli: Cli, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(HEAD)
    bad.write_text(HEAD + second(threshold=0.0))
    done = cli("policy", "lint", "release", good)
    assert (done.code, done.err) == (0, "")
    assert "1 rules (1 can refuse, 0 against a baseline, 1 not validated)" in done.out
    done = cli("policy", "lint", good, bad)
    assert done.code == 2
    assert "never block" in done.out
    done = cli("policy", "lint", "nothing-like-it")
    assert done.code == 2
    assert "pr, release, repair, score-only" in done.err


FALSE = {"id": "claims", "metric": "claims.false", "threshold": 0.05}


@pytest.mark.parametrize(
    "floor",
    [
        {},
        {"id": "floor", "metric": "claims.checked", "threshold": 0.5, "level": "warn"},
        {"id": "floor", "metric": "claims.checked", "threshold": 0.5, "slice": "code"},
        {"id": "floor", "metric": "claims.checked", "threshold": 0.5, "direction": "max"},
        {"id": "floor", "metric": "claims.checked", "threshold": None, "kind": "relative",
         "margin": 0.1},
    ],
)  # fmt: skip
def test_false_claims_need_a_floor_on_those_checked(floor: dict[str, object]) -> None:
    other = second(**floor) if floor else ""
    with pytest.raises(InputError) as error:
        parsed(second(**FALSE) + other)
    assert "line 10, rule 'claims', field metric: claims.false says nothing" in error.value.message
    assert error.value.hint == 'add a rule with metric = "claims.checked"'


def test_lint_refuses_false_claims_without_a_floor(cli: Cli, tmp_path: Path) -> None:
    Path("claims.toml").write_text(HEAD + second(**FALSE))
    done = cli("policy", "lint", "claims.toml")
    assert done.code == 2
    assert "no rule asks for a least claims.checked" in done.err
    floor = second(id="floor", metric="claims.checked", threshold=0.5)
    Path("claims.toml").write_text(HEAD + second(**FALSE) + floor)
    assert cli("policy", "lint", "claims.toml").code == 0
    warned = parsed(
        second(**FALSE, level="warn") + floor.replace('"floor"', '"floor"\nlevel = "warn"')
    )
    assert len(warned.rules) == 3
