"""`rmaudit fix`: train a reward model for right verdicts with right reasons, then scan it again."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rmaudit.cli.endpoint_options import AllowOtherModel, RequestDeadline
from rmaudit.cli.prompt_option import AskedPrompt

OWN = ("config", "dry_run", "yes", "json_", "quiet")
"""Options of the command itself; all others may stand in the file of --config."""
SMALLER = "--steps makes it shorter"


class ArmName(StrEnum):
    """What is rewarded; `prompt` trains nothing."""

    hybrid = "hybrid"
    outcome = "outcome"
    rationale = "rationale"
    r_align = "r-align"
    prompt = "prompt"


class TrainerName(StrEnum):
    """Who trains in place of this program."""

    verl = "verl"
    openrlhf = "openrlhf"


class FailureName(StrEnum):
    """What an exported reward does when its judge fails."""

    raise_ = "raise"
    zero = "zero"


def fix(
    target: Annotated[
        str,
        typer.Argument(
            metavar="RUN|CKPT",
            help="A run of rmaudit scan, a checkpoint folder, or with --arm prompt an endpoint.",
        ),
    ],
    train: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SET", help="A set with reasons: name, folder, file or synth:SEED; repeatable."
        ),
    ] = None,
    dev: Annotated[
        str | None,
        typer.Option(metavar="SET", help="Chooses the checkpoint. Default: 10 % of --train."),
    ] = None,
    eval_: Annotated[
        str | None,
        typer.Option(
            "--eval", metavar="SET", help="Measures the result, once. Default: the items of RUN."
        ),
    ] = None,
    also: Annotated[
        list[str] | None,
        typer.Option(metavar="SET", help="An outside set, scanned before and after; repeatable."),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="What the result must meet, beside `repair`."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the repair. Default: runs/fix-<name>-<utc>.")
    ] = None,
    resume: Annotated[
        bool | None, typer.Option("--resume", help="Go on in --out where it stopped.")
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Judge of training. Default: builtin, no model."),
    ] = None,
    eval_judge: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC", help="Judge of the result. Default: known truth, or another judge."
        ),
    ] = None,
    arm: Annotated[
        ArmName | None,
        typer.Option(help="What is rewarded, or prompt: no training. Default: hybrid."),
    ] = None,
    hit: Annotated[
        float | None, typer.Option(help="Score from which a reason is a hit. Default: 0.5.")
    ] = None,
    monitor_rationale: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Samples judged for the log only. Default: 0.1."),
    ] = None,
    lora: Annotated[
        bool | None, typer.Option("--lora", help="Train adapters; they are merged at the end.")
    ] = None,
    lora_rank: Annotated[int | None, typer.Option(help="Rank of the adapters.")] = None,
    lr: Annotated[
        float | None, typer.Option(help="Learning rate. Default: 2e-6, with --lora 2e-5.")
    ] = None,
    prompts: Annotated[int | None, typer.Option(help="Prompts a rollout. Default: 256.")] = None,
    samples: Annotated[int | None, typer.Option(help="Answers a prompt. Default: 8.")] = None,
    max_new_tokens: Annotated[
        int | None, typer.Option(help="Tokens of an answer. Default: as the scan allows.")
    ] = None,
    clip: Annotated[float | None, typer.Option(help="Default: 2e-4.")] = None,
    epochs: Annotated[float | None, typer.Option(help="Default: 2.")] = None,
    steps: Annotated[int | None, typer.Option(help="Optimizer steps, in place of epochs.")] = None,
    beta: Annotated[float | None, typer.Option(help="Weight of the KL term. Default: 0.")] = None,
    per_device: Annotated[
        int | None, typer.Option(help="Answers of one pass. Default: by memory.")
    ] = None,
    dev_every: Annotated[
        int | None, typer.Option(help="Steps between two looks at --dev, each with a checkpoint.")
    ] = None,
    dev_items: Annotated[
        int | None, typer.Option(help="Items of --dev that are looked at. Default: 100.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Of split, order and sampling.")] = None,
    profile: Annotated[str | None, typer.Option(help="Prompt profile: a name or file.")] = None,
    prompt: AskedPrompt = None,
    max_reasons: Annotated[
        int | None, typer.Option(help="Reasons asked for and counted. Default: as in RUN, or 5.")
    ] = None,
    batch_size: Annotated[
        int | None, typer.Option(help="Prompts a batch outside of training.")
    ] = None,
    report_to: Annotated[
        list[str] | None,
        typer.Option(metavar="LOGGER", help="tensorboard, trackio or wandb; repeatable."),
    ] = None,
    judge_view: Annotated[str | None, typer.Option(help="full, or lists.")] = None,
    judge_max_tokens: Annotated[int | None, typer.Option(help="Room for a judge's answer.")] = None,
    judge_key_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="Environment variable of a judge's key.")
    ] = None,
    target_key_env: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Environment variable of the key of an endpoint."),
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(help="Judge calls in flight at an endpoint. Default: 128.")
    ] = None,
    request_timeout: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="How long one try of a call may take.")
    ] = None,
    request_retries: Annotated[
        int | None, typer.Option(help="How often a failed judge call is sent again.")
    ] = None,
    request_deadline: RequestDeadline = None,
    allow_other_model: AllowOtherModel = None,
    max_calls: Annotated[
        int | None, typer.Option(help="Refuse to start above this many judge calls.")
    ] = None,
    skip_bad: Annotated[
        bool | None, typer.Option("--skip-bad", help="Leave bad lines of a set out, and count.")
    ] = None,
    launch: Annotated[
        str | None,
        typer.Option(
            metavar="accelerate:CONFIG",
            help="Train in the processes that accelerate launch starts with this file.",
        ),
    ] = None,
    export: Annotated[
        TrainerName | None,
        typer.Option(help="Train nothing here: write data, reward and launch script to --out."),
    ] = None,
    on_judge_failure: Annotated[
        FailureName | None,
        typer.Option(help="Of an exported reward: raise, or zero. Default: raise."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TOML with any of these options.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything, show the settings, load nothing.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Start a costly training without asking.")
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print fix.json at the end.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="One line at the end.")] = False,
) -> int:
    """Train a generative reward model on verdicts and reasons, and prove what became of it.

    Exit code 0 repaired, 3 not, 4 undecided, 5 no valid evidence.
    """
    given = {name.rstrip("_"): value for name, value in locals().items() if name not in OWN}
    from rmaudit.cli.resume_command import naming_what_goes_on, resume_command
    from rmaudit.fix.options import read_options
    from rmaudit.fix.plan import make_plan
    from rmaudit.fix.run import run
    from rmaudit.terminal.ask import agree
    from rmaudit.terminal.fix import FixScreen
    from rmaudit.terminal.signals import interruptible

    options = read_options(given, config)
    screen = FixScreen(json_mode=json_, quiet=quiet)
    if options.export is not None:
        from rmaudit.errors import InputError
        from rmaudit.fix.export.ask import export_options

        if dry_run:
            raise InputError("--dry-run has no meaning with --export", "leave it out")
        screen.exported(export_options(options))
        return 0
    if options.arm == "prompt":
        from rmaudit.fix.prompt_arm import plan as prompt_plan
        from rmaudit.fix.prompt_arm import run as prompt_arm

        asked = prompt_plan.make_plan(options)
        screen.prompt_plan(asked)
        if dry_run:
            return 0
        if not yes:
            agree(asked.calls, f"Up to {asked.calls:,} model calls", smaller=SMALLER)
        with naming_what_goes_on(asked.out), interruptible(resume_command(asked.out)):
            return prompt_arm.run(asked, screen)
    if options.launch is not None:
        from rmaudit.fix.launch.parent import follow
        from rmaudit.fix.training.processes import read_launch

        if (launched := read_launch(options.launch)).rank:
            return follow(options, launched)
    plan = make_plan(options)
    screen.plan(plan)
    if dry_run:
        return 0
    if not yes:
        agree(plan.judge_calls, f"Up to {plan.judge_calls:,} judge calls", smaller=SMALLER)
    with naming_what_goes_on(plan.out), interruptible(resume_command(plan.out)):
        return run(plan, screen)
