"""Functions that cut, join and extend lists, with their bugs."""

from __future__ import annotations

from random import Random

from rmaudit.checklists.synth.python_groups import THINGS
from rmaudit.checklists.synth.python_routines import WORDS, Bug, CallCase, Names, Routine


def _second_call(rng: Random, names: Names) -> CallCase:
    first, second = rng.sample(THINGS, 2)
    return CallCase(
        (second,),
        [second],
        [first, second],
        wrap=f"({{f}}({first!r}), {{call}})[1]",
        shown=f"`{{call}}` after `{{f}}({first!r})`",
    )


def _capital_entry(rng: Random, names: Names) -> CallCase:
    word, other = rng.sample(THINGS, 2)
    return CallCase((word.capitalize(), [other]), [other, word], [other, word.capitalize()])


def _entry_again(rng: Random, names: Names) -> CallCase:
    word = rng.choice(THINGS)
    return CallCase((word, [word]), [word], [word, word])


def _new_entry(rng: Random, names: Names) -> CallCase:
    word, other = rng.sample(THINGS, 2)
    return CallCase((word, [other]), [other, word], [word, other])


ADD = Routine(
    stems=("add_to_{n}", "extend_{n}"),
    nouns=WORDS,
    signature="item: str, $p: list[str] | None = $default",
    returns="list[str]",
    wrong_returns="set[str]",
    spec="Add `item` in lower case to `$p` unless it is there already, and return the list. "
    "Without a list, start a new one at every call.",
    summaries=("Add an item to the list.", "Append the item unless it is known."),
    bodies=(
        """
        if $p is None:
            $p = []
        entry = $lower
        if $new:
            $p.append(entry)
        return $p
        """,
        """
        known = [] if $p is None else $p
        entry = $lower
        if $new:
            known.append(entry)
        return known
        """,
    ),
    bugs=(
        Bug(
            hole="default",
            kind="mutable_default",
            weight=3,
            good=("None", "None"),
            bad=("[]", "[]"),
            active="uses a mutable default, so that calls share one list",
            passive="the default list is shared between calls",
            case=_second_call,
        ),
        Bug(
            hole="lower",
            kind="case_sensitivity",
            weight=2,
            good=("item.lower()", "item.lower()"),
            bad=("item.strip()", "item.strip()"),
            active="adds the item with its capital letter",
            passive="the item is not converted to lower case",
            case=_capital_entry,
        ),
        Bug(
            hole="new",
            kind="duplicates_kept",
            weight=3,
            good=("entry not in $p", "entry not in known"),
            bad=("entry is not None", "entry is not None"),
            active="adds an item that is in the list already",
            passive="no check is made whether the item is there already",
            case=_entry_again,
        ),
    ),
    example=_new_entry,
)


def _chunks(values: list[str], size: int) -> list[list[str]]:
    return [values[i : i + size] for i in range(0, len(values), size)]


def _short_rest(rng: Random, names: Names) -> CallCase:
    size = rng.choice((2, 3))
    values = rng.sample(THINGS, size + 1)
    chunks = _chunks(values, size)
    return CallCase((values, size), chunks, chunks[:-1])


def _default_size(rng: Random, names: Names) -> CallCase:
    size, wrong = int(names["size"]), int(names["wrong_size"])
    values = rng.sample(THINGS, size + 2)
    return CallCase((values,), size, wrong, wrap="len({call}[0])")


def _first_chunk(rng: Random, names: Names) -> CallCase:
    values = rng.sample(THINGS, 4)
    return CallCase((values, 2), values[:2], values[1:3], wrap="{call}[0]")


CHUNKS = Routine(
    stems=("chunk_{n}", "split_{n}"),
    nouns=WORDS,
    signature="$p: list[str], size: int = $default",
    returns="list[list[str]]",
    wrong_returns="list[set[str]]",
    spec="Split `$p` into lists of `size` entries each. The last list holds the rest and may be "
    "shorter.",
    summaries=("Split the list into chunks.", "Return lists of the same size."),
    bodies=(
        """
        return [$p[i:i + size] for i in range(0, $end, size)]
        """,
        """
        chunks = []
        for start in range(0, $end, size):
            stop = start + size
            chunks.append($p[start:stop])
        return chunks
        """,
    ),
    constants=lambda rng: rng.choice(
        (
            {"size": "2", "wrong_size": "3"},
            {"size": "3", "wrong_size": "2"},
            {"size": "3", "wrong_size": "4"},
            {"size": "4", "wrong_size": "3"},
        )
    ),
    bugs=(
        Bug(
            hole="end",
            kind="missing_remainder",
            weight=3,
            good=("len($p)", "len($p)"),
            bad=("len($p) - 1", "len($p) - 1"),
            active="loses a rest of one entry",
            passive="a rest of one entry is dropped",
            case=_short_rest,
        ),
        Bug(
            hole="default",
            kind="wrong_default",
            weight=2,
            good=("$size", "$size"),
            bad=("$wrong_size", "$wrong_size"),
            active="sets the default of `size` to $wrong_size instead of $size",
            passive="`size` defaults to $wrong_size instead of $size",
            case=_default_size,
        ),
    ),
    example=_first_chunk,
    complexity="O(n)",
)


