"""The architecture, proved: who may import whom, what costs nothing to start, how large things may grow."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.helpers.command import run_python
from tests.helpers.source_tree import PACKAGES, PROJECT, Module, modules, third_party, words_of

MAY_IMPORT = {"extractor": set(), "indexing": set(), "pipeline": {"extractor", "indexing"}}
"""The ladder across packages."""

MAY_USE = {
    "extractor": {"numpy", "pypdf", "fontTools", "pdfminer", "pikepdf"},
    "indexing": {"numpy", "pyarrow", "whoosh"},
    "pipeline": {"numpy", "pyarrow", "apache_beam", "click", "rich", "pypdfium2", "PIL"},
}
"""The third-party libraries that each package may know."""

ADAPTERS = {
    "pypdf": {"extractor/decryption.py", "extractor/pypdf_objects.py"},
    "click": {"pipeline/cli/"},
    "pypdfium2": {"pipeline/drawing.py"},
}
"""Libraries that are known in one place only: a file, or a folder."""

TABLES_OF_PDFMINER = {"pdfminer.cmapdb", "pdfminer.fontmetrics", "pdfminer.utils"}
"""CMaps, standard-14 widths, PDFDocEncoding; nothing else of pdfminer.six takes part."""

MOST_LINES = 400
MOST_FUNCTION_LINES = 45
NAMES_THAT_SAY_NOTHING = {
    "util",
    "utils",
    "helper",
    "helpers",
    "manager",
    "handler",
    "processor",
    "base",
    "misc",
}
NAMES_THAT_SAY_NOTHING |= {"info", "data"}
NAMES_OF_OTHERS = {"_data", "get_data"}
"""Members of pypdf's streams, overridden by ours."""
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK|raise NotImplementedError|placeholder)\b")

ALL = modules()
each_module = pytest.mark.parametrize("module", ALL, ids=[module.relative for module in ALL])


def test_there_are_modules_to_judge() -> None:
    assert {module.package for module in ALL} == set(PACKAGES)
    assert len(ALL) > 30


@each_module
def test_ladder_across_packages(module: Module) -> None:
    for item in module.imports:
        top = item.name.split(".")[0]
        assert top not in {"tests", "scripts", "configs"}, (
            f"{module.relative}:{item.line} imports {item.name}"
        )
        if top in PACKAGES and top != module.package:
            assert top in MAY_IMPORT[module.package], f"{module.relative}:{item.line} imports {item.name}"
            assert item.name == top, f"{module.relative}:{item.line}: only the root of {top}, not {item.name}"


@each_module
def test_third_party_libraries(module: Module) -> None:
    for item in third_party(module):
        top = item.name.split(".")[0]
        where = f"{module.relative}:{item.line} imports {item.name}"
        assert top in MAY_USE[module.package], where
        homes = ADAPTERS.get(top)
        assert homes is None or any(module.relative.startswith(home) for home in homes), where
        assert top != "pdfminer" or item.name in TABLES_OF_PDFMINER, f"{where}: only its tables"


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_within_a_package_have_an_order(package: str) -> None:
    """No cycles, counting the imports inside functions too: an order of files exists."""
    graph = {module.name: _inner_imports(module) for module in modules(package)}
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail("imports go round: " + " -> ".join(error.args[1]))
    assert order


@pytest.mark.parametrize("package", PACKAGES)
def test_file_order_is_the_documented_one(package: str) -> None:
    """ARCHITECTURE.md lists every file of the package, and a file imports only files listed above it."""
    listed = documented_order(package)
    actual = [module for module in modules(package) if not _is_bare_init(module)]
    assert sorted(listed) == sorted(module.name for module in actual)
    position = {name: index for index, name in enumerate(listed)}
    for module in actual:
        for name in _inner_imports(module) & position.keys():
            assert position[name] < position[module.name], f"{module.name} imports {name}, listed below it"


