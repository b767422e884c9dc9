"""The prompts of training as token ids, the very ones that the scan feeds its engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rmaudit.engines.base import Request, request_seed
from rmaudit.engines.codec import Codec
from rmaudit.fix.data import Prompted
from rmaudit.models.profiles import Profile
from rmaudit.records import Key


class Encoded(NamedTuple):
    """One prompt of training and its token ids."""

    prompted: Prompted
    ids: list[int]


def request(
    prompted: Prompted, *, profile: Profile, max_reasons: int, sample: int = 0, seed: int = 0
) -> Request:
    """What an engine is asked for a prompt; `seed` is that of the run."""
    key = Key(prompted.item.id, "base", "pair", prompted.order, sample)
    prompt = profile.render(prompted.item, order=prompted.order, max_reasons=max_reasons)
    return Request(key, prompt.messages, request_seed(seed, key))


def encode(
    prompts: Sequence[Prompted], codec: Codec, *, profile: Profile, max_reasons: int
) -> list[Encoded]:
    """The ids of each prompt, from the checkpoint's own chat template."""
    return [
        Encoded(one, list(codec.encode(request(one, profile=profile, max_reasons=max_reasons)).ids))
        for one in prompts
    ]


def fitting(prompts: Sequence[Encoded], *, most: int) -> list[Encoded]:
    """Those of at most so many tokens: a longer one is left out, never cut."""
    return [one for one in prompts if len(one.ids) <= most]
