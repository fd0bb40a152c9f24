"""Draws where the words of a question stand on a page, over the page as PDFium renders it.

In: the bytes of a PDF, the number of a page, boxes in points. Out: a Pillow image. It must not know how
the boxes were found. pypdfium2 and Pillow come with the extra "render".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import indexing
from pipeline.drawing import DrawingError, load_libraries

_COLOUR = (255, 214, 0)
_STRENGTH = 0.45
"""How much of the colour covers the page, 0 to 1."""
_MOST_PIXELS = 60_000_000
_AROUND = 1.0
"""Points by which a mark is wider than its word."""


def draw_marks(pdf: bytes, passwords: Sequence[str], marks: indexing.PageMarks, scale: float) -> Any:
    """Return a picture of the page, `scale` pixels a point, with the marked words under a highlighter."""
    pypdfium2, pil = load_libraries()
    size = max(1.0, marks.width * marks.height)
    scale = min(scale, math.sqrt(_MOST_PIXELS / size))
    image = _render(pypdfium2, pdf, passwords, marks, scale)
    layer = image.copy()
    brush = pil.ImageDraw.Draw(layer)
    across, down = image.width / max(1.0, marks.width), image.height / max(1.0, marks.height)
    for box in marks.boxes:
        corners = (box.x0 - _AROUND, box.y0 - _AROUND, box.x1 + _AROUND, box.y1 + _AROUND)
        left, top, right, bottom = (
            value * factor for value, factor in zip(corners, (across, down) * 2, strict=True)
        )
        brush.rectangle((left, top, right, bottom), fill=_COLOUR)
    return pil.Image.blend(image, layer, _STRENGTH)


def _render(
    pypdfium2: Any, pdf: bytes, passwords: Sequence[str], marks: indexing.PageMarks, scale: float
) -> Any:
    for password in ("", *passwords):
        try:
            document = pypdfium2.PdfDocument(pdf, password=password or None)
            try:
                page = document[marks.page - 1]
                # PDFium knows no UserUnit: its page is smaller by that.
                unit = marks.width / page.get_width() if marks.width else 1.0
                return page.render(scale=scale * unit).to_pil().convert("RGB")
            finally:
                document.close()
        except pypdfium2.PdfiumError:
            continue
    raise DrawingError(f"PDFium cannot read {marks.path}")
