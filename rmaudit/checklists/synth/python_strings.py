"""Functions over text that the `python` family asks for, with their bugs."""

from __future__ import annotations

from random import Random

from rmaudit.checklists.synth.python_routines import TEXTS, Bug, CallCase, Names, Routine

MIRRORS = (
    "level", "radar", "kayak", "rotor", "civic", "refer", "tenet", "madam", "deified", "racecar",
    "reviver", "rotator", "solos", "minim", "stats", "redder",
)  # fmt: skip
MIRROR_PHRASES = (
    "was it a rat i saw?", "step on no pets!", "too bad, i hid a boot", "don't nod", "top spot!",
    "red rum, sir, is murder", "yo, banana boy!", "evil olive!", "nurses run!", "borrow or rob?",
    "live not on evil!", "madam, i'm adam", "do geese see god?", "rise to vote, sir",
)  # fmt: skip
SIMPLE_WORDS = (
    "tea", "milk", "rice", "salt", "corn", "mint", "lime", "kale", "plum", "beet", "leek", "oats",
    "fish", "cake", "soup", "beans",
)  # fmt: skip


def _mixed_case_mirror(rng: Random, names: Names) -> CallCase:
    return CallCase((rng.choice(MIRRORS).capitalize(),), True, False)


def _marked_mirror(rng: Random, names: Names) -> CallCase:
    return CallCase((rng.choice(MIRROR_PHRASES),), True, False)


def _no_mirror(rng: Random, names: Names) -> CallCase:
    return CallCase((rng.choice(SIMPLE_WORDS),), False, True)


PALINDROME = Routine(
    stems=("is_palindrome_{n}", "{n}_is_palindrome"),
    nouns=TEXTS,
    signature="$p: str",
    returns="bool",
    wrong_returns="str",
    spec="Return whether `$p` reads the same backwards. Only letters count, and upper and lower "
    "case are the same.",
    summaries=("Return whether the text is a palindrome.", "Check if the letters read alike."),
    bodies=(
        """
        letters = [$lower for ch in $p if $keep]
        return letters == letters[::-1]
        """,
        """
        cleaned = [$lower for ch in $p if $keep]
        start, end = 0, len(cleaned) - 1
        while start < end:
            if cleaned[start] != cleaned[end]:
                return False
            start, end = start + 1, end - 1
        return True
        """,
    ),
    bugs=(
        Bug(
            hole="lower",
            kind="case_sensitivity",
            weight=3,
            good=("ch.lower()", "ch.casefold()"),
            bad=("ch.strip()", "ch.strip()"),
            active="compares the letters with their case",
            passive="upper and lower case are told apart",
            case=_mixed_case_mirror,
        ),
        Bug(
            hole="keep",
            kind="punctuation_kept",
            weight=2,
            good=("ch.isalpha()", "ch.isalpha()"),
            bad=("not ch.isspace()", "not ch.isspace()"),
            active="skips spaces but keeps punctuation",
            passive="only spaces are skipped, and punctuation stays",
            case=_marked_mirror,
        ),
    ),
    example=_no_mirror,
    complexity="O(n)",
)


def _mixed_case_words(rng: Random, names: Names) -> CallCase:
    word, other = rng.sample(SIMPLE_WORDS, 2)
    text = f"{word.capitalize()} {other} {word}"
    return CallCase((text,), {word: 2, other: 1}, {word.capitalize(): 1, other: 1, word: 1})


def _marked_words(rng: Random, names: Names) -> CallCase:
    word, other = rng.sample(SIMPLE_WORDS, 2)
    mark = rng.choice("!?")
    return CallCase(
        (f"{word}{mark} {other} {word}",),
        {word: 2, other: 1},
        {word + mark: 1, other: 1, word: 1},
    )


def _plain_words(rng: Random, names: Names) -> CallCase:
    word, other = rng.sample(SIMPLE_WORDS, 2)
    return CallCase((f"{word} {other} {word}",), {word: 2, other: 1}, {word: 1, other: 2})


