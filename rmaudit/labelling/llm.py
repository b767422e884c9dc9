"""A language model as labeller: one call an answer gives the labels of all its reasons."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from typing import Any

from rmaudit.judging.asker import Asker, Question, Read, Reply
from rmaudit.judging.metajudge_prompt import View
from rmaudit.labelling.answer import Labelled, read_labels
from rmaudit.labelling.prompt import gold_text, label_prompt, label_schema, templates
from rmaudit.labelling.protocol import LabelAnswer, LabelerTraits, LabelRequest
from rmaudit.records import LabelSet, Tested
from rmaudit.taxonomy import TESTED

Asked = Question[LabelRequest, Labelled] | Reply[LabelRequest, Labelled]


class LlmLabeler:
    """Labels reasons by asking a model."""

    def __init__(self, asker: Asker, *, view: View) -> None:
        """A labeller that sees what `view` says, `full` or `lists`; nothing is called yet."""
        self.asker, self.view = asker, view
        self.templates = templates()
        self.traits = LabelerTraits(frozenset(TESTED), asker.at_endpoint, calls=True)
        self.neutralised = 0

    def label(self, requests: Iterable[LabelRequest]) -> Generator[LabelAnswer, None, None]:
        """See the protocol; answers that need no call come at once, repeated calls at the end."""
        with closing(self.asker.ask(map(self.question, requests))) as replies:
            for reply in replies:
                yield self.answer(reply)

    def question(self, request: LabelRequest) -> Asked:
        """What to ask for a request; nothing where there is no reason to label.

        Without a reason the ground of a gold judgment is not given either.
        """
        gold, count = gold_text(request.item) is not None, len(request.reasons)
        if not count:
            return Reply(request, Labelled((), "incorrect" if gold else None))
        prompt = label_prompt(request.item, request.reasons, view=self.view)
        self.neutralised += prompt.neutralised

        def read(text: str) -> Read[Labelled]:
            return Read(read_labels(text, n_reasons=count, gold=gold))

        return Question(request, prompt, label_schema(count, gold=gold), read)

    def answer(self, reply: Reply[LabelRequest, Labelled]) -> LabelAnswer:
        """The labeller's answer that a reply makes."""
        found = reply.value or Labelled((), None)
        asked = _tested(reply.request)
        labels = LabelSet(found.labels, asked, found.gold, reply.raw, reply.failure)
        return LabelAnswer(reply.request.key, labels, reply.use)

    def identity(self) -> dict[str, Any]:
        """Model and prompt; what it sees is the judge's view."""
        return {
            "labeler": self.asker.spec,
            "labeler_digest": self.asker.digest,
            "labeler_prompt": "/".join(template.sha256 for template in self.templates),
        }

    def describe(self) -> dict[str, Any]:
        """What the manifest records; what the engine knows only later is there after the work."""
        return {
            **self.asker.describe(),
            "tests": list(TESTED),
            "prompts": {template.name: template.sha256 for template in self.templates},
            "neutralised_delimiters": self.neutralised,
        }

    def close(self) -> None:
        """Frees the engine."""
        self.asker.close()


def _tested(request: LabelRequest) -> tuple[Tested, ...]:
    gold = gold_text(request.item) is not None
    return tuple(name for name in TESTED if name != "gold" or gold)
