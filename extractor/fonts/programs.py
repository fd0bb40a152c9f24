"""Embedded font programs: what they say about codes, glyphs and Unicode (ISO 32000-1, 9.9).

In: a font descriptor. Out: a FontProgram, one face over Type 1, CFF and TrueType programs: code to glyph
name, code or CID to Unicode. Opened only when something is asked that the PDF itself doesn't say. It must not
know the recipe that decides between sources. A program that can't be read says nothing, and an issue says so.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Protocol

from extractor.fonts.characters import is_private
from extractor.fonts.encodings import MAC_ROMAN, STANDARD, encoding
from extractor.fonts.glyph_names import name_text
from extractor.fonts.sfnt import Sfnt
from extractor.objects import as_dictionary, as_name, entry, raw_entry

_MAX_PROGRAM = 64 * 1024 * 1024
_FULL_FONT = 190
"""Codes of a font that is no subset: those of a whole encoding run without a gap too."""

_TYPE1_ENTRY = re.compile(rb"dup\s+(?:(\d+)#)?([0-9A-Fa-f]+)\s*/([^\s/{}\[\]()<>]+)\s+put")
_TYPE1_STANDARD = re.compile(rb"/Encoding\s+StandardEncoding\s+def")
_TYPE1_LITERAL = re.compile(rb"/Encoding\s*\[([^\]]*)\]")
_ANONYMOUS = re.compile(r"^(?:\.notdef|\.null|nonmarkingreturn|(?:g|glyph|gid|cid|index|c|G|C)[-_]?\d+)$")


class Issues(Protocol):
    """Where recovered faults go."""

    def add(self, code: str, message: str) -> None:
        """Record a fault."""


class FontProgram:
    """A font program that says nothing: the face that the kinds of programs share."""

    def code_names(self) -> Mapping[int, str]:
        """Return the built-in encoding, codes to glyph names (9.6.6.1)."""
        return {}

    def code_text(self, code: int) -> str:
        """Return the Unicode of a code of a simple font by the program alone, or ""."""
        return name_text(self.code_names().get(code, ""))

    def glyph_text(self, glyph: int) -> str:
        """Return the Unicode of a glyph index, or ""."""
        del glyph
        return ""

    def cid_text(self, cid: int) -> str:
        """Return the Unicode of a CID of a CIDFont, or ""."""
        return self.glyph_text(cid)

    def code_width(self, code: int) -> float | None:
        """Return the advance width in em of a code of a simple font, or None."""
        del code
        return None

    @property
    def ordering(self) -> str:
        """The /Ordering of a CID-keyed program's own collection, or ""."""
        return ""

    @property
    def numbers_codes(self) -> bool:
        """Whether the codes only count the glyphs of a subset, so that no encoding gives them a meaning."""
        return False

    @property
    def heights(self) -> tuple[float, float] | None:
        """(ascent, descent) in em, or None."""
        return None


class Type1Program(FontProgram):
    """A Type 1 program: its built-in encoding stands in the clear, so nothing need be decrypted."""

    def __init__(self, source: bytes) -> None:
        self._source = source

    @cached_property
    def _names(self) -> Mapping[int, str]:
        end = self._source.find(b"eexec")
        clear = self._source[: end if end > 0 else 200_000]
        if _TYPE1_STANDARD.search(clear):
            return {code: name for code, name in enumerate(encoding(STANDARD)) if name}
        start = max(clear.find(b"/Encoding"), 0)
        literal = _TYPE1_LITERAL.match(clear, start)
        if literal:
            listed = literal[1].decode("latin-1").split("/")[1:257]
            return {code: name.strip() for code, name in enumerate(listed) if name.strip() != ".notdef"}
        names = {}
        for match in _TYPE1_ENTRY.finditer(clear, start):
            radix = int(match[1]) if match[1] and match[1] in (b"8", b"16", b"10") else 10
            try:
                code = int(match[2], radix)
            except ValueError:
                continue
            name = match[3].decode("latin-1")
            if code < 256 and name != ".notdef":
                names[code] = name
        return names

    def code_names(self) -> Mapping[int, str]:
        """Return the built-in encoding."""
        return self._names


class CffProgram(FontProgram):
    """A CFF program, name-keyed or CID-keyed, read with fontTools."""

    def __init__(self, source: bytes) -> None:
        from fontTools.cffLib import CFFFontSet

        fonts = CFFFontSet()
        fonts.decompile(io.BytesIO(source), None, isCFF2=False)
        top = fonts[0]
        self._charset: list[str] = [str(name) for name in top.charset]
        self._cid_keyed = hasattr(top, "ROS")
        self._ordering = str(top.ROS[1]) if self._cid_keyed else ""
        self._names = {} if self._cid_keyed else _cff_encoding(top, self._charset)

    def code_names(self) -> Mapping[int, str]:
        """Return the built-in encoding."""
        return self._names

    def glyph_text(self, glyph: int) -> str:
        """Return the Unicode of a glyph by its name in the charset."""
        if self._cid_keyed or not 0 <= glyph < len(self._charset):
            return ""
        return _text_of_name(self._charset[glyph])

    @property
    def ordering(self) -> str:
        """The /Ordering of a CID-keyed program's collection."""
        return self._ordering


def _cff_encoding(top: Any, charset: list[str]) -> Mapping[int, str]:
    table = getattr(top, "Encoding", None)
    if table == "StandardEncoding":
        return {code: name for code, name in enumerate(encoding(STANDARD)) if name and name in charset}
    if not isinstance(table, list | tuple):
        return {}
    return {code: str(name) for code, name in enumerate(table) if name and name != ".notdef"}


