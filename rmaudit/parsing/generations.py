"""From a completion to its judgment: what the server said of it first, its text then."""

from __future__ import annotations

from rmaudit.parsing.parse import parse_pairwise
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
) -> Judgment:
    """The judgment that a completion states, as shown; see `parse.parse_pairwise`."""
    if generation.unanswered is not None:
        return Judgment(None, generation.unanswered)
    server = generation.server
    if server is not None and server.kind in _BY_KIND:
        return Judgment(None, _BY_KIND[server.kind], flags=("no_reasons",))
    return parse_pairwise(
        generation.text,
        finish_reason=generation.finish_reason,
        max_reasons=max_reasons,
        responses=responses,
        names=names,
    )
