"""`glyphdex explain`: why a page's text is as it is, glyph by glyph, as a table, JSON or a picture.

In: a file and a page number. Out: for each two neighbours the measured gap and move, the limits and the rule; for each
glyph that is not in the text the reason; a picture with all of them. It must not decide anything about glyphs.
"""

from __future__ import annotations

import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from pipeline.cli.common import AS_JSON, print_json, print_table
from pipeline.cli.pdf_file import FILE, PAGE, PASSWORD_FILE, OpenPage, opened_page

NOTHING_FOUND = 1
_BOUNDARIES = ("glyphs", "texts", "stands", "gap", "limit", "move", "limit", "back", "rule", "why", "read as")
_DROPS = ("glyph", "text", "fate", "rule", "why", "numbers")


@click.command(short_help="Show why a page's text is as it is.")
@FILE
@PAGE
@click.option(
    "--near", metavar="TEXT", help="Only where this text stands, whatever its white space and case."
)
@AS_JSON
@click.option(
    "--png",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Draw the page with all glyphs to this file.",
)
@click.option(
    "--scale",
    type=click.FloatRange(0.1, 20),
    default=2.0,
    show_default=True,
    help="Pixels a point of the picture.",
)
@PASSWORD_FILE
def command(file: str, number: int, near: str | None, password_file: str | None, **output: Any) -> None:
    """Show for a page of FILE what separates each two glyphs, and why glyphs are not in the text.

    Exit code: 0; 1 where TEXT does not stand on the page; 2 where the file cannot be opened or the picture not
    be drawn; 3 where the page cannot be read.
    """
    with opened_page(file, number, password_file) as opened:
        explanation = opened.page.explain(near)
        if output["png"] is not None:
            _draw(opened, explanation, output["png"], output["scale"])
        if output["as_json"]:
            print_json(_as_json(number, opened.page, explanation))
        else:
            _print(opened.page, explanation)
    if near is not None and not explanation.found:
        click.echo(f"glyphdex: {near!r} is not on page {number}", err=True)
        raise SystemExit(NOTHING_FOUND)


def _draw(opened: OpenPage, explanation: Any, target: Path, scale: float) -> None:
    from pipeline.drawing import DrawingError, draw_page

    records = opened.page.glyph_records(painted=True)
    try:
        picture = draw_page(opened.read(), opened.passwords, opened.page, records, scale, explanation.glyphs)
        picture.save(target, format="PNG")
    except (DrawingError, OSError) as error:
        click.echo(f"glyphdex: {error}", err=True)
        raise SystemExit(2) from error


def _as_json(number: int, page: Any, explanation: Any) -> dict[str, Any]:
    return {
        "page": number,
        "width": page.width,
        "height": page.height,
        "rotation": page.rotation,
        "counts": asdict(page.counts),
        "near": explanation.near,
        "found": explanation.found,
        "glyphs": list(explanation.glyphs),
        "boundaries": [_plain(asdict(one)) for one in explanation.boundaries],
        "drops": [_plain(asdict(one)) for one in explanation.drops],
    }


def _plain(value: Any) -> Any:
    """Return a value that JSON can carry: numbers to a ten-thousandth, infinity as null."""
    if isinstance(value, float):
        return round(value, 4) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value


def _print(page: Any, explanation: Any) -> None:
    counts = page.counts
    sys.stdout.write(
        f"page {page.number}: {page.width:g} x {page.height:g} pt, rotated {page.rotation}; painted {counts.painted} = "
        f"visible {counts.visible} + overprinted {counts.overprinted} + off the page {counts.off_page} "
        f"+ hidden {counts.hidden}\n"
    )
    if explanation.near is not None:
        sys.stdout.write(f"{explanation.near!r}: found {explanation.found} times\n")
    if explanation.boundaries:
        sys.stdout.write("\nBetween neighbours in paint order, lengths in units of user space:\n")
        print_table([_BOUNDARIES, *map(_boundary_row, explanation.boundaries)], right=(3, 4, 5, 6, 7))
    if explanation.drops:
        sys.stdout.write("\nPainted, but not in the text, places in points of the page as shown:\n")
        print_table([_DROPS, *map(_drop_row, explanation.drops)], right=(0,))


def _boundary_row(one: Any) -> tuple[str, ...]:
    read_as = "elsewhere" if not one.read_as else ("" if one.read_as == one.separator else one.read_as)
    return (
        f"{one.before}-{one.after}", f"{one.before_text} | {one.after_text}", one.separator, f"{one.gap:.2f}",
        f"{one.gap_limit:.2f}", f"{one.move:.2f}", f"{one.move_limit:.2f}", f"{one.back:.2f}", one.rule, one.reason,
        read_as,
    )  # fmt: skip


def _drop_row(one: Any) -> tuple[str, ...]:
    if one.twin is not None:
        numbers = (
            f"twin {one.twin}, {one.along:.3f} along, {one.across:.3f} across (heights), "
            f"height ratio {one.height_ratio:.3f}"
        )
    else:
        numbers = f"centre {_places(one.centre)}, visible box {_places(one.visible_box)}"
        if one.clip is not None:
            numbers = f"box {_places(one.box)}, clip {_places(one.clip)}"
    return str(one.index), one.text, one.fate, one.rule, one.reason, numbers


def _places(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:.2f}" for value in values)
