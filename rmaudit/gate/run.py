"""The gate as a step: read the evidence, decide, write gate.json."""

from __future__ import annotations

import dataclasses
import datetime
from pathlib import Path

from rmaudit.gate.decide import decide
from rmaudit.gate.decision import Decision
from rmaudit.gate.evidence import read_evidence
from rmaudit.gate.lint import check_applicable
from rmaudit.gate.next import Asked, next_steps
from rmaudit.gate.policy import Policy
from rmaudit.gate.waivers import NO_WAIVERS, load_waivers
from rmaudit.run.directory import RunDir

GATE = "gate.json"


def gate(
    run: RunDir, policy: Policy, *, baseline: Path | None = None, waivers: Path | None = None
) -> Decision:
    """Applies a policy to a run and writes the decision into it.

    Raises:
        InputError: a file cannot be read, a run is not finished, or the policy cannot refuse.
    """
    known = NO_WAIVERS if waivers is None else load_waivers(waivers, policy)
    check_applicable(policy)
    other = None if baseline is None else read_evidence(RunDir.open(baseline))
    today = datetime.datetime.now(datetime.UTC).date()
    evidence = read_evidence(run)
    decision = decide(policy, evidence, other, known, today=today)
    asked = Asked(
        policy,
        run.path,
        evidence.manifest,
        baseline,
        None if other is None else other.manifest,
        waivers,
    )
    decision = dataclasses.replace(decision, next=next_steps(decision, asked))
    run.write_json(GATE, decision.as_dict())
    return decision
