"""Hits for people: with colours on a terminal, with marks elsewhere.

In: a search result. Out: text on standard output; counts, notes and suggestions on standard error. It must
not search.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from pipeline.paths import shown

if TYPE_CHECKING:
    import indexing

_INDENT = "    "
_MOST_COPIES = 3
"""Other paths of a document that are written."""


class PlainPrinter:
    """Writes hits as text; what was found stands between two asterisks."""

    def heading(self, name: str, where: str) -> None:
        """Write the line that names a page or a document."""
        sys.stdout.write(f"{name}  {where}\n")

    def snippet(self, snippet: indexing.Snippet, lead: str) -> None:
        """Write a piece of text."""
        sys.stdout.write(f"{_INDENT}{lead}{marked_text(snippet)}\n")


class TerminalPrinter(PlainPrinter):
    """Writes hits with colours; NO_COLOR is respected."""

    def __init__(self) -> None:
        from rich.console import Console  # only on a terminal

        self._console = Console(highlight=False, soft_wrap=True)

    def heading(self, name: str, where: str) -> None:
        """Write the line that names a page or a document."""
        from rich.text import Text

        self._console.print(Text.assemble((name, "bold cyan"), "  ", (where, "dim")))

    def snippet(self, snippet: indexing.Snippet, lead: str) -> None:
        """Write a piece of text."""
        from rich.text import Text

        text = Text(_INDENT + lead + snippet.text)
        shift = len(_INDENT) + len(lead)
        for start, end in snippet.marks:
            text.stylize("bold yellow", start + shift, end + shift)
        self._console.print(text)


def print_result(result: indexing.SearchResult, offset: int) -> None:
    """Print the hits, or the documents with theirs, then facets; the rest goes to standard error."""
    printer = TerminalPrinter() if _is_terminal() else PlainPrinter()
    for group in result.groups:
        pages = f"{group.pages:,} of {_count(group.page_count or 0, 'page')}"
        printer.heading(shown(group.path), f"{pages}{_title(group.title)}  [{group.score:.2f}]")
        _print_copies(group.path, group.paths)
        for hit in group.hits:
            printer.snippet(hit.snippet, f"page {hit.page}: ")
    if not result.groups:
        for hit in result.hits:
            label = f" ({shown(hit.label)})" if hit.label and hit.label != str(hit.page) else ""
            where = f"page {hit.page}{label}{_title(hit.title)}{_found_in(hit.found_in)}  [{hit.score:.2f}]"
            printer.heading(shown(hit.path), where)
            _print_copies(hit.path, hit.paths)
            if hit.snippet.text:
                printer.snippet(hit.snippet, "")
    for name, values in result.facets.items():
        sys.stdout.write(f"{name}\n")
        for value in values:
            sys.stdout.write(
                f"{_INDENT}{value.pages:>7,} pages  {value.documents:>6,} documents  {shown(value.value)}\n"
            )
    print_remarks(result, offset)


def print_remarks(result: indexing.SearchResult, offset: int) -> None:
    """Print how much was found, suggestions and notes, to standard error."""
    counted = f"{_count(result.total, 'page')} in {_count(result.documents, 'document')}"
    first, last = offset + 1, offset + len(result.groups or result.hits)
    if result.hits:
        click.echo(f"{first:,}-{last:,} of {counted}", err=True)
    elif result.total:
        there = "is" if result.total == 1 else "are"
        click.echo(f"Nothing to show from {first:,} on: there {there} {counted}.", err=True)
    else:
        click.echo("Nothing found.", err=True)
    for suggestion in result.suggestions:
        click.echo(f"Did you mean: {suggestion}", err=True)
    for note in result.notes:
        click.echo(f"note: {note}", err=True)


def _count(number: int, thing: str) -> str:
    """Count things as one says it."""
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


def _print_copies(path: str, paths: tuple[str, ...]) -> None:
    """Write where else the same document lies."""
    others = [shown(other) for other in paths if other != path]
    if others:
        more = f" and {len(others) - _MOST_COPIES:,} more" if len(others) > _MOST_COPIES else ""
        sys.stdout.write(f"{_INDENT}also {', '.join(others[:_MOST_COPIES])}{more}\n")


def _found_in(fields: tuple[str, ...]) -> str:
    """Say where the words are if they are not in the text."""
    return f"  (in its {', '.join(fields)})" if fields and "text" not in fields else ""


def marked_text(snippet: indexing.Snippet) -> str:
    """Return a piece of text with each mark between two asterisks."""
    marked, at = "", 0
    for start, end in snippet.marks:
        marked += f"{snippet.text[at:start]}**{snippet.text[start:end]}**"
        at = end
    return marked + snippet.text[at:]


def _title(title: str) -> str:
    return f"  {shown(title)}" if title else ""


def _is_terminal() -> bool:
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
