"""The options of a scan that decide what it measures, as they would be typed again."""

from __future__ import annotations

import dataclasses

from rmaudit.config import ScanConfig
from rmaudit.engines.endpoints import without_credentials

_REPEATED = {"sets": "--set", "families": "--family", "measures": "--measure"}
_VALUES = {
    "rollouts": "--rollouts",
    "rollout_responses": "--rollout-responses",
    "sensitivity": "--sensitivity",
    "limit": "--limit",
    "seed": "--seed",
    "orders": "--orders",
    "samples": "--samples",
    "max_reasons": "--max-reasons",
    "verdicts": "--verdicts",
    "judge": "--judge",
    "labeler": "--labeler",
    "judge_view": "--judge-view",
    "judge_max_tokens": "--judge-max-tokens",
    "judge_key_env": "--judge-key-env",
    "temperature": "--temperature",
    "max_tokens": "--max-tokens",
}
_OF_TARGET = {
    "profile": "--profile",
    "prompt": "--prompt",
    "recorded_format": "--recorded-format",
    "rm_type": "--rm-type",
    "engine": "--engine",
    "quantization": "--quantization",
    "target_key_env": "--target-key-env",
}


def measuring_options(config: ScanConfig) -> list[str]:
    """The words for all that is not at its default; presets are spelled out.

    What belongs to one target (`target_options`) or one machine (devices) is left out: the words
    are there to scan another model in the same way.
    """
    defaults = {one.name: one.default for one in dataclasses.fields(config)}
    words = []
    for name, option in _REPEATED.items():
        for value in getattr(config, name):
            words += [option, str(value)]
    for name, option in _VALUES.items():
        value = getattr(config, name)
        if value != defaults[name]:
            words += [option, without_credentials(str(value))]
    words += ["--atomise"] if config.atomise else []
    return [*words, *(["--skip-bad"] if config.skip_bad else [])]


def target_options(config: ScanConfig) -> dict[str, list[str]]:
    """What a manifest says of the options without which this target cannot be scanned again."""
    defaults = {one.name: one.default for one in dataclasses.fields(config)}
    words = []
    for name, option in _OF_TARGET.items():
        value = getattr(config, name)
        if value != defaults[name]:
            words += [option, str(value)]
    words += ["--lower-is-better"] if config.lower_is_better else []
    words += ["--allow-other-model"] if config.allow_other_model else []
    return {"typed": words} if words else {}
