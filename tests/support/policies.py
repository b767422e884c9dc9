"""Policies in short form."""

from __future__ import annotations

from rmaudit.gate.policy import Policy, parse_policy

HEAD = 'name = "mine"\n\n[[rules]]\nid = "first"\nmetric = "accuracy"\nthreshold = 0.5\n'


def parsed(rule: str = "", head: str = HEAD) -> Policy:
    return parse_policy(f"{head}{rule}", file="p.toml")


def second(**fields: object) -> str:
    values = {"id": "second", "metric": "rc", "threshold": 0.2} | fields
    lines = [f"{key} = {_toml(value)}" for key, value in values.items() if value is not None]
    return "\n[[rules]]\n" + "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()
