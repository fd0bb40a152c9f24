"""Font dictionaries made by hand: streams, fonts and a list of recovered faults, in plain Python values."""

from __future__ import annotations

import io
from typing import Any

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen


class Stream(dict[str, Any]):
    """A stream as the extractor sees it: a dictionary with `get_data`."""

    def __init__(self, data: bytes, **entries: Any) -> None:
        super().__init__({f"/{key}": value for key, value in entries.items()})
        self._data = data

    def get_data(self) -> bytes:
        return self._data


class FaultList:
    """Collects recovered faults."""

    def __init__(self) -> None:
        self.items: list[tuple[str, str]] = []

    def add(self, code: str, message: str) -> None:
        self.items.append((code, message))


def to_unicode(body: str) -> Stream:
    """A ToUnicode stream around sections such as `1 beginbfchar <41> <0042> endbfchar`."""
    head = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
    space = "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n"
    return Stream((head + space + body + "\nendcmap end end").encode("latin-1"))


def composite(
    encoding: Any = "/Identity-H", cid_font: dict[str, Any] | None = None, **entries: Any
) -> dict[str, Any]:
    """A Type 0 font dictionary with one CIDFont."""
    descendant = {"/Type": "/Font", "/Subtype": "/CIDFontType2", "/BaseFont": "/Test", **(cid_font or {})}
    return {
        "/Type": "/Font",
        "/Subtype": "/Type0",
        "/BaseFont": "/Test",
        "/Encoding": encoding,
        "/DescendantFonts": [descendant],
        **{f"/{key}": value for key, value in entries.items()},
    }


def collection(ordering: str) -> dict[str, Any]:
    """A CIDSystemInfo dictionary."""
    return {"/Registry": "Adobe", "/Ordering": ordering, "/Supplement": 4}


def truetype_font(glyphs: list[str], cmap: dict[int, str], symbol: dict[int, str] | None = None) -> bytes:
    """A TrueType font file with empty glyphs, a (3,1) cmap, or a (3,0) one only, and a post table."""
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(glyphs)
    builder.setupCharacterMap(cmap if symbol is None else symbol)
    builder.setupGlyf({name: TTGlyphPen(None).glyph() for name in glyphs})
    builder.setupHorizontalMetrics({name: (500 + index, 0) for index, name in enumerate(glyphs)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Test", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    if symbol is not None:
        for table in builder.font["cmap"].tables:
            table.platformID, table.platEncID = 3, 0
        builder.font["cmap"].tables = builder.font["cmap"].tables[:1]
    target = io.BytesIO()
    builder.save(target)
    return target.getvalue()


def cff_font(glyphs: list[str], encoding: dict[int, str] | None = None) -> bytes:
    """A bare, name-keyed CFF program with empty glyphs and a custom or the standard encoding."""
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(glyphs)
    builder.setupCharacterMap({})
    strings = {}
    for name in glyphs:
        pen = T2CharStringPen(500, None)
        strings[name] = pen.getCharString()
    builder.setupCFF("Test", {}, strings, {})
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Test", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    if encoding is not None:
        names = [encoding.get(code, ".notdef") for code in range(256)]
        builder.font["CFF "].cff[0].Encoding = names
    target = io.BytesIO()
    builder.save(target)
    from fontTools.ttLib import TTFont

    return bytes(TTFont(io.BytesIO(target.getvalue())).getTableData("CFF "))
