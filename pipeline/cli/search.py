"""`glyphdex search`: pages that answer a question.

In: a store and a question. Out: hits for people, or JSON. It loads neither Beam nor Arrow, so that a cold
call is quick.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import indexing

NOTHING_FOUND = 1


@click.command(short_help="Find pages by words, phrases and fields.")
@click.argument("store", type=click.Path(path_type=Path))
@click.argument("query")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1), help="Hits to print.")
@click.option("--offset", default=0, type=click.IntRange(0), help="Hits to pass over first.")
@click.option("--strict", is_flag=True, help="Refuse a question that is not well formed instead of guessing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with all hits.")
def command(store: Path, query: str, limit: int, offset: int, strict: bool, as_json: bool) -> None:
    """Find the pages of STORE that answer QUERY, best first.

    Words, "phrases", AND OR NOT and brackets, prefix*, field:value. Exit code: 0 hits, 1 none, 2 error.
    """
    import indexing

    try:
        with indexing.open_index(store) as index:
            options = indexing.SearchOptions(strict=strict)
            result = index.search(query, limit, offset=offset, options=options)
    except indexing.IndexingError as error:
        click.echo(f"glyphdex: {error.message}", err=True)
        raise SystemExit(2) from error
    if as_json:
        sys.stdout.write(json.dumps(result_values(result), ensure_ascii=False) + "\n")
    else:
        _print_hits(result, offset)
    raise SystemExit(0 if result.hits else NOTHING_FOUND)


def result_values(result: indexing.SearchResult) -> dict[str, Any]:
    """Return a result as JSON values; `marks` are the hits' places in `snippet`, in characters."""
    return {
        "query": result.question,
        "total": result.total,
        "documents": result.documents,
        "partial": result.partial,
        "notes": list(result.notes),
        "elapsed_ms": result.elapsed_ms,
        "snapshot": result.snapshot,
        "hits": [
            {
                "path": hit.path,
                "paths": list(hit.paths),
                "page": hit.page,
                "label": hit.label,
                "title": hit.title,
                "author": hit.author,
                "score": hit.score,
                "snippet": hit.snippet.text,
                "marks": [list(mark) for mark in hit.snippet.marks],
                "doc_id": hit.doc_id,
            }
            for hit in result.hits
        ],
    }


def _print_hits(result: indexing.SearchResult, offset: int) -> None:
    from pipeline.paths import shown

    write = _terminal_writer() if _is_terminal() else _write_plain
    for hit in result.hits:
        label = f" ({shown(hit.label)})" if hit.label and hit.label != str(hit.page) else ""
        title = f"  {shown(hit.title)}" if hit.title else ""
        write(f"{shown(hit.path)}", f"page {hit.page}{label}{title}  [{hit.score:.2f}]", hit.snippet)
    last = offset + len(result.hits)
    counted = f"{result.total:,} pages in {result.documents:,} documents"
    click.echo(f"{offset + 1}-{last} of {counted}" if result.hits else "Nothing found.", err=True)
    for note in result.notes:
        click.echo(f"note: {note}", err=True)


def _write_plain(path: str, where: str, snippet: indexing.Snippet) -> None:
    marked, at = "", 0
    for start, end in snippet.marks:
        marked += f"{snippet.text[at:start]}**{snippet.text[start:end]}**"
        at = end
    sys.stdout.write(f"{path}  {where}\n    {marked}{snippet.text[at:]}\n")


def _is_terminal() -> bool:
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _terminal_writer() -> Any:
    """Return a function that prints a hit with colours; NO_COLOR is respected."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)

    def write(path: str, where: str, snippet: indexing.Snippet) -> None:
        console.print(Text.assemble((path, "bold cyan"), "  ", (where, "dim")))
        text = Text("    " + snippet.text)
        for start, end in snippet.marks:
            text.stylize("bold yellow", start + 4, end + 4)
        console.print(text)

    return write
