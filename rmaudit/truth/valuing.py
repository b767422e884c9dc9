"""Whether a reason praises what it says of the response, and whether it calls it wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rmaudit.truth import lexicon as lex
from rmaudit.truth import patterns as pat
from rmaudit.truth.clauses import Clause, count
from rmaudit.truth.lexicon import OWN, V


def valued(clauses: Sequence[Clause]) -> tuple[bool, bool]:
    """Whether the reason praises, and whether it finds fault in so many words."""
    praised = errs = False
    for number, clause in enumerate(clauses):
        general = clause.frame == "demand" and not clause.valued
        permits = general and not clause.odd and lex.PERMITS.search(clause.text)
        praised |= _complies(clauses, number) or bool(permits)
        if clause.frame in ("own", "open") or general:
            good, not_good = _stated(lex.PRAISES, clause)
            bad, not_bad = _stated(lex.ERRS, clause)
            errs |= bad or not_good or bool(lex.ADVERSE.search(clause.text))
            follows = clauses[number + 1].opener if number + 1 < len(clauses) else ""
            conceded = clause.opener in pat.CONCESSIVE or follows in ("but", "yet", "however")
            praised |= (good or not_bad) and not conceded
    return praised, errs


def _stated(pattern: re.Pattern[str], clause: Clause) -> tuple[bool, bool]:
    """Whether words of a clause assert something, and whether they deny it."""
    asserted = denied = False
    last = max((found.end() for found in re.finditer(V, clause.text)), default=0)
    for found in pattern.finditer(clause.text):
        # Words before a value, in a contrast or as its attribute, are about that value.
        attribute = found[0] in lex.ATTRIBUTES and pat.VALUE_NEXT.match(clause.text, found.end())
        if clause.tail <= found.start() < last or attribute:
            continue
        ahead = clause.text[: found.start()]
        words = ahead if pattern is lex.PRAISES else " ".join(ahead.split()[-4:])
        flips = count(lex.NEGATORS, words) + count(lex.LACKS, words)
        flips += found[0] != "follow" and count(lex.HARD, words)
        if (flips % 2 == 1) != clause.denied:
            denied = True
        else:
            asserted = True
    return asserted, denied


def _complies(clauses: Sequence[Clause], number: int) -> bool:
    """Whether `as requested` is said of what the response does, here, before or after."""
    clause = clauses[number]
    found = lex.COMPLIES.search(clause.text[: clause.tail])
    if found and found.start() < 3 and OWN not in clause.text and not clause.valued:
        number += 1 if clause.opener in ".;:" else -1
        clause = clauses[number] if 0 <= number < len(clauses) else clause
    turned = count(lex.NEGATORS, clause.text) or count(lex.LACKS, clause.text)
    return bool(found) and clause.frame == "own" and not turned and not clause.denied
