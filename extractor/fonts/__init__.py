"""Fonts: codes to Unicode and metrics (ISO 32000-1, 9.5 to 9.10).

In: a font dictionary as pypdf or plain Python gives it. Out: a Font. It knows nothing of content streams and
pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from extractor.fonts.characters import FontGlyph
from extractor.fonts.composite import CompositeFont
from extractor.fonts.font import Font
from extractor.fonts.programs import Issues
from extractor.fonts.simple import SimpleFont
from extractor.fonts.type3 import Type3Font
from extractor.objects import as_dictionary, as_name, entry

__all__ = ["Font", "FontGlyph", "load_font"]


def load_font(dictionary: Any, issues: Issues) -> Font:
    """Return the font of a font dictionary (9.5); never raises: what a damaged font lacks is left out."""
    try:
        return _load(as_dictionary(dictionary) or {}, issues)
    except Exception as error:  # the border: objects behind references may fail in ways only pypdf knows
        issues.add("font", f"a font can't be read: {type(error).__name__}: {error}")
        return SimpleFont({}, "Type1", issues)


def _load(dictionary: Mapping[str, Any], issues: Issues) -> Font:
    subtype = as_name(entry(dictionary, "/Subtype")) or ""
    if not dictionary:
        issues.add("font", "a font is missing")
    if (
        subtype == "Type0"
        or subtype.startswith("CIDFont")
        or (not subtype and "/DescendantFonts" in dictionary)
    ):
        return CompositeFont(dictionary, "Type0", issues)
    if subtype == "Type3" or (not subtype and "/CharProcs" in dictionary):
        return Type3Font(dictionary, "Type3", issues)
    return SimpleFont(dictionary, subtype or "Type1", issues)
