"""Font dictionaries for test files: simple, Type3 and composite fonts (ISO 32000-1, 9.6 and 9.7).

In: widths, encodings, Unicode maps, programs, as plain Python values. Out: values for pdf_maker's `fonts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.helpers.pdf_objects import Content, Indirect, Stream

Box = tuple[float, float, float, float]


def simple_font(
    base_font: str = "Helvetica",
    subtype: str = "Type1",
    *,
    encoding: Any = "/WinAnsiEncoding",
    differences: Mapping[int, str] | None = None,
    widths: Mapping[int, float] | None = None,
    to_unicode: Mapping[int, str] | Stream | None = None,
    descriptor: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a simple font (9.6): standard-14 or with /Widths (by code), a descriptor."""
    font: dict[str, Any] = {"Type": "/Font", "Subtype": subtype, "BaseFont": base_font}
    if differences is not None:
        font["Encoding"] = {"Type": "/Encoding", "Differences": _differences(differences)}
        if encoding is not None:
            font["Encoding"]["BaseEncoding"] = encoding
    elif encoding is not None:
        font["Encoding"] = encoding
    if widths is not None:
        first, last = min(widths), max(widths)
        font |= {"FirstChar": first, "LastChar": last}
        font["Widths"] = [widths.get(code, 0) for code in range(first, last + 1)]
    if descriptor is not None:
        font["FontDescriptor"] = font_descriptor(base_font, **descriptor)
    return _with_to_unicode(font, to_unicode, 1)


def type3_font(
    glyphs: Mapping[int, tuple[str, float, Content]],
    *,
    font_matrix: Sequence[float] = (0.001, 0, 0, 0.001, 0, 0),
    font_bbox: Box = (0, -200, 1000, 800),
    to_unicode: Mapping[int, str] | Stream | None = None,
    resources: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a Type3 font (9.6.5) from code -> (glyph name, width in glyph space, glyph procedure)."""
    first, last = min(glyphs), max(glyphs)
    font: dict[str, Any] = {
        "Type": "/Font",
        "Subtype": "/Type3",
        "FontBBox": list(font_bbox),
        "FontMatrix": list(font_matrix),
        "CharProcs": {name: Stream(procedure) for name, _, procedure in glyphs.values()},
        "Encoding": {"Type": "/Encoding", "Differences": _differences({c: g[0] for c, g in glyphs.items()})},
        "FirstChar": first,
        "LastChar": last,
        "Widths": [glyphs[code][1] if code in glyphs else 0 for code in range(first, last + 1)],
        "Resources": dict(resources or {}),
    }
    return _with_to_unicode(font, to_unicode, 1)


def type0_font(
    to_unicode: Mapping[int, str] | Stream | None = None,
    *,
    base_font: str = "TESTAA+Composite",
    widths: Mapping[int, float] | Sequence[Any] | None = None,
    default_width: float | None = None,
    encoding: Any = "/Identity-H",
    ordering: str = "Identity",
    subtype: str = "CIDFontType2",
    vertical: Mapping[str, Any] | None = None,
    descriptor: Mapping[str, Any] | None = None,
    **descendant: Any,
) -> dict[str, Any]:
    """Return a composite font (9.7).

    `widths` is a mapping from CID to width, or a /W array as it stands; `vertical` holds /W2 and /DW2 as they
    stand, and further keywords are entries of the descendant font.
    """
    registry = "Adobe"
    supplement = 0
    cid_font: dict[str, Any] = {
        "Type": "/Font",
        "Subtype": subtype,
        "BaseFont": base_font,
        "CIDSystemInfo": {
            "Registry": registry.encode(),
            "Ordering": ordering.encode(),
            "Supplement": supplement,
        },
        "FontDescriptor": font_descriptor(base_font, **(descriptor or {})),
        **descendant,
    }
    if widths is not None:
        pairs = widths.items() if isinstance(widths, Mapping) else None
        cid_font["W"] = list(widths) if pairs is None else [x for cid, w in pairs for x in (cid, [w])]
    if default_width is not None:
        cid_font["DW"] = default_width
    cid_font |= vertical or {}
    font = {
        "Type": "/Font",
        "Subtype": "/Type0",
        "BaseFont": base_font,
        "Encoding": encoding,
        "DescendantFonts": [Indirect(cid_font)],
    }
    return _with_to_unicode(font, to_unicode, 2)


def font_descriptor(font_name: str, **entries: Any) -> Indirect:
    """Return a font descriptor (9.8): ascent 800, descent -200, non-symbolic, unless `entries` say otherwise.

    An embedded program is FontFile, FontFile2 or FontFile3 = Stream(...).
    """
    usual: dict[str, Any] = {
        "Type": "/FontDescriptor",
        "FontName": font_name,
        "Flags": 32,
        "FontBBox": [0, -200, 1000, 800],
        "ItalicAngle": 0,
        "Ascent": 800,
        "Descent": -200,
        "CapHeight": 700,
        "StemV": 80,
    }
    return Indirect({**usual, **entries})


def to_unicode_cmap(mapping: Mapping[int, str], code_length: int) -> Stream:
    """Return a ToUnicode CMap (9.10.3) of bfchar entries for codes of `code_length` bytes."""
    digits = 2 * code_length
    lines = [f"<{code:0{digits}x}> <{text.encode('utf-16-be').hex()}>" for code, text in mapping.items()]
    blocks = [lines[i : i + 100] for i in range(0, len(lines), 100)]
    body = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
    return cmap_stream(
        f"1 begincodespacerange\n<{'00' * code_length}> <{'ff' * code_length}>\nendcodespacerange\n{body}"
    )


def cmap_stream(body: str, *, name: str = "Test-UCS", wmode: int | None = None, **entries: Any) -> Stream:
    """Return a CMap stream with the usual frame around `body` (ranges and mappings)."""
    mode = "" if wmode is None else f"/WMode {wmode} def\n"
    text = (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        f"/CMapName /{name} def\n/CMapType 2 def\n{mode}{body}\n"
        "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    )
    return Stream(text, entries)


def _with_to_unicode(font: dict[str, Any], to_unicode: Any, code_length: int) -> dict[str, Any]:
    if to_unicode is not None:
        stream = to_unicode if isinstance(to_unicode, Stream) else to_unicode_cmap(to_unicode, code_length)
        font["ToUnicode"] = stream
    return font


def _differences(names: Mapping[int, str]) -> list[Any]:
    result: list[Any] = []
    for code in sorted(names):
        result += [code, names[code]]
    return result
