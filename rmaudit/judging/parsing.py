r"""Turns one raw completion into a judgment: what it decides, and why.

The last verdict after the thinking wins, and reasons stand before it. An answer that runs on into
a new prompt, or that the token limit cuts, counts as far as its first complete answer. Nothing is
guessed: an answer without a readable verdict is unparsed, cut or refused, never a side.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rmaudit.judging import boundaries
from rmaudit.judging.reasons import claimed_reasons, list_reasons, prose_reasons
from rmaudit.judging.sides import DEFAULT_NAMES, Names
from rmaudit.judging.structured import JsonAnswer, json_answers
from rmaudit.judging.surface import (
    Folded,
    blank,
    fold,
    mask_blocks,
    mask_quotations,
    mask_quoted,
)
from rmaudit.judging.verdicts import Mark, closing_verdict, find_verdicts, verdict_places
from rmaudit.judging.voice import Copies
from rmaudit.records import FinishReason, Judgment, ModelReason, Outcome
