"""What is to be repaired: a checkpoint folder, or a run that audited one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError
from rmaudit.fix.training.settings import Size
from rmaudit.models.checkpoint import Checkpoint, read_checkpoint
from rmaudit.models.prompt_text import OF_USER
from rmaudit.run.directory import MANIFEST, RunDir
from rmaudit.run.integrity import refuse_unsound
from rmaudit.run.item import run_items
from rmaudit.run.manifest import RunManifest


class Audited(Protocol):
    """An audit, if there was one: its run, its items, what its manifest says."""

    @property
    def run(self) -> RunDir | None:
        """The run directory."""
        ...

    @property
    def audited(self) -> tuple[Item, ...]:
        """The items; none without a run."""
        ...

    @property
    def manifest(self) -> RunManifest | None:
        """Of the run; None without one."""
        ...


GENERATIVE = ("ForCausalLM", "ForConditionalGeneration")


@dataclass(frozen=True, slots=True)
class RepairTarget:
    """A checkpoint that can be trained, and the run that audited it, if one was named.

    Attributes:
        checkpoint: what its files say.
        size: what its memory depends on.
        run: the audit, None where a checkpoint was named.
        audited: the items of that audit.
    """

    checkpoint: Checkpoint
    size: Size
    run: RunDir | None = None
    audited: tuple[Item, ...] = ()

    @property
    def path(self) -> Path:
        """The checkpoint's folder."""
        return self.checkpoint.path

    @property
    def name(self) -> str:
        """For folders and titles."""
        return self.path.resolve().name

    @property
    def manifest(self) -> RunManifest | None:
        """Of the audit; None without one."""
        return self.run.manifest() if self.run is not None else None


def refuse_other_prompt(manifest: RunManifest | None, prompt: Path | None) -> None:
    """Refuses to go on from an audit by a user's prompt without it.

    Raises:
        InputError: the audit had one, and none is given.
    """
    if manifest is not None and prompt is None and OF_USER in manifest.prompts:
        raise InputError(
            "the audit asked by a prompt of the user's own, and this would ask by another",
            "give it again with --prompt FILE",
        )


def read_source(spec: str) -> RepairTarget:
    """What RUN or CKPT names.

    Raises:
        InputError: it is neither, or nothing in it can be trained.
    """
    path = Path(spec)
    if (path / MANIFEST).is_file():
        return _of_run(RunDir.open(path))
    if spec.startswith("openai:"):
        raise _endpoint()
    if spec.startswith("replay:"):
        raise _not_here("recorded outputs")
    return _of_checkpoint(path)


def _of_run(run: RunDir) -> RepairTarget:
    refuse_unsound(run)
    manifest = run.manifest()
    target = manifest.target
    if not manifest.gives_reasons:
        raise score_only(target.name)
    if target.kind == "endpoint":
        raise _endpoint()
    if manifest.guidelines:
        raise InputError(
            f"{run.path} audited the model with guidelines in its prompt, and training has none",
            "scan it without that --profile, and fix that run; or name the checkpoint",
        )
    path = target.path
    if path is None or not Path(path).is_dir():
        raise _not_here(f"the target of {run.path} ({target.spec})")
    found = _of_checkpoint(Path(path))
    if found.checkpoint.digest != target.digest:
        raise InputError(
            f"{path} is no longer the checkpoint that {run.path} audited",
            "scan it again, or name the folder instead of the run",
        )
    return RepairTarget(found.checkpoint, found.size, run, run_items(run))


def _of_checkpoint(path: Path) -> RepairTarget:
    config = _config(path)
    names = config.get("architectures")
    if isinstance(names, list) and names and not str(names[0]).endswith(GENERATIVE):
        raise score_only(f"{path} ({names[0]})")
    checkpoint = read_checkpoint(path)
    return RepairTarget(checkpoint, _size(config, checkpoint.parameters))


def _config(path: Path) -> dict[str, Any]:
    """config.json; empty where `read_checkpoint` will say what is wrong."""
    try:
        found = json.loads((path / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _size(config: dict[str, Any], parameters: int) -> Size:
    """From the config; a field under an unusual name counts with a small model's value."""
    inner = config.get("text_config")
    both = {**config, **(inner if isinstance(inner, dict) else {})}

    def number(*names: str, default: int) -> int:
        found = (both.get(name) for name in names)
        return next((value for value in found if isinstance(value, int)), default)

    return Size(
        parameters,
        number("hidden_size", "n_embd", "d_model", default=1024),
        number("num_hidden_layers", "n_layer", default=24),
        number("vocab_size", default=32_000),
    )


def _endpoint() -> InputError:
    return InputError(
        "an endpoint's weights cannot be trained here",
        "--arm prompt writes guidelines into its prompt instead; to train, name the checkpoint's "
        "folder, with its safetensors",
    )


def score_only(what: str) -> InputError:
    """The error of a model that writes no reasons."""
    return InputError(
        f"{what} gives scores and no reasons, so its reasons cannot be trained",
        "fix a generative reward model (...ForCausalLM) instead; what a score-only model reads, "
        "reason_sensitivity of rmaudit scan says, and more pairs that differ in one fault mend it",
    )


def _not_here(what: str) -> InputError:
    return InputError(
        f"{what} cannot be trained here", "name the checkpoint's folder, with its safetensors"
    )
