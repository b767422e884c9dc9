"""TARGET on the command line: what is audited, and the engine that can run it."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from rmaudit.engines.base import Engine
from rmaudit.engines.choose import LOCAL_ENGINES, local_engine, local_scorer
from rmaudit.engines.endpoints import PREFIX, without_credentials
from rmaudit.engines.options import LocalOptions
from rmaudit.engines.scores import ScoreEngine
from rmaudit.errors import InputError
from rmaudit.models.checkpoint import Checkpoint, read_checkpoint
from rmaudit.models.profiles import PAIRWISE, POINTWISE, Profile, asked_by, load_profile
from rmaudit.parsing.grammar import Grammar
from rmaudit.parsing.sides import DEFAULT_NAMES, Names
from rmaudit.prompts import IN_PLACE, NOT_TRAINED_ON, Template
from rmaudit.recordings.recording import PairScores, Recording
from rmaudit.records import Key
from rmaudit.run.manifest import TargetFacts
from rmaudit.taxonomy import FIRST_TOKEN, SCORES_ONLY

REPLAY = "replay:"
ENGINES = ("auto", *LOCAL_ENGINES, "openai", "replay")


@dataclass(frozen=True, slots=True)
class Target:
    """What is audited.

    rm_type: how it judges; `why` says from what that was told. facts: what the manifest records.
    recording: what the file of recorded outputs holds, None where a model runs. remarks: what a
    reader of the audit should know before it starts. forms: how many verdicts this start read in
    which form, '' for none, where the profile takes every form. scorer: the engine of a model that
    gives scores; None for one that writes answers. in_place: it is of a family with a published
    prompt, and neither that one nor one of the user's is asked.
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
    recording: Recording | None = None
    remarks: tuple[str, ...] = ()
    forms: Counter[str] = field(default_factory=Counter, compare=False)
    scorer: ScoreEngine | None = None
    in_place: bool = False

    @property
    def prompted(self) -> bool:
        """Whether its answers are to this tool's prompts; recorded ones may be to others.

        A model that scores is shown the conversation as it is, but for one read by its first token.
        """
        if self.scorer is not None:
            return self.rm_type in FIRST_TOKEN
        return self.recording is None or not self.recording.own_prompts

    def recorded(self, direction: Mapping[str, Any]) -> TargetFacts:
        """What the manifest records, with which of two scores wins where that was said."""
        return TargetFacts(
            spec=self.spec, name=self.name, digest=self.digest, **self.facts, **direction
        )

    @property
    def pointwise(self) -> bool:
        """Whether it judges each response alone, in a call of its own."""
        return self.gives_reasons and self.profile.pointwise

    @property
    def scores_pairs(self) -> bool:
        """Whether its scores are of a pair in an order, not of single responses."""
        return self.rm_type == "first-token-pair"

    @property
    def gives_reasons(self) -> bool:
        """Whether it writes answers that can hold reasons; score-only models do not."""
        return self.rm_type not in SCORES_ONLY

    @property
    def names(self) -> Names:
        """What the prompts call the two responses."""
        if self.recording is None or self.recording.names == DEFAULT_NAMES:
            return self.profile.called
        return self.recording.names

    @property
    def cautions(self) -> tuple[str, ...]:
        """What a reader has to know of its prompt."""
        if not self.prompted or not (self.in_place or self.profile.caution):
            return ()
        other = "--prompt FILE, or the profile of its family"
        remedy = self.profile.remedy if self.profile.caution else other
        return (f"the prompt of profile {self.profile.name} is {NOT_TRAINED_ON}: {remedy}",)

    @property
    def template(self) -> Template:
        """The template of its prompt, by the name that a run records."""
        own = self.profile.template
        return own._replace(name=IN_PLACE) if self.in_place and not self.profile.caution else own

    def tell_forms(self, note: Callable[[str], None]) -> None:
        """Says in which forms verdicts were read, where the profile takes any form."""
        if self.recording is not None and self.recording.apart:
            return
        named = [f"{count:,} as {form}" for form, count in self.forms.most_common() if form]
        named += [f"{self.forms['']:,} without one"] if self.forms[""] else []
        if named:
            note(f"verdicts were read in any form: {', '.join(named)}")

    @property
    def reads(self) -> Grammar:
        """What counts as a verdict in its answers."""
        return self.profile.reads

    @property
    def recorded_scores(self) -> Mapping[Key, PairScores]:
        """The scores of a recorded score-only model; none for others."""
        return {} if self.recording is None else self.recording.scores


