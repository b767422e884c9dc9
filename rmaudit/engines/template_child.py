"""The process that renders a checkpoint's chat template: a script of its own, see `template`.

A template is a program from a stranger. Here it has no keys in its environment, a bound on memory,
and a bound on the time of each rendering, at which the system ends the process.

Reads one JSON line with template, special tokens and limits, then one a rendering; writes one JSON
line each: {"text": ...} or {"error": ...}.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Renders until there is nothing more to read."""
    from transformers.utils.chat_template_utils import render_jinja_template

    first = json.loads(sys.stdin.readline())
    _limit_memory(first["memory"])
    # The default action ends the process: a loop inside the interpreter's C code has no other end.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for line in sys.stdin:
        signal.setitimer(signal.ITIMER_PROF, first["seconds"])
        answer: dict[str, Any]
        try:
            rendered = render_jinja_template(
                conversations=[json.loads(line)],
                chat_template=first["template"],
                add_generation_prompt=first["opens"],
                **first["tokens"],
            )
            text = rendered[0][0]
            if len(text) > first["longest"]:
                raise ValueError(f"it makes {len(text):,} characters of {len(line):,}")
            answer = {"text": text}
        except MemoryError:
            answer = {"error": f"it needs more than {first['memory'] >> 20} MiB of memory"}
        except RecursionError:
            answer = {"error": "it calls itself without end"}
        except Exception as error:  # a template can raise anything, its own errors too
            answer = {"error": str(error)[:2000] or type(error).__name__}
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _limit_memory(more: int) -> None:
    """Bounds the address space to what is in use now and so much more."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        pages = (4 << 30) // resource.getpagesize()
    used = pages * resource.getpagesize()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = used + more
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


if __name__ == "__main__":
    main()
