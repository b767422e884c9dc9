"""SPEC on the command line: the judge that scores the reasons, and what runs it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from rmaudit.config import ScanConfig
from rmaudit.engines.base import Engine
from rmaudit.engines.choose import LOCAL_ENGINES, LocalOptions, local_engine
from rmaudit.engines.endpoints import PREFIX as OPENAI
from rmaudit.engines.endpoints import without_credentials
from rmaudit.errors import InputError
from rmaudit.judging import builtin
from rmaudit.judging.answer_cache import AnswerCache, cache_folder
from rmaudit.judging.llm import LlmJudge
from rmaudit.judging.metajudge import BuiltinJudge, Judge
from rmaudit.judging.replay import ReplayJudge
from rmaudit.models.checkpoint import read_checkpoint

REPLAY = "replay:"


def make_judge(config: ScanConfig) -> Judge:
    """The judge that `--judge` names; loads no model, but asks an endpoint what it serves.

    Raises:
        InputError: no such judge, or its file, checkpoint, endpoint or key is not usable.
    """
    spec = config.judge
    if spec == builtin.NAME:
        return BuiltinJudge(config.judge_view)
    if spec.startswith(REPLAY):
        return ReplayJudge(Path(spec.removeprefix(REPLAY)))
    if spec.startswith(OPENAI):
        return _endpoint(config)
    for name in LOCAL_ENGINES:
        if spec.startswith(f"{name}:"):
            return _checkpoint(config, name)
    raise InputError(
        f"no judge '{spec}'", "give builtin, vllm:PATH, openai:MODEL[@BASE_URL] or replay:FILE"
    )


def _endpoint(config: ScanConfig) -> LlmJudge:
    from rmaudit.engines.openai import OpenAIEngine

    engine = OpenAIEngine.from_spec(
        config.judge,
        key_env=config.judge_key_env,
        concurrency=config.concurrency,
        timeout=config.request_timeout,
        max_retries=config.request_retries,
    )
    return _llm(config, engine, digest=" ".join(engine.identity), at_endpoint=True)


def _checkpoint(config: ScanConfig, name: str) -> LlmJudge:
    path = Path(config.judge.partition(":")[2])
    checkpoint = read_checkpoint(path)
    # The devices are those of the target, which has left them; its model's options are its own.
    options = LocalOptions(batch_size=config.batch_size, verbose=config.verbose)
    if name == "vllm":
        options = replace(config.local, dtype="auto", quantization=None, max_model_len=None)
    engine, _ = local_engine(path, context=checkpoint.context, wanted=name, options=options)
    return _llm(config, engine, digest=checkpoint.digest, at_endpoint=False)


def _llm(config: ScanConfig, engine: Engine, *, digest: str, at_endpoint: bool) -> LlmJudge:
    spec = without_credentials(config.judge)
    # A file of its own for each judge: no run reads the answers of others.
    name = "judge-" + hashlib.sha256(f"{spec}\n{digest}".encode()).hexdigest()[:16]
    return LlmJudge(
        spec,
        engine,
        view=config.judge_view,
        digest=digest,
        cache=AnswerCache(cache_folder() if config.cache else None, name),
        at_endpoint=at_endpoint,
        max_tokens=config.judge_max_tokens,
    )
