"""A checkpoint's chat template, rendered in a process of its own under limits.

A template that loops for ever or fills the memory ends that process, not the scan. The process is
no sandbox against an attacker; it contains what a template can do by accident or in malice inside
the sandboxed Jinja of transformers, which bounds neither time nor memory.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from rmaudit.engines import template_child

SECONDS = 5.0
"""Processor time of one rendering; an ordinary one takes about a millisecond."""
PATIENCE = 300.0
"""Seconds until the process counts as stuck, whatever it waits for: on a full machine it waits."""
MEMORY = 1 << 30
LONGEST = 1 << 24
"""Characters of a rendered chat at most."""
MOST_BYTES = 6 * LONGEST + 100
"""Bytes of an answer of the process: JSON escapes take six a character."""
KEPT = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT")


class TemplateError(Exception):
    """The template refused the chat, or went over a limit; the text says which."""


class TemplateProcess:
    """Renders chats by one template. Threads may share it; the process starts when made.

    Args:
        template: Jinja source, of a checkpoint.
        tokens: special tokens that templates name, such as `bos_token`.
        seconds: processor time of one rendering.
        memory: bytes beyond what the process takes at its start.
        opens: the opening of the model's answer follows the chat.
    """

    def __init__(
        self,
        template: str,
        tokens: Mapping[str, object],
        *,
        seconds: float = SECONDS,
        memory: int = MEMORY,
        opens: bool = True,
    ) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._first = {
            "template": template,
            "tokens": {
                name: [str(one) for one in token] if isinstance(token, list) else str(token)
                for name, token in tokens.items()
            },
            "seconds": seconds,
            "memory": memory,
            "opens": opens,
            "longest": LONGEST,
        }
        self._start()

    def render(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The chat as text, with the opening of the answer where that was asked for.

        Raises:
            TemplateError: the template refuses the messages, or needs too much time or memory.
        """
        with self._lock:
            if self._process.poll() is not None:
                self._start()
            try:
                self._send(list(messages))
                line = self._receive()
            except BaseException:
                self.close()
                raise
        answer: dict[str, str] = json.loads(line)
        if "error" in answer:
            raise TemplateError(answer["error"])
        return answer["text"]

    def close(self) -> None:
        """Ends the process; the next rendering would start another."""
        self._end()

    def _start(self) -> None:
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        # Isolated (-I): neither this folder nor the user's hides a package of the same name.
        self._process = subprocess.Popen(
            [sys.executable, "-I", str(Path(template_child.__file__).resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**environment, "HF_HUB_OFFLINE": "1", "OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,  # Ctrl-C is for us, who end it
        )
        self._end = weakref.finalize(self, _end, self._process)
        with suppress(OSError):  # one that cannot start is noticed when its answer is read
            self._send(self._first)

    def _send(self, value: object) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended: so says the answer that does not come
            self._process.stdin.write(json.dumps(value).encode() + b"\n")
            self._process.stdin.flush()

    def _receive(self) -> bytes:
        """One line of the process, within the limits of time and size."""
        assert self._process.stdout is not None
        source = self._process.stdout.fileno()
        until = time.monotonic() + PATIENCE
        found = bytearray()
        while not found.endswith(b"\n"):
            ready, _, _ = select.select([source], [], [], max(0.0, until - time.monotonic()))
            if not ready or len(found) > MOST_BYTES:
                raise TemplateError(f"it gives no answer within {PATIENCE:.0f} s")
            part = os.read(source, 1 << 16)
            if not part:
                raise TemplateError(self._last_words())
            found += part
        return bytes(found)

    def _last_words(self) -> str:
        """Why the process ended, from its exit code."""
        code = self._process.wait()
        if code == -signal.SIGPROF:  # the clock of a rendering
            return f"it takes more than {self._seconds:g} s"
        if code == 1:
            return "it cannot be tried here: transformers cannot be imported in a new process"
        return f"its process ended with exit code {code}"


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    process.wait()