COUNTS = Routine(
    stems=("count_words_in_{n}", "word_counts_of_{n}"),
    nouns=TEXTS,
    signature="$p: str",
    returns="dict[str, int]",
    wrong_returns="dict[str, str]",
    spec="Return how often each word occurs in `$p`. Words are separated by whitespace and "
    "counted in lower case, without any of the characters `.,!?` at their ends.",
    summaries=("Count the words of the text.", "Return the number of uses of each word."),
    bodies=(
        """
        counts: dict[str, int] = {}
        for word in $p.split():
            key = $lower.strip($marks)
            counts[key] = counts.get(key, 0) + 1
        return counts
        """,
        """
        counts: dict[str, int] = {}
        for raw in $p.split():
            word = raw.strip($marks)
            entry = $lower
            if entry not in counts:
                counts[entry] = 0
            counts[entry] += 1
        return counts
        """,
    ),
    bugs=(
        Bug(
            hole="lower",
            kind="case_sensitivity",
            weight=3,
            good=("word.lower()", "word.lower()"),
            bad=("word.strip()", "word.strip()"),
            active="counts the same word in upper and lower case apart",
            passive="the words are not converted to lower case",
            case=_mixed_case_words,
        ),
        Bug(
            hole="marks",
            kind="punctuation_kept",
            weight=2,
            good=('".,!?"', '".,!?"'),
            bad=('".,;:"', '".,;:"'),
            active="does not strip exclamation and question marks",
            passive="exclamation and question marks stay at the words",
            case=_marked_words,
        ),
    ),
    example=_plain_words,
    complexity="O(n)",
)


def _shifted(text: str, shift: int, size: int = 26) -> str:
    """The lower-case text with every letter moved on, in an alphabet of `size`."""
    moved = [(ord(ch) - ord("a") + shift) % size for ch in text]
    return "".join(chr(ord("a") + position) for position in moved)


def _wrapped(rng: Random, names: Names) -> CallCase:
    while True:
        word, shift = rng.choice(SIMPLE_WORDS), rng.randint(3, 20)
        if _shifted(word, shift) != _shifted(word, shift, 25):
            return CallCase((word, shift), _shifted(word, shift), _shifted(word, shift, 25))


def _short_move(rng: Random) -> tuple[str, int]:
    """A word and a shift that stays in the alphabet."""
    word = rng.choice(SIMPLE_WORDS)
    return word, rng.randint(1, ord("x") - ord(max(word)))


def _capitalised(rng: Random, names: Names) -> CallCase:
    word, shift = _short_move(rng)
    return CallCase(
        (word.capitalize(), shift), _shifted(word, shift).capitalize(), _shifted(word, shift)
    )


def _unwrapped(rng: Random, names: Names) -> CallCase:
    word, shift = _short_move(rng)
    return CallCase(
        (word, shift), _shifted(word, shift), _shifted(word, shift + rng.choice((-1, 1)))
    )


CAESAR = Routine(
    stems=("shift_{n}", "caesar_{n}"),
    nouns=TEXTS,
    signature="$p: str, shift: int",
    returns="str",
    wrong_returns="list",
    spec="Return `$p` with every letter moved `shift` places on in the alphabet, starting over "
    "after z. Keep upper and lower case, and leave other characters alone.",
    summaries=("Move each letter on in the alphabet.", "Encode the text with a Caesar cipher."),
    bodies=(
        """
        encoded = []
        for ch in $p:
            if ch.isalpha():
                $base
                ch = chr(base + (ord(ch) - base + shift) % $size)
            encoded.append(ch)
        return "".join(encoded)
        """,
        """
        def move(ch: str) -> str:
            if not ch.isalpha():
                return ch
            $base
            return chr((ord(ch) - base + shift) % $size + base)

        return "".join(move(ch) for ch in $p)
        """,
    ),
    bugs=(
        Bug(
            hole="size",
            kind="off_by_one",
            weight=3,
            good=("26", "26"),
            bad=("25", "25"),
            active="wraps around after 25 letters instead of 26",
            passive="the alphabet wraps around after 25 letters instead of 26",
            case=_wrapped,
        ),
        Bug(
            hole="base",
            kind="case_lost",
            weight=2,
            good=('base = ord("A") if ch.isupper() else ord("a")',) * 2,
            bad=('ch = ch.lower()\nbase = ord("a")',) * 2,
            active="turns capitals into small letters",
            passive="capital letters are not kept",
            case=_capitalised,
        ),
    ),
    example=_unwrapped,
    complexity="O(n)",
)


