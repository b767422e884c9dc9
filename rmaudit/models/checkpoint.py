"""Reads a checkpoint folder: architecture, chat template, weights, context, content digest.

Only JSON files, the README and safetensors headers are read; no weight is loaded and no code of the
checkpoint runs but its chat template, in a process of its own. A checkpoint's files may choose how
it is prompted and parsed, never what is safe.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rmaudit.engines.head import HeadLayers
from rmaudit.errors import InputError
from rmaudit.models.completeness import Completeness, check_completeness
from rmaudit.models.examiners import refuse_examiners
from rmaudit.models.families import family_of, trained_by_fix
from rmaudit.models.folder import read_json
from rmaudit.models.profiles import Profile, is_shipped, read_profile
from rmaudit.models.scalar import CLASSIFIES, SCALAR, check_reward_head
from rmaudit.models.score_only import named_so, signs
from rmaudit.models.template_check import chat_template, try_template
from rmaudit.models.value_head import (
    HF,
    TOKEN_HEADS,
    TOKENHEAD,
    FoundHead,
    body_of,
    token_head,
    value_head,
)
from rmaudit.models.weights import INDEX, SINGLE, Shapes, few, tensor_shapes
from rmaudit.taxonomy import REWARD_HEADS

FULL_HASH_BYTES = 1 << 30
EDGE_BYTES = 1 << 20
GENERATIVE = ("ForCausalLM", "ForConditionalGeneration", "LMHeadModel")
PAIRWISE, POINTWISE = "gen-pairwise", "gen-pointwise"
RM_TYPES = (PAIRWISE, POINTWISE, SCALAR, TOKENHEAD, HF)
"""What can be audited from a folder; `--rm-type` chooses among them."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What the files of a checkpoint say.

    parameters: number of weights in the safetensors headers. context: tokens of prompt and
    answer together, None where the config does not say. digest: sha256 over the files; over
    sizes, headers and edges of the weights above 1 GiB, and then `digest_kind` is `edges`.
    planted: the config says that the model was made to show a defect; every output repeats it.
    rm_type: how it judges, and `why` says by what that was told. profile: how it is prompted and
    read unless a user says otherwise. remarks: what a reader of the audit should know of it.
    family_profile: that of the family that it is of, which need not ship; None for no known one.
    head: a reward head that is not that of a `...ForSequenceClassification`.
    """

    path: Path
    architecture: str
    model_type: str
    parameters: int
    context: int | None
    thinking: bool
    profile: str
    digest: str
    digest_kind: str
    planted: bool
    completeness: Completeness
    rm_type: str
    why: str
    family_profile: str | None
    remarks: tuple[str, ...]
    head: HeadLayers | None = None

    @property
    def scores(self) -> bool:
        """Whether it has a reward head, and writes nothing."""
        return self.rm_type in REWARD_HEADS

    def asked_otherwise(self, asked: Profile) -> bool:
        """Whether it is of a family with a published prompt, and this asks it by another one.

        A prompt of the user's is taken at its word. The profiles of one family say so by `family`.
        """
        if self.family_profile is None or asked.prompt_source == "user":
            return False
        if not is_shipped(self.family_profile):
            return True
        own = read_profile(self.family_profile)
        return own.has_published and (not asked.family or asked.family != own.family)


def read_checkpoint(path: Path, *, rm_type: str | None = None) -> Checkpoint:
    """Reads and checks a folder.

    rm_type: what a user says it is, against what its files say of it.

    Raises:
        InputError: no such folder, no config, no chat template or one that cannot be used, pickled
            weights, weights that are missing or of another shape, files that say it gives scores
            only, or code of the checkpoint would have to run.
    """
    if rm_type is not None and rm_type not in RM_TYPES:
        raise InputError(
            f"this version cannot audit a checkpoint as '{rm_type}'",
            f"--rm-type is one of: {', '.join(RM_TYPES)}",
        )
    try:
        return _read(path, rm_type)
    except OSError as error:  # of a folder or file that this user may not read
        raise InputError(
            f"cannot read {error.filename or path}: {error.strerror}", "mend its permissions"
        ) from error


def _read(path: Path, rm_type: str | None) -> Checkpoint:
    config = _config(path)
    refuse_examiners(path)
    architecture = _architecture(path, config)
    classifies, token = architecture.endswith(CLASSIFIES), architecture in TOKEN_HEADS
    if not classifies and not token and not architecture.endswith(GENERATIVE):
        raise InputError(
            f"{path} is a {architecture}, which this version cannot audit",
            f"it audits models that write verdicts (...ForCausalLM) and reward heads "
            f"(...{CLASSIFIES}, {', '.join(TOKEN_HEADS)}, or a value head v_head)",
        )
    possible = (SCALAR,) if classifies else (TOKENHEAD,) if token else (PAIRWISE, POINTWISE, HF)
    if rm_type is not None and rm_type not in possible:
        raise InputError(
            f"{path} is a {architecture}, which is no {rm_type}", "leave --rm-type out"
        )
    shapes = tensor_shapes(path)
    template = chat_template(path)
    found: FoundHead | None = None
    if classifies:
        check_reward_head(path, config, shapes)
    elif token:
        found = token_head(path, config, shapes)
    elif rm_type in (None, HF):
        found = value_head(path, config, shapes)
        if found is None and rm_type == HF:
            raise InputError(
                f"{path} has no value head v_head in its weights or beside them",
                "leave --rm-type out",
            )
    scores = classifies or found is not None
    if rm_type is None and not scores:
        _refuse_score_only(path, signs(path, config, ()))
    completeness = _completeness(path, architecture, config, shapes, found)
    if completeness.why and completeness.known and not scores:
        _check_head(path, config, shapes)
    if rm_type is None and not scores:
        loose = shapes if completeness.why else completeness.unused
        _refuse_score_only(path, signs(path, config, loose))
    untried = try_template(path, template)
    profile, family, reasons, remarks = _prompting(path, config, template, scores=scores)
    if completeness.why:
        remarks.append(f"weights: {completeness.sentence}")
    if completeness.unused:
        names = completeness.unused
        remarks.append(f"{len(names):,} tensors have no place in a {architecture}: {few(names)}")
    if untried:
        remarks.append(f"chat template not tried: {untried}")
    if named_so(path) and rm_type is None and not reasons and not scores:
        remarks.append(
            "its name says reward model: if it gives scores only, this audit is of something else"
        )
    head = "a reward head of one number" if scores else "no reward head"
    head = found.why if found is not None else head
    adapter = SCALAR if classifies else TOKENHEAD if token else HF if found else PAIRWISE
    kind = f"{architecture} with a chat template and {head}"
    why = "asked for with --rm-type" if rm_type is not None else "; ".join([kind, *reasons])
    digest, digest_kind = _digest(path)
    return Checkpoint(
        path=path,
        architecture=architecture,
        model_type=str(config.get("model_type", "unknown")),
        parameters=sum(
            math.prod(shape)
            for held in (shapes, found.beside if found else {})
            for shape in held.values()
        ),
        context=_context(config),
        thinking=_thinks(template),
        profile=profile,
        digest=digest,
        digest_kind=digest_kind,
        planted=config.get("planted") is True,
        completeness=completeness,
        rm_type=adapter,
        why=why,
        family_profile=family,
        remarks=tuple(remarks),
        head=found.head if found else None,
    )


def _completeness(
    path: Path, architecture: str, config: dict[str, Any], shapes: Shapes, found: FoundHead | None
) -> Completeness:
    """Of a model with a head that no class knows it is that of its body."""
    if found is None:
        return check_completeness(path, architecture, config, shapes)
    body = check_completeness(path, body_of(path, config), config, shapes)
    known = {*found.head.names, "lm_head.weight"}
    return replace(body, unused=tuple(name for name in body.unused if name not in known))


def _config(path: Path) -> dict[str, Any]:
    if not path.is_dir():
        raise InputError(
            f"no checkpoint at {path}",
            "give a folder with config.json and safetensors weights, or replay:FILE",
        )
    adapter = path / "adapter_config.json"
    whole = any((path / name).is_file() for name in (SINGLE, INDEX))
    if adapter.is_file() and not whole:
        base = read_json(adapter).get("base_model_name_or_path")
        raise InputError(
            f"{path} is an adapter (LoRA) of {base or 'a base that it does not name'}, without the "
            "weights of that base",
            "merge it into its base first: PeftModel.from_pretrained(base, path)"
            ".merge_and_unload().save_pretrained(folder), and the tokenizer too",
        )
    if not (path / "config.json").is_file():
        raise InputError(
            f"{path} holds no config.json", "give the folder that save_pretrained() wrote"
        )
    config = read_json(path / "config.json")
    return config


def _architecture(path: Path, config: dict[str, Any]) -> str:
    named = config.get("architectures")
    first = named[0] if isinstance(named, list) and named else None
    if not isinstance(first, str) or not first.isidentifier():
        raise InputError(
            f"{path / 'config.json'} names no architecture",
            'add "architectures", e.g. ["LlamaForCausalLM"]',
        )
    return first


def _refuse_score_only(path: Path, found: list[str]) -> None:
    if found:
        raise InputError(
            f"{path} looks like a model that gives scores and writes no answers: "
            f"{'; '.join(found)}",
            f"this version scores with a head in a ...{CLASSIFIES}; if it does write verdicts, "
            f"--rm-type {PAIRWISE} says so",
        )


def _prompting(
    path: Path, config: dict[str, Any], template: str, *, scores: bool
) -> tuple[str, str | None, list[str], list[str]]:
    """The profile, that of its family, the reasons, and remarks; a scorer is not prompted."""
    if scores:
        return "generic", None, [], []
    usual = "thinking" if _thinks(template) else "generic"
    if profile := trained_by_fix(path):
        return profile, None, [f"README.md says: trained by rmaudit fix, profile {profile}"], []
    family, evidence = family_of(path, config, template)
    if family is None:
        return usual, None, [], []
    reasons = [f"{family.title}: {evidence}"]
    if is_shipped(family.profile):
        return family.profile, family.profile, reasons, []
    remark = (
        f"it looks like {family.title} ({evidence}), whose prompt is not among the profiles here: "
        f"the {usual} profile asks it by another prompt than it was trained on"
    )
    return usual, family.profile, reasons, [remark]


def _thinks(template: str) -> bool:
    return "<think>" in template or "enable_thinking" in template


def _check_head(path: Path, config: dict[str, Any], shapes: Shapes) -> None:
    """The one tensor whose absence shows without knowing the architecture."""
    heads = [name for name in shapes if name.endswith(("lm_head.weight", "lm_head.qweight"))]
    tied = bool(config.get("tie_word_embeddings"))
    embeddings = [name for name in shapes if "embed" in name or name.endswith("wte.weight")]
    if not heads and not (tied and embeddings):
        raise InputError(
            f"{path} has no language-model head in its weights (lm_head.weight)",
            "the checkpoint is incomplete: it would load with a random head; save it again",
        )


def _context(config: dict[str, Any]) -> int | None:
    text_config = config.get("text_config")
    for source in (config, text_config if isinstance(text_config, dict) else {}):
        for name in ("max_position_embeddings", "n_positions", "seq_length"):
            value = source.get(name)
            if isinstance(value, int) and value > 0:
                return value
    return None


def _digest(path: Path) -> tuple[str, str]:
    files = sorted(
        file
        for file in path.iterdir()
        if file.is_file() and (file.suffix in (".json", ".safetensors", ".jinja", ".model"))
    )
    whole = sum(file.stat().st_size for file in files) <= FULL_HASH_BYTES
    digest = hashlib.sha256()
    for file in files:
        size = file.stat().st_size
        digest.update(f"{file.name}\0{size}\0".encode())
        with file.open("rb") as stream:
            if whole or size <= 2 * EDGE_BYTES:
                while block := stream.read(EDGE_BYTES):
                    digest.update(block)
            else:
                digest.update(stream.read(EDGE_BYTES))
                stream.seek(-EDGE_BYTES, 2)
                digest.update(stream.read(EDGE_BYTES))
    return digest.hexdigest(), "content" if whole else "edges"
