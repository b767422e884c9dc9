"""Targets at an endpoint that scores: `classify:`, `pooling:`, `sglang:`, `get-reward:`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from rmaudit.config import ScanConfig
from rmaudit.engines.endpoints import PREFIX, without_credentials
from rmaudit.errors import InputError
from rmaudit.models.profiles import Profile, asked_by
from rmaudit.scan.target import Target

FIRST = "first-token"
"""Of `--rm-type`: read an endpoint by its first token."""


def scoring_endpoint(config: ScanConfig, options: Mapping[str, Any]) -> Target | None:
    """The target, once its servers have said what they serve; None where it is another kind.

    `options`: those of all endpoints.

    Raises:
        InputError: it cannot be asked as it is, or an option is of other targets.
    """
    from rmaudit.engines.score_routes import route_of

    spec = config.target
    if config.rm_type == FIRST and spec.startswith(PREFIX):
        return _first_token(config, options)
    if route_of(spec) is None:
        if config.tokenizer is not None:
            raise InputError(
                "--tokenizer renders what an endpoint that scores is sent", "leave --tokenizer out"
            )
        return None
    _refuse_others(config)
    from rmaudit.engines.endpoint_scorer import EndpointScorer

    scorer = EndpointScorer(
        spec,
        tokenizer=config.tokenizer,
        batch_size=config.batch_size,
        context=config.max_model_len,
        checks=config.probe,
        **options,
    )
    digest = hashlib.sha256("\n".join(scorer.identity).encode()).hexdigest()
    named = scorer.model.rpartition("/")[2] or urlsplit(scorer.endpoints[0].url).hostname or ""
    return Target(
        spec=without_credentials(spec),
        name=re.sub(r"[^\w.-]+", "-", named).strip("-.") or "endpoint",
        digest=digest,
        rm_type=scorer.route.head,
        why=f"{scorer.route.path} gives one number a response; {scorer.rendered_by} renders it",
        profile=asked_by("generic", None),
        engine=scorer,
        scorer=scorer,
        engine_why="the target is an endpoint",
        facts={
            "kind": "endpoint",
            "model": scorer.model,
            "urls": [one.url for one in scorer.endpoints],
            "context": scorer.context,
            "rendered_by": scorer.rendered_by,
        },
    )


def _first_token(config: ScanConfig, options: Mapping[str, Any]) -> Target:
    """A judge at an endpoint, read by the probabilities of its first token.

    Raises:
        InputError: nothing says what its labels are, or the endpoint is not usable.
    """
    from rmaudit.engines.first_token import FirstTokenEngine

    if config.engine not in ("auto", "openai"):
        raise InputError(f"engine {config.engine} cannot run an endpoint", "leave --engine out")
    if config.profile is None and config.prompt is None:
        raise InputError(
            f"--rm-type {FIRST} reads the first token, and the prompt that ships asks for reasons "
            "before it",
            "give one that asks for the label alone: --prompt FILE, with --profile where its "
            "labels are not A and B",
        )
    asked = asked_by(config.profile or "generic", config.prompt)
    engine = FirstTokenEngine.from_spec(config.target, **options)
    assert isinstance(engine, FirstTokenEngine)
    engine.labels = _labels(asked)
    told = "\n".join((*engine.identity, FIRST, *engine.labels))
    return Target(
        spec=without_credentials(config.target),
        name=re.sub(r"[^\w.-]+", "-", engine.model.rpartition("/")[2]).strip("-.") or "endpoint",
        digest=hashlib.sha256(told.encode()).hexdigest(),
        rm_type="first-token-rating" if asked.pointwise else "first-token-pair",
        why=f"asked for: log-probability of {' against '.join(engine.labels)} as the first token",
        profile=asked,
        engine=engine,
        scorer=engine,
        engine_why="the target is an endpoint",
        facts={
            "kind": "endpoint",
            "model": engine.model,
            "urls": [endpoint.url for endpoint in engine.endpoints],
            "context": engine.context,
            "labels": list(engine.labels),
        },
    )


def _labels(asked: Profile) -> tuple[str, str]:
    """The labels whose probabilities are compared: of the first response, or for a good one, first.

    Raises:
        InputError: a prompt about one response, whose scale has not two words.
    """
    if not asked.pointwise:
        return asked.called.a, asked.called.b
    words = sorted(asked.scale.words.items(), key=lambda one: -one[1]) if asked.scale else []
    if len(words) != 2:
        raise InputError(
            f"profile {asked.name} has {len(words)} words for scores, and two are compared",
            "say them in its [scale]: words = { Yes = 1, No = 0 }",
        )
    return words[0][0], words[1][0]


def _refuse_others(config: ScanConfig) -> None:
    """Options of models that write answers, of folders, and of files."""
    shown = without_credentials(config.target)
    if config.engine != "auto":
        raise InputError(f"engine {config.engine} cannot run {shown}", "leave --engine out")
    for option, given, who in (
        ("--profile", config.profile, "a model that writes verdicts"),
        ("--prompt", config.prompt, "a model that writes verdicts"),
        ("--rm-type", config.rm_type, "a checkpoint folder"),
        ("--format", config.recorded_format, "replay:FILE"),
    ):
        if given is not None:
            raise InputError(
                f"{option} is for {who}; {shown} gives scores, and is shown the conversation as "
                "it is",
                f"leave {option} out",
            )
