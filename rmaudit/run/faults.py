"""What is wrong with a file of a run, in words."""

from __future__ import annotations

from pydantic import ValidationError

from rmaudit.checklists.load import first_fault


def fault_of(error: ValidationError) -> tuple[str, str]:
    """Field and message of the first problem."""
    field, what = first_fault(error)
    whole, _, kind = field.rpartition(".")
    # Of a field that takes both kinds of numbers pydantic names the kind that it tried first.
    return (whole, "Input should be a number") if kind in ("int", "float") else (field, what)
