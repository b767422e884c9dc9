"""Writes the trained judge as an int8 ONNX graph with its tokenizer into the package.

python -m embedded_judge.export FOLDER_OF_THE_ENCODER WEIGHTS
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import BertModel

from embedded_judge.lessons import Lesson
from embedded_judge.train import Net, encode, tokenizer_of

OUT = Path(__file__).parents[2] / "rmaudit" / "embedded"
EXAMPLE = Lesson(
    ("Response A is too long.", "a"), ("It exceeds the limit by far.", "a"), 1.0, "example"
)
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def export(folder: Path, weights: Path, out: Path) -> Path:
    """The graph; every matrix is quantised for each channel by itself."""
    state = torch.load(weights, weights_only=True)
    layers = 1 + max(int(name.split(".")[3]) for name in state if ".layer." in name)
    net = Net(BertModel.from_pretrained(folder, attn_implementation="eager"), layers)
    net.load_state_dict(state)
    tokenizer = tokenizer_of(folder)
    tensors = encode(tokenizer, [EXAMPLE, EXAMPLE])
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "plain.onnx"
        torch.onnx.export(
            net.eval(),
            tuple(tensors[name] for name in INPUTS),
            str(plain),
            input_names=list(INPUTS),
            output_names=["logits"],
            dynamic_axes={name: {0: "pairs", 1: "tokens"} for name in INPUTS},
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(plain, out / "judge.onnx", per_channel=True, weight_type=QuantType.QInt8)
    tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    return out / "judge.onnx"


def main() -> None:
    """Exports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    made = export(arguments.encoder, arguments.weights, arguments.out)
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
