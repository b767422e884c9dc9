"""TARGET on the command line: what is audited, and the engine that can run it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rmaudit.engines.base import Engine
from rmaudit.errors import InputError, MissingPackageError
from rmaudit.models.checkpoint import read_checkpoint
from rmaudit.models.profiles import Profile, load_profile

REPLAY = "replay:"
ENGINES = ("auto", "transformers", "replay")


@dataclass(frozen=True, slots=True)
class Target:
    """What is audited.

    rm_type: how it judges; `why` says from what that was told. facts: what the manifest records.
    """

    spec: str
    name: str
    digest: str
    rm_type: str
    why: str
    profile: Profile
    engine: Engine
    engine_why: str
    facts: dict[str, Any]


def resolve(spec: str, *, engine: str, profile: str | None, batch_size: int, dtype: str) -> Target:
    """Reads what TARGET names; loads no model.

    Raises:
        InputError: it is not there, is damaged, or cannot be run here.
    """
    if engine not in ENGINES:
        raise InputError(f"no engine '{engine}'", f"engines: {', '.join(ENGINES)}")
    if spec.startswith(REPLAY):
        if engine not in ("auto", "replay"):
            raise InputError(f"engine {engine} cannot run {spec}", "leave --engine out")
        return _replay(Path(spec.removeprefix(REPLAY)), spec, profile)
    if engine == "replay":
        raise InputError("engine replay needs recorded answers", "give replay:FILE as TARGET")
    if spec.startswith("openai:"):
        raise InputError(
            "this version cannot audit endpoints yet",
            "give a checkpoint folder, or record its answers and give replay:FILE",
        )
    return _checkpoint(Path(spec), spec, profile, batch_size, dtype)


def _replay(path: Path, spec: str, profile: str | None) -> Target:
    from rmaudit.engines.replay import ReplayEngine

    replay = ReplayEngine(path)
    return Target(
        spec=spec,
        name=path.stem,
        digest=hashlib.sha256(path.read_bytes()).hexdigest(),
        rm_type="gen-pairwise",
        why="recorded answers",
        profile=load_profile(profile or "generic"),
        engine=replay,
        engine_why="the target is a file of recorded answers",
        facts={"path": str(path)},
    )


def _checkpoint(path: Path, spec: str, profile: str | None, batch_size: int, dtype: str) -> Target:
    checkpoint = read_checkpoint(path)
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise MissingPackageError(f"auditing {spec}", package, "transformers")
    from rmaudit.engines.transformers import TransformersEngine

    chosen = profile or ("thinking" if checkpoint.thinking else "generic")
    return Target(
        spec=spec,
        name=path.resolve().name + (" (planted)" if checkpoint.planted else ""),
        digest=checkpoint.digest,
        rm_type="gen-pairwise",
        why=f"{checkpoint.architecture} with a chat template and no reward head",
        profile=load_profile(chosen),
        engine=TransformersEngine(
            path, context=checkpoint.context, batch_size=batch_size, dtype=dtype
        ),
        engine_why="the target is a checkpoint folder",
        facts={
            "path": str(path),
            "architecture": checkpoint.architecture,
            "parameters": checkpoint.parameters,
            "context": checkpoint.context,
            "digest_kind": checkpoint.digest_kind,
            "planted": checkpoint.planted,
        },
    )
