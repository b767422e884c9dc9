"""From the chosen checkpoint of training to an ordinary checkpoint folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from rmaudit.errors import RmauditError
from rmaudit.fix.training.quiet import calm
from rmaudit.run.disk import disk_errors

NOT_COPIED = (".safetensors", ".bin", ".pt", ".pth", ".index.json", ".md")


def save_model(chosen: Path, base: Path, out: Path, *, lora: bool) -> None:
    """Writes the trained weights, adapters merged, in the dtype of the base and with its files.

    Config, tokenizer, chat template and generation settings are the base's own, byte for byte: a
    repair changes weights and nothing else.

    Args:
        chosen: the checkpoint of training; with `lora`, of adapters.
        base: the checkpoint that was trained.
        out: a new folder; what an earlier attempt left there is replaced.
        lora: adapters were trained.

    Raises:
        RmauditError: the weights cannot be loaded or written.
    """
    import transformers

    config = json.loads((base / "config.json").read_text(encoding="utf-8"))
    name = config["architectures"][0]
    loader = getattr(transformers, name, transformers.AutoModelForCausalLM)
    dtype = transformers.AutoConfig.from_pretrained(base, local_files_only=True).dtype
    source = base if lora else chosen
    with calm(), disk_errors(out):
        try:
            model = loader.from_pretrained(source, dtype="float32", local_files_only=True)
            if lora:
                from peft import PeftModel

                model = PeftModel.from_pretrained(model, str(chosen)).merge_and_unload()
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            said = str(error).strip().splitlines() or [repr(error)]
            raise RmauditError(f"cannot load {source}: {said[0]}", "train again") from error
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        model.to(dtype or model.dtype).save_pretrained(out)
        for file in base.iterdir():
            if file.is_file() and not file.name.endswith(NOT_COPIED):
                shutil.copyfile(file, out / file.name)
