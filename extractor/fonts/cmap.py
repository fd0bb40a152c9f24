"""Parser of CMap files: code spaces, codes to CIDs, codes to Unicode (ISO 32000-1, 9.7.5, 9.10.3).

In: the bytes of an embedded CMap or of a /ToUnicode stream, well-formed or not. Out: a CMap. Work is bounded
by the length of the bytes, whatever the ranges say. It must not know fonts, nor where a CMap that is used by
name comes from.

A fast path reads bodies of plain hexadecimal tokens at C speed; whatever it does not understand goes through
the token machine, which is the definition of what a body means.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from extractor.fonts.code_table import CodeTable

_TOKEN = re.compile(
    rb"%[^\r\n]*"  # comment
    rb"|<<|>>"
    rb"|<(?P<hex>[^<>]*)>?"
    rb"|\((?:[^()\\]|\\.)*\)"
    rb"|(?P<bracket>[\[\]])"
    rb"|/(?P<name>[^\s<>\[\]()/%{}]*)"
    rb"|(?P<word>[^\s<>\[\]()/%{}]+)",
    re.DOTALL,
)
_NOT_HEXADECIMAL = re.compile(rb"[^0-9A-Fa-f]+")
_MAX_OPERANDS = 2_000_000

Token = tuple[str, Any]
"""("hex", digits), ("name", str), ("int", int), ("list", [tokens]) or ("word", bytes)."""


@dataclass(frozen=True)
class CodeSpace:
    """One code space range: codes of `length` bytes, each byte between its bounds (9.7.6.2)."""

    length: int
    low: bytes
    high: bytes


@dataclass
class CMap:
    """What a CMap file says. `cids` is keyed by code length in bytes; `unicode` by the code's value alone."""

    spaces: list[CodeSpace] = field(default_factory=list)
    cids: dict[int, CodeTable[int]] = field(default_factory=dict)
    unicode: CodeTable[str] = field(default_factory=CodeTable)
    vertical: bool = False
    uses: str | None = None
    """The name of the CMap that this one builds on (`usecmap`)."""

    def text(self, code: int) -> str:
        """Return the Unicode of a code as the file says, "" if it says nothing."""
        found = self.unicode.find(code)
        if found is None:
            return ""
        return found[0] if found[1] == 0 else advance_text(*found)

    def cid(self, code: int, length: int) -> int | None:
        """Return the CID of a code of `length` bytes, None if it has none."""
        table = self.cids.get(length)
        found = table.find(code) if table is not None else None
        return None if found is None else found[0] + found[1]


def advance_text(text: str, distance: int) -> str:
    """Return `text` with its last character moved on by `distance`; "" beyond Unicode (9.10.3)."""
    if not text:
        return ""
    point = ord(text[-1]) + distance
    return text[:-1] + chr(point) if point <= 0x10FFFF else ""


def hexadecimal_text(digits: bytes) -> str:
    """Return the text of a destination's digits: UTF-16BE, or one code point of up to four digits.

    Raises:
        ValueError: if `digits` are none.
    """
    if len(digits) <= 4:
        return chr(int(digits, 16)) if digits else ""
    units = bytes.fromhex(digits[: len(digits) & ~3].decode("ascii"))
    return units.decode("utf-16-be", "surrogatepass" if len(units) % 2 == 0 else "ignore") if units else ""


def parse_to_unicode(source: bytes) -> CMap:
    """Parse a /ToUnicode CMap: the same as `parse_cmap`, several times as fast on well-formed files."""
    blocks = _plain_blocks(source)
    if blocks is None:
        return parse_cmap(source)
    cmap = CMap()
    for kind, body in blocks:
        if not _put_plain_block(cmap.unicode, kind, body):
            _BLOCK_READERS[kind](cmap, list(_tokens(body)))
    return cmap


