"""The gate as a step: read the evidence, decide, record the decision."""

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
from rmaudit.gate.record import files_read, write_decision
from rmaudit.gate.waivers import NO_WAIVERS, load_waivers
from rmaudit.run.directory import RunDir


def gate(
    run: RunDir, policy: Policy, *, baseline: Path | None = None, waivers: Path | None = None
) -> Decision:
    """Applies a policy to a run and writes the decision into it.

    Raises:
        InputError: a file cannot be read, a run is not finished, or the policy cannot refuse.
    """
    known = NO_WAIVERS if waivers is None else load_waivers(waivers, policy)
    check_applicable(policy)
    asked_of = {rule.metric for rule in policy.rules}
    other = None
    if baseline is not None:
        other = read_evidence(RunDir.open(baseline), metrics=asked_of)
    now = datetime.datetime.now(datetime.UTC)
    # Hashed before the files are read: what changes meanwhile makes the decision void.
    read = files_read(run, {"baseline": baseline, "policy": policy.file, "waivers": waivers})
    evidence = read_evidence(run, metrics=asked_of)
    decision = decide(policy, evidence, other, known, today=now.date())
    asked = Asked(
        policy,
        run.path,
        evidence.manifest,
        baseline,
        None if other is None else other.manifest,
        waivers,
    )
    decision = dataclasses.replace(
        decision,
        next=next_steps(decision, asked),
        decided_at=now.strftime("%Y%m%dT%H%M%SZ"),
        read=read,
    )
    write_decision(run, decision)
    return decision
