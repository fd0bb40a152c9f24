"""`glyphdex search`: pages that answer a question.

In: a store and a question. Out: hits for people, JSON, or CSV. It loads neither Beam nor Arrow, so that a
cold call is quick.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.cli.common import STORE, print_json, told
from pipeline.cli.hits import marked_text, print_remarks, print_result

if TYPE_CHECKING:
    import indexing

NOTHING_FOUND = 1
_SORTS = ["score", "path", "page", "newest", "oldest"]
_FACETS = ["author", "folder", "lang", "producer", "year"]
_COLUMNS = (
    "path",
    "page",
    "label",
    "title",
    "author",
    "year",
    "score",
    "snippet",
    "doc_id",
    "found_in",
    "paths",
)
_GROUP_COLUMNS = ("path", "pages", "page_count", "title", "author", "year", "score", "doc_id", "paths")


class _Seconds(click.ParamType[float]):
    """A number of seconds greater than 0."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Refuse what is no such number; nan is none."""
        seconds: float = click.FLOAT.convert(value, param, ctx)
        if not seconds > 0:
            self.fail(f"{value} is not more than 0 seconds.", param, ctx)
        return seconds


class _Search(click.Command):
    """The command; a question that begins with a minus looks like an option, and the error says what to do."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name.startswith("--"):
                raise
            hint = "put -- before a question that begins with a minus"
            raise click.UsageError(f"{error.format_message()} ({hint})", ctx) from error


@click.command(cls=_Search, short_help="Find pages by words, phrases and fields.")
@STORE
@click.argument("query", nargs=-1, required=True)
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
    "--seconds",
    default=2.0,
    show_default=True,
    type=_Seconds(),
    help="Time for the question; then what was found is shown.",
)
@click.option("--strict", is_flag=True, help="Refuse a question that is not well formed instead of guessing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with all hits.")
@click.option(
    "--csv",
    "as_csv",
    is_flag=True,
    help="Print a line of CSV a hit, with --group a document, after a line of names.",
)
def command(
    store: Path, query: tuple[str, ...], limit: int, offset: int, as_json: bool, as_csv: bool, **options: Any
) -> None:
    """Find the pages of STORE that answer QUERY, best first.

    Words, "phrases", "near words"~3, AND OR NOT -word and brackets, prefix*, like~, field:value (title, author, path,
    folder, filename, year, date, lang, pages, page, flag), ranges such as year:2020..2024 or year:2020.. . Put the
    query in quotes of the shell, '"like this" -word', and a -word that comes first behind a lone --. Exit code: 0 hits,
    1 none, 2 error.
    """
    import indexing

    if as_csv and (as_json or options["facets"]):
        other = "--json" if as_json else "--facet"
        raise click.UsageError(f"--csv and {other} exclude each other: CSV holds hits only")
    try:
        with indexing.open_index(store) as index:
            asked = indexing.SearchOptions(**{**options, "facets": tuple(options["facets"])})
            result = index.search(" ".join(query), limit, offset=offset, options=asked)
    except indexing.IndexingError as error:
        place = f" (at character {error.position + 1})" if isinstance(error, indexing.QueryError) else ""
        click.echo(f"glyphdex: {told(error)}{place}", err=True)
        raise SystemExit(2) from error
    if as_json:
        print_json(result.as_values())
    elif as_csv:
        _write_csv(result, grouped=options["group"])
        print_remarks(result, offset)
    else:
        print_result(result, offset)
    raise SystemExit(0 if result.hits else NOTHING_FOUND)


def _write_csv(result: indexing.SearchResult, grouped: bool) -> None:
    """Write a line a hit or document; hits are marked in the snippet as in plain text, lists are JSON."""
    columns = _GROUP_COLUMNS if grouped else _COLUMNS
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    for row in result.groups if grouped else result.hits:
        writer.writerow([_cell(getattr(row, name)) for name in columns])


def _cell(value: Any) -> Any:
    """Return a value as a cell of CSV."""
    if isinstance(value, tuple):
        return json.dumps(value, ensure_ascii=False)
    if hasattr(value, "marks"):
        return marked_text(value)
    return "" if value is None else value
