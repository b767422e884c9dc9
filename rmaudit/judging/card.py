"""Where judge cards lie, and what a run cites of them.

The same file says how well the labeller of the check knows its labels, and is kept for it as well.
The embedded judge's card ships with rmaudit. A card of any other judge is kept in the user's cache
folder under a hash of what decides the judge's answers, so that a scan finds it by its judge alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from rmaudit.embedded import CARD as SHIPPED
from rmaudit.judging.answer_cache import cache_folder
from rmaudit.judging.metajudge import Judge
from rmaudit.run.disk import write_atomic
from rmaudit.run.graders import CardSplit, CitedCard, JudgeFacts, LabelerFacts, LabelScore


class Described(Protocol):
    """A labeller, by what decides its answers and what a manifest says of it."""

    def identity(self) -> dict[str, Any]:
        """See `Judge.identity`."""
        ...

    def describe(self) -> dict[str, Any]:
        """See `Judge.describe`."""
        ...


def dump(card: Mapping[str, Any]) -> str:
    """The text of a card's file."""
    return json.dumps(card, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def keep(card: Mapping[str, Any]) -> None:
    """Puts a card where scans look for it; without a folder to write to, nowhere."""
    places = [_place(card["identity"])]
    if card.get("labels"):
        places.append(_place(card["labels"]["identity"]))
    with contextlib.suppress(OSError):
        for path in places:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomic(path, dump(card))


def judge_facts(judge: Judge) -> JudgeFacts:
    """What a manifest says of a judge."""
    return JudgeFacts(**judge.describe(), card=cited(judge))


def cited(judge: Judge) -> CitedCard | None:
    """What a manifest says about the check of its judge; None where there was none."""
    identity = judge.identity()
    for path in (_place(identity), SHIPPED):
        try:
            text = path.read_text(encoding="utf-8")
            card = json.loads(text)
            if card["identity"] == identity:
                return _summary(card, hashlib.sha256(text.encode()).hexdigest())
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return None


def labeler_facts(labeler: Described) -> LabelerFacts:
    """What a manifest says of a labeller."""
    known = label_scores(labeler)
    return LabelerFacts(**({} if known is None else {"measured": known}) | labeler.describe())


def label_scores(labeler: Described) -> dict[str, LabelScore] | None:
    """How a labeller did on unseen reasons when it was checked; None where it never was."""
    identity = labeler.identity()
    for path in (SHIPPED, _place(identity)):
        try:
            labels = json.loads(path.read_text(encoding="utf-8"))["labels"]
            if labels["identity"] == identity:
                return {name: LabelScore(**one) for name, one in labels["scores"].items()}
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return None


def _summary(card: Mapping[str, Any], sha256: str) -> CitedCard:
    return CitedCard(
        sha256=sha256,
        made=card["made"],
        ok=card["ok"],
        null_tests={kind: one["mean"] for kind, one in card["null_tests"].items()},
        missed=[kind for kind, one in card["null_tests"].items() if not one["ok"]],
        known_truth={
            name: CardSplit(
                precision=split["pairs"]["precision"],
                recall=split["pairs"]["recall"],
                r=split["rc"]["r"],
                bias=split["rc"]["bias"],
                ok=split["ok"],
            )
            for name, split in card["known_truth"].items()
        },
        **_qualification(card),
    )


def _qualification(card: Mapping[str, Any]) -> dict[str, Any]:
    """What ordinary items say; nothing of a judge that was not put to them."""
    written = card.get("written")
    if written is None:
        return {}
    overall = written["overall"]
    return {
        "written": CardSplit(
            precision=overall["precision"],
            recall=written["recall_failed_as_missed"],
            r=overall["r_items"],
            bias=overall["bias"],
            ok=bool(written["qualified"]),
        ),
        "qualified": card["qualified"],
    }


def _place(identity: Mapping[str, Any]) -> Path:
    text = json.dumps(identity, sort_keys=True)
    return cache_folder() / "judge-cards" / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
