"""The gate as a step: read the evidence, decide, write gate.json."""

from __future__ import annotations

import datetime
from pathlib import Path

from rmaudit.gate.decide import decide
from rmaudit.gate.decision import Decision
from rmaudit.gate.evidence import read_evidence
from rmaudit.gate.policy import Policy
from rmaudit.gate.waivers import NO_WAIVERS, load_waivers
from rmaudit.run.directory import RunDir

GATE = "gate.json"


def gate(
    run: RunDir, policy: Policy, *, baseline: Path | None = None, waivers: Path | None = None
) -> Decision:
    """Applies a policy to a run and writes the decision into it.

    Raises:
        InputError: a file cannot be read, or a run is not finished.
    """
    known = NO_WAIVERS if waivers is None else load_waivers(waivers, policy)
    other = None if baseline is None else read_evidence(RunDir.open(baseline))
    today = datetime.datetime.now(datetime.UTC).date()
    decision = decide(policy, read_evidence(run), other, known, today=today)
    run.write_json(GATE, decision.as_dict())
    return decision
