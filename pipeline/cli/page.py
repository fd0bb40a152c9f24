"""`glyphdex page`: where the words of a question stand on a page, as a picture, a table or JSON.

In: a store, a document and a page number. Out: a PNG file, or boxes in points. It must not search other
pages.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.common import AS_JSON, STORE, plain_errors, print_json, print_table
from pipeline.cli.pdf_file import PASSWORD_FILE, read_passwords
from pipeline.paths import shown

if TYPE_CHECKING:
    import indexing

NOTHING_MARKED = 1


@click.command(short_help="Show where the words of a question stand on a page.")
@STORE
@click.argument("document")
@click.argument("number", metavar="PAGE", type=click.IntRange(min=1))
@click.option("--highlight", default="", metavar="QUERY", help="The question whose words are marked.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="PNG file to draw; needs the extra 'render'."
)
@click.option(
    "--scale", default=2.0, show_default=True, type=click.FloatRange(0.1, 20), help="Pixels a point."
)
@PASSWORD_FILE
@AS_JSON
def command(
    store: Path,
    document: str,
    number: int,
    highlight: str,
    output: Path | None,
    as_json: bool,
    **picture: object,
) -> None:
    """Show where a question's words stand on page PAGE of DOCUMENT, a path or the start of a doc_id.

    Boxes are in points, with the origin at the top left of the visible page. Exit code: 0, 1 nothing of the question
    is on the page, 2 error.
    """
    import indexing

    with plain_errors(), indexing.open_index(store) as index:
        marks = index.page_marks(document, number, highlight)
    if output is not None:
        _draw(marks, output, str(picture["password_file"] or ""), float(str(picture["scale"])))
    if as_json:
        print_json(asdict(marks))
    elif output is None:
        print_table(
            [
                [box.text, *(f"{value:.1f}" for value in (box.x0, box.y0, box.x1, box.y1))]
                for box in marks.boxes
            ],
            right=(1, 2, 3, 4),
        )
    for note in marks.notes:
        click.echo(f"note: {note}", err=True)
    if highlight and not marks.boxes:
        click.echo(
            f"Nothing to mark: no word of {highlight!r} is on page {number} of {shown(marks.path)}.", err=True
        )
        raise SystemExit(NOTHING_MARKED)


def _draw(marks: indexing.PageMarks, output: Path, password_file: str, scale: float) -> None:
    """Draw the page from the PDF, which must still be where the store says, under any of its paths."""
    from pipeline.drawing import DrawingError
    from pipeline.highlight import draw_marks
    from pipeline.reading import UnreadableFileError, passwords_for

    try:
        path, pdf = _read_pdf(marks)
        passwords = passwords_for(path, read_passwords(password_file or None), sidecar=True)
        draw_marks(pdf, passwords, marks, scale).save(output)
    except (DrawingError, UnreadableFileError, OSError, ValueError) as error:
        click.echo(f"glyphdex: {error}", err=True)
        raise SystemExit(2) from error


def _read_pdf(marks: indexing.PageMarks) -> tuple[str, bytes]:
    """Read the document, and say under which path: the one asked for, else another copy."""
    from pipeline.reading import UnreadableFileError, open_bytes

    failed: UnreadableFileError | OSError | None = None
    for path in dict.fromkeys((marks.path, *marks.paths)):
        try:
            with open_bytes(path, sys.maxsize) as source:
                return path, source.read()
        except (UnreadableFileError, OSError) as error:
            failed = failed or error
    assert failed is not None
    raise failed
