"""`scan --rollouts FILE`: the answers of a policy in the place of a set."""

from __future__ import annotations

from rmaudit.checklists.load import ChecklistSet
from rmaudit.checklists.rollouts import Rollouts, read_rollouts, rollout_set
from rmaudit.config import ScanConfig
from rmaudit.errors import InputError
from rmaudit.scan.target import Target


def rollouts_of(config: ScanConfig) -> Rollouts | None:
    """What the file holds; None where none was given.

    Raises:
        InputError: a set was named too, or a line is bad.
    """
    if config.rollouts is None:
        return None
    if config.sets or config.families:
        raise InputError(
            "--rollouts and --set at once", "scan twice: the answers of a policy stand for a set"
        )
    return read_rollouts(config.rollouts, skip_bad=config.skip_bad)


def rollout_sets(
    rollouts: Rollouts, config: ScanConfig, target: Target
) -> tuple[ChecklistSet, ...]:
    """The pairs that the target is asked about, as a set.

    Raises:
        InputError: the target is recorded, so that it cannot be asked.
    """
    if target.recording is not None and target.recording.items is not None:
        raise InputError(
            f"{target.spec} brings its own items, and --rollouts others", "leave --rollouts out"
        )
    most = None if target.scorer is not None else config.rollout_responses
    return (rollout_set(rollouts, limit=config.limit, seed=config.seed, most=most),)


def not_compared(rollouts: Rollouts | None, config: ScanConfig, target: Target) -> tuple[str, ...]:
    """That some answers are not shown to a model that compares pairs; nothing where all are."""
    if rollouts is None or target.scorer is not None:
        return ()
    texts = [len({text.strip() for text in one.rollout.responses}) for one in rollouts.placed]
    left = sum(max(count - config.rollout_responses, 0) for count in texts)
    if not left:
        return ()
    return (
        f"{left:,} of {sum(texts):,} different answers are not compared: at most "
        f"{config.rollout_responses} of a prompt are (--rollout-responses)",
    )
