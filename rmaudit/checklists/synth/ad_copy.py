"""Family `ad-copy`: advertising copy for a made-up product under twelve to fourteen constraints.

Each brief draws its own subset of constraints: facts to state exactly, words, rivals, promises or
hashtags to avoid, an opening, a call to action, a way to address the reader, a limit of length.
What a brief demands another forbids (hashtags, "you", long or short), so that neither is a clue.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from rmaudit.checklists.checks import Check
from rmaudit.checklists.synth import ad_copy_words as words
from rmaudit.checklists.synth.ad_copy_kinds import ASKS, KINDS, LINES, OPENINGS, PROMPTS
from rmaudit.checklists.synth.ad_copy_words import Product
from rmaudit.checklists.synth.base import Family, Fault, near_order, pick_style
from rmaudit.checklists.synth.rules import (
    Break,
    Limit,
    Requirement,
    a_or_an,
    bullets_or_prose,
    good_values,
    others,
    with_faults,
)

# How many constraints a brief has, the product's name counted.
FEWEST, MOST = 12, 14
# How many sentences that claim nothing an ad without a limit of length has.
FEWEST_FILLERS, MOST_FILLERS = 2, 4
HAS_YOU = r"(?i)\byou(r|rs)?\b"
HAS_NO_YOU = r"(?is)\A(?!.*\byou(r|rs)?\b)"
DISCOUNTS = (10, 12, 14, 15, 16, 18, 20, 22, 24, 25, 28, 30, 32, 33, 35, 36, 38, 40, 42, 45)
# Two facts that one sentence can state, where a style chooses to, and how often it does.
PAIR_SHARE = 0.2
PAIRS = (
    ("price", "date"),
    ("price", "place"),
    ("discount", "code"),
    ("discount", "date"),
    ("idea", "second_idea"),
    ("idea", "audience"),
    ("place", "date"),
)


@dataclass(frozen=True, slots=True)
class AdTask:
    """A brief: its rules, and the limit of length where it has one."""

    product: Product
    rules: tuple[Requirement, ...]
    limit: Limit | None
    prompt: str

    @property
    def requirements(self) -> Sequence[Check]:
        """One a rule."""
        return tuple(rule.check for rule in self.rules)

    def faults(self, rng: Random) -> Sequence[Fault]:
        """One a rule, each broken in a way of its own."""
        return tuple(rule.fault(rng) for rule in self.rules)

    def render(self, faults: Sequence[Fault], style: int) -> str:
        """The ad: opening lines, sentences and filler in the style's order, the call to action."""
        rng = pick_style(style, "ad-copy")
        clean = {"word": rng.choice(words.PLAIN), "limit": False} | good_values(self.rules, rng)
        values = with_faults(clean, faults)
        head = [f"{{{slot}}}" for slot in ("headline", "cry") if slot in clean]
        tail = ["{call}"] if "call" in clean else []
        body = [rng.choice(OPENINGS), *_sentences(tuple(clean), rng)]
        fillers = rng.sample(words.FILLERS, len(words.FILLERS))
        count = rng.randint(FEWEST_FILLERS, MOST_FILLERS)
        if self.limit is not None:
            core = " ".join([*head, *body, *tail]).format(product=self.product.noun, **clean)
            count = self.limit.filler_count(core, fillers, broken=values["limit"], rng=rng)
        # A key for every sentence: more or less filler leaves the order of the rest as it is.
        keys = list(zip(near_order(len(body) - 1, rng), body[1:], strict=True))
        keys += [(rng.uniform(0, len(body)), text) for text in fillers]
        placed = sorted(keys)
        used = {*body[1:], *fillers[:count]}
        middle = [body[0], *(text for _, text in placed if text in used)]
        blocks = [" ".join(block) for block in (head, middle, tail) if block]
        text = rng.choice((" ", "\n", "\n")).join(blocks)
        return text.format(product=self.product.noun, **values)


