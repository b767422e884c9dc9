"""`rmaudit profile`: the families of reward models that are known, and profiles of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rmaudit.cli.profile_fetch import fetch

if TYPE_CHECKING:
    from rmaudit.models.pasted import Taken

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Families of reward models: how each is prompted and read.",
)
NAME = typer.Argument(metavar="NAME|TOML", help="A profile's name, or a file of your own.")


app.command("fetch")(fetch)


@app.command("list")
def list_(
    markdown: Annotated[
        bool, typer.Option("--markdown", help="The table of families, for a page.")
    ] = False,
) -> None:
    """List the profiles that ship with rmaudit: form of the verdict, and whose prompt it is."""
    if markdown:
        from rmaudit.models.overview import markdown as table

        print(table())
        return
    from rmaudit.models.profiles import load_profile, shipped_profiles

    for name in shipped_profiles():
        profile = load_profile(name)
        forms = " or ".join(profile.reads.forms) or "any form"
        told = profile.whose + (f": {profile.caution}" if profile.caution else "")
        if profile.caution and profile.source is not None and profile.source.fetchable:
            told += " (profile fetch gets it)"
        print(f"{name:<24} {forms:<12} {told}")


@app.command()
def show(name: Annotated[str, NAME]) -> None:
    """Show a profile: its prompt, and what it takes for a verdict and for reasons."""
    from rmaudit.escaping import plain
    from rmaudit.models.profiles import load_profile

    profile = load_profile(name)
    hidden = {"source", "messages"}  # the first has lines of its own, the second is the prompt
    fields = profile.model_dump(mode="json", exclude_none=True, by_alias=True, exclude=hidden)
    width = max(map(len, fields))
    for key, value in fields.items():
        print(plain(f"{key:<{width}}  {value}"))
    print(f"{'prompt is':<{width}}  {profile.whose}")
    if profile.source is not None:
        print(f"{'published':<{width}}  {profile.source.page}")
        if profile.source.note:
            print(f"{'':<{width}}  {profile.source.note}")
    if profile.caution:
        print(f"{'caution':<{width}}  {profile.caution}")
        print(f"{'remedy':<{width}}  {profile.remedy}")
    print(plain(f"\n{profile.template.source}"))


@app.command("test")
def read_answers(
    name: Annotated[str, NAME],
    answers: Annotated[
        Path,
        typer.Argument(
            metavar="ANSWERS",
            help="Pasted answers with a line ===== between them, or TOML or JSON lines with what "
            "is expected.",
        ),
    ],
    json_: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Read pasted answers by a profile; exit 1 where one is not read as its file expects."""
    from rmaudit.escaping import plain
    from rmaudit.models.pasted import read_pasted, take
    from rmaudit.models.profiles import load_profile

    profile = load_profile(name)
    taken = [take(profile, answer) for answer in read_pasted(answers)]
    if json_:
        import json

        print(json.dumps([_as_dict(one) for one in taken], ensure_ascii=False))
    else:
        for number, one in enumerate(taken, start=1):
            print(plain("\n".join(_lines(number, one))))
        read = sum(one.parsed.decides for one in taken)
        wrong = sum(bool(one.differs) for one in taken)
        print(
            f"\n{read} of {len(taken)} with a {'score' if profile.pointwise else 'verdict'}"
            + (f", {wrong} differ" if wrong else "")
        )
    if any(one.differs for one in taken):
        raise typer.Exit(1)


def _lines(number: int, one: Taken) -> list[str]:
    judgment, parsed = one.parsed.judgment, one.parsed
    head = f"answer {number}" + (f" ({one.answer.kind})" if one.answer.kind else "")
    verdict: str = judgment.verdict or "no verdict"
    if one.alone:
        verdict = "no score" if parsed.rating is None else f"score {parsed.rating:g}"
    lines = [f"{head}: {verdict} · {judgment.outcome}"]
    if parsed.form:
        strength = "" if one.alone else f", strength {judgment.strength}"
        lines.append(f"  form      {parsed.form}{strength}")
    if parsed.passed:
        lines.append("  passed    something else in the form of a verdict does not count")
    if judgment.flags:
        lines.append(f"  flags     {', '.join(judgment.flags)}")
    for reason in judgment.reasons:
        side = reason.about or ("?" if reason.ambiguous else "-")
        lines.append(f"  reason {side:<2} {' '.join(reason.text.split())}")
    return lines + [f"  differs   {text}" for text in one.differs]


def _as_dict(one: Taken) -> dict[str, object]:
    judgment = one.parsed.judgment
    return {
        "kind": one.answer.kind,
        "verdict": None if one.alone else judgment.verdict,
        "strength": None if one.alone else judgment.strength,
        "rating": one.parsed.rating,
        "outcome": judgment.outcome,
        "form": one.parsed.form,
        "passed": one.parsed.passed,
        "flags": list(judgment.flags),
        "reasons": [{"text": one.text, "about": one.about} for one in judgment.reasons],
        "differs": list(one.differs),
    }
