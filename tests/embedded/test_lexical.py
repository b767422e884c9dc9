"""The judge of shared words: its arithmetic by hand, its place beside `builtin`, what it says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command_line import Done
from support.report_runs import faithful, run_items, slogans

from rmaudit.embedded import lexical
from rmaudit.embedded.learned.texts import denies, other_numbers, text_of
from rmaudit.records import About
from rmaudit.run.ordinary import recall_sentence

CITY = text_of("Response A names the wrong city, Lima.", "a")


def test_the_share_by_hand() -> None:
    # Stems: name, wrong, citi, lima; the reason has two of them.
    assert lexical.share(CITY, text_of("Response A has Lima for a city.", "a")) == 2 / 4
    # Stems: say, 12, pm; a number counts 2 in place of 1.
    reference = text_of("Response A says 12 pm.", "a")
    assert lexical.share(reference, text_of("Response A has 12.", "a")) == 2 / 4


@pytest.mark.parametrize(
    ("text", "about", "score"),
    [
        ("Response A names the wrong city, Lima.", "a", 1.0),
        ("Response A has Lima for a city.", "a", 0.75),
        ("It names the wrong city, Lima.", None, 0.25),
        ("Response B names the wrong city, Lima.", "b", 0.0),
        ("It is not true that Response A names the wrong city, Lima.", "a", 0.0),
        ("Response A puts the capital on the wrong continent.", "a", 0.25),
    ],
)
def test_scores_by_hand(text: str, about: About, score: float) -> None:
    assert lexical.score(CITY, text_of(text, about)) == score


def test_a_claim_turned_over_and_other_numbers() -> None:
    denied = text_of("Nobody can claim this: Response A names the wrong city, Lima.", "a")
    assert denies(CITY, denied)
    assert not denies(CITY, CITY)
    own, said = text_of("Response A says 5 of 7.", "a"), text_of("Response A says 5.", "a")
    assert not other_numbers(own, said)
    assert other_numbers(own, text_of("Response A says 6 of 8.", "a"))
    assert not other_numbers(own, text_of("Response A miscounts.", "a"))


@settings(deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_any_pair_is_on_the_grid_and_a_text_is_its_own_match(one: str, other: str) -> None:
    first, second = text_of(one, "a"), text_of(other, "a")
    assert lexical.score(first, second) in (0, 0.25, 0.5, 0.75, 1)
    assert lexical.score(first, first) == (1.0 if lexical.weights(first) else 0.0)


def test_a_scan_and_a_gate_call_it_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Callable[..., Done]
) -> None:
    monkeypatch.chdir(tmp_path)
    items = [one.model_copy(update={"reference_origin": "human"}) for one in slogans()]
    run = run_items(faithful, items, judge="lexical")
    manifest = run.manifest()
    assert (manifest.judge.spec, manifest.judge.approximate) == ("lexical", True)
    shares = " / ".join(f"{100 * one.recall:.0f}" for one in lexical.measured().values())
    assert recall_sentence(manifest).startswith(f"the lexical judge finds {shares} %")
    refused = " ".join(cli("gate", run.path, "--policy", "release").out.split())
    assert "the lexical judge, which is approximate" in refused
    assert "builtin judge" not in refused
