"""Type 3 fonts: glyphs are content streams, the glyph space is the font's own (ISO 32000-1, 9.6.5).

In: a font dictionary. Out: a Font whose widths and heights have gone through /FontMatrix. It reads the boxes
of glyph descriptions, never their drawings.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from extractor.fonts.metrics import DEFAULT_ASCENT, DEFAULT_DESCENT
from extractor.fonts.simple import SimpleFont
from extractor.fonts.tex_codes import tex_code_text, tex_encoding
from extractor.objects import as_dictionary, as_number, entry, numbers

_IDENTITY = (0.001, 0.0, 0.0, 0.001, 0.0, 0.0)
_BOX = re.compile(rb"^\s*" + rb"([-+.\d]+)\s+" * 6 + rb"d1\b")
_SAMPLED_GLYPHS = 40
_MAX_ADVANCE = 1e6
_MIN_HEIGHT_OF_WIDTH = 0.6
_MAX_HEIGHT_OF_WIDTH = 4.5
_TYPICAL_HEIGHT_OF_WIDTH = 2.0
"""Height of a line of text in mean glyph widths: Latin text has about half an em a glyph."""


class Type3Font(SimpleFont):
    """A font of glyph descriptions."""

    @cached_property
    def _matrix(self) -> tuple[float, ...]:
        matrix = numbers(entry(self.dictionary, "/FontMatrix"), 6)
        if matrix is None or not all(map(math.isfinite, matrix)) or not any(matrix[:4]):
            return _IDENTITY
        return matrix

    @cached_property
    def _embedded(self) -> bool:
        return False

    @cached_property
    def _tex_encoding(self) -> str | None:
        """The TeX encoding of a font whose names all repeat their codes."""
        named = {code for code, name in self._differences.items() if name != ".notdef"}
        return tex_encoding({code: self._listed_width(code) for code in named})

    @cached_property
    def _repeats_codes(self) -> bool:
        """Whether the name of every glyph is `a` and its own code, or `x` and that in hexadecimal (dvipdfmx).

        Nothing but the code is known of such a glyph.
        """
        named = [(code, name) for code, name in self._differences.items() if name != ".notdef"]
        return bool(named) and any(
            all(name == form.format(code) for code, name in named) for form in ("a{}", "x{:02X}")
        )

    def _encoding_text(self, code: int) -> str:
        if self._repeats_codes and code in self._differences:
            return tex_code_text(self._tex_encoding, code)
        return super()._encoding_text(code)

    def _fallback_text(self, code: int) -> str:
        return ""

    def _width(self, code: int) -> float:
        """Return the advance of a code in text space: its width through the font matrix (9.6.5)."""
        width = self._listed_width(code)
        advance = width * self._matrix[0]
        return advance if math.isfinite(advance) and abs(advance) < _MAX_ADVANCE else 0.0

    def _listed_width(self, code: int) -> float:
        if self._widths is None:
            return 0.0
        first, widths = self._widths
        inside = 0 <= code - first < len(widths)
        return (as_number(widths[code - first]) if inside else None) or 0.0

    @cached_property
    def _mean_width(self) -> float:
        """The mean of the widths that aren't zero, in text space; 0 if there are none."""
        listed = self._widths[1][:256] if self._widths is not None else ()
        widths = [abs(width) for element in listed if (width := as_number(element))]
        return sum(widths) / len(widths) * abs(self._matrix[0]) if widths else 0.0

    def _find_heights(self) -> tuple[float, float]:
        """Return (ascent, descent) in text space, plausible against the widths of the glyphs.

        /FontBBox is often all zero, one bitmap's box or of another unit; then the boxes of the glyph descriptions say
        more, and at last the widths.
        """
        ascent, descent = (as_number(entry(self._descriptor, key)) or 0.0 for key in ("/Ascent", "/Descent"))
        for box in ((0.0, -abs(descent), 0.0, ascent), numbers(self._entry(self.dictionary, "/FontBBox"), 4)):
            heights = self._plausible(box)
            if heights is not None:
                return heights
        return self._plausible(self._glyph_box) or self._typical_heights()

    def _typical_heights(self) -> tuple[float, float]:
        """Return the heights of common text with glyphs as wide as these."""
        height = _TYPICAL_HEIGHT_OF_WIDTH * self._mean_width
        thousandths = 0.0009 < abs(self._matrix[0]) < 0.0011 and 0.3 < height < 3.0
        if thousandths or not 1e-6 < height < _MAX_ADVANCE:
            return DEFAULT_ASCENT, DEFAULT_DESCENT
        return DEFAULT_ASCENT * height, DEFAULT_DESCENT * height

    def _plausible(self, box: tuple[float, ...] | None) -> tuple[float, float] | None:
        """Return the heights of a box in glyph space, clamped; None if it cannot be a box around text."""
        if box is None or not all(map(math.isfinite, box)):
            return None
        ends = (box[1] * self._matrix[3], box[3] * self._matrix[3])
        top, bottom = max(ends), min(ends)
        height, width = top - bottom, self._mean_width
        if top <= 0 or not 1e-6 < height < _MAX_ADVANCE:
            return None
        if not width:
            return (top, min(bottom, 0.0)) if 0.4 <= height <= 1.6 else None
        if not _MIN_HEIGHT_OF_WIDTH <= height / width <= _MAX_HEIGHT_OF_WIDTH:
            return None
        return top, min(bottom, 0.0)

    @cached_property
    def _glyph_box(self) -> tuple[float, ...] | None:
        """The box around the boxes that glyph descriptions declare (operator d1), in glyph space."""
        procedures: Mapping[str, Any] = as_dictionary(self._entry(self.dictionary, "/CharProcs")) or {}
        boxes = []
        for name in list(procedures)[:_SAMPLED_GLYPHS]:
            stream = entry(procedures, name)
            if not hasattr(stream, "get_data"):
                continue
            match = _BOX.match(bytes(stream.get_data())[:400])
            if match:
                boxes.append([float(match[i]) for i in range(3, 7)])
        if not boxes:
            return None
        low = [min(column) for column in zip(*boxes, strict=True)]
        high = [max(column) for column in zip(*boxes, strict=True)]
        return low[0], min(low[1], low[3]), high[2], max(high[1], high[3])
