"""What all fonts have in common: the face that the interpreter sees.

In: a font dictionary. Out: a Font, whose `glyph` is asked once a code and remembers. It must not know how any
kind of font finds its text and widths.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from extractor.fonts.characters import FontGlyph
from extractor.fonts.metrics import DEFAULT_ASCENT, DEFAULT_DESCENT
from extractor.fonts.programs import FontProgram, Issues, open_program
from extractor.fonts.standard_fonts import plain_name
from extractor.objects import as_dictionary, as_integer, as_name, entry

NO_GLYPH = FontGlyph("", 0.0)
_MAX_REPORTED = 60


class Font:
    """A font of a page: how strings fall into codes, and what each code says and measures.

    Attributes:
        composite: codes may have several bytes (Type 0, 9.7).
        vertical: writing mode 1 (9.7.4.3).
        code_length: bytes of every code: 1 or 2, or 0 where only `split` knows.
    """

    composite = False
    vertical = False
    code_length = 1

    def __init__(self, dictionary: Mapping[str, Any], subtype: str, issues: Issues) -> None:
        self.dictionary = dictionary
        self.subtype = subtype
        self.name = plain_name(as_name(entry(dictionary, "/BaseFont")) or "")
        self._issues = issues
        self._glyphs: dict[int, FontGlyph] = {}

    def split(self, string: bytes) -> list[int]:
        """Return the codes of a shown string; those that `glyph` understands."""
        return list(string)

    def glyph(self, code: int) -> FontGlyph:
        """Return the text and metrics of a code; never raises: damaged fonts give what is left of them."""
        glyph = self._glyphs.get(code)
        if glyph is None:
            try:
                glyph = self._make_glyph(code)
            except (
                Exception
            ) as error:  # the border: objects behind references may fail in ways only pypdf knows
                self._report(code, error)
                glyph = NO_GLYPH
            self._glyphs[code] = glyph
        return glyph

    def _make_glyph(self, code: int) -> FontGlyph:
        del code
        return NO_GLYPH

    def _entry(self, dictionary: Any, key: str) -> Any:
        """Return the resolved value of `key`, None where the object behind it can't be read."""
        try:
            return entry(dictionary, key)
        except Exception as error:  # as in `glyph`: then the other entries still count
            self._issues.add("font", f"{key} of font {self.name} can't be read: {error}"[:200])
            return None

    def _report(self, code: int, error: Exception) -> None:
        text = f"{type(error).__name__}: {error}"[:_MAX_REPORTED]
        self._issues.add("font", f"code {code} of font {self.name or self.subtype} can't be read: {text}")

    @property
    def ascent(self) -> float:
        """Height above the baseline in em, fit for measuring lines."""
        return self._heights[0]

    @property
    def descent(self) -> float:
        """Depth below the baseline in em, not positive."""
        return self._heights[1]

    @cached_property
    def _heights(self) -> tuple[float, float]:
        try:
            return self._find_heights()
        except Exception as error:  # as in `glyph`
            self._report(0, error)
            return DEFAULT_ASCENT, DEFAULT_DESCENT

    def _find_heights(self) -> tuple[float, float]:
        return DEFAULT_ASCENT, DEFAULT_DESCENT

    @cached_property
    def _descriptor(self) -> Mapping[str, Any] | None:
        return as_dictionary(self._entry(self.dictionary, "/FontDescriptor"))

    @cached_property
    def _flags(self) -> int:
        return as_integer(entry(self._descriptor, "/Flags")) or 0

    @cached_property
    def _program(self) -> FontProgram:
        return open_program(self._descriptor, self._issues)
