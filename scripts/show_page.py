"""Draw a page with the boxes of its glyphs, coloured by what became of each.

In: a PDF and a page number. Out: a PNG: the page as PDFium renders it, and over it one box a painted
glyph: kept green, overprinted copies red, off the page blue, hidden orange; the visible box is drawn in
grey, and what lies outside of it is shown too. The legend with the counts goes to stdout.

    python scripts/show_page.py FILE PAGE OUT.png [--scale 2] [--margin 36] [--password-file F]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

COLOURS = {
    "kept": (0, 140, 0),
    "copy": (220, 0, 0),
    "off_page": (0, 80, 220),
    "layer_off": (235, 130, 0),
    "clipped": (235, 130, 0),
}
FRAME = (150, 150, 150)


def render(path: Path, index: int, scale: float, password: str | None) -> Any:
    """Return the page as PDFium shows it, as a Pillow image."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path, password=password)
    return document[index].render(scale=scale).to_pil().convert("RGB")


def boxes_of(page: Any) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Return each painted glyph's fate and box, in points of the visible box, y down, /Rotate applied."""
    from extractor.glyphs import FATES

    glyphs = page.glyphs
    boxes = page.frame.to_page(glyphs.x0, glyphs.y0, glyphs.x1, glyphs.y1)
    return [(FATES[fate], tuple(map(float, box))) for fate, *box in zip(page.fate, *boxes, strict=True)]


def draw(page: Any, image: Any, scale: float, margin: float) -> tuple[Any, Counter[str]]:
    """Return the picture on a canvas with a margin around the page, and the number of glyphs by fate."""
    from PIL import Image, ImageDraw

    edge = round(margin * scale)
    canvas = Image.new("RGB", (image.width + 2 * edge, image.height + 2 * edge), "white")
    canvas.paste(image, (edge, edge))
    pen = ImageDraw.Draw(canvas)
    pen.rectangle((edge, edge, edge + image.width, edge + image.height), outline=FRAME)
    fates: Counter[str] = Counter()
    for fate, box in boxes_of(page):
        fates[fate] += 1
        x0, y0, x1, y1 = (edge + scale * value for value in box)
        pen.rectangle((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)), outline=COLOURS[fate])
    return canvas, fates


def main() -> None:
    """Read the command line, draw, save."""
    import extractor

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("page", type=int, help="counted from 1")
    parser.add_argument("out", type=Path)
    parser.add_argument("--scale", type=float, default=2, help="pixels a point")
    parser.add_argument("--margin", type=float, default=36, help="points shown around the page")
    parser.add_argument("--password-file", type=Path)
    arguments = parser.parse_args()
    password = arguments.password_file.read_text().rstrip("\n") if arguments.password_file else None
    with extractor.open_document(arguments.file, password=password) as document:
        if not 1 <= arguments.page <= len(document):
            sys.exit(f"{arguments.file} has pages 1 to {len(document)}")
        page = document[arguments.page - 1]
        image = render(arguments.file, arguments.page - 1, arguments.scale, password)
        canvas, fates = draw(page, image, arguments.scale, arguments.margin)
    canvas.save(arguments.out)
    for fate, count in fates.most_common():
        print(f"{fate:10} {count:6}  rgb{COLOURS[fate]}")


if __name__ == "__main__":
    main()
