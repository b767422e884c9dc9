"""The tokenizer of uncased BERT models, in pure Python: a few thousand short texts need no more."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_TOKEN = re.compile(r"\[unused\d+\]|\w+|[^\w\s]")
_LONGEST_WORD = 100


class WordPiece:
    """The tokenizer of uncased BERT models, on a given vocabulary."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.ids = {piece: number for number, piece in enumerate(vocabulary)}
        self.cls, self.sep = self.ids["[CLS]"], self.ids["[SEP]"]
        self.unknown = self.ids["[UNK]"]

    def pieces(self, text: str) -> list[int]:
        """The ids of a text, without special tokens."""
        plain = unicodedata.normalize("NFD", text.lower())
        plain = "".join(sign for sign in plain if unicodedata.category(sign) != "Mn")
        return [piece for word in _TOKEN.findall(plain) for piece in self._word(word)]

    def _word(self, word: str) -> list[int]:
        if word in self.ids:
            return [self.ids[word]]
        found: list[int] = []
        start = 0
        while start < len(word) <= _LONGEST_WORD:
            for end in range(len(word), start, -1):
                piece = word[start:end] if start == 0 else f"##{word[start:end]}"
                if piece in self.ids:
                    found.append(self.ids[piece])
                    start = end
                    break
            else:
                return [self.unknown]
        return found or [self.unknown]
