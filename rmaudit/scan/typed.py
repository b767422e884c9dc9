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
    "temperature": "--temperature",
    "max_tokens": "--max-tokens",
}


def measuring_options(config: ScanConfig) -> list[str]:
    """The words for all that is not at its default; presets are spelled out.

    What belongs to one target or machine (its profile, engine, keys, devices) is left out: the
    words are there to scan another model in the same way.
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
