"""Judge calls around the reward: only where needed, never 0 for a failure, in time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator, Iterable, Sequence
from typing import Any

import pytest
from support.answers import answer
from support.fix_items import TableJudge, item
from support.judge_server import judge_server

from rmaudit.checklists.sets import load_set
from rmaudit.config import ScanConfig
from rmaudit.errors import InputError, RmauditError
from rmaudit.fix.data import Prompted
from rmaudit.fix.reward.attack import attack, material
from rmaudit.fix.reward.reward import Arm
from rmaudit.fix.reward.scorer import Monitored, ScoredCompletion, Scorer
from rmaudit.fix.reward.trl_reward import HybridReward
from rmaudit.judging.metajudge import BuiltinJudge, Judge, JudgeAnswer, JudgeRequest
from rmaudit.labelling.protocol import LabelAnswer, LabelerTraits, LabelRequest
from rmaudit.records import Gold, LabelSet
from rmaudit.scan.judge import make_judge

ITEM = item()
R1, R2 = (reason.text for reason in ITEM.reasons)
ALL_RIGHT = answer([R1, R2], "A>B")
WRONG = answer([R1, R2], "B>A")


def scorer(judge: Judge, arm: Arm = "hybrid", **options: Any) -> Scorer:
    return Scorer(judge, arm, max_reasons=5, **options)


def values(of: Scorer, *texts: str) -> list[float | None]:
    told = of.score([ScoredCompletion(Prompted(ITEM, "ab"), text, "stop") for text in texts])
    return [one.value for one in told]


def test_the_judge_is_asked_only_where_it_can_change_the_reward() -> None:
    judge = TableJudge()
    texts = [WRONG, ALL_RIGHT, ALL_RIGHT + r" \boxed{A>B}", r"\boxed{A>B}", "", answer([R2], "A>B")]
    assert values(scorer(judge), *texts) == [0.0, 1.0, 0.0, 0.0, 0.0, 0.5]
    assert [len(request.reasons) for request in judge.asked] == [2, 1]
    judge = TableJudge()
    assert values(scorer(judge, "outcome"), *texts) == [0.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    assert judge.asked == []
    judge = TableJudge()
    assert values(scorer(judge, "rationale"), *texts) == [1.0, 1.0, 0.0, 0.0, 0.0, 0.5]
    assert len(judge.asked) == 3


def test_a_judge_that_fails_on_one_answer_takes_no_other_along() -> None:
    judge = TableJudge(fails=["Response A is fine."])
    found = values(scorer(judge), ALL_RIGHT, answer(["Response A is fine."], "A>B"), WRONG)
    assert found == [1.0, None, 0.0]


def test_monitored_samples_are_judged_and_logged_but_never_rewarded() -> None:
    judge = TableJudge()
    of = scorer(judge, "outcome", monitored=Monitored(1.0))
    told = of.score(
        [ScoredCompletion(Prompted(ITEM, "ab"), text, "stop") for text in (ALL_RIGHT, WRONG)]
    )
    assert [(one.value, one.ap) for one in told] == [(1.0, 1.0), (0.0, 1.0)]


def test_the_share_that_is_monitored_follows_from_what_was_written() -> None:
    some = [ScoredCompletion(Prompted(ITEM, "ab"), f"{WRONG}{k}", "stop") for k in range(2000)]
    taken = [Monitored(0.1).takes(one) for one in some]
    assert 150 < sum(taken) < 250  # 200 expected, standard deviation 13
    assert taken == [Monitored(0.1).takes(one) for one in some]
    assert not any(map(Monitored(0.0).takes, some))


class GoldLabeler:
    """Calls an answer's reasons correct if they begin with the first reference."""

    traits = LabelerTraits(frozenset({"gold"}))
    templates = ()

    def __init__(self) -> None:
        self.asked: list[LabelRequest] = []

    def label(self, requests: Iterable[LabelRequest]) -> Generator[LabelAnswer, None, None]:
        for request in requests:
            self.asked.append(request)
            if len(request.reasons) > 2:
                yield LabelAnswer(request.key, LabelSet((), failure="no answer"))
                continue
            right: Gold = "correct" if request.reasons[0].text == R1 else "incorrect"
            yield LabelAnswer(request.key, LabelSet((), ("gold",), right))

    def identity(self) -> dict[str, Any]:
        return {}

    describe = identity

    def close(self) -> None:
        pass


def test_r_align_asks_for_the_meta_judgment_of_right_answers_only() -> None:
    judge, labeler = TableJudge(), GoldLabeler()
    texts = [ALL_RIGHT, WRONG, answer([R2], "A>B"), answer([R1, R2, "Response A is fine."], "A>B")]
    assert values(scorer(judge, "r-align", labeler=labeler), *texts) == [1.0, 0.0, 0.0, None]
    assert len(labeler.asked) == 3
    assert judge.asked == []


