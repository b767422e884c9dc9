"""What a check of a judge will ask, settled and counted before any model is called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rmaudit.checklists.load import ChecklistSet, subset
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.config import DEFAULT_SET, ScanConfig
from rmaudit.engines.options import KEY_ENV
from rmaudit.errors import InputError
from rmaudit.judge_check.labels import Batch, load_cases
from rmaudit.judge_check.nulls import Probe, probes
from rmaudit.judge_check.qualify import written
from rmaudit.judge_check.truth import KnownSplit, shipped
from rmaudit.judging.metajudge import Judge, JudgeRequest
from rmaudit.labelling.protocol import Labeler
from rmaudit.run.directory import RunDir
from rmaudit.run.files import VERDICTS
from rmaudit.run.item import run_items
from rmaudit.scan.judge import REPLAY, make_judge, make_labeler
from rmaudit.terminal.ask import agree

LABELLED: Batch = "unseen"
"""The labelled reasons that a labeller is tested on."""
MODEL_ITEMS = 30
"""Items of the null tests where each of them costs five calls of a model, unless --limit says."""


@dataclass(frozen=True, slots=True)
class CheckConfig:
    """The options of `rmaudit judge check`; see its --help."""

    spec: str = "builtin"
    set: str | None = None
    run: Path | None = None
    second: str | None = None
    labeler: str | None = None
    repeats: int = 1
    limit: int | None = None
    seed: int = 0
    view: Literal["full", "lists"] = "full"
    max_tokens: int = 2048
    cache: bool = True
    key_env: str = KEY_ENV
    second_key_env: str = KEY_ENV
    concurrency: int = 32
    request_deadline: float | None = None
    allow_other_model: bool = False
    max_calls: int | None = None

    def __post_init__(self) -> None:
        """Refuses values that no check can have.

        Raises:
            InputError: an option is out of range.
        """
        if self.repeats < 1:
            raise InputError(f"--repeats is {self.repeats}", "give a whole number from 1")
        if self.limit is not None and self.limit < 1:
            raise InputError(f"--limit is {self.limit}", "give a whole number from 1")

    def as_scan(self, spec: str, *, key_env: str) -> ScanConfig:
        """The options of a scan that decide what is behind the SPEC of a judge."""
        return ScanConfig(
            target="",
            judge=spec,
            labeler=self.labeler,
            judge_view=self.view,
            judge_max_tokens=self.max_tokens,
            judge_key_env=key_env,
            cache=self.cache,
            concurrency=self.concurrency,
            request_deadline=self.request_deadline,
            allow_other_model=self.allow_other_model,
            seed=self.seed,
        )


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """A check ready to start.

    Attributes:
        config: as asked for.
        judge: whom the check is about.
        second: another judge on the same requests, or None.
        labeler: who labels the reasons in a scan with this judge; None for recorded answers.
        checklist: the set that the null tests are made from.
        probes: the null tests; none for recorded answers, which know no new request.
        splits: known truth.
        written: the lists that a model qualifies on as a judge; None for a judge that is no model.
        rows: real reasons, of the run that `--from` names.
    """

    config: CheckConfig
    judge: Judge
    second: Judge | None
    labeler: Labeler | None
    checklist: ChecklistSet | None
    probes: tuple[Probe, ...]
    splits: tuple[KnownSplit, ...]
    written: KnownSplit | None
    rows: tuple[JudgeRequest, ...]

    @property
    def requests(self) -> list[JudgeRequest]:
        """All of them."""
        known = [*self.splits, *([self.written] if self.written else [])]
        truth = [case.request() for split in known for case in split.cases]
        return [*(probe.request for probe in self.probes), *truth, *self.rows]

    @property
    def calls(self) -> int:
        """Model calls at most, a second attempt at a bad answer left out."""
        times = self.config.repeats * self.judge.traits.calls
        times += self.second is not None and self.second.traits.calls
        labels = len(load_cases(LABELLED)) if self.labeler and self.labeler.traits.calls else 0
        return times * len(self.requests) + labels

    @property
    def estimate(self) -> str:
        """What it costs, in words."""
        return estimate(self.requests, self.calls)

    def close(self) -> None:
        """Frees the models."""
        for one in (self.judge, self.second, self.labeler):
            if one is not None:
                one.close()


def plan_check(config: CheckConfig, *, ask: bool = True) -> CheckPlan:
    """Loads sets and judges and counts calls; loads no model.

    Args:
        config: what is asked for.
        ask: whether many calls at an endpoint need a yes on a terminal.

    Raises:
        InputError: an option that the user can mend, or too many calls.
    """
    own = config.as_scan(config.spec, key_env=config.key_env)
    judge = make_judge(own)
    second = labeler = None
    if config.second is not None:
        second = make_judge(config.as_scan(config.second, key_env=config.second_key_env))
    recorded = [spec for spec in (config.spec, config.second or "") if spec.startswith(REPLAY)]
    if recorded and config.run is None:
        raise InputError(
            f"{recorded[0]} holds answers about one run only",
            "name it with --from RUN; without recorded answers, null tests can be made",
        )
    rows = _rows_of(config.run, limit=config.limit, seed=config.seed) if config.run else []
    checklist, made, splits, lists = None, [], [], None
    if not recorded:
        labeler = make_labeler(own, judge)
        checklist = load_set(config.set or DEFAULT_SET)
        limit = config.limit or (MODEL_ITEMS if judge.traits.calls else None)
        items = [item for item in checklist.items if item.reasons]
        if not items:
            raise InputError(f"no item of {checklist.card.name} has reasons", "name another --set")
        made = probes(subset(items, limit=limit, seed=config.seed), seed=config.seed)
        splits = shipped()
        lists = written(limit=config.limit, seed=config.seed) if judge.traits.calls else None
    plan = CheckPlan(
        config, judge, second, labeler, checklist, tuple(made), tuple(splits), lists, tuple(rows)
    )
    judges = [judge] if second is None else [judge, second]
    allowed(config, judges, plan.calls, plan.estimate, ask=ask)
    return plan


def allowed(
    config: CheckConfig, judges: Sequence[Judge], calls: int, cost: str, *, ask: bool
) -> None:
    """Holds the calls of a check against the limit, and asks on a terminal before many.

    Args:
        config: with the limit.
        judges: who is asked.
        calls: of models, at most.
        cost: the same in words.
        ask: whether many calls at an endpoint need a yes on a terminal.

    Raises:
        InputError: too many calls, or the answer is no.
    """
    if config.max_calls is not None and calls > config.max_calls:
        raise InputError(
            f"this check makes {calls} model calls; --max-calls is {config.max_calls}",
            f"raise --max-calls, or lower --limit or --repeats ({cost})",
        )
    if ask and any(one.traits.at_endpoint for one in judges):
        agree(calls, cost)


def estimate(requests: Sequence[JudgeRequest], calls: int) -> str:
    """What so many calls about these requests cost, in words."""
    texts = (len(request.item.response_a) + len(request.item.response_b) for request in requests)
    tokens = (sum(texts) // 4 + 900 * len(requests)) * calls
    read = tokens // max(len(requests), 1)
    return f"{calls:,} calls of judges, which read about {read:,} tokens"


def run_rows(run: RunDir, items: Iterable[Item]) -> list[JudgeRequest]:
    """The answers of a run that were put to its judge: with reasons, on items with references."""
    by_id = {item.id: item for item in items if item.reasons}
    requests = []
    for row in run.rows(VERDICTS):
        item = by_id.get(row.key.item)
        if item is not None and row.key.variant == "base" and row.judgment.reasons:
            requests.append(JudgeRequest(row.key, item, item, row.judgment.reasons))
    return requests


def _rows_of(path: Path, *, limit: int | None, seed: int) -> list[JudgeRequest]:
    run = RunDir.open(path)
    items = run_items(run)
    drawn = {item.id for item in subset(items, limit=limit, seed=seed)}
    found = [row for row in run_rows(run, items) if row.key.item in drawn]
    if not found:
        raise InputError(f"{path} has no reasons on items with references", "name another run")
    return found
