"""`glyphdex search`: pages that answer a question.

In: a store and a question. Out: hits for people, JSON, or CSV. It loads neither Beam nor Arrow, so that a
cold call is quick.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.cli.common import STORE, print_json
from pipeline.cli.hits import marked_text, print_result

if TYPE_CHECKING:
    import indexing

NOTHING_FOUND = 1
_SORTS = ["score", "path", "page", "newest", "oldest"]
_FACETS = ["author", "folder", "lang", "producer", "year"]
_COLUMNS = ("path", "page", "label", "title", "author", "year", "score", "snippet", "doc_id")


@click.command(short_help="Find pages by words, phrases and fields.")
@STORE
@click.argument("query")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1), help="Hits to print.")
@click.option("--offset", default=0, type=click.IntRange(0), help="Hits to pass over first.")
@click.option(
    "--sort", default="score", show_default=True, type=click.Choice(_SORTS), help="Order of the hits."
)
@click.option("--group", is_flag=True, help="Print documents, each with its best pages.")
@click.option(
    "--facet", "facets", multiple=True, type=click.Choice(_FACETS), help="Count the pages found by this."
)
@click.option(
    "--snippet", default=240, show_default=True, type=click.IntRange(0), help="Characters; 0 for none."
)
@click.option(
    "--seconds", default=2.0, show_default=True, help="Time for the question; then what was found is shown."
)
@click.option("--strict", is_flag=True, help="Refuse a question that is not well formed instead of guessing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with all hits.")
@click.option("--csv", "as_csv", is_flag=True, help="Print a line of CSV a hit, after a line of names.")
def command(
    store: Path, query: str, limit: int, offset: int, as_json: bool, as_csv: bool, **options: Any
) -> None:
    """Find the pages of STORE that answer QUERY, best first.

    Words, "phrases", "near words"~3, AND OR NOT -word and brackets, prefix*, like~, field:value
    (title, author, path, filename, year, lang, pages, flag), ranges such as year:2020..2024. Exit
    code: 0 hits, 1 none, 2 error.
    """
    import indexing

    try:
        with indexing.open_index(store) as index:
            asked = indexing.SearchOptions(**{**options, "facets": tuple(options["facets"])})
            result = index.search(query, limit, offset=offset, options=asked)
    except indexing.IndexingError as error:
        click.echo(f"glyphdex: {error.message}", err=True)
        raise SystemExit(2) from error
    if as_json:
        print_json(result.as_values())
    elif as_csv:
        _write_csv(result)
    else:
        print_result(result, offset)
    raise SystemExit(0 if result.hits else NOTHING_FOUND)


def _write_csv(result: indexing.SearchResult) -> None:
    """Write a line a hit; hits are marked in the snippet as in plain text."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for hit in result.hits:
        row = [getattr(hit, name) for name in _COLUMNS]
        row[_COLUMNS.index("snippet")] = marked_text(hit.snippet)
        writer.writerow("" if value is None else value for value in row)
