"""The verdict that closes an answer in a form that elsewhere counts as quoted."""

from __future__ import annotations

import re

from rmaudit.parsing.forms import boxed, caption_value, containers
from rmaudit.parsing.grammar import RECORDED, Form, Grammar
from rmaudit.parsing.marks import Mark, meant, worded
from rmaudit.parsing.negated import Copies
from rmaudit.parsing.sides import Names
from rmaudit.parsing.statements import CONNECTIVES, announces
from rmaudit.parsing.verdict_grammar import Label, read_label
from rmaudit.text.masking import FILL, fenced_lines


def closing_verdict(
    answer: str,
    masked: str,
    *,
    names: Names,
    listed: bool,
    copies: Copies | None,
    grammar: Grammar = RECORDED,
) -> Mark | None:
    r"""The verdict that stands alone at the end in a form that elsewhere counts as quoted.

    The last line is a code span (`` `\boxed{A>B}` ``), a quotation (`"My verdict is: [[A]]".`) or a
    plain comparison (`A>B`); after a list of reasons (`listed`) also a code block with nothing but
    the verdict. Where another verdict is quoted too, both are talked about and neither counts.
    """
    lines = answer.rstrip().split("\n")
    label: Label | None = None
    if fenced_lines(lines)[-1]:
        body = lines[-2].strip() if len(lines) > 2 else ""
        if body and listed and lines[-1].strip() == "```" == lines[-3].strip()[:3]:
            label = read_label(body, names=names)
    else:
        body = lines[-1].strip("*_$ \t\r")
        value = _in_quotation_marks(body)
        label = _closing_quotation(value, names) if value else None
        if label is None:
            value = (caption_value(body) or body).strip("*_ \t.")
            code = len(value) > 2 and value[0] == value[-1] == "`"
            plain = FILL not in masked[answer.rindex(body) :] and not boxed(body)
            if code or plain:
                label = read_label(value, names=names)
    form: Form = "box" if "oxed" in body else "brackets" if "[[" in body else "caption"
    if label is None or not (label.graded or boxed(body) or _in_quotation_marks(body)):
        return None
    if not (grammar.takes(form) and (grammar.allows(label) or label in grammar.labels_at_end)):
        return None
    others = [one.content for one in containers(answer)]
    others += [line for line in lines[-_TAIL:] if _COMPARES.search(line)]
    if any((read_label(other, names=names) or label)[:2] != label[:2] for other in others):
        return None
    start = answer.rindex(body)
    mark = Mark(start, start + len(body), label, form, said_from=start)
    quoted = bool(_in_quotation_marks(body))
    return mark if quoted or meant(answer, mark, copies) else None


_TAIL = 40
_COMPARES = re.compile(r"[<>=]")
_QUOTATION = re.compile(r"[\"“„](?P<inside>[^\"“”„]{3,300})[\"”“][ \t.。!*_]{0,6}")


def _in_quotation_marks(body: str) -> str:
    """What a line says that is a quotation as a whole; empty for any other line."""
    lead = CONNECTIVES.match(body)
    found = _QUOTATION.fullmatch(body, lead.end() if lead else 0)
    return found["inside"] if found else ""


def _closing_quotation(value: str, names: Names) -> Label | None:
    """The verdict of a sentence that announces one, as the whole of a quotation."""
    for one in containers(value):
        label = worded(one, names)
        rest = value[one.end :].strip(" .*_")
        if label and not rest and announces(value[: one.start], label, names=names):
            return label
    said = caption_value(value)
    return read_label(said.strip("*_ \t."), names=names) if said else None
