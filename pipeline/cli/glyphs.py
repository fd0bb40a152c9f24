"""`glyphdex glyphs`: every glyph of a page with all that is known of it.

In: a file and a page number. Out: a table, or a line of JSON a glyph. It must not decide anything about glyphs.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from pipeline.cli.common import AS_JSON, print_json, print_table
from pipeline.cli.pdf_file import FILE, PAGE, PASSWORD_FILE, opened_page

_HEADINGS = (
    "glyph", "text", "unicode", "says", "code", "font", "start", "end", "pen", "height", "em", "angle", "box", "show",
    "source", "mode", "fate", "twin",
)  # fmt: skip
_NUMBERS = (0, 4, 9, 10, 11, 13, 17)
"""Columns of numbers, aligned to the right."""


@click.command(short_help="List the glyphs of a page of one PDF.")
@FILE
@PAGE
@click.option("--painted", is_flag=True, help="Also list copies, and glyphs off the page or hidden.")
@AS_JSON
@PASSWORD_FILE
def command(file: str, number: int, painted: bool, as_json: bool, password_file: str | None) -> None:
    """List the glyphs of a page of FILE in paint order.

    Places are points of the page as shown, from its top left corner. Exit code: 0; 2 where the file cannot be
    opened; 3 where the page cannot be read.
    """
    with opened_page(file, number, password_file) as opened:
        records = opened.page.glyph_records(painted=painted)
        if as_json:
            for record in records:
                print_json({"page": number, **_plain(asdict(record))})
        else:
            print_table([_HEADINGS, *(_row(record) for record in records)], right=_NUMBERS)


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record with texts that JSON can carry and numbers to a ten-thousandth."""
    return {name: _rounded(value) for name, value in record.items()}


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, tuple):
        return [_rounded(part) for part in value]
    return value


def _row(record: Any) -> tuple[str, ...]:
    unicode = " ".join(f"U+{ord(character):04X}" for character in record.text) or "-"
    origin = record.form if record.form is not None else record.source
    kind = "annotation" if record.annotation else ("form " if record.form is not None else "")
    return (
        str(record.index), repr(record.text)[1:-1], unicode, "" if record.said == record.text else repr(record.said),
        str(record.code), record.font or "-", _places(record.start), _places(record.end), _places(record.pen),
        f"{record.height:.2f}", f"{record.em:.2f}", f"{record.angle:.0f}{'v' if record.vertical else ''}",
        _places(record.box), str(record.show), f"{kind}{origin if origin is not None else ''}".strip(),
        f"{record.mode}{' white' if record.white else ''}", record.fate,
        "" if record.twin is None else str(record.twin),
    )  # fmt: skip


def _places(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:.2f}" for value in values)
