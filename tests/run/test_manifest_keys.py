"""Nobody reads a manifest by string keys: they are the fields of one record."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import rmaudit

PACKAGE = Path(rmaudit.__file__).parent
HOME = PACKAGE / "run" / "manifest.py"


def reads(tree: ast.AST) -> Iterator[ast.expr]:
    """Subscripts by a string, and `.get` with one, of anything named like a manifest."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            of, key = node.value, node.slice
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("get", "pop", "setdefault")
            and node.args
        ):
            of, key = node.func.value, node.args[0]
        else:
            continue
        named = isinstance(key, ast.JoinedStr) or (
            isinstance(key, ast.Constant) and isinstance(key.value, str)
        )
        if named and "manifest" in ast.unparse(of).lower():
            yield node


def test_no_string_key_of_a_manifest_outside_its_module() -> None:
    found = [
        f"{path.relative_to(PACKAGE.parent)}:{node.lineno}: {ast.unparse(node)}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path != HOME
        for node in reads(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_what_would_be_found() -> None:
    for text in (
        'manifest["target"]',
        'run.manifest()["judge"]["spec"]',
        'self.manifest.get("x", {}).get("y")',
        'manifests[0]["seeds"]',
        'manifest.as_dict()["status"]',
    ):
        assert list(reads(ast.parse(text))), text
    assert not list(reads(ast.parse('manifest.prompts; manifest.sets[0].name; found["manifest"]')))
