"""The reward of one completion: is its verdict right, and are its reasons the human's.

    R_final = R_rationale x R_outcome        (arXiv 2602.04649, Eq. 4)

R_rationale is the average precision of the ordered reasons under one-to-one matching (Eq. 3),
R_outcome is 1 where the verdict equals the label, ties included. The functions are pure and use the
parser, the matching and the accuracy rule of the scan, so that training optimises what the gate
measures. A completion that does not have the strict form (one verdict, last, ended by the model)
earns 0: with a lenient form, policies learn to write on after the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rmaudit.checklists.schema import Item
from rmaudit.metrics.matching import average_precision, match
from rmaudit.metrics.outcome import is_correct
from rmaudit.models.profiles import generic_grammar
from rmaudit.parsing.parse import parse_with_form
from rmaudit.parsing.sides import DEFAULT_NAMES, Names, to_item
from rmaudit.recordings.recording import ShownOrder
from rmaudit.records import FinishReason, ModelReason

Arm = Literal["hybrid", "outcome", "rationale", "r-align"]
Matrix = tuple[tuple[float, ...], ...]

HIT = 0.5
"""From this score on a reason is a hit. The paper does not say from where; at 0.25, where the
metric `ap` starts, half-copied and vague reasons would earn as much as true ones."""
READ = 10
"""So many times the reasons that count are read, to log how long the lists get."""


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What a completion says, before any judge: reasons in item coordinates, cut at the cap.

    clean: the strict form. outcome: 1.0 or 0.0; an answer without a verdict is wrong.
    n_written: reasons before the cut.
    """

    clean: bool
    outcome: float
    reasons: tuple[ModelReason, ...]
    n_written: int


@dataclass(frozen=True, slots=True)
class Reward:
    """The reward and what it is made of; None is "not known", never 0.

    value: the reward in [0, 1]; None where the judge failed, so that the sample gives no gradient.
    needed: a judge's answer could change the reward. judge_failed: it was needed and did not come.
    ap, precision: of the reasons; None where the judge was not asked or failed.
    """

    value: float | None
    outcome: float
    clean: bool
    n_reasons: int
    ap: float | None = None
    precision: float | None = None
    needed: bool = False
    judge_failed: bool = False


def read_answer(
    text: str,
    item: Item,
    *,
    order: ShownOrder,
    finish_reason: FinishReason,
    max_reasons: int,
    names: Names = DEFAULT_NAMES,
) -> ReadAnswer:
    """Reads one completion, as the scan does.

    Args:
        text: the completion, special tokens stripped.
        item: the pair.
        order: in which order it was shown.
        finish_reason: `stop` where the model ended it, `length` where the limit cut it.
        max_reasons: so many reasons count, the first. Junk after the last hit leaves average
            precision as it is, so without a limit a list may grow without end.
        names: how the prompt named the responses.
    """
    shown = (item.response_a, item.response_b)
    parsed = parse_with_form(
        text,
        finish_reason=finish_reason,
        max_reasons=READ * max_reasons,
        responses=shown if order == "ab" else shown[::-1],
        names=names,
        grammar=generic_grammar(),
    )
    judgment = to_item(parsed.judgment, order=order, names=names)
    return ReadAnswer(
        clean=parsed.strict and finish_reason == "stop",
        outcome=float(is_correct(judgment.verdict, item.label)),
        reasons=judgment.reasons[:max_reasons],
        n_written=len(judgment.reasons),
    )


def wants_judge(answer: ReadAnswer, arm: Arm) -> bool:
    """Whether a judge's answer can change the reward; where not, no call is made."""
    if not answer.clean or not answer.reasons or arm == "outcome":
        return False
    return arm == "rationale" or answer.outcome > 0


def reward(
    answer: ReadAnswer,
    arm: Arm,
    matrix: Matrix | None,
    *,
    n_refs: int,
    meta: bool | None = None,
    hit: float = HIT,
) -> Reward:
    """The reward of an answer.

    Args:
        answer: the completion, read.
        arm: `hybrid` R_rationale x R_outcome; `outcome` and `rationale` one factor alone;
            `r-align` R_outcome x [the meta-judgment of the reasons is "correct"], our reading of
            R-Align (arXiv 2602.06763).
        matrix: the judge's, [n_refs, reasons]; None where it failed or was not asked.
        n_refs: number of references, at least 1.
        meta: the meta-judgment, for `r-align`; None where it failed or was not asked.
        hit: from this score on a reason is a hit.
    """
    needed = wants_judge(answer, arm)
    ap: float | None = None
    precision: float | None = None
    if not answer.reasons:
        ap = 0.0
    elif matrix is not None:
        ap, precision = rationale(matrix, n_refs=n_refs, n_reasons=len(answer.reasons), hit=hit)
    failed = needed and (meta if arm == "r-align" else matrix) is None
    factors = {
        "hybrid": answer.outcome * (ap or 0.0),
        "outcome": answer.outcome,
        "rationale": ap or 0.0,
        "r-align": answer.outcome * float(meta is True),
    }
    return Reward(
        value=None if failed else factors[arm] if answer.clean else 0.0,
        outcome=answer.outcome,
        clean=answer.clean,
        n_reasons=answer.n_written,
        ap=ap,
        precision=precision,
        needed=needed,
        judge_failed=failed,
    )


def rationale(
    matrix: Matrix, *, n_refs: int, n_reasons: int, hit: float = HIT
) -> tuple[float, float | None]:
    """(R_rationale, precision S/m) of a matrix; precision is None without reasons."""
    edges = match(matrix, n_refs=n_refs, n_reasons=n_reasons, tau=hit)
    ap = average_precision(edges, n_refs=n_refs, tau=hit)
    return ap, sum(edge.score for edge in edges) / n_reasons if n_reasons else None
