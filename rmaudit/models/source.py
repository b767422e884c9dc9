"""Where a family's published prompt stands: the table `source` of a profile, facts alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from rmaudit.models.prompt_text import Braces, Message, Messages, Place, canonical, check
from rmaudit.models.take import Take, take

HOSTS = {
    "github": ("https://raw.githubusercontent.com/{repository}/{commit}/", "https://github.com/"),
    "huggingface": (
        "https://huggingface.co/{repository}/resolve/{commit}/",
        "https://huggingface.co/",
    ),
    "arxiv": ("", "https://arxiv.org/abs/"),
}
"""Where the files of a repository are read, and where its page is; of a paper the page alone."""
REPOSITORY = r"^((github|huggingface):[\w.-]+/[\w.-]+|arxiv:\d{4}\.\d{4,5})$"
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
FilePath = Annotated[str, StringConstraints(pattern=r"^[\w.-]+(?:/[\w.-]+)*$", max_length=200)]


class SourceMessage(BaseModel):
    """One message of the published prompt: what it is made of, and what its places are called.

    `fill`: what stands in its other places, such as a rubric.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: Annotated[str, StringConstraints(pattern="^(system|user)$")]
    take: Annotated[tuple[Take, ...], Field(min_length=1, max_length=8)]
    places: dict[str, Place] = {}
    fill: dict[str, Take] = {}
    braces: Braces = "plain"
    strip: bool = False


class SourceTable(BaseModel):
    """Where the published prompt stands.

    repository: `github:OWNER/NAME`, `huggingface:OWNER/NAME` or `arxiv:NUMBER`, a paper whose text
    holds it. commit, files (path and SHA-256), messages and prompt (the hash of what comes out) are
    there where it can be fetched; a place alone says where a user finds it. note: what a reader
    should know of it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    repository: Annotated[str, StringConstraints(pattern=REPOSITORY, max_length=120)]
    path: FilePath | None = None
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")] | None = None
    files: dict[FilePath, Sha256] = {}
    messages: Annotated[tuple[SourceMessage, ...], Field(max_length=4)] = ()
    prompt: Sha256 | None = None
    note: Annotated[str, StringConstraints(max_length=200)] = ""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        given = (self.commit is not None, bool(self.files), bool(self.messages), bool(self.prompt))
        if any(given) != all(given):
            raise ValueError("commit, files, messages and prompt go together")
        if any(given) == (self.path is not None):
            raise ValueError("it has files with their hashes, or the path of a place")
        if any(given) and self.repository.startswith("arxiv:"):
            raise ValueError("nothing can be fetched from a paper")
        if any(".." in path.split("/") for path in (*self.files, self.path or "")):
            raise ValueError("a path stays in the repository")
        for one in self.messages:
            for how in (*one.take, *one.fill.values()):
                if how.words is None and self.file_of(how) not in self.files:
                    raise ValueError(f"'{how.path}' is not among its files")
        return self

    @property
    def fetchable(self) -> bool:
        """Whether its files are known by their hashes."""
        return bool(self.files)

    @property
    def page(self) -> str:
        """The repository and file, as people read them."""
        host, _, name = self.repository.partition(":")
        return f"{HOSTS[host][1]}{name}, {', '.join(self.files) or self.path}"

    @property
    def base(self) -> str:
        """The address below which its files are, at the commit."""
        host, _, name = self.repository.partition(":")
        return HOSTS[host][0].format(repository=name, commit=self.commit)

    def file_of(self, how: Take) -> str:
        """The file that a text is taken from; the only one needs no name."""
        return how.path or (next(iter(self.files)) if len(self.files) == 1 else "")

    def read(self, texts: Mapping[str, str]) -> Messages:
        """The prompt that the files hold.

        Raises:
            ValueError: it is not where the table says; the message begins with the file.
        """
        found = tuple(self._message(one, texts) for one in self.messages)
        check(found)
        return found

    def _message(self, one: SourceMessage, texts: Mapping[str, str]) -> Message:
        text = "".join(self._taken(how, texts) for how in one.take)
        for name, how in one.fill.items():
            mark = f"{{{name}}}"
            if mark not in text:
                raise ValueError(f"{', '.join(self.files)}: the prompt has no place {name}")
            words = self._taken(how, texts)
            text = text.replace(mark, words)
        ours = canonical(text, one.places, one.braces)
        return Message.model_validate(
            {"role": one.role, "text": ours.strip() if one.strip else ours}
        )

    def _taken(self, how: Take, texts: Mapping[str, str]) -> str:
        path = self.file_of(how)
        try:
            return take("" if how.words is not None else texts[path], how)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
