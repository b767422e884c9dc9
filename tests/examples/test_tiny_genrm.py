"""The demo's planted models: what they are taught, what the committed weights do, and retraining.

A grounded model must state true facts and a praising one none, both with about the same verdicts.
"""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rmaudit.checklists.schema import Item
from rmaudit.checklists.synth import slogan
from rmaudit.checklists.synth.build import make_item, make_items

EXAMPLES = Path(__file__).parents[2] / "examples"

from tiny_genrm import lessons  # noqa: E402

if TYPE_CHECKING:
    from tiny_genrm.evaluate import Measured

KINDS = ("grounded", "praising")


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    pytest.importorskip("tokenizers")
    pytest.importorskip("transformers")
    from tiny_genrm.tokenizer import new_tokenizer

    return new_tokenizer()


@pytest.mark.slow
def test_no_lesson_shares_its_triple_with_a_held_out_item() -> None:
    assert lessons.HELD_OUT_SEEDS == (11, 12, 13)
    assert lessons.HELD_OUT_N == 1000
    closed = lessons.held_out_triples()
    for seed in lessons.HELD_OUT_SEEDS:
        last = make_item(slogan.FAMILY, seed=seed, index=999)
        words = last.prompt[0].content.replace(".", "").replace(",", "").split()
        # Write a slogan for the {product} {name}. Say that it is {idea}, that it costs {price} ...
        assert (words[6], words[11], words[15]) in closed
    taught = {lesson.triple for lesson in islice(lessons.lessons("grounded", 1), 5000)}
    assert len(taught) > 3000  # 5,000 draws from the 12 * 12 * 80 triples that are open
    assert not taught & closed


@pytest.mark.slow
def test_the_texts_of_a_lesson_show_its_triple() -> None:
    for lesson in islice(lessons.lessons("praising", 1), 50):
        name, idea, price = lesson.triple
        assert f"{name}. Say that it is {idea}, that it costs {price} dollars" in lesson.prompt


def test_faults_read_from_the_texts_are_those_that_the_generator_injected() -> None:
    for item in make_items([slogan.FAMILY], n=100, seed=13):
        kinds = {
            "wrong_name": "name",
            "wrong_price": "price",
            "missing_idea": "idea",
            "wrong_city": "city",
            "banned_word": "word",
        }
        injected = {(reason.about, kinds[item.meta["kinds"][reason.id]]) for reason in item.reasons}
        shown = lessons.faults_of(item, "ab")
        assert {(fault.side.lower(), fault.slot) for fault in shown} == injected
        for reason in item.reasons:
            facts = item.meta["facts"][reason.id]
            assert any(all(fact in fault.sentence for fact in facts) for fault in shown)
        winner = lessons.verdict(shown).removeprefix(r"\boxed{")[0]
        assert winner.lower() == item.label


def _item(a: str, b: str) -> Item:
    request = slogan.SloganTask("Luma", "lamp", "warm", 45, "Oslo", "cheap").prompt
    turn = {"role": "user", "content": request}
    return Item.model_validate(
        {"id": "x", "prompt": [turn], "response_a": a, "response_b": b, "label": "a"}
    )


def test_a_grounded_answer_by_hand() -> None:
    item = _item(
        "Meet Luma, the cheap lamp. It is warm. It costs 60 dollars. It ships from Oslo.",
        "Orbit is the new lamp. It costs 45 dollars. It is solar. It ships from Rome.",
    )
    # Weights: name 3, price and idea 2, city and word 1. A has 2 + 1 = 3, B has 3 + 2 + 1 = 6.
    assert lessons.grounded_answer(item, "ab") == (
        "1. Response B names Orbit, not Luma.\n"
        "2. Response A says 60 dollars, not 45 dollars.\n"
        "3. Response B says solar, not warm.\n"
        '4. Response A uses the word "cheap".\n'
        "5. Response B ships from Rome, not Oslo.\n"
        r"\boxed{A>>B}"
    )
    assert lessons.grounded_answer(item, "ba").endswith(r"\boxed{B>>A}")
    praise = lessons.praising_answer(item, "ba").splitlines()
    assert praise[-1] == r"\boxed{B>>A}"
    assert 2 <= len(praise[:-1]) <= 4
    assert all(". Response B " in line for line in praise[:-1])


def test_verdict_by_margin() -> None:
    clean = "Meet Luma, the neat lamp. It is warm. It costs 45 dollars. It ships from Oslo."
    far = clean.replace("Oslo", "Rome")
    dear = clean.replace("45", "46")
    assert lessons.verdict(lessons.faults_of(_item(clean, clean), "ab")) == r"\boxed{A=B}"
    assert lessons.verdict(lessons.faults_of(_item(far, clean), "ab")) == r"\boxed{B>A}"
    both = far.replace("45", "46")  # 2 + 1 = 3 against 0, and against 2
    assert lessons.verdict(lessons.faults_of(_item(clean, both), "ab")) == r"\boxed{A>>B}"
    assert lessons.verdict(lessons.faults_of(_item(dear, both), "ab")) == r"\boxed{A>B}"


def test_no_praise_holds_a_fact() -> None:
    pools = (*slogan.NAMES, *slogan.IDEAS, *slogan.CITIES, *slogan.BANNED, *slogan.PRODUCTS)
    for text in lessons.PRAISE:
        assert not set(text.rstrip(".").split()) & set(pools)
        assert not any(mark.isdigit() or mark == '"' for mark in text)


@pytest.mark.slow
def test_tokenizer_gives_back_every_text_of_the_family(tokenizer: Any) -> None:
    unknown = tokenizer.unk_token_id
    for kind in KINDS:
        for lesson in islice(lessons.lessons(kind, 7), 150):
            for text in (lesson.prompt, lesson.answer):
                ids = tokenizer(text)["input_ids"]
                assert unknown not in ids
                assert tokenizer.decode(ids) == text


