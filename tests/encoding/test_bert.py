"""The encoder in numpy against the library that it follows, and its tokenizer on any text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmaudit.encoding.bert import Encoder, load
from rmaudit.encoding.wordpiece import WordPiece
from rmaudit.truth.reader import WEIGHTS, shipped

VOCABULARY = "[PAD] [UNK] [CLS] [SEP] [unused1] the pri ##ce is 45 . e ##e a".split()


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("The price is 45.", [5, 6, 7, 8, 9, 10]),
        ("[unused1] THE", [4, 5]),
        ("é ee", [11, 11, 12]),
        ("thx", [1]),
        ("", []),
    ],
)
def test_words_are_read_by_their_longest_known_pieces(text: str, pieces: list[int]) -> None:
    assert WordPiece(VOCABULARY).pieces(text) == pieces


@given(st.text(max_size=300))
def test_any_text_has_pieces(text: str) -> None:
    assert all(0 <= piece < len(VOCABULARY) for piece in WordPiece(VOCABULARY).pieces(text))


@pytest.mark.model
def test_scores_are_those_of_transformers(tmp_path: Path) -> None:
    import torch
    from claim_reader.train import Net, save
    from transformers import BertConfig, BertModel

    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=24,
        num_hidden_layers=4,
        num_attention_heads=12,
        intermediate_size=48,
    )
    net = Net(BertModel(config)).eval()
    # Rows on the grid of int8, so that storing loses nothing.
    with torch.no_grad():
        for name, weight in net.named_parameters():
            if weight.ndim == 2 and "token_type" not in name and "head" not in name:
                scale = weight.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
                weight.copy_((weight / scale).round() * scale)
    save(net, VOCABULARY, tmp_path / "reader.npz")
    ids = WordPiece(VOCABULARY)
    rows = [(ids.pieces("the price is 45."), ids.pieces("a")), ([4], ids.pieces("is the ee ee"))]
    found = Encoder(load(tmp_path / "reader.npz"), heads=12, longest=128).scores(rows, ids)
    with torch.no_grad():
        expected = net(rows, ids).numpy()
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_verdicts_do_not_depend_on_what_else_is_read() -> None:
    reader = shipped()
    pairs = [
        (
            "[unused1] has [unused3] instead of [unused4].",
            "[unused1] says [unused3], not [unused4].",
        ),
        ("[unused1] uses the forbidden [unused3].", "[unused1] never uses [unused3]."),
        ("[unused1] does not mention [unused4].", "the request asks for [unused4]."),
    ]
    together = reader.read(pairs)
    assert together == ["states", "denies", "neither"]
    type(reader).__init__(reader, reader.encoder, reader.ids)  # type: ignore[attr-defined]
    assert [reader.read([pair])[0] for pair in pairs] == together
    assert WEIGHTS.stat().st_size < 12e6
