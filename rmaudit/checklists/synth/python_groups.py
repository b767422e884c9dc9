"""Functions over words and records (ranking, grouping, merging) with their bugs."""

from __future__ import annotations

from random import Random

from rmaudit.checklists.synth.python_routines import NUMBERS, WORDS, Bug, CallCase, Names, Routine

PEOPLE = (
    "Ana", "Bo", "Cleo", "Dimitri", "Edith", "Finn", "Greta", "Hugo", "Iris", "Jonathan",
    "Kim", "Leopold", "Mia", "Nathalie", "Otto", "Penelope", "Rosa", "Sebastian", "Tom", "Uma",
)  # fmt: skip
THINGS = (
    "apple", "bread", "cider", "dates", "eggs", "figs", "grapes", "honey", "icing", "jam",
    "kiwi", "lemon", "mango", "nuts", "olives", "pears", "quince", "radish", "sage", "thyme",
)  # fmt: skip


def _ranking(rng: Random, names: Names) -> CallCase:
    people = rng.sample(PEOPLE, 3)
    values = rng.sample(range(2, 60), 3)
    best = sorted(people, key=lambda name: -values[people.index(name)])
    return CallCase((dict(zip(people, values, strict=True)), 9), best, best[::-1])


def _tied_ranking(rng: Random, names: Names) -> CallCase:
    while True:
        people = sorted(rng.sample(PEOPLE, 2))
        if len(people[0]) > len(people[1]):
            value = rng.randint(2, 60)
            return CallCase((dict.fromkeys(people, value), 9), people, people[::-1])


def _default_ranking(rng: Random, names: Names) -> CallCase:
    limit = int(names["limit"])
    people = rng.sample(PEOPLE, limit + 2)
    table = {name: rng.randint(2, 60) for name in people}
    return CallCase((table,), limit, int(names["wrong_limit"]), wrap="len({call})")


def _one_name(rng: Random, names: Names) -> CallCase:
    name, other = rng.sample(PEOPLE, 2)
    return CallCase(({name: rng.randint(2, 60)}, rng.randint(1, 9)), [name], [other])


TOP = Routine(
    stems=("top_{n}", "best_{n}"),
    nouns=NUMBERS,
    signature="$p: dict[str, int], limit: int = $default",
    returns="list[str]",
    wrong_returns="dict[str, int]",
    spec="Return at most `limit` names of `$p`, which maps names to numbers: the highest numbers "
    "first, and names with equal numbers in alphabetical order.",
    summaries=("Return the names with the highest numbers.", "Rank the names, best first."),
    bodies=(
        """
        ranked = sorted($p, key=lambda name: ($sign$p[name], $tie))
        return ranked[:limit]
        """,
        """
        pairs = list($p.items())
        pairs.sort(key=lambda pair: (${sign}pair[1], $tie))
        return [name for name, _ in pairs[:limit]]
        """,
    ),
    constants=lambda rng: rng.choice(
        (
            {"limit": "3", "wrong_limit": "2"},
            {"limit": "4", "wrong_limit": "3"},
            {"limit": "2", "wrong_limit": "3"},
            {"limit": "3", "wrong_limit": "4"},
        )
    ),
    bugs=(
        Bug(
            hole="sign",
            kind="wrong_sort_direction",
            weight=3,
            good=("-", "-"),
            bad=("", ""),
            active="ranks the lowest numbers first",
            passive="the names are sorted from the lowest number up",
            case=_ranking,
        ),
        Bug(
            hole="tie",
            kind="wrong_on_ties",
            weight=2,
            good=("name", "pair[0]"),
            bad=("len(name)", "len(pair[0])"),
            active="orders names with equal numbers by their length",
            passive="ties are broken by the length of the names",
            case=_tied_ranking,
        ),
        Bug(
            hole="default",
            kind="wrong_default",
            weight=2,
            good=("$limit", "$limit"),
            bad=("$wrong_limit", "$wrong_limit"),
            active="sets the default of `limit` to $wrong_limit instead of $limit",
            passive="`limit` defaults to $wrong_limit instead of $limit",
            case=_default_ranking,
        ),
    ),
    example=_one_name,
    complexity="O(n log n)",
)


def _capital_group(rng: Random, names: Names) -> CallCase:
    word = rng.choice(THINGS)
    title = word.capitalize()
    return CallCase(([title],), {word[0]: [title]}, {title[0]: [title]})


def _empty_word(rng: Random, names: Names) -> CallCase:
    word = rng.choice(THINGS)
    words = ["", word] if rng.random() < 0.5 else [word, ""]
    return CallCase((words,), {word[0]: [word]}, IndexError)


def _same_initial(rng: Random, names: Names) -> CallCase:
    word = rng.choice(THINGS)
    other = word[0] + rng.choice(("arc", "elt", "ilo", "ona", "unit"))
    return CallCase(([word, other],), {word[0]: [word, other]}, {word[0]: [other, word]})


def _two_groups(rng: Random, names: Names) -> CallCase:
    word, other = rng.sample(THINGS, 2)
    right = {word[0]: [word], other[0]: [other]}
    return CallCase(([word, other],), right, {word[0]: [other], other[0]: [word]})