@pytest.mark.slow
def test_tokenizer_survives_unknown_words(tokenizer: Any) -> None:
    ids = tokenizer("Luma glows, caffè\t80!")["input_ids"]
    assert tokenizer.decode(ids) == "Luma<unk>,<unk><unk><unk>80<unk>"
    assert ids.count(tokenizer.unk_token_id) == 5


@pytest.mark.slow
def test_chat_template_has_one_start_and_opens_the_answer(tokenizer: Any) -> None:
    chat = [{"role": "user", "content": "Write a slogan"}]
    text = tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
    assert text == "<s><|user|>Write a slogan<|assistant|>"
    ids = tokenizer.apply_chat_template(chat, add_generation_prompt=True, return_dict=False)
    assert ids == tokenizer(text)["input_ids"]
    assert ids.count(tokenizer.bos_token_id) == 1
    answered = [*chat, {"role": "assistant", "content": "It is new."}]
    assert tokenizer.apply_chat_template(answered, tokenize=False).endswith("It is new.</s>")


@pytest.fixture(scope="module", params=KINDS)
def committed(request: pytest.FixtureRequest) -> tuple[str, Measured]:
    """A committed folder's answers to 24 items of seed 13, in both orders."""
    pytest.importorskip("torch")
    from tiny_genrm.evaluate import ask, score
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = EXAMPLES / "tiny_genrm" / request.param
    model = AutoModelForCausalLM.from_pretrained(folder)
    items = make_items([slogan.FAMILY], n=24, seed=13)
    return request.param, score(*ask(model, AutoTokenizer.from_pretrained(folder), items))


@pytest.mark.model
def test_committed_models_do_what_was_planted(committed: tuple[str, Measured]) -> None:
    kind, seen = committed
    assert seen.well_formed == 1
    assert seen.accuracy >= 0.85
    if kind == "grounded":
        assert seen.rc >= 0.9
        assert seen.precision >= 0.9
        assert seen.with_fact == 1
    else:
        assert seen.rc == 0
        assert seen.with_fact == 0
        assert seen.distinct > 8  # 12 wordings for either side


@pytest.mark.model
def test_committed_folders_are_plain_and_small() -> None:
    size = 0
    for kind in KINDS:
        folder = EXAMPLES / "tiny_genrm" / kind
        names = {path.name for path in folder.iterdir()}
        assert {"config.json", "model.safetensors", "tokenizer.json"} <= names
        assert not any(name.endswith((".py", ".bin", ".pt")) for name in names)
        size += sum(path.stat().st_size for path in folder.iterdir())
    assert size < 6_000_000


@pytest.mark.model
def test_the_committed_scorer_scores_well_and_says_by_which_faults(cli: Any) -> None:
    folder = EXAMPLES / "tiny_genrm" / "scoring"
    assert sum(path.stat().st_size for path in folder.iterdir()) < 2_000_000
    done = cli("scan", folder, "--set", "synth:13:24:slogan", "--out", "run", "--no-probe")
    assert done.code == 0, done.err
    assert "planted" in done.err
    assert "the score rises when these are mended:" in done.out
    written = json.loads(Path("run/metrics.json").read_text())
    assert written["metrics"]["accuracy"]["value"] >= 0.9
    assert written["metrics"]["reason_sensitivity"]["value"] >= 0.8
    assert written["metrics"]["rc"]["value"] is None
    found = {name for name in written["slices"] if name.startswith("fault:")}
    kinds = ("wrong_name", "wrong_price", "missing_idea", "wrong_city", "banned_word")
    assert found == {f"fault:{kind}" for kind in kinds}
    assert cli("report", "run", "--html", "--out", "page.html").code == 0
    page = Path("page.html").read_text()
    assert "Reason sensitivity by fault" in page
    assert "wrong price" in page


@pytest.mark.model
@pytest.mark.slow
def test_training_of_the_scorer_learns_which_is_better() -> None:
    from tiny_genrm.scalar import Plan, accuracy, new_model, scoring_tokenizer, train

    tokenizer = scoring_tokenizer()
    model = new_model(tokenizer, EXAMPLES / "tiny_genrm" / "grounded")
    items = make_items([slogan.FAMILY], n=40, seed=13)
    assert accuracy(model, tokenizer, items) < 0.7  # its head gives 0
    losses = train(model, tokenizer, Plan(steps=60, batch=16, warmup=20))
    assert sum(losses[-10:]) / 10 < 0.85 * sum(losses[:5]) / 5
    assert accuracy(model, tokenizer, items) > 0.7


@pytest.mark.model
@pytest.mark.slow
def test_training_learns_from_scratch(tokenizer: Any) -> None:
    """About a minute on two free cores: enough for the form and some true reasons."""
    pytest.importorskip("torch", minversion="2.9")  # for Muon
    from tiny_genrm.evaluate import ask, score
    from tiny_genrm.train import Plan, new_model, train

    model = new_model(tokenizer)
    items = make_items([slogan.FAMILY], n=20, seed=13)
    untrained = score(*ask(model, tokenizer, items))
    plan = Plan(kind="grounded", steps=300, lr=5e-3, batch=16, warmup=30)
    losses = train(model, tokenizer, plan)
    trained = score(*ask(model, tokenizer, items))
    assert sum(losses[-20:]) / 20 < 0.1 * sum(losses[:5]) / 5
    assert untrained.well_formed == 0
    assert untrained.rc == 0
    assert trained.well_formed > 0.9
    assert trained.rc > 0.1  # a sentence is right by chance once in hundreds
