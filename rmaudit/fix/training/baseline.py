"""The baseline pass: what the policy answers before training, to leave out what teaches nothing.

A prompt without any right answer of the strict form among its samples earns only zeros, so its
group has no gradient and dilutes the others'. All arms leave out the same prompts, to be
comparable. The answers come from the project's own engine, in the sampling of training; they are
kept, so that a stopped pass goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rmaudit.engines.base import Engine, Sampling
from rmaudit.errors import InputError
from rmaudit.fix.reward.reward import read_answer
from rmaudit.fix.training.prompt_tokens import Encoded, request
from rmaudit.models.profiles import Profile
from rmaudit.progress import Progress
from rmaudit.recordings.recording import ORDERS, ShownOrder
from rmaudit.records import Generation
from rmaudit.run.directory import RunDir
from rmaudit.run.files import RowFile
from rmaudit.run.lines import GenerationLine

ANSWERS: RowFile[Generation] = RowFile("baseline.jsonl", GenerationLine)
STAGE = "answer"
LEAST_PROMPTS = 8
"""Fewer prompts than this are no train set."""

Place = tuple[str, ShownOrder]


class Passed(NamedTuple):
    """How often a prompt was answered rightly."""

    right: int
    samples: int


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the pass found.

    kept: prompts with a right answer. never: how many had none. always: how many were right in
    every sample; they train, since their reasons may still differ. accuracy: over all samples.
    """

    kept: tuple[Encoded, ...]
    never: int
    always: int
    accuracy: float


def baseline_pass(
    prompts: Sequence[Encoded],
    engine: Engine,
    folder: RunDir,
    *,
    samples: int,
    sampling: Sampling,
    profile: Profile,
    max_reasons: int,
    seed: int,
    progress: Progress,
) -> Baseline:
    """Answers every prompt `samples` times and drops those that are never answered rightly.

    Args:
        prompts: of training.
        engine: runs the checkpoint.
        folder: of the repair; holds the answers.
        samples: answers a prompt.
        sampling: as in training.
        profile: how the pairs are asked about.
        max_reasons: reasons asked for.
        seed: of the answers.
        progress: told of each answer.

    Raises:
        InputError: too few prompts are left.
    """
    items = {one.prompted.item.id: one.prompted.item for one in prompts}
    found: dict[Place, list[bool]] = {
        (one.prompted.item.id, one.prompted.order): [] for one in prompts
    }

    def count(generation: Generation) -> None:
        item, order = items[generation.key.item], ORDERS[generation.key.order == "ba"]
        answer = read_answer(
            generation.text,
            item,
            order=order,
            finish_reason=generation.finish_reason,
            max_reasons=max_reasons,
        )
        found[item.id, order].append(answer.clean and answer.outcome > 0)

    asked = [
        request(one.prompted, profile=profile, max_reasons=max_reasons, sample=sample, seed=seed)
        for one in prompts
        for sample in range(samples)
    ]
    with folder.append(ANSWERS) as rows:
        done = set()
        for generation in folder.rows(ANSWERS):
            done.add(generation.key)
            count(generation)
        missing = [one for one in asked if one.key not in done]
        progress.begin(STAGE, total=len(asked), done=len(done))
        for generation in engine.complete(missing, sampling):
            rows.write(generation)
            count(generation)
            progress.step(STAGE)
    progress.end(STAGE)
    return chosen(prompts, {place: Passed(sum(r), len(r)) for place, r in found.items()})


def chosen(prompts: Sequence[Encoded], passed: dict[Place, Passed]) -> Baseline:
    """The prompts that can teach something.

    Raises:
        InputError: too few are left.
    """
    kept = [one for one in prompts if passed[one.prompted.item.id, one.prompted.order].right]
    right, samples = (sum(one[part] for one in passed.values()) for part in (0, 1))
    if len(kept) < min(LEAST_PROMPTS, len(prompts)) or not kept:
        raise InputError(
            f"only {len(kept)} of {len(prompts)} prompts have a right answer among their samples: "
            "there is next to nothing to reward",
            "train on an easier set, raise --samples, or check with rmaudit scan that the "
            "checkpoint answers in a readable form",
        )
    return Baseline(
        kept=tuple(kept),
        never=len(prompts) - len(kept),
        always=sum(one.right == one.samples > 0 for one in passed.values()),
        accuracy=right / samples if samples else 0.0,
    )