def _trailing(rng: Random, names: Names) -> CallCase:
    key, number = rng.choice(SIMPLE_WORDS), str(rng.randint(2, 99))
    return CallCase((f"{key}={number}{names['sep']}",), {key: number}, {key: number, "": ""})


def _two_signs(rng: Random, names: Names) -> CallCase:
    key, first, second = rng.sample(SIMPLE_WORDS, 3)
    return CallCase(
        (f"{key}={first}={second}",), {key: f"{first}={second}"}, {f"{key}={first}": second}
    )


def _spaces_around(rng: Random, names: Names) -> CallCase:
    key, number = rng.choice(SIMPLE_WORDS), str(rng.randint(2, 99))
    return CallCase((f"{key} = {number}",), {key: number}, {key: f" {number}"})


def _two_pairs(rng: Random, names: Names) -> CallCase:
    (a, b), (x, y) = rng.sample(SIMPLE_WORDS, 2), rng.sample(range(2, 99), 2)
    text = f"{a}={x}{names['sep']}{b}={y}"
    return CallCase((text,), {a: str(x), b: str(y)}, {a: str(y), b: str(x)})


PARSE = Routine(
    stems=("parse_{n}", "read_{n}"),
    nouns=(
        "settings",
        "options",
        "fields",
        "params",
        "headers",
        "flags",
        "pairs",
        "attributes",
        "filters",
        "limits",
        "rules",
        "defaults",
        "cookies",
        "metadata",
    ),
    params=(
        "text",
        "line",
        "raw",
        "source",
        "entry",
        "record",
        "header",
        "query",
        "payload",
        "content",
        "setup",
        "row",
    ),
    signature="$p: str",
    returns="dict[str, str]",
    wrong_returns="dict[str, int]",
    spec="Turn pairs such as `a=1${sep}b=2` into a dictionary. Only the first `=` of a pair "
    "separates key and value, spaces around both are removed, and empty pairs are skipped.",
    summaries=("Parse the pairs of keys and values.", "Return the pairs as a dictionary."),
    bodies=(
        """
        result: dict[str, str] = {}
        for piece in $p.split("$sep"):
            if $blank:
                continue
            key, _, value = piece.$cut("=")
            result[key.strip()] = $clean
        return result
        """,
        """
        result: dict[str, str] = {}
        pieces = $p.split("$sep")
        for key, _, value in (piece.$cut("=") for piece in pieces):
            if $blank:
                continue
            result[key.strip()] = $clean
        return result
        """,
    ),
    constants=lambda rng: {"sep": rng.choice((";", "|", "&", ","))},
    bugs=(
        Bug(
            hole="blank",
            kind="blank_entry",
            weight=2,
            good=("not piece.strip()", "not key.strip()"),
            bad=("piece.strip() is None", "key.strip() is None"),
            active="keeps the empty pair after a trailing separator",
            passive="empty pairs are not skipped",
            case=_trailing,
        ),
        Bug(
            hole="cut",
            kind="wrong_split",
            weight=3,
            good=("partition", "partition"),
            bad=("rpartition", "rpartition"),
            active="splits at the last `=` instead of the first",
            passive="the pairs are split at their last `=` instead of the first",
            case=_two_signs,
        ),
        Bug(
            hole="clean",
            kind="whitespace_kept",
            weight=2,
            good=("value.strip()", "value.strip()"),
            bad=("str(value)", "str(value)"),
            active="leaves the space in front of the value",
            passive="values are not stripped of spaces",
            case=_spaces_around,
        ),
    ),
    example=_two_pairs,
    complexity="O(n)",
)

ROUTINES = (PALINDROME, COUNTS, CAESAR, PARSE)
