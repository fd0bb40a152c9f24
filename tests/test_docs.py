"""The documentation, held against the code: commands exist, links resolve, every module says what it does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.list_modules import with_lists
from tests.helpers.command import run_glyphdex
from tests.helpers.source_tree import Function, Module, modules

DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CHANGELOG.md")
ALL = modules()
each_module = pytest.mark.parametrize("module", ALL, ids=[module.relative for module in ALL])


def commands() -> list[str]:
    from pipeline.cli.main import COMMANDS

    return list(COMMANDS)


def test_help_lists_the_commands() -> None:
    shown = run_glyphdex("--help")
    assert shown.returncode == 0
    section = shown.stdout.split("Commands:")[1]
    assert re.findall(r"^  (\w+)", section, re.MULTILINE) == commands()


@pytest.mark.parametrize("command", commands())
def test_every_command_is_in_the_readme_and_explains_itself(project: Path, command: str) -> None:
    assert f"`glyphdex {command}`" in (project / "README.md").read_text()
    shown = run_glyphdex(command, "--help")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith(f"Usage: glyphdex {command} ")


def test_every_command_in_the_documents_exists(project: Path) -> None:
    for name in DOCUMENTS:
        for command in re.findall(r"glyphdex ([a-z]+)\b", _code_of(project / name)):
            assert command in commands(), f"{name}: glyphdex {command}"


def test_every_option_in_the_readme_exists(project: Path) -> None:
    """Options on a line of code with a command belong to that command."""
    for line in _code_of(project / "README.md").splitlines():
        called = re.match(r"glyphdex (\w+) (.*)", line)
        if called:
            shown = run_glyphdex(called[1], "--help").stdout
            for option in re.findall(r"(?<!\S)--[a-z-]+", called[2].split("#")[0]):
                assert option in shown, f"{line}: {option}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_and_paths_resolve(project: Path, name: str) -> None:
    text = (project / name).read_text()
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith("https://") or (project / target).exists(), f"{name}: {target}"
    for path in re.findall(r"`((?:scripts|tests|configs|extractor|indexing|pipeline)/[\w./]*)`", text):
        assert (project / path).exists(), f"{name}: {path}"


def test_scripts_of_the_readme_are_there(project: Path) -> None:
    for script in re.findall(r"^\./(\S+)", _code_of(project / "README.md"), re.MULTILINE):
        assert (project / script).is_file(), script


def test_python_of_the_readme_runs(project: Path, samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _ = re.findall(r"```python\n(.*?)```", (project / "README.md").read_text(), re.DOTALL)
    exec(code.replace("paper.pdf", str(samples / "fake-bold.pdf")), {})
    printed = capsys.readouterr().out
    assert printed.startswith("2 Harbour logbook\nLighthouse inspection\n")
    assert "Counts(painted=" in printed


def test_searching_in_python_as_the_readme_shows_runs(
    project: Path, samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, code = re.findall(r"```python\n(.*?)```", (project / "README.md").read_text(), re.DOTALL)
    store = tmp_path / "papers-store"
    assert run_glyphdex("ingest", samples / "fake-bold.pdf", "--store", store).returncode == 0
    for shown, real in (
        ("papers-store", str(store)),
        ('"harbour dues" year:2019..', "lighthouse"),
        ("dues", "lighthouse"),
    ):
        assert shown in code
        code = code.replace(shown, real)
    names: dict[str, object] = {}
    exec(code, names)
    assert "Lighthouse" in capsys.readouterr().out
    assert names["marks"].boxes[0].text == "Lighthouse"  # type: ignore[attr-defined]


def test_module_lists_are_fresh(project: Path) -> None:
    text = (project / "ARCHITECTURE.md").read_text()
    assert with_lists(text) == text, "run: python scripts/list_modules.py --write"


def test_reasons_and_exit_codes_of_the_readme(project: Path) -> None:
    text = " ".join((project / "README.md").read_text().split())
    assert "Exit codes: 0 hits, 1 none, 2 error." in text
    assert (
        "3 done but some files failed, 4 another run holds the store, 5 stopped by the deletion guard" in text
    )


@each_module
def test_docstrings(module: Module) -> None:
    """Every module, public class and public function has one; a module says what goes in and out."""
    docstring = ast.get_docstring(module.tree)
    assert docstring, module.relative
    if module.path.name != "__init__.py":
        assert "In:" in docstring, f"{module.relative}: what comes in?"
        assert "Out:" in docstring, f"{module.relative}: what goes out?"
    for node, name in _public(module.tree):
        assert ast.get_docstring(node), f"{module.relative}:{node.lineno} {name}"


def _code_of(path: Path) -> str:
    """Return the shell code of a document, blocks and spans, one after the other."""
    text = path.read_text()
    blocks = re.findall(r"```(?:sh)?\n(.*?)```", text, re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))])


def _public(tree: ast.Module) -> Iterator[tuple[ast.ClassDef | Function, str]]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
            yield node, node.name
            for child in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(child, Function) and not child.name.startswith("_"):
                    yield child, f"{node.name}.{child.name}"
