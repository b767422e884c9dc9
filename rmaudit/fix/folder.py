"""The folder of a repair: what each step left, so that a stopped one goes on.

plan.json        the configuration; a resume must not change its `identity`
attacks.json     what attacks on the reward earn
baseline.jsonl   answers before training, one line each
training/        checkpoints; audits.jsonl; completions/; finished.json once it is over
prompt.toml      the prompt of --prompt, which every step asks by, whatever becomes of that file
model/           the repaired checkpoint, with its card
before/ after/   runs on the evaluation set;  also/<number>/before, after on outside sets
fix.json         everything that the repair found; what the report reads
report.html      before and after in one page

The arm `prompt` trains nothing: guidelines.json and profile.toml stand in place of the first files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from rmaudit import __version__
from rmaudit.engines.endpoints import without_credentials
from rmaudit.errors import InputError
from rmaudit.fix.choices import only_begun
from rmaudit.fix.options import Options
from rmaudit.fix.plan import FixPlan
from rmaudit.fix.training.watch import DevAudit
from rmaudit.models.profiles import Profile
from rmaudit.models.prompt_file import prompt_toml
from rmaudit.run.directory import RunDir, utc_now
from rmaudit.run.disk import disk_errors
from rmaudit.run.files import RowFile

SCHEMA_VERSION = 1
PLAN, ATTACKS, FIXED = "plan.json", "attacks.json", "fix.json"
REPORT, PROMPT = "report.html", "prompt.toml"
JOB = "job.json"
FINISHED = "training/finished.json"


@dataclass(frozen=True, slots=True)
class AuditLine(DevAudit):
    """A line of training/audits.jsonl."""

    @classmethod
    def of(cls, row: DevAudit) -> Self:
        """The line of a look."""
        return cls(**asdict(row))

    def row(self) -> DevAudit:
        """The look of a line."""
        return DevAudit(**asdict(self))


AUDITS: RowFile[DevAudit] = RowFile("training/audits.jsonl", AuditLine)


class Folder:
    """The folder as files; it knows no order of steps."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files = RunDir(path)

    @property
    def training(self) -> Path:
        """Where checkpoints lie."""
        return self.path / "training"

    @property
    def model(self) -> Path:
        """The repaired checkpoint."""
        return self.path / "model"

    def run(self, *names: str) -> Path:
        """Where a scan lies."""
        return self.path.joinpath(*names)

    def kept(self, name: str, make: Callable[[], Any]) -> Any:
        """A JSON file, made where it is not there yet."""
        if not (self.path / name).is_file():
            self.files.write_json(name, make())
        return self.files.read_json(name)

    def keep_prompt(self, options: Options, profile: Profile) -> Path | None:
        """The user's prompt as it was when the repair was planned, None where there is none."""
        if options.prompt is None:
            return None
        self.files.write_text(PROMPT, prompt_toml(profile.messages))
        return self.path / PROMPT

    def audits(self, *, until: int) -> list[DevAudit]:
        """Looks at the development items up to a step, which a resumed training does not repeat."""
        found = {audit.step: audit for audit in self.files.rows(AUDITS)}
        return [found[step] for step in sorted(found) if step <= until]

    def add_audit(self, audit: DevAudit) -> None:
        """Keeps a look."""
        with self.files.append(AUDITS) as rows:
            rows.write(audit)


def open_folder(plan: FixPlan) -> Folder:
    """A new folder, or the one to go on in.

    Raises:
        InputError: no repair is there to go on with, or it has another configuration.
    """
    table = [line._asdict() for line in plan.lines]
    return open_at(plan.out, plan.options, plan.identity(), table=table)


def open_at(
    out: Path, options: Options, identity: Mapping[str, Any], *, table: Sequence[Any] = ()
) -> Folder:
    """The same from its parts; `identity` is what a resume must not change."""
    folder = Folder(out)
    # Other machines of a launched training wait for this file, not for one of an earlier start.
    (folder.training / JOB).unlink(missing_ok=True)
    identity = json.loads(json.dumps(identity, default=str))
    if not options.resume or only_begun(out):
        with disk_errors(out):
            folder.training.mkdir(parents=True, exist_ok=True)
        given = options.model_dump(mode="json", exclude_defaults=True)
        folder.files.write_json(
            PLAN,
            {
                "schema_version": SCHEMA_VERSION,
                "tool_version": __version__,
                "started": utc_now(),
                "identity": identity,
                "options": {
                    name: without_credentials(value) if isinstance(value, str) else value
                    for name, value in given.items()
                },
                "table": list(table),
            },
        )
        return folder
    if not (folder.path / PLAN).is_file():
        raise InputError(f"no repair at {folder.path}", "start it without --resume")
    before = folder.files.read_json(PLAN)["identity"]
    changed = [
        f"{name} ({_short(before.get(name))} -> {_short(identity.get(name))})"
        for name in sorted(before.keys() | identity.keys())
        if before.get(name) != identity.get(name)
    ]
    if changed:
        raise InputError(
            f"{folder.path} was made with another configuration: {', '.join(changed)}",
            "resume with the options of the first start, or use another --out",
        )
    return folder


def _short(value: object) -> str:
    text = str(value)
    return text[:12] if len(text) == 64 else text
