"""From chat messages to the token ids that a local engine is fed.

The checkpoint's own chat template decides; the result has exactly one BOS, and text of an item that
spells a control token stays text.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rmaudit.engines.template import TemplateError, TemplateProcess
from rmaudit.errors import InputError

_THINK_TAGS = frozenset({"<think>", "</think>"})


class Chat:
    """A tokenizer with a chat template (a transformers tokenizer of any class).

    opens: the opening of the model's answer follows the chat; a model that scores is shown a chat
    that is over.

    Raises:
        InputError: it has no chat template.
    """

    def __init__(self, tokenizer: Any, path: Path, *, opens: bool = True) -> None:
        self._tokenizer = tokenizer
        self._path = path
        self._bos: int | None = tokenizer.bos_token_id
        self._adds_bos = self._bos is not None and self._bos in tokenizer("x")["input_ids"]
        self._special = frozenset(str(token) for token in tokenizer.get_added_vocab())
        self._opening: str | None = None
        try:
            template = tokenizer.get_chat_template()
        except ValueError as error:
            raise InputError(
                f"the tokenizer of {path} has no chat template", "add chat_template.jinja"
            ) from error
        self._template = TemplateProcess(template, tokenizer.special_tokens_map, opens=opens)

    @property
    def opening(self) -> str:
        """What the template itself puts at the start of the answer: `<think>` or nothing.

        It belongs to the answer's text: a completion that is cut inside its thinking must not be
        read as if it were the answer.
        """
        if self._opening is None:
            rendered = self._render([{"role": "user", "content": "?"}]).rstrip()
            self._opening = "<think>\n" if rendered.endswith("<think>") else ""
        return self._opening

    def encode(self, messages: Sequence[dict[str, str]], prefill: str = "") -> list[int]:
        """Token ids of the chat with the opening of the answer, and what of it is given.

        `prefill` follows the generation prompt as generated text would: a template that renders
        finished assistant turns in another form, e.g. without their thinking, does not touch it.

        Raises:
            InputError: the template refuses the messages.
        """
        if self._spells_control(prefill):  # quoted from an item: it stays text here too
            ids = self._encode_chat(messages, "") + self._ids(prefill, split_special_tokens=True)
        else:
            ids = self._encode_chat(messages, prefill)
        if self._bos is None:
            return ids
        while ids[:2] == [self._bos, self._bos]:
            ids = ids[1:]
        return ids if ids[:1] == [self._bos] or not self._adds_bos else [self._bos, *ids]

    def as_text(
        self, messages: Sequence[dict[str, str]], ids: Sequence[int], *, adds_bos: bool
    ) -> str | None:
        """The chat as a text that a tokenizer reads as `encode` does; None where there is none.

        Text of an item that spells a control token would become one. A BOS that neither template
        nor reader writes is left out, as the reader's own training did.

        Args:
            messages: the chat.
            ids: what `encode` makes of it.
            adds_bos: the reader puts a BOS before a text, if the tokenizer does so at all.
        """
        rendered = self._render(messages)
        bos = str(self._tokenizer.bos_token) if self._bos is not None else ""
        for text in dict.fromkeys(
            (rendered.removeprefix(bos), rendered) if adds_bos else (rendered,)
        ):
            read = self._tokenizer(text, add_special_tokens=adds_bos)["input_ids"]
            if read == ids or (not adds_bos and [self._bos, *read] == ids):
                return text
        return None

    def _spells_control(self, prefill: str) -> bool:
        return any(token in prefill for token in self._special if token not in _THINK_TAGS)

    def _encode_chat(self, messages: Sequence[dict[str, str]], prefill: str) -> list[int]:
        contents = [message["content"] for message in messages]
        if not any(token in content for content in contents for token in self._special):
            return self._ids(self._begun(self._render(messages), prefill))
        # Such content is tokenised by itself, where no control token is recognised.
        marks = [f"\ue000{number}\ue001" for number in range(len(messages))]
        text = self._render(
            [{**message, "content": mark} for message, mark in zip(messages, marks, strict=True)]
        )
        text = self._begun(text, prefill)
        ids: list[int] = []
        for mark, content in zip(marks, contents, strict=True):
            before, found, text = text.partition(mark)
            ids += self._ids(before)
            if found:
                ids += self._ids(content, split_special_tokens=True)
        return ids + self._ids(text)

    def _begun(self, rendered: str, prefill: str) -> str:
        """The rendered chat with a given beginning of the answer, whose opening it may repeat."""
        if prefill.startswith(self.opening):
            return rendered + prefill.removeprefix(self.opening)
        return rendered[: rendered.rindex("<think>")] + prefill if prefill else rendered

    def _ids(self, text: str, **options: bool) -> list[int]:
        ids: list[int] = self._tokenizer(text, add_special_tokens=False, **options)["input_ids"]
        return ids

    def _render(self, messages: Sequence[dict[str, str]]) -> str:
        try:
            return self._template.render(messages)
        except TemplateError as error:
            raise template_refuses(self._path, error) from error


def template_refuses(path: Path, error: TemplateError) -> InputError:
    """The error of a chat template that a chat cannot be rendered with."""
    said = " ".join(str(error).split())
    return InputError(
        f"the chat template of {path} refuses the prompt: {said}",
        "mend chat_template.jinja: it must accept one user turn",
    )
