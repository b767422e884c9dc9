"""The wording of the arithmetic family: requests, layouts of a solution, and reasons by kind."""

from __future__ import annotations

from typing import NamedTuple

from rmaudit.checklists.synth.rules import FaultKind
