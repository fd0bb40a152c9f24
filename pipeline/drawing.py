"""Draws what became of the glyphs of a page over the page as PDFium renders it.

In: the bytes of a PDF, a page of the extractor, its glyph records. Out: a Pillow image. It must not decide
anything about glyphs. pypdfium2 and Pillow come with the extra "render" and are loaded when a picture is
asked for.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]

COLOURS: dict[str, Colour] = {
    "kept": (0, 140, 0),
    "copy": (220, 0, 0),
    "off_page": (0, 80, 220),
    "layer_off": (235, 130, 0),
    "clipped": (170, 0, 200),
}
"""Colour of a glyph's box by what became of it."""
NAMES = {
    "kept": "kept",
    "copy": "overprinted copies",
    "off_page": "off the page",
    "layer_off": "in a layer that is off",
    "clipped": "clipped away",
}
"""What the legend calls them."""
FRAME: Colour = (120, 120, 120)
MARKED: Colour = (255, 215, 0)

_MARGIN = 6.0
"""Points shown around the page."""
_FARTHEST = 144.0
"""Points around the page shown at most, for glyphs off the page."""
_STRAIGHT = 0.5
"""Degrees up to which a box is drawn as upright."""
_MOST_PIXELS = 60_000_000
_LEGEND = 22
"""Pixels of a legend's row."""
_OUTSIDE: Colour = (205, 205, 205)


class DrawingError(Exception):
    """A picture that cannot be drawn; the message says why and what to do."""


@dataclass(frozen=True)
class View:
    """What a picture shows: the page as shown with margins, points."""

    left: float
    top: float
    right: float
    bottom: float
    """Margins around the page."""
    width: float
    height: float
    """Of the page."""
    scale: float
    """Pixels a point."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture, pixels."""
        width, height = self.left + self.width + self.right, self.top + self.height + self.bottom
        return max(1, round(width * self.scale)), max(1, round(height * self.scale))

    def pixels(self, box: Box, wider: int = 0) -> tuple[int, int, int, int]:
        """Return a box of the page as shown in pixels, `wider` pixels at each side."""
        x0, y0, x1, y1 = (
            (self.left + box[0]) * self.scale, (self.top + box[1]) * self.scale,
            (self.left + box[2]) * self.scale, (self.top + box[3]) * self.scale,
        )  # fmt: skip
        return (
            _clamped(min(x0, x1)) - wider, _clamped(min(y0, y1)) - wider,
            _clamped(max(x0, x1)) + wider, _clamped(max(y0, y1)) + wider,
        )  # fmt: skip


def load_libraries() -> tuple[Any, Any]:
    """Return the modules pypdfium2 and PIL; raises DrawingError without them."""
    try:
        import PIL.Image
        import PIL.ImageDraw
        import PIL.ImageFont
        import pypdfium2
    except ImportError as error:
        raise DrawingError(
            f"a picture needs {error.name}; install the extra: pip install 'glyphdex[render]'"
        ) from error
    return pypdfium2, PIL


def draw_page(
    pdf: bytes,
    passwords: Sequence[str],
    page: Any,
    records: Sequence[Any],
    scale: float = 2.0,
    marked: Collection[int] = (),
) -> Any:
    """Return a picture of the page with a box around each glyph, its colour telling what became of it.

    What lies outside the visible box is shown too, under grey, as far as glyphs are there.

    Args:
        pdf: the file.
        passwords: tried one after the other, the empty one first.
        page: a page of the extractor.
        records: its glyph records.
        scale: pixels a point; less where the picture would be too large.
        marked: indices of glyphs to point out.
    """
    pypdfium2, pil = load_libraries()
    view = _view(page, records, scale)
    image = _render(pypdfium2, pdf, passwords, page, view)
    if image is None:
        image = pil.Image.new("RGB", view.size, "white")
    _shade_outside(pil, image, view)
    _draw_boxes(pil, image, view, records, marked)
    return _with_legend(pil, image, Counter(record.fate for record in records))


def _view(page: Any, records: Sequence[Any], scale: float) -> View:
    """Return the page with margins that take in the glyphs off the page, as far as that is sensible."""
    outside = [record.box for record in records if record.fate == "off_page"]
    width, height = page.width, page.height

    def margin(reaches: Iterable[float]) -> float:
        return min(max((0.0, *reaches)), _FARTHEST) + _MARGIN

    left, top = margin(-box[0] for box in outside), margin(-box[1] for box in outside)
    right, bottom = margin(box[2] - width for box in outside), margin(box[3] - height for box in outside)
    area = (left + width + right) * (top + height + bottom)
    return View(left, top, right, bottom, width, height, min(scale, math.sqrt(_MOST_PIXELS / area)))


