"""`rmaudit scan`: run a model on checklist sets, measure, write a run directory."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rmaudit.cli.endpoint_options import AllowOtherModel, RequestDeadline
from rmaudit.cli.prompt_option import AskedPrompt
from rmaudit.cli.score_options import (
    LowerIsBetter,
    RolloutResponses,
    Rollouts,
    ScoredTokenizer,
    Sensitivity,
)
from rmaudit.cli.shard_option import ShardOption


class Orders(StrEnum):
    """In which orders a pair is shown."""

    both = "both"
    ab = "ab"


class View(StrEnum):
    """What the judge sees."""

    full = "full"
    lists = "lists"


class Verdicts(StrEnum):
    """Whose reading of recorded answers counts."""

    parsed = "parsed"
    recorded = "recorded"


class EngineName(StrEnum):
    """Who generates."""

    auto = "auto"
    vllm = "vllm"
    transformers = "transformers"
    openai = "openai"
    replay = "replay"


def scan(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="A checkpoint folder, openai:MODEL@BASE_URL[,BASE_URL], replay:FILE, or an "
            "endpoint that scores: classify:MODEL@URL, pooling:MODEL@URL (vLLM), "
            "sglang:MODEL@URL, get-reward:URL (OpenRLHF).",
        ),
    ],
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME|DIR|FILE|synth:SEED[:N[:FAMILY]]",
            help="Checklist set; repeatable. Default: the target's own items, else starter.",
        ),
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option("--family", help="Family of a synth: set; repeatable. Default: all."),
    ] = None,
    rollouts: Rollouts = None,
    rollout_responses: RolloutResponses = 4,
    out: Annotated[
        Path | None, typer.Option(help="Run directory. Default: runs/<target>-<utc>.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with --out, else with runs/latest.")
    ] = False,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Ask further questions for a measure: causality, verdict-consistency, "
            "specification, traps, or all; repeatable.",
        ),
    ] = None,
    sensitivity: Sensitivity = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="200 items and one order, unless told otherwise.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Both orders, and all measures that apply.")
    ] = False,
    limit: Annotated[int | None, typer.Option(help="Use this many items, drawn by --seed.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of item order, sampling and statistics.")] = 0,
    shard: ShardOption = None,
    orders: Annotated[
        Orders | None, typer.Option(help="Show each pair in both orders, or one. Default: both.")
    ] = None,
    samples: Annotated[int, typer.Option(help="Completions a prompt.")] = 1,
    max_reasons: Annotated[int, typer.Option(help="Reasons asked for and counted.")] = 5,
    verdicts: Annotated[
        Verdicts, typer.Option(help="Read recorded answers here, or take the recorded decisions.")
    ] = Verdicts.parsed,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME[:WHICH]",
            help="Format of replay:FILE, where its keys do not tell it, or WHICH model of several "
            "in it.",
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Who scores the reasons: truth, builtin, lexical, vllm:PATH, "
            "openai:MODEL[@BASE_URL], or replay:FILE, a matches.jsonl. "
            "Default: truth where all items record their facts (program-made sets), else builtin.",
        ),
    ] = None,
    labeler: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Who labels each reason with its category and flaws: as for --judge, replay:FILE "
            "being a flaws.jsonl. Default: the judge.",
        ),
    ] = None,
    judge_view: Annotated[
        View, typer.Option(help="The judge sees the whole item, or only the two lists.")
    ] = View.full,
    judge_max_tokens: Annotated[
        int, typer.Option(help="Room for a judge's answer, its thinking included.")
    ] = 2048,
    atomise: Annotated[
        bool,
        typer.Option(
            "--atomise", help="Let the judge's model split rationales in free text into reasons."
        ),
    ] = False,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Ask a judge again what it answered before.")
    ] = False,
    engine: Annotated[EngineName, typer.Option(help="Who generates.")] = EngineName.auto,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="How the model is prompted, sampled and read; see rmaudit profile list.",
        ),
    ] = None,
    prompt: AskedPrompt = None,
    rm_type: Annotated[
        str | None,
        typer.Option(
            help="What a checkpoint is, against what its files say: gen-pairwise, "
            "gen-pointwise (each response alone, the scores compared), scalar-seqcls, "
            "scalar-tokenhead or scalar-hf. Of openai: first-token, log-probabilities of the two "
            "labels that its prompt asks for."
        ),
    ] = None,
    lower_is_better: LowerIsBetter = None,
    tokenizer: ScoredTokenizer = None,
    no_probe: Annotated[
        bool,
        typer.Option(
            "--no-probe",
            help="Do not ask a checkpoint four obvious pairs before, nor an endpoint whether its "
            "scores are raw.",
        ),
    ] = False,
    temperature: Annotated[
        float | None, typer.Option(help="Overrides the profile; 0 is greedy.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Overrides the profile's answer budget.")
    ] = None,
    batch_size: Annotated[int, typer.Option(help="Prompts a batch (transformers).")] = 16,
    dtype: Annotated[str, typer.Option(help="auto, float32, bfloat16, float16.")] = "auto",
    max_model_len: Annotated[
        str, typer.Option(metavar="auto|N", help="Tokens of prompt and answer (vllm).")
    ] = "auto",
    gpu_memory_utilization: Annotated[
        float | None, typer.Option(help="Share of each device's memory (vllm). Default: 0.92.")
    ] = None,
    tensor_parallel: Annotated[
        int, typer.Option(metavar="N", help="Devices that share one model (vllm).")
    ] = 1,
    data_parallel: Annotated[
        int, typer.Option(metavar="N", help="Processes with a whole model each.")
    ] = 1,
    quantization: Annotated[
        str | None, typer.Option(help="Quantization method (vllm). Default: the checkpoint's.")
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="Decide on the run by a policy: exit 0, 3, 4 or 5.",
        ),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(metavar="RUN", help="What relative rules compare with.")
    ] = None,
    until_decided: Annotated[
        bool,
        typer.Option(
            "--until-decided", help="Stop once every rule is decided, at bounds that allow it."
        ),
    ] = False,
    max_calls: Annotated[
        int | None, typer.Option(help="Refuse to start above this many model calls.")
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave bad lines of a set out, and count them.")
    ] = False,
    target_key_env: Annotated[
        str, typer.Option(metavar="NAME", help="Environment variable of an endpoint's key.")
    ] = "OPENAI_API_KEY",
    judge_key_env: Annotated[
        str, typer.Option(metavar="NAME", help="The same for a judge at an endpoint.")
    ] = "OPENAI_API_KEY",
    concurrency: Annotated[int, typer.Option(help="Requests in flight at an endpoint.")] = 32,
    request_timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="How long one try of a request may take.")
    ] = 600.0,
    request_retries: Annotated[
        int, typer.Option(help="How often a failed request is sent again.")
    ] = 6,
    request_deadline: RequestDeadline = None,
    allow_other_model: AllowOtherModel = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Start a costly scan without asking.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything, show the plan, load nothing.")
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="One line at the end.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Show every metric.")] = False,
) -> int:
    """Run a model on checklist sets, measure, write a run directory."""
    from rmaudit.cli.resume_command import naming_what_goes_on, resume_command
    from rmaudit.config import ScanConfig, preset
    from rmaudit.errors import EXIT_OK
    from rmaudit.gate.lint import load_applicable
    from rmaudit.gate.run import gate as decide_on
    from rmaudit.scan.cost import at_endpoint, estimate, refuse_over
    from rmaudit.scan.left import calls_left
    from rmaudit.scan.plan import make_plan
    from rmaudit.scan.remarks import remarks
    from rmaudit.scan.scan import scan as run_scan
    from rmaudit.terminal.ask import agree
    from rmaudit.terminal.screen import Screen
    from rmaudit.terminal.signals import interruptible

    screen = Screen(json_mode=json_, quiet=quiet, verbose=verbose)
    config = ScanConfig(
        target=target,
        sets=tuple(sets or ()),
        families=tuple(family or ()),
        rollouts=rollouts,
        sensitivity=sensitivity,
        rollout_responses=rollout_responses,
        out=out,
        resume=resume,
        seed=seed,
        **preset(
            quick=quick,
            full=full,
            limit=limit,
            orders=None if orders is None else orders.value,
            measures=measure or (),
        ),
        samples=samples,
        max_reasons=max_reasons,
        verdicts=verdicts.value,
        judge=judge,
        labeler=labeler,
        judge_view=judge_view.value,
        judge_max_tokens=judge_max_tokens,
        atomise=atomise,
        cache=not no_cache,
        engine=engine.value,
        profile=profile,
        prompt=prompt,
        recorded_format=format_,
        rm_type=rm_type,
        lower_is_better=bool(lower_is_better),
        tokenizer=tokenizer,
        probe=not no_probe,
        batch_size=batch_size,
        dtype=dtype,
        max_model_len=_length(max_model_len),
        gpu_memory_utilization=gpu_memory_utilization,
        tensor_parallel=tensor_parallel,
        data_parallel=data_parallel,
        quantization=quantization,
        verbose=verbose,
        temperature=temperature,
        max_tokens=max_tokens,
        policy=policy,
        baseline=baseline,
        until_decided=until_decided,
        shard=shard,
        max_calls=max_calls,
        skip_bad=skip_bad,
        target_key_env=target_key_env,
        judge_key_env=judge_key_env,
        concurrency=concurrency,
        request_timeout=request_timeout,
        request_retries=request_retries,
        request_deadline=request_deadline,
        allow_other_model=bool(allow_other_model),
    )
    plan = make_plan(config)
    refuse_over(plan)
    screen.plan(plan)
    if dry_run:
        return EXIT_OK
    if not yes and at_endpoint(plan):
        agree(calls_left(plan), estimate(plan))
    decision = None
    with naming_what_goes_on(plan.out):
        with interruptible(resume_command(plan.out)):
            scanned = run_scan(plan, screen.progress())
        if policy is not None:
            decision = decide_on(scanned.run, load_applicable(policy), baseline=baseline)
    screen.summary(scanned, decision)
    for remark in remarks(plan, scanned):
        screen.warn(remark)
    return EXIT_OK if decision is None else decision.exit_code


def _length(text: str) -> int | None:
    """`auto` or a number of tokens."""
    if text == "auto":
        return None
    if not text.isascii() or not text.isdigit():
        raise typer.BadParameter(f"'{text}' is neither auto nor a whole number")
    return int(text)
