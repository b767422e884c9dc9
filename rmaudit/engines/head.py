"""A reward head that no class of transformers knows: which tensors it is, and how they are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.errors import InputError


class HeadLayers(NamedTuple):
    """Linear layers with a ReLU between them, over the last token's hidden state.

    files: the safetensors files that hold its tensors. layers: names of the weight and of the
    bias, None for no bias. in_vllm: vLLM has a class for the model with this head.
    """

    files: tuple[str, ...]
    layers: tuple[tuple[str, str | None], ...]
    in_vllm: bool

    @property
    def names(self) -> tuple[str, ...]:
        """All its tensors."""
        return tuple(name for layer in self.layers for name in layer if name is not None)


def load_head(path: Path, head: HeadLayers, device: Any) -> Any:
    """The head as a torch module in float32.

    Raises:
        InputError: a number of it is not finite.
    """
    import torch
    from safetensors import safe_open

    tensors: dict[str, Any] = {}
    for file in head.files:
        with safe_open(path / file, framework="pt") as stream:
            for name in sorted(set(head.names) & set(stream.keys())):
                tensors[name] = stream.get_tensor(name).float()
    for name, tensor in tensors.items():
        if not bool(torch.isfinite(tensor).all()):
            raise InputError(
                f"{name} of {path} holds numbers that are not finite",
                "the head is damaged: copy or save the checkpoint again",
            )
    steps: list[Any] = []
    for weight, bias in head.layers:
        rows, columns = tensors[weight].shape
        linear = torch.nn.Linear(columns, rows, bias=bias is not None)
        linear.weight.data = tensors[weight]
        if bias is not None:
            linear.bias.data = tensors[bias]
        steps += [linear, torch.nn.ReLU()]
    return torch.nn.Sequential(*steps[:-1]).to(device).eval()
