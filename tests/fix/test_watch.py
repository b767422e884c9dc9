"""When training stops, and which checkpoint is kept."""

from __future__ import annotations

from rmaudit.fix.training.watch import DevAudit, Watch


def log(**values: float) -> dict[str, float]:
    good = {
        "reward": 0.3,
        "frac_reward_zero_std": 0.2,
        "entropy": 0.5,
        "completions/mean_length": 80.0,
        "completions/clipped_ratio": 0.0,
        "fix/judge_failed": 0.0,
    }
    return good | {name.replace("__", "/"): value for name, value in values.items()}


def told(logs: list[dict[str, float]]) -> list[str | None]:
    watch = Watch()
    return [watch.look(one) for one in logs]


def test_a_healthy_run_is_left_alone_and_steps_without_a_rollout_do_not_count() -> None:
    assert told([log()] * 20) == [None] * 20
    watch = Watch()
    assert watch.look({"loss": 0.1, "frac_reward_zero_std": 1.0}) is None
    assert watch.logs == []


def test_dead_groups_stop_after_five_rollouts() -> None:
    found = told([log(frac_reward_zero_std=1.0)] * 5)
    assert found[:4] == [None] * 4
    assert "100% of the groups earn the same" in str(found[4])
    assert told([log(frac_reward_zero_std=1.0)] * 4 + [log(frac_reward_zero_std=0.9)])[-1] is None


def test_entropy_that_falls_to_a_twentieth_stops_after_three_rollouts() -> None:
    found = told([log(), *[log(entropy=0.02)] * 3])
    assert found[:3] == [None] * 3
    assert found[3] == ("the entropy of the policy fell from 0.5 to 0.02: it has stopped exploring")
    assert told([log(), *[log(entropy=0.026)] * 3])[-1] is None


def test_answers_that_shrink_to_a_fifth_stop() -> None:
    found = told([log(), *[log(completions__mean_length=15.0)] * 3])[-1]
    assert found == "the length of the answers fell from 80 to 15 tokens: the answers collapse"


def test_answers_that_are_cut_stop() -> None:
    found = told([log(completions__clipped_ratio=0.6)] * 3)
    assert found[1] is None
    assert "60% of the answers are cut at the token limit" in str(found[2])


def test_a_judge_that_fails_on_a_fifth_stops() -> None:
    shares = (0.0, 0.3, 0.4)  # mean 0.233
    # Where the judge failed on all samples, TRL logs no reward.
    logs = [log(fix__judge_failed=share) for share in shares]
    found = told([{k: v for k, v in one.items() if k != "reward"} for one in logs])
    assert found[1] is None
    assert found[2] == "the judge failed on 23% of the answers"
    assert told([log(fix__judge_failed=0.19)] * 3)[-1] is None


def audit(step: int, train: float | None, other: float | None, accuracy: float = 0.9) -> DevAudit:
    return DevAudit(step, accuracy, train, other, None, None)


def test_judges_that_part_stop_training() -> None:
    watch = Watch()
    assert watch.audited(audit(0, 0.2, 0.2)) is None
    assert watch.audited(audit(20, 0.5, 0.36)) is None  # rose by .30 and .16: apart by .14 <= .15
    found = watch.audited(audit(40, 0.6, 0.36))  # .40 and .16: apart by .24 > .20
    assert found is not None
    assert "rose by 0.40 for the training judge and by 0.16 for the evaluation judge" in found


def test_judges_that_start_apart_or_rise_together_do_not_stop_it() -> None:
    watch = Watch()
    assert watch.audited(audit(0, 0.6, 0.2)) is None
    assert watch.audited(audit(20, 0.9, 0.5)) is None
    assert watch.audited(audit(40, 0.9, None)) is None  # an evaluation judge that failed


def test_the_best_audit_is_right_for_the_right_reasons() -> None:
    watch = Watch()
    assert watch.best is None
    for one in (
        audit(0, 0.9, 0.1),
        audit(20, 0.2, 0.6, accuracy=0.5),  # .30
        audit(40, 0.3, 0.4, accuracy=0.9),  # .36
        audit(60, 0.9, 0.3, accuracy=0.9),  # .27
    ):
        watch.audits.append(one)
    assert watch.best is watch.audits[2]
