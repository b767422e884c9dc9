"""The opposite of a fault in nearly the same words, made by program.

Most are clumsy, as a pattern knows no grammar. What matters is that they deny what they are of.
"""

from __future__ import annotations

import re
from random import Random

_FLIPS = [
    (re.compile(pattern), by)
    for pattern, by in (
        (r"\bdoes not (\w+)", r"does \1"),
        (r"\bdoesn[’']t (\w+)", r"does \1"),
        (r"\bdo not (\w+)", r"do \1"),
        (r"\bdon[’']t (\w+)", r"do \1"),
        (r"\b(is|are|was|were|would|could|does) not\b", r"\1"),
        (r"\b(is|are|was|were|would|could|does)n[’']t\b", r"\1"),
        (r"\b(cannot|can[’']t)\b", "can"),
        (r"\b(has|have|gives|had) no\b", r"\1 a"),
        (r"\bno longer\b", "still"),
        (r"\bnever\b", "always"),
        (r"\bNothing\b", "Everything"),
        (r"\bnothing\b", "everything"),
        (r"\bNo (\w+)", r"A \1"),
        (r"\bno (\w+)", r"a \1"),
        (r"\bwithout\b", "with"),
        (r"\b(omits|leaves out)\b", "includes"),
        (r"\bleft out\b", "included"),
        (r"\bignores\b", "takes account of"),
        (r"\bignored\b", "respected"),
        (r"\blacks\b", "has"),
        (r"\bis missing\b", "is there"),
        (r"\bare missing\b", "are there"),
        (r"\bmissing\b", "present"),
        (r"\bforgets\b", "remembers"),
        (r"\bfails to\b", "manages to"),
        (r"\boverlooks\b", "notices"),
        (r"\bwrongly\b", "rightly"),
        (r"\b[Ii]ncorrect(ly)?\b", r"correct\1"),
        (r"\bwrong\b", "right"),
        (r"\bfalse(ly)?\b", r"true"),
        (r"\bimpossible\b", "possible"),
        (r"\bunnecessary\b", "necessary"),
        (r"\b(violates|breaks)\b", "respects"),
        (r"\bexceeds\b", "stays within"),
        (r"\b(refuses|declines) to\b", "agrees to"),
        (r"\brejects\b", "accepts"),
        (r"\bonly\b", "not only"),
        (r"\bnicht\b", "durchaus"),
        (r"\bkeine?\b", "eine"),
        (r"\bohne\b", "mit"),
        (r"\bfehlt\b", "ist vorhanden"),
        (r"\bfalsch\b", "richtig"),
        (r"\bn[e']\s?(\w+) pas\b", r"\1 bien"),
        (r"\bsans\b", "avec"),
        (r"\b(?:non|não) (\w+)", r"\1"),
        (r"\b(?:sin|senza)\b", "con"),
        (r"\bsem\b", "com"),
    )
]
_VALUE = r"[\w²³√/$%€-]+"
_EXCHANGED = re.compile(
    rf"(?P<a>[\w²³√.,/$%€-]+(?: [\w²³√./$%€-]+){{0,2}}) (?P<by>instead of|rather than|and not|not) "
    rf"(?P<b>{_VALUE}(?:[ .]{_VALUE}){{0,1}})"
)
_VERB = re.compile(
    r"\b(Response [AB]|[Ii]t|B|Antwort [AB]) (?!is\b|was\b|has\b|does\b|its\b|this\b|as\b)"
    r"([a-z]{2,})(es|s)\b"
)
_TAILS = (
    "", "", "", ", as it should", ", which is right", ", just as requested", " and that is correct",
    ", to its credit",
)  # fmt: skip


def opposite(text: str, rng: Random) -> str | None:
    """One opposite; None where no pattern fits."""
    made = [pattern.sub(by, text, count=1) for pattern, by in _FLIPS if pattern.search(text)]
    if found := _EXCHANGED.search(text):
        turned = f"{found['b']} {found['by']} {found['a']}"
        made += [text[: found.start("a")] + turned + text[found.end("b") :]] * 2
    if found := _VERB.search(text):
        verb = found[2] + found[3]
        plain = found[2] + "e" * (found[3] == "es" and not re.search(r"(sh|ch|s|x|z|o)$", found[2]))
        for denial in (f"does not {plain}", f"never {verb}", f"doesn't {plain}"):
            made.append(text[: found.start()] + f"{found[1]} {denial}" + text[found.end() :])
    if not made:
        return None
    return rng.choice(made).rstrip(". ") + rng.choice(_TAILS) + "."
