"""One process of a launched training: `python -m rmaudit.fix.launch.worker JOB`.

All processes train; that of rank 0 also looks at the development items, and tells the command that
launched it how it goes, a line of JSON each on stdout. Each asks the judge for its own completions.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.schema import Item
from rmaudit.errors import InputError, RmauditError
from rmaudit.fix.choices import meta_judge
from rmaudit.fix.data import Prompted
from rmaudit.fix.folder import JOB, Folder
from rmaudit.fix.options import Options
from rmaudit.fix.reward.scorer import Monitored, Scorer
from rmaudit.fix.training.dev_audit import Auditor
from rmaudit.fix.training.prompt_tokens import Encoded
from rmaudit.fix.training.settings import TrainingSettings
from rmaudit.fix.training.train import Job, train
from rmaudit.fix.training.watch import DevAudit, Watch
from rmaudit.judging.metajudge import Judge
from rmaudit.models.profiles import Profile
from rmaudit.run.disk import write_atomic
from rmaudit.scan.judge import make_judge

STOP, ENDED, FAILED = "stop", "ended.json", "failed.json"
OPTIONS = "RMAUDIT_FIX_OPTIONS"
"""The environment variable of the options: a URL in them may hold a password, no file may."""
MARK = "@rmaudit "


class Launched(NamedTuple):
    """What the processes are given.

    job: of the training. dev: items to look at. profile: how they are asked. max_reasons: that
    count. eval_judge: SPEC, None where it is the judge of training. audits: looks so far. parent:
    process id of the command.
    """

    job: Job
    dev: tuple[Item, ...]
    profile: Profile
    max_reasons: int
    eval_judge: str | None
    audits: tuple[DevAudit, ...]
    parent: int


def write_job(given: Launched) -> Path:
    """Writes what `read_job` reads into the folder of the training."""
    job = given.job
    path = job.out / JOB
    whole = {
        "schema_version": 1,
        "job": {
            "checkpoint": str(job.checkpoint.absolute()),
            "context": job.context,
            "out": str(job.out.absolute()),
            "settings": asdict(job.settings),
            "config": job.config,
            "resume": job.resume,
            "batch_size": job.batch_size,
            "report_to": job.report_to,
            "cuda": job.cuda,
        },
        "prompts": [
            {
                "item": json.loads(dump_item(one.prompted.item)),
                "order": one.prompted.order,
                "ids": one.ids,
            }
            for one in job.prompts
        ],
        "dev": [json.loads(dump_item(item)) for item in given.dev],
        "profile": given.profile.model_dump(mode="json", by_alias=True, exclude_defaults=True),
        "max_reasons": given.max_reasons,
        "eval_judge": given.eval_judge,
        "audits": [asdict(audit) for audit in given.audits],
        "parent": given.parent,
    }
    write_atomic(path, json.dumps(whole))
    return path


def read_job(path: Path) -> Launched:
    """The job that a launching command wrote."""
    whole = json.loads(path.read_text(encoding="utf-8"))
    job = whole["job"]
    prompts = tuple(
        Encoded(Prompted(Item.model_validate(one["item"]), one["order"]), one["ids"])
        for one in whole["prompts"]
    )
    return Launched(
        job=Job(
            **{
                **job,
                "checkpoint": Path(job["checkpoint"]),
                "out": Path(job["out"]),
                "settings": TrainingSettings(**job["settings"]),
                "report_to": tuple(job["report_to"]),
            },
            prompts=prompts,
        ),
        dev=tuple(map(Item.model_validate, whole["dev"])),
        profile=Profile.model_validate(whole["profile"]),
        max_reasons=whole["max_reasons"],
        eval_judge=whole["eval_judge"],
        audits=tuple(DevAudit(**audit) for audit in whole["audits"]),
        parent=whole["parent"],
    )


def main() -> int:
    """Trains as one of several processes; the exit code."""
    path = Path(sys.argv[1])
    try:
        _train(read_job(path), Options.model_validate_json(os.environ[OPTIONS]))
    except RmauditError as error:
        told = {
            "input": isinstance(error, InputError),
            "message": error.message,
            "hint": error.hint,
            "rank": _number("RANK", 0),
        }
        write_atomic(path.parent / FAILED, json.dumps(told))
        return error.exit_code
    return 0


def _train(given: Launched, options: Options) -> None:
    first, world = _number("RANK", 0) == 0, _number("WORLD_SIZE", 1)
    if world != given.job.settings.devices:
        raise InputError(
            f"the launcher started {world} processes, not {given.job.settings.devices}",
            "mend num_processes and distributed_type in the file of --launch",
        )
    judge = _judge(options, options.judge, first=first)
    scorer = Scorer(
        judge,
        options.rewarded,
        max_reasons=given.max_reasons,
        hit=given.job.settings.hit,
        labeler=meta_judge(options, judge),
        monitored=Monitored(options.monitor_rationale),
    )
    eval_judge = None
    if first and given.eval_judge is not None:
        eval_judge = _judge(options, given.eval_judge, first=first)
    auditor = Auditor(
        items=given.dev,
        judge=judge,
        eval_judge=eval_judge,
        profile=given.profile,
        max_reasons=given.max_reasons,
        max_tokens=given.job.settings.max_new_tokens,
    )

    def look(engine: Any, step: int) -> DevAudit:
        found = auditor.look(engine, step)
        Folder(given.job.out.parent).add_audit(found)
        say({"audit": asdict(found)})
        return found

    with closing(judge):
        found = train(
            given.job,
            scorer,
            Watch(audits=list(given.audits)),
            look,
            tell=lambda numbers: say({"log": dict(numbers)}),
            asked=_asked(given) if first else lambda: None,
        )
    if eval_judge is not None:
        eval_judge.close()
    if first:
        write_atomic(given.job.out / ENDED, json.dumps(asdict(found)))
    _part()


def _part() -> None:
    """Ends the process group in order: left to the interpreter, its threads can abort the end."""
    from accelerate import PartialState

    state = PartialState()
    state.wait_for_everyone()
    state.destroy_process_group()


def _judge(options: Options, spec: str, *, first: bool) -> Judge:
    """A judge of this process: its share of the calls in flight, and one writer of the cache."""
    config = options.judging(spec)
    share = max(1, config.concurrency // _number("WORLD_SIZE", 1))
    return make_judge(replace(config, concurrency=share, cache=first))


def _asked(given: Launched) -> Callable[[], int | None]:
    """Whether the launching command wants an end, or has come to one itself."""
    stop = given.job.out / STOP

    def asked() -> int | None:
        if stop.exists():
            return int(stop.read_text(encoding="ascii") or signal.SIGTERM)
        try:
            os.kill(given.parent, 0)
        except ProcessLookupError:
            return int(signal.SIGTERM)
        return None

    return asked


def say(what: Mapping[str, Any]) -> None:
    """One line to the launching command, in one write, so that no other output cuts it."""
    os.write(1, f"{MARK}{json.dumps(what, ensure_ascii=True)}\n".encode())


def _number(name: str, default: int) -> int:
    return int(os.environ.get(name, default))


if __name__ == "__main__":
    sys.exit(main())
