"""Tables on narrow terminals, one line when quiet, and completion."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text
from support.answers import ideal_answer, ideal_replay, write_replay
from support.command_line import Done

from rmaudit.checklists.sets import load_set
from rmaudit.terminal.layout import label, number_table, say

Cli = Callable[..., Done]
SPEC = "synth:3:24:slogan"


def console(width: int) -> Console:
    return Console(file=StringIO(), force_terminal=True, width=width, soft_wrap=True, no_color=True)


def printed(page: Console) -> list[str]:
    assert isinstance(page.file, StringIO)
    return re.sub(r"\x1b\[[\d;]*m", "", page.file.getvalue()).splitlines()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_numbers_are_whole_and_words_wrap(width: int) -> None:
    page = console(width)
    columns = (("", False), ("value", True), ("95 % interval", True), ("n", True), ("", False))
    table = number_table(width, columns)
    words = "right in both orders of a pair"
    cells = ("100.0 %", "94.0 – 100.0", "1,234")
    table.add_row(label(f"  {words}", indent=2), *map(Text, cells), Text("chance"))
    page.print(table, soft_wrap=False)
    lines = printed(page)
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert all(cell in text for cell in cells)
    assert "…" not in text
    rows = [line for line in lines[1:] if line.strip()]
    assert all(line.startswith("    ") for line in rows)
    first = rows[0].index("100.0 %")
    assert " ".join(" ".join(line[:first] for line in rows).split()) == words


def test_a_long_sentence_wraps_under_itself_on_a_terminal_only() -> None:
    page = console(40)
    say(page, Text("  model    "), "word " * 12)
    first, *rest = printed(page)
    assert first.startswith("  model    word")
    assert rest
    assert all(line.startswith(" " * 11 + "word") for line in rest)
    log = Console(file=StringIO(), width=40, soft_wrap=True)
    say(log, Text("  model    "), "word " * 12)
    assert len(printed(log)) == 1


@pytest.fixture
def runs(cli: Cli, tmp_path: Path) -> tuple[str, str]:
    items = load_set(SPEC).items
    ideal_replay(tmp_path / "ideal.jsonl", items)
    turned = (
        {"item": item.id, "order": order, "text": ideal_answer(item, order).replace("A>B", "B>A")}
        for item in items
        for order in ("ab", "ba")
    )
    write_replay(tmp_path / "turned.jsonl", turned)
    for name in ("ideal", "turned"):
        done = cli("scan", f"replay:{name}.jsonl", "--set", SPEC, "--out", name)
        assert done.code == 0, done.err
    return "ideal", "turned"


@pytest.mark.slow
def test_quiet_is_one_line(cli: Cli, runs: tuple[str, str], tmp_path: Path) -> None:
    words = ("scan", "replay:ideal.jsonl", "--set", SPEC, "-q")
    for more in (("--out", "q1"), ("--out", "q2", "--policy", "pr")):
        done = cli(*words, *more)
        assert done.out.count("\n") == 1
        assert done.out.strip()
        assert done.err == ""
    assert "gate pr: " in done.out


@pytest.mark.slow
@pytest.mark.parametrize("width", ["60", "80", "120"])
def test_metric_and_n_are_there_at_every_width(runs: tuple[str, str], width: str) -> None:
    """On a real terminal device, in a process of its own."""
    import pty

    def seen(*words: str) -> str:
        ours, theirs = pty.openpty()
        os.set_blocking(ours, True)
        environment = {**os.environ, "COLUMNS": width, "NO_COLOR": "1", "TERM": "xterm"}
        command = [sys.executable, "-m", "rmaudit", *words]
        process = subprocess.Popen(command, stdout=theirs, stderr=theirs, env=environment)
        os.close(theirs)
        parts = []
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            parts.append(part)
        os.close(ours)
        process.wait()
        return b"".join(parts).decode()

    scanned = seen("scan", "replay:ideal.jsonl", "--set", SPEC, "--out", f"w{width}")
    assert "…" not in scanned
    rows = [line for line in scanned.splitlines() if "100.0 %" in line]
    assert any(" 24" in line for line in rows), scanned
    compared = seen("compare", *runs)
    assert "…" not in compared
    assert "0.0 %" in compared


@pytest.mark.slow
def test_the_shell_completes() -> None:
    environment = {
        **os.environ,
        "_RMAUDIT_COMPLETE": "complete_bash",
        "COMP_WORDS": "rmaudit scan --judge-m",
        "COMP_CWORD": "2",
    }
    command = [sys.executable, "-m", "rmaudit"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["--judge-max-tokens"]
    typed = f"{sys.executable} -m rmaudit --show-completion; true"
    script = subprocess.run(["bash", "-c", typed], capture_output=True, text=True, check=True)
    assert "complete -o default -F _rmaudit_completion rmaudit" in script.stdout