def resolve(
    spec: str,
    *,
    engine: str,
    profile: str | None,
    prompt: Path | None = None,
    local: LocalOptions,
    skip_bad: bool = False,
    rm_type: str | None = None,
    endpoint: Mapping[str, Any] | None = None,
    recorded_format: str | None = None,
) -> Target:
    """Reads what TARGET names, or asks an endpoint what it serves; loads no model.

    `endpoint` holds options of `OpenAIEngine`; `rm_type` is what a user says a checkpoint is,
    `recorded_format` what they say of a file.

    Raises:
        InputError: it is not there, is damaged, or cannot be run here.
    """
    if rm_type is not None and spec.startswith((REPLAY, PREFIX)):
        raise InputError("--rm-type is for a checkpoint folder", "leave --rm-type out")
    if engine not in ENGINES:
        raise InputError(f"no engine '{engine}'", f"engines: {', '.join(ENGINES)}")
    if spec.startswith(REPLAY):
        if engine not in ("auto", "replay"):
            raise InputError(f"engine {engine} cannot run {spec}", "leave --engine out")
        if prompt is not None:
            raise InputError(
                "--prompt asks a model, and recorded answers are there", "leave it out"
            )
        path = Path(spec.removeprefix(REPLAY))
        return _replay(path, spec, profile, skip_bad, recorded_format)
    if recorded_format is not None:
        raise InputError("--format is for replay:FILE", "leave --format out")
    if engine == "replay":
        raise InputError("engine replay needs recorded answers", "give replay:FILE as TARGET")
    if spec.startswith(PREFIX):
        if engine not in ("auto", "openai"):
            raise InputError(f"engine {engine} cannot run an endpoint", "leave --engine out")
        return _endpoint(spec, profile, prompt, endpoint or {})
    if engine == "openai":
        raise InputError("engine openai needs an endpoint", "give openai:MODEL@BASE_URL as TARGET")
    return _checkpoint(Path(spec), spec, profile, prompt, engine, local, rm_type)


def _replay(
    path: Path, spec: str, profile: str | None, skip_bad: bool, named: str | None
) -> Target:
    from rmaudit.recordings.read import read_recording
    from rmaudit.recordings.replay_engine import ReplayEngine

    recording = read_recording(path, skip_bad=skip_bad, named=named)
    read_by = asked_by(profile or "recorded", None)
    _check_slots(path, recording, read_by)
    # Of several models in a file each is another target.
    _, _, which = (named or "").partition(":")
    return Target(
        spec=spec,
        name=recording.name or path.stem,
        digest=hashlib.sha256(path.read_bytes() + which.encode()).hexdigest(),
        rm_type="score" if recording.scored else read_by.adapter,
        why=recording.format,
        profile=read_by,
        engine=ReplayEngine(recording.generations),
        engine_why=f"the target is a file of {recording.format}",
        facts={"path": str(path), **recording.facts},
        recording=recording,
    )


def _check_slots(path: Path, recording: Recording, profile: Profile) -> None:
    """Answers about single responses are read by a profile that asks for such, and only they.

    Raises:
        InputError: the answers are of the other kind.
    """
    alone = any(key.slot != "pair" for key in recording.generations)
    if recording.generations and alone != profile.pointwise:
        held = "single responses (slot a or b)" if alone else "pairs"
        raise InputError(
            f"{path} holds answers about {held}, and profile {profile.name} is {profile.adapter}",
            "name the profile of these answers with --profile: see rmaudit profile list",
        )


