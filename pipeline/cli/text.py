"""`glyphdex text`: the text of one file, page by page, in this process.

In: a file and page ranges. Out: text with form feeds between pages, or a line of JSON a page. It must not
know of stores.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

_RECURSION_LIMIT = 5000
"""Deeply nested objects are met in real files; the extractor guards its own depth, pypdf does not always."""


@click.command(short_help="Print the text of one PDF.")
@click.argument("file", type=click.Path(path_type=str))
@click.option("--pages", default="", metavar="RANGES", help='Pages to print, for example "1-3,7,10-".')
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a page, one a line.")
@click.option("--password-file", type=click.Path(), help="File with one password a line.")
def command(file: str, pages: str, as_json: bool, password_file: str | None) -> None:
    """Print the text of FILE, with a form feed between pages.

    Exit code: 0; 2 where the file cannot be opened; 3 where a page failed (its reason is on standard error).
    """
    import extractor
    from pipeline.page_ranges import PageRangeError, parse_ranges
    from pipeline.reading import UnreadableFileError

    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
    try:
        with _opened(file, password_file) as document:
            indices = parse_ranges(pages, len(document))
            failed = _print_pages(file, _results(document, indices), as_json)
    except PageRangeError as error:
        raise click.UsageError(str(error)) from error
    except (extractor.ExtractionError, UnreadableFileError) as error:
        _refuse(file, str(error.reason), str(error), as_json)
    raise SystemExit(3 if failed else 0)


def _opened(file: str, password_file: str | None) -> Any:
    from pipeline.paths import path_text
    from pipeline.reading import UnreadableFileError, open_bytes, open_document, passwords_for

    known: list[str] = []
    if password_file is not None:
        try:
            known = [line for line in Path(password_file).read_text("utf-8").splitlines() if line]
        except (OSError, UnicodeDecodeError) as error:
            raise click.UsageError(f"password file {password_file}: {error}") from error
    name = path_text(file)
    source = open_bytes(name, sys.maxsize)
    try:
        return open_document(source, passwords_for(name, known, sidecar=True), {})
    except (MemoryError, RecursionError) as error:
        raise UnreadableFileError("limit", f"the file asks for too much: {type(error).__name__}") from error


def _results(document: Any, indices: list[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    import extractor

    for index in indices:
        try:
            result = extractor.extract_page(document, index)
        except (MemoryError, RecursionError) as error:
            yield index, _failure("limit", f"the page asks for too much: {type(error).__name__}")
            continue
        counts = {name: int(getattr(result.counts, name)) for name in _COUNTS}
        yield (
            index,
            {
                "label": result.label,
                "text": result.text.encode("utf-8", "replace").decode("utf-8"),
                "counts": counts,
                "status": result.status,
                "reason": result.reason,
                "message": result.message,
                "flags": [str(flag) for flag in result.flags],
                "issues": [str(issue) for issue in result.issues],
            },
        )


_COUNTS = (
    "painted",
    "visible",
    "overprinted",
    "off_page",
    "hidden",
    "unmapped",
    "inserted_spaces",
    "from_forms",
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