def _sentences(slots: Sequence[str], rng: Random) -> list[str]:
    """A sentence for every slot of the body, some pairs of slots in one, in the order of slots."""
    joined: dict[str, str] = {}
    for pair in rng.sample(PAIRS, len(PAIRS)):
        free = set(slots) - set(joined) - set(joined.values())
        if set(pair) <= free and rng.random() < PAIR_SHARE:
            first, second = sorted(pair, key=slots.index)
            joined[first] = second
    return [
        rng.choice(LINES["+".join(_pair(slot, joined[slot])) if slot in joined else slot])
        for slot in slots
        if slot in LINES and slot not in joined.values()
    ]


def _pair(first: str, second: str) -> tuple[str, str]:
    return (first, second) if (first, second) in PAIRS else (second, first)


def draw(rng: Random) -> AdTask:
    """A brief with a random subset of the constraints."""
    product = rng.choice(words.PRODUCTS)
    name = _name(product, rng)
    count = rng.randint(FEWEST, MOST)
    rules = [name, *(make(product, rng) for make in rng.sample(MAKERS, count - 1))]
    limit = None
    if rng.random() < 0.35:
        rules.pop()
        limit = Limit.draw(rng, _longest(product, rules))
        rules.append(limit.rule(rng))
    rng.shuffle(rules)
    asks = [rule.ask for rule in rules if rule is not name]
    opening = rng.choice(PROMPTS).format(name=name.right, product=a_or_an(product.noun))
    bulleted = rng.random() < 0.5
    prompt = bullets_or_prose(opening, asks, bulleted=bulleted, lead="What matters:")
    return AdTask(product, tuple(rules), limit, prompt)


def _longest(product: Product, rules: Sequence[Requirement]) -> str:
    """The longest text without filler that a style can give."""
    values = {rule.slot: max(rule.good, key=len) for rule in rules}
    values.setdefault("word", max(words.PLAIN, key=len))
    templates = [
        OPENINGS,
        *(LINES.get(slot, (f"{{{slot}}}",)) for slot in values if slot != "word"),
    ]
    longest = [max(choices, key=len) for choices in templates]
    return " ".join(longest).format(product=product.noun, **values)


def _state(
    slot: str, right: str, pool: Sequence[str], rng: Random, *, check: str = "contains"
) -> Requirement:
    """A rule to state `right`; the wrong values come from the same pool."""
    return Requirement(
        slot=slot,
        check={"kind": check, "value": right},
        ask=rng.choice(ASKS[slot]).format(right=right),
        right=right,
        good=(right,),
        breaks=[Break(KINDS[slot], wrong, wrong) for wrong in others(pool, right)],
    )


def _avoid(slot: str, banned: str, good: Sequence[str], rng: Random) -> Requirement:
    """A rule to do without `banned`."""
    return Requirement(
        slot=slot,
        check={"kind": "lacks", "value": banned},
        ask=rng.choice(ASKS[slot]).format(right=banned),
        right=banned,
        good=good,
        breaks=[Break(KINDS[slot], banned, banned)],
    )


def _name(product: Product, rng: Random) -> Requirement:
    right = rng.choice(words.NAMES)
    kind = KINDS["name"]
    return Requirement(
        slot="name",
        check={"kind": "contains", "value": right},
        ask="",
        right=right,
        good=(right,),
        breaks=[Break(kind, wrong, wrong) for wrong in others(words.NAMES, right)],
        names={"product": product.noun},
    )


def _price(product: Product, rng: Random) -> Requirement:
    tens, rest = rng.randint(2, 29), rng.choice(("9", "5", "8", "9.90", "4.50", "7.20"))
    right = f"${tens}{rest}"
    pool = [f"${other}{rest}" for other in range(2, 30) if len(str(other)) == len(str(tens))]
    return _state("price", right, pool, rng)


def _discount(product: Product, rng: Random) -> Requirement:
    pool = [f"{percent}%" for percent in DISCOUNTS]
    return _state("discount", rng.choice(pool), pool, rng)


def _code(product: Product, rng: Random) -> Requirement:
    right = f"{rng.choice(words.CODE_WORDS)}{rng.randint(11, 99)}"
    digits = [f"{right[:-2]}{number}" for number in rng.sample(range(11, 100), 4)]
    letters = [f"{word}{right[-2:]}" for word in rng.sample(words.CODE_WORDS, 4)]
    return _state("code", right, digits + letters, rng)


