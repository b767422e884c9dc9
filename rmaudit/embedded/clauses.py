"""A reason in clauses: which response each speaks of, and whether it faults or praises it.

`Response B prints the right price, whereas Response A has 60 dollars` speaks of two responses and
faults one. A judge that takes it as one bag of words lays the fault to the wrong response, or
takes the praise for a fault.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from rmaudit.embedded.critique import FAULT
from rmaudit.embedded.fault_phrases import (
    CLAIMS,
    CLAIMS_ABROAD,
    CORRECTS,
    DEMANDS,
    FORM,
    NOT_FOLLOWED,
    RIGHT,
    VERDICT,
)
from rmaudit.embedded.praise_phrases import (
    AS_ASKED,
    AVOIDS,
    DENIED,
    MERIT,
    NEGATION,
    NEUTRAL,
    PRAISES,
    WOULD_BE_RIGHT,
)
from rmaudit.embedded.stems import stem
from rmaudit.parsing.sides import Mention, mentions_of
from rmaudit.records import About
from rmaudit.text.masking import FILL

_CONJUNCTION = r"(?:but|yet|whereas|while|whilst|although|though|however|unlike)"
_END = r"[;!?](?=\s)|\.(?=\s)"
_RANKS = (
    re.compile(
        rf"{_END}|,?\s(?:and\s+)?{_CONJUNCTION}(?=\s)|\A{_CONJUNCTION}(?=\s)", re.IGNORECASE
    ),
    re.compile(r",\s(?:and|which|whose|so|where|when)(?=\s)|\s[–—-]\s|:(?=\s)"),
    re.compile(r",(?=\s)|\sand(?=\s)"),
)
"""Where a clause can end between the names of two responses, the best places first."""
_SENTENCE = re.compile(
    rf"{_END}|,\s(?:and\s+)?{_CONJUNCTION}(?=\s)|\s(?:but|yet|whereas)(?=\s)|,\s(?=~)"
)
"""Where a clause ends in a text about one response."""
_OPENING = re.compile(rf"{_SENTENCE.pattern}|:(?=\s)")
"""The same, before the first of two responses is named."""
_COMPARED = re.compile(
    r"(?:\bthan|\bcompared (?:to|with)|\bversus|\bvs\.?|\bagainst|\bopposed to|\bsimilar to"
    r"|\brelative to|\bover|\blike|(?<!well )\bas)"
    r"(?:\s+(?:in|of|for|that|those|the|one|with))*\s*\Z",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"\s*(?:,|and|&|or|nor|as well as|,\s*and)?\s*(?:in|of|for|by)?\s*", re.IGNORECASE
)
_ADVERBIAL = re.compile(r"(?:in|for|at|under|on) (?:[^\s,]+ ?){1,4},(?= \Z)", re.IGNORECASE)
_AT_END = re.compile(r"[\s.!]*\Z")
_LOCATES = re.compile(r"\b(?:in|of|from|by|for|with) \Z", re.IGNORECASE)
_NEXT = re.compile(r",?\s(?:and|but|while|whereas)\s|,\s", re.IGNORECASE)
_EMPTY = re.compile(
    r"[\s,;.]*(?:(?:but|and|which|while|whereas|something|unlike|in contrast to|as|that)\s+)*"
    r"~(?:\s+(?:does|do|did|is|has|was|would|could)(?:\s?(?:not|n't|n’t))"
    r"(?:\s+(?:do|so|have|it|this|that|either))*)?[\s.,;:]*",
    re.IGNORECASE,
)
_DENIES = re.compile(r"unlike|\b(?:not|\w+n['’]t)\b", re.IGNORECASE)
_CONTRASTS = re.compile(rf"[,;]? ?(?:and )?(?:{_CONJUNCTION}|where|when)\b")
_CONSEQUENCE = re.compile(r", (?:so|and so|which means)(?: that)? .*")
_OFTEN_MISSED = re.compile(
    r",? (?:which|that|something(?: that)?|a \w+ that|where|even where|as)(?: \w+){0,2}"
    r" (?:easily|often|commonly|frequently|many|most|others?|few|~|people|some)\b.*"
)
"""What else is often got wrong: it sets off the praise of who got it right."""
_CONCEDES = re.compile(
    r"(?:despite|in spite of|although|though|even though|while|by \w+ing|with)\b(?!.*~)"
)
"""Opens what praise concedes first: `despite its many jokes, it stays polite` is no complaint."""
_IT = ("it ", "and it ", "its ")
_IDENTIFIER = re.compile(r"\w*[^\W_]_\w+")
_VALUE = re.compile(r"(?<=[\w,]) None\b")
"""The value of Python, which in lower case would deny something."""
_QUOTATION = re.compile("§+")
_OTHER: dict[About, str] = {"a": "b", "b": "a", "both": "", None: ""}


class Clause(NamedTuple):
    """A part of a reason.

    Attributes:
        text: as it stands.
        spoken: in lower case, with `~` for names of responses and `§` for quotations.
        about: the response that it speaks of, None where it names none.
        claims: the kinds of fault that it states.
        form: it complains about form.
        verdict: it says who wins or what follows.
        merit: it says that the response does well.
        denies: it has no content of its own and denies what the clause beside it says, as
            `which Response B does not`.
    """

    text: str
    spoken: str
    about: About
    claims: frozenset[str]
    form: bool
    verdict: bool
    merit: bool
    denies: bool


def clauses(text: str, about: About) -> tuple[Clause, ...]:
    """The clauses of a reason, in order.

    Args:
        text: in item coordinates, whitespace collapsed.
        about: the side of the reason as a whole; a clause that names no response is about it.
    """
    masked, found = mentions_of(text)
    marked = _marked(masked, found)
    mentions = _subjects(masked, found)
    named = {mention.about for mention in mentions}
    if len(named) < 2:
        parts = [(0, len(text), named.pop() if named else about)]
    else:
        parts = _by_side(masked, mentions)
    made = [
        _clause(text, marked, *span, side)
        for start, end, side in parts
        for span in _sentences(marked, start, end)
    ]
    praised = {clause.about for clause in made if clause.merit}
    made = [
        one._replace(claims=frozenset(), merit=True)
        if after.merit and one.about == after.about and _CONCEDES.match(one.spoken)
        else one
        for one, after in zip(made, [*made[1:], made[-1]], strict=True)
    ]
    return tuple(
        # Beside praise of the other response, a plain statement is the complaint.
        clause._replace(claims=frozenset({"wrong"}))
        if not (clause.claims or clause.merit or clause.denies) and _OTHER[clause.about] in praised
        else clause
        for clause in made
    )


def _by_side(masked: str, mentions: list[Mention]) -> list[tuple[int, int, About]]:
    """The stretch of text that belongs to each mention; before the first, one of no side."""
    cuts = [_cut(masked, first.end, second.start) for first, second in pairwise(mentions)]
    if len(mentions) == 2:
        cuts = [_trailing(masked, *mentions) or cuts[0]]
    opening = [match.start() for match in _OPENING.finditer(masked, 0, mentions[0].start)]
    adverbial = _ADVERBIAL.match(masked[: mentions[0].start])
    start = opening[-1] if opening else adverbial.end() if adverbial else 0
    parts: list[tuple[int, int, About]] = [(0, start, None)] if start else []
    bounds = [start, *cuts, len(masked)]
    return parts + [
        (first, last, mention.about)
        for mention, (first, last) in zip(mentions, pairwise(bounds), strict=True)
    ]


def _cut(masked: str, start: int, end: int) -> int:
    """Where the clause about the second of two responses begins."""
    for rank in _RANKS:
        places = [match.start() for match in rank.finditer(masked, start, end)]
        if places:
            return int(places[-1])
    return end


def _trailing(masked: str, first: Mention, second: Mention) -> int | None:
    """Where the clause about the second begins in `82 in Response B and 87 in Response A`."""
    if not _AT_END.match(masked, second.end) or not _LOCATES.search(masked[: first.start]):
        return None
    if _RANKS[0].search(masked, first.end, second.start):
        return None
    found = _NEXT.match(masked, first.end)
    return found.start() if found and _LOCATES.search(masked[: second.start]) else None


def _subjects(masked: str, found: tuple[Mention, ...]) -> list[Mention]:
    """Mentions that a clause can be about: not those that another is compared with.

    `Response A and Response B`, `in Response A and in Response B` become one mention of both.
    """
    kept: list[Mention] = []
    for mention in found:
        if _COMPARED.search(masked[max(0, mention.start - 40) : mention.start]):
            continue
        if kept and _JOINED.fullmatch(masked, kept[-1].end, mention.start):
            about = mention.about if kept[-1].about == mention.about else "both"
            kept[-1] = kept[-1]._replace(end=mention.end, about=about)
        else:
            kept.append(mention)
    return kept or list(found)


def _sentences(marked: str, start: int, end: int) -> list[tuple[int, int]]:
    """The clauses of a stretch of text about one response."""
    cuts = (match.start() for match in _SENTENCE.finditer(marked, start, end))
    return list(pairwise([start, *(cut for cut in cuts if cut > start), end]))


def _clause(text: str, marked: str, start: int, end: int, about: About) -> Clause:
    spoken = _VALUE.sub(" §", marked[start:end]).casefold()
    spoken = _QUOTATION.sub("§", _IDENTIFIER.sub("§", spoken))
    spoken = " ".join(spoken.split())
    named = "~" in spoken
    denies = named and bool(_EMPTY.fullmatch(spoken) and _DENIES.search(spoken))
    merit = not denies and (named or spoken.lstrip(" ,;.").startswith(_IT)) and _praises(spoken)
    claims = frozenset() if merit or denies else _claims(spoken)
    right = not named and not spoken.lstrip(" ,;.").startswith(_IT) and RIGHT.search(spoken)
    if not (claims or merit) and (
        right or _CONTRASTS.match(spoken) or WOULD_BE_RIGHT.search(spoken)
    ):
        claims = frozenset({"wrong"})
    return Clause(
        text[start:end],
        spoken,
        about,
        claims,
        bool(FORM.search(_CONSEQUENCE.sub("", spoken) if CORRECTS.search(spoken) else spoken)),
        bool(VERDICT.search(spoken)),
        merit,
        denies,
    )


def _praises(spoken: str) -> bool:
    """Whether a clause says that the response does well."""
    avoided = AVOIDS.sub(" ", DENIED.sub(" ", spoken))
    if avoided != spoken and not NEGATION.search(avoided) and not CORRECTS.search(avoided):
        return True
    spoken = _OFTEN_MISSED.sub(" ", spoken)
    bare = WOULD_BE_RIGHT.sub(" ", VERDICT.sub(" ", spoken))
    praised = MERIT.search(bare) or PRAISES.search(bare) or AS_ASKED.search(spoken)
    if not praised or NEGATION.search(spoken):
        return False
    stated = WOULD_BE_RIGHT.sub(" ", spoken)
    plain = AS_ASKED.sub(" ", stated)
    if plain != stated or PRAISES.search(plain):
        plain = NEUTRAL.sub(" ", plain)
    return not any(pattern.search(plain) for pattern in CLAIMS.values())


def _claims(spoken: str) -> frozenset[str]:
    """Kinds of fault that a clause states; what is not wanted does not count as missing."""
    demanded = {claim for claim, pattern in DEMANDS.items() if pattern.search(spoken)}
    if demanded:
        return frozenset(demanded)
    if NOT_FOLLOWED.search(spoken):
        return frozenset({"wrong"})
    spoken = VERDICT.sub(" ", spoken)
    rest = CLAIMS["extra"].sub(" ", spoken)
    found = {c for c, pattern in CLAIMS.items() if pattern.search(rest)}
    if rest != spoken:
        found.add("extra")
    if not found:
        found = {c for c, pattern in CLAIMS_ABROAD.items() if pattern.search(spoken)}
    if not found and FAULT.search(spoken):
        found.add("fault")
    return frozenset(found)


def claiming(clause: Clause) -> frozenset[str]:
    """Stems of the words that state a kind of fault; a longer phrase may hold facts."""
    found = (
        match[0]
        for pattern in CLAIMS.values()
        for match in pattern.finditer(clause.spoken)
        if match[0].count(" ") <= 1
    )
    return frozenset(stem(word) for phrase in found for word in phrase.split())


def _marked(masked: str, found: tuple[Mention, ...]) -> str:
    """The text with `§` for quotations and `~` for names of responses, positions kept."""
    pieces, position = [], 0
    for mention in found:
        name = masked[mention.start : mention.end]
        mark = "neither ~" if name[:7].casefold() == "neither" else "~"
        pieces += [masked[position : mention.start], mark.ljust(len(name))]
        position = mention.end
    return "".join([*pieces, masked[position:]]).replace(FILL, "§")
