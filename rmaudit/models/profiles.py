"""Profiles: how a family is prompted, sampled and read. Data in `templates/profiles/*.toml`.

A file of one's own has the same fields; `rmaudit fix --arm prompt` writes one with guidelines. A
profile holds no pattern and no code, and says nothing of judge, policy or budget.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from rmaudit.checklists.schema import Item
from rmaudit.engines.base import Sampling
from rmaudit.errors import InputError
from rmaudit.models import published
from rmaudit.models.profile_grammar import GrammarTables
from rmaudit.models.prompt_file import read_prompt
from rmaudit.models.prompt_text import (
    OF_USER,
    PUBLISHED,
    Messages,
    check,
    fill,
    of_one,
    template_of,
)
from rmaudit.models.source import SourceTable
from rmaudit.parsing.grammar import Grammar
from rmaudit.parsing.sides import Names
from rmaudit.prompts import (
    ALONE,
    GENERIC_PAIRWISE,
    GENERIC_POINTWISE,
    IN_OUR_WORDS,
    NOT_TRAINED_ON,
    OWN_WORDS,
    PRINCIPLE,
    ROLES,
    Prompt,
    PromptWords,
    Template,
    alone,
    load_template,
    own_words,
    own_words_template,
    pairwise,
    principle_role,
    response_roles,
)
from rmaudit.resources import folder
from rmaudit.text.toml import read_toml

SUFFIX = ".toml"
MOST_GUIDELINES, LONGEST_GUIDELINE = 20, 400

Guideline = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_GUIDELINE)
]


PromptSource = Literal["generic", "readme", "user", "own_words", "fetched"]

WHOSE: dict[PromptSource, str] = {
    "generic": "ours, for any model",
    "readme": "the checkpoint's own",
    "user": "of the user",
    "own_words": "in our words",
    "fetched": "the published one, fetched",
}
MESSAGES = "messages"
"""The prompt stands in the profile itself: that of a user."""
PROMPTS = (GENERIC_PAIRWISE, OWN_WORDS, ROLES, GENERIC_POINTWISE, ALONE, PRINCIPLE, MESSAGES)
OF_ONE = (GENERIC_POINTWISE, ALONE, PRINCIPLE)
"""Prompts about one response, without the other."""
PAIRWISE, POINTWISE, LISTWISE = "gen-pairwise", "gen-pointwise", "gen-listwise"
Adapter = Literal["gen-pairwise", "gen-pointwise", "gen-listwise"]


class AskTable(BaseModel):
    """What a prompt in our words asks for: the reasons, and the form of the verdict."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    reasons: Annotated[str, StringConstraints(min_length=1, max_length=2000)]
    verdict: Annotated[str, StringConstraints(min_length=1, max_length=2000)]