def _render(pypdfium2: Any, pdf: bytes, passwords: Sequence[str], page: Any, view: View) -> Any:
    """Return the page as PDFium draws it, with the margins; None where it cannot read the file."""
    for password in ("", *passwords):
        try:
            document = pypdfium2.PdfDocument(pdf, password=password or None)
            try:
                return _render_view(document, page, view)
            finally:
                document.close()
        except pypdfium2.PdfiumError:
            continue
    return None


def _render_view(document: Any, page: Any, view: View) -> Any:
    box = _user_box(page, view)
    shown = document[page.index]
    shown.set_mediabox(*box)
    shown.set_cropbox(*box)
    shown.close()
    shown = document[page.index]  # PDFium reads the boxes when it loads a page
    scale = view.size[0] / shown.get_width()
    image = shown.render(scale=scale).to_pil().convert("RGB")
    return image if image.size == view.size else image.resize(view.size)


def _user_box(page: Any, view: View) -> Box:
    """Return the view's box in user space: which margin is at which side depends on /Rotate."""
    margins = (view.left, view.bottom, view.right, view.top)  # counter-clockwise, as are the sides of a box
    turned = page.frame.rotation // 90
    left, bottom, right, top = (margins[(side - turned) % 4] / page.frame.unit for side in range(4))
    x0, y0, x1, y1 = page.frame.box
    return x0 - left, y0 - bottom, x1 + right, y1 + top


def _shade_outside(pil: Any, image: Any, view: View) -> None:
    """Lay grey over what the page does not show, and a frame around what it shows."""
    inside = view.pixels((0.0, 0.0, view.width, view.height))
    shown = image.crop(inside)
    image.paste(pil.Image.blend(image, pil.Image.new("RGB", image.size, _OUTSIDE), 0.5))
    image.paste(shown, inside[:2])
    pil.ImageDraw.Draw(image).rectangle(view.pixels((0.0, 0.0, view.width, view.height), 1), outline=FRAME)


def _draw_boxes(pil: Any, image: Any, view: View, records: Sequence[Any], marked: Collection[int]) -> None:
    """Draw the glyphs' boxes, kept ones first, so that copies show over them."""
    pen = pil.ImageDraw.Draw(image, "RGBA")
    chosen = frozenset(marked)
    for record in records:
        if record.index in chosen:
            pen.polygon(_outline(view, record), fill=(*MARKED, 150))
    for kind, colour in COLOURS.items():
        for record in records:
            if record.fate == kind:
                fill = None if kind == "kept" else (*colour, 48)
                pen.polygon(_outline(view, record), outline=(*colour, 255), fill=fill)


def _outline(view: View, record: Any) -> list[tuple[int, int]]:
    """Return the corners of a glyph's box in pixels, turned as its baseline is."""
    x0, y0, x1, y1 = view.pixels(record.box)
    if record.vertical or min(record.angle % 90, -record.angle % 90) < _STRAIGHT:
        return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    along = math.dist(record.start, record.end) * view.scale / 2
    across = record.height * view.scale / 2
    cos, sin = math.cos(math.radians(record.angle)), -math.sin(math.radians(record.angle))
    corners = ((-along, -across), (along, -across), (along, across), (-along, across))
    return [(_clamped(x + a * cos - b * sin), _clamped(y + a * sin + b * cos)) for a, b in corners]


def _with_legend(pil: Any, image: Any, counts: Counter[str]) -> Any:
    """Return the picture with a row below it for each kind of glyph on it."""
    kinds = [kind for kind in COLOURS if counts[kind]]
    canvas = pil.Image.new("RGB", (max(image.width, 260), image.height + _LEGEND * len(kinds) + 6), "white")
    canvas.paste(image, (0, 0))
    pen = pil.ImageDraw.Draw(canvas)
    font = pil.ImageFont.load_default(14)
    for row, kind in enumerate(kinds):
        y = image.height + 4 + _LEGEND * row
        pen.rectangle((6, y + 2, 20, y + 16), outline=COLOURS[kind], width=2)
        pen.text((28, y), f"{NAMES[kind]}: {counts[kind]}", fill="black", font=font)
    return canvas


def _clamped(pixel: float) -> int:
    """Return a pixel near enough to the picture for the drawing library; far ones are off it anyway."""
    return round(min(max(pixel, -1e5), 1e5))
