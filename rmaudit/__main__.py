"""`python -m rmaudit` and the `rmaudit` command: runs the app, turns errors into exit codes."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Mapping

from rmaudit.errors import EXIT_ERROR, EXIT_OK, EXIT_SIGINT, EXIT_USAGE, RmauditError


def main() -> None:
    """Entry point of the console script."""
    # The rows of a run live until the end: looking through them all for garbage again and again
    # takes a fifth of the time of a gate.
    gc.set_threshold(200_000, 20, 1000)
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Runs one command and returns its exit code; prints errors as `error:` and `hint:`."""
    import typer

    from rmaudit.cli import command

    as_json = "--json" in arguments
    try:
        code = command()(args=arguments, prog_name="rmaudit", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else EXIT_OK
    except typer.TyperException as error:
        message = error.format_message() if isinstance(error, typer.BadParameter) else str(error)
        _tell("usage", message.rstrip("."), f"see {_understood(arguments)} --help", as_json)
        return EXIT_USAGE
    except RmauditError as error:
        _name_command(error, arguments)
        _tell(type(error).__name__, error.message, error.hint, as_json)
        return error.exit_code
    except KeyboardInterrupt:
        _tell("Interrupted", "interrupted", "", as_json)
        return EXIT_SIGINT
    except BrokenPipeError:
        # The reader of our output is gone; nothing more can be told, and nothing was lost.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_ERROR
    except Exception as error:
        if os.environ.get("RMAUDIT_DEBUG"):
            raise
        _tell(
            type(error).__name__,
            f"rmaudit met a bug: {type(error).__name__}: {error}",
            "run it again with RMAUDIT_DEBUG=1 for the traceback, and report it",
            as_json,
        )
        return EXIT_ERROR


def _name_command(error: RmauditError, arguments: list[str]) -> None:
    """An error of the disk says what to do then: the same command, where no other one goes on."""
    from rmaudit.engines.endpoints import without_credentials
    from rmaudit.run.disk import DiskError

    if isinstance(error, DiskError):
        error.then(["rmaudit", *map(without_credentials, arguments)])


def _understood(arguments: list[str]) -> str:
    """The command that was typed, as far as there is one of that name."""
    import typer

    from rmaudit.cli import commands

    path, known = "rmaudit", _inside(typer.main.get_command(commands()))
    for word in arguments:
        if word not in known:
            break
        path, known = f"{path} {word}", _inside(known[word])
    return path


def _inside(command: object) -> Mapping[str, object]:
    """The commands of a group by name; none of a command that is no group."""
    found: Mapping[str, object] = getattr(command, "commands", {})
    return found


def _tell(kind: str, message: str, hint: str, as_json: bool) -> None:
    from rmaudit.escaping import one_line

    if as_json:
        print(json.dumps({"error": {"type": kind, "message": message, "hint": hint}}))
    print(f"error: {one_line(message)}", file=sys.stderr)
    if hint:
        print(f"hint: {one_line(hint)}", file=sys.stderr)


if __name__ == "__main__":
    main()