class Profile(GrammarTables):
    """One profile; unknown keys are refused.

    `guidelines` stand before the prompt; they are part of what is audited, as weights are.
    `prompt_source`: whose words the prompt is in: `generic` asks any model, `readme` is the
    family's own, read from the checkpoint, `user` a file of the user's, `own_words` ours in place
    of the published, and `fetched` the published one. `source` says where that one stands.
    `messages`: the prompt itself, of the user's own. `adapter`: both responses are judged in one
    call, each alone and the scores compared, or both are ranked as a list.
    Without the table `verdict` an answer is read as that of the profile `generic`.
    """

    name: str
    prompt: str
    temperature: Annotated[float, Field(ge=0)]
    top_p: Annotated[float, Field(gt=0, le=1)]
    top_k: Annotated[int, Field(ge=0)]
    max_tokens: Annotated[int, Field(ge=1)]
    guidelines: Annotated[tuple[Guideline, ...], Field(max_length=MOST_GUIDELINES)] = ()
    prompt_source: PromptSource = "generic"
    adapter: Adapter = "gen-pairwise"
    family: Annotated[str, StringConstraints(max_length=80)] = ""
    ask: AskTable | None = None
    source: SourceTable | None = None
    messages: Annotated[Messages, Field(max_length=8)] = ()

    @property
    def sampling(self) -> Sampling:
        """The sampling settings of the profile."""
        return Sampling(self.temperature, self.top_p, self.top_k, self.max_tokens)

    @property
    def asked(self) -> PromptWords:
        """What its prompt in our words asks for; only of such a profile."""
        if self.ask is None:
            raise ValueError(f"profile {self.name} has no table ask")
        names = self.called
        return PromptWords(names.nouns[0], names.a, names.b, self.ask.reasons, self.ask.verdict)

    @property
    def template(self) -> Template:
        """The template of its prompt, as a run records it."""
        if self.messages:
            return template_of(
                self.messages, PUBLISHED if self.prompt_source == "fetched" else OF_USER
            )
        if self.prompt in IN_OUR_WORDS:
            return own_words_template(self.asked, self.prompt)
        return load_template(self.prompt)

    @property
    def needs_logprobs(self) -> bool:
        """Whether its score is no text, but log-probabilities of two words."""
        return self.scale is not None and self.scale.reading == "log_odds"

    @property
    def pointwise(self) -> bool:
        """Whether each response is judged alone."""
        return self.adapter == POINTWISE

    def render_alone(self, item: Item, side: Literal["a", "b"], *, max_reasons: int) -> Prompt:
        """The prompt about one response of an item."""
        if self.messages:
            return fill(
                self.messages,
                item,
                side=side,
                max_reasons=max_reasons,
                guidelines=self.guidelines,
            )
        if self.prompt == PRINCIPLE:
            return principle_role(item, side=side)
        asked = self.asked if self.ask is not None else None
        return alone(item, asked, side=side, max_reasons=max_reasons, guidelines=self.guidelines)

    def render(self, item: Item, *, order: Literal["ab", "ba"], max_reasons: int) -> Prompt:
        """The prompt of one item in one order."""
        if self.messages:
            return fill(
                self.messages,
                item,
                order=order,
                max_reasons=max_reasons,
                guidelines=self.guidelines,
            )
        if self.prompt == OWN_WORDS:
            return own_words(item, self.asked, order=order, guidelines=self.guidelines)
        if self.prompt == ROLES:
            return response_roles(item, order=order)
        return pairwise(item, order=order, max_reasons=max_reasons, guidelines=self.guidelines)

    @property
    def caution(self) -> str:
        """What a reader has to know of the prompt; empty where there is nothing to say."""
        return NOT_TRAINED_ON if self.prompt_source == "own_words" else ""

    @property
    def remedy(self) -> str:
        """How its published prompt is asked instead."""
        if self.source is not None and self.source.fetchable:
            return f"rmaudit profile fetch {self.name}, or --prompt FILE"
        return "--prompt FILE"

    @property
    def whose(self) -> str:
        """Whose words its prompt is in, for people."""
        return WHOSE[self.prompt_source]

    @property
    def has_published(self) -> bool:
        """Whether its family was trained on a prompt that is published."""
        return self.prompt_source in ("own_words", "readme", "fetched")

    def asking(self, messages: Messages, whose: Literal["user", "fetched"]) -> Profile:
        """The profile with another prompt; what counts as a verdict stays."""
        return self.model_copy(
            update={
                "prompt": MESSAGES,
                "prompt_source": whose,
                "ask": None,
                "messages": messages,
            }
        )

    @property
    def called(self) -> Names:
        """What the prompt calls the responses."""
        return self.names.names

    @property
    def reads(self) -> Grammar:
        """What counts as a verdict in an answer, and where its reasons are."""
        if self.verdict is None:
            return generic_grammar()
        return self.grammar(self.name)


def is_shipped(name: str) -> bool:
    """Whether a profile of that name ships."""
    return (folder("templates") / "profiles" / f"{name}{SUFFIX}").is_file()


def load_profile(name: str) -> Profile:
    """The named profile, or the one in a TOML file; with the published prompt once it was fetched.

    Raises:
        InputError: there is none of that name, the file is no profile, or what is kept of its
            published prompt is another one.
    """
    found = read_profile(name)
    if found.prompt_source != "own_words" or found.source is None or not is_shipped(name):
        return found
    messages = published.kept(found.name, found.source)
    return found if messages is None else found.asking(messages, "fetched")


def asked_by(name: str, prompt: Path | None) -> Profile:
    """The profile, with the prompt of a user's file where there is one.

    Raises:
        InputError: there is no such profile, or the file is no prompt.
    """
    if prompt is None:
        return load_profile(name)
    # What was fetched does not matter, and need not be in order.
    found, messages = read_profile(name), read_prompt(prompt)
    if of_one(messages) != found.pointwise:
        raise InputError(
            f"{prompt} is a prompt about {'one response' if of_one(messages) else 'a pair'}, and "
            f"profile {found.name} is {found.adapter}",
            "{first} and {second} are the places of a pair, {response} that of one response",
        )
    return found.asking(messages, "user")


