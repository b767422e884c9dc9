"""Targets at an endpoint that scores: `classify:`, `pooling:`, `sglang:`, `get-reward:`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from rmaudit.config import ScanConfig
from rmaudit.engines.endpoints import without_credentials
from rmaudit.errors import InputError
from rmaudit.models.profiles import asked_by
from rmaudit.scan.target import Target


def scoring_endpoint(config: ScanConfig, options: Mapping[str, Any]) -> Target | None:
    """The target, once its servers have said what they serve; None where it is another kind.

    `options`: those of all endpoints.

    Raises:
        InputError: it cannot be asked as it is, or an option is of other targets.
    """
    from rmaudit.engines.score_routes import route_of

    spec = config.target
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
