"""The chat template of a checkpoint: where it stands, and a trial of it before the model loads."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rmaudit.engines.chat import template_refuses
from rmaudit.engines.template import TemplateError, TemplateProcess
from rmaudit.errors import InputError
from rmaudit.models.folder import read_json, read_text

TOKENS = ("bos_token", "eos_token", "unk_token", "pad_token", "sep_token", "cls_token")


def chat_template(path: Path) -> str:
    """The chat template of the folder.

    Raises:
        InputError: there is none; guessing one would audit another model than is deployed.
    """
    own_file = path / "chat_template.jinja"
    if own_file.is_file():
        return read_text(own_file)
    settings = path / "tokenizer_config.json"
    template = read_json(settings).get("chat_template") if settings.is_file() else None
    if isinstance(template, list):
        named = [entry for entry in template if isinstance(entry, dict)]
        template = {str(entry.get("name")): entry.get("template") for entry in named}.get("default")
    if not isinstance(template, str) or not template:
        raise InputError(
            f"{path} has no chat template",
            "add chat_template.jinja with the template that the model was trained with; "
            "rmaudit does not guess one",
        )
    return template


def try_template(path: Path, template: str) -> str:
    """Renders one turn of a user in a process under limits.

    Returns:
        Why it was not tried, '' where it was.

    Raises:
        InputError: the template refuses the turn, or goes over a limit.
    """
    if find_spec("transformers") is None:
        return "transformers not installed here"
    try:
        _render_once(template, tuple(_tokens(path).items()))
    except TemplateError as error:
        raise template_refuses(path, error) from error
    return ""


@lru_cache(maxsize=32)
def _render_once(template: str, tokens: tuple[tuple[str, str], ...]) -> None:
    """Kept where it rendered: a command may read one checkpoint as target, judge and labeller."""
    process = TemplateProcess(template, dict(tokens))
    try:
        process.render([{"role": "user", "content": "?"}])
    finally:
        process.close()


def _tokens(path: Path) -> dict[str, str]:
    """Special tokens as the tokenizer's settings name them; '' for what its class would add."""
    found = dict.fromkeys(TOKENS, "")
    for name in ("special_tokens_map.json", "tokenizer_config.json"):
        file = path / name
        settings: dict[str, Any] = read_json(file) if file.is_file() else {}
        for token in TOKENS:
            said = settings.get(token)
            said = said.get("content") if isinstance(said, dict) else said
            if isinstance(said, str):
                found[token] = said
    return found
