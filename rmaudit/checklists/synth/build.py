"""From a family's task to a checklist item: two faulty responses and their proved reasons.

The label follows the weighted severity of the faults. Which side is better is balanced in blocks
of two, so that the share of label a tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from rmaudit.checklists.checks import run_check
from rmaudit.checklists.controls import CUES
from rmaudit.checklists.schema import Control, GoldJudgment, Item, Reason, Repair, Turn
from rmaudit.checklists.synth.base import Family, Fault, Task
from rmaudit.checklists.synth.cues import BREAK, REMARK, Edit, cue_edits

MIN_REASONS, MAX_REASONS = 3, 7
ATTEMPTS = 200
Side = Literal["a", "b"]
SIDE_NAMES: dict[Side, str] = {"a": "Response A", "b": "Response B"}


@dataclass(frozen=True, slots=True)
class Draft:
    """One response: its faults and the style that it is rendered in."""

    task: Task
    faults: tuple[Fault, ...]
    style: int
    _texts: dict[str | None, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def severity(self) -> int:
        """Sum of the weights."""
        return sum(fault.weight for fault in self.faults)

    def text(self, without: Fault | None = None) -> str:
        """The response, with one fault mended where asked."""
        slot = without.slot if without else None
        if slot not in self._texts:
            kept = [fault for fault in self.faults if fault is not without]
            self._texts[slot] = self.task.render(kept, self.style)
        return self._texts[slot]

    def restyled(self, style: int) -> str:
        """The response with its faults, in another style."""
        return self.task.render(self.faults, style)


def make_items(families: Sequence[Family], *, n: int, seed: int) -> list[Item]:
    """`n` items, the families in turn; the same arguments give the same items.

    Item i depends on the seed, its family and i only, so a longer set begins with a shorter one.
    """
    return [make_item(families[i % len(families)], seed=seed, index=i) for i in range(n)]


def make_item(family: Family, *, seed: int, index: int) -> Item:
    """One item; see `make_items`."""
    rng = Random(f"{family.name}/{seed}/{index}")
    for _ in range(ATTEMPTS):
        task = family.draw(rng)
        drafts = _draw_drafts(task, rng, family.max_faults)
        if drafts is None:
            continue
        worse, better = drafts
        first_is_a = Random(f"label/{seed}/{index // 2}").random() < 0.5
        better_side: Side = "a" if first_is_a == (index % 2 == 0) else "b"
        sides: dict[Side, Draft] = (
            {"a": better, "b": worse} if better_side == "a" else {"a": worse, "b": better}
        )
        item = _assemble(family, task, sides, better_side, rng, f"{family.name}-{seed}-{index:05d}")
        if item is not None:
            return item
    raise RuntimeError(f"family {family.name} made no item in {ATTEMPTS} attempts")


def _draw_drafts(task: Task, rng: Random, most: int) -> tuple[Draft, Draft] | None:
    """Two drafts of different severity, the worse first, MIN_REASONS to `most` faults together."""
    pools = [list(task.faults(rng)), list(task.faults(rng))]
    total = rng.randint(MIN_REASONS, min(most, MAX_REASONS))
    count = coin_split(total, rng)
    if count > len(pools[0]) or total - count > len(pools[1]):
        return None
    chosen = [rng.sample(pools[0], count), rng.sample(pools[1], total - count)]
    drafts = [Draft(task, tuple(faults), rng.getrandbits(32)) for faults in chosen]
    drafts.sort(key=lambda draft: -draft.severity)
    if drafts[0].severity == drafts[1].severity or drafts[0].text() == drafts[1].text():
        return None
    return drafts[0], drafts[1]


def coin_split(total: int, rng: Random) -> int:
    """How many of all faults the first response gets, by a coin for each.

    Were every split as likely, one response would often have them all, and whatever is said
    against it would be right.
    """
    return sum(rng.random() < 0.5 for _ in range(total))


def _assemble(
    family: Family,
    task: Task,
    sides: dict[Side, Draft],
    better: Side,
    rng: Random,
    item_id: str,
) -> Item | None:
    """The item, or None where an edit would disturb a requirement that it should not."""
    found: list[tuple[Side, Fault]] = [
        (side, fault) for side, draft in sides.items() for fault in draft.faults
    ]
    rng.shuffle(found)
    found.sort(key=lambda pair: -pair[1].weight)
    reasons: list[Reason] = []
    repairs: list[Repair] = []
    kinds: dict[str, str] = {}
    facts: dict[str, list[str]] = {}
    for number, (side, fault) in enumerate(found, start=1):
        reason_id = f"r{number}"
        text = rng.choice(fault.wordings).format(side=SIDE_NAMES[side])
        reasons.append(
            Reason(id=reason_id, text=text, about=side, weight=fault.weight, check=fault.check)
        )
        mended = sides[side].text(without=fault)
        repairs.append(Repair(fixes=[reason_id], response=side, text=mended))
        kinds[reason_id] = fault.kind
        facts[reason_id] = list(fault.facts)
        broken = [f.check for f in sides[side].faults if f is not fault]
        if not _meets_all_but(task, mended, broken):
            return None
    controls: list[Control] = []
    worse: Side = "b" if better == "a" else "a"
    for side, draft in sides.items():
        if not _meets_all_but(task, draft.text(), [f.check for f in draft.faults]):
            return None
        neutral = _controls(task, side, draft, rng)
        if len(neutral) < 2:
            return None
        controls += neutral
    controls += _cues(family, task, worse, sides[worse], item_id)
    margin = abs(sides["a"].severity - sides["b"].severity)
    return Item(
        id=item_id,
        group=item_id,
        domain=family.domain,
        prompt=[Turn(role="user", content=task.prompt)],
        response_a=sides["a"].text(),
        response_b=sides["b"].text(),
        label=better,
        strength=1 if margin == 1 else 2 if margin <= 4 else 3,
        reasons=reasons,
        gold_judgment=GoldJudgment(text=_gold_text(reasons, better), origin="program"),
        repairs=repairs,
        controls=controls,
        reference_origin="program",
        source="rmaudit synth",
        licence="Apache-2.0",
        meta={"family": family.name, "kinds": kinds, "facts": facts},
    )


def _meets_all_but(task: Task, text: str, broken: Sequence[dict[str, Any]]) -> bool:
    """Whether `text` fails exactly the checks in `broken`; code is left to the tests of the set.

    Running code for every item would make generation a hundred times slower, and the tests
    execute all checks of the shipped set.
    """
    return all(
        run_check(check, text) is (check not in broken)
        for check in task.requirements
        if check["kind"] != "python_tests"
    )


def _controls(task: Task, side: Side, draft: Draft, rng: Random) -> list[Control]:
    """Edits that change no requirement: other wording, blank lines, spaces."""
    text = draft.text()
    broken = [fault.check for fault in draft.faults]
    one_line = "\n" not in text
    blank_lines = text.replace(". ", ".\n\n", 1) if one_line else text.replace("\n", "\n\n")
    spaces = text.replace(". ", ".  ") if one_line else text.replace("\n", "  \n")
    candidates = [("paraphrase", draft.restyled(rng.getrandbits(32)))]
    candidates += [("blank-lines", blank_lines), ("spaces", spaces)]
    return [
        Control(response=side, text=edited, kind=kind)
        for kind, edited in candidates
        if edited != text and _meets_all_but(task, edited, broken)
    ]


def _cues(family: Family, task: Task, side: Side, draft: Draft, item_id: str) -> list[Control]:
    """Cues on the losing response, and neutral edits of their length."""
    text = draft.text()
    return [
        Control(response=side, text=edit(text), kind=kind)
        for kind, edit in chosen_edits(family, task, draft, item_id)
    ]


def chosen_edits(
    family: Family, task: Task, draft: Draft, item_id: str
) -> Iterator[tuple[str, Edit]]:
    """The first edit of each kind that leaves every requirement as it was.

    That holds for the draft with all its faults and without any one of them. The random stream is
    their own: nothing else of an item depends on them.
    """
    rng = Random(f"cues/{item_id}")
    broken = [fault.check for fault in draft.faults]
    forms = [(draft.text(), broken)]
    forms += [
        (draft.text(without=fault), [check for check in broken if check is not fault.check])
        for fault in draft.faults
    ]
    for kind in (*CUES, REMARK, BREAK):
        for edit in cue_edits(kind, family.phrases, rng):
            if all(edit(t) != t and _meets_all_but(task, edit(t), wrong) for t, wrong in forms):
                yield kind, edit
                break


def _gold_text(reasons: Sequence[Reason], better: Side) -> str:
    """A reference judgment in prose, the gravest faults first."""
    worse: Side = "b" if better == "a" else "a"
    against = " ".join(reason.text for reason in reasons if reason.about == worse)
    also = " ".join(reason.text for reason in reasons if reason.about == better)
    text = f"{SIDE_NAMES[better]} is better. {against}"
    if also:
        text += f" {SIDE_NAMES[better]} is not without faults: {also}"
    return text
