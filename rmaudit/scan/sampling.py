"""How the target is sampled: its profile, and what a user says otherwise."""

from __future__ import annotations

from dataclasses import replace

from rmaudit.config import ScanConfig
from rmaudit.engines.base import Sampling
from rmaudit.errors import InputError
from rmaudit.scan.target import Target
from rmaudit.taxonomy import FIRST_TOKEN


def sampling_of(config: ScanConfig, target: Target) -> Sampling:
    """The profile's settings with what the user set in their place.

    Raises:
        InputError: several samples that would all be the same, or an option for scores only.
    """
    if config.lower_is_better and target.gives_reasons:
        raise InputError(
            "--lower-is-better is for models that give scores", "leave --lower-is-better out"
        )
    if config.samples > 1 and target.scorer is not None:
        raise InputError(
            f"--samples {config.samples}: a model scores a response the same each time",
            "leave --samples out",
        )
    if target.rm_type in FIRST_TOKEN:
        return _one_token(config)
    sampling = target.profile.sampling
    if config.temperature is not None:
        sampling = replace(sampling, temperature=config.temperature)
    if config.max_tokens is not None:
        sampling = replace(sampling, max_tokens=config.max_tokens)
    if config.samples > 1 and sampling.temperature == 0 and target.engine.name != "replay":
        raise InputError(
            f"--samples {config.samples} at temperature 0 gives the same answer each time",
            "add --temperature, e.g. --temperature 0.7",
        )
    return sampling


def _one_token(config: ScanConfig) -> Sampling:
    """Of a model that is read by its first token.

    Raises:
        InputError: an option of answers.
    """
    for option, given in (
        ("--temperature", config.temperature),
        ("--max-tokens", config.max_tokens),
    ):
        if given is not None:
            raise InputError(
                f"{option}: the probabilities of the first token are read, and no answer is drawn",
                f"leave {option} out",
            )
    return Sampling(max_tokens=1)
