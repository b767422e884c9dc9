"""What a critique says of each value that it names: a response has it, lacks it, should have it.

The text is read clause by clause (see `clauses`); negators turn a clause round, and `X instead of
Y` gives its two values opposite roles. What no rule decides stays undecided.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from rmaudit.records import Side
from rmaudit.truth import lexicon as lex
from rmaudit.truth import patterns as pat
from rmaudit.truth.clauses import Clause, clauses_of, count
from rmaudit.truth.lexicon import BOTH, V
from rmaudit.truth.values import Value, canonical, mask
from rmaudit.truth.valuing import valued

Role = Literal["has", "lacks", "wanted", "unwanted", "other_has", "other_lacks"] | None
"""What is said of a value: a response has or lacks it, or it should or should not be there."""
_TURNED: dict[Role, Role] = {
    "has": "lacks", "lacks": "has", "wanted": "unwanted", "unwanted": "wanted",
    "other_has": "other_lacks", "other_lacks": "other_has", None: None,
}  # fmt: skip


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
        if relative and count(lex.FORBIDS, relative[0]) % 2:
            found.append("unwanted")
        elif relative:
            found = ["wanted"]
        if lex.OF_REQUEST.match(clause.text, at + 1):
            found = ["wanted"]
        if found[0] in ("has", "lacks") and _in_demand(clause, at):
            forbids = count(lex.FORBIDS, ahead) % 2
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
    clauses = tuple(clauses_of(masked))
    praised, errs = valued(clauses)
    demands = any(one.frame == "demand" for one in clauses)
    demands |= bool(lex.COMPLIES.search(masked) or lex.NAMES_REQUEST.search(masked))
    return Reading(masked, values, clauses, praised, errs, demands, BOTH in masked)


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
            return "lacks" if sum(count(one, text) for one in classes) % 2 else "has"
    return None