def _many_steps(rng: Random, names: Names) -> CallCase:
    values = rng.sample(THINGS, 4)
    return CallCase((values, rng.choice((6, 10))), values[2:] + values[:2], values)


def _one_step(rng: Random, names: Names) -> CallCase:
    values = rng.sample(THINGS, 3)
    return CallCase((values, 1), values[-1:] + values[:-1], values[1:] + values[:1])


def _half_way(rng: Random, names: Names) -> CallCase:
    values = rng.sample(THINGS, 2)
    return CallCase((values, 1), values[::-1], values)


ROTATE = Routine(
    stems=("rotate_{n}", "cycle_{n}"),
    nouns=WORDS,
    signature="$p: list[str], steps: int",
    returns="list[str]",
    wrong_returns="tuple[str]",
    spec="Return `$p` rotated to the right by `steps` places, so that the last entries come first. "
    "`steps` may be larger than the list.",
    summaries=("Rotate the list to the right.", "Move the last entries to the front."),
    bodies=(
        """
        if not $p:
            return []
        cut = $cut
        return $turned
        """,
        """
        size = len($p)
        if size == 0:
            return []
        cut = $cut
        return [$p[$turned % size] for i in range(size)]
        """,
    ),
    bugs=(
        Bug(
            hole="cut",
            kind="missing_wraparound",
            weight=2,
            good=("steps % len($p)", "steps % size"),
            bad=("min(steps, len($p))", "min(steps, size)"),
            active="stops after one full turn",
            passive="`steps` is cut off at the length of the list",
            case=_many_steps,
        ),
        Bug(
            hole="turned",
            kind="wrong_direction",
            weight=3,
            good=("$p[-cut:] + $p[:-cut]", "(i - cut)"),
            bad=("$p[cut:] + $p[:cut]", "(i + cut)"),
            active="rotates to the left",
            passive="the list is rotated to the left",
            case=_one_step,
        ),
    ),
    example=_half_way,
    complexity="O(n)",
)


def _touching(rng: Random, names: Names) -> CallCase:
    a = rng.randint(1, 20)
    b, c = a + rng.randint(2, 9), a + rng.randint(12, 20)
    return CallCase(([(a, b), (b, c)],), [(a, c)], [(a, b), (b, c)])


def _contained(rng: Random, names: Names) -> CallCase:
    a, d = rng.randint(1, 20), rng.randint(40, 60)
    b, c = rng.randint(a + 1, 29), rng.randint(30, 39)
    return CallCase(([(a, d), (b, c)],), [(a, d)], [(a, c)])


def _separate(rng: Random, names: Names) -> CallCase:
    a = rng.randint(1, 20)
    b, c, d = a + rng.randint(2, 5), a + rng.randint(7, 9), a + rng.randint(11, 15)
    return CallCase(([(a, b), (c, d)],), [(a, b), (c, d)], [(a, d)])


MERGE = Routine(
    stems=("merge_{n}", "join_{n}"),
    nouns=(
        "spans",
        "bookings",
        "shifts",
        "intervals",
        "ranges",
        "visits",
        "stays",
        "rentals",
        "meetings",
        "outages",
        "periods",
        "blocks",
        "phases",
        "sessions",
    ),
    signature="$p: list[tuple[int, int]]",
    returns="list[tuple[int, int]]",
    wrong_returns="set[tuple[int, int]]",
    spec="`$p` holds pairs of start and end, sorted by start. Return them with overlapping pairs "
    "merged into one; pairs that only touch are merged too.",
    summaries=("Merge overlapping pairs.", "Join all pairs that overlap or touch."),
    bodies=(
        """
        merged: list[tuple[int, int]] = []
        for start, end in $p:
            if merged and start $meets merged[-1][1]:
                first, last = merged.pop()
                start, end = first, $later
            merged.append((start, end))
        return merged
        """,
        """
        merged: list[tuple[int, int]] = []
        for start, end in $p:
            if not merged or start $meets merged[-1][1]:
                merged.append((start, end))
            else:
                first, last = merged[-1]
                merged[-1] = (first, $later)
        return merged
        """,
    ),
    bugs=(
        Bug(
            hole="meets",
            kind="wrong_comparison",
            weight=2,
            good=("<=", ">"),
            bad=("<", ">="),
            active="leaves touching pairs apart",
            passive="pairs that only touch are not merged",
            case=_touching,
        ),
        Bug(
            hole="later",
            kind="wrong_end",
            weight=3,
            good=("max(last, end)", "max(end, last)"),
            bad=("end", "end"),
            active="shortens a pair that contains another",
            passive="the end of the second pair is always taken",
            case=_contained,
        ),
    ),
    example=_separate,
    complexity="O(n)",
)

ROUTINES = (ADD, CHUNKS, ROTATE, MERGE)
