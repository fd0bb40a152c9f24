"""`glyphdex text`: the text of one file, page by page, in this process.

In: a file and page ranges. Out: text with form feeds between pages, or a line of JSON a page. It must not
know of stores.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

import click

from pipeline.cli.pdf_file import FILE, PASSWORD_FILE, extract, open_file

GAP = 3.0
"""A gap over this many median glyph advances divides columns (R11)."""


class TextCommand(click.Command):
    """A command whose option --columns may stand without its value before the file's name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give --columns its default where no number follows."""
        filled: list[str] = []
        for place, argument in enumerate(args):
            filled.append(argument)
            if argument == "--columns" and not _is_number(args[place + 1 : place + 2]):
                filled.append(str(GAP))
        return super().parse_args(ctx, filled)


def _is_number(arguments: list[str]) -> bool:
    try:
        return bool(arguments) and float(arguments[0]) is not None
    except ValueError:
        return False


@click.command(cls=TextCommand, short_help="Print the text of one PDF.")
@FILE
@click.option("--pages", default="", metavar="RANGES", help='Pages to print, for example "1-3,7,10-".')
@click.option("--layout", is_flag=True, help="Set the text on a character grid, as the page looks.")
@click.option(
    "--columns",
    type=click.FloatRange(min=0),
    metavar="[K]",
    help=f"Read columns one after the other; gaps over K glyph widths divide them, {GAP:g} by default.",
)
@click.option("--bom", is_flag=True, help="Begin with a byte order mark.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a page, one a line.")
@PASSWORD_FILE
def command(file: str, pages: str, as_json: bool, password_file: str | None, **form: Any) -> None:
    """Print the text of FILE, with a form feed between pages.

    Exit code: 0; 2 where the file cannot be opened; 3 where a page failed (its reason is on standard error).
    """
    import extractor
    from pipeline.page_ranges import PageRangeError, parse_ranges
    from pipeline.reading import UnreadableFileError

    if form["layout"] and form["columns"] is not None:
        raise click.UsageError("--layout and --columns are two ways to order the text: choose one")
    if form["bom"] and as_json:
        raise click.UsageError("JSON has no byte order mark: leave out --bom")
    try:
        with open_file(file, password_file)[0] as document:
            indices = parse_ranges(pages, len(document))
            results = _results(document, indices, _form(form["layout"], form["columns"]))
            sys.stdout.write("\ufeff" if form["bom"] else "")
            failed = _print_pages(file, results, as_json)
    except PageRangeError as error:
        raise click.UsageError(str(error)) from error
    except (extractor.ExtractionError, UnreadableFileError) as error:
        _refuse(file, str(error.reason), str(error), as_json)
    raise SystemExit(3 if failed else 0)


def _form(layout: bool, columns: float | None) -> Callable[[Any], str]:
    """Return what makes the text of a page in the form asked for."""
    if layout:
        return lambda page: str(page.layout_text())
    if columns is not None:
        return lambda page: str(page.column_text(columns))
    return lambda page: str(page.text())


def _results(
    document: Any, indices: list[int], text_of: Callable[[Any], str]
) -> Iterator[tuple[int, dict[str, Any]]]:
    for index in indices:
        try:
            result, page = extract(document, index)
            text = text_of(page) if result.status == "ok" else ""
        except (MemoryError, RecursionError) as error:
            yield index, _failure("limit", f"the page asks for too much: {type(error).__name__}")
            continue
        yield (
            index,
            {
                "label": result.label,
                "text": text.encode("utf-8", "replace").decode("utf-8"),
                "counts": asdict(result.counts),
                "status": result.status,
                "reason": result.reason,
                "message": result.message,
                "flags": [str(flag) for flag in result.flags],
                "issues": [str(issue) for issue in result.issues],
            },
        )


def _failure(reason: str, message: str) -> dict[str, Any]:
    return {"text": "", "counts": {}, "status": "failed", "reason": reason, "message": message, "issues": []}


def _print_pages(file: str, results: Iterator[tuple[int, dict[str, Any]]], as_json: bool) -> int:
    """Print pages as they are done and return how many failed."""
    from pipeline.paths import path_text, shown

    failed = 0
    for count, (index, page) in enumerate(results):
        if as_json:
            line = {"file": path_text(file), "page": index + 1, **page}
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
        else:
            sys.stdout.write(("\f" if count else "") + page["text"] + "\n")
        sys.stdout.flush()
        if page["status"] != "ok":
            failed += 1
            click.echo(
                f"{shown(path_text(file))}: page {index + 1}: {page['reason']}: {page['message']}", err=True
            )
    return failed


def _refuse(file: str, reason: str, message: str, as_json: bool) -> None:
    from pipeline.paths import path_text, shown

    name = path_text(file)
    message = message.encode("utf-8", "replace").decode("utf-8")
    if as_json:
        line = {
            "file": name,
            "page": None,
            "text": "",
            "status": "failed",
            "reason": reason,
            "message": message,
        }
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    click.echo(f"{shown(name)}: {reason}: {message}", err=True)
    raise SystemExit(2)
