"""A language model as MetaJudge: one call a request gives the full matrix of non-zero pairs."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from typing import Any

from rmaudit.judging.asker import Asker, Question, Read, Reply
from rmaudit.judging.metajudge import JudgeAnswer, JudgeRequest, JudgeTraits
from rmaudit.judging.metajudge_answer import JudgedMatrix, read_matrix
from rmaudit.judging.metajudge_prompt import (
    View,
    match_prompt,
    match_schema,
    sided_references,
    templates,
)

CHANCE_ITEMS = 200
NULL_ITEMS = 100

Asked = Question[JudgeRequest, JudgedMatrix] | Reply[JudgeRequest, JudgedMatrix]


class LlmJudge:
    """Scores reasons by asking a model."""

    def __init__(self, asker: Asker, *, view: View) -> None:
        """A judge that sees what `view` says, `full` or `lists`; nothing is called yet."""
        self.asker, self.view = asker, view
        self.templates = templates()
        self.traits = JudgeTraits(
            at_endpoint=asker.at_endpoint,
            calls=True,
            chance_items=CHANCE_ITEMS,
            null_items=NULL_ITEMS,
            claims=view == "full",
        )
        self.neutralised = 0

    def judge(self, requests: Iterable[JudgeRequest]) -> Generator[JudgeAnswer, None, None]:
        """See the protocol; answers that need no call come at once, repeated calls at the end."""
        with closing(self.asker.ask(map(self.question, requests))) as replies:
            for reply in replies:
                yield self.answer(reply)

    def question(self, request: JudgeRequest) -> Asked:
        """What to ask for a request; nothing where there is no reason to score."""
        references, reasons = sided_references(request.references), request.reasons
        if request.nothing is not None:
            return Reply(request, JudgedMatrix(request.nothing, 0))
        claims = self._decides_claims(request)
        prompt = match_prompt(request.item, references, reasons, view=self.view, claims=claims)
        self.neutralised += prompt.neutralised
        shape = len(references), len(reasons)

        def read(text: str) -> Read[JudgedMatrix]:
            found = read_matrix(text, n_refs=shape[0], n_reasons=shape[1])
            return Read(found, found.snapped)

        return Question(request, prompt, match_schema(*shape, claims=claims), read)

    def _decides_claims(self, request: JudgeRequest) -> bool:
        """Whether it is asked if the reasons are true: of a model's own ones, with their item."""
        return self.traits.claims and request.purpose == "match"

    def answer(self, reply: Reply[JudgeRequest, JudgedMatrix]) -> JudgeAnswer:
        """The judge's answer that a reply makes."""
        request = reply.request
        found = reply.value or JudgedMatrix((), 0)
        return JudgeAnswer(
            request.key,
            request.purpose,
            found.matrix,
            reply.raw,
            reply.failure,
            reply.use,
            found.claims if self._decides_claims(request) else None,
        )

    def identity(self) -> dict[str, Any]:
        """Model, view and prompt."""
        return {
            "judge": self.asker.spec,
            "judge_view": self.view,
            "judge_digest": self.asker.digest,
            "judge_prompt": "/".join(template.sha256 for template in self.templates),
            "judge_max_tokens": self.asker.samplings[0].max_tokens,
        }

    def describe(self) -> dict[str, Any]:
        """What the manifest records; what the engine knows only later is there after the work."""
        return {
            **self.asker.describe(),
            "view": self.view,
            "prompts": {template.name: template.sha256 for template in self.templates},
            "chance_items": CHANCE_ITEMS,
            "neutralised_delimiters": self.neutralised,
        }

    def close(self) -> None:
        """Frees the engine."""
        self.asker.close()