def _plain_blocks(source: bytes) -> list[tuple[str, bytes]] | None:
    """Return the (kind, body) of all Unicode sections; None if there is anything else that matters."""
    if any(mark in source for mark in (b"usecmap", b"begincid", b"/WMode 1")):
        return None
    blocks = []
    start = source.find(b"beginbf")
    while start >= 0:
        end = source.find(b"endbf", start)
        following = source.find(b"beginbf", start + 7)
        if end < 0 or 0 <= following < end:
            return None
        kind = "bfchar" if source.startswith(b"char", start + 7) else "bfrange"
        if kind == "bfrange" and not source.startswith(b"range", start + 7):
            return None
        blocks.append((kind, source[start + 5 + len(kind) : end]))
        start = following
    return blocks


def _put_plain_block(table: CodeTable[str], kind: str, body: bytes) -> bool:
    """Read a body of hexadecimal tokens only; return False, and change nothing, if it is anything else."""
    tokens = body.replace(b"<", b" ").replace(b">", b" ").split()
    size = 2 if kind == "bfchar" else 3
    if len(tokens) % size or body.count(b"<") != len(tokens) or body.count(b">") != len(tokens):
        return False
    try:
        codes = _integers(tokens[::size])
        texts = _texts(tokens[size - 1 :: size])
        highs = _integers(tokens[1::3]) if size == 3 else codes
    except ValueError:
        return False
    if codes == highs and not table.ranges:
        table.singles.update(zip(codes, texts, strict=True))
        return True
    for low, high, text in zip(codes, highs, texts, strict=True):
        table.put_range(low, high, text)
    return True


def _integers(tokens: list[bytes]) -> Sequence[int]:
    """Return hexadecimal tokens as integers; those of four digits at C speed."""
    joined = b"".join(tokens)
    if len(joined) == 4 * len(tokens) and all(len(token) == 4 for token in tokens):
        return struct.unpack(f">{len(tokens)}H", bytes.fromhex(joined.decode("latin-1")))
    return tuple([int(token, 16) for token in tokens])


def _texts(tokens: list[bytes]) -> list[str]:
    """Return hexadecimal destinations as text."""
    if max(map(len, tokens), default=4) <= 4:
        return list(map(chr, _integers(tokens)))
    if not all(map(bytes.isalnum, tokens)):
        raise ValueError
    return [hexadecimal_text(token) for token in tokens]


def parse_cmap(source: bytes) -> CMap:
    """Parse a CMap file of any kind: one line or many, sections cut short, junk between and inside them."""
    cmap = CMap()
    operands: list[Token] = []
    section = ""
    for kind, value in _tokens(source):
        if kind != "word":
            if len(operands) < _MAX_OPERANDS:
                operands.append((kind, value))
            continue
        word = value.decode("latin-1")
        if word.startswith(("begin", "end")):
            _BLOCK_READERS.get(section, _read_nothing)(cmap, operands)
            section = word[5:] if word.startswith("begin") else ""
            operands = []
        elif not section:
            _read_definition(cmap, word, operands)
            operands = []
    _BLOCK_READERS.get(section, _read_nothing)(cmap, operands)
    return cmap


def _tokens(source: bytes) -> Iterator[Token]:
    """Yield the tokens of a CMap file, arrays as lists."""
    array: list[Token] | None = None
    for match in _TOKEN.finditer(source):
        kind = match.lastgroup
        if kind is None:
            continue
        token = _token(kind, match[kind])
        if kind == "bracket":
            if token[1] == b"[":
                array = []
            elif array is not None:
                yield ("list", array)
                array = None
        elif array is None:
            yield token
        elif token[0] == "word":  # a keyword inside an array: its closing bracket is missing
            yield ("list", array)
            array = None
            yield token
        else:
            array.append(token)
    if array is not None:
        yield ("list", array)


def _token(kind: str, text: bytes) -> Token:
    if kind == "hex":
        return ("hex", _NOT_HEXADECIMAL.sub(b"", text))
    if kind == "name":
        return ("name", text.decode("latin-1"))
    if kind == "word" and text.isdigit() and len(text) < 12:
        return ("int", int(text))
    return (kind, text)


