"""Both ways through a checkpoint's tokenizer: chats to token ids, answers back to text."""

from __future__ import annotations

import copy
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.engines.base import Request
from rmaudit.engines.chat import Chat
from rmaudit.engines.tokenizer import first_line, load_tokenizer
from rmaudit.errors import InputError


class TokenPrompt(NamedTuple):
    """A request with its token ids, 4 bytes each: a set of 20,000 prompts is kept whole."""

    request: Request
    ids: array[int]


class Codec:
    """A checkpoint's tokenizer and end tokens; one thread may encode while another decodes.

    Raises:
        InputError: the tokenizer cannot be loaded.
    """

    def __init__(self, path: Path) -> None:
        tokenizer = load_tokenizer(path)
        import transformers

        try:
            if (path / "generation_config.json").is_file():
                ends = transformers.GenerationConfig.from_pretrained(path, local_files_only=True)
            else:
                config = transformers.AutoConfig.from_pretrained(path, local_files_only=True)
                ends = transformers.GenerationConfig.from_model_config(config)
            stops = ends.eos_token_id
            found = [stops] if isinstance(stops, int) else list(stops or ())
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"cannot read generation_config.json or config.json of {path}: {first_line(error)}",
                "copy or save the checkpoint again",
            ) from error
        self.chat = Chat(tokenizer, path)
        # A tokenizer of its own: encoding changes settings that decoding must not meet halfway.
        self._decoder = copy.deepcopy(tokenizer)
        if tokenizer.eos_token_id is not None:
            found.append(tokenizer.eos_token_id)
        self.stops: list[int] = list(dict.fromkeys(found))
        """End tokens of the generation config and of the tokenizer."""

    def trainer_tokenizer(self) -> Any:
        """A tokenizer of its own for a trainer, which pads on the left."""
        tokenizer = copy.deepcopy(self._decoder)
        tokenizer.padding_side = "left"
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token
        return tokenizer

    def encode(self, request: Request) -> TokenPrompt:
        """Token ids of the request's chat, with exactly one BOS.

        Raises:
            InputError: the chat template refuses the messages.
        """
        return TokenPrompt(request, array("i", self.chat.encode(request.messages, request.prefill)))

    def decode(self, request: Request, ids: Sequence[int]) -> str:
        """The text that answers a request; control tokens are kept.

        It begins with what the template opens the answer with, or after the request's prefill.
        """
        return self._plain(ids) if request.prefill else self.text(ids)

    def text(self, ids: Sequence[int]) -> str:
        """The text of an answer from its beginning."""
        return self.chat.opening + self._plain(ids)

    def _plain(self, ids: Sequence[int]) -> str:
        text: str = self._decoder.decode(list(ids), skip_special_tokens=False)
        return text

    def without_stop(self, ids: Sequence[int]) -> Sequence[int]:
        """The answer's tokens without the end token that stopped it."""
        return ids[:-1] if ids and ids[-1] in self.stops else ids
