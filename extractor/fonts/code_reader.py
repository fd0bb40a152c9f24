"""How strings of a composite font fall into codes, and codes into CIDs (ISO 32000-1, 9.7.5, 9.7.6).

In: the /Encoding of a Type 0 font, a name or a CMap stream. Out: a CodeReader. Codes of mixed lengths are
given slots below 65,536, which stand for them from then on: a one- or two-byte code its own value where that
is free.
"""

from __future__ import annotations

from typing import Any

from extractor.fonts.cmap import CMap, CodeSpace, parse_cmap
from extractor.fonts.predefined import (
    code_cid,
    code_trie,
    codec_of_cmap,
    collection_of_cmap,
    is_known_cmap,
    is_vertical,
    next_code,
    uniform_length,
)
from extractor.fonts.programs import Issues
from extractor.objects import as_integer, as_name, entry, resolve

_MAX_SLOTS = 0x10000
_MAX_REMEMBERED = 4096
_MAX_LENGTH = 4 * 1024 * 1024
"""Bytes; a line for each of 65,536 codes is one million."""

_MAX_CHAIN = 5
_ONE_BYTE = b"begincodespacerange <00> <FF> endcodespacerange begincidrange <00> <FF> 0 endcidrange"


class CodeReader:
    """Two-byte codes that are CIDs themselves: Identity-H and Identity-V (table 118)."""

    code_length = 2
    collection: str | None = None

    def __init__(self, vertical: bool) -> None:
        self.vertical = vertical

    def split(self, string: bytes) -> list[int]:
        """Return the slots of the codes of a string."""
        if len(string) % 2:
            string += b"\0"
        return [string[i] << 8 | string[i + 1] for i in range(0, len(string), 2)]

    def cid(self, slot: int) -> int:
        """Return the CID of a slot, 0 if its code has none (9.7.6.3)."""
        return slot

    def code_value(self, slot: int) -> int:
        """Return the code of a slot as a number."""
        return slot

    def unicode(self, slot: int) -> str:
        """Return the Unicode of a slot if the codes themselves are Unicode, else ""."""
        del slot
        return ""

    def is_single_space(self, slot: int) -> bool:
        """Tell whether a slot is the single-byte code 32, to which word spacing applies (9.3.3)."""
        del slot
        return False


class SlottedReader(CodeReader):
    """Codes of any length, each with a slot."""

    def __init__(self, vertical: bool) -> None:
        super().__init__(vertical)
        self._codes: dict[int, bytes] = {}
        self._slots: dict[bytes, int] = {}
        self._next = _MAX_SLOTS - 1
        self._remembered: dict[bytes, list[int]] = {}

    def split(self, string: bytes) -> list[int]:
        """Return the slots of the codes of a string (9.7.6.2)."""
        slots = self._remembered.get(string)
        if slots is None:
            slots = [self._slot(code) for code in self._cut(string)]
            if len(self._remembered) >= _MAX_REMEMBERED:
                self._remembered.clear()
            self._remembered[string] = slots
        return slots

    def _cut(self, string: bytes) -> list[bytes]:
        codes, position = [], 0
        while position < len(string):
            length = max(self._length(string, position), 1)
            codes.append(string[position : position + length])
            position += length
        return codes

    def _length(self, string: bytes, position: int) -> int:
        del string, position
        return 2

    def _slot(self, code: bytes) -> int:
        slot = self._slots.get(code)
        if slot is None:
            slot = self._free_slot(int.from_bytes(code, "big"))
            if slot:
                self._codes[slot] = code
            self._slots[code] = slot
        return slot

    def _free_slot(self, wanted: int) -> int:
        """Return the wanted slot, or the highest that is free; 0 if all are taken."""
        if 0 < wanted < _MAX_SLOTS and wanted not in self._codes:
            return wanted
        while self._next > 0 and self._next in self._codes:
            self._next -= 1
        return self._next

    def _code(self, slot: int) -> bytes:
        """Return the bytes of a slot; a slot never given out is a code of the usual length."""
        code = self._codes.get(slot)
        if code is not None:
            return code
        shortest = 1 if slot < 256 else 2
        return slot.to_bytes(max(self.code_length, shortest), "big") if 0 <= slot < _MAX_SLOTS else b""

    def code_value(self, slot: int) -> int:
        """Return the code of a slot as a number."""
        return int.from_bytes(self._code(slot), "big")

    def is_single_space(self, slot: int) -> bool:
        """Tell whether a slot is the single-byte code 32."""
        return self._code(slot) == b" "