@each_module
def test_beam_is_imported_at_module_level_only_where_ingest_loads_it_lazily(module: Module) -> None:
    beam = [
        item for item in third_party(module) if item.name.startswith("apache_beam") and not item.typing_only
    ]
    eager = [item for item in beam if not item.lazy]
    assert not eager or module.package == "pipeline"
    assert not eager or not module.relative.startswith("pipeline/cli/"), (
        f"{module.relative} imports Beam on loading"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["search", "--help"],
        ["search", "no-such-store", "word"],
        ["text", "--help"],
        ["ingest", "--help"],
    ],
    ids=" ".join,
)
def test_commands_that_never_load_beam(arguments: list[str]) -> None:
    seen = run_python(
        "-c",
        "import sys\n"
        "from pipeline.cli.main import main\n"
        "try:\n"
        "    main(sys.argv[1:])\n"
        "except SystemExit:\n"
        "    pass\n"
        "print('LOADED', *sorted({name.split('.')[0] for name in sys.modules}))\n",
        *arguments,
    )
    loaded = seen.stdout.rpartition("LOADED")[2].split()
    assert "click" in loaded, seen.stderr
    assert "apache_beam" not in loaded


def test_the_extractor_loads_neither_beam_nor_arrow_nor_whoosh() -> None:
    seen = run_python("-c", "import extractor, sys; print(*sys.modules)")
    assert seen.returncode == 0, seen.stderr
    loaded = {name.split(".")[0] for name in seen.stdout.split()}
    assert not loaded & {"apache_beam", "pyarrow", "whoosh", "click", "rich", "indexing", "pipeline"}


def test_indexing_loads_nothing_of_pdf_or_beam() -> None:
    seen = run_python("-c", "import indexing, sys; print(*sys.modules)")
    assert seen.returncode == 0, seen.stderr
    loaded = {name.split(".")[0] for name in seen.stdout.split()}
    assert not loaded & {"apache_beam", "pypdf", "pdfminer", "fontTools", "extractor", "pipeline"}


@each_module
def test_sizes(module: Module) -> None:
    assert len(module.source.splitlines()) <= MOST_LINES
    for function in module.functions():
        lines = (function.end_lineno or 0) - function.lineno + 1
        assert lines <= MOST_FUNCTION_LINES, (
            f"{module.relative}:{function.lineno} {function.name}: {lines} lines"
        )


@each_module
def test_nothing_is_unfinished(module: Module) -> None:
    found = UNFINISHED.search(module.source)
    assert not found, f"{module.relative} holds {found and found.group()}"


@each_module
def test_names_say_something(module: Module) -> None:
    names = [*module.name.split("."), *(function.name for function in module.functions())]
    names += [node.name for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)]
    for name in set(names) - NAMES_OF_OTHERS:
        assert not set(words_of(name)) & NAMES_THAT_SAY_NOTHING, f"{module.relative}: {name}"


@each_module
def test_no_exception_is_hidden(module: Module) -> None:
    """No bare except; `except Exception` has to do something with what it caught."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler):
            where = f"{module.relative}:{node.lineno}"
            assert node.type is not None, where
            broad = {"Exception", "BaseException"} & set(_names(node.type))
            assert not broad or not isinstance(node.body[0], ast.Pass | ast.Continue), where


@each_module
def test_no_mutable_module_state(module: Module) -> None:
    """No `global`; a module-level list, dict or set is a table, named in capitals and never changed."""
    assert not [node for node in ast.walk(module.tree) if isinstance(node, ast.Global)]
    for name, line in _module_level_containers(module):
        if name == "__all__":
            continue
        assert name.isupper(), f"{module.relative}:{line}: {name}"
        changed = rf"(?<!\w){name}(\.(append|add|update|setdefault|pop|clear|extend|insert)\(|\[[^\]]+\] = )"
        assert not re.search(changed, module.source), f"{module.relative} changes {name}"


def documented_order(package: str) -> list[str]:
    """Return the modules of a package in the order of the lists in ARCHITECTURE.md."""
    text = (PROJECT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    files = re.findall(rf"^- `({package}/[\w/]+\.py)`", text, re.MULTILINE)
    return [file.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for file in files]


def _inner_imports(module: Module) -> set[str]:
    own = {item.name for item in module.imports if item.name.split(".")[0] == module.package}
    return own - {module.name}


def _is_bare_init(module: Module) -> bool:
    return module.path.name == "__init__.py" and not module.imports


def _names(node: ast.expr) -> Iterator[str]:
    for child in ast.walk(node):
        if isinstance(child, ast.Name):
            yield child.id


def _module_level_containers(module: Module) -> Iterator[tuple[str, int]]:
    literals = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
    for node in module.tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, literals):
            for target in targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.lineno
