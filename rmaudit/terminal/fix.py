"""`rmaudit fix` on the terminal: what will be done, how it goes, what became of it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from rmaudit import __version__
from rmaudit.compare.words import overall_rows
from rmaudit.engines.endpoints import without_credentials
from rmaudit.escaping import one_line
from rmaudit.fix.reward.attack import Attack
from rmaudit.fix.training.settings import GIB, SettingLine
from rmaudit.fix.training.watch import ROLLOUT, DevAudit
from rmaudit.run.ordinary import recall_sentences
from rmaudit.terminal.layout import label, number_table, say
from rmaudit.terminal.screen import Screen

if TYPE_CHECKING:
    from rmaudit.compare.pair import PairComparison
    from rmaudit.fix.export.write import Exported
    from rmaudit.fix.plan import FixPlan
    from rmaudit.fix.prompt_arm.plan import PromptPlan
    from rmaudit.fix.training.baseline import Baseline
    from rmaudit.progress import Progress

STYLES = {"PASS": "green", "FAIL": "bold red", "INCONCLUSIVE": "yellow", "INVALID": "bold magenta"}
_EVERY_SECONDS = 5.0


class FixScreen:
    """One repair's view of the terminal: all talk on stderr, the result on stdout."""

    def __init__(self, *, json_mode: bool = False, quiet: bool = False) -> None:
        self._json, self._quiet = json_mode, quiet
        self._talk = Console(stderr=True, highlight=False, soft_wrap=True)
        self._page = Console(highlight=False, soft_wrap=True)
        self._scans = Screen(quiet=quiet)
        self._told = 0.0

    def plan(self, plan: FixPlan) -> None:
        """The settings beside the published ones, and what a user should know."""
        if self._quiet:
            return
        source, split, options = plan.source, plan.split, plan.options
        checkpoint = source.checkpoint
        planted = ", planted" if checkpoint.planted else ""
        left_out = [f"{count:,} {why}" for why, count in split.left_out.items()]
        left_out += [f"{plan.too_long:,} prompts too long"] if plan.too_long else []
        out = f" · left out: {', '.join(left_out)}" if left_out else ""
        train = f"{', '.join(options.train)} · {len(plan.prompts):,} prompts"
        memory = plan.memory
        parts = ", ".join(f"{name} {gib:.1f}" for name, gib in memory.items() if name != "together")
        lines = {
            "model": f"{source.path} · {checkpoint.architecture}{planted}",
            "reward": f"{options.arm} · judge {without_credentials(options.judge)}",
            "train": f"{train}, {len(split.dev):,} items choose the checkpoint{out}",
            "eval": f"{plan.eval.spec} · {len(plan.eval.items):,} items, "
            f"judge {without_credentials(plan.eval_judge)}",
            "memory": f"about {memory['together']:.1f} GiB ({parts}), "
            f"{plan.machine.free / GIB:.1f} GiB free on {plan.machine.name}",
            "policy": ", ".join(policy.name for policy in plan.policies),
            "out": str(plan.out),
        }
        self._talk.print(Text(f"rmaudit {__version__} fix", style="bold"))
        for name, text in lines.items():
            self._line(name, text)
        if plan.judge_calls:
            self._line("calls", f"up to {plan.judge_calls:,} of judges while training")
        self._talk.print()
        rows = [SettingLine("setting", "here", "published", ""), *plan.lines]
        wide = [max(len(row[column]) for row in rows) + 3 for column in range(3)]
        for row in rows:
            cells = "".join(f"{cell:<{size}}" for cell, size in zip(row, wide, strict=False))
            style = "dim" if row is rows[0] else "default"
            self._talk.print(Text(f"  {cells}", style=style).append(row.note, style="dim"))
        self._talk.print()
        for text in plan.warnings:
            self.warn(text)

    def exported(self, told: Exported) -> None:
        """What was written for another trainer, and how it is started."""
        if self._json:
            whole = {
                "trainer": told.trainer,
                "out": str(told.out),
                "files": told.files,
                "train": told.n_train,
                "dev": told.n_dev,
                "left_out": told.left_out,
                "command": told.command,
            }
            print(json.dumps(whole, ensure_ascii=True))
            return
        left_out = ", ".join(f"{count:,} {why}" for why, count in told.left_out.items())
        lines = {
            "wrote": f"{told.out} · {' '.join(told.files)}",
            "train": f"{told.n_train:,} prompts, {told.n_dev:,} to watch"
            + (f" · left out: {left_out}" if left_out else ""),
            "launch": f"{told.command}   (needs {told.trainer} there; see README.md)",
        }
        if self._quiet:
            print(told.command)
            return
        for name, text in lines.items():
            head = Text(f"  {name:<9}", style="dim")
            self._page.print(head.append(one_line(text), style="default"))

    def prompt_plan(self, plan: PromptPlan) -> None:
        """What `--arm prompt` will do."""
        if self._quiet:
            return
        left_out = ", ".join(f"{count:,} {why}" for why, count in plan.left_out.items())
        lines = {
            "target": f"{without_credentials(plan.target)} · profile {plan.profile.name}",
            "train": f"{', '.join(plan.options.train)} · {len(plan.train):,} items, "
            f"judge {without_credentials(plan.options.judge)}"
            + (f" · left out: {left_out}" if left_out else ""),
            "eval": f"{plan.eval.spec} · {len(plan.eval.items):,} items, "
            f"judge {without_credentials(plan.eval_judge)}",
            "policy": ", ".join(policy.name for policy in plan.policies),
            "calls": f"up to {plan.calls:,} of models",
            "out": str(plan.out),
        }
        self._talk.print(Text(f"rmaudit {__version__} fix, arm prompt", style="bold"))
        for name, text in lines.items():
            self._line(name, text)

    def guidelines(self, found: Mapping[str, Any]) -> None:
        """See `PromptTelling`."""
        kinds = ", ".join(f"{name} {count:,}" for name, count in found["kinds"].items())
        told = f"{found['missed']:,} of {found['looked_for']:,} faults were overlooked: {kinds}"
        self._line("", told)
        for text, why in found["refused"]:
            self._line("", f"left out, since {why}: {text}")
        for text in found["guidelines"]:
            self._line("", f"- {text}")

    def warn(self, text: str) -> None:
        """See `Telling`."""
        say(self._talk, Text("  warning  ", style="yellow"), text)

    def stage(self, name: str) -> None:
        """See `Telling`."""
        self._told = 0.0
        if not self._quiet:
            self._talk.print(Text(f"\n  {one_line(name)}", style="bold"))

    def attacks(self, found: Sequence[Attack]) -> None:
        """See `Telling`."""
        for one in found:
            earned = "not known" if one.reward is None else f"{one.reward:.3f}"
            self._line("", f"{earned}  {one.name}")

    def baseline(self, found: Baseline, samples: int) -> None:
        """See `Telling`."""
        total = len(found.kept) + found.never
        self._line(
            "",
            f"right on {found.accuracy:.1%} of {samples} answers a prompt; {found.never:,} of "
            f"{total:,} prompts have no right answer and are left out",
        )

    def log(self, numbers: Mapping[str, float]) -> None:
        """See `Telling`; a line every few seconds, and for the last step."""
        last = numbers["step"] == numbers["of"]
        if ROLLOUT not in numbers and not last:
            return
        now = time.monotonic()
        if now - self._told < _EVERY_SECONDS and not last:
            return
        self._told = now
        shown = (
            ("reward", "reward", "{:.3f}"),
            ("fix/outcome", "right", "{:.2f}"),
            ("fix/rationale_ap", "reasons", "{:.2f}"),
            ("fix/clean", "clean", "{:.2f}"),
            ("frac_reward_zero_std", "dead groups", "{:.2f}"),
            ("entropy", "entropy", "{:.2f}"),
            ("completions/mean_length", "tokens", "{:.0f}"),
            ("fix/judge_failed", "judge failed", "{:.2f}"),
        )
        parts = [
            f"{name} {form.format(numbers[key])}" for key, name, form in shown if key in numbers
        ]
        self._line("", f"step {numbers['step']:.0f}/{numbers['of']:.0f}  " + "  ".join(parts))

    def audit(self, found: DevAudit) -> None:
        """See `Telling`."""
        shown = (
            ("accuracy", found.accuracy),
            ("reasons by the training judge", found.rc_train),
            ("by the evaluation judge", found.rc_eval),
            ("grounded", found.grounded),
            ("praise", found.praise),
        )
        parts = [f"{name} {value:.3f}" for name, value in shown if value is not None]
        self._line("", f"dev at step {found.step}: {', '.join(parts)}")

    def progress(self) -> Progress:
        """See `Telling`."""
        return self._scans.progress()

    def result(self, fixed: Mapping[str, Any], pair: PairComparison) -> None:
        """See `Telling`; with --json what fix.json holds."""
        if self._json:
            print(json.dumps(fixed, ensure_ascii=True, allow_nan=False))
            return
        if not self._quiet:
            numbers = ("before", "after", "change", "95 % interval")
            columns = (("", False), *((name, True) for name in numbers), ("", False))
            table = number_table(self._page.width, columns)
            for row in overall_rows(pair, every=False):
                cells = (row.first, row.second, row.change, row.interval, row.word)
                table.add_row(label(row.label, indent=2), *map(Text, cells))
            self._page.print()
            self._page.print(table, soft_wrap=False)
            for told in recall_sentences((pair.first.manifest, pair.second.manifest)):
                self._page.print(Text(one_line(f"  {told}")))
            for decision in fixed["decisions"]:
                text = f"  policy {decision['policy']}: {decision['sentence']}"
                self._page.print(Text(one_line(text)))
            self._page.print()
        verdict = Text("  " if not self._quiet else "")
        self._page.print(
            verdict.append(one_line(fixed["sentence"]), style=STYLES[fixed["verdict"]])
        )
        if not self._quiet:
            product = "profile" if fixed["arm"] == "prompt" else "model"
            self._page.print(Text(f"  {product:<8}{fixed['folder']}/{fixed['model']}"))
            self._page.print(Text(f"  report  {fixed['folder']}/report.html"))

    def _line(self, name: str, text: str) -> None:
        if not self._quiet:
            say(self._talk, Text(f"  {name:<9}", style="dim"), text)
