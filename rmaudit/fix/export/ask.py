"""`rmaudit fix --export`: the options of a repair, as files for a trainer on other machines."""

from __future__ import annotations

from collections.abc import Sequence

from rmaudit.checklists.load import combine
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.engines.endpoints import PREFIX, parse_spec
from rmaudit.errors import InputError
from rmaudit.fix.choices import refuse_unwritable, training_judge
from rmaudit.fix.data import split
from rmaudit.fix.export.write import Exported, Trainer, export
from rmaudit.fix.options import Options
from rmaudit.fix.plan import in_context, max_reasons, profile_of
from rmaudit.fix.source import read_source

HERE_ONLY = {
    "also": "outside sets are scanned after a training here",
    "policy": "the result is judged after a training here",
    "eval_judge": "the result is judged after a training here",
    "resume": "an export is written in one go",
    "monitor_rationale": "exported rewards ask the judge only where it can change the reward",
    "launch": "its own script launches the trainer",
    "per_device": "the trainer shares out the answers itself",
    "dev_items": "all development items are exported",
    "batch_size": "no answer is generated",
    "report_to": "the trainer's own options choose its loggers",
    "max_calls": "no judge is asked",
}
"""Options that say nothing about an export, and why."""


def export_options(options: Options) -> Exported:
    """Reads the checkpoint's files and the sets, and writes the folder; loads no model.

    Raises:
        InputError: an option has no meaning here, or anything else that the user can mend.
        RmauditError: the folder cannot be written.
    """
    trainer = _refuse(options)
    if options.arm == "prompt":
        raise InputError("--arm prompt trains nothing", "export --arm hybrid, outcome or rationale")
    if options.out is None:
        raise InputError("--export needs a folder to write to", "give --out DIR")
    refuse_unwritable(options.out)
    source = read_source(options.target)
    train = combine([load_set(spec, skip_bad=options.skip_bad) for spec in options.train])
    dev = load_set(options.dev, skip_bad=options.skip_bad).items if options.dev else None
    held_out = [*source.audited]
    if options.eval is not None:
        held_out += load_set(options.eval, skip_bad=options.skip_bad).items
    parts = split(train.items, dev, held_out=held_out, seed=options.seed)
    _check_judge(options, train.items)
    profile = profile_of(options, source)
    return export(
        trainer,
        options.out,
        checkpoint=source.path,
        train=parts.train,
        dev=parts.dev,
        settings=in_context(options.settings, options, source, profile),
        judge=options.judging(options.judge),
        profile=profile,
        max_reasons=max_reasons(options, source),
        arm=options.rewarded,
        on_judge_failure=options.on_judge_failure,
        left_out=parts.left_out,
    )


def _refuse(options: Options) -> Trainer:
    if options.export is None:
        raise ValueError("no trainer is named")
    for name, why in HERE_ONLY.items():
        if name in options.model_fields_set:
            raise InputError(
                f"--{name.replace('_', '-')} has no meaning with --export", f"leave it out: {why}"
            )
    return options.export


def _check_judge(options: Options, train: Sequence[Item]) -> None:
    """An endpoint need not be up, nor its key be here: the trainer's machines ask it."""
    if options.judge.startswith(PREFIX):
        parse_spec(options.judge)
    elif ":" not in options.judge or options.judge.startswith("replay:"):
        training_judge(options, train).close()
