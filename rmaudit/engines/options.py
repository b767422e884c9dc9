"""How a model is run: the options of an engine on this machine, and those of an endpoint."""

from __future__ import annotations

from dataclasses import dataclass

KEY_ENV = "OPENAI_API_KEY"
CONCURRENCY = 32
REQUEST_TIMEOUT = 600.0
REQUEST_RETRIES = 6
"""With waits of 0.5, 1, 2, 4, 8 and 8 s before them, or what the server asks for."""
RETRY_AFTER_LIMIT = 120.0
"""Seconds: a server that asks for more is asked again after these. The openai package has the same
limit, and gives a request up that is to wait longer."""


@dataclass(frozen=True, slots=True)
class LocalOptions:
    """How a checkpoint is run here; see `rmaudit scan --help`.

    None leaves a choice to the engine: `max_model_len` is then taken from the prompts.
    """

    batch_size: int = 16
    dtype: str = "auto"
    max_model_len: int | None = None
    gpu_memory_utilization: float | None = None
    tensor_parallel: int = 1
    data_parallel: int = 1
    quantization: str | None = None
    seed: int = 0
    verbose: bool = False

    def only_vllm(self) -> str | None:
        """The option that no other engine knows, if one was given."""
        given = {
            "--tensor-parallel": self.tensor_parallel > 1,
            "--max-model-len": self.max_model_len is not None,
            "--gpu-memory-utilization": self.gpu_memory_utilization is not None,
            "--quantization": self.quantization is not None,
        }
        return next((option for option, is_given in given.items() if is_given), None)