def _read_definition(cmap: CMap, word: str, operands: list[Token]) -> None:
    """Read `/WMode 1 def` and `/Name usecmap`."""
    if word == "usecmap":
        names = [value for kind, value in operands if kind == "name"]
        cmap.uses = names[-1] if names else None
    elif word == "def" and len(operands) >= 2 and operands[-2] == ("name", "WMode"):
        cmap.vertical = operands[-1] == ("int", 1)


def _read_nothing(cmap: CMap, operands: list[Token]) -> None:
    """Read a section that says nothing to us."""


def _read_code_spaces(cmap: CMap, operands: list[Token]) -> None:
    codes = [value for kind, value in operands if kind == "hex" and value]
    for low, high in zip(codes[::2], codes[1::2], strict=False):
        length = (max(len(low), len(high)) + 1) // 2
        if length <= 4:
            first, last = (bytes.fromhex(c.decode("ascii").rjust(2 * length, "0")) for c in (low, high))
            cmap.spaces.append(CodeSpace(length, first, last))


def _read_cid_characters(cmap: CMap, operands: list[Token]) -> None:
    for (kind, code), (other, cid) in _steps(operands, ("hex",), ("int",)):
        del kind, other
        _cid_table(cmap, code).put(int(code, 16), cid)


def _read_cid_ranges(cmap: CMap, operands: list[Token]) -> None:
    for (_, low), (_, high), (_, cid) in _steps(operands, ("hex",), ("hex",), ("int",)):
        _cid_table(cmap, low).put_range(int(low, 16), int(high, 16), cid)


def _cid_table(cmap: CMap, code: bytes) -> CodeTable[int]:
    return cmap.cids.setdefault((len(code) + 1) // 2, CodeTable())


def _read_unicode_characters(cmap: CMap, operands: list[Token]) -> None:
    for (_, code), target in _steps(operands, ("hex", "int"), ("hex", "name", "int", "list")):
        text = _target_text(target)
        if text:
            cmap.unicode.put(_code(code), text)


def _read_unicode_ranges(cmap: CMap, operands: list[Token]) -> None:
    table = cmap.unicode
    for (_, first), (_, last), target in _steps(
        operands, ("hex", "int"), ("hex", "int"), ("hex", "list", "name", "int")
    ):
        low, high = _code(first), _code(last)
        if target[0] == "list":
            for code, element in zip(range(low, high + 1), target[1], strict=False):
                text = _target_text(element)
                if text:
                    table.put(code, text)
        elif text := _target_text(target):
            table.put_range(low, high, text)


def _code(value: bytes | int) -> int:
    return value if isinstance(value, int) else int(value, 16)


def _target_text(token: Token) -> str:
    """Return the text of a destination: hexadecimal, a glyph name, a number, or the first of a list."""
    kind, value = token
    if kind == "hex":
        return hexadecimal_text(value)
    if kind == "name":
        from extractor.fonts.glyph_names import name_text

        return name_text(value)
    if kind == "int":
        return chr(value) if value <= 0x10FFFF else ""
    return _target_text(value[0]) if kind == "list" and value else ""


def _steps(operands: list[Token], *kinds: tuple[str, ...]) -> Iterator[list[Token]]:
    """Yield groups of operands of the wanted kinds, skipping single operands that don't fit."""
    size, position = len(kinds), 0
    while position + size <= len(operands):
        group = operands[position : position + size]
        if all(
            token[0] in wanted and not (token[0] == "hex" and not token[1] and index < size - 1)
            for index, (token, wanted) in enumerate(zip(group, kinds, strict=True))
        ):
            yield group
            position += size
        else:
            position += 1


_BLOCK_READERS: dict[str, Callable[[CMap, list[Token]], None]] = {
    "codespacerange": _read_code_spaces,
    "cidchar": _read_cid_characters,
    "cidrange": _read_cid_ranges,
    "bfchar": _read_unicode_characters,
    "bfrange": _read_unicode_ranges,
}
