"""`rmaudit checklist import`: detection, provenance, what is bad, what is left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done
from support.import_files import imported, write_lines

from rmaudit.checklists.importers import KINDS
from rmaudit.checklists.importers.hub import HubSpec, dataset_rows
from rmaudit.checklists.importers.write import import_to
from rmaudit.checklists.sets import load_set
from rmaudit.errors import InputError

Cli = Callable[..., Done]


def row(k: int, **fields: Any) -> dict[str, Any]:
    return {"id": k, "prompt": f"Ask {k}", "chosen": f"right {k}", "rejected": f"wrong {k}",
            "subset": "hep-go", **fields}  # fmt: skip


def test_the_kind_may_be_left_out(cli: Cli, tmp_path: Path) -> None:
    write_lines("r.jsonl", [row(1), row(2)])
    done = cli("checklist", "import", "r.jsonl", "--out", "mine", "--licence", "own")
    assert done.code == 0, done.err
    assert "as rewardbench, told by the fields chosen, id, prompt, rejected, subset" in done.out
    assert "licence   own" in done.out
    assert "2 read, 2 items written, 0 bad rows or items left out" in done.out
    shown = cli("checklist", "show", "mine")
    assert "imported  r.jsonl (JSON lines) as rewardbench" in shown.out
    assert cli("checklist", "validate", "mine").code == 0
    assert {item.licence for item in load_set("mine").items} == {"own"}
    write_lines("x.jsonl", [{"some": 1, "thing": 2}])
    done = cli("checklist", "import", "x.jsonl", "--out", "no")
    assert done.code == 2
    assert "no known kind has these fields: some, thing" in done.err
    assert not Path("no").exists()


def test_fields_of_one_s_own_mean_pairs(cli: Cli, tmp_path: Path) -> None:
    write_lines("r.jsonl", [{"q": "Ask", "good": "yes", "bad": "no"}])
    words = ["checklist", "import", "r.jsonl", "--out", "mine", "--prompt-field", "q"]
    done = cli(*words, "--chosen-field", "good", "--rejected-field", "bad")
    assert done.code == 0, done.err
    assert "fields    taken as chosen: good, rejected: bad, prompt: q" in done.out
    done = cli("checklist", "import", "rewardbench", "r.jsonl", "--out", "o", "--prompt-field", "q")
    assert done.code == 2
    assert "--prompt-field works with kind pairs" in done.err


def test_bad_rows_are_named_or_left_out_and_nothing_is_left_behind(
    cli: Cli, tmp_path: Path
) -> None:
    rows = [
        row(1), "{broken", row(2, chosen=" "), row(3), row(3, prompt="again"),
        row(4, prompt="Ask 1", chosen="wrong 1", rejected="right 1"),
    ]  # fmt: skip
    write_lines("r.jsonl", rows)
    done = cli("checklist", "import", "r.jsonl", "--out", "mine")
    assert done.code == 2
    assert "r.jsonl, line 2: is not a JSON object" in done.err
    assert "r.jsonl, line 3, field chosen: is empty" in done.err
    assert "r.jsonl, line 5, field id: the id 'hep-go/3' is already on line 4" in done.err
    assert "line 6, field label: item 'hep-go/4' is the pair of 'hep-go/1' (line 1)" in done.err
    assert [path.name for path in Path().iterdir()] == ["r.jsonl"]
    done = cli("checklist", "import", "r.jsonl", "--out", "mine", "--skip-bad")
    assert done.code == 0, done.err
    # Of two labels that contradict each other neither is kept.
    assert [item.id for item in load_set("mine").items] == ["hep-go/3"]
    assert "5 bad rows or items left out" in done.err
    told = json.loads(Path("mine/import.json").read_text(encoding="utf-8"))
    assert (told["rows"], told["items"], told["left_out"]) == (6, 1, 5)
    assert len(told["first_left_out"]) == 5
    assert cli("checklist", "import", "r.jsonl", "--out", "mine").code == 2


def test_counts_of_a_bad_row_do_not_count(tmp_path: Path) -> None:
    rows = [row(1), row(2, subset="own", chosen=None)]
    _, made = imported(rows, skip_bad=True)
    assert made.report.counts == {}
    # Nor does a bad row among the first make the file one of a simpler kind.
    assert made.report.kind == "rewardbench"
    assert made.report.first_left_out == ["rows.jsonl, line 2, field chosen: must be text"]


def test_options_that_would_not_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="do not work with rewardbench, whose label is known"):
        imported([row(1)], label_field="subset")
    with pytest.raises(InputError, match="--config names a part of a repository"):
        import_to(Path("made"), write_lines("r.jsonl", [row(1)]), KINDS, config="preference")
    with pytest.raises(InputError, match="are their own label"):
        imported([row(1)], "pairs", label_field="subset", fields={"chosen": "chosen"})
    Path("taken").write_text("mine")
    with pytest.raises(InputError, match="taken is no folder"):
        imported([row(1)], out="taken")
    assert Path("taken").read_text() == "mine"


def test_two_responses_that_are_named_go_before_chosen_and_rejected(tmp_path: Path) -> None:
    one = {
        "id": 1,
        "prompt": "Ask",
        "chosen": "C",
        "rejected": "R",
        "x": "X",
        "y": "Y",
        "best": "B",
    }
    (item,), _ = imported([one], "pairs", fields={"a": "x", "b": "y"}, label_field="best")
    assert (item.response_a, item.response_b, item.label) == ("X", "Y", "b")


def test_a_file_without_items_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gives no items \(1 rows read\)") as told:
        imported([row(1, rejected="right 1")])
    assert "1 pairs of two equal texts, left out" in told.value.hint
    with pytest.raises(InputError, match="holds no row that can be read"):
        imported(["nothing"])


def test_every_kind_tells_itself_apart(tmp_path: Path) -> None:
    """No kind's own fields are taken for those of a kind before it."""
    for kind in KINDS:
        others = [other.name for other in KINDS if other.needs and other.needs < kind.needs]
        names = [other.name for other in KINDS]
        assert all(names.index(kind.name) < names.index(other) for other in others), kind.name


