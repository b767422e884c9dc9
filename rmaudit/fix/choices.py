"""The choices of a repair that the user can leave open, and what is refused before it starts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from rmaudit import embedded
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.engines.endpoints import PREFIX as ENDPOINT
from rmaudit.engines.endpoints import without_credentials
from rmaudit.errors import InputError, MissingPackageError
from rmaudit.fix.options import Options
from rmaudit.fix.source import Audited
from rmaudit.fix.training.machine import Machine
from rmaudit.fix.training.processes import Launch, read_launch
from rmaudit.gate.policy import Policy
from rmaudit.judging.card import cited
from rmaudit.judging.metajudge import Judge
from rmaudit.labelling.protocol import Labeler
from rmaudit.run.disk import TEMPORARY
from rmaudit.run.graders import NOT_QUALIFIED
from rmaudit.run.lock import LOCK
from rmaudit.scan.judge import REPLAY, make_judge, make_labeler
from rmaudit.scan.plan import RUNS
from rmaudit.truth import score as truth
from rmaudit.versions import installed


@dataclass(frozen=True, slots=True)
class EvalSet:
    """What the result is measured on, once: as scan names it, and its items."""

    spec: str
    items: tuple[Item, ...]


def check_packages(options: Options) -> None:
    """Refuses to go on without the packages of the extra `fix`."""
    packages = ("torch", "transformers", "accelerate", "trl", "datasets")
    for package in (*packages, *(("peft",) if options.lora else ())):
        if find_spec(package) is None:
            raise MissingPackageError("rmaudit fix", package, "fix")
    for logger in options.report_to:
        if find_spec(logger) is None:
            raise InputError(
                f"--report-to {logger}: {logger} is not installed", f"pip install {logger}"
            )


def launch_of(options: Options) -> Launch | None:
    """The launcher's file, if one is named; None where this process trains alone."""
    if options.launch is None:
        return None
    found = read_launch(options.launch)
    if found.deepspeed and find_spec("deepspeed") is None:
        raise InputError(f"{found.config} needs deepspeed", "pip install deepspeed")
    for spec in (options.judge, options.eval_judge or ""):
        if ":" in spec and not spec.startswith(ENDPOINT):
            raise InputError(
                f"the judge {spec} would be loaded by each of {found.processes} processes",
                "serve the model, and give openai:MODEL@URL",
            )
    return found


def eval_set(options: Options, source: Audited) -> EvalSet:
    """What the result is measured on: as asked, else the items of the audit."""
    if options.eval is not None:
        found = EvalSet(options.eval, load_set(options.eval, skip_bad=options.skip_bad).items)
    elif source.run is not None:
        found = EvalSet(str(source.run.path / "checklist"), source.audited)
    else:
        raise InputError(
            "a model has no audited set, so what would be measured after is not known",
            "give --eval SET, or name a run of rmaudit scan instead",
        )
    if not any(item.reasons for item in found.items):
        raise InputError(
            "no item of the evaluation set has reasons: a repair could not be seen",
            "give --eval a set with reasons",
        )
    return found


def training_judge(options: Options, train: Sequence[Item]) -> Judge:
    """The judge of training; it must be able to score new reasons."""
    if options.judge.startswith(REPLAY):
        raise InputError(
            "a replay judge knows no reasons but the recorded ones", "give --judge a live judge"
        )
    if options.judge == truth.NAME and not _all_known(train):
        raise InputError(truth.UNKNOWN, "give --judge another judge, or train on synth:SEED")
    return make_judge(options.judging(options.judge))


def meta_judge(options: Options, judge: Judge) -> Labeler | None:
    """Who gives the meta-judgment that the arm `r-align` rewards; None for other arms."""
    if options.arm != "r-align":
        return None
    labeler = make_labeler(options.judging(options.judge), judge)
    if "gold" not in labeler.traits.tests:
        raise InputError(
            f"--arm r-align needs a meta-judgment, which the judge {options.judge} cannot give",
            "give --judge a model: openai:MODEL@URL or vllm:PATH",
        )
    return labeler


