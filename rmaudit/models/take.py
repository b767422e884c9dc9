"""Takes a text out of a file of source code or documentation. Nothing of the file is run.

What a `Take` says is a fact about a file: which constant, key or block of it holds the words.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Where = Annotated[str, StringConstraints(min_length=1, max_length=200)]
DEEPEST = 100
"""Constants that one may be made of."""
_FENCE = re.compile(r"^(`{3,}|~{3,})[^\n`]*\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)


class Take(BaseModel):
    r"""Where a text stands in a file, one way of these, or `words` that are ours.

    path: the file, where there are several. python: a constant by its dotted name, through classes,
    functions, keys of a dict and keywords of a call. json: keys and numbers of places, with dots;
    JSON lines are a list. between: what stands after the first text and before the second, which is
    '' for the end of the file. whole: all of it. fence: the number of a fenced block, alone or with
    python in it. quoted: what was taken is the inside of a string with \n in it. dedent: a block
    that is indented. words: what a published prompt leaves to its user, or joins its parts with.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str = ""
    python: Where | None = None
    json_: Annotated[Where | None, Field(alias="json")] = None
    between: Annotated[tuple[Where, str], Field(strict=False)] | None = None
    whole: bool = False
    fence: Annotated[int | None, Field(ge=1)] = None
    quoted: bool = False
    dedent: bool = False
    words: Annotated[str, StringConstraints(max_length=200)] | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        ways = [self.python, self.json_, self.between, self.whole or None, self.words]
        given = sum(way is not None for way in ways)
        if given > 1 or (given == 0 and self.fence is None):
            raise ValueError("one of python, json, between, whole, fence and words")
        if self.fence is not None and not (given == 0 or self.python):
            raise ValueError("in a fenced block only python is looked for")
        return self


def take(text: str, how: Take) -> str:
    """The text that is there.

    Raises:
        ValueError: it is not there.
    """
    if how.words is not None:
        return how.words
    if how.fence is not None:
        text = _fenced(text, how.fence)
    if how.python is not None:
        found = _python(text, how.python)
    elif how.json_ is not None:
        found = _json(text, how.json_)
    elif how.between is not None:
        found = _between(text, *how.between)
    else:
        found = text
    if how.quoted:
        found = _unquoted(found)
    return textwrap.dedent(found) if how.dedent else found


def _fenced(text: str, number: int) -> str:
    blocks = [match[2] for match in _FENCE.finditer(text)]
    if len(blocks) < number:
        raise ValueError(f"it has {len(blocks)} fenced blocks, and not {number}")
    return blocks[number - 1]


def _between(text: str, after: str, before: str) -> str:
    _, found, rest = text.partition(after)
    inside, closed, _ = rest.partition(before) if before else (rest, "end", "")
    if not found or not closed:
        raise ValueError(f"it does not hold {after!r} with {before or 'its end'!r} after it")
    return inside


def _unquoted(text: str) -> str:
    try:
        value = json.loads(f'"{text}"', strict=False)
    except ValueError as error:
        raise ValueError(f"what stands there is not the inside of a string: {error}") from None
    return str(value)


def _json(text: str, path: str) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        try:
            value = [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError as error:
            raise ValueError(f"it is neither JSON nor JSON lines: {error}") from None
    for key in path.split("."):
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            raise ValueError(f"it has nothing at {path} (no {key})")
    return _text(value, path)


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} is no text there")
    return value


def _python(text: str, name: str) -> str:
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"it is no Python that can be read: {error}") from None
    try:
        return _value(_named(module, name.split("."), name), module, DEEPEST)
    except RecursionError:
        raise ValueError(f"{name} is nested too deep") from None


def _named(node: ast.AST, keys: list[str], name: str) -> ast.expr:
    """The expression behind a dotted name."""
    found = node
    for key in keys:
        step = _step(found, key)
        if step is None:
            raise ValueError(f"it has no {name} (no {key})")
        found = step
    if not isinstance(found, ast.expr):
        raise ValueError(f"{name} is no text there")
    return found


def _step(node: ast.AST, key: str) -> ast.AST | None:
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
        found: ast.AST | None = None
        for statement in node.body:  # the last assignment is the one that counts
            if isinstance(statement, ast.ClassDef | ast.FunctionDef) and statement.name == key:
                found = statement
            elif (
                isinstance(statement, ast.Assign)
                and any(
                    isinstance(target, ast.Name) and target.id == key
                    for target in statement.targets
                )
            ) or (
                isinstance(statement, ast.AnnAssign)
                and isinstance(statement.target, ast.Name)
                and statement.target.id == key
            ):
                found = statement.value
        return found
    if isinstance(node, ast.Dict):
        for name, value in zip(node.keys, node.values, strict=True):
            if isinstance(name, ast.Constant) and name.value == key:
                return value
    if isinstance(node, ast.Call):
        return next((one.value for one in node.keywords if one.arg == key), None)
    return None


def _value(node: ast.expr, module: ast.Module, left: int) -> str:
    """A text, or texts that are added up; a name is that of the module."""
    if left == 0:
        raise ValueError("it is made of too many parts, or of itself")
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _value(node.left, module, left - 1) + _value(node.right, module, left - 1)
    if isinstance(node, ast.Name):
        return _value(_named(module, [node.id], node.id), module, left - 1)
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "strip"
        and not node.args
        and not node.keywords
    ):
        return _value(node.func.value, module, left - 1).strip()
    raise ValueError(f"line {node.lineno} of it is no constant text")