def test_names_from_outside_start_no_line(cli: Cli, tmp_path: Path) -> None:
    """A line that begins with :: is a command to a CI runner."""
    write_lines("r.jsonl", [row(1, subset="x\n::error::y", chosen="one\ntwo")])
    done = cli("checklist", "import", "r.jsonl", "--out", "m", "--name", "n\n::error::z")
    assert done.code == 0, done.err
    shown = cli("checklist", "show", "m")
    assert not [line for line in (done.out + shown.out).splitlines() if line.startswith("::")]


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("hf:a/b", ("a/b", None, None)),
        ("hf:a/b@v1:train", ("a/b", "v1", "train")),
        ("hf:a-x/b.c:test[:10]", None),
        ("hf:a/b:test", ("a/b", None, "test")),
        ("hf:b", None),
        ("hf:a/b@", None),
    ],
)
def test_hub_sources(spec: str, parts: tuple[str, str | None, str | None] | None) -> None:
    if parts is None:
        with pytest.raises(InputError, match="names no data set"):
            HubSpec.parse(spec)
    else:
        assert tuple(HubSpec.parse(spec)) == parts


@pytest.mark.slow
def test_a_hub_that_does_not_answer(tmp_path: Path) -> None:
    """The client runs in a process of its own, since it reads its address when it is imported."""
    pytest.importorskip("huggingface_hub")
    done = subprocess.run(
        [sys.executable, "-m", "rmaudit", "checklist", "import", "hf:a/b:train", "--out", "o"],
        env={**os.environ, "HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "error: cannot read a/b on the hub: " in done.stderr
    assert not Path("o").exists()


@pytest.mark.slow
def test_rows_of_a_data_set_come_through_the_library(tmp_path: Path) -> None:
    """The library reads a local folder as it reads a repository; the hub itself is not asked."""
    pytest.importorskip("datasets")
    folder = tmp_path / "repo"
    folder.mkdir()
    write_lines(str(folder / "train.jsonl"), [row(1, note=None), row(2, note="x")])
    write_lines(str(folder / "test.jsonl"), [row(3)])
    found = list(dataset_rows(str(folder), config=None, split="train"))
    assert [line for line, _ in found] == [1, 2]
    assert found[0].row == row(1)
    with pytest.raises(InputError, match="has the splits"):
        list(dataset_rows(str(folder), config=None, split=None))
    with pytest.raises(InputError, match="has no split 'dev'"):
        list(dataset_rows(str(folder), config=None, split="dev"))
