"""`make test`: stages side by side do not mix what they print, and one that fails fails all."""

from __future__ import annotations

import os
import sys

import pytest
import stages

WRITE = "import time\nfor _ in range(3): print({0!r} * 20, flush=True); time.sleep(0.05)"


def told(name: str, code: str = "") -> list[str]:
    return [sys.executable, "-c", f"{WRITE.format(name)}\n{code}"]


def test_lanes(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    fakes = {
        "a": told("a"),
        "b": told("b", "raise SystemExit(3)"),
        "c": told("c", "sum(range(3_000_000))"),
        "d": ["no such program"],
    }
    monkeypatch.setattr(stages, "STAGES", fakes)
    monkeypatch.setattr(stages, "PHASES", ((("a", "b"), ("c",)), (("d",),)))
    assert stages.main() == 1
    out = capfdbinary.readouterr().out.decode()
    for name in "abc":
        assert f"── {name}\n" + f"{name * 20}\n" * 3 in out
    assert out.index("── c starts") < out.index("── a\n") < out.index("── b starts")
    assert max(out.index("── b\n"), out.index("── c\n")) < out.index("── d starts")
    times = out[out.index("── time of each stage") :].splitlines()[1:]
    assert {line.split()[0]: line.split("CPU")[1].strip() for line in times[:-1]} == {
        "a": "ok", "b": "FAILED (3)", "c": "ok", "d": "FAILED (127)",
    }  # fmt: skip
    assert times[-1].startswith("in all")
    assert "── d\n[Errno 2] No such file or directory: 'no such program'\n" in out


def test_interrupted_it_ends_what_runs(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(stages, "STAGES", {"a": told("a", "time.sleep(600)"), "b": told("b")})
    started: list[stages.Stage] = []
    start = stages.Stage.start

    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(stages.Stage, "start", lambda stage: started.append(stage) or start(stage))
    monkeypatch.setattr(stages.time, "sleep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        stages.run_lanes((("a", "b"),))
    (stage,) = started
    with pytest.raises(ProcessLookupError):
        os.kill(stage.process.pid, 0)
