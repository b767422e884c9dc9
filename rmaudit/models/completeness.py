"""Whether a checkpoint's weights are all that its config asks for, before any of them is read.

transformers builds the model on the meta device, where tensors have shapes and no numbers, and
loads the tensors of the safetensors headers into it, which have none either. So the names that its
own loader maps, merges, ties or ignores are the ones that count here. Both engines load silently
what is missing: with random numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rmaudit.errors import InputError
from rmaudit.models.weights import Shapes, few

SAVE_AGAIN = "it would be loaded with random numbers there: copy or save the checkpoint again"
COMPLETE = "complete"
NEEDED = ("torch", "transformers", "accelerate")


@dataclass(frozen=True, slots=True)
class Completeness:
    """What is known of the weights.

    why: why it could not be checked, '' where all weights are there in their shapes. unused: names
    of tensors that the architecture has no place for; they are not loaded. known: whether the
    architecture is one that transformers has, or might have where it is not installed.
    """

    why: str
    unused: tuple[str, ...] = ()
    known: bool = True

    @property
    def sentence(self) -> str:
        """`complete`, or that it was not checked and why."""
        return f"completeness not checked: {self.why}" if self.why else COMPLETE


def check_completeness(
    path: Path, architecture: str, config: Mapping[str, Any], shapes: Shapes
) -> Completeness:
    """Compares the model of config.json with names and shapes of the headers.

    Raises:
        InputError: a tensor is missing or has another shape, or the config describes no model.
    """
    why = _why_not(config)
    if why:
        return Completeness(why)
    import transformers

    if getattr(transformers, architecture, None) is None:
        why = f"transformers {transformers.__version__} has no {architecture}"
        return Completeness(why, known=False)
    _bounded(path, config, len(shapes))
    found = _load_shapes(path, architecture, shapes)
    missing = sorted(found["missing_keys"])
    if missing:
        raise InputError(
            f"{path} lacks weights that its config.json asks for: {few(missing)}", SAVE_AGAIN
        )
    wrong = [
        f"{name} is {list(held)}, the config asks for {list(asked)}"
        for name, held, asked in sorted(found["mismatched_keys"])
    ]
    if wrong:
        raise InputError(f"weights of {path} have another shape: {few(wrong)}", SAVE_AGAIN)
    return Completeness("", tuple(sorted(found["unexpected_keys"])))


def _why_not(config: Mapping[str, Any]) -> str:
    """Why names and shapes cannot be known here; '' where they can."""
    quantised = config.get("quantization_config") or config.get("compression_config")
    if quantised:
        method = quantised.get("quant_method") if isinstance(quantised, dict) else None
        return f"quantised weights ({method or 'unnamed method'})"
    absent = [name for name in NEEDED if find_spec(name) is None]
    if absent:
        return f"{' and '.join(absent)} not installed here"
    return ""


def _bounded(path: Path, config: Mapping[str, Any], held: int) -> None:
    """Refuses a config of more layers than there are tensors, without building them all."""
    inner = config.get("text_config")
    for source in (config, inner if isinstance(inner, dict) else {}):
        for name in ("num_hidden_layers", "n_layer", "n_layers", "num_layers"):
            layers = source.get(name)
            if isinstance(layers, int) and layers > held:
                raise InputError(
                    f"{path / 'config.json'} asks for {layers:,} layers ({name}), but the weights "
                    f"hold {held:,} tensors",
                    SAVE_AGAIN,
                )


def _load_shapes(path: Path, architecture: str, shapes: Shapes) -> dict[str, Collection[Any]]:
    """What the loader of transformers says of tensors with these names and shapes."""
    import torch
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    tensors = {name: torch.empty(shape, device="meta") for name, shape in shapes.items()}
    try:
        config = transformers.AutoConfig.from_pretrained(
            path, local_files_only=True, trust_remote_code=False
        )
        built = getattr(transformers, architecture)
        if not isinstance(config, built.config_class):
            raise ValueError(f"it is none of model_type {config.model_type}")
        _, found = built.from_pretrained(
            None,
            config=config,
            state_dict=tensors,
            device_map={"": "meta"},
            attn_implementation="eager",
            ignore_mismatched_sizes=True,
            output_loading_info=True,
        )
    except Exception as error:  # whatever a class makes of settings that no one has tried
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise InputError(
            f"transformers cannot build the {architecture} of {path / 'config.json'}: {said}",
            "compare its numbers with the config.json that the model was trained with",
        ) from error
    held: dict[str, Collection[Any]] = found
    return held
