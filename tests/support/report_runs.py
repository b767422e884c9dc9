"""Real runs over recorded answers for the tests of reports, and a parser of the page."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

from rmaudit.checklists.load import dump_item
from rmaudit.checklists.schema import Item
from rmaudit.checklists.sets import load_set
from rmaudit.config import ScanConfig
from rmaudit.report.html import write_html
from rmaudit.run.directory import RunDir
from rmaudit.scan.plan import make_plan
from rmaudit.scan.scan import scan
from rmaudit.terminal.screen import Silent
from support.answers import answer, swap_names, write_replay

SET = "synth:3:12:slogan"
Answers = Callable[[Item, str], str | dict[str, str] | None]


def boxed(item: Item, order: str, reasons: Iterable[str], *, right: bool = True) -> str:
    """An answer with these reasons, given in item coordinates, as shown in `order`."""
    good = item.label if right else {"a": "b", "b": "a"}[item.label]
    first = "a" if order == "ab" else "b"
    shown = [reason if order == "ab" else swap_names(reason) for reason in reasons]
    return answer(shown, "A>B" if good == first else "B>A")


def faithful(item: Item, order: str) -> str:
    return boxed(item, order, [reason.text for reason in item.reasons])


def vague(item: Item, order: str) -> str:
    return boxed(item, order, [f"Response {item.label.upper()} is clearer and more engaging."])


def unreadable(item: Item, order: str) -> str:
    return "I would rather not say."


def record(answers: Answers, items: Iterable[Item], name: str) -> None:
    rows = [
        {"item": item.id, "order": order, **(text if isinstance(text, dict) else {"text": text})}
        for item in items
        for order in ("ab", "ba")
        if (text := answers(item, order)) is not None
    ]
    write_replay(Path(f"{name}.jsonl"), rows)


KEPT: dict[object, Path] = {}


@cache
def kept() -> TemporaryDirectory[str]:
    """Where the runs of this process are kept; removed at its end."""
    return TemporaryDirectory()


def run_set(answers: Answers, name: str = "model", *, spec: str = SET, **options: object) -> RunDir:
    """A real run over recorded answers; one that was made before is copied, not made again."""
    options = {"judge": "builtin"} | options
    record(answers, load_set(spec).items, name)
    out = Path(f"run-{name}")
    is_file = Path(spec).is_file()
    items = Path(spec).read_text(encoding="utf-8") if is_file else ""
    key = answers, name, spec, items, tuple(sorted(options.items()))
    if key in KEPT:
        return RunDir(Path(shutil.copytree(KEPT[key], out)))
    config = ScanConfig(target=f"replay:{name}.jsonl", sets=(spec,), out=out, **options)
    run = scan(make_plan(config), Silent()).run
    KEPT[key] = Path(shutil.copytree(out, Path(kept().name, str(len(KEPT)))))
    return run


def run_items(
    answers: Answers, items: Iterable[Item], name: str = "model", **options: object
) -> RunDir:
    """A real run over items that a test made."""
    path = Path(f"set-{name}.jsonl")
    path.write_text("".join(dump_item(item) + "\n" for item in items))
    return run_set(answers, name, spec=str(path), **options)  # type: ignore[arg-type]


def slogans(n: int = 12) -> tuple[Item, ...]:
    return load_set(f"synth:3:{n}:slogan").items


class Page(HTMLParser):
    """Tags with their attributes, text, and the text of each element by class."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[tuple[str, list[str], list[str]]] = []
        self.found: list[tuple[str, list[str], str]] = []
        self.text = ""
        self.html = html
        self.feed(html)
        self.close()
        assert not self.open, "an element is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in ("meta", "input"):
            self.open.append((tag, (dict(attrs).get("class") or "").split(), []))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        for _, _, parts in self.open:
            parts.append(data)
        if self.open and self.open[-1][0] not in ("style", "script"):
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        opened, classes, parts = self.open.pop()
        assert opened == tag, f"</{tag}> closes <{opened}>"
        self.found.append((tag, classes, "".join(parts)))

    def all(self, tag: str, class_: str = "") -> list[str]:
        """Texts of the elements, each with its spaces made single; '' is any tag."""
        return [
            " ".join(text.split())
            for name, classes, text in self.found
            if tag in ("", name) and (not class_ or class_ in classes)
        ]

    def section(self, id_: str) -> str:
        """The page from the element with an id on."""
        return self.html[self.html.index(f'id="{id_}"') :]


def page_of(*runs: RunDir) -> Page:
    path = write_html(runs, Path("report.html"))
    return Page(path.read_text(encoding="utf-8"))
