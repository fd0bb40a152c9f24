"""The standard 14 fonts and the fonts that are known by name only (ISO 32000-1, 9.6.2.2).

In: a font's name and flags. Out: which standard font stands for it, that font's widths by Unicode and its
heights. The widths are pdfminer.six's tables, loaded when first needed. It must not know font dictionaries.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from extractor.fonts.glyph_names import dingbat_text, private_text

_SUBSET_TAG = re.compile(r"^[A-Z]{6}\+")
_FAMILIES = (
    ("Symbol", re.compile(r"^(symbol(?!a)|standardsym)", re.I)),
    ("ZapfDingbats", re.compile(r"^(zapf|itczapf).*dingbats|^dingbats$|^monotype ?sorts", re.I)),
    ("Courier", re.compile(r"courier|monospace|typewriter|consolas|lucidacons|andale|menlo|mono\b", re.I)),
    ("Helvetica", re.compile(r"arial|helvet|verdana|tahoma|calibri|sans|univers|segoe|trebuchet", re.I)),
    (
        "Times",
        re.compile(r"times|serif|roman|georgia|garamond|palatino|bookman|century|cambria|minion", re.I),
    ),
)
_STYLED = {
    "Courier": ("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"),
    "Helvetica": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"),
    "Times": ("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"),
}
_HEIGHTS = {
    "Courier": (0.805, -0.25),
    "Helvetica": (0.905, -0.212),
    "Times": (0.891, -0.216),
    "Symbol": (0.85, -0.25),
    "ZapfDingbats": (0.82, -0.143),
}
_GREEK = {"\u2206": "\u0394", "\u2126": "\u03a9"}
FIXED_PITCH, SERIF, SYMBOLIC, ITALIC, NONSYMBOLIC, FORCE_BOLD = 1, 2, 4, 64, 32, 1 << 18


def plain_name(name: str) -> str:
    """Return a font name without its subset tag (9.6.4)."""
    return _SUBSET_TAG.sub("", name)


@cache
def family(name: str) -> str | None:
    """Return the family of a font name: Courier, Helvetica, Times, Symbol, ZapfDingbats or None."""
    for result, pattern in _FAMILIES:
        if pattern.search(name):
            return result
    return None


@cache
def standard_name(name: str, flags: int) -> str:
    """Return which of the standard 14 fonts a viewer takes for a font that is not embedded."""
    group = family(name)
    if group is None:
        group = "Courier" if flags & FIXED_PITCH else "Times" if flags & SERIF else "Helvetica"
    styles = _STYLED.get(group)
    if styles is None:
        return group
    bold = bool(re.search(r"bold|black|heavy|demi", name, re.I)) or bool(flags & FORCE_BOLD)
    italic = bool(re.search(r"italic|oblique", name, re.I)) or bool(flags & ITALIC)
    return styles[bold + 2 * italic]


def standard_heights(name: str, flags: int) -> tuple[float, float]:
    """Return (ascent, descent) in em of the standard font that stands for a font."""
    standard = standard_name(name, flags)
    return _HEIGHTS[standard.split("-", 1)[0]]


@cache
def standard_widths(standard: str) -> Mapping[str, float]:
    """Return the widths of a standard font in thousandths of an em, by the character that a glyph shows."""
    from pdfminer.fontmetrics import FONT_METRICS

    listed: Mapping[str, float] = FONT_METRICS[standard][1]
    if standard == "ZapfDingbats":  # listed by the number in a glyph's name
        return {dingbat_text(f"a{ord(key)}") or " ": width for key, width in listed.items()}
    widths = {private_text(key) or _GREEK.get(key, key): width for key, width in listed.items()}
    return {"€": widths.get("$", 556.0)} | widths
