"""The rows of the data files, and how an answer is found again in what a trainer hands back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.checklists.schema import Item
from rmaudit.engines.base import Request
from rmaudit.engines.codec import Codec
from rmaudit.errors import InputError
from rmaudit.fix.data import Prompted
from rmaudit.models.profiles import Profile
from rmaudit.records import FinishReason, Key

SOURCE = "rmaudit"
TOO_LONG = "prompt longer than max_prompt_tokens"
CONTROL = "spells a control token of the tokenizer"
NOT_TEXT = "prompt is not the same as text"


class ShownPair(NamedTuple):
    """A prompt as chat messages, and as the text whose tokens are those that the scan feeds."""

    prompted: Prompted
    messages: tuple[dict[str, str], ...]
    text: str


class Speller:
    """Writes prompts for a checkpoint and leaves out, counted, what a trainer cannot be given."""

    def __init__(
        self, checkpoint: Path, *, profile: Profile, max_reasons: int, max_tokens: int
    ) -> None:
        """A speller; raises InputError where the tokenizer cannot be loaded."""
        self._codec = Codec(checkpoint)
        self._tokenizer = self._codec.trainer_tokenizer()
        self._profile, self._max_reasons, self._max_tokens = profile, max_reasons, max_tokens
        self._special = tuple(self._tokenizer.get_added_vocab())
        self.left_out: dict[str, int] = {}

    @property
    def opening(self) -> str:
        """What the chat template puts at the start of the answer."""
        return self._codec.chat.opening

    @property
    def stops(self) -> tuple[str, ...]:
        """The end tokens as text."""
        return tuple(self._decode([one]) for one in self._codec.stops)

    def show(self, prompts: Sequence[Prompted]) -> list[ShownPair]:
        """Those that fit; the others are counted in `left_out` by why."""
        shown = []
        for one in prompts:
            messages = self._profile.render(
                one.item, order=one.order, max_reasons=self._max_reasons
            ).messages
            ids = list(self._codec.encode(Request(Key(one.item.id), messages, 0)).ids)
            text = self._decode(ids)
            if len(ids) > self._max_tokens:
                self._leave(TOO_LONG)
            elif any(token in m["content"] for m in messages for token in self._special):
                # The scan feeds it as plain text; both trainers would feed the control token.
                self._leave(CONTROL)
            elif self._tokenizer(text, add_special_tokens=False)["input_ids"] != ids:
                self._leave(NOT_TEXT)
            else:
                shown.append(ShownPair(one, messages, text))
        return shown

    def _leave(self, why: str) -> None:
        self.left_out[why] = self.left_out.get(why, 0) + 1

    def _decode(self, ids: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=False))


def truth(prompted: Prompted) -> str:
    """The row's ground truth: what the reward and the judge need of the item, as JSON text."""
    kept = prompted.item.model_dump(
        mode="json", exclude_defaults=True, exclude={"annotators", "repairs", "controls"}
    )
    return json.dumps({"item": kept, "order": prompted.order})


def verl_row(shown: ShownPair, *, split: str, index: int) -> dict[str, Any]:
    """A row of verl's parquet files."""
    item: Item = shown.prompted.item
    return {
        "data_source": f"{SOURCE}/{item.domain}",
        "prompt": list(shown.messages),
        "ability": item.domain,
        "reward_model": {"style": "rule", "ground_truth": truth(shown.prompted)},
        "extra_info": {
            "split": split, "index": index, "item": item.id, "order": shown.prompted.order,
        },
    }  # fmt: skip


def openrlhf_row(shown: ShownPair) -> dict[str, str]:
    """A row of OpenRLHF's jsonl files; the prompt is rendered, so that no text is a template's."""
    return {"input": shown.text, "label": truth(shown.prompted), "datasource": SOURCE}


def answer_of(query: str, prompt: str, stops: Sequence[str]) -> tuple[str, FinishReason]:
    """The answer in a query without its end token, and how it ended.

    Raises:
        InputError: the query does not begin with the prompt, so the trainer cut the prompt.
    """
    if not query.startswith(prompt):
        raise InputError(
            "a query does not begin with its prompt",
            "leave room for the longest prompt: --data.max_len minus --rollout.max_new_tokens",
        )
    text = query[len(prompt) :]
    for stop in stops:
        if stop and text.endswith(stop):
            return text.removesuffix(stop), "stop"
    return text, "length"
