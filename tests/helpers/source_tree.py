"""The project's own source, read as syntax trees: modules, imports, sizes, names.

In: the project folder. Out: one Module a file, with what the architecture and documentation tests ask.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("extractor", "indexing", "pipeline")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Import:
    """One imported module name; `lazy` inside a function, `typing_only` under TYPE_CHECKING."""

    name: str
    line: int
    lazy: bool
    typing_only: bool


@dataclass(frozen=True)
class Module:
    """One Python file of a package."""

    path: Path

    @cached_property
    def source(self) -> str:
        """The file's text."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """The file's syntax tree."""
        return ast.parse(self.source, str(self.path))

    @property
    def relative(self) -> str:
        """The path below the project, with slashes."""
        return self.path.relative_to(PROJECT).as_posix()

    @property
    def name(self) -> str:
        """The dotted module name; a package's __init__ is the package."""
        return self.relative.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def package(self) -> str:
        """The top-level package."""
        return self.name.split(".")[0]

    @cached_property
    def imports(self) -> list[Import]:
        """Every import, relative ones resolved; `from a import b` is a.b where that is a module."""
        return list(self._imports(self.tree, lazy=False, typing_only=False))

    def functions(self) -> Iterator[Function]:
        """Every function and method, nested ones included."""
        for node in ast.walk(self.tree):
            if isinstance(node, Function):
                yield node

    def _imports(self, node: ast.AST, *, lazy: bool, typing_only: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                for alias in child.names:
                    yield Import(alias.name, child.lineno, lazy, typing_only)
            elif isinstance(child, ast.ImportFrom):
                source = self._absolute(child)
                for alias in child.names:
                    full = f"{source}.{alias.name}"
                    yield Import(full if is_module(full) else source, child.lineno, lazy, typing_only)
            else:
                yield from self._imports(
                    child,
                    lazy=lazy or isinstance(child, Function | ast.Lambda),
                    typing_only=typing_only or _is_typing_guard(child),
                )

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.name.split(".")
        if self.path.name != "__init__.py":
            parts = parts[:-1]
        base = parts[: len(parts) - (node.level - 1)]
        return ".".join([*base, *([node.module] if node.module else [])])


def is_module(name: str) -> bool:
    """Tell whether the dotted name is a module or package of this project."""
    path = PROJECT.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def modules(*packages: str) -> list[Module]:
    """Return the modules of the packages (all three by default), sorted by path."""
    roots = packages or PACKAGES
    return [Module(path) for root in roots for path in sorted((PROJECT / root).rglob("*.py"))]


def third_party(module: Module) -> Iterator[Import]:
    """Yield the imports that come neither from the standard library nor from this project."""
    own = {*PACKAGES, "tests", "scripts"}
    for item in module.imports:
        top = item.name.split(".")[0]
        if top not in own and top not in sys.stdlib_module_names:
            yield item


def words_of(identifier: str) -> list[str]:
    """Split a name at underscores and capitals: "PageSource" and "page_source" are page, source."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", identifier)]


def _is_typing_guard(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
