"""The clauses of a critique: of what each speaks, and whether it is turned round.

A clause speaks of the response that the reason is about, of the other one, of the request, or of
what is true. One that names none of them is read by its opening word and by the clause before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rmaudit.truth import lexicon as lex
from rmaudit.truth import patterns as pat
from rmaudit.truth.lexicon import BOTH, OTHER, OWN, V

Frame = Literal["own", "other", "demand", "truth", "open", "void"]
"""Of what a clause speaks; `open` may be the response or the truth, `void` claims nothing."""


class _Kind(NamedTuple):
    """The frame of a clause. odd: turned round. tail: where its contrast begins.

    sure: the frame is no guess.
    """

    frame: Frame
    odd: bool
    tail: int
    sure: bool


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: its place, its words, the mark or word that opens it, and how it is meant.

    denied: its sentence says that it is not so. sure: it names the response, or takes it up; only
    such a clause can be false of it. ours: its sentence names the response.
    """

    start: int
    end: int
    text: str
    opener: str
    frame: Frame
    odd: bool
    tail: int
    sure: bool
    ours: bool
    denied: bool

    @property
    def valued(self) -> bool:
        """Whether it names a value."""
        return re.search(V, self.text) is not None


def clauses_of(masked: str) -> Iterator[Clause]:
    """The clauses of a masked text, in order."""
    masked = pat.COMPARED.sub(lambda found: " " * len(found[0]), masked)
    masked = pat.APPOSED.sub(lambda found: f" {found[1]}".ljust(len(found[0])), masked)
    breaks = [
        (one.start(), one.end(), one[0].strip(" ,;") or one[0].strip())
        for one in pat.BREAK.finditer(masked)
    ]
    breaks.append((len(masked), len(masked), "."))
    before = Clause(0, 0, "", "", "open", False, 0, False, False, False)
    denied = supposed = ours = first = False
    opener, start = ".", 0
    for number, (end, following, mark) in enumerate(breaks):
        if opener in ".!?":
            sentence, first = pat.SENTENCE.match(masked, start)[0], True  # type: ignore[index]
            ours, supposed = OWN in sentence, bool(lex.REPORTED.match(sentence))
            denial = lex.DENIAL.match(sentence)
            denied = lex.CLAIMED.match(sentence) is not None
            if denial and ("," in denial[0] or count(lex.DENIES, denial[0]) % 2):
                denied = True
                masked = masked[:start] + " " * denial.end() + masked[start + denial.end() :]
        text = masked[start:end]
        if mark == "that" and not (lex.SAYS.search(text) or pat.VERB.search(text)):
            # `The phrase X that was asked for is missing`: the sentence goes on about X.
            continue
        if text.strip() or opener not in (",", ".", "and"):
            frame, odd, tail, sure = _kind(text, opener, before, asked=mark == "?")
            supposed |= opener == "if" and first and not lex.LOOKS.match(text)
            if supposed and opener not in ("but", "yet"):
                frame = "void"
            upcoming = masked[following : breaks[min(number + 1, len(breaks) - 1)][0]]
            if frame == "own" and OWN not in text and opener in ".;" and mark in pat.AGAINST:
                # `The offer ends on X, but Response A ...`: how it should be.
                frame = "truth" if OWN in upcoming and not odd else frame
            first = False
            clause = Clause(start, following, text, opener, frame, odd, tail, sure, ours, denied)
            yield clause
            before = clause if text.strip() else before
        start, opener = following, mark


def _kind(text: str, opener: str, before: Clause, *, asked: bool) -> _Kind:
    """How a clause is meant, by its words and by the one before."""
    tail = _contrast(text)
    head = text[:tail]
    breach = lex.BREACH.search(head)
    # What is breached is no part of what is done.
    core = head[: breach.start()] if breach and head[: breach.start()].strip(f" {OWN}") else head
    own = OWN in text or BOTH in text
    flips = count(lex.NEGATORS, core) + count(lex.LACKS, core)
    odd = flips % 2 == 1
    if asked or lex.HYPOTHESIS.search(text) or opener in ("if", "unless", "whether"):
        return _Kind("void", odd, tail, True)
    if OTHER in text and not own:
        return _Kind("other", odd, tail, True)
    if head.strip() in ("", "and", "but") and tail < len(text) and opener in (",", "and", "but"):
        return _Kind(before.frame, before.odd, tail, before.sure)
    relative = opener in ("which", "who") and not own and lex.ENDS_REQUEST.search(before.text)
    if _demands(head, own=own) or relative:
        flips += count(lex.FORBIDS, core) - len(lex.LACKS_THAT.findall(core))
        return _Kind("demand", flips % 2 == 1, tail, True)
    odd ^= len(lex.DISMISSES.findall(core)) % 2 == 1
    if own or pat.CLEFT.search(text):
        return _Kind("own", odd, tail, own)
    bare = pat.BARE.match(text) and not (pat.VERB.search(head) or pat.COPULA.search(head))
    if bare and "=" not in head and opener in (*",:(", "and", "or", ")"):
        anew = pat.ANEW.match(text) or tail < len(text)
        turned = odd if anew else odd != before.odd
        return _Kind(before.frame, turned, tail, before.sure)
    if opener in pat.CONTRASTS and not odd:
        return _Kind("truth" if before.frame in ("own", "open") else "own", odd, tail, False)
    if (bare and opener == "but") or pat.ELLIPSIS.match(text):
        return _Kind(before.frame, not before.odd, tail, before.sure)
    return _unnamed(head, opener, before, _Kind("own", odd, tail, False))


def _unnamed(head: str, opener: str, before: Clause, kind: _Kind) -> _Kind:
    """A clause that names neither response nor request: what is, or what the response does."""
    does = pat.DOES.search(head) is not None
    states = bool(pat.STATES.match(head)) and not kind.odd and not does
    if opener == "which" and not kind.odd and pat.WHICH_IS.match(head):
        return kind._replace(frame="truth")
    if opener == "," and pat.NAMED.search(before.text):
        return kind._replace(sure=True)
    if opener in ("but", "yet", "since", "because") and states:
        return kind._replace(frame="own" if before.frame in ("demand", "truth") else "truth")
    if pat.IMPOSSIBLE.search(head):
        return kind._replace(frame="truth")
    if pat.IN_FACT.match(head):
        return kind._replace(frame="truth", sure=True)
    if pat.EQUATES.search(head) and not does and opener != "so":
        return kind._replace(frame="truth")
    if states:
        frame: Frame = "truth" if opener == "." else "own" if opener == "so" else "open"
        return kind._replace(frame=frame)
    goes_on = opener == "and" and before.sure and before.frame == "own"
    goes_on = goes_on and pat.PREDICATE.match(head) is not None
    return kind._replace(sure=opener in ("which", "so") or goes_on or bool(pat.SPEAKS.match(head)))


def _contrast(text: str) -> int:
    """Where the second half of a contrast begins, the end where there is none."""
    for found in lex.CONTRAST.finditer(text):
        if found[0] != "not" or pat.VALUE_NEXT.match(text, found.end()):
            return found.start()
    return len(text)


def _demands(head: str, *, own: bool) -> bool:
    valued = re.search(V, head) is not None
    if own:
        # `has to count as an error` demands nothing of the response.
        return valued and bool(lex.MODALS.search(head)) and not lex.ERRS.search(head)
    if lex.RIGHTLY.search(head) and not valued:
        return False
    return bool(lex.DEMANDS.search(head) or lex.REQUEST_SPEAKS.search(head))


def count(pattern: re.Pattern[str], text: str) -> int:
    """How often an expression is found."""
    return sum(1 for _ in pattern.finditer(text))
