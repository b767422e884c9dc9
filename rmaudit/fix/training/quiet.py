"""Keeps what trainers print off the terminal: bars, tables, remarks, warnings of their parts."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

CALM = ("trl", "transformers", "accelerate", "datasets", "peft")


@contextmanager
def calm() -> Iterator[None]:
    """Within, only errors of the trainer's packages are heard."""
    import datasets
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    datasets.disable_progress_bars()
    levels = {name: logging.getLogger(name).level for name in CALM}
    for name in CALM:
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
