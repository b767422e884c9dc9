"""The model card of a repaired checkpoint: what was done, and the audit before and after."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from rmaudit.compare.words import label, points, sized, span
from rmaudit.metrics.formats import show
from rmaudit.metrics.registry import shown_in
from rmaudit.models.families import TRAINED_AS
from rmaudit.models.profiles import Profile


def card(fixed: Mapping[str, Any], profile: Profile) -> str:
    """README.md of the new checkpoint, from what fix.json holds, and how it was asked."""
    return (
        "\n".join([*_head(fixed, profile), *_audit(fixed), *_training(fixed), *_limits(fixed)])
        + "\n"
    )


def _head(fixed: Mapping[str, Any], profile: Profile) -> Iterable[str]:
    name = fixed["checkpoint"]["name"]
    yield "---"
    yield f"base_model: {json.dumps(name)}"
    yield "tags: [reward-model, rmaudit]"
    yield f"{TRAINED_AS}: {json.dumps(profile.name)}"
    yield "---"
    yield ""
    yield f"# {_plain(name)}, reasons trained"
    yield ""
    yield (
        f"`{_plain(name)}` after GRPO on the reward `{fixed['arm']}` by `rmaudit fix` "
        f"{fixed['tool_version']}. Weights changed, nothing else: tokenizer, chat template and "
        "configuration are those of the base."
    )
    if profile.messages:
        yield ""
        yield (
            "It was asked by a prompt of the user's own, and has to be audited by that one "
            f"(`--prompt FILE`): SHA-256 {profile.template.sha256}."
        )
    if fixed["checkpoint"]["planted"]:
        yield ""
        yield "The base was made to show a defect (planted); neither is for use."
    yield ""


def _audit(fixed: Mapping[str, Any]) -> Iterable[str]:
    metrics = fixed["comparison"]["metrics"]
    recall = fixed["comparison"].get("judge_recall", [])
    judge = fixed["eval_judge"] + (
        ", which also judged training" if fixed["same_judge"] else ", not the judge of training"
    )
    yield "## Audit"
    yield ""
    yield f"**{_plain(fixed['sentence'])}**"
    yield ""
    yield (
        f"Evaluation set: {_plain(fixed['eval']['name'])}, {fixed['eval']['items']} items, none of "
        f"them in training. Judge of the reasons: {_plain(judge)}. Intervals are 95%, paired."
    )
    yield ""
    yield "| | before | after | change | 95% interval |"
    yield "|---|---|---|---|---|"
    for name in shown_in("repair_card"):
        one = metrics.get(name)
        if one is None or one["first"] is None or one["second"] is None:
            continue
        interval = "" if one["low"] is None else span(name, (one["low"], one["high"]))
        change = "" if one["difference"] is None else points(name, one["difference"])
        text = sized(label(name, misses=bool(recall)), one["of_sizes"])
        first, second = show(name, one["first"]), show(name, one["second"])
        yield f"| {text} | {first} | {second} | {change} | {interval} |"
    yield ""
    yield from (f"- {_plain(told)}" for told in recall)
    for decision in fixed["decisions"]:
        yield f"- policy `{decision['policy']}`: {_plain(decision['sentence'])}"
    yield ""


def _training(fixed: Mapping[str, Any]) -> Iterable[str]:
    training = fixed["training"]
    yield "## Training"
    yield ""
    yield (
        f"{_plain(', '.join(fixed['train']['sets']))}: {training['prompts']} prompts, "
        f"{training['step']} optimizer steps, checkpoint of step {training['chosen_step']}; judge "
        f"{_plain(fixed['judge'])}."
    )
    if training["stopped"]:
        yield f"Stopped early: {_plain(training['stopped'])}."
    yield ""
    yield "| setting | here | published | |"
    yield "|---|---|---|---|"
    for line in fixed["table"]:
        cells = (line["name"], line["value"], line["published"], line["note"])
        yield f"| {' | '.join(_plain(cell) for cell in cells)} |"
    yield ""


def _limits(fixed: Mapping[str, Any]) -> Iterable[str]:
    yield "## Limits"
    yield ""
    yield (
        "Measured on the sets above only. A reward on reasons can be learned without the reasons: "
        "before training, answers made without reading earned:"
    )
    yield ""
    for one in fixed["attacks"]:
        earned = "not known" if one["reward"] is None else f"{one['reward']:.3f}"
        yield f"- {one['name']}: {earned}"


def _plain(text: str) -> str:
    """One line without characters that mean something in Markdown."""
    return " ".join(str(text).replace("|", "/").replace("`", "'").replace("<", "‹").split())
