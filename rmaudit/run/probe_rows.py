"""Rows of probes.jsonl: one further question about a row of the run, and what came back."""

from __future__ import annotations

from typing import Literal, NamedTuple

from rmaudit.records import FinishReason, Key, Verdict
from rmaudit.run.rows import Row, key_of

Outcome = Literal["read", "unreadable", "error", "skipped"]


class ProbeRow(NamedTuple):
    """A probe of one base row; `verdict` in item coordinates.

    probe: the measure it belongs to. condition: under which it was asked, '' where it was skipped.
    prefill: the beginning of the answer that was given. text: what the target or the judge said,
    raw. failure: why nothing came back, or why the row could not be asked.
    """

    key: Key
    probe: str
    condition: str
    outcome: Outcome
    verdict: Verdict = None
    text: str = ""
    prefill: str = ""
    finish_reason: FinishReason = "stop"
    failure: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None

    @property
    def asked(self) -> tuple[Key, str, str]:
        """What it answers; unique in the file."""
        return self.key, self.probe, self.condition


def probe_row(row: ProbeRow) -> Row:
    """One line of probes.jsonl."""
    return {**row.key._asdict(), **{name: getattr(row, name) for name in _OWN}}


def probe_of(line: Row) -> ProbeRow:
    """The probe of a line."""
    return ProbeRow(key_of(line), **{name: line[name] for name in _OWN})


_OWN = ProbeRow._fields[1:]
