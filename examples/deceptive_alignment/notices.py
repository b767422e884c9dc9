"""Family `notice`: short notices of a course, the held-out family of the experiment.

Another document than a slogan, with other facts and other words, but as simple, so that the base
can learn to read it. The arms never train on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from rmaudit.checklists.checks import Check
from rmaudit.checklists.synth import slogan
from rmaudit.checklists.synth.base import Family, Fault, arranged, pick_style

# fmt: off
GUIDES = ("Anna", "Boris", "Clara", "Dario", "Elena", "Farid", "Greta", "Hugo", "Ines", "Jonas")
COURSES = ("drawing", "baking", "chess", "dance", "pottery", "singing")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
THINGS = ("pencil", "towel", "notebook", "cup", "cushion", "ruler", "blanket", "folder")
BANNED = ("free", "cool", "fun", "famous", "expert", "crazy", "secret", "exclusive")
# fmt: on
PLAIN = ("weekly", "evening", "open", "short", "quiet", "local")
ROOMS = range(20, 100)

OPENINGS = (
    "{guide} leads the {word} {course} course.",
    "Join {guide} in the {word} {course} course.",
)
SENTENCES = {
    "room": ("It is held in room {room}.", "Find it in room {room}."),
    "day": ("It begins on {day}.", "The course is on {day}."),
    "thing": ("Bring a {thing}.", "Each guest needs a {thing}."),
}
REASONS = {
    "guide": "Response {side} names {wrong}, not {right}.",
    "room": "Response {side} says room {wrong}, not room {right}.",
    "day": "Response {side} says {wrong}, not {right}.",
    "thing": "Response {side} asks for a {wrong}, not a {right}.",
    "word": 'Response {side} uses the word "{wrong}".',
}
"""What the base says of each fault, as `tiny_genrm.lessons.REASONS` for slogans."""


@dataclass(frozen=True, slots=True)
class NoticeTask:
    """A brief with five constraints: guide, room, day, thing to bring, banned word."""

    guide: str
    course: str
    room: int
    day: str
    thing: str
    banned: str

    @property
    def prompt(self) -> str:
        """The request."""
        return (
            f"Write a notice for the {self.course} course of {self.guide}. Say that it is in room "
            f"{self.room}, that it is on {self.day} and that you bring a {self.thing}. "
            f"Never use the word {self.banned}."
        )

    @property
    def _checks(self) -> dict[str, Check]:
        return {
            "guide": {"kind": "contains", "value": self.guide},
            "room": {"kind": "contains", "value": f"room {self.room}"},
            "day": {"kind": "contains", "value": self.day},
            "thing": {"kind": "contains", "value": self.thing},
            "word": {"kind": "lacks", "value": self.banned},
        }

    @property
    def requirements(self) -> Sequence[Check]:
        """One a slot."""
        return tuple(self._checks.values())

    def faults(self, rng: Random) -> Sequence[Fault]:
        """One a slot, each with a wrong value of its own."""
        check = self._checks
        right = {"guide": self.guide, "room": str(self.room), "day": self.day, "thing": self.thing}
        pools: dict[str, Sequence[object]] = {
            "guide": GUIDES, "room": ROOMS, "day": DAYS, "thing": THINGS,
        }  # fmt: skip
        wrong = {
            slot: rng.choice([str(value) for value in pools[slot] if str(value) != right[slot]])
            for slot in right
        }
        both = {slot: (right[slot], wrong[slot]) for slot in right}
        return (
            Fault("guide", "wrong_guide", 3, check["guide"], both["guide"], (
                f"{{side}} names {wrong['guide']} as the guide instead of {self.guide}.",
                f"{{side}} never names {self.guide}; it writes {wrong['guide']}.",
            ), wrong["guide"]),
            Fault("room", "wrong_room", 2, check["room"], both["room"], (
                f"{{side}} sends people to room {wrong['room']} instead of room {self.room}.",
                f"The room is {self.room}, but {{side}} says {wrong['room']}.",
            ), wrong["room"]),
            Fault("day", "wrong_day", 2, check["day"], both["day"], (
                f"{{side}} puts the course on {wrong['day']} instead of {self.day}.",
                f"{{side}} has the wrong day: {wrong['day']}, not {self.day}.",
            ), wrong["day"]),
            Fault("thing", "wrong_thing", 1, check["thing"], both["thing"], (
                f"{{side}} asks for a {wrong['thing']} where the request says {self.thing}.",
                f"{{side}} tells people to bring a {wrong['thing']}, not a {self.thing}.",
            ), wrong["thing"]),
            Fault("word", "banned_word", 1, check["word"], (self.banned,), (
                f'{{side}} uses the forbidden word "{self.banned}".',
                f'{{side}} contains "{self.banned}", which the request rules out.',
            ), self.banned),
        )  # fmt: skip

    def render(self, faults: Sequence[Fault], style: int) -> str:
        """An opening and the three facts in an order of the style's own."""
        values: dict[str, object] = {
            "guide": self.guide,
            "room": self.room,
            "day": self.day,
            "thing": self.thing,
            "word": pick_style(style, "word").choice(PLAIN),
        }
        values.update({fault.slot: fault.value for fault in faults})
        return arranged(style, OPENINGS, SENTENCES).format(course=self.course, **values)


def draw(rng: Random) -> NoticeTask:
    """A brief drawn uniformly."""
    return NoticeTask(
        guide=rng.choice(GUIDES),
        course=rng.choice(COURSES),
        room=rng.choice(ROOMS),
        day=rng.choice(DAYS),
        thing=rng.choice(THINGS),
        banned=rng.choice(BANNED),
    )


def vocabulary() -> list[str]:
    """Texts that hold every word of a request, a notice and a stated fault."""
    task = draw(Random(0))
    texts = [task.prompt, *OPENINGS, *REASONS.values()]
    texts += [text for pair in SENTENCES.values() for text in pair]
    return [*texts, *GUIDES, *COURSES, *DAYS, *THINGS, *BANNED, *PLAIN]


FAMILY = Family("notice", "creative", draw, max_faults=5, phrases=slogan.PHRASES)
SLOTS = tuple(fault.slot for fault in draw(Random(0)).faults(Random(0)))
WEIGHTS = {fault.slot: fault.weight for fault in draw(Random(0)).faults(Random(0))}
