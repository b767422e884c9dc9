"""From a completion to its judgment: what the server said of it first, its text then."""

from __future__ import annotations

from rmaudit.parsing.grammar import RECORDED, Grammar
from rmaudit.parsing.parse import Parsed, parse_with_form
from rmaudit.parsing.sides import DEFAULT_NAMES, Names
from rmaudit.records import Generation, Judgment, Outcome

_BY_KIND: dict[str, Outcome] = {
    "refusal": "refused",
    "tool_calls": "unparsed",
    "draft": "truncated",
}
"""What is no answer to be read, whatever its text looks like."""


def judge_generation(
    generation: Generation,
    *,
    max_reasons: int,
    responses: tuple[str, str] = ("", ""),
    names: Names = DEFAULT_NAMES,
    grammar: Grammar = RECORDED,
) -> Judgment:
    """The judgment that a completion states, as shown; see `parse.parse_pairwise`."""
    return read_generation(
        generation, max_reasons=max_reasons, responses=responses, names=names, grammar=grammar
    ).judgment


def read_generation(
    generation: Generation,
    *,
    max_reasons: int,
    responses: tuple[str, str] = ("", ""),
    names: Names = DEFAULT_NAMES,
    grammar: Grammar = RECORDED,
) -> Parsed:
    """The same with the form that it was read in; see `parse.parse_with_form`."""
    if generation.unanswered is not None:
        return Parsed(Judgment(None, generation.unanswered), False, None, False)
    server = generation.server
    if server is not None and server.kind in _BY_KIND:
        judgment = Judgment(None, _BY_KIND[server.kind], flags=("no_reasons",))
        return Parsed(judgment, False, None, False)
    return parse_with_form(
        generation.text,
        finish_reason=generation.finish_reason,
        max_reasons=max_reasons,
        responses=responses,
        names=names,
        grammar=grammar,
    )