def eval_judge(options: Options, source: Audited, items: Sequence[Item]) -> str:
    """Who judges the result: as asked, else known truth, else another judge than in training."""
    if options.eval_judge is not None:
        if options.eval_judge.startswith(REPLAY):
            raise InputError(
                "a replay judge knows no reasons but the recorded ones",
                "give --eval-judge a live judge",
            )
        make_judge(options.judging(options.eval_judge))
        return options.eval_judge
    manifest = source.manifest
    audited = embedded.NAME if manifest is None else manifest.judge.spec
    choices = [truth.NAME] if _all_known(items) else []
    choices += [audited] if not audited.startswith(REPLAY) and audited != truth.NAME else []
    choices += [embedded.NAME]
    return next((one for one in choices if one != options.judge), options.judge)


def _all_known(items: Iterable[Item]) -> bool:
    return all(truth.facts_of(item) for item in items if item.reasons)


def refuse_judge(eval_judge: str, policies: Sequence[Policy], options: Options) -> None:
    """Refuses a judge of the result with which no run can meet the policies.

    Raises:
        InputError: a policy allows neither the embedded judge nor one that is not qualified, and
            this is such a judge.
    """
    strict = [one.name for one in policies if not one.allow_builtin_judge]
    if eval_judge in (embedded.NAME, embedded.lexical.NAME) and strict:
        raise InputError(
            f"the policy {strict[0]} accepts no result of the {eval_judge} judge",
            "give --eval-judge: truth on program-made sets, openai:MODEL@URL or vllm:PATH",
        )
    card = cited(make_judge(options.judging(eval_judge))) if strict else None
    if card is not None and card.qualified is False:
        raise InputError(
            f"the policy {strict[0]} accepts no result of a judge that is {NOT_QUALIFIED}, as its "
            f"card says of {without_credentials(eval_judge)}",
            "give another --eval-judge, or see what it misses: rmaudit judge check",
        )


def cautions(
    options: Options, eval_judge: str, here: Machine, launch: Launch | None = None
) -> Iterable[str]:
    """What a user should know before the start."""
    for package in installed():
        matters = package.name in ("trl", "transformers", "torch") or (
            package.name == "vllm" and here.cuda
        )
        if matters and package.version is not None and not package.within:
            yield f"{package.name} {package.says}"
    if eval_judge == options.judge:
        yield (
            f"{without_credentials(eval_judge)} judges both training and the result; give "
            "--eval-judge another judge, or the policy is not met beyond doubt"
        )
    if launch is not None and launch.sharded:
        yield (
            "training with sharded weights (ZeRO-3, FSDP) was never run by the tests of this "
            "program: look at the first checkpoint before you rely on it"
        )
    if here.cuda and options.judge.startswith("vllm:"):
        yield "the judge shares the GPU with training; openai:MODEL@URL leaves it elsewhere"


def out_folder(options: Options) -> Path:
    """The folder of the repair: new, or one to go on with; and writable."""
    out = options.out
    if out is None and options.resume:
        raise InputError("--resume needs the folder to go on with", "give --out DIR")
    if out is None:
        name = re.sub(r"[^\w.]+", "-", Path(options.target).resolve().name).strip("-")
        out = RUNS / f"fix-{name}-{datetime.now(UTC).strftime('%Y%m%dT%H%M%SZ')}"
    taken = out.exists() and (not out.is_dir() or any(out.iterdir()))
    if taken and not options.resume and not only_begun(out):
        raise InputError(
            f"{out} is there already", "continue it with --resume, or name another --out"
        )
    refuse_unwritable(out)
    return out


def only_begun(out: Path) -> bool:
    """Whether a repair stopped here before its plan was written, so that nothing can be lost."""
    if not (out / LOCK).is_file():
        return False
    return all(
        one.name == LOCK
        or one.name.startswith(TEMPORARY)
        or (one.name == "training" and one.is_dir() and not any(one.iterdir()))
        for one in out.iterdir()
    )


def refuse_unwritable(out: Path) -> None:
    """Refuses a folder that cannot be made or written to."""
    parent = next(path for path in (out, *out.absolute().parents) if path.exists())
    try:
        with TemporaryDirectory(dir=parent, prefix=".rmaudit-"):
            pass
    except OSError as error:
        raise InputError(
            f"cannot write to {parent}: {error.strerror}",
            "name another --out, or mend its permissions",
        ) from error
