"""scan --measure against a real server: what is asked, what is stored, what comes out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.answers import ideal_answer, ideal_replay, swap_names, write_replay
from support.command_line import Done
from support.fault_server import FaultServer
from support.judge_server import judge_server, same_text

from rmaudit.checklists.controls import traps
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.checklists.synth import slogan
from rmaudit.config import ScanConfig, preset
from rmaudit.errors import InputError
from rmaudit.taxonomy import MEASURES

Cli = Callable[..., Done]
SPEC = "synth:5:6:slogan"
ITEMS = load_set(SPEC).items
VERDICT = "\\boxed"
CLAIMS = slogan.PHRASES.self_claim


@pytest.fixture(autouse=True)
def a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def shown(prompt: str) -> tuple[Item, str]:
    """The item and order of a prompt, told by the request and by the response that is as it was."""
    for item in ITEMS:
        if item.prompt[0].content in prompt:
            first = prompt[prompt.index("[Response A]") : prompt.index("[/Response A]")]
            second = prompt[prompt.index("[Response B]") : prompt.index("[/Response B]")]
            if item.response_a in first or item.response_b in second:
                return item, "ab"
            if item.response_b in first or item.response_a in second:
                return item, "ba"
    raise AssertionError(prompt)


def reasoned(prompt: str) -> str:
    """A model whose verdict follows from the reasons that are given: fewer faults win, else A."""
    reasons = prompt.rpartition("[/Response B]")[2]
    faults = [reasons.count(f"Response {side}") for side in "AB"]
    return "{A>B}" if faults[0] <= faults[1] else "{B>A}"


def model(continued: Callable[[str], str]) -> Callable[[str], str]:
    """Good reasons and the right verdict; falls for self-claims; `continued` adds a verdict."""

    def answer(prompt: str) -> str:
        if prompt.endswith(VERDICT):
            return continued(prompt)
        item, order = shown(prompt)
        text = ideal_answer(item, order)
        claimed = any(claim in prompt for claim in CLAIMS)
        return text.translate(str.maketrans("AB", "BA")) if claimed else text

    return answer


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer(model(reasoned), owned_by="vllm") as server:
        yield server


def metrics(run: str = "run") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(run, "metrics.json").read_text())["metrics"]
    return found


def rows(file: str, run: str = "run") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(run, file).read_text().splitlines()]


def scan(cli: Cli, server: FaultServer, *words: str, run: str = "run") -> Done:
    return cli("scan", server.target, "--set", SPEC, "--out", run, *words)


def test_causality_of_a_model_that_heeds_its_reasons(cli: Cli, server: FaultServer) -> None:
    done = scan(cli, server, "--measure", "causality")
    assert done.code == 0, done.err
    assert "causality, up to 48 generations" in done.err
    probes = rows("probes.jsonl")
    assert Counter(row["condition"] for row in probes) == dict.fromkeys(
        ("own", "reworded", "swapped", "none"), 12
    )
    by_key = {(row["item"], row["order"], row["condition"]): row for row in probes}
    follows = reproduced = 0
    for item in ITEMS:
        a, b = (sum(reason.about == side for reason in item.reasons) for side in "ab")
        for order in ("ab", "ba"):
            first, second = (a, b) if order == "ab" else (b, a)
            own = by_key[item.id, order, "own"]
            assert own["prefill"] + "{" == ideal_answer(item, order)[: len(own["prefill"]) + 1]
            assert by_key[item.id, order, "none"]["prefill"] == VERDICT
            swapped = by_key[item.id, order, "swapped"]["prefill"]
            assert swapped == swap_names(own["prefill"])
            assert "1. First, " in by_key[item.id, order, "reworded"]["prefill"]
            # As shown: own says A where the first has no more faults, swapped likewise.
            says, then = ("A" if first <= second else "B"), ("A" if second <= first else "B")
            follows += says != then
            verdict = {"A": "a", "B": "b"} if order == "ab" else {"A": "b", "B": "a"}
            assert own["verdict"] == verdict[says]
            reproduced += own["verdict"] == item.label
    found = metrics()
    assert follows >= 8
    assert found["rationale_causality.follows"]["value"] == pytest.approx(follows / 12)
    assert found["rationale_causality"]["value"] == pytest.approx(follows / 12)
    assert found["rationale_causality.changes"]["value"] == 0.0
    assert found["rationale_causality.reproduced"]["value"] == pytest.approx(reproduced / 12)
    assert found["rationale_causality.coverage"]["value"] == 1.0
    assert found["trap_rate"]["value"] is None
    told = cli("show", "run", ITEMS[0].id).out
    assert "causality, swapped · response b shown first" in told
    assert len(json.loads(cli("show", "run", ITEMS[0].id, "--json").out)["probes"]) == 8
    sent = [body for body in server.bodies if body.get("continue_final_message")]
    assert len(sent) == 48
    assert all(body["max_tokens"] == 64 and body["temperature"] == 0 for body in sent)


def test_good_reasons_and_a_verdict_by_slot_have_causality_zero(cli: Cli) -> None:
    """High rationale consistency, and no reason has a say."""
    with FaultServer(model(lambda prompt: "{A>B}"), owned_by="vllm") as server:
        assert scan(cli, server, "--measure", "causality", "--orders", "ab").code == 0
    found = metrics()
    assert found["rc"]["value"] > 0.9
    assert found["rationale_causality"]["value"] == 0.0
    assert found["rationale_causality.none"]["value"] == 1.0


def test_a_verdict_first_answer_cannot_be_asked(cli: Cli) -> None:
    def answer(prompt: str) -> str:
        reasons, _, verdict = ideal_answer(*shown(prompt)).rpartition("\n")
        return f"{verdict}\n{reasons}"

    with FaultServer(answer, owned_by="vllm") as server:
        done = scan(cli, server, "--measure", "causality")
    assert done.code == 0
    found = metrics()["rationale_causality"]
    assert found["value"] is None
    assert "the verdict stands before the reasons" in found["why"]
    assert "the verdict stands before the reasons" in done.out
    assert metrics()["rationale_causality.coverage"]["value"] == 0.0
    assert {row["outcome"] for row in rows("probes.jsonl")} == {"skipped"}


def test_specification_gives_the_references_as_shown(cli: Cli) -> None:
    def answer(prompt: str) -> str:
        item, order = shown(prompt)
        right = ideal_answer(item, order)
        told = "[Notes]" in prompt
        if told:
            notes = prompt[prompt.index("[Notes]") : prompt.index("[/Notes]")]
            for reason in item.reasons:
                text = reason.text if order == "ab" else swap_names(reason.text)
                assert f". {text}\n" in notes
        wrong = not told and item in ITEMS[:2]
        return right.translate(str.maketrans("AB", "BA")) if wrong else right

    with FaultServer(answer) as server:
        done = scan(cli, server, "--measure", "specification")
    assert done.code == 0, done.err
    gap = metrics()["specification_gap"]
    assert gap["value"] == pytest.approx(2 / 6)
    assert gap["n"] == 6
    prompts = json.loads(Path("run", "manifest.json").read_text())["prompts"]
    assert Path("run", "prompts", f"{prompts['specification'][:12]}.j2").is_file()


def test_traps_by_kind(cli: Cli, server: FaultServer) -> None:
    done = scan(cli, server, "--measure", "traps", "--json")
    assert done.code == 0, done.err
    found = metrics()
    assert found["trap_rate.self-claim"]["value"] == 1.0
    kinds = {"emoji", "headers", "bold", "length", "authority", "decisive-tone"}
    assert {found[f"trap_rate.{kind}"]["value"] for kind in kinds} == {0.0}
    sets = [trap for item in ITEMS for trap in traps(item)]
    share = sum(trap.kind == "self-claim" for trap in sets) / len(sets)
    assert found["trap_rate"]["value"] == pytest.approx(share)
    assert found["trap_rate"]["n"] == 2 * len(sets)
    controls = [row for row in rows("verdicts.jsonl") if row["variant"] != "base"]
    assert {row["variant"].partition(":")[0] for row in controls} == {"control"}
    assert len(rows("matches.jsonl")) == 12  # what is a control is not put to the judge
    assert found["accuracy"]["n"] == 6
    assert found["coverage.parsed"]["n"] == 12


def test_a_model_infers_the_winner_from_the_reasons_alone(cli: Cli, tmp_path: Path) -> None:
    """It sees no request, response or verdict; one answer it cannot read, one is not given."""
    asked = []

    def answer(prompt: str) -> str:
        if "reasons alone" not in prompt:
            return same_text(prompt)
        asked.append(prompt)
        reasons = prompt[prompt.index("[begin Reasons]") : prompt.index("[end Reasons]")]
        if ITEMS[0].reasons[0].text in reasons:
            return '{"winner": "unclear"}'
        if ITEMS[1].reasons[0].text in reasons:
            return "Response A, I think"
        faults = [reasons.count(f"(Response {side})") for side in "AB"]
        return f'{{"winner": "{"A" if faults[0] < faults[1] else "B"}"}}'

    def fault(prompt: str, nth: int) -> str | None:
        first = ITEMS[2].reasons[0].text
        return "500" if "reasons alone" in prompt and first in prompt and nth == 0 else None

    replay = ideal_replay(tmp_path / "ideal.jsonl", ITEMS)
    words = ["scan", f"replay:{replay}", "--set", SPEC, "--measure", "verdict-consistency"]
    words += ["--orders", "ab", "--out", "run", "--request-retries", "0"]
    with judge_server(answer, fault=fault) as server:
        words += ["--judge", server.target]
        done = cli(*words)
        assert done.code == 0, done.err
        assert "verdict-consistency, up to 6 judge calls" in done.err
        found = metrics()
        assert found["rationale_verdict_consistency.abstained"]["n_excluded"] == 2
        assert cli(*words, "--resume").code == 0
    for prompt in asked:
        assert not any(text in prompt for item in ITEMS for text in (item.response_a, "boxed"))
    found = metrics()
    counts = [[sum(r.about == side for r in item.reasons) for side in "ab"] for item in ITEMS[2:]]
    agree = [
        ("a" if a < b else "b") == i.label for (a, b), i in zip(counts, ITEMS[2:], strict=True)
    ]
    consistency = found["rationale_verdict_consistency"]
    assert consistency["value"] == pytest.approx(sum(agree) / 4)
    assert (consistency["n"], consistency["n_excluded"]) == (4, 1)
    abstained = found["rationale_verdict_consistency.abstained"]
    assert (abstained["value"], abstained["n"], abstained["n_excluded"]) == (1 / 5, 5, 1)
    failures = [row["failure"] for row in rows("probes.jsonl") if row["failure"]]
    assert failures == ["unreadable answer: it names no winner"]
    prompts = json.loads(Path("run", "manifest.json").read_text())["prompts"]
    assert Path("run", "prompts", f"{prompts['blind'][:12]}.j2").is_file()


@pytest.mark.slow
def test_all_measures_resumed_from_any_point(cli: Cli, server: FaultServer) -> None:
    assert scan(cli, server, "--full").code == 0
    whole, calls = metrics(), len(server.bodies)
    assert all(whole[name]["value"] is not None for name in whole if name.startswith("rationale_"))
    probes = Path("run", "probes.jsonl").read_text().splitlines(keepends=True)
    before = {json.dumps(row, sort_keys=True) for row in rows("probes.jsonl")}
    Path("run", "probes.jsonl").write_text("".join(probes[: len(probes) // 2]) + probes[-1][:40])
    generations = Path("run", "generations.jsonl").read_text().splitlines(keepends=True)
    Path("run", "generations.jsonl").write_text("".join(generations[:-3]))
    assert scan(cli, server, "--full", "--resume").code == 0
    assert metrics() == whole
    assert {json.dumps(row, sort_keys=True) for row in rows("probes.jsonl")} == before
    blind = sum(row["probe"] == "verdict-consistency" for row in rows("probes.jsonl"))
    assert len(server.bodies) - calls <= len(probes) - len(probes) // 2 + 3
    assert len(server.bodies) - calls >= len(probes) - len(probes) // 2 + 3 - blind


@pytest.mark.slow
def test_a_measure_is_added_to_a_finished_run(cli: Cli, server: FaultServer) -> None:
    assert scan(cli, server).code == 0
    assert not Path("run", "probes.jsonl").exists()
    plain = metrics()
    assert plain["rationale_causality"]["why"].startswith("not measured; scan --measure causality")
    assert scan(cli, server, "--resume", "--measure", "causality").code == 0
    assert metrics()["rationale_causality"]["value"] is not None
    assert scan(cli, server, "--resume", "--measure", "traps").code == 0
    both = metrics()
    assert both["rationale_causality"]["value"] is not None
    assert both["trap_rate"]["value"] is not None
    assert both["accuracy"] == plain["accuracy"]
    measured = json.loads(Path("run", "manifest.json").read_text())["measures"]
    assert measured == {"causality": "", "traps": ""}


@pytest.mark.slow
def test_failed_probes_are_counted_bounded_and_asked_again(cli: Cli, server: FaultServer) -> None:
    server.fault = lambda prompt, nth: "500" if "1. First, " in prompt and nth < 2 else None
    words = ["--measure", "causality", "--request-retries", "0"]
    assert scan(cli, server, *words).code == 0
    found = metrics()["rationale_causality"]
    assert found["value"] is None
    assert (found["n_excluded"], found["worst"], found["best"]) == (12, -1.0, 1.0)
    assert metrics()["rationale_causality.follows"]["value"] is not None
    assert scan(cli, server, *words, "--resume").code == 0  # the second try fails too
    assert scan(cli, server, *words, "--resume").code == 0
    assert metrics()["rationale_causality"]["n_excluded"] == 0


def test_calls_are_counted_before_the_start(cli: Cli, server: FaultServer) -> None:
    done = scan(cli, server, "--full", "--dry-run")
    assert done.code == 0
    cues = sum(
        len({number for trap in traps(item) for number in (trap.cue, trap.neutral)})
        for item in ITEMS
    )
    more = 4 * 12 + 12 + 2 * cues
    assert f"traps, up to {2 * cues} generations" in done.err
    refused = scan(cli, server, "--full", "--max-calls", str(12 + more - 1))
    assert refused.code == 2
    assert f"this scan makes {12 + more} model calls" in refused.err
    assert f"up to {more} more for causality and specification and traps" in refused.err
    assert scan(cli, server, "--full", "--max-calls", str(12 + more), "--dry-run").code == 0
    doctor = cli("doctor", server.target, "--set", SPEC, "--measure", "all")
    assert f"up to {more} more for" in doctor.out
    assert "rationale_causality.follows" in doctor.out.partition("cannot")[0]


def test_what_does_not_apply_is_said(cli: Cli, tmp_path: Path) -> None:
    replay = ideal_replay(tmp_path / "ideal.jsonl", ITEMS)
    done = cli("scan", f"replay:{replay}", "--set", SPEC, "--measure", "all", "--out", "run")
    assert done.code == 0, done.err
    assert "causality does not apply, recorded answers cannot be continued" in done.err
    found = metrics()
    assert found["rationale_causality"]["why"] == "recorded answers cannot be continued"
    assert found["trap_rate"]["why"] == "the recorded answers hold none to controls"
    assert found["rationale_verdict_consistency"]["value"] is not None
    with FaultServer(model(reasoned)) as server:
        done = scan(cli, server, "--measure", "causality", run="other")
    assert done.code == 0
    assert "not known to go on" in metrics("other")["rationale_causality"]["why"]
    doctor = cli("doctor", f"replay:{replay}", "--set", SPEC, "--measure", "causality").out
    assert "cannot: rationale_causality, rationale_causality.follows" in doctor
    assert " - recorded answers cannot be continued; needs --measure causality" in doctor


def test_recorded_answers_to_controls_are_measured(cli: Cli, tmp_path: Path) -> None:
    lines = []
    for item in ITEMS:
        text = ideal_answer(item, "ab")
        lines.append({"item": item.id, "order": "ab", "text": text})
        for trap in traps(item):
            if trap.kind == "bold":
                wrong = text.translate(str.maketrans("AB", "BA"))
                for number, said in ((trap.cue, wrong), (trap.neutral, text)):
                    variant = f"control:{number}"
                    lines.append({"item": item.id, "variant": variant, "text": said})
    replay = write_replay(tmp_path / "controls.jsonl", lines)
    words = ["--set", SPEC, "--measure", "traps", "--orders", "ab", "--out", "run"]
    assert cli("scan", f"replay:{replay}", *words).code == 0
    found = metrics()
    assert found["trap_rate.bold"]["value"] == 1.0
    assert found["trap_rate.length"]["n_excluded"] == 6  # not recorded is lost, never right


def test_presets(cli: Cli, tmp_path: Path) -> None:
    assert preset(quick=True, full=False, limit=None, orders=None, measures=()) == {
        "preset": "quick", "limit": 200, "orders": "ab", "measures": ()
    }  # fmt: skip
    assert preset(quick=True, full=False, limit=9, orders="both", measures=["traps"]) == {
        "preset": "quick", "limit": 9, "orders": "both", "measures": ("traps",)
    }  # fmt: skip
    assert preset(quick=False, full=True, limit=None, orders=None, measures=["traps"]) == {
        "preset": "full", "limit": None, "orders": "both", "measures": MEASURES
    }  # fmt: skip
    assert preset(quick=False, full=False, limit=None, orders=None, measures=["all"]) == {
        "preset": "", "limit": None, "orders": "both", "measures": MEASURES
    }  # fmt: skip
    with pytest.raises(InputError, match="no measure 'speed'"):
        ScanConfig(target="x", measures=("speed",))
    replay = ideal_replay(tmp_path / "ideal.jsonl", ITEMS)
    words = ["scan", f"replay:{replay}", "--set", SPEC, "--out", "run"]
    assert cli(*words, "--quick", "--full").code == 2
    assert cli(*words, "--quick").code == 0
    manifest = json.loads(Path("run", "manifest.json").read_text())
    assert (manifest["stopping"], manifest["orders"]) == ("quick", ["ab"])
    assert manifest["measures"] == {}
    assert cli(*words[:-1], "full", "--full").code == 0
    manifest = json.loads(Path("full", "manifest.json").read_text())
    assert (manifest["stopping"], manifest["orders"]) == ("full", ["ab", "ba"])
    assert set(manifest["measures"]) == set(MEASURES)


@pytest.mark.slow
def test_report_shows_what_was_asked_for(cli: Cli, server: FaultServer) -> None:
    assert scan(cli, server).code == 0
    assert scan(cli, server, "--measure", "causality", run="probed").code == 0
    assert cli("report", "run", "--html", "--out", "plain.html").code == 0
    assert "scan --measure causality asks for it" in Path("plain.html").read_text()
    assert cli("report", "run", "probed", "--html", "--out", "both.html").code == 0
    both = Path("both.html").read_text()
    assert "verdict follows swapped reasons" in both
    assert "scan --measure traps asks for it" in both
