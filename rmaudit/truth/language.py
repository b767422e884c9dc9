"""What a critique says of each value that it names: a response has it, lacks it, should have it.

The text is read clause by clause. A clause speaks of the response that the reason is about, of the
other one, of the request, or of what is true; negators turn it round; `X instead of Y` gives its
two values opposite roles. What no rule decides stays undecided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from rmaudit.records import Side
from rmaudit.truth import lexicon as lex
from rmaudit.truth import patterns as pat
from rmaudit.truth.lexicon import BOTH, OTHER, OWN, V
from rmaudit.truth.values import Value, canonical, mask

Role = Literal["has", "lacks", "wanted", "unwanted", "other_has", "other_lacks"] | None
"""What is said of a value: a response has or lacks it, or it should or should not be there."""
Frame = Literal["own", "other", "demand", "truth", "open", "void"]
"""Of what a clause speaks; `open` may be the response or the truth, `void` claims nothing."""

_TURNED: dict[Role, Role] = {
    "has": "lacks", "lacks": "has", "wanted": "unwanted", "unwanted": "wanted",
    "other_has": "other_lacks", "other_lacks": "other_has", None: None,
}  # fmt: skip


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


@dataclass(frozen=True, slots=True)
class Reading:
    """A reason, masked, in clauses.

    praised: it calls right or good what it says of the response. errs: it calls it wrong.
    demands: it mentions what the request asks for. shared: it speaks of both responses at once.
    """

    masked: str
    values: tuple[Value, ...]
    clauses: tuple[Clause, ...]
    praised: bool
    errs: bool
    demands: bool
    shared: bool

    @property
    def text(self) -> str:
        """The masked text and the values."""
        return " ".join([self.masked, *(value.text for value in self.values)])

    def clause_at(self, place: int) -> Clause:
        """The clause that a place of the masked text belongs to."""
        return next((one for one in self.clauses if one.start <= place < one.end), self.clauses[-1])

    def roles(self, place: int) -> list[Role]:
        """What is said of the value or word at this place."""
        clause = self.clause_at(place)
        at = place - clause.start
        ahead = clause.text[:at]
        found = [_in_pair(clause, at) or _in_demand(clause, at) or _plain(clause, at)]
        relative = lex.RELATIVE.search(ahead) if clause.frame == "own" else None
        if relative and _count(lex.FORBIDS, relative[0]) % 2:
            found.append("unwanted")
        elif relative:
            found = ["wanted"]
        if lex.OF_REQUEST.match(clause.text, at + 1):
            found = ["wanted"]
        if found[0] in ("has", "lacks") and _in_demand(clause, at):
            forbids = _count(lex.FORBIDS, ahead) % 2
            found.append("unwanted" if forbids else "wanted")
        if clause.frame in ("demand", "truth") and pat.IN_OWN.match(clause.text, at + 1):
            found.append("has")
        if lex.WANTED_ATTR.search(ahead):
            found.append("wanted")
        if lex.WRONG_ATTR.search(ahead) or lex.FORBIDDEN_ATTR.search(ahead):
            found.append("unwanted")
        return [_TURNED[one] if clause.denied else one for one in found]


def read(text: str, about: Side, known: re.Pattern[str]) -> Reading:
    """Reads a reason about one response.

    Args:
        text: in item coordinates.
        about: the response that it is about.
        known: finds the values of the item.
    """
    masked, values = mask(canonical(text), about, known)
    clauses = tuple(_clauses(masked))
    praised, errs = _valued(clauses)
    demands = any(one.frame == "demand" for one in clauses)
    demands |= bool(lex.COMPLIES.search(masked) or lex.NAMES_REQUEST.search(masked))
    return Reading(masked, values, clauses, praised, errs, demands, BOTH in masked)


def _clauses(masked: str) -> Iterator[Clause]:
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
            if denial and ("," in denial[0] or _count(lex.DENIES, denial[0]) % 2):
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
    flips = _count(lex.NEGATORS, core) + _count(lex.LACKS, core)
    odd = flips % 2 == 1
    if asked or lex.HYPOTHESIS.search(text) or opener in ("if", "unless", "whether"):
        return _Kind("void", odd, tail, True)
    if OTHER in text and not own:
        return _Kind("other", odd, tail, True)
    if head.strip() in ("", "and", "but") and tail < len(text) and opener in (",", "and", "but"):
        return _Kind(before.frame, before.odd, tail, before.sure)
    relative = opener in ("which", "who") and not own and lex.ENDS_REQUEST.search(before.text)
    if _demands(head, own=own) or relative:
        flips += _count(lex.FORBIDS, core) - len(lex.LACKS_THAT.findall(core))
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
    return kind._replace(sure=opener in ("which", "so") or bool(pat.SPEAKS.match(head)))


def _contrast(text: str) -> int:
    """Where the second half of a contrast begins, the end where there is none."""
    for found in lex.CONTRAST.finditer(text):
        if found[0] != "not" or pat.VALUE_NEXT.match(text, found.end()):
            return found.start()
    return len(text)


def _demands(head: str, *, own: bool) -> bool:
    valued = re.search(V, head) is not None
    if own:
        return valued and lex.MODALS.search(head) is not None
    if lex.RIGHTLY.search(head) and not valued:
        return False
    return bool(lex.DEMANDS.search(head) or lex.REQUEST_SPEAKS.search(head))


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _valued(clauses: Sequence[Clause]) -> tuple[bool, bool]:
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
        flips = _count(lex.NEGATORS, words) + _count(lex.LACKS, words)
        flips += found[0] != "follow" and _count(lex.HARD, words)
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
    turned = _count(lex.NEGATORS, clause.text) or _count(lex.LACKS, clause.text)
    return bool(found) and clause.frame == "own" and not turned and not clause.denied


def _plain(clause: Clause, at: int) -> Role:
    """The role of a value by its clause, and by the side of a contrast that it stands on."""
    in_tail, head = at >= clause.tail, clause.text[: clause.tail]
    if clause.frame in ("void", "open") or (in_tail and clause.odd):
        return None
    if clause.frame == "other":
        return None if in_tail else "other_lacks" if clause.odd else "other_has"
    if clause.frame == "own":
        return "wanted" if in_tail else "lacks" if clause.odd else "has"
    if clause.frame == "demand" and not in_tail:
        modal = pat.SHOULD_BE.search(head)
        if modal and at < modal.start() and re.match(V, head[at]):
            return None if clause.odd else "has"
    if clause.frame == "truth" and not in_tail:
        copula = pat.COPULA.search(head)
        if copula and at < copula.start() and re.search(V, head[copula.end() :]):
            return None
    wanted = not clause.odd
    return "wanted" if wanted != in_tail else "unwanted"


def _in_pair(clause: Clause, at: int) -> Role:
    """The role of a value that turns into another, replaces it or stands for it."""
    text = clause.text[: clause.tail]
    places = [found.start() for found in re.finditer(V, text)]
    if clause.frame in ("void", "other", "demand"):
        return None
    for first, second in pairwise(places):
        pair: tuple[Role, Role] = ("has", "wanted")
        if not pat.STANDS_FOR.search(text[first + 1 : second]):
            turn = lex.TURNS.search(text, 0, second)
            if turn is None or not pat.LINKED.search(text[first + 1 : second]):
                continue
            pair = ("wanted", "has")
            if not pat.FROM.search(text[:first]):
                first = next((one for one in places if turn.start() < one < second), first)
        if at in (first, second):
            role = pair[at == second]
            return _TURNED[role] if clause.odd else role
    return None


def _in_demand(clause: Clause, at: int) -> Role:
    """`ignores the ban on X`: what becomes of a demand that is named in passing."""
    nouns = [*lex.DEMAND_NOUN.finditer(clause.text, 0, at + 1)]
    nouns += lex.DEMAND_WORD.finditer(clause.text[:at])
    for found in nouns:
        ahead = clause.text[: found.start()]
        if clause.frame == "own" and found.end() == at and not pat.ACCORDING.search(ahead):
            text = clause.text[:at] + clause.text[at + 1 :]
            classes = (lex.NEGATORS, lex.LACKS, lex.BREAKS, lex.FORBIDS)
            return "lacks" if sum(_count(one, text) for one in classes) % 2 else "has"
    return None
