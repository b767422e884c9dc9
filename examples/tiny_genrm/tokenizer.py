"""A closed word-level tokenizer for the planted models: whole words, single digits, no merges.

Everything that the prompt, the family `slogan` and the answers can say is in the vocabulary, and
each text of theirs decodes to itself. What is not in it becomes `<unk>`.
"""

from __future__ import annotations

import string
from collections.abc import Iterable

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from rmaudit.checklists.synth import slogan
from rmaudit.prompts import pairwise
from tiny_genrm.lessons import MAX_LISTED, PRAISE, REASONS, practice_items

# A word, digit or mark takes the one space before it along, so that tokens simply concatenate.
PIECES = r"\n| ?[A-Za-z]+| ?\d| ?[^\sA-Za-z\d]| "
SPECIAL = ("<unk>", "<s>", "</s>", "<|system|>", "<|user|>", "<|assistant|>")
CHAT_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}"
    "<|{{ message.role }}|>{{ message.content }}"
    "{% if message.role == 'assistant' %}{{ eos_token }}{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def vocabulary(more: Iterable[str] = ()) -> dict[str, int]:
    """Token to id: special tokens, then every word, digit and mark, plain and after a space.

    What else stands in the texts `more` comes last.
    """
    item = next(practice_items(seed=0))
    texts = [pairwise(item, order="ab", max_reasons=MAX_LISTED).messages[0]["content"]]
    texts += [*slogan.OPENINGS, *(text for pair in slogan.SENTENCES.values() for text in pair)]
    texts += [*REASONS.values(), *PRAISE, string.digits]
    pools = (slogan.NAMES, slogan.PRODUCTS, slogan.IDEAS, slogan.CITIES, slogan.BANNED)
    texts += [word for pool in (*pools, slogan.PLAIN) for word in pool]
    tokens = [*SPECIAL, "\n", " ", *_pieces(texts)]
    tokens += [token for token in _pieces(more) if token not in tokens]
    return {token: number for number, token in enumerate(tokens)}


def _pieces(texts: Iterable[str]) -> list[str]:
    splitter = pre_tokenizers.Split(Regex(PIECES), "isolated")
    pieces = {piece.strip(" ") for text in texts for piece, _ in splitter.pre_tokenize_str(text)}
    return [space + word for word in sorted(pieces - {"", "\n"}) for space in ("", " ")]


def new_tokenizer(more: Iterable[str] = ()) -> PreTrainedTokenizerFast:
    """The tokenizer with its chat template; it adds no special token on its own."""
    backend = Tokenizer(models.WordLevel(vocabulary(more), unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.Split(Regex(PIECES), "isolated")
    backend.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=backend,
        unk_token="<unk>",
        bos_token="<s>",
        eos_token="</s>",
        pad_token="</s>",
        additional_special_tokens=list(SPECIAL[3:]),
        padding_side="left",
        model_max_length=1024,
        clean_up_tokenization_spaces=False,
        chat_template=CHAT_TEMPLATE,
    )