def read_profile(name: str) -> Profile:
    """The same as it stands in its file.

    Raises:
        InputError: there is none of that name, or the file is no profile.
    """
    shipped = folder("templates") / "profiles"
    own = name.endswith(SUFFIX)
    path = Path(name) if own else shipped / f"{name}{SUFFIX}"
    if not own and not path.is_file():
        raise InputError(
            f"no profile '{name}'",
            f"profiles: {', '.join(shipped_profiles())}; or a file that ends in .toml",
        )
    try:
        found = Profile.model_validate(read_toml(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}", "name a TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}", "mend the TOML at this place") from error
    except ValidationError as error:
        raise _bad_field(path, error) from error
    if found.prompt not in PROMPTS:
        raise InputError(
            f"{path}, prompt: no prompt '{found.prompt}'", f"prompts: {', '.join(PROMPTS)}"
        )
    _check_asked(path, found)
    _check_adapter(path, found)
    return found


def _check_asked(path: Path, found: Profile) -> None:
    if (found.prompt in IN_OUR_WORDS) != (found.ask is not None):
        raise InputError(
            f"{path}, ask: belongs to prompt {' and '.join(IN_OUR_WORDS)}, and to no other",
            "add or remove it",
        )
    if found.ask is not None and found.prompt_source not in ("own_words", "user"):
        raise InputError(
            f"{path}, prompt_source: a prompt in the table ask is no published one",
            "own_words, or user where the words are your own",
        )
    _check_messages(path, found)


def _check_adapter(path: Path, found: Profile) -> None:
    """A prompt about one response asks for one score, and nothing else does."""
    rated = found.scale is not None and found.scale.kind == "rating"
    alone = of_one(found.messages) if found.messages else found.prompt in OF_ONE
    if (alone, rated) != (found.pointwise, found.pointwise):
        raise InputError(
            f"{path}, adapter: {POINTWISE} goes with a prompt about one response "
            f"({', '.join(OF_ONE)}) and scale.kind rating, and neither goes without the others",
            "change one of the three",
        )


def _check_messages(path: Path, found: Profile) -> None:
    """A prompt that stands in a profile is whole, and is its user's."""
    whose = found.prompt_source
    if (found.prompt == MESSAGES) != bool(found.messages) or (
        found.prompt == MESSAGES and whose != "user"
    ):
        raise InputError(
            f'{path}, messages: go with prompt = "{MESSAGES}" and prompt_source = "user"',
            "change one of the three",
        )
    if whose == "fetched":
        raise InputError(
            f"{path}, prompt_source: fetched is what rmaudit profile fetch makes of own_words",
            "user, where the prompt is in this file",
        )
    try:
        if found.messages:
            check(found.messages)
    except ValueError as error:
        raise InputError(
            f"{path}, messages: {error}",
            "{request}, {first} and {second} are the places; {response} of a prompt about one",
        ) from error


def shipped_profiles() -> list[str]:
    """The names of the profiles that ship with rmaudit."""
    return sorted(file.stem for file in (folder("templates") / "profiles").glob(f"*{SUFFIX}"))


@cache
def generic_grammar() -> Grammar:
    """How answers to the generic prompt are read."""
    return load_profile("generic").reads


NOT_A_PROFILES = frozenset(
    "judge labeler policy engine max_calls budget target trust_remote_code remote_code code "
    "allow_pickle regex regexp pattern patterns verdict_regex waivers gate out".split()
)
"""Keys that a profile must not set: whoever is audited would choose its own examiner."""


def _bad_field(path: Path, error: ValidationError) -> InputError:
    details = error.errors(include_url=False)
    # What must not be there counts before what is missing.
    detail = next((one for one in details if one["type"] == "extra_forbidden"), details[0])
    where = ".".join(str(part) for part in detail["loc"])
    last = str(detail["loc"][-1]).casefold() if detail["loc"] else ""
    if detail["type"] == "extra_forbidden" and last in NOT_A_PROFILES:
        return InputError(
            f"{path}, {where}: a profile says how a model is prompted and read, nothing else",
            "judge, policy, budget and remote code are options of the command; patterns are texts",
        )
    fields = [name for name in Profile.model_fields if name != "names"]
    message = detail["msg"].removeprefix("Value error, ")
    return InputError(f"{path}, {where}: {message}", f"fields: {', '.join(['names', *fields])}")
