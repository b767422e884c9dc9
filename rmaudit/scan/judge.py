"""SPEC on the command line: who scores the reasons, who labels them, and what runs it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rmaudit import embedded
from rmaudit.checklists.schema import Item
from rmaudit.config import ScanConfig
from rmaudit.engines.base import Engine
from rmaudit.engines.choose import LOCAL_ENGINES, local_engine
from rmaudit.engines.endpoints import PREFIX as OPENAI
from rmaudit.engines.endpoints import without_credentials
from rmaudit.engines.options import LocalOptions
from rmaudit.errors import InputError
from rmaudit.judging.answer_cache import AnswerCache, cache_folder
from rmaudit.judging.asker import Asker
from rmaudit.judging.lexical_judge import LexicalJudge
from rmaudit.judging.llm import LlmJudge
from rmaudit.judging.metajudge import BuiltinJudge, Judge
from rmaudit.judging.replay import ReplayJudge
from rmaudit.judging.truth_judge import TruthJudge
from rmaudit.labelling.llm import LlmLabeler
from rmaudit.labelling.protocol import BuiltinLabeler, Labeler
from rmaudit.labelling.replay import ReplayLabeler
from rmaudit.models.checkpoint import read_checkpoint
from rmaudit.truth import score as truth

REPLAY = "replay:"


GIVEN = "as asked"


class DefaultJudge(NamedTuple):
    """The SPEC of the judge where none was asked for, and why it is this one."""

    spec: str
    why: str


def default_judge(items: Iterable[Item]) -> DefaultJudge:
    """Known truth where every item with reasons records its facts, else the embedded judge."""
    judged = [item for item in items if item.reasons]
    known = sum(bool(truth.facts_of(item)) for item in judged)
    if judged and known == len(judged):
        return DefaultJudge(truth.NAME, "default: all items record the facts of their faults")
    if known:
        unknown = len(judged) - known
        return DefaultJudge(
            embedded.NAME,
            f"default: {unknown} of {len(judged)} items record no facts of their faults",
        )
    return DefaultJudge(embedded.NAME, "default: the items record no facts of their faults")


class Graders(NamedTuple):
    """Who scores and who labels, with the options they were made of, and why this judge."""

    config: ScanConfig
    judge: Judge
    labeler: Labeler
    why: str

    def suited(self, items: Iterable[Item]) -> Graders:
        """The same, or where no judge was asked for, with the one that suits the items."""
        if self.config.judge is not None:
            return self
        spec, why = default_judge(items)
        return make_graders(replace(self.config, judge=spec))._replace(why=why)


def make_graders(config: ScanConfig) -> Graders:
    """Judge and labeller; as `make_judge` and `make_labeler`."""
    judge = make_judge(config)
    return Graders(config, judge, make_labeler(config, judge), GIVEN)


def make_judge(config: ScanConfig) -> Judge:
    """The judge that `--judge` names; loads no model, but asks an endpoint what it serves.

    Without `--judge` it is the embedded one; `default_judge` knows better where items are there.

    Raises:
        InputError: no such judge, or its file, checkpoint, endpoint or key is not usable.
    """
    spec = config.judge or embedded.NAME
    if spec == embedded.NAME:
        return BuiltinJudge(config.judge_view)
    if spec == embedded.lexical.NAME:
        return LexicalJudge(config.judge_view)
    if spec == truth.NAME:
        return TruthJudge()
    if spec.startswith(REPLAY):
        return ReplayJudge(Path(spec.removeprefix(REPLAY)))
    return LlmJudge(_asker(config, spec, "judge"), view=config.judge_view)


def make_labeler(config: ScanConfig, judge: Judge) -> Labeler:
    """The labeller that `--labeler` names, by default the judge; as `make_judge`.

    A model that is the judge too is one model: it is loaded once and asked in one stream.
    """
    spec = config.labeler or config.judge or embedded.NAME
    no_model = isinstance(judge, ReplayJudge | TruthJudge | LexicalJudge)
    if spec == embedded.NAME or (config.labeler is None and no_model):
        return BuiltinLabeler(config.judge_view)
    if spec.startswith(REPLAY):
        return ReplayLabeler(Path(spec.removeprefix(REPLAY)))
    if isinstance(judge, LlmJudge) and spec == config.judge:
        return LlmLabeler(judge.asker, view=config.judge_view)
    return LlmLabeler(_asker(config, spec, "labeler"), view=config.judge_view)


def _asker(config: ScanConfig, spec: str, role: str) -> Asker:
    """The model behind a SPEC."""
    if spec.startswith(OPENAI):
        engine, digest = _endpoint(config, spec)
        return _cached(config, spec, engine, digest=digest, at_endpoint=True)
    for name in LOCAL_ENGINES:
        if spec.startswith(f"{name}:"):
            local, digest = _checkpoint(config, spec, name)
            return _cached(config, spec, local, digest=digest, at_endpoint=False)
    raise InputError(
        f"no {role} '{spec}'",
        "give builtin, lexical, truth, vllm:PATH, openai:MODEL[@BASE_URL] or replay:FILE",
    )


def _endpoint(config: ScanConfig, spec: str) -> tuple[Engine, str]:
    from rmaudit.engines.openai import OpenAIEngine

    engine = OpenAIEngine.from_spec(
        spec,
        key_env=config.judge_key_env,
        concurrency=config.concurrency,
        timeout=config.request_timeout,
        max_retries=config.request_retries,
        deadline=config.request_deadline,
        allow_other_model=config.allow_other_model,
    )
    return engine, " ".join(engine.identity)


def _checkpoint(config: ScanConfig, spec: str, name: str) -> tuple[Engine, str]:
    path = Path(spec.partition(":")[2])
    checkpoint = read_checkpoint(path)
    # The devices are those of the target, which has left them; its model's options are its own.
    options = LocalOptions(batch_size=config.batch_size, verbose=config.verbose)
    if name == "vllm":
        options = replace(config.local, dtype="auto", quantization=None, max_model_len=None)
    engine, _ = local_engine(path, context=checkpoint.context, wanted=name, options=options)
    return engine, checkpoint.digest


def _cached(
    config: ScanConfig, spec: str, engine: Engine, *, digest: str, at_endpoint: bool
) -> Asker:
    spec = without_credentials(spec)
    # A file of its own for each model: no run reads the answers of others.
    name = "judge-" + hashlib.sha256(f"{spec}\n{digest}".encode()).hexdigest()[:16]
    return Asker(
        spec,
        engine,
        digest=digest,
        cache=AnswerCache(cache_folder() if config.cache else None, name),
        at_endpoint=at_endpoint,
        max_tokens=config.judge_max_tokens,
    )
