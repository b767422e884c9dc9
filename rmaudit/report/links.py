"""Links from what a page says to the items that show it, with how many there are."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

Shows = Mapping[int, Mapping[str, Collection[str]]]
"""By run and by what is said of it, the ids of the items that show it."""


class LinkPlace(NamedTuple):
    """What a link filters by."""

    run: int
    facet: str
    value: str


class ItemsLink(NamedTuple):
    """A link to the items of one run with a value: `href` is '' where the page shows none.

    shown, total: how many of them are on the page, and in the run. example: the worst of them.
    """

    href: str
    shown: int
    total: int
    example: str

    @property
    def words(self) -> str:
        """`198 items`, `150 of 198 items`."""
        noun = "item" if self.total == 1 else "items"
        part = f"{self.shown:,} of " if self.href and self.shown < self.total else ""
        return f"{part}{self.total:,} {noun}"


NO_ITEMS = ItemsLink("", 0, 0, "")


def links(
    places: Mapping[LinkPlace, Sequence[int]],
    ids: Sequence[str],
    *,
    shown: Collection[int],
    several: bool,
) -> dict[LinkPlace, ItemsLink]:
    """The links, each with the address that the page's own filter writes for it.

    Args:
        places: of the items of each link, worst first.
        ids: of all items, by place.
        shown: places of the items on the page.
        several: the page has more than one run, so that a link names its own.
    """
    there = frozenset(shown)
    found = {}
    for place, members in places.items():
        count = sum(member in there for member in members)
        state = ({"run": str(place.run)} if several else {}) | {place.facet: place.value}
        href = f"#{urlencode(state, errors='replace')}" if count else ""
        found[place] = ItemsLink(href, count, len(members), ids[members[0]])
    return found
