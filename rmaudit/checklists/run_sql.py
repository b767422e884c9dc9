"""Runs one query of a response over a small table, in memory, reading only and within a limit.

Queries come from data: whatever is no reading of the table is refused by SQLite's authorizer, and a
query that does not end is stopped. That contains accidents; it is not a sandbox.
"""

from __future__ import annotations

import re
import sqlite3
from functools import lru_cache

STEPS = 100_000
"""Instructions of SQLite's machine that one query may take."""
LONGEST = 1_000_000
"""Bytes of a value or a row."""
_READS = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}

Rows = tuple[tuple[str, ...], ...]


def statement(response: str, label: str) -> str | None:
    """The query below the comment line that begins with the label, up to its semicolon."""
    found = re.search(rf"^\s*--\s*{re.escape(label)}\b[^\n]*\n([^;]*);", response, re.MULTILINE)
    return found[1].strip() if found else None


@lru_cache(maxsize=4096)
def query(setup: str, sql: str) -> Rows | None:
    """The rows that a query gives, as text; None where it is wrong, writes, or does not end.

    Args:
        setup: statements that make the tables, from the set and not from a response.
        sql: one statement.
    """
    with sqlite3.connect(":memory:") as base:
        base.executescript(setup)
        base.set_authorizer(
            lambda action, *_: sqlite3.SQLITE_OK if action in _READS else sqlite3.SQLITE_DENY
        )
        base.set_progress_handler(lambda: 1, STEPS)
        base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        try:
            return tuple(tuple(map(str, row)) for row in base.execute(sql).fetchmany(1000))
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError):
            return None
        finally:
            base.set_progress_handler(None, 0)