class TrueTypeProgram(FontProgram):
    """A TrueType program, or an OpenType file around a CFF program."""

    def __init__(self, sfnt: Sfnt, issues: Issues) -> None:
        self._sfnt = sfnt
        self._issues = issues

    @cached_property
    def _cff(self) -> FontProgram:
        table = self._sfnt.table("CFF ")
        try:
            return CffProgram(table) if table else FontProgram()
        except Exception as error:  # as in `open_program`
            _report(error, self._issues)
            return FontProgram()

    def code_names(self) -> Mapping[int, str]:
        """Return the built-in encoding of an OpenType file's CFF program."""
        return self._cff.code_names()

    @property
    def ordering(self) -> str:
        """The /Ordering of an OpenType file's CID-keyed CFF program."""
        return self._cff.ordering

    def glyph_text(self, glyph: int) -> str:
        """Return the Unicode of a glyph: the Unicode character map backwards, else its name."""
        text = self._sfnt.glyph_characters.get(glyph, "")
        if text and not "\ue000" <= text <= "\uf8ff":
            return text
        text = _text_of_name(self._sfnt.names.get(glyph, "")) or text or self._cff.glyph_text(glyph)
        return text or self._sfnt.raised_characters.get(glyph, "")

    def code_glyph(self, code: int) -> int:
        """Return the glyph index that a code of a symbolic font shows (9.6.6.4): (3,0), (1,0), then (3,1)."""
        symbol, roman = self._sfnt.codes(3, 0), self._sfnt.codes(1, 0)
        for page in (0xF000, 0, 0xF100, 0xF200):
            if page + code in symbol:
                return symbol[page + code]
        return roman.get(code) or self._sfnt.unicode_codes.get(code, 0)

    def code_text(self, code: int) -> str:
        """Return the Unicode of a code of a symbolic TrueType font, by the glyph that it shows."""
        glyph = self.code_glyph(code)
        text = self.glyph_text(glyph) if glyph else ""
        if (not text or is_private(text)) and self.numbers_codes:
            return ""
        if (not text or is_private(text)) and code < 256 and self._sfnt.codes(1, 0).get(code):
            return name_text(encoding(MAC_ROMAN)[code])
        if text:
            return text
        return super().code_text(code)

    @cached_property
    def numbers_codes(self) -> bool:
        """Whether the codes run from 33 (or 1) on without a gap as the glyphs do from 1 on: a subset's numbers."""
        codes = self._sfnt.codes(1, 0) or {
            code & 0xFF: glyph for code, glyph in self._sfnt.codes(3, 0).items()
        }
        if not 1 < len(codes) < _FULL_FONT or self._sfnt.unicode_codes:
            return False
        first = min(codes)
        return first in (1, 33) and all(codes.get(first + i) == i + 1 for i in range(len(codes)))

    def code_width(self, code: int) -> float | None:
        """Return the advance width of a code by the glyph that it shows."""
        glyph = self.code_glyph(code)
        return self._sfnt.width(glyph) if glyph else None

    @property
    def heights(self) -> tuple[float, float] | None:
        """(ascent, descent) of the font's hhea table."""
        return self._sfnt.heights


def _text_of_name(name: str) -> str:
    """Return the Unicode of a glyph name in a program; names that only number glyphs say nothing."""
    return "" if not name or _ANONYMOUS.match(name) else name_text(name)


def has_program(descriptor: Any) -> bool:
    """Tell whether a font is embedded."""
    return any(raw_entry(descriptor, key) is not None for key in ("/FontFile2", "/FontFile3", "/FontFile"))


def open_program(descriptor: Any, issues: Issues) -> FontProgram:
    """Return the embedded program of a font descriptor, or one that says nothing."""
    for key in ("/FontFile2", "/FontFile3", "/FontFile"):
        try:
            stream = as_dictionary(entry(descriptor, key))
            if stream is None or not hasattr(stream, "get_data"):
                continue
            source = bytes(stream.get_data())
            return _open(source, as_name(entry(stream, "/Subtype")) or "", issues)
        except Exception as error:  # fontTools and stream filters raise all kinds on damaged programs
            _report(error, issues)
    return FontProgram()


def _report(error: Exception, issues: Issues) -> None:
    message = f"an embedded font program can't be read: {type(error).__name__}: {error}"
    issues.add("font-program", message[:200])


def _open(source: bytes, subtype: str, issues: Issues) -> FontProgram:
    """Return the program of a font file's bytes, by how they begin, not by what the PDF calls them."""
    head = source[:4]
    if len(source) > _MAX_PROGRAM:
        raise ValueError(f"{len(source)} bytes are too many")
    if head in (b"\x00\x01\x00\x00", b"true", b"OTTO", b"ttcf", b"typ1"):
        return TrueTypeProgram(Sfnt(source), issues)
    if head[:2] == b"%!" or head[:1] == b"\x80":
        return Type1Program(source)
    if head[:1] == b"\x01" or subtype in ("Type1C", "CIDFontType0C"):
        return CffProgram(source)
    if b"/Encoding" in source[:100_000]:
        return Type1Program(source)
    sfnt = Sfnt(source)
    return TrueTypeProgram(sfnt, issues) if sfnt.table("cmap") or sfnt.table("glyf") else FontProgram()