class PredefinedReader(SlottedReader):
    """A predefined CMap (9.7.5.2)."""

    def __init__(self, name: str) -> None:
        super().__init__(is_vertical(name))
        self.collection = collection_of_cmap(name)
        self._trie = code_trie(name) or {}
        self._codec = codec_of_cmap(name)
        self.code_length = uniform_length(self._trie) or 0

    def _length(self, string: bytes, position: int) -> int:
        return next_code(self._trie, string, position)

    def cid(self, slot: int) -> int:
        """Return the CID of a slot."""
        return code_cid(self._trie, self._code(slot)) or 0

    def unicode(self, slot: int) -> str:
        """Return the Unicode of a slot's code if the CMap's codes are Unicode."""
        if self._codec is None:
            return ""
        code = self._code(slot)
        return code.decode(self._codec, "ignore") if len(code) > 1 or self._codec == "utf-8" else ""


class EmbeddedReader(SlottedReader):
    """A CMap stream, perhaps on top of a predefined CMap."""

    def __init__(self, cmap: CMap, vertical: bool, below: CodeReader | None) -> None:
        super().__init__(vertical)
        self._cmap = cmap
        self._below = below
        self.collection = below.collection if below is not None else None
        self._spaces: list[CodeSpace] = sorted(cmap.spaces, key=lambda space: space.length)
        lengths = {space.length for space in self._spaces} or set(cmap.cids)
        if not lengths:
            self.code_length = below.code_length if below is not None else 2
        elif below is not None and below.code_length not in lengths:
            self.code_length = 0
        else:
            length = max(lengths)
            self.code_length = length if len(lengths) == 1 and length <= 2 else 0

    def _length(self, string: bytes, position: int) -> int:
        if self.code_length:
            return self.code_length
        for space in self._spaces:
            code = string[position : position + space.length]
            if len(code) == space.length and _inside(code, space):
                return space.length
        if isinstance(self._below, SlottedReader):
            return self._below._length(string, position)
        for (
            space
        ) in self._spaces:  # 9.7.6.3: the shortest of those that the first byte fits, else the shortest
            if space.low[0] <= string[position] <= space.high[0]:
                return space.length
        return self._spaces[0].length if self._spaces else 2

    def cid(self, slot: int) -> int:
        """Return the CID of a slot."""
        code = self._code(slot)
        cid = self._cmap.cid(int.from_bytes(code, "big"), len(code))
        if cid is not None:
            return cid
        if isinstance(self._below, SlottedReader):
            return self._below.cid(self._below._slot(code))
        return 0 if self._below is None else self._below.cid(int.from_bytes(code, "big"))


def _inside(code: bytes, space: CodeSpace) -> bool:
    return all(low <= byte <= high for low, byte, high in zip(space.low, code, space.high, strict=True))


def load_code_reader(encoding: Any, issues: Issues) -> CodeReader:
    """Return the reader for the /Encoding of a Type 0 font; Identity-H for one that can't be understood."""
    return _load(resolve(encoding), issues, 0) or CodeReader(vertical=False)


def _load(encoding: Any, issues: Issues, depth: int) -> CodeReader | None:
    if depth > _MAX_CHAIN:
        return None
    if isinstance(encoding, str):
        return _load_named(encoding.lstrip("/"), issues)
    if not hasattr(encoding, "get_data"):
        if encoding is not None or depth == 0:
            issues.add("cmap", "a composite font has no usable Encoding")
        return None
    try:
        cmap = parse_cmap(bytes(encoding.get_data())[:_MAX_LENGTH])
    except Exception as error:  # stream filters raise all kinds on damaged data
        issues.add("cmap", f"an embedded CMap can't be read: {type(error).__name__}: {error}")
        return None
    below = entry(encoding, "/UseCMap") or cmap.uses
    if below is None and not cmap.cids:  # a predefined CMap's name over nothing that could be read
        below = as_name(entry(encoding, "/CMapName"))
    base = _load(below, issues, depth + 1)
    vertical = cmap.vertical or as_integer(entry(encoding, "/WMode")) == 1
    return EmbeddedReader(cmap, vertical, base)


def _load_named(name: str, issues: Issues) -> CodeReader | None:
    if name.startswith(("Identity", "DLIdent")):
        return CodeReader(name.endswith("V"))
    if name.startswith("OneByteIdentity"):
        return EmbeddedReader(parse_cmap(_ONE_BYTE), name.endswith("V"), None)
    if is_known_cmap(name):
        return PredefinedReader(name)
    issues.add("cmap", f"unknown CMap {name[:40]}")
    return CodeReader(vertical=True) if name.endswith("-V") else None