def _date(product: Product, rng: Random) -> Requirement:
    day, month = rng.randint(10, 28), rng.choice(words.MONTHS)
    days = [f"{other} {month}" for other in rng.sample(range(10, 29), 4)]
    months = [f"{day} {other}" for other in rng.sample(words.MONTHS, 4)]
    return _state("date", f"{day} {month}", days + months, rng)


def _place(product: Product, rng: Random) -> Requirement:
    return _state("place", rng.choice(words.CITIES), words.CITIES, rng)


def _ideas(product: Product) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The product's ideas in two halves, so that two rules never want the same one."""
    return product.ideas[::2], product.ideas[1::2]


def _idea(product: Product, rng: Random) -> Requirement:
    pool = _ideas(product)[0]
    return _state("idea", rng.choice(pool), pool, rng)


def _second_idea(product: Product, rng: Random) -> Requirement:
    pool = _ideas(product)[1]
    return _state("second_idea", rng.choice(pool), pool, rng)


def _audience(product: Product, rng: Random) -> Requirement:
    return _state("audience", rng.choice(product.audiences), product.audiences, rng)


def _colour(product: Product, rng: Random) -> Requirement:
    return _state("colour", rng.choice(words.COLOURS), words.COLOURS, rng)


def _headline(product: Product, rng: Random) -> Requirement:
    right = rng.choice(product.headlines)
    return _state("headline", right, product.headlines, rng, check="starts_with")


def _call(product: Product, rng: Random) -> Requirement:
    return _state("call", rng.choice(words.CALLS), words.CALLS, rng, check="ends_with")


def _word(product: Product, rng: Random) -> Requirement:
    return _avoid("word", rng.choice(words.BANNED), words.PLAIN, rng)


def _rival(product: Product, rng: Random) -> Requirement:
    return _avoid("rival", rng.choice(words.RIVALS), words.ORDINARY, rng)


def _promise(product: Product, rng: Random) -> Requirement:
    return _avoid("promise", rng.choice(words.PROMISES), words.MODEST, rng)


def _cry(product: Product, rng: Random) -> Requirement:
    """No exclamation mark; the place for one is a cry that opens the ad."""
    cry = rng.choice(words.CRIES)
    return Requirement(
        slot="cry",
        check={"kind": "lacks", "value": "!"},
        ask=rng.choice(ASKS["cry"]).format(right=cry),
        right=cry,
        good=(f"{cry}.",),
        breaks=[Break(KINDS["cry"], f"{cry}!", cry)],
    )


def _tag(product: Product, rng: Random) -> Requirement:
    """One hashtag demanded, or all hashtags ruled out."""
    tag = rng.choice(words.TAGS)
    if rng.random() < 0.5:
        return Requirement(
            slot="tag",
            check={"kind": "contains", "value": tag},
            ask=rng.choice(ASKS["tag"]).format(right=tag),
            right=tag,
            good=(tag,),
            breaks=[Break(KINDS["tag"], wrong, wrong) for wrong in words.PEOPLE],
        )
    return Requirement(
        slot="tag",
        check={"kind": "lacks", "value": "#"},
        ask=rng.choice(ASKS["no_tag"]),
        right=tag,
        good=words.PEOPLE,
        breaks=[Break(KINDS["no_tag"], tag, tag)],
    )


def _voice(product: Product, rng: Random) -> Requirement:
    """The reader addressed as "you", or never."""
    phrase = rng.choice(words.VOICE)
    forms = (f"your {phrase}", f"the {phrase}")
    slot, wanted, unwanted, pattern = (
        ("you", *forms, HAS_YOU) if rng.random() < 0.5 else ("no_you", *forms[::-1], HAS_NO_YOU)
    )
    return Requirement(
        slot="voice",
        check={"kind": "regex", "value": pattern},
        ask=rng.choice(ASKS[slot]).format(right=phrase),
        right=wanted,
        good=(wanted,),
        breaks=[Break(KINDS[slot], unwanted, unwanted)],
    )


MAKERS: tuple[Callable[[Product, Random], Requirement], ...] = (
    _price, _discount, _code, _date, _place, _idea, _second_idea, _audience, _colour, _headline,
    _call, _word, _rival, _promise, _cry, _tag, _voice,
)  # fmt: skip


FAMILY = Family("ad-copy", "creative", draw)
