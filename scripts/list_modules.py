"""List the modules of the packages, bottom-up, each with what its docstring says first.

In: the three packages. Out: the lists of ARCHITECTURE.md on stdout; with --write, they replace what
stands between its markers. A file comes after every file it imports; tests/test_architecture.py holds the
document to that.

Usage: python scripts/list_modules.py [--write]
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from tests.helpers.source_tree import PACKAGES, Module, modules  # noqa: E402

DOCUMENT = PROJECT / "ARCHITECTURE.md"


def bottom_up(package: str) -> list[Module]:
    """Return the modules of a package, each after those it imports, deeper folders first."""
    left = {
        module.name: module for module in modules(package) if module.imports or module.path.stem != "__init__"
    }
    ordered: list[Module] = []
    while left:
        ready = [m for m in left.values() if not {item.name for item in m.imports} & (left.keys() - {m.name})]
        if not ready:
            sys.exit(f"imports go round among: {', '.join(sorted(left))}")
        ready.sort(key=lambda module: (-module.relative.count("/"), module.relative))
        ordered.append(left.pop(ready[0].name))
    return ordered


def listing(package: str) -> str:
    """Return the package's list in Markdown."""
    return "".join(f"- `{module.relative}`: {_summary(module)}\n" for module in bottom_up(package))


def _summary(module: Module) -> str:
    return (ast.get_docstring(module.tree) or "").split("\n\n")[0].replace("\n", " ")


def with_lists(document: str) -> str:
    """Return the document with fresh lists between its markers."""
    for package in PACKAGES:
        marked = rf"(<!-- modules: {package} -->\n).*?(<!-- end -->)"
        fresh = listing(package).replace("\\", r"\\")
        document, count = re.subn(marked, rf"\g<1>{fresh}\g<2>", document, flags=re.DOTALL)
        if count != 1:
            sys.exit(f"{DOCUMENT.name} has {count} places for the modules of {package}, not one")
    return document


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        DOCUMENT.write_text(with_lists(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        print("\n".join(listing(package) for package in PACKAGES))
