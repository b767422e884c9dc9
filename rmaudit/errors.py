"""Every error that a user can meet, and the exit code of each.

    RmauditError                 1  failed while working (endpoint, disk, crash)
    ├── InputError               2  the user can mend it before work starts
    │   └── MissingPackageError  2  an extra is not installed
    └── Interrupted        130, 143  stopped by a signal after a clean flush

`message` says what is wrong, `hint` says what to do. Both are shown as `error:` and `hint:`.
"""

from __future__ import annotations

EXIT_OK = 0
EXIT_ERROR = 1
EXIT_USAGE = 2
EXIT_FAILED = 3
EXIT_INCONCLUSIVE = 4
EXIT_INVALID = 5
EXIT_SIGINT = 130
EXIT_SIGTERM = 143


class RmauditError(Exception):
    """Something failed while working; what was computed before is kept."""

    exit_code = EXIT_ERROR

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InputError(RmauditError):
    """Input or an option that the user can mend; raised before any model is loaded."""

    exit_code = EXIT_USAGE


class MissingPackageError(InputError):
    """A package of an optional extra is not installed."""

    def __init__(self, feature: str, package: str, extra: str) -> None:
        super().__init__(
            f"{feature} needs {package}, which is not installed",
            f'pip install "rmaudit[{extra}]"',
        )


class Interrupted(RmauditError):
    """A signal stopped the run after a clean flush; `hint` holds the command that goes on."""

    def __init__(self, message: str, hint: str, exit_code: int) -> None:
        super().__init__(message, hint)
        self.exit_code = exit_code