class SlowJudge(TableJudge):
    """Answers the first request at once and then hangs."""

    def judge(self, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
        for number, one in enumerate(super().judge(requests)):
            if number:
                time.sleep(3)
            yield one


def test_what_is_not_judged_in_time_has_no_reward() -> None:
    started = time.monotonic()
    found = values(scorer(SlowJudge(), time_limit=0.5), ALL_RIGHT, answer([R1], "A>B"), WRONG)
    assert found == [1.0, None, 0.0]
    assert time.monotonic() - started < 2.5


class BrokenJudge(TableJudge):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def judge(self, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
        yield next(super().judge(requests))
        raise self.error


def test_a_judge_that_breaks_off_fails_the_rest_but_a_bug_or_a_wrong_set_up_is_told() -> None:
    broken = BrokenJudge(RmauditError("gone"))
    assert values(scorer(broken), ALL_RIGHT, answer([R1], "A>B")) == [1.0, None]
    for error in (InputError("no such model"), ZeroDivisionError()):
        with pytest.raises(type(error)):
            values(scorer(BrokenJudge(error)), ALL_RIGHT, answer([R1], "A>B"))


def config(url: str, **options: Any) -> ScanConfig:
    return ScanConfig(target="", judge=f"openai:judge@{url}", concurrency=64, **options)


@pytest.mark.slow
def test_a_judge_at_an_endpoint_down_or_well() -> None:
    down = answer(["Response A is down."], "A>B")

    def fault(prompt: str, nth: int) -> str | None:
        return "500" if "is down" in prompt else None

    with judge_server(fault=fault) as server:
        judge = make_judge(config(server.url, request_retries=1))
        assert values(scorer(judge), ALL_RIGHT, down, WRONG, ALL_RIGHT) == [1.0, None, 0.0, 1.0]
        # Equal content is asked once.
        assert server.answered.total() <= 2
    # The server is gone; what was answered before is known, anything else has no reward.
    assert values(scorer(judge), ALL_RIGHT, answer([R2], "A>B")) == [1.0, None]


@pytest.mark.slow
def test_a_slow_judge_is_asked_for_the_whole_batch_at_once() -> None:
    texts = [answer([f"Response B says {k}."], "A>B") for k in range(40)]
    with judge_server(seconds=0.3) as server:
        judge = make_judge(config(server.url))
        values(scorer(judge), ALL_RIGHT)
        started = time.monotonic()
        assert values(scorer(judge), *texts) == [0.5 if k == 5 else 0.0 for k in range(40)]
        assert server.most_at_once > 20
        assert time.monotonic() - started < 40 * 0.3 / 2


class Logged:
    """What TRL would log."""

    def __init__(self) -> None:
        self.metrics: dict[str, float] = {}
        self.extra: dict[str, Sequence[Any]] = {}

    def metric(self, name: str, value: float) -> None:
        self.metrics[name] = value

    def column(self, name: str, values: Sequence[Any]) -> None:
        self.extra[name] = values


def test_the_callable_reads_ids_and_logs_the_components() -> None:
    texts = [ALL_RIGHT, WRONG, ALL_RIGHT, answer(["Response A is fine."], "A>B")]
    end = 0
    ids = [[number + 1, end] for number in range(4)]
    ids[2] = [3]  # cut
    function = HybridReward(
        scorer(TableJudge(fails=["Response A is fine."])),
        [Prompted(ITEM, "ab")],
        decode=lambda tokens: "".join(texts[token - 1] for token in tokens),
        stops=[end],
    )
    log = Logged()
    found = asyncio.run(
        function(
            prompts=["p"] * 4,
            completions=["c"] * 4,
            completion_ids=ids,
            index=[0] * 4,
            log_metric=log.metric,
            log_extra=log.column,
            trainer_state=None,
        )
    )
    assert found == [1.0, 0.0, 0.0, None]
    assert log.metrics == {
        "fix/outcome": 0.75,  # the cut answer still reads as right
        "fix/clean": 0.75,
        "fix/n_reasons": 1.75,
        "fix/judge_failed": 0.5,  # of the two that need the judge
        "fix/rationale_ap": 1.0,  # of the one that was judged
        "fix/precision": 1.0,
    }
    assert log.extra["rationale_ap"] == [1.0, None, None, None]


@pytest.mark.model
def test_the_callable_is_seen_as_async_by_trl() -> None:
    utils = pytest.importorskip("trl.trainer.utils")
    known = getattr(utils, "is_async_callable", None)
    if known is None:
        from trl.trainer import grpo_trainer

        known = grpo_trainer.is_async_callable
    function = HybridReward(scorer(TableJudge()), [], decode=lambda ids: "", stops=[])
    assert known(function)
    assert function.__name__ == "hybrid_reward"


@pytest.mark.slow
def test_attacks_on_the_reward_earn_little_beside_the_references() -> None:
    items = load_set("synth:5:20").items
    found = attack(items, scorer(BuiltinJudge()), seed=0)
    assert [one.name for one in found] == [
        "the references themselves",
        "sentences of the responses as reasons",
        "faults of other items, in a list",
        "a reason that instructs the judge",
    ]
    assert found[0].reward is not None
    assert found[0].reward > 0.9
    assert material(found) == []
    assert all(one.n == 20 for one in found)
    # At the lower bar of the metric `ap` too: to this judge a copy of a response is no reason.
    assert material(attack(items, scorer(BuiltinJudge(), hit=0.25), seed=0)) == []
    # Nothing protects the outcome alone: an answer without a thought earns all.
    bare = attack(items, scorer(BuiltinJudge(), "outcome"), seed=0)
    assert [one.reward for one in bare] == [1.0] * 4
    assert len(material(bare)) == 3


def test_an_attack_on_a_judge_that_fails_is_not_known() -> None:
    class Down(TableJudge):
        def judge(self, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
            for request in requests:
                yield JudgeAnswer(request.key, request.purpose, (), failure="no answer")

    found = attack([item(), item(name="i2")], scorer(Down()), seed=0)
    assert [(one.reward, one.n) for one in found] == [(None, 0)] * 4
    assert material(found) == []