GROUPS = Routine(
    stems=("group_{n}", "{n}_by_initial"),
    nouns=WORDS,
    signature="$p: list[str]",
    returns="dict[str, list[str]]",
    wrong_returns="dict[str, str]",
    spec="Group the words of `$p` by their first letter. The keys are lower case, the words of a "
    "group keep their order, and empty strings are skipped.",
    summaries=("Group the words by first letter.", "Return the words under their initials."),
    bodies=(
        """
        groups: dict[str, list[str]] = {}
        for word in $p:
            if $blank:
                continue
            groups.setdefault($key, []).$add
        return groups
        """,
        """
        groups: dict[str, list[str]] = {}
        for word in $p:
            if $blank:
                continue
            initial = $key
            if initial not in groups:
                groups[initial] = []
            groups[initial].$add
        return groups
        """,
    ),
    bugs=(
        Bug(
            hole="key",
            kind="case_sensitivity",
            weight=2,
            good=("word[0].lower()", "word[0].lower()"),
            bad=("word[0].strip()", "word[0]"),
            active="does not convert the keys to lower case",
            passive="the keys keep their case",
            case=_capital_group,
        ),
        Bug(
            hole="blank",
            kind="blank_entry",
            weight=3,
            good=("not word", 'word == ""'),
            bad=("word is None", 'word == " "'),
            active="crashes on an empty string",
            passive="empty strings are not skipped",
            case=_empty_word,
        ),
        Bug(
            hole="add",
            kind="wrong_order",
            weight=2,
            good=("append(word)", "append(word)"),
            bad=("insert(0, word)", "insert(0, word)"),
            active="reverses the order within a group",
            passive="new words are put at the front of their group",
            case=_same_initial,
        ),
    ),
    example=_two_groups,
)


def _repeated_key(rng: Random, names: Names) -> CallCase:
    key = rng.choice(THINGS)
    first, second = rng.sample(range(2, 99), 2)
    return CallCase(([(key, first), (key, second)],), {key: first}, {key: second})


def _capital_key(rng: Random, names: Names) -> CallCase:
    key, value = rng.choice(THINGS), rng.randint(2, 99)
    return CallCase(([(key.capitalize(), value)],), {key: value}, {key.capitalize(): value})


def _two_keys(rng: Random, names: Names) -> CallCase:
    (a, b), (x, y) = rng.sample(THINGS, 2), rng.sample(range(2, 99), 2)
    return CallCase(([(a, x), (b, y)],), {a: x, b: y}, {a: y, b: x})


FIRSTS = Routine(
    stems=("first_{n}", "initial_{n}"),
    nouns=NUMBERS,
    signature="$p: list[tuple[str, int]]",
    returns="dict[str, int]",
    wrong_returns="dict[int, str]",
    spec="Turn the pairs `(name, number)` of `$p` into a dictionary with lower-case names. If a "
    "name comes up again, its first number stays.",
    summaries=("Keep the first number of each name.", "Map each name to its first number."),
    bodies=(
        """
        firsts: dict[str, int] = {}
        for name, number in $p:
            $store
        return firsts
        """,
        """
        firsts: dict[str, int] = {}
        for name, number in $p:
            key = $key
            $store
        return firsts
        """,
    ),
    bugs=(
        Bug(
            hole="store",
            kind="wrong_precedence",
            weight=3,
            good=(
                "firsts.setdefault($key, number)",
                "if key not in firsts:\n    firsts[key] = number",
            ),
            bad=("firsts.update({$key: number})", "if key is not None:\n    firsts[key] = number"),
            active="lets a later number replace the first one",
            passive="the first number is overwritten by later ones",
            case=_repeated_key,
        ),
        Bug(
            hole="key",
            kind="case_sensitivity",
            weight=2,
            good=("name.lower()", "name.lower()"),
            bad=("name.strip()", "name.strip()"),
            active="keeps capitals in the names",
            passive="the names are not converted to lower case",
            case=_capital_key,
        ),
    ),
    example=_two_keys,
    complexity="O(n)",
)


def _equal_lengths(rng: Random, names: Names) -> CallCase:
    while True:
        first, second = rng.sample(THINGS, 2)
        if len(first) == len(second):
            return CallCase(([first, second],), first, second)


def _different_lengths(rng: Random, names: Names) -> CallCase:
    while True:
        first, second = rng.sample(THINGS, 2)
        if len(first) != len(second):
            return CallCase(
                ([first, second],), max(first, second, key=len), min(first, second, key=len)
            )


LONGEST = Routine(
    stems=("longest_of_{n}", "longest_among_{n}"),
    nouns=WORDS,
    signature="$p: list[str]",
    returns="str",
    wrong_returns="int",
    spec="Return the longest string of `$p`. Of several equally long ones take the first, and "
    "return an empty string for an empty list.",
    summaries=("Return the longest string.", "Find the entry with the most letters."),
    bodies=(
        """
        longest = $start
        for word in $p:
            if len(word) $beats len(longest):
                longest = word
        return longest
        """,
        """
        best = $start
        size = len(best)
        for word in $p:
            length = len(word)
            if length $beats size:
                best, size = word, length
        return best
        """,
    ),
    bugs=(
        Bug(
            hole="start",
            kind="missing_empty_case",
            weight=3,
            good=('""', '""'),
            bad=("$p[0]", "$p[0]"),
            active="fails for an empty list",
            passive="the first entry is read even if the list is empty",
            case=lambda rng, names: CallCase(([],), "", IndexError),
        ),
        Bug(
            hole="beats",
            kind="wrong_on_ties",
            weight=2,
            good=(">", ">"),
            bad=(">=", ">="),
            active="returns the last of several equally long strings",
            passive="equally long strings replace the first one",
            case=_equal_lengths,
        ),
    ),
    example=_different_lengths,
    complexity="O(n)",
)

ROUTINES = (TOP, GROUPS, FIRSTS, LONGEST)