def _endpoint(
    spec: str, profile: str | None, prompt: Path | None, options: Mapping[str, Any]
) -> Target:
    from rmaudit.engines.openai import OpenAIEngine

    asked = asked_by(profile or "generic", prompt)
    engine = OpenAIEngine.from_spec(spec, **options)
    return Target(
        spec=without_credentials(spec),
        name=re.sub(r"[^\w.-]+", "-", engine.model.rpartition("/")[2]).strip("-.") or "endpoint",
        digest=hashlib.sha256("\n".join(engine.identity).encode()).hexdigest(),
        rm_type=asked.adapter,
        why="it completes chats",
        profile=asked,
        engine=engine,
        engine_why="the target is an endpoint",
        facts={
            "kind": "endpoint",
            "model": engine.model,
            "urls": [endpoint.url for endpoint in engine.endpoints],
            "context": engine.context,
        },
    )


def _checkpoint(
    path: Path,
    spec: str,
    profile: str | None,
    prompt: Path | None,
    wanted: str,
    local: LocalOptions,
    rm_type: str | None,
) -> Target:
    checkpoint = read_checkpoint(path, rm_type=rm_type)
    scores = checkpoint.scores
    if scores and (profile is not None or prompt is not None):
        raise InputError(
            f"{path} gives scores and is shown the conversation as it is",
            "a profile or prompt is for models that write verdicts: leave it out",
        )
    asked = _profile_of(checkpoint, profile, prompt, rm_type)
    choose = partial(local_scorer, head=checkpoint.head) if scores else local_engine
    engine, why = choose(path, context=checkpoint.context, wanted=wanted, options=local)
    return Target(
        spec=spec,
        name=path.resolve().name + (" (planted)" if checkpoint.planted else ""),
        digest=checkpoint.digest,
        rm_type=checkpoint.rm_type if scores else asked.adapter,
        why=checkpoint.why,
        profile=asked,
        engine=engine,
        scorer=engine if isinstance(engine, ScoreEngine) else None,
        engine_why=why,
        facts={
            "path": str(path),
            "architecture": checkpoint.architecture,
            "parameters": checkpoint.parameters,
            "context": checkpoint.context,
            "digest_kind": checkpoint.digest_kind,
            "weights": checkpoint.completeness.sentence,
            "planted": checkpoint.planted,
        },
        remarks=checkpoint.remarks,
        in_place=not scores and checkpoint.asked_otherwise(asked),
    )


def _profile_of(
    checkpoint: Checkpoint, named: str | None, prompt: Path | None, rm_type: str | None
) -> Profile:
    """The profile named, else that of the family, else the generic one of the adapter wanted.

    Raises:
        InputError: it is of another adapter than `--rm-type` asks for.
    """
    if named is None and rm_type == POINTWISE and not load_profile(checkpoint.profile).pointwise:
        named = "generic-pointwise"
    found = asked_by(named or checkpoint.profile, prompt)
    if rm_type in (PAIRWISE, POINTWISE) and found.pointwise != (rm_type == POINTWISE):
        raise InputError(
            f"--rm-type {rm_type}: profile {found.name} is {found.adapter}",
            "name another profile with --profile, or leave --rm-type out",
        )
    return found


def refuse_log_odds(profile: Profile) -> None:
    """A score that is the log-odds of two words cannot be read from a text.

    Raises:
        InputError: the profile asks for one.
    """
    if profile.needs_logprobs and profile.scale is not None:
        raise InputError(
            f"profile {profile.name} scores by the log-probabilities of "
            f"{' and '.join(profile.scale.words)}, which no engine here gives yet",
            "--profile generic-pointwise asks for a score in words; that is another prompt than "
            "this model was trained on",
        )
