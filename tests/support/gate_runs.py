"""Real runs over recorded answers for tests of the gate, policies for them, and decisions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rmaudit.run.directory import RunDir
from support.command_line import Done
from support.report_runs import Answers, faithful, run_set

Cli = Callable[..., Done]
SET = "synth:5:40:slogan"
"""40 items, each its own group, in both orders."""


def make(answers: Answers = faithful, name: str = "model", **options: Any) -> RunDir:
    """A real run over `SET`, or over the `spec` among the options."""
    return run_set(answers, name, **({"spec": SET} | options))


def policy(*rules: str, builtin: bool = True, name: str = "policy.toml") -> Path:
    head = f'name = "test"\nallow_builtin_judge = {str(builtin).lower()}\n'
    path = Path(name)
    path.write_text(head + "".join(f"\n[[rules]]\n{rule}\n" for rule in rules))
    return path


def rule(metric: str, limit: float, **fields: object) -> str:
    kind = fields.get("kind", "absolute")
    told = {"id": metric, "metric": metric, "margin" if kind == "relative" else "threshold": limit}
    values = told | fields
    return "\n".join(
        f"{key} = {json.dumps(value) if not isinstance(value, float) else value}"
        for key, value in values.items()
    )


def decided(cli: Cli, run: RunDir, file: Path, *more: str | Path) -> dict[str, Any]:
    """The decision; the exit code, the printed object and gate.json must agree."""
    done = cli("gate", run.path, "--policy", file, "--json", *more)
    found = json.loads(done.out)
    assert done.code == found["exit_code"], done.err
    assert json.loads((run.path / "gate.json").read_text()) == found
    return dict(found)


def only(found: dict[str, Any]) -> dict[str, Any]:
    (one,) = found["rules"]
    return dict(one)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
